//! Issues a new credential: for whom it is, what has to be done at the provider, and how. The credential is tested before it is sealed.

use super::issued::{Account, certificate_plan, issue_certificate};
use crate::command::workstation::flags::parse_flag;
use crate::command::workstation::kubeconfig_report::{ExpectedUser, service_account};
use crate::command::workstation::provider::Provider;
use crate::command::workstation::seal::{IssueFlags, SealKubeconfig};
use crate::command::{Error, Result, Streams};
use crate::custody;
use crate::diagnostic::{quoted, shown_name};
use crate::peering::authentication::SubjectKind;
use crate::peering::authentication::credential::kubeconfig::{KubeconfigProblem, TargetCluster};
use crate::peering::names::{SERVICE_ACCOUNT, tenant_namespace};
use crate::peering::values::{Namespace, ObjectName, SubjectName};
use zeroize::Zeroizing;

/// The plan of a credential, before anything is done.
pub(super) struct Issue<'c> {
    provider: Provider<'c>,
    who: CredentialUser,
    /// The address of the API server as this user reaches it.
    own: TargetCluster,
    /// The address of the API server as the consumer reaches it.
    target: TargetCluster,
    seconds: u32,
    /// The tenant namespace at the provider, if there is a document.
    namespace: Option<String>,
}

/// The identity of the credential.
enum CredentialUser {
    User(String),
    ServiceAccount(Account),
}

impl<'c> Issue<'c> {
    /// Makes the plan, and only reads.
    pub(super) fn plan(
        arguments: &SealKubeconfig,
        context: &'c str,
        streams: &mut Streams<'_>,
    ) -> Result<Self> {
        let flags = &arguments.issue;
        let wanted = ExpectedUser::beside_file(&arguments.output);
        let user = user_of_flags(flags, wanted.as_ref())?;
        // (kubernetes.io/docs/reference/access-authn-authz/rbac, "Referring to subjects")
        if user.starts_with("system:") && account_of(&user).is_none() {
            let user = shown_name(&user);
            let reason = format!("`{user}` is reserved: Kubernetes keeps `system:`");
            return Err(Error::flag("--user", reason));
        }
        if flags.user.is_none() {
            refuse_foreign(&user, wanted.as_ref())?;
        }
        let wrong = |problem| custody::Error::Kubeconfig {
            name: format!("context {context}"),
            problem,
        };
        let refusal = wanted.as_ref().and_then(|it| it.refuses(&user, &[]));
        if let (Some(problem), false) = (refusal, arguments.allow_other_user) {
            return Err(wrong(problem).into());
        }
        let provider = Provider::new(context, &arguments.output)?;
        let form = "-o=jsonpath={.clusters[0].cluster}";
        let view = ["config", "view", "--raw", "--minify", "--flatten", form];
        let cluster = provider.run_get(&view, streams)?;
        let own = TargetCluster::parse(context, &cluster).map_err(wrong)?;
        let target = own.at_server(flags.server.as_deref());
        target.check_server().map_err(wrong)?;
        if target.is_insecure() && !arguments.insecure_skip_tls_verify {
            return Err(wrong(KubeconfigProblem::Insecure).into());
        }
        if let Some(wanted) = &wanted {
            provider.check_cluster(&wanted.cluster, streams)?;
        }
        let who = match account_of(&user) {
            Some((namespace, name)) => {
                CredentialUser::ServiceAccount(Account::find(&provider, namespace, name, streams)?)
            }
            None => CredentialUser::User(user),
        };
        let namespace = wanted.map(|wanted| wanted.namespace);
        Ok(Self {
            provider,
            who,
            own,
            target,
            seconds: flags.expires,
            namespace,
        })
    }

    /// The steps of the plan, for people.
    pub(super) fn lines(&self) -> Vec<String> {
        let plan = match &self.who {
            CredentialUser::User(user) => certificate_plan(user, self.seconds),
            CredentialUser::ServiceAccount(account) => account.plan(),
        };
        let [context, server] =
            [self.provider.context().name(), self.target.server()].map(shown_name);
        vec![
            format!("at the provider, through the context `{context}`:"),
            format!("  {plan}"),
            format!("  seal it for the server {server}"),
        ]
    }

    /// Carries out the plan, and gives the kubeconfig to `seal`. If a step fails, what was created at the provider is deleted.
    pub(super) fn carry_out(
        mut self,
        streams: &mut Streams<'_>,
        seal: impl FnOnce(Zeroizing<String>, &mut Streams<'_>) -> Result,
    ) -> Result {
        let sealed = self
            .issue_and_try(streams)
            .and_then(|kubeconfig| seal(kubeconfig, streams));
        match &sealed {
            Ok(()) => self.provider.name_what_was_made(streams),
            Err(_) => self.provider.delete_what_was_made(streams),
        }
        sealed
    }

    /// Issues a kubeconfig, and tests it.
    fn issue_and_try(&mut self, streams: &mut Streams<'_>) -> Result<Zeroizing<String>> {
        let (user, credential, of_account) = match &self.who {
            CredentialUser::User(user) => {
                let credential = issue_certificate(&mut self.provider, user, self.seconds, streams);
                (user.clone(), credential?, None)
            }
            CredentialUser::ServiceAccount(account) => {
                let user = service_account(&account.namespace, &account.name);
                let credential = account.issue(&mut self.provider, streams)?;
                (user, credential, Some(account.namespace.as_str()))
            }
        };
        let own = self.own.kubeconfig(&user, &credential)?;
        let namespaces = [self.namespace.as_deref(), of_account];
        self.provider.try_out(&own, &user, namespaces, streams)?;
        Ok(self.target.kubeconfig(&user, &credential)?)
    }
}

const NO_DOCUMENT: &str = "no valid peering.yaml beside the sealed file waits for this credential";

/// The user of the flags, or the document's subject, with the API server's name for it.
fn user_of_flags(flags: &IssueFlags, wanted: Option<&ExpectedUser>) -> Result<String> {
    match (&flags.user, &flags.service_account, wanted) {
        (Some(user), ..) => Ok(parse_flag::<SubjectName>("--user", user)?.to_string()),
        (None, Some(name), Some(wanted)) => {
            let name: ObjectName = parse_flag("--service-account", name)?;
            Ok(service_account(&wanted.namespace, name.as_str()))
        }
        (None, Some(_), None) => Err(Error::flag(
            "--service-account",
            format!("{NO_DOCUMENT}: set `--user system:serviceaccount:NAMESPACE:NAME`"),
        )),
        (None, None, Some(wanted)) => match wanted.kind {
            SubjectKind::User => Ok(wanted.subject.clone()),
            SubjectKind::ServiceAccount => Ok(service_account(&wanted.namespace, &wanted.subject)),
            SubjectKind::Group => Err(Error::flag(
                "--user",
                "the document's `subject` is a Group, which has no certificate: give your kubeconfig as FILE",
            )),
        },
        (None, None, None) => Err(Error::flag(
            "--user",
            format!("{NO_DOCUMENT}: name its user"),
        )),
    }
}

/// Refuses a ServiceAccount that is not in the document's tenant namespace. Otherwise anyone with push access would get a token without an
/// end, for example of `argocd-server`.
fn refuse_foreign(user: &str, wanted: Option<&ExpectedUser>) -> Result {
    let Some((namespace, name)) = account_of(user) else {
        return Ok(());
    };
    let is_own = wanted.is_some_and(|it| it.namespace == namespace);
    if is_own && namespace.starts_with(&tenant_namespace("")) {
        return Ok(());
    }
    let (prefix, user) = (tenant_namespace(""), shown_name(user));
    let [name, namespace] = [name, namespace].map(quoted);
    let reason = format!(
        "the subject is the ServiceAccount {name} of {namespace}, not of the document's tenant namespace `{prefix}…`; if meant: `--user {user}`"
    );
    Err(Error::flag("--user", reason))
}

/// The namespace and the name of a ServiceAccount, from its user name.
fn account_of(user: &str) -> Option<(&str, &str)> {
    let (namespace, name) = user.strip_prefix(SERVICE_ACCOUNT)?.split_once(':')?;
    (namespace.parse::<Namespace>().is_ok() && name.parse::<ObjectName>().is_ok())
        .then_some((namespace, name))
}
