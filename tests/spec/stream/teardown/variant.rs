//! The examples, with another `state` or `protection`.

use super::page::Row;
use crate::harness::{Id, Peering, peer};
use serde_json::Value;

/// A copy of an example that may be changed.
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) peering: Peering,
}

/// All examples, and what no example is: one direction with everything in it.
pub(crate) fn variants() -> Vec<Variant> {
    let examples = Peering::examples().into_iter();
    let mut variants: Vec<_> = examples
        .map(|peering| Variant {
            name: peering.name.clone(),
            peering,
        })
        .collect();
    let everything = variants
        .iter()
        .find(|it| it.name == "everything")
        .expect("examples/everything");
    let one_way = everything.edited(|text| {
        let (before, rest) = text
            .split_once("\n  reverse:")
            .expect("it has both directions");
        let (_, after) = rest.split_once("\n  state:").expect("the next field");
        // what only the other direction has may not be named any more
        let of_reverse = [
            "milan-as-consumer",
            "rome-credential",
            " tenant: { labels:",
            " roleBinding: { labels:",
            " identity: { labels:",
        ];
        let mut kept: Vec<_> = before.lines().collect();
        kept.retain(|line| !of_reverse.iter().any(|it| line.contains(it)));
        format!("{}\n  state:{after}", kept.join("\n"))
    });
    variants.push(Variant {
        name: "everything, one way".to_owned(),
        ..one_way
    });
    variants
}

impl Variant {
    /// The same with another document.
    pub(crate) fn edited(&self, edit: impl FnOnce(String) -> String) -> Self {
        Self {
            name: self.name.clone(),
            peering: self.peering.edited(edit),
        }
    }

    /// The same with one field of `spec`.
    pub(crate) fn with(&self, field: &str, value: &str) -> Self {
        self.edited(|text| {
            let said = format!("  {field}:");
            let others: String = text
                .split_inclusive('\n')
                .filter(|line| !line.starts_with(&said))
                .collect();
            assert_eq!(others.matches("\nspec:\n").count(), 1, "{}", self.name);
            others.replace("\nspec:\n", &format!("\nspec:\n  {field}: {value}\n"))
        })
    }

    fn spec(&self) -> Value {
        self.peering.document()["spec"].take()
    }

    pub(crate) fn is_bidirectional(&self) -> bool {
        self.spec().get("reverse").is_some()
    }

    /// An object is where the table says, unless the document names it.
    pub(crate) fn check_name(&self, role: &str, row: &Row, id: &Id) {
        let spec = self.spec();
        if spec[role].get("names").is_some() {
            return;
        }
        let other = spec[peer(role)]["clusterID"]
            .as_str()
            .expect("a cluster ID");
        let default = format!("liqo-tenant-{other}");
        let tenant = spec[role]["tenantNamespace"].as_str().unwrap_or(&default);
        let expected = row.place.replace("TENANT", tenant).replace("PEER", other);
        let found = if id.namespace.is_empty() {
            id.name.clone()
        } else {
            format!("{}/{}", id.namespace, id.name)
        };
        let fits = match expected.split_once('…') {
            Some((head, tail)) => found
                .strip_prefix(head)
                .and_then(|rest| rest.strip_suffix(tail))
                .is_some_and(|it| !it.is_empty()),
            None => found == expected,
        };
        assert!(
            fits,
            "{}, {role}: {found} is not {expected}, as the table says",
            self.name
        );
    }
}
