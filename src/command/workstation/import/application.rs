//! The Applications of Argo CD that have objects of the peering already.

use super::side::Side;
use crate::diagnostic::{counted, quoted};
use crate::object::live::Object;
use crate::peering::Role;
use std::collections::BTreeMap;

/// The annotation by which Argo CD tracks an object: `APPLICATION:GROUP/KIND:NAMESPACE/NAME`
/// (argo-cd `util/argo/resource_tracking.go`).
const TRACKING: &str = "argocd.argoproj.io/tracking-id";

/// A note for each of them: of two Applications with one object, each sync takes it from the other.
pub(super) fn notes(side: &Side, role: Role) -> Vec<String> {
    let mut objects = BTreeMap::<&str, usize>::new();
    for name in side.objects.iter().filter_map(application) {
        *objects.entry(name).or_default() += 1;
    }
    let note = |(name, count): (&str, usize)| {
        format!(
            "{role}: the Application {} has {} of the peering. If it still exists and you want another one, delete it and \
             leave the objects: argocd app delete NAME --cascade=false",
            quoted(name),
            counted(count, "object"),
        )
    };
    objects.into_iter().map(note).collect()
}

/// The Application that an object is tracked by. A copy of another object's annotation does not count, as in Argo CD.
fn application(object: &Object) -> Option<&str> {
    let (application, tracked) = object.annotation(TRACKING)?.split_once(':')?;
    let (kind, place) = tracked.split_once(':')?;
    let (namespace, name) = place.split_once('/')?;
    let (group_of_kind, kind) = kind.split_once('/')?;
    let is_itself = (group_of_kind, kind, name) == (object.group(), object.kind(), object.name());
    // for a cluster-scoped object it is the one of the Application's destination
    let is_there = object.namespace().is_empty() || object.namespace() == namespace;
    (is_itself && is_there).then_some(application)
}
