//! What a kubeconfig is for, without its secrets, and what is likely wrong with it.

use crate::diagnostic::{quoted, shown_name};
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::authentication::credential::kubeconfig::{Holder, Kubeconfig};
use crate::peering::authentication::subject::SubjectKind;
use crate::peering::values::Role;
use crate::rules;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use x509_cert::der::DateTime;

/// What is near enough to be renewed now.
pub(super) const SOON: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The users that `liqoctl generate peering-user` makes (liqo `pkg/liqoctl/rest/peering-user/userfactory/cert.go`). Their rights
/// are for running `liqoctl peer`, not for Liqo's control plane.
const PEERING_USER: &str = "liqo-peer-user-";

/// Lines about a kubeconfig whose sealed file has this path: its server and its user, and warnings.
pub(super) fn lines(kubeconfig: &Kubeconfig, sealed_file: &Path) -> Vec<String> {
    let holder = kubeconfig.holder();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = holder.name.as_deref().map_or("unknown".into(), shown_name);
    let groups: Vec<_> = holder.groups.iter().map(|group| shown_name(group)).collect();
    let mut lines = vec![
        format!("server: {}", shown_name(kubeconfig.server())),
        format!("user: {name} ({})", holder.by),
        format!(
            "groups: {}",
            if groups.is_empty() { "none that it names".into() } else { groups.join(", ") }
        ),
        format!("expires: {}", holder.expires.map_or_else(|| "it does not say".into(), date)),
    ];
    if kubeconfig.is_insecure() {
        lines.push("warning: `insecure-skip-tls-verify: true` sends the credential to any server that answers at this address".into());
    }
    match holder.expires {
        Some(end) if end <= now => lines.push(format!("warning: it expired on {}", date(end))),
        Some(end) if end < now + SOON => {
            lines.push(format!("warning: it expires on {}, in less than 30 days", date(end)));
        }
        _ => {}
    }
    if holder.name.as_ref().is_some_and(|name| name.starts_with(PEERING_USER)) {
        lines.push("warning: `liqoctl generate peering-user` made this user, with the rights to run `liqoctl peer`; Liqo's control plane needs others, which only the stream's RoleBinding gives to `subject`".into());
    }
    lines.extend(stranger(&holder, sealed_file));
    lines
}

/// A user that the `subject` of the document beside the sealed file does not name, so that the provider gives it no rights.
fn stranger(holder: &Holder, sealed_file: &Path) -> Option<String> {
    let folder = sealed_file.parent().unwrap_or_else(|| Path::new(""));
    let peering = rules::read(&Folder::new(folder).read_document().ok()?).ok()?;
    let (role, subject) = Role::BOTH.into_iter().find_map(|role| {
        let authentication = peering.directions.of(role).authentication.as_ref()?;
        let file = authentication.credential.sealed()?.file();
        (Some(file.as_str()) == sealed_file.file_name()?.to_str()).then_some((role, &authentication.subject))
    })?;
    let name = holder.name.as_deref()?;
    let is_named = match subject.kind {
        SubjectKind::User => name == subject.name.as_str(),
        SubjectKind::ServiceAccount => name == service_account(&peering, role, subject.name.as_str()),
        // other groups of a user can be in the API server's own lists
        SubjectKind::Group if holder.groups.is_empty() => true,
        SubjectKind::Group => holder.groups.iter().any(|group| group == subject.name.as_str()),
    };
    let kind = subject.kind;
    (!is_named).then(|| {
        format!(
            "warning: the document's `subject` is the {kind} {}, and this user is {}: the provider gives it no rights",
            quoted(subject.name.as_str()),
            shown_name(name)
        )
    })
}

/// A service account as a user (kubernetes `staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go`).
fn service_account(peering: &Peering, role: Role, name: &str) -> String {
    format!("system:serviceaccount:{}:{name}", *peering.clusters.of(role.peer()).tenant_namespace)
}

/// A day of the calendar, in UTC.
pub(super) fn date(since_1970: Duration) -> String {
    DateTime::from_unix_duration(since_1970).map_or_else(
        |_| "a date that is not in the calendar".into(),
        |date| format!("{}-{:02}-{:02}", date.year(), date.month(), date.day()),
    )
}
