//! Names and metadata must belong to objects that the side has.

use crate::diagnostic::{Code, Problems};
use crate::peering::authentication::SubjectKind;
use crate::peering::authentication::credential::Credential;
use crate::peering::cluster::Part;
use crate::peering::{Peering, Role};

pub(super) fn check_unused_settings(peering: &Peering, role: Role, problems: &mut Problems) {
    for setting in peering.clusters[role].settings() {
        let (field, part) = setting.value;
        if let Some((what, help)) = missing(peering, role, part) {
            let message = format!("`{field}` has no effect: the {role}'s stream has no {what}");
            problems.add(Code::UnknownField, setting.span, message, help);
        }
    }
}

/// The object that a side does not have, and what to do; `None` if the side has it.
fn missing(peering: &Peering, role: Role, part: Part) -> Option<(&'static str, &'static str)> {
    let uses = peering.authentication(role);
    let lets_in = peering.authentication(role.peer());
    let (has, what, help) = match part {
        Part::Always => return None,
        Part::ForeignCluster => (
            peering.foreign_cluster,
            "ForeignCluster",
            "remove it, or `foreignCluster: false`",
        ),
        Part::Networking => (
            peering.networking.is_some(),
            "networking objects",
            "remove it, or add `networking`",
        ),
        Part::LetsIn => (
            lets_in.is_some(),
            "Tenant and no RoleBinding",
            "remove it: the cluster that is used has them",
        ),
        Part::Uses => (
            matches!(uses, Some(it) if *it.credential != Credential::ExistingSecret),
            "Secret or Identity with a credential",
            "remove it: a cluster that uses the other has it, without `existingSecret`",
        ),
        Part::Identity => (
            matches!(uses, Some(it) if it.credential.may_be_identity()),
            "Identity",
            "remove it: only `identity` and `keysExchange` make one",
        ),
        Part::ServiceAccount => (
            matches!(lets_in, Some(it) if it.subject.kind == SubjectKind::ServiceAccount),
            "ServiceAccount",
            "remove it: only `kind: ServiceAccount` makes one",
        ),
    };
    (!has).then_some((what, help))
}
