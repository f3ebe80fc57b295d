//! What a change does to the clusters. Read in Liqo 1.2.0, and seen on two whole clusters where a time is given; the paths in
//! comments are below Liqo's root, and `LCM` is `pkg/liqo-controller-manager`.

use crate::diagnostic::Page;
use schemars::JsonSchema;
use serde::Serialize;

/// Declares the classes of changes, the mildest first: what each is, its name in flags and reports, and before the words.
macro_rules! impacts {
    ($( #[doc = $doc:literal] $impact:ident = $name:literal, $label:expr; )*) => {
        /// How much a change takes from who uses the clusters; a worse one is greater.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
        pub enum Impact {
            $( #[doc = $doc] #[serde(rename = $name)] $impact, )*
        }

        impl Impact {
            /// All of them, the mildest first.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$impact),*];

            /// Their names, in the same order.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// As flags and reports have it.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $( Self::$impact => $name, )*
                }
            }

            /// Its name and what it is, where a form wants a rule's page.
            pub(crate) const fn page(self) -> Page {
                match self {
                    $( Self::$impact => Page { name: $name, text: concat!("# ", $name, ":", $doc) }, )*
                }
            }

            /// Before the words.
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

/// What a change does, in Markdown without anything from a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Fields, each with all that is below it, and with `=` and a value for that one only; `+` is an object that is added, `-`
    /// one that is removed.
    pub(crate) paths: &'static [&'static str],
    pub(crate) impact: Impact,
    pub(crate) words: &'static str,
    /// What it leaves alone. Another change of the object may not, so it is only shown if all of them do.
    pub(crate) keeps: &'static str,
}

/// A line of a kind's table.
pub(crate) const fn effect(paths: &'static [&'static str], impact: Impact, words: &'static str) -> Effect {
    Effect { paths, impact, words, keeps: "" }
}

impl Effect {
    /// The same, with what it leaves alone.
    pub(crate) const fn keeps(self, keeps: &'static str) -> Self {
        Self { keeps, ..self }
    }

    /// Whether it is the one of a field that gets this value.
    pub(crate) fn is_of(&self, path: &str, to: &str) -> bool {
        let with_value = format!("{path}={to}");
        let mut rests = self.paths.iter().filter_map(|start| with_value.strip_prefix(start));
        rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[', '=']))
    }
}
