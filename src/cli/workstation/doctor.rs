//! `doctor`: what to check, and how to report.

use crate::cli::Format;
use clap::Args;
use std::path::PathBuf;

pub(super) const DOCTOR_EXAMPLE: &str = "Example:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --argocd-context hub

One cluster is enough: leave out the other one's context. Only `kubectl get` is run, each command is shown on standard \
error, and of Secrets only what is public is read. docs/doctor.md lists what is checked.

Exit codes: 0 no errors, 1 errors were found, 2 usage, 3 the environment (kubectl, a cluster that does not answer).";

/// `doctor`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("clusters").required(true).multiple(true))]
pub struct Doctor {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The consumer's context in your kubeconfig
    #[arg(long, value_name = "CONTEXT", group = "clusters")]
    pub consumer_context: Option<String>,
    /// The provider's context
    #[arg(long, value_name = "CONTEXT", group = "clusters")]
    pub provider_context: Option<String>,
    /// The context of the cluster that runs Argo CD; without it the Applications are not checked
    #[arg(long, value_name = "CONTEXT")]
    pub argocd_context: Option<String>,
    /// The namespace of the Applications
    #[arg(long, value_name = "NAMESPACE", default_value = "argocd", requires = "argocd_context")]
    pub argocd_namespace: String,
    /// Text for people, or JSON for programs; both on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
