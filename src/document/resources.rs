//! Amounts of resources, as they are written.

use super::decode::{Decode, entries, parsed, text};
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::{Node, Plain, Value, read_plain};
use crate::peering::name::ResourceName;
use crate::peering::quantity::Quantity;

/// Amounts by resource, in the order of the document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Resources(pub Vec<(ResourceName, Quantity)>);

impl Decode for Resources {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let decoded: Vec<Option<(ResourceName, Quantity)>> = entries(node, problems)?
            .iter()
            .map(|(key, value)| {
                let name = ResourceName::decode(key, problems);
                let quantity = Quantity::decode(value, problems);
                let (name, quantity) = (name?, quantity?);
                match (fits(&name, &quantity), &value.value) {
                    (Err((why, help)), Value::Plain(written) | Value::Quoted(written)) => {
                        let message = format!("{} {why}", quoted(written));
                        problems.push(Rule::new(Code::Quantity, message).help(help).at(value.span));
                        None
                    }
                    _ => Some((name, quantity)),
                }
            })
            .collect();
        decoded.into_iter().collect::<Option<_>>().map(Self)
    }
}

/// Whether there can be this much of a resource: what is wrong, and the way out.
fn fits(name: &ResourceName, quantity: &Quantity) -> Result<(), (String, &'static str)> {
    let shown = quoted(name.as_str());
    if quantity.is_zero() && NEEDED.contains(&name.as_str()) {
        let help = "say how much there is; what a slice leaves out, the provider's Liqo fills in";
        return Err((format!("is no {shown} at all, and a Node without it takes no pod"), help));
    }
    match (quantity.is_whole(), unit(name)) {
        (true, _) | (false, Unit::Divided) => Ok(()),
        (false, Unit::Bytes) => Err((
            format!("is not a number of bytes, which {shown} is counted in"),
            "`m` is a thousandth; a million bytes are `M` or `Mi`, such as `500Mi`",
        )),
        (false, Unit::Whole) => {
            Err((format!("is not a number of {shown}: they are not divided"), "a whole number, such as `2`"))
        }
    }
}

/// Without these a virtual Node is never ready, or takes no pod (liqo `pkg/virtualKubelet/liqoNodeProvider/reconciler.go`,
/// areResourcesReady; a Node's pods are counted against its allocatable ones).
pub(crate) const NEEDED: [&str; 3] = ["cpu", "memory", "pods"];

/// What a resource is counted in.
enum Unit {
    /// Thousandths.
    Divided,
    /// Bytes.
    Bytes,
    /// Things.
    Whole,
}

/// Kubernetes refuses fractions of pods and of extended resources (`k8s.io/kubernetes` `pkg/apis/core/helper`,
/// IsIntegerResourceName), and calls those of bytes invalid (`pkg/api/pod/warnings.go`: fractional byte value). A name
/// without a domain that it does not know has no rule there.
fn unit(name: &ResourceName) -> Unit {
    let name = name.as_str();
    let quota = name.strip_prefix("requests.").or_else(|| name.strip_prefix("limits.")).unwrap_or(name);
    match quota {
        "cpu" => Unit::Divided,
        "memory" | "ephemeral-storage" | "storage" => Unit::Bytes,
        _ if quota.starts_with("hugepages-") => Unit::Bytes,
        "pods" => Unit::Whole,
        _ if quota.contains('/') => Unit::Whole,
        _ => Unit::Divided,
    }
}

impl Decode for ResourceName {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        parsed(node, "the name of a resource", problems).map(|located| located.value)
    }
}

/// A quantity may be a number: every reader of YAML then has the same one.
impl Decode for Quantity {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = match &node.value {
            Value::Plain(text) if matches!(read_plain(text), Plain::Integer(_) | Plain::Fraction) => text,
            _ => text(node, "a quantity", problems)?,
        };
        match written.parse() {
            Ok(quantity) => Some(quantity),
            Err(rule) => {
                let rule: Rule = rule;
                problems.push(rule.at(node.span));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn what_is_divided_and_what_may_be_none() {
        let good = |name: &str, quantity: &str| {
            fits(&name.parse().expect("a name"), &quantity.parse().expect("a quantity")).is_ok()
        };
        for (name, quantity) in [
            ("cpu", "500m"),
            ("requests.cpu", "1.5"),
            ("memory", "1.5Gi"),
            ("ephemeral-storage", "0"),
            ("hugepages-2Mi", "1Gi"),
            ("hugepages-2Mi", "0"),
            ("nvidia.com/gpu", "0"),
            ("nvidia.com/gpu", "2000m"),
            ("pods", "1k"),
        ] {
            assert!(good(name, quantity), "{name}: {quantity}");
        }
        for (name, quantity) in [
            ("cpu", "0"),
            ("memory", "0Gi"),
            ("pods", "0"),
            ("pods", "0.5"),
            ("memory", "128m"),
            ("requests.memory", "1.5"),
            ("ephemeral-storage", "0.1Ki"),
            ("hugepages-2Mi", "500m"),
            ("nvidia.com/gpu", "500m"),
            ("nvidia.com/gpu", "1.5"),
            ("count/jobs.batch", "1.5"),
        ] {
            assert!(!good(name, quantity), "{name}: {quantity}");
        }
    }
}
