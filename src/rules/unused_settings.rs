//! Names and metadata belong to objects that the side has.

use super::push;
use crate::diagnostic::{Code, Problems};
use crate::peering::authentication::subject::SubjectKind;
use crate::peering::cluster::Part;
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    for role in Role::BOTH {
        for setting in &peering.clusters.of(role).settings {
            let (field, part) = setting.value;
            if let Some(help) = missing(peering, role, part) {
                let message = format!("the {role} has no object for `{field}`");
                push(problems, Code::UnusedSetting, setting.span, message, help);
            }
        }
    }
}

/// Why a side does not have a part, and what to do; nothing if it has.
fn missing(peering: &Peering, role: Role, part: Part) -> Option<&'static str> {
    let uses = peering.directions.of(role).authentication.as_ref();
    let lets_in = peering.directions.of(role.peer()).authentication.as_ref();
    let (has, help) = match part {
        Part::Always => return None,
        Part::Networking => (peering.networking.is_some(), "remove it, or add `networking`"),
        Part::LetsIn => (
            lets_in.is_some(),
            "remove it: the Tenant and the RoleBinding are on the side that lets the other one in, which is the \
             provider, and with `reverse` the consumer too",
        ),
        Part::Uses => (
            uses.is_some_and(|it| it.credential.has_object()),
            "remove it: the Secret or Identity with the credential is on the side that uses the other one, and with \
             `existingSecret` somebody else makes it",
        ),
        Part::ServiceAccount => (
            lets_in.is_some_and(|it| it.subject.kind == SubjectKind::ServiceAccount),
            "remove it: the stream has a ServiceAccount only with a `subject` of that kind",
        ),
    };
    (!has).then_some(help)
}
