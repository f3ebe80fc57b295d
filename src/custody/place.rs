//! What Argo CD will report of a place in a repository, and whether a file's terms allow it: what a person knows before a push.

use super::authorise::{Destination, Facts, Use, denied};
use super::opener::managers;
use super::terms::{Entry, Term, Terms};
use crate::peering::Peering;
use crate::peering::delivery::Delivery;
use crate::peering::values::{Role, Sides};

/// What is known of what Argo CD will report. What is not known is not judged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    pub(crate) project: Option<String>,
    pub(crate) repo: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) revision: Option<String>,
}

/// A sealed file that a person's run opened.
pub(crate) struct OpenedFile {
    pub(crate) name: String,
    pub(super) terms: Terms,
    pub(super) delivery: Option<Delivery>,
}

/// The first term by which Argo CD will refuse a file, what it allows, and what Argo CD will report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) term: Term,
    pub(crate) allowed: String,
    pub(crate) reported: String,
}

impl OpenedFile {
    /// Why Argo CD will refuse the file for one side at a place, as far as that is known.
    pub(crate) fn refused_at(&self, place: &Place, peering: &Peering, role: Role) -> Option<Refusal> {
        let clusters = &peering.clusters;
        let to = |delivery| Destination { delivery, namespace: &clusters.of(role).tenant_namespace };
        let asked = Use {
            clusters: Sides::make(|role| &clusters.of(role).id.value),
            role: Some(role),
            secret: self.delivery.map(to),
            managers: managers(peering, role),
        };
        let facts = Facts::known(place);
        let mut entries: Vec<&Entry> = self.terms.entries().iter().collect();
        for &term in Term::ALL {
            let before = entries.clone();
            entries.retain(|entry| denied(entry, term, &asked, Some(&facts)).is_none());
            if entries.is_empty() {
                let allowed: Vec<String> = before.iter().map(|entry| entry.line(term)).collect();
                let reported = asked.reported(term, Some(&facts));
                return Some(Refusal { term, allowed: allowed.join(" "), reported });
            }
        }
        None
    }
}
