//! What a change does to the clusters. Read in Liqo 1.2.0, and seen on two whole clusters where a time is given; the paths in
//! comments are below Liqo's root, and `LCM` is `pkg/liqo-controller-manager`.

/// How much a change takes from who uses the clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Impact {
    Harmless,
    /// Traffic between the clusters stops for a while, or for good.
    Traffic,
    /// It does not work by itself, or not as it reads.
    Attention,
    /// Pods with their volumes, or whole namespaces go.
    Data,
}

/// What a change does, in Markdown without anything from a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Fields, each with all that is below it, and with `=` and a value for that one only; `+` is an object that is added, `-`
    /// one that is removed.
    pub(crate) paths: &'static [&'static str],
    pub(crate) impact: Impact,
    pub(crate) words: &'static str,
}

/// A line of a kind's table.
pub(crate) const fn effect(paths: &'static [&'static str], impact: Impact, words: &'static str) -> Effect {
    Effect { paths, impact, words }
}

impl Impact {
    /// Before the words.
    pub(crate) const fn label(self) -> Option<&'static str> {
        match self {
            Self::Harmless => None,
            Self::Traffic => Some("Interrupts traffic"),
            Self::Attention => Some("Needs attention"),
            Self::Data => Some("Deletes data"),
        }
    }
}

impl Effect {
    /// Whether it is the one of a field that gets this value.
    pub(crate) fn is_of(&self, path: &str, to: &str) -> bool {
        let with_value = format!("{path}={to}");
        let is_inside = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[', '=']);
        self.paths.iter().any(|start| with_value.strip_prefix(start).is_some_and(is_inside))
    }
}
