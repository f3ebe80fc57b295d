//! Amounts of resources.

use super::labels::LINE;
use super::name::{QUALIFIED, ResourceName};
use super::quantity::Quantity;
use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{Decode, Decoder, decode_all, entries, schema};
use crate::input::yaml::Node;
use schemars::{SchemaGenerator, json_schema};
use std::collections::BTreeMap;

/// Amounts by resource.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Resources(pub BTreeMap<ResourceName, Quantity>);

impl Resources {
    /// Whether there is an amount of this resource.
    pub fn has_resource(&self, name: &str) -> bool {
        self.0.keys().any(|known| known.as_str() == name)
    }

    /// The bytes of its lines in an object.
    pub(crate) fn size(&self) -> usize {
        let amounts = self.0.iter();
        amounts
            .map(|(name, amount)| LINE + name.as_str().len() + amount.as_str().len())
            .sum()
    }
}

impl Decode for Resources {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let entries = entries(node, decoder)?;
        let amounts = decode_all(entries, |(key, value)| amount(key, value, decoder));
        Some(Self(amounts?.into_iter().collect()))
    }
}

/// A resource and its amount.
fn amount(key: &Node, value: &Node, decoder: &mut Decoder) -> Option<(ResourceName, Quantity)> {
    let name = ResourceName::decode(key, decoder);
    let quantity = Quantity::decode(value, decoder);
    let (name, quantity) = (name?, quantity?);
    let amount = check_amount(name.as_str(), &quantity, value.text().unwrap_or_default());
    decoder.valid(value, amount)?;
    Some((name, quantity))
}

/// Checks that a resource can have this amount. Kubernetes refuses fractions of pods and of extended resources (`k8s.io/kubernetes`
/// `pkg/apis/core/helper`, IsIntegerResourceName), and calls fractions of bytes invalid (`pkg/api/pod/warnings.go`: fractional byte value).
/// It has no rule for other names without a domain.
fn check_amount(name: &str, quantity: &Quantity, written: &str) -> Result<(), Rule> {
    let quota = name
        .strip_prefix("requests.")
        .or(name.strip_prefix("limits."));
    let quota = quota.unwrap_or(name);
    let is_of_bytes = matches!(quota, "memory" | "ephemeral-storage" | "storage")
        || quota.starts_with("hugepages-");
    let is_counted = quota == "pods" || quota.contains('/');
    let is_zero = quantity.is_zero() && NEEDED.contains(&name);
    if !is_zero && (quantity.is_integer() || !(is_of_bytes || is_counted)) {
        return Ok(());
    }
    let (written, shown) = (quoted(written), quoted(name));
    let (what, help) = if is_zero {
        let what = format!("zero {shown}: a Node without it runs no pods");
        (what, "write an amount above zero")
    } else if is_of_bytes {
        let what = format!("not a whole number of bytes, {shown}'s unit");
        (what, "`m` is a thousandth: write for example `500Mi`")
    } else {
        let what = format!("not a whole number of {shown}");
        (what, "use a whole number, such as `2`")
    };
    Err(Rule::new(Code::Quantity, format!("{written} is {what}")).help(help))
}

/// The resources without which a virtual Node is never ready, or runs no pods (liqo
/// `pkg/virtualKubelet/liqoNodeProvider/reconciler.go`, areResourcesReady; Kubernetes compares the number of pods with
/// the Node's allocatable ones).
pub(crate) const NEEDED: [&str; 3] = ["cpu", "memory", "pods"];

schema!(Resources, generator => resources(generator));

fn resources(generator: &mut SchemaGenerator) -> schemars::Schema {
    let some = json_schema!({
        "anyOf": [{ "type": "string", "pattern": "[1-9]" }, { "type": "number", "exclusiveMinimum": 0 }],
    });
    let needed = format!("^({})$", NEEDED.join("|"));
    let whole = json_schema!({ "type": ["string", "integer"] });
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": QUALIFIED },
        "additionalProperties": generator.subschema_for::<Quantity>(),
        "allOf": [
            { "patternProperties": { (needed): some } },
            { "patternProperties": { "^(memory|pods|ephemeral-storage|.*/.*)$": whole } },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::check_amount;

    fn can_be(name: &str, quantity: &str) -> bool {
        check_amount(name, &quantity.parse().expect("a quantity"), quantity).is_ok()
    }

    #[test]
    fn what_is_divided_and_what_may_be_none() {
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
            assert!(can_be(name, quantity), "{name}: {quantity}");
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
            assert!(!can_be(name, quantity), "{name}: {quantity}");
        }
    }
}
