//! `init`: a folder for a new peering.

use super::flags::{RecipientFlags, UseFlags};
use clap::Args;
use std::path::PathBuf;

pub(super) const INIT_EXAMPLE: &str = "Examples:
  argocd-peering init peerings/rome-milan --recipients-file .age-recipients \\
    --consumer-context rome --provider-context milan
  argocd-peering init peerings/turin-milan --like peerings/rome-milan \\
    --consumer-id turin --consumer-pod-cidr 10.42.0.0/16 \\
    --recipients-file .age-recipients

At a terminal it asks for what is missing; elsewhere it names the flags. Then it shows the terms and the recipients of the \
new seed, and you confirm what no flag sets and what a file in a Git checkout names. Of a new folder it writes \
all files or none: peering.yaml, the sealed seed, both Applications. In the folder of all peerings it adds what is missing: the JSON \
Schema for your editor, and a .gitignore for identities and keys in clear. It reports which values were guessed. With a context it runs `kubectl get` and shows each command.";

/// `init`
#[derive(Debug, Args)]
pub struct Init {
    /// The folder to create
    pub folder: PathBuf,
    /// The peering's name; default: the folder's, and for `peerings/rome/milan` both: `rome-milan`
    #[arg(long)]
    pub name: Option<String>,
    /// Take the provider, the networking and Liqo's version from the peering in this folder
    #[arg(long, value_name = "FOLDER")]
    pub like: Option<PathBuf>,
    /// The consumer's context in your kubeconfig, to read its cluster ID, networks and Liqo's version
    #[arg(long, value_name = "CONTEXT")]
    pub consumer_context: Option<String>,
    /// The provider's context, to read the same and its nodes' addresses
    #[arg(long, value_name = "CONTEXT")]
    pub provider_context: Option<String>,
    /// The consumer's cluster ID
    #[arg(long, value_name = "ID")]
    pub consumer_id: Option<String>,
    /// The provider's cluster ID
    #[arg(long, value_name = "ID")]
    pub provider_id: Option<String>,
    /// A pod CIDR of the consumer; repeatable
    #[arg(long = "consumer-pod-cidr", value_name = "CIDR")]
    pub consumer_pod_cidrs: Vec<String>,
    /// A pod CIDR of the provider; repeatable
    #[arg(long = "provider-pod-cidr", value_name = "CIDR")]
    pub provider_pod_cidrs: Vec<String>,
    /// The consumer's external CIDR; default: Liqo's, 10.70.0.0/16
    #[arg(long, value_name = "CIDR")]
    pub consumer_external_cidr: Option<String>,
    /// The provider's external CIDR
    #[arg(long, value_name = "CIDR")]
    pub provider_external_cidr: Option<String>,
    /// The lowest Liqo on either cluster, such as 1.2
    #[arg(long, value_name = "VERSION")]
    pub liqo_version: Option<String>,
    /// How the provider's gateway is exposed; default: `NodePort`
    #[arg(long, value_name = "TYPE", value_parser = ["NodePort", "LoadBalancer"])]
    pub service_type: Option<String>,
    /// The address at which the consumer reaches the provider's gateway
    #[arg(long, value_name = "ADDRESS")]
    pub gateway_address: Option<String>,
    /// The node port of the provider's gateway; default: the first free one from 32750
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(30_000..=32_767))]
    pub node_port: Option<u16>,
    /// The user that the consumer's credential authenticates as; default: the consumer's cluster ID
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// A namespace whose pods the consumer offloads; repeatable
    #[arg(long = "namespace", value_name = "NAME")]
    pub namespaces: Vec<String>,
    /// The CPUs that the consumer asks for; default: 4
    #[arg(long, value_name = "QUANTITY")]
    pub cpu: Option<String>,
    /// The memory that the consumer asks for; default: 8Gi
    #[arg(long, value_name = "QUANTITY")]
    pub memory: Option<String>,
    /// An ApplicationSet makes the Applications, so write none
    #[arg(long)]
    pub no_applications: bool,
    /// Write into a folder that has files
    #[arg(long)]
    pub force: bool,
    /// Keep the sealed seed that the folder has, unopened; look into it first: who made it has its keys
    #[arg(long, requires = "force", conflicts_with = "expect")]
    pub keep_seed: bool,
    /// For which uses inside Argo CD; default projects: `peering-consumer=consumer` and `peering-provider=provider`.
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open the sealed seed.
    #[command(flatten)]
    pub recipients: RecipientFlags,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}
