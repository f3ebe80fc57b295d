//! `doctor`: what to check, and how to report.

use crate::cli::ReportFormat;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const DOCTOR_EXAMPLE: &str = "Example:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --argocd-context hub

One cluster is enough: leave out the other one's context. Only `kubectl get` is run, each command is shown on standard \
error, and of Secrets only what is public is read. The first line says what to mend first; `argocd-peering explain CHECK` \
has a page for each check.

After a commit, until it works:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --wait 5m

For a colleague without access to the clusters:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --save reading
  argocd-peering doctor peerings/rome-milan --from reading

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
    #[arg(long, value_name = "CONTEXT", conflicts_with = "from")]
    pub argocd_context: Option<String>,
    /// The namespace of the Applications
    #[arg(long, value_name = "NAMESPACE", default_value = "argocd", requires = "argocd_context")]
    pub argocd_namespace: String,
    /// Asks again until nothing is wrong or nothing can become right by itself, for this time at most: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with_all = ["from", "list"])]
    pub wait: Option<Duration>,
    /// Writes what was read into a new folder, without Secrets' data
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "list"])]
    pub save: Option<PathBuf>,
    /// Judges what `--save` has written, and asks no cluster
    #[arg(long, value_name = "FOLDER", group = "clusters", conflicts_with_all = ["consumer_context", "provider_context"])]
    pub from: Option<PathBuf>,
    /// Lists the checks, and asks no cluster
    #[arg(long, group = "clusters", conflicts_with_all = ["from", "consumer_context", "provider_context", "argocd_context"])]
    pub list: bool,
    /// Text for people, or a report for programs; both on standard output
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
}

/// The longest wait; a peering that takes longer waits for a person.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

fn time(text: &str) -> Result<Duration, String> {
    let unit = text.chars().last().unwrap_or_default();
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        _ => 0,
    };
    let number: Option<u64> = text.strip_suffix(unit).and_then(|number| number.parse().ok());
    let time = number.and_then(|number| number.checked_mul(seconds)).map(Duration::from_secs);
    time.filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or_else(|| "a number with s, m or h, such as 90s or 5m; at most 24h".into())
}
