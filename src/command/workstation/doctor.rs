//! `doctor`: live clusters against the document. Each check is a function from what was read to findings.

mod applications;
mod cluster;
mod deletion;
mod expiry;
mod findings;
mod live;
mod objects;
mod pair;
mod status;

use super::live::{Budget, Kubectl, Refused, Snapshot, is_of};
use super::plan::planned;
use crate::cli::{Doctor, Format};
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{Severity, quoted, shown_name};
use crate::input::folder::Folder;
use crate::object::live::{Finding, Live, warning};
use crate::peering::cluster::Cluster;
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Material, Peering, Role};
use crate::rules;
use findings::Findings;
use std::time::{Duration, SystemTime};

/// One side of the peering, as the document describes it and as its cluster has it.
struct Side<'d> {
    peering: &'d Peering,
    role: Role,
    plan: Vec<Live>,
    live: Snapshot,
    /// Since 1970.
    now: Duration,
}

/// Every check of one cluster that is the one the document names.
const CHECKS: [fn(&Side<'_>) -> Vec<Finding>; 6] =
    [cluster::check, objects::check, objects::several, status::check, expiry::check, deletion::check];

pub(super) fn doctor(arguments: &Doctor, streams: &mut Streams<'_>) -> Result<(), Error> {
    let folder = Folder::new(&arguments.folder);
    let peering = rules::read(&folder.read_document()?)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let budget = Budget::default();
    let mut findings = Vec::new();
    let mut sides = Vec::new();
    for role in Role::BOTH {
        let context = match role {
            Role::Consumer => &arguments.consumer_context,
            Role::Provider => &arguments.provider_context,
        };
        let Some(context) = context else { continue };
        streams.note(&format!("{role}: {}", shown_name(context)));
        let plan = planned(&peering, role, &Material::public(&peering, role))?;
        let live = live::read(&mut Kubectl::new(context, &budget, streams)?, &peering, role, &plan)?;
        let side = Side { peering: &peering, role, plan, live, now };
        let of_side = |it: Finding| it.on(role.word());
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
    }
    if let Some(context) = &arguments.argocd_context {
        streams.note(&format!("Argo CD: {}", shown_name(context)));
        let mut live = Snapshot::default();
        let scope = ["-n", arguments.argocd_namespace.as_str()];
        let kubectl = &mut Kubectl::new(context, &budget, streams)?;
        live.read(kubectl, &applications::RESOURCES, &scope, applications::read)?;
        findings.extend(refusals(&live.refused));
        let folder = arguments.folder.canonicalize().unwrap_or_else(|_| arguments.folder.clone());
        findings.extend(applications::check(&peering, &folder, &live.objects, now));
    }
    report(&Findings::new(findings), &peering, arguments.format, streams)
}

fn report(
    findings: &Findings,
    peering: &Peering,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    streams.print(&match format {
        Format::Text => findings.text(),
        Format::Json => findings.json(peering.name.as_str())?,
    })?;
    match findings.count(Severity::Error) {
        0 => Ok(()),
        // they are on standard output
        _ => Err(Error::Invalid { errors: Vec::new(), wrong: 1, peerings: 1, silent: true }),
    }
}

/// What could not be checked. A kind that the cluster does not have is missing only if the stream needs it.
fn refusals(refused: &[Refused]) -> impl Iterator<Item = Finding> {
    refused.iter().filter(|it| it.problem.is_forbidden()).map(|it| {
        let message = format!("could not be checked: you may not read {}", quoted(&it.resource));
        let help = "ask for a ClusterRole with `get` and `list` on it; for Secrets a Role in the tenant namespace is enough";
        warning("unread", message, help)
    })
}

impl Side<'_> {
    fn own(&self) -> &Cluster {
        self.peering.clusters.of(self.role)
    }

    fn peer(&self) -> &Cluster {
        self.peering.clusters.of(self.role.peer())
    }

    fn tenant_namespace(&self) -> &str {
        self.own().tenant_namespace.as_str()
    }

    /// Whether an object has the label of this peering's other cluster.
    fn is_labelled(&self, object: &Live) -> bool {
        object.label(REMOTE_CLUSTER_ID) == Some(self.peer().id.as_str())
    }

    /// Whether an object belongs to this peering; a cluster can have many.
    fn is_ours(&self, object: &Live) -> bool {
        let of_document = || self.plan.iter().any(|it| is_of(object, it));
        let offloading = self.peering.directions.of(self.role).offloading.as_ref();
        let offloads =
            |name: &str| offloading.is_some_and(|it| it.namespaces.iter().any(|it| it.name.as_str() == name));
        object.namespace() == self.tenant_namespace()
            || (object.kind() == "NamespaceOffloading" && offloads(object.namespace()))
            || self.is_labelled(object)
            || of_document()
    }

    /// The objects of a kind that belong to this peering.
    fn ours<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Live> {
        self.live.of_kind(kind).filter(|object| self.is_ours(object))
    }
}
