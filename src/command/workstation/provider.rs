//! The provider, as the person who issues a credential uses it: their kubectl, what it created, how long to wait, and whether the
//! credential can do what Liqo's control plane does there, and no more.

use crate::command::error::workstation::{Unissued, WorkstationError};
use crate::command::{Error, Result, Streams};
use crate::diagnostic::shown_name;
use crate::state::ProgramProblem;
use crate::state::cluster::KubeContext;
use crate::state::cluster::liqo::CLUSTER_ID_MAP;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// How often kubectl asks for what the provider's controllers create, which takes them less than a second.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_secs(1);

/// The longest wait in seconds.
pub(super) const SECONDS: u64 = TRIES as u64 * PAUSE.as_secs();

/// The resources that the ClusterRole `liqo-remote-controlplane` allows in the tenant namespace (liqo
/// `deployments/liqo/files/liqo-remote-controlplane-ClusterRole.yaml`).
const NEEDED: [&str; 3] = [
    "resourceslices.authentication.liqo.io",
    "renews.authentication.liqo.io",
    "namespacemaps.offloading.liqo.io",
];

/// Rights that no peering needs, and with which a user can take over the cluster: a verb, a resource, and the namespace.
const TELLING: [[&str; 3]; 5] = [
    ["get", "secrets", "--all-namespaces"],
    ["get", "secrets", "--namespace=kube-system"],
    ["create", "pods", "--namespace=kube-system"],
    [
        "create",
        "clusterrolebindings.rbac.authorization.k8s.io",
        "--all-namespaces",
    ],
    ["impersonate", "users", "--all-namespaces"],
];

/// A provider's API server, and what this run has created there.
pub(super) struct Provider<'c> {
    context: KubeContext<'c>,
    made: Vec<CreatedObject>,
}

/// An object that this run has created.
struct CreatedObject {
    /// For people.
    what: String,
    /// The arguments of kubectl that delete it.
    delete: Vec<String>,
}

impl<'c> Provider<'c> {
    pub(super) fn new(context: &'c str, place: &Path) -> Result<Self> {
        Ok(Self {
            context: KubeContext::new(context, place)?,
            made: Vec::new(),
        })
    }

    /// The error for an answer of the cluster that is not the thing that was requested.
    pub(super) fn unexpected(&self, what: &'static str) -> Error {
        let problem = ProgramProblem::Unexpected(what);
        self.context.failed(problem).into()
    }

    pub(super) const fn context(&self) -> &KubeContext<'c> {
        &self.context
    }

    /// Checks that this is the intended cluster, as far as its Liqo shows it.
    pub(super) fn check_cluster(&self, expected: &str, streams: &mut Streams<'_>) -> Result {
        let ids = self.id_maps("-o=jsonpath={.items[*].data.CLUSTER_ID}", streams);
        // if ConfigMaps may not be read, or the cluster has no Liqo yet, the cluster is accepted
        let ids = match ids {
            Err(problem) if problem.is_forbidden() => String::new(),
            answer => self.require(answer)?,
        };
        if ids.trim().is_empty() || ids.split_whitespace().any(|id| id == expected) {
            return Ok(());
        }
        Err(Error::flag("--from-context", other_cluster(&ids, expected)))
    }

    /// What this form prints of all ConfigMaps with the name of the one with the cluster's ID.
    fn id_maps(&self, form: &str, streams: &mut Streams<'_>) -> Result<String, ProgramProblem> {
        let named = format!("--field-selector=metadata.name={CLUSTER_ID_MAP}");
        let arguments = ["get", "configmaps", "--all-namespaces", &named, form];
        streams.note(&format!("+ {}", self.context.line(&arguments)));
        self.context.answer(&arguments, None)
    }

    /// The namespace of the cluster's Liqo. Anyone with a namespace can make a second ConfigMap with the cluster's ID, so there must be
    /// one only.
    pub(super) fn liqo_namespace(
        &self,
        expected: &str,
        streams: &mut Streams<'_>,
    ) -> Result<String> {
        let form =
            "-o=jsonpath={range .items[*]}{.metadata.namespace} {.data.CLUSTER_ID}{\"\\n\"}{end}";
        let found = self.require(self.id_maps(form, streams))?;
        let found: Vec<&str> = found.lines().map(str::trim).collect();
        let reason = match found.as_slice() {
            [one] => {
                let (namespace, id) = one.split_once(' ').unwrap_or_default();
                if id == expected {
                    return Ok(namespace.to_owned());
                }
                other_cluster(id, expected)
            }
            [] => format!("the cluster has no ConfigMap `{CLUSTER_ID_MAP}`, so no Liqo"),
            several => format!(
                "several namespaces have a ConfigMap `{CLUSTER_ID_MAP}`: {}",
                shown_name(&several.join(", "))
            ),
        };
        Err(Error::flag("--from-context", reason))
    }

    /// The output of kubectl for these arguments.
    pub(super) fn run_get(&self, arguments: &[&str], streams: &mut Streams<'_>) -> Result<String> {
        self.run(arguments, None, streams)
    }

    fn run(
        &self,
        arguments: &[&str],
        object: Option<&[u8]>,
        streams: &mut Streams<'_>,
    ) -> Result<String> {
        streams.note(&format!("+ {}", self.context.line(arguments)));
        self.require(self.context.answer(arguments, object))
    }

    /// The answer of kubectl, or the error that names the context.
    fn require<T>(&self, answer: Result<T, ProgramProblem>) -> Result<T> {
        answer.map_err(|problem| self.context.failed(problem).into())
    }

    /// Creates an object, and returns its name.
    pub(super) fn create(&self, object: &Value, streams: &mut Streams<'_>) -> Result<String> {
        let text = object.to_string();
        let arguments = ["create", "-f", "-", "-o", "jsonpath={.metadata.name}"];
        let name = self.run(&arguments, Some(text.as_bytes()), streams)?;
        Ok(name.trim().to_owned())
    }

    /// Records that an object was created.
    pub(super) fn record_object(
        &mut self,
        what: String,
        resource: &str,
        name: &str,
        namespace: Option<&str>,
    ) {
        let mut delete = vec!["delete".to_owned(), resource.to_owned(), name.to_owned()];
        delete.extend(namespace.map(|namespace| format!("--namespace={namespace}")));
        self.made.push(CreatedObject { what, delete });
    }

    /// Deletes what this run created: nothing uses it, and a token would not expire. What cannot be deleted is named.
    pub(super) fn delete_what_was_made(&self, streams: &mut Streams<'_>) {
        for CreatedObject { what, delete } in &self.made {
            let delete: Vec<&str> = delete.iter().map(String::as_str).collect();
            let command = self.context.line(&delete);
            let line = match self.run_get(&delete, streams) {
                Ok(_) => format!("deleted at the provider: {what}"),
                Err(_) => format!("left at the provider: {what}; to delete it: {command}"),
            };
            streams.note(&line);
        }
    }

    /// Names what this run created.
    pub(super) fn name_what_was_made(&self, streams: &mut Streams<'_>) {
        for CreatedObject { what, .. } in &self.made {
            streams.note(&format!("made at the provider: {what}"));
        }
    }

    /// Asks repeatedly until there is an answer or the time is over. The command is shown once.
    pub(super) fn wait_for<T>(
        &self,
        arguments: &[&str],
        read: impl Fn(&str) -> Result<Option<T>, Unissued>,
        streams: &mut Streams<'_>,
    ) -> Result<Option<T>> {
        streams.note(&format!("+ {}", self.context.line(arguments)));
        for _ in 0..TRIES {
            let answer = self.require(self.context.answer(arguments, None))?;
            if let Some(found) = read(&answer).map_err(|problem| self.refused(problem))? {
                return Ok(Some(found));
            }
            std::thread::sleep(PAUSE);
        }
        Ok(None)
    }

    /// Tests a kubeconfig in the tenant namespace, if it is known, and in the namespace of its account.
    pub(super) fn try_out(
        &self,
        kubeconfig: &str,
        user: &str,
        [namespace, of_account]: [Option<&str>; 2],
        streams: &mut Streams<'_>,
    ) -> Result {
        let of_account = of_account.filter(|it| namespace != Some(it));
        let scopes = [namespace, of_account].map(|it| it.map(|it| format!("--namespace={it}")));
        let own = scopes.iter().flatten();
        let own_secrets = own.map(|scope| ["get", "secrets", scope]);
        let mut more = Vec::new();
        for words in TELLING.into_iter().chain(own_secrets) {
            if self.allows(kubeconfig, words, streams)? {
                more.push(format!("`{}`", shown_name(&words.join(" "))));
            }
        }
        if !more.is_empty() {
            let (user, may) = (user.to_owned(), more.join(", "));
            return Err(self.refused(Unissued::TooPowerful { user, may }));
        }
        let [Some(scope), _] = &scopes else {
            return Ok(());
        };
        let mut missing = Vec::new();
        for resource in NEEDED {
            if !self.allows(kubeconfig, ["create", resource, scope], streams)? {
                missing.push(resource);
            }
        }
        let namespace = namespace.map(shown_name).unwrap_or_default();
        streams.note(&match missing.as_slice() {
            [] => format!("tried: the credential may write Liqo's objects in {namespace}, and no more was found"),
            all if all.len() == NEEDED.len() => format!("note: the credential works, without rights in {namespace} yet: the provider's sync gives them"),
            some => format!("warning: the credential may not create {} in {namespace}: check the ClusterRole `liqo-remote-controlplane` and its RoleBinding", some.join(", ")),
        });
        Ok(())
    }

    /// Whether the API server allows this to the user of a kubeconfig: kubectl's `yes` or `no`. kubectl fails for a `no`, and for an error.
    fn allows(
        &self,
        kubeconfig: &str,
        words: [&str; 3],
        streams: &mut Streams<'_>,
    ) -> Result<bool> {
        let context = &self.context;
        let arguments = [&["auth", "can-i"], &words[..]].concat();
        streams.note(&format!("+ {}", KubeContext::line_with(&arguments)));
        let end = self.require(context.end_with(kubeconfig, &arguments))?;
        let answer = String::from_utf8_lossy(&end.output);
        let problem = match answer.split_whitespace().next() {
            Some("yes") if end.status.success() => return Ok(true),
            Some("no") => return Ok(false),
            _ if end.errors.trim().is_empty() => ProgramProblem::Unexpected("yes or no"),
            _ => ProgramProblem::Failed(end.errors),
        };
        Err(context.failed(problem).into())
    }

    /// The error for a credential that was not issued.
    pub(super) fn refused(&self, problem: Unissued) -> Error {
        WorkstationError::Unissued {
            context: self.context.name().to_owned(),
            problem,
        }
        .into()
    }
}

fn other_cluster(found: &str, expected: &str) -> String {
    let [found, expected] = [found.trim(), expected].map(shown_name);
    format!("this is the cluster `{found}`, not `{expected}`")
}
