//! The only reader of live objects, from clusters and from manifests. Nothing else runs kubectl, except `seal kubeconfig` for the
//! credential that it makes, and nothing else reads a cluster's manifest. All objects that a command uses are in one [`Snapshot`].

mod budget;
mod kubectl;
pub(crate) mod liqo;
pub(crate) mod manifest;

pub(crate) use budget::{Budget, Extent};
pub(crate) use kubectl::{KubeContext, Kubectl, Notes};
pub(crate) use manifest::{whole_field, workload};

use super::{ProgramProblem, StateError};
use crate::object::live::Object;
use crate::peering::names::{KEY_SECRET, is_placeholder};
use crate::stream::kinds::live_halves;
use budget::FieldFilter;

/// The objects of a cluster or of manifests, and what could not be read.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) objects: Vec<Object>,
    pub(crate) refused: Vec<Refused>,
}

/// A resource that a cluster does not have, or does not show.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The resource's name in the call of kubectl.
    pub(crate) resource: String,
    pub(crate) problem: ProgramProblem,
}

/// The name of a kind's resource for `kubectl`.
pub(crate) fn resource(kind: &str) -> Option<&'static str> {
    Some(live_halves().find(|half| half.kind() == kind)?.resource)
}

impl Snapshot {
    /// Adds the objects of these resources, and which of them the cluster refuses.
    ///
    /// # Errors
    /// When the cluster gives no answer.
    pub(crate) fn take(
        &mut self,
        kubectl: &mut Kubectl<'_>,
        resources: &[&str],
        scope: &[&str],
        reads: FieldFilter,
    ) -> Result<(), StateError> {
        match (kubectl.get(resources, scope, reads), resources) {
            (Ok(objects), _) => self.objects.extend(objects),
            (Err(problem), _) if !problem.is_refusal() => return Err(kubectl.failed(problem)),
            (Err(problem), [resource]) => {
                let resource = (*resource).to_owned();
                self.refused.push(Refused { resource, problem });
            }
            // kubectl fails for all resources at once, so each is read by itself
            (Err(_), _) => {
                for resource in resources {
                    self.take(kubectl, &[resource], scope, reads)?;
                }
            }
        }
        Ok(())
    }

    /// Why a resource was not read.
    pub(crate) fn refusal(&self, resource: &str) -> Option<&ProgramProblem> {
        let mut refused = self.refused.iter();
        Some(&refused.find(|it| it.resource == resource)?.problem)
    }

    /// Whether the objects of a kind were read.
    pub(crate) fn has_kind(&self, kind: &str) -> bool {
        matches!(resource(kind), Some(resource) if self.refusal(resource).is_none())
    }

    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Object> {
        let objects = self.objects.iter();
        objects.filter(move |object| object.kind() == kind)
    }

    pub(crate) fn named(&self, kind: &str, name: &str) -> Option<&Object> {
        self.of_kind(kind).find(|object| object.name() == name)
    }

    /// The live object of a stream's object.
    pub(crate) fn find(&self, planned: &Object) -> Option<&Object> {
        self.objects.iter().find(|it| is_same_object(it, planned))
    }
}

/// Whether a live object is a stream's object. If the keys were not opened, the name of their Secret is not known.
pub(crate) fn is_same_object(live: &Object, planned: &Object) -> bool {
    live.kind() == planned.kind()
        && live.namespace() == planned.namespace()
        && match planned.name() {
            name if is_placeholder(name) => live.name().starts_with(KEY_SECRET),
            name => live.name() == name,
        }
}
