//! The effects of changes on the clusters. They were read in Liqo 1.2.0, and observed on two whole clusters where a time is given. The
//! paths in comments are below Liqo's root, and `LCM` is `pkg/liqo-controller-manager`.

use crate::diagnostic::table;
use schemars::JsonSchema;
use serde::Serialize;

table! {
    /// How much a change takes from who uses the clusters; a worse one is greater.
    // a row has the name in flags and reports, and the label before a change's text
    #[derive(Serialize, JsonSchema)]
    pub enum Impact: (&'static str, Option<&'static str>) {
        /// Nothing that anyone uses.
        #[serde(rename = "harmless")]
        Harmless = ("harmless", None);
        /// It does not work by itself, or not as it reads.
        #[serde(rename = "needs-attention")]
        Attention = ("needs-attention", Some("Needs attention"));
        /// Somebody may do more than before.
        #[serde(rename = "widens-rights")]
        Rights = ("widens-rights", Some("Widens rights"));
        /// Something is deleted without being asked for from now on.
        #[serde(rename = "loses-protection")]
        Protection = ("loses-protection", Some("Loses protection"));
        /// Traffic between the clusters stops for a while, or for good.
        #[serde(rename = "interrupts-traffic")]
        Traffic = ("interrupts-traffic", Some("Interrupts traffic"));
        /// Pods with their volumes, or whole namespaces go.
        #[serde(rename = "deletes-data")]
        Data = ("deletes-data", Some("Deletes data"));
    }
}

impl Impact {
    /// The name in flags and reports.
    pub(crate) const fn name(self) -> &'static str {
        self.row().0
    }

    /// The label before a change's text.
    pub(crate) const fn label(self) -> Option<&'static str> {
        self.row().1
    }
}

/// The effect of a change, in Markdown without anything from a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Fields, each with everything below it. `FIELD=VALUE` is for that value only. `+` is an added object, `-` a removed one.
    pub(crate) paths: &'static [&'static str],
    pub(crate) impact: Impact,
    pub(crate) words: &'static str,
    /// What the change does not affect. It is shown only if all changes of the object have it, since another change may affect it.
    pub(crate) keeps: &'static str,
}

/// A row of a kind's table.
pub(crate) const fn effect(
    paths: &'static [&'static str],
    impact: Impact,
    words: &'static str,
) -> Effect {
    Effect {
        paths,
        impact,
        words,
        keeps: "",
    }
}

impl Effect {
    /// Adds what the change does not affect.
    pub(crate) const fn keeps(self, keeps: &'static str) -> Self {
        Self { keeps, ..self }
    }

    /// Whether it is the effect of setting a field to this value.
    pub(crate) fn matches_change(&self, path: &str, to: &str) -> bool {
        let with_value = format!("{path}={to}");
        let starts = self.paths.iter();
        let mut rests = starts.filter_map(|start| with_value.strip_prefix(start));
        rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[', '=']))
    }
}
