//! `doctor`: compares live clusters with the document, in the order in which a packet, and then a pod, needs the objects. Each check is a
//! function from what was read to findings.

mod applications;
mod cluster;
mod controller;
mod deletion;
mod expiry;
mod findings;
mod hub;
mod objects;
mod pair;
mod policies;
mod reading;
mod record;
mod secrets;
mod side;
mod status;

use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::flags::seconds;
use crate::command::{Result, Streams};
use crate::diagnostic::{Judged, Severity, counted, quoted};
use crate::input::folder::Folder;
use crate::object::live::{Check, Finding, Stage, warning};
use crate::peering::values::ObjectName;
use crate::peering::{Peering, Role};
use crate::report::ReportFormat;
use crate::rules;
use crate::state::cluster::{Budget, Refused};
use clap::Args;
use findings::Findings;
use hub::Hub;
use reading::Reading;
use side::Side;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare the clusters with the document, read-only, by `kubectl`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --argocd-context argocd

One cluster is enough: leave out the other one's context. Only `kubectl get` is run, and `git`, which reads, where the \
folder is in a checkout. `--verbose` shows each command to a cluster. Of Secrets only what is public is read. The first line says what to mend first; `argocd-peering explain CHECK` \
has a page for each check.

After a commit, until it is synced and works:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --provider-context milan --argocd-context argocd --wait 5m

For a colleague without access to the clusters:
  argocd-peering doctor peerings/rome-milan --consumer-context rome \\
    --save reading
  argocd-peering doctor peerings/rome-milan --from reading

Exit codes: 0 no errors, 1 errors were found, 2 usage, 3 the environment (kubectl, a cluster that does not answer).")]
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
    /// Ask again until nothing is wrong or nothing can become right by itself, for this time at most: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with_all = ["from", "list"])]
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

fn time(text: &str) -> Result<Duration, &'static str> {
    let time = seconds(text, &['s', 'm', 'h']).map(Duration::from_secs);
    time.filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or("a number with s, m or h, such as 90s or 5m; at most 24h")
}

/// What judges the clusters, in the order of the findings.
const JUDGES: [fn(&ClusterWorld<'_>) -> Vec<Finding>; 5] = [
    unread_resources,
    other_clusters,
    check_sides,
    |world| pair::check_pair(&world.sides),
    applications::check_applications,
];

/// All checks of a cluster that is the one in the document.
const CHECKS: [fn(&Side<'_>) -> Vec<Finding>; 9] = [
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
        return streams.deliver(&list());
    }
    let folder = Folder::new(&arguments.folder);
    let peering = rules::parse(&folder.read_document()?)?;
    let findings = match &arguments.from {
        Some(record) => {
            let reading = record::read_record(record, &Budget::default())?;
            ClusterWorld::from_folder(&peering, &reading, &arguments.folder)?.judge()
        }
        None => reading::read_until_healthy(arguments, &peering, streams)?,
    };
    report(&findings, &peering, arguments.format, streams)
}

/// Everything that the checks look at.
struct ClusterWorld<'d> {
    peering: &'d Peering,
    reading: &'d Reading,
    hub: Option<Hub<'d>>,
    /// The clusters that are the ones in the document.
    sides: Vec<Side<'d>>,
    /// The clusters that are others: nothing else of them is checked.
    other_clusters: Vec<Side<'d>>,
}

impl<'d> ClusterWorld<'d> {
    fn from_folder(peering: &'d Peering, reading: &'d Reading, folder: &Path) -> Result<Self> {
        // the path without links
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let hub = reading
            .argocd
            .as_ref()
            .map(|live| Hub::from_snapshot(peering, &folder, live));
        let names = |role| hub.as_ref().map(|it| it.names(role)).unwrap_or_default();
        let sides = reading
            .clusters()
            .map(|(role, live)| Side::new(peering, role, live, reading, names(role)));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let (other_clusters, sides) = sides
            .into_iter()
            .partition(|side| cluster::is_another(side).is_some());
        Ok(Self {
            peering,
            reading,
            hub,
            sides,
            other_clusters,
        })
    }

    fn judge(&self) -> Findings {
        let findings = JUDGES.iter().flat_map(|judge| judge(self)).collect();
        let mut judged = Judged::default();
        self.count_clusters(&mut judged);
        self.count_argo_cd(&mut judged);
        Findings::new(findings, judged, self.well())
    }

    /// What was compared, and that packets pass if each side's Connection says so.
    fn well(&self) -> Option<String> {
        if self.sides.is_empty() {
            return None;
        }
        let mut compared = Vec::new();
        for side in &self.sides {
            let objects = counted(side.plan.len(), "object");
            compared.push(format!("{objects} of the {}", side.role));
        }
        compared.extend(self.hub.as_ref().map(|_| "Argo CD".to_owned()));
        let has_tunnel = self.peering.networking.is_some();
        let packets = if has_tunnel && self.sides.iter().all(status::is_connected) {
            "; packets pass through the tunnel"
        } else {
            ""
        };
        Some(format!(
            "all is well: compared {}{packets}",
            compared.join(", ")
        ))
    }

    fn save(&self, record: &Path) -> Result {
        record::write(record, self.reading, Hub::has)
    }

    /// Counts the clusters. A side without a context was not requested; on a cluster that is another one, nothing is known of this peering.
    fn count_clusters(&self, judged: &mut Judged) {
        for role in Role::BOTH {
            let what = format!("the {role}");
            if let Some(side) = self.sides.iter().find(|side| side.role == role) {
                judged.add("cluster", 1);
                for field in &side.masked {
                    judged.pass_over("field", field, "the record masks it");
                }
            } else if self.reading.side(role).is_some() {
                judged.leave_out("cluster", what, "its context leads to another cluster");
            } else {
                judged.pass_over("cluster", what, self.reading.not_named());
            }
        }
    }

    fn count_argo_cd(&self, judged: &mut Judged) {
        match &self.hub {
            Some(hub) => {
                judged.add("Argo CD", 1);
                hub.count(judged);
            }
            None => judged.pass_over("Argo CD", "Argo CD", self.reading.not_named()),
        }
    }
}

/// The resources that could not be read.
fn unread_resources(ClusterWorld { reading, .. }: &ClusterWorld<'_>) -> Vec<Finding> {
    let of_sides = reading.clusters().flat_map(|(role, live)| {
        refusals(live.refused.iter()).map(move |it| it.on_side(role.word()))
    });
    let of_argo_cd = reading
        .argocd
        .iter()
        .flat_map(|live| refusals(live.refused.iter()));
    of_sides.chain(of_argo_cd).collect()
}

fn other_clusters(world: &ClusterWorld<'_>) -> Vec<Finding> {
    let other_clusters = world.other_clusters.iter();
    let found = other_clusters
        .filter_map(|side| Some(cluster::is_another(side)?.on_side(side.role.word())));
    found.collect()
}

fn check_sides(world: &ClusterWorld<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for side in &world.sides {
        for check in CHECKS {
            let found = check(side).into_iter();
            findings.extend(found.map(|it| it.on_side(side.role.word())));
        }
    }
    findings
}

fn report(
    findings: &Findings,
    peering: &Peering,
    format: ReportFormat,
    streams: &mut Streams<'_>,
) -> Result {
    streams.print(&match format.form() {
        None => streams.fitted(findings.text(peering.name.as_str(), streams.is_output_coloured())),
        Some(form) => findings.report().print(form)?,
    })?;
    // the findings are on standard output
    if findings.count(Severity::Error) == 0 {
        Ok(())
    } else {
        Err(WorkstationError::reported(1, 1))
    }
}

/// A name for a command that a person copies into a shell. The cluster chooses the name, so it is checked.
fn in_a_command(name: &str, otherwise: &str) -> String {
    name.parse::<ObjectName>()
        .map_or_else(|_| otherwise.to_owned(), |name| name.to_string())
}

/// The resources that could not be read. A kind that the cluster does not have is an error only if the stream needs it.
fn refusals<'r>(refused: impl Iterator<Item = &'r Refused>) -> impl Iterator<Item = Finding> {
    let forbidden = refused.filter(|it| it.problem.is_forbidden());
    forbidden.map(|Refused { resource, .. }| {
        let message = format!("could not be checked: you may not read {}", quoted(resource));
        let help = "ask for a ClusterRole with `get` and `list` on it; for Secrets a Role in the tenant namespace is enough";
        warning(Check::Unread, message, help)
    })
}

/// The list of all checks with the titles of their pages, by stage.
fn list() -> String {
    let width = Check::ALL
        .iter()
        .map(|check| check.name().len())
        .max()
        .unwrap_or_default();
    let stages = Stage::ALL.iter().map(|stage| {
        let checks = Check::ALL.iter().filter(|check| check.stage() == *stage);
        let lines =
            checks.map(|check| format!("  {:width$}  {}\n", check.name(), check.page().title()));
        format!("{}\n{}", stage.title(), lines.collect::<String>())
    });
    stages.collect()
}
