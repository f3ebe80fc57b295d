//! What a kubeconfig is for, without its secrets, and what is likely wrong with it.

use crate::diagnostic::secrecy::Shown;
use crate::diagnostic::shown_name;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::authentication::credential::kubeconfig::{Holder, Kubeconfig, KubeconfigProblem};
use crate::peering::authentication::subject::SubjectKind;
use crate::peering::values::Role;
use crate::rules;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use x509_cert::der::DateTime;

/// What is near enough to be renewed now.
pub(super) const SOON: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The users that `liqoctl generate peering-user` makes (liqo `pkg/liqoctl/rest/peering-user/userfactory/cert.go`). Their rights
/// are for running `liqoctl peer`, not for Liqo's control plane.
const PEERING_USER: &str = "liqo-peer-user-";

/// What is public of a kubeconfig, and what is likely wrong with it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::command) struct Credential {
    /// Where it is sent.
    server: Shown,
    /// Who the API server takes its user for. Left out if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<Shown>,
    /// How the user authenticates.
    by: &'static str,
    /// The groups that it names.
    groups: Vec<Shown>,
    /// Its last day, in UTC: `2027-01-31`. Left out if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
    /// What is likely wrong.
    warnings: Vec<Shown>,
}

impl Credential {
    /// Of a kubeconfig whose sealed file has this path.
    pub(super) fn new(kubeconfig: &Kubeconfig, sealed_file: &Path) -> Self {
        let holder = kubeconfig.holder();
        Self {
            server: shown_name(kubeconfig.server()).into(),
            user: holder.name.as_deref().map(|name| shown_name(name).into()),
            by: holder.by,
            groups: holder.groups.iter().map(|group| shown_name(group).into()).collect(),
            expires: holder.expires.map(date),
            warnings: warnings(kubeconfig, &holder, sealed_file).into_iter().map(Shown::from).collect(),
        }
    }

    /// For people, one thing a line.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { server, user, by, groups, expires, warnings } = self;
        let groups: Vec<&str> = groups.iter().map(Shown::as_str).collect();
        let mut lines = vec![
            format!("server: {}", server.as_str()),
            format!("user: {} ({by})", user.as_ref().map_or("unknown", Shown::as_str)),
            format!(
                "groups: {}",
                if groups.is_empty() { "none that it names".into() } else { groups.join(", ") }
            ),
            format!("expires: {}", expires.as_deref().unwrap_or("it does not say")),
        ];
        lines.extend(warnings.iter().map(|warning| format!("warning: {}", warning.as_str())));
        lines
    }
}

fn warnings(kubeconfig: &Kubeconfig, holder: &Holder, sealed_file: &Path) -> Vec<String> {
    let mut warnings = Vec::new();
    if kubeconfig.is_insecure() {
        warnings.push("`insecure-skip-tls-verify: true` sends the credential to any server that answers at this address".into());
    }
    warnings.extend(ends_soon(holder));
    if holder.name.as_ref().is_some_and(|name| name.starts_with(PEERING_USER)) {
        warnings.push("`liqoctl generate peering-user` made this user, with the rights to run `liqoctl peer`; Liqo's control plane needs others, which only the stream's RoleBinding gives to `subject`".into());
    }
    warnings.extend(unusable(kubeconfig, sealed_file).iter().map(ToString::to_string));
    warnings
}

/// That the credential is to be renewed now.
pub(super) fn ends_soon(holder: &Holder) -> Option<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let end = holder.expires.filter(|end| (now..now + SOON).contains(end))?;
    Some(format!("it expires on {}, in less than 30 days", date(end)))
}

/// Why the credential would do nothing: its time is over, or the provider gives its user no rights.
pub(super) fn unusable(kubeconfig: &Kubeconfig, sealed_file: &Path) -> Vec<KubeconfigProblem> {
    let holder = kubeconfig.holder();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let expired = holder.expires.filter(|end| *end <= now).map(|end| KubeconfigProblem::Expired(date(end)));
    expired.into_iter().chain(stranger(&holder, sealed_file)).collect()
}

/// A user that the `subject` of the document beside the sealed file does not name, so that the provider gives it no rights.
fn stranger(holder: &Holder, sealed_file: &Path) -> Option<KubeconfigProblem> {
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
    (!is_named).then(|| KubeconfigProblem::OtherUser {
        user: name.to_owned(),
        kind: subject.kind.word(),
        subject: subject.name.to_string(),
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
