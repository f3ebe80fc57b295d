//! `rights`: prints the least rights that Argo CD needs on a cluster for its peerings, and the AppProjects that use them.

mod account;
mod project;

use crate::argocd::PATTERN;
use crate::command::workstation::documents::peerings;
use crate::command::workstation::flags::{PeeringPaths, parse_flag};
use crate::command::workstation::init::application::usual_project;
use crate::command::{Error, Result, Streams};
use crate::custody::Term;
use crate::diagnostic::{Bug, is_unmasked, list_first, shown_name};
use crate::object::{Engine, Manifest, Serde};
use crate::peering::cluster::Cluster;
use crate::peering::values::Namespace;
use crate::peering::{Material, Peering, Role, State, names};
use crate::state::repo::ValidDocument;
use crate::stream;
use crate::stream::kinds::is_namespace;
use account::account;
use clap::{ArgGroup, Args};
use project::project;
use serde_json::json;
use std::collections::BTreeSet;

/// Print the least rights that Argo CD needs, or the AppProjects
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering rights peerings --cluster rome > rome.yaml
  argocd-peering rights peerings \\
    --repo https://git.example.org/net/peerings.git > projects.yaml

The ServiceAccounts that Argo CD impersonates read and delete the Secrets of tenant namespaces: one without the prefix `liqo-tenant-` needs \
--tenant-namespace. docs/howto/limit-rights.md has the steps.")]
#[command(group(ArgGroup::new("what").required(true).args(["cluster", "repo"])))]
pub struct Rights {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// Print the rights on the cluster with this ID
    #[arg(long, value_name = "CLUSTER ID")]
    pub cluster: Option<String>,
    /// Print the AppProjects, for Applications of this repository only; written as in the Applications
    #[arg(long, value_name = "URL")]
    pub repo: Option<String>,
    /// The namespace of Argo CD: the AppProjects are for it, and no right reaches it
    #[arg(long, value_name = "NAMESPACE", default_value = "argocd")]
    pub argocd_namespace: String,
    /// In the AppProjects, permit Applications in this namespace too, such as an agent's of argocd-agent; repeatable
    #[arg(
        long = "application-namespace",
        value_name = "NAMESPACE",
        conflicts_with = "cluster"
    )]
    pub application_namespaces: Vec<String>,
    /// Also give rights in this tenant namespace, whose name does not begin with `liqo-tenant-`; repeatable
    #[arg(long = "tenant-namespace", value_name = "NAMESPACE")]
    pub tenant_namespaces: Vec<String>,
}

/// The namespace of the accounts, on each cluster, which the templates have too. Anyone who may create pods or tokens in it has the
/// accounts' rights, so nothing else belongs in it.
const NAMESPACE: &str = "argocd-peering";

pub(crate) fn rights(arguments: &Rights, streams: &mut Streams<'_>) -> Result {
    for name in &arguments.application_namespaces {
        parse_flag::<Namespace>("--application-namespace", name)?;
    }
    parse_flag::<Namespace>("--argocd-namespace", &arguments.argocd_namespace)?;
    let read = peerings(&arguments.peerings.paths)?;
    if let Some(repo) = &arguments.repo {
        check_repo(repo).map_err(|problem| Error::flag("--repo", problem))?;
    }
    let mut views = Vec::new();
    for role in Role::BOTH {
        let objects = objects_of_role(&read, role, arguments)?;
        // a provider without networking and authentication can have none
        if !objects.is_empty() {
            check_namespaces(&objects, arguments, streams)?;
            views.push(match arguments.cluster {
                Some(_) => account(&objects, usual_project(role)),
                None => project(&objects, role, usual_project(role)),
            });
        }
    }
    let mut engine = Engine::new()?;
    let text = match (&arguments.cluster, &arguments.repo) {
        (Some(id), _) if views.is_empty() => {
            return Err(Error::flag("--cluster", unknown_cluster(&read, id)));
        }
        (Some(id), _) => {
            let view = json!({ "cluster": id, "accounts": views });
            engine.render("account", include_str!("rights/account.j2"), Serde(&view))?
        }
        (None, Some(repo)) => {
            let view = json!({
                "projects": views,
                "repo": repo,
                "argocd": arguments.argocd_namespace,
                "sources": arguments.application_namespaces,
            });
            engine.render("project", include_str!("rights/project.j2"), Serde(&view))?
        }
        (None, None) => return Err(Bug::new("rights of nothing").into()),
    };
    streams.deliver(&text)
}

/// All objects that a side's stream can have. A drained peering has fewer, but Argo CD still deletes those of the active one. A key
/// exchange that has begun continues with the next commit.
fn all_objects(peering: &Peering, role: Role) -> Result<Vec<Manifest>, Bug> {
    let active = Peering {
        state: State::Active,
        ..peering.clone()
    };
    let plan = stream::plan(&active, role, &Material::public(&active, role), None)?;
    let mut manifests = plan.manifests;
    manifests.extend(peering.awaited(role));
    Ok(manifests)
}

/// The objects of one role, each with its cluster.
fn objects_of_role<'r>(
    read: &'r [ValidDocument],
    role: Role,
    arguments: &Rights,
) -> Result<Vec<(&'r Cluster, Manifest)>> {
    let mut objects = Vec::new();
    for ValidDocument { peering, .. } in read {
        let own = &peering.clusters[role];
        let id = arguments.cluster.as_deref().unwrap_or(own.id.as_str());
        if own.id.as_str() == id {
            check_tenant_namespace(&own.tenant_namespace, arguments)?;
            let all = all_objects(peering, role)?.into_iter();
            objects.extend(all.map(|manifest| (own, manifest)));
        }
    }
    Ok(objects)
}

/// Whether a namespace has the name that Liqo gives to tenant namespaces, so that nothing else is in it.
fn is_tenant_namespace(name: &str) -> bool {
    name.starts_with(&names::tenant_namespace(""))
}

/// Refuses another namespace as the tenant namespace. The rights include the Secrets of that namespace, and a document alone must not
/// choose which Secrets these are.
fn check_tenant_namespace(namespace: &Namespace, arguments: &Rights) -> Result {
    let name = namespace.as_str();
    if is_tenant_namespace(name) || arguments.tenant_namespaces.iter().any(|it| it == name) {
        return Ok(());
    }
    let reason = format!(
        "Argo CD could read and delete Secrets in {name}: if it is this peering's alone, set `--tenant-namespace {name}`"
    );
    Err(Error::flag("--tenant-namespace", reason))
}

/// Checks the namespaces that the documents choose. Those of Argo CD and of its accounts are refused: anyone who can read or write Argo
/// CD's Secrets controls its clusters. Others than tenant namespaces are shown, because the administrator who applies the rights is
/// responsible for them.
fn check_namespaces(
    objects: &[(&Cluster, Manifest)],
    arguments: &Rights,
    streams: &mut Streams<'_>,
) -> Result {
    let mut others = BTreeSet::new();
    for (_, manifest) in objects {
        let meta = manifest.meta();
        let name = match &meta.namespace {
            Some(namespace) => namespace,
            None if is_namespace(manifest.kind()) => &meta.name,
            None => continue,
        };
        if *name == arguments.argocd_namespace || name == NAMESPACE {
            let reason =
                format!("a stream has objects in {name}, which is Argo CD's: correct its document");
            return Err(Error::flag("PATHS", reason));
        }
        if !is_tenant_namespace(name) {
            others.insert(name.clone());
        }
    }
    if !others.is_empty() {
        let others = list_first(others.into_iter().collect(), SHOWN);
        let what = "also rights in namespaces without the prefix `liqo-tenant-`";
        streams.note(&format!("{what}: {others}"));
    }
    Ok(())
}

/// How many names a person reads at a glance.
const SHOWN: usize = 8;

fn unknown_cluster(read: &[ValidDocument], id: &str) -> String {
    let mut ids = BTreeSet::new();
    for it in read {
        ids.extend(it.peering.clusters.ids().map(ToString::to_string));
    }
    format!(
        "no peering has the clusterID {}; these have {}",
        shown_name(id),
        list_first(ids.into_iter().collect(), SHOWN)
    )
}

/// Refuses a word that is not a URL, or that has a token in place of the user: the output is committed.
fn check_repo(repo: &str) -> std::result::Result<(), &'static str> {
    if repo.contains(PATTERN) || repo.contains(char::is_whitespace) {
        Err("name one repository, and no pattern")
    } else if !repo.is_empty() && !repo.contains(':') {
        Err("it is no Git URL, such as `https://git.example.org/net/peerings.git`")
    } else {
        // a term cannot be empty; Argo CD treats an empty one as missing
        Term::Repos.spelling(repo)?;
        if !repo.split(['/', ':', '@']).all(is_unmasked) {
            return Err("leave out the token; Argo CD has it in its Repository Secret");
        }
        Ok(())
    }
}
