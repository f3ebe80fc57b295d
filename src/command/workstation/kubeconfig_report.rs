//! What a kubeconfig is for, without its secrets, and its likely problems.

use crate::diagnostic::{Shown, shown_name};
use crate::input::file::folder_of;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::authentication::SubjectKind;
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::credential::kubeconfig::{
    CredentialEnd, Holder, Kubeconfig, KubeconfigProblem,
};
use crate::peering::names::SERVICE_ACCOUNT;
use crate::peering::values::{Day, Role};
use crate::rules;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// A credential that ends within this time should be renewed now.
pub(super) const SOON: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A credential that ends within this time is useless when it is sealed: those of clouds and of `kubectl create token` live an hour.
const MINUTES: Duration = Duration::from_secs(2 * 60 * 60);

/// The accepted difference between the clocks of two machines: an API server accepts a minute (go-jose `jwt/validation.go`, DefaultLeeway).
const SKEW: Duration = Duration::from_secs(5 * 60);

/// The prefix of the users that `liqoctl generate peering-user` creates (liqo `pkg/liqoctl/rest/peering-user/userfactory/cert.go`). Their
/// rights are for running `liqoctl peer`, not for Liqo's control plane.
const PEERING_USER: &str = "liqo-peer-user-";

/// What is public of a kubeconfig, and what is likely wrong with it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Credential")]
pub(in crate::command) struct CredentialReport {
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
    /// The last day of the certificate authority of its server. Left out without one.
    #[serde(rename = "authorityExpires", skip_serializing_if = "Option::is_none")]
    authority_expires: Option<String>,
    /// The same for people.
    #[serde(skip)]
    end: String,
    /// What is likely wrong.
    warnings: Vec<Shown>,
}

impl CredentialReport {
    /// The credential of a kubeconfig whose sealed file has this path.
    pub(super) fn new(kubeconfig: &Kubeconfig, sealed_file: &Path) -> Self {
        let holder = kubeconfig.holder();
        let shown = |name: &String| Shown::from(shown_name(name));
        let warnings = list_warnings(kubeconfig, &holder, sealed_file).into_iter();
        Self {
            server: shown_name(kubeconfig.server()).into(),
            user: holder.name.as_ref().map(shown),
            by: holder.by,
            groups: holder.groups.iter().map(shown).collect(),
            expires: holder.end.time().map(date),
            authority_expires: kubeconfig.authority().map(|[_, end]| date(end)),
            end: shown_end(&holder.end),
            warnings: warnings.map(Shown::from).collect(),
        }
    }

    /// Lines for people, one fact on each.
    pub(super) fn lines(&self) -> Vec<String> {
        let user = self.user.as_ref().map_or("unknown", Shown::as_str);
        let mut groups: Vec<&str> = self.groups.iter().map(Shown::as_str).collect();
        if groups.is_empty() {
            groups.push("none that it names");
        }
        let mut lines = vec![
            format!("server: {}", self.server.as_str()),
            format!("user: {user} ({})", self.by),
            format!("groups: {}", groups.join(", ")),
            format!("expires: {}", self.end),
        ];
        if let Some(day) = &self.authority_expires {
            lines.push(format!("certificate authority expires: {day}"));
        }
        for warning in &self.warnings {
            lines.push(format!("warning: {}", warning.as_str()));
        }
        lines
    }
}

fn list_warnings(kubeconfig: &Kubeconfig, holder: &Holder, sealed_file: &Path) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    if kubeconfig.is_insecure() {
        warnings.push(
            "`insecure-skip-tls-verify: true` sends the credential to any server at this address"
                .into(),
        );
    }
    if kubeconfig.dials_own_proxy() {
        warnings
            .push("its `proxy-url` is a loopback address: the proxy must run in Liqo's pod".into());
    }
    if kubeconfig.dials_own_cluster() {
        warnings.push("its `server` is a pod's own cluster: write the provider's address, unless the document has a `proxyURL`".into());
    }
    warnings.extend(ends_soon(kubeconfig));
    let user = holder.name.as_deref().unwrap_or_default();
    if user.starts_with(PEERING_USER) {
        warnings.push("`liqoctl generate peering-user` made this user for `liqoctl peer`; the stream gives Liqo's rights to `subject`".into());
    }
    for problem in unusable(kubeconfig, sealed_file) {
        warnings.push(problem.to_string());
    }
    warnings
}

/// The note that the kubeconfig should be renewed now.
pub(super) fn ends_soon(kubeconfig: &Kubeconfig) -> Option<String> {
    let now = now();
    let end = kubeconfig.holder().end.time();
    let authority = kubeconfig.authority().map(|[_, end]| end);
    let end = end.filter(|end| *end >= now + MINUTES);
    for (what, end) in [("it", end), ("its certificate authority", authority)] {
        if let Some(end) = end.filter(|end| (now..now + SOON).contains(end)) {
            let day = date(end);
            return Some(format!("{what} expires on {day}, within 30 days"));
        }
    }
    None
}

/// Why a credential that has not expired does not work for long.
fn short_life(end: &CredentialEnd) -> Option<KubeconfigProblem> {
    let words = match end {
        CredentialEnd::At(end) if *end < now() + MINUTES => {
            let left = end.saturating_sub(now());
            format!("ends in {} minutes", left.as_secs() / 60)
        }
        CredentialEnd::Usually(token) if token.life < MINUTES => {
            format!("has no use: {}", token.fact)
        }
        _ => return None,
    };
    Some(KubeconfigProblem::Minutes(words))
}

/// Why the credential does not work: it or the authority of its server is not valid now, its key belongs to another certificate, or the
/// provider gives its user no rights.
pub(super) fn unusable(kubeconfig: &Kubeconfig, sealed_file: &Path) -> Vec<KubeconfigProblem> {
    let holder = kubeconfig.holder();
    let now = now();
    let mut problems = Vec::new();
    if let Some(end) = holder.end.time().filter(|end| *end <= now) {
        problems.push(KubeconfigProblem::Expired(date(end)));
    } else {
        problems.extend(short_life(&holder.end));
    }
    if let Some(begin) = holder.begins.filter(|begin| *begin > now + SKEW) {
        problems.push(KubeconfigProblem::NotYet(date(begin)));
    }
    let authority = kubeconfig.authority().and_then(|it| out_of_time(it, SKEW));
    problems.extend(authority.map(KubeconfigProblem::Authority));
    if kubeconfig.is_pair() == Some(false) {
        problems.push(KubeconfigProblem::Pair);
    }
    problems.extend(other_user(&holder, sealed_file));
    problems
}

/// Why something is not valid now, after its name. Its validity may begin this much later than this machine's clock says.
pub(super) fn out_of_time([begin, end]: [Duration; 2], skew: Duration) -> Option<String> {
    let now = now();
    if end <= now {
        return Some(format!("expired on {}", date(end)));
    }
    (begin > now + skew).then(|| format!("is valid only from {} on", date(begin)))
}

/// The user that a credential must be for, according to the document beside the sealed file.
pub(super) struct ExpectedUser {
    /// The ID of the cluster that uses the credential.
    pub(super) cluster: String,
    /// The tenant namespace there.
    pub(super) namespace: String,
    pub(super) kind: SubjectKind,
    pub(super) subject: String,
}

impl ExpectedUser {
    /// The user of the authentication that names the sealed file, otherwise of the only one without a credential.
    pub(super) fn beside_file(sealed_file: &Path) -> Option<Self> {
        let folder = Folder::new(folder_of(sealed_file));
        let peering = rules::parse(&folder.read_document().ok()?).ok()?;
        let name = sealed_file.file_name()?.to_str()?;
        let names_file = |role| {
            let sealed = written(&peering, role).and_then(Credential::sealed_kubeconfig);
            matches!(sealed, Some(sealed) if sealed.file.as_str() == name)
        };
        let is_pending = |role| written(&peering, role).is_some_and(Credential::is_pending);
        let role = only_role(names_file).or(only_role(is_pending))?;
        let subject = &peering.authentication(role)?.subject;
        let provider = &peering.clusters[role.peer()];
        Some(Self {
            cluster: provider.id.to_string(),
            namespace: provider.tenant_namespace.to_string(),
            kind: subject.kind,
            subject: subject.name.to_string(),
        })
    }

    /// Why the document's RoleBinding gives no rights to a credential of this user.
    pub(super) fn refuses(&self, user: &str, groups: &[String]) -> Option<KubeconfigProblem> {
        let is_named = match self.kind {
            SubjectKind::User => user == self.subject,
            SubjectKind::ServiceAccount => user == service_account(&self.namespace, &self.subject),
            // the API server can know more groups of a user
            SubjectKind::Group => groups.is_empty() || groups.contains(&self.subject),
        };
        if is_named {
            return None;
        }
        Some(KubeconfigProblem::OtherUser {
            user: user.to_owned(),
            kind: self.kind.word(),
            subject: self.subject.clone(),
        })
    }
}

/// The credential that a document has for a side, also while the peering is drained.
fn written(peering: &Peering, role: Role) -> Option<&Credential> {
    Some(&peering.authentication(role)?.credential)
}

/// The role for which this holds, if it is one only.
pub(super) fn only_role(is_meant: impl Fn(Role) -> bool) -> Option<Role> {
    match Role::BOTH.map(is_meant) {
        [true, false] => Some(Role::Consumer),
        [false, true] => Some(Role::Provider),
        _ => None,
    }
}

/// The sealed file with a side's kubeconfig.
pub(super) fn sealed_file_of(peering: &Peering, role: Role) -> Option<&str> {
    Some(peering.sealed_kubeconfig(role)?.file.as_str())
}

/// The problem if the `subject` of the document beside the sealed file does not name the user: the provider then gives it no rights.
fn other_user(holder: &Holder, sealed_file: &Path) -> Option<KubeconfigProblem> {
    ExpectedUser::beside_file(sealed_file)?.refuses(holder.name.as_deref()?, &holder.groups)
}

/// The user name of a service account.
pub(super) fn service_account(namespace: &str, name: &str) -> String {
    format!("{SERVICE_ACCOUNT}{namespace}:{name}")
}

/// When a credential ends, for people.
pub(super) fn shown_end(end: &CredentialEnd) -> String {
    match end {
        CredentialEnd::At(end) => date(*end),
        CredentialEnd::Never => "never: its token has no end".to_owned(),
        CredentialEnd::Usually(token) => format!("it does not say; {}", token.fact),
        CredentialEnd::Unsaid => "it does not say".to_owned(),
    }
}

/// The current time, since 1970.
pub(super) fn now() -> Duration {
    UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// The current day, in UTC. A command that Argo CD runs does not use the clock: the same commit always gives the same stream.
pub(super) fn today() -> Option<Day> {
    Day::of_time(now())
}

/// The date of a time, in UTC.
pub(super) fn date(since_1970: Duration) -> String {
    match Day::of_time(since_1970) {
        Some(day) => day.to_string(),
        None => "a date beyond the calendar".into(),
    }
}
