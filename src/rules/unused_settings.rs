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
            "remove it, or remove `foreignCluster: false`",
        ),
        Part::Networking => (
            peering.networking.is_some(),
            "networking objects",
            "remove it, or add `networking`",
        ),
        Part::LetsIn => (
            lets_in.is_some(),
            "Tenant and no RoleBinding",
            "remove it: the provider has them, with `reverse` the consumer too",
        ),
        Part::Uses => (
            uses.is_some_and(|it| *it.credential != Credential::ExistingSecret),
            "Secret or Identity with a credential",
            "remove it: a cluster that uses the other one has it, without `existingSecret`",
        ),
        Part::Identity => (
            uses.is_some_and(|it| it.credential.may_be_identity()),
            "Identity",
            "remove it: the stream has one only for `identity`; Secrets take no labels",
        ),
        Part::ServiceAccount => (
            lets_in.is_some_and(|it| it.subject.kind == SubjectKind::ServiceAccount),
            "ServiceAccount",
            "remove it: the stream has one only for `kind: ServiceAccount`",
        ),
    };
    (!has).then_some((what, help))
}
