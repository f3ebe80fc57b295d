//! `rights`.

use super::flags::PeeringPaths;
use clap::{ArgGroup, Args};

pub(super) const RIGHTS_EXAMPLE: &str = "Examples:
  argocd-peering rights peerings --cluster rome > rome.yaml
  argocd-peering rights peerings \\
    --repo https://git.example.org/net/peerings.git > projects.yaml
  argocd-peering rights old/peerings peerings --cluster rome

With --cluster it prints a ServiceAccount for each role that the cluster has, to be impersonated by Argo CD, and the Roles that a sync, a \
rotation, a prune and a deletion need, with the Namespaces that they are in. With --repo it prints both AppProjects, which name the \
accounts. The rights include reading and deleting Secrets of the tenant namespaces, which a document names: one that does not begin \
with `liqo-tenant-` is named with --tenant-namespace as well, and that of Argo CD is refused. Add rights before the commit that needs them; remove rights after its sync. Two states of a folder give the rights of both. No identity is needed. docs/howto/limit-rights.md has the steps.

Exit codes: 0 done, 1 a document is wrong, 2 usage, 3 the environment (I/O).";

/// `rights`
#[derive(Debug, Args)]
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
    /// Also give rights in this tenant namespace, whose name does not begin with `liqo-tenant-`; repeatable
    #[arg(long = "tenant-namespace", value_name = "NAMESPACE")]
    pub tenant_namespaces: Vec<String>,
}
