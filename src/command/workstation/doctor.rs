//! `doctor`: compares live clusters with the document, in the order in which a packet, and then a pod, needs the objects. Each check is a
//! function from what was read to findings.

mod applications;
mod cluster;
mod controller;
mod deletion;
mod expiry;
mod findings;
mod hub;
mod live_side;
mod objects;
mod pair;
mod policies;
mod record;
mod secrets;
mod snapshots;
mod status;

use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::flags::seconds;
use crate::command::{Result, Streams};
use crate::diagnostic::{Judged, counted, quoted};
use crate::input::folder::Folder;
use crate::object::live::{Check, Finding, warning};
use crate::peering::values::ObjectName;
use crate::peering::{Peering, Role};
use crate::report::ReportFormat;
use crate::rules;
use crate::state::cluster::{Refused, Snapshot};
use clap::Args;
use findings::Findings;
use hub::Hub;
use live_side::LiveSide;
use record::{read_record, write_record};
use snapshots::{Snapshots, read_clusters};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Compare the clusters with the document, read-only, by `kubectl`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --argocd-context argocd

doctor runs only `kubectl get` and, in a checkout, `git`; of Secrets it reads only public \
fields.

After a commit, add `--wait 5m`. For a colleague without access, add `--save reading`; they run:
  argocd-peering doctor peerings/rome-milan --from reading

Exit codes: 0 no errors, 1 errors, 2 usage, 3 the environment.")]
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
    #[arg(
        long,
        value_name = "NAMESPACE",
        default_value = "argocd",
        requires = "argocd_context"
    )]
    pub argocd_namespace: String,
    /// Ask again until nothing is wrong or an error needs a person, at most for this time: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with_all = ["from", "list"])]
    pub wait: Option<Duration>,
    /// Write what was read into a new folder, without Secrets' data
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "list"])]
    pub save: Option<PathBuf>,
    /// Judge what `--save` has written, and ask no cluster
    #[arg(long, value_name = "FOLDER", group = "clusters", conflicts_with_all = ["consumer_context", "provider_context"])]
    pub from: Option<PathBuf>,
    /// List the checks, and ask no cluster
    #[arg(long, group = "clusters", conflicts_with_all = ["from", "consumer_context", "provider_context", "argocd_context"])]
    pub list: bool,
    /// Show each command to a cluster on standard error
    #[arg(short, long, conflicts_with_all = ["from", "list"])]
    pub verbose: bool,
    /// Text for people, or a report for programs; both on standard output
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
}

/// The longest wait. A peering that takes longer needs a person.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

fn parse_time(text: &str) -> Result<Duration, &'static str> {
    match seconds(text, &['s', 'm', 'h']).map(Duration::from_secs) {
        Some(time) if !time.is_zero() && time <= LONGEST => Ok(time),
        _ => Err("a number with s, m or h, such as 90s; at most 24h"),
    }
}

/// All checks of a cluster that is the one in the document.
const CHECKS: [fn(&LiveSide<'_>) -> Vec<Finding>; 9] = [
    cluster::check_cluster,
    objects::check_objects,
    objects::check_several,
    secrets::check_secrets,
    status::check_status,
    status::check_events,
    policies::check_policies,
    expiry::check_expiry,
    deletion::check_deletion,
];

pub(crate) fn doctor(arguments: &Doctor, streams: &mut Streams<'_>) -> Result {
    if arguments.list {
        return streams.deliver(&list_checks());
    }
    let peering = rules::parse(&Folder::new(&arguments.folder).read_document()?)?;
    let findings = match &arguments.from {
        Some(record) => judge_clusters(&peering, &read_record(record)?, &arguments.folder)?,
        None => read_until_healthy(arguments, &peering, streams)?,
    };
    let text = match arguments.format.form() {
        None => streams.fitted(findings.text(peering.name.as_str(), streams.is_output_coloured())),
        Some(form) => findings.report().print(form)?,
    };
    streams.print(&text)?;
    // the findings are on standard output
    if findings.has_errors() {
        return Err(WorkstationError::Reported.into());
    }
    Ok(())
}

/// The pause between two readings. A reading of both clusters makes about fifteen requests.
const PAUSE: Duration = Duration::from_secs(5);

/// Without `--wait`, the result of one reading. With it, that of the last one: nothing is wrong, or there is an error that time does not
/// fix, or the time is over. The last reading is saved.
///
/// # Errors
/// When a cluster gives no answer, or a record cannot be written.
fn read_until_healthy(
    arguments: &Doctor,
    peering: &Peering,
    streams: &mut Streams<'_>,
) -> Result<Findings> {
    let start = Instant::now();
    let mut before = Vec::new();
    loop {
        // the later readings run the same commands, so they are not shown again
        let snapshots = read_clusters(arguments, peering, before.is_empty(), streams)?;
        let findings = judge_clusters(peering, &snapshots, &arguments.folder)?;
        let time = arguments.wait.unwrap_or_default();
        let left = time.saturating_sub(start.elapsed());
        if !findings.has_errors() || findings.needs_manual_fix() || left.is_zero() {
            if let Some(folder) = &arguments.save {
                write_record(folder, &snapshots)?;
            }
            return Ok(findings);
        }
        let failed = findings.failed_checks();
        if failed != before {
            let seconds = start.elapsed().as_secs();
            streams.note(&format!("{seconds:>4} s: not yet: {}", failed.join(", ")));
            before = failed;
        }
        std::thread::sleep(PAUSE.min(left));
    }
}

/// Judges what was read, and counts it. A cluster without a context was not requested; on a cluster that is another one, nothing is known
/// of this peering.
fn judge_clusters(peering: &Peering, snapshots: &Snapshots, folder: &Path) -> Result<Findings> {
    let argocd = snapshots.argocd.as_ref();
    let hub = argocd.map(|live| Hub::from_snapshot(peering, folder, live));
    let mut findings: Vec<_> = argocd.into_iter().flat_map(unread_resources).collect();
    let (mut judged, mut sides) = (Judged::default(), Vec::new());
    for role in Role::BOTH {
        let name = format!("the {role}");
        let Some(live) = snapshots.of_role(role) else {
            judged.pass_over("cluster", name, snapshots.why_absent());
            continue;
        };
        let names = hub.as_ref().map(|it| it.instance_names(role));
        let side = LiveSide::new(peering, (role, live), snapshots, names.unwrap_or_default())?;
        let mut found = unread_resources(live);
        if let Some(finding) = cluster::another_cluster(&side) {
            let reason = match finding.code {
                Check::NotLiqo => "Liqo was not found on it",
                _ => "its context leads to another cluster",
            };
            judged.leave_out("cluster", name, reason);
            found.push(finding);
        } else {
            judged.add("cluster", 1);
            for field in &side.masked {
                judged.pass_over("field", field, "the record masks it");
            }
            for check in CHECKS {
                found.extend(check(&side));
            }
            sides.push(side);
        }
        findings.extend(found.into_iter().map(|it| it.on_side(role.word())));
    }
    findings.extend(pair::check_pair(&sides));
    if let Some(hub) = &hub {
        judged.add("Argo CD", 1);
        hub.count(&mut judged);
        findings.extend(applications::check_applications(peering, snapshots, hub));
    } else {
        judged.pass_over("Argo CD", "Argo CD", snapshots.why_absent());
    }
    let success = success_line(&sides, hub.is_some());
    Ok(Findings::new(findings, judged, success))
}

/// What was compared, and that packets pass if each side's Connection says so; `None` if no cluster was compared.
fn success_line(sides: &[LiveSide<'_>], has_argo_cd: bool) -> Option<String> {
    let mut compared = Vec::new();
    for side in sides {
        let objects = counted(side.plan.len(), "object");
        compared.push(format!("{objects} of the {}", side.role));
    }
    if has_argo_cd {
        compared.push("Argo CD".to_owned());
    }
    let has_tunnel = sides.first()?.peering.networking.is_some();
    let mut line = format!("all is well: compared {}", compared.join(", "));
    if has_tunnel && sides.iter().all(status::is_connected) {
        line += "; packets pass through the tunnel";
    }
    Some(line)
}

/// The resources that may not be read. A kind that the cluster does not have is an error only if the stream needs it.
fn unread_resources(live: &Snapshot) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Refused { resource, problem } in &live.refused {
        if problem.is_forbidden() {
            let message = format!("you may not read {}", quoted(resource));
            let help = "ask for a ClusterRole with `get` and `list`; for Secrets, a Role in the tenant namespace";
            findings.push(warning(Check::Unread, message, help));
        }
    }
    findings
}

/// A name for a command that a person copies into a shell. The cluster chooses the name, so it is checked.
fn name_in_command(name: &str, otherwise: &str) -> String {
    match name.parse::<ObjectName>() {
        Ok(name) => name.to_string(),
        Err(_) => otherwise.to_owned(),
    }
}

/// The list of all checks with the titles of their pages, by stage.
fn list_checks() -> String {
    let width = Check::ALL.iter().map(|it| it.name().len()).max();
    let width = width.unwrap_or_default();
    let (mut text, mut stage) = (String::new(), None);
    for check in Check::ALL {
        if stage.replace(check.stage()) != Some(check.stage()) {
            text += &format!("{}\n", check.stage().title());
        }
        text += &format!("  {:width$}  {}\n", check.name(), check.page().title());
    }
    text
}
