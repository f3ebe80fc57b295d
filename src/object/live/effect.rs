//! The effects of changes on the clusters. They were read in Liqo 1.2.0, and observed on two whole clusters where a time is given. The
//! paths in comments are below Liqo's root, and `LCM` is `pkg/liqo-controller-manager`.

use crate::diagnostic::{CODES, Page};
use schemars::JsonSchema;
use serde::Serialize;

/// Declares the classes of changes, the mildest first: the description, the name in flags and reports, and the label.
macro_rules! impacts {
    ($( #[doc = $doc:literal] $impact:ident = $name:literal, $label:expr; )*) => {
        /// How much a change takes from who uses the clusters; a worse one is greater.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
        pub enum Impact {
            $( #[doc = $doc] #[serde(rename = $name)] $impact, )*
        }

        impl Impact {
            /// All classes, the mildest first.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$impact),*];

            /// The names, in the same order.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in flags and reports.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $( Self::$impact => $name, )*
                }
            }

            /// The name and the description as a page, for forms that need one for each rule.
            pub(crate) const fn page(self) -> Page {
                match self {
                    $( Self::$impact => Page { name: $name, text: concat!("# ", $name, ":", $doc), folder: CODES }, )*
                }
            }

            /// The label before a change's text.
            pub(crate) const fn label(self) -> Option<&'static str> {
                match self {
                    $( Self::$impact => $label, )*
                }
            }
        }
    };
}

impacts! {
    /// Nothing that anyone uses.
    Harmless = "harmless", None;
    /// It does not work by itself, or not as it reads.
    Attention = "needs-attention", Some("Needs attention");
    /// Somebody may do more than before.
    Rights = "widens-rights", Some("Widens rights");
    /// Something is deleted without being asked for from now on.
    Protection = "loses-protection", Some("Loses protection");
    /// Traffic between the clusters stops for a while, or for good.
    Traffic = "interrupts-traffic", Some("Interrupts traffic");
    /// Pods with their volumes, or whole namespaces go.
    Data = "deletes-data", Some("Deletes data");
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
    pub(crate) fn is_of(&self, path: &str, to: &str) -> bool {
        let with_value = format!("{path}={to}");
        let mut rests = self
            .paths
            .iter()
            .filter_map(|start| with_value.strip_prefix(start));
        rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[', '=']))
    }
}
