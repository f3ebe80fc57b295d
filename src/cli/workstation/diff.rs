//! `diff`

use crate::object::live::Impact;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

pub(super) const DIFF_EXAMPLE: &str = "Example:
  argocd-peering diff peerings/rome-milan
  argocd-peering diff peerings --from main --to HEAD --format markdown
  argocd-peering diff old/rome-milan new/rome-milan
  argocd-peering diff peerings/rome-milan --consumer-context rome \\
    --provider-context milan

It shows each object of both streams that changes, and what that does to the clusters; below the folder also the Applications and \
ApplicationSets of this plugin, and the AppProjects. No identity is needed: of a key or a \
credential it says whether it changes, or that it may, because its sealed file did; with an identity it knows. Live clusters are read with \
`kubectl get`, of Secrets only what is public; objects that only the cluster has are not looked for: see `argocd app diff`. \
docs/howto/review-a-pull-request.md has a workflow.

The classes of changes, the mildest first: harmless, needs-attention, widens-rights, loses-protection, \
interrupts-traffic, deletes-data.

Exit codes: 0 no difference, 1 a difference (with --fail-on, one of that class or worse), 2 usage or a document that is wrong, 3 the environment (git, kubectl, I/O).";

/// `diff`
#[derive(Debug, Args)]
pub struct Diff {
    /// A peering's folder, or a folder of such folders
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// A second folder, as FOLDER is to become; without one, two states of FOLDER are compared
    #[arg(conflicts_with_all = ["from", "to", "consumer_context", "provider_context"])]
    pub new: Option<PathBuf>,
    /// The Git revision before the change; default: HEAD
    #[arg(long, value_name = "REVISION")]
    pub from: Option<String>,
    /// The Git revision after it; default: the files as they are now
    #[arg(long, value_name = "REVISION")]
    pub to: Option<String>,
    /// Instead of a revision: the live consumer, as this context of your kubeconfig reaches it
    #[arg(long, value_name = "CONTEXT", conflicts_with_all = ["from", "to"])]
    pub consumer_context: Option<String>,
    /// Instead of a revision: the live provider
    #[arg(long, value_name = "CONTEXT", conflicts_with_all = ["from", "to"])]
    pub provider_context: Option<String>,
    /// An age identity file, to tell whether a file that was sealed again holds another secret
    #[arg(long, value_name = "FILE", conflicts_with_all = ["consumer_context", "provider_context"])]
    pub identity_file: Option<PathBuf>,
    /// Text, Markdown for a comment on a pull request, or a report for programs
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Exit with 1 only for changes of this class or a worse one
    #[arg(long, value_name = "CLASS", value_parser = class())]
    pub fail_on: Option<Impact>,
}

fn class() -> impl TypedValueParser<Value = Impact> {
    let find = |name: String| Impact::ALL.iter().copied().find(|it| it.name() == name);
    PossibleValuesParser::new(Impact::NAMES).try_map(move |name| find(name).ok_or("not a class"))
}

/// What `diff` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DiffFormat {
    /// For a terminal
    Text,
    /// A table for each peering
    Markdown,
    /// docs/diff.schema.json
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// A report for GitLab's Code Quality
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}
