//! `doctor`: live clusters against the document, in the order in which a packet, and a pod after it, needs what is there. Each check
//! is a function from what was read to findings.

mod applications;
mod ask;
mod cluster;
mod deletion;
mod expiry;
mod findings;
mod objects;
mod pair;
mod policies;
mod reading;
mod record;
mod released;
mod secrets;
mod side;
mod status;
mod wait;

use crate::command::Streams;
use crate::command::error::Error;
use crate::command::forms::ReportFormat;
use crate::diagnostic::{Judged, Severity, quoted};
use crate::input::folder::Folder;
use crate::object::live::{Check, Finding, Stage, warning};
use crate::peering::{Peering, Role};
use crate::rules;
use crate::state::cluster::{Budget, Refused};
use clap::Args;
use findings::Findings;
use reading::Reading;
use side::Side;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const DOCTOR_EXAMPLE: &str = "Example:
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

/// Every check of one cluster that is the one the document names.
const CHECKS: [fn(&Side<'_>) -> Vec<Finding>; 8] = [
    cluster::check,
    objects::check,
    objects::several,
    secrets::check,
    status::check,
    policies::check,
    expiry::check,
    deletion::check,
];

pub(crate) fn doctor(arguments: &Doctor, streams: &mut Streams<'_>) -> Result<(), Error> {
    if arguments.list {
        return streams.print(&list());
    }
    let folder = Folder::new(&arguments.folder);
    let peering = rules::read(&folder.read_document()?)?;
    if let Some(record) = &arguments.from {
        let reading = record::read(record, &Budget::default())?;
        return report(&judged(&peering, &reading, &arguments.folder)?, &peering, arguments.format, streams);
    }
    let (reading, findings) = wait::until_sound(arguments, &peering, streams)?;
    if let Some(record) = &arguments.save {
        record::write(record, &reading)?;
    }
    report(&findings, &peering, arguments.format, streams)
}

/// What is wrong with what was read.
fn judged(peering: &Peering, reading: &Reading, folder: &Path) -> Result<Findings, Error> {
    let mut findings = Vec::new();
    let mut sides = Vec::new();
    for (role, live) in reading.clusters() {
        let of_side = |it: Finding| it.on(role.word());
        let side = Side::new(peering, role, live, reading)?;
        findings.extend(refusals(&side.live.refused).map(of_side));
        if let Some(wrong) = cluster::is_another(&side) {
            findings.push(of_side(wrong));
            continue;
        }
        findings.extend(CHECKS.iter().flat_map(|check| check(&side)).map(of_side));
        sides.push(side);
    }
    if let [consumer, provider] = sides.as_slice() {
        findings.extend(pair::check(consumer, provider));
        findings.extend(released::check(consumer, provider));
    }
    if let Some(live) = &reading.argocd {
        findings.extend(refusals(&live.refused));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        findings.extend(applications::check(peering, &folder, &live.objects, reading.at));
    }
    Ok(Findings::new(findings, looked_at(reading, &sides)))
}

/// What of a peering was looked at. A side whose context is not named was not asked for; of a cluster that is another one, nothing is
/// known of this peering.
fn looked_at(reading: &Reading, sides: &[Side<'_>]) -> Judged {
    let not_named =
        if reading.is_recorded { "the record does not have it" } else { "its context is not named" };
    let mut judged = Judged::default();
    for role in Role::BOTH {
        let what = format!("the {role}");
        if sides.iter().any(|side| side.role == role) {
            judged.add("cluster", 1);
        } else if reading.of(role).is_some() {
            judged.leave_out("cluster", what, "its context leads to another cluster");
        } else {
            judged.pass_over("cluster", what, not_named);
        }
    }
    match reading.argocd {
        Some(_) => judged.add("Argo CD", 1),
        None => judged.pass_over("Argo CD", "Argo CD", not_named),
    }
    judged
}

fn report(
    findings: &Findings,
    peering: &Peering,
    format: ReportFormat,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    streams.print(&match format.form() {
        None => findings.text(peering.name.as_str()),
        Some(form) => findings.report().print(form)?,
    })?;
    // they are on standard output
    if findings.count(Severity::Error) == 0 { Ok(()) } else { Err(Error::reported(1, 1)) }
}

/// What could not be checked. A kind that the cluster does not have is missing only if the stream needs it.
fn refusals(refused: &[Refused]) -> impl Iterator<Item = Finding> {
    refused.iter().filter(|it| it.problem.is_forbidden()).map(|it| {
        let message = format!("could not be checked: you may not read {}", quoted(&it.resource));
        let help = "ask for a ClusterRole with `get` and `list` on it; for Secrets a Role in the tenant namespace is enough";
        warning(Check::Unread, message, help)
    })
}

/// Every check with what its page is about, by stage.
fn list() -> String {
    let width = Check::ALL.iter().map(|check| check.name().len()).max().unwrap_or_default();
    let of_stage = |stage: &Stage| {
        let checks = Check::ALL.iter().filter(|check| check.stage() == *stage);
        let lines = checks.map(|check| format!("  {:width$}  {}\n", check.name(), check.page().title()));
        format!("{}\n{}", stage.title(), lines.collect::<String>())
    };
    Stage::ALL.iter().map(of_stage).collect()
}
