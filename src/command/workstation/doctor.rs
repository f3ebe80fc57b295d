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
mod secrets;
mod side;
mod status;
mod wait;

use crate::cli::{Doctor, Format};
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{Judged, Severity, quoted};
use crate::input::folder::Folder;
use crate::object::live::{Check, Finding, Stage, warning};
use crate::peering::{Peering, Role};
use crate::rules;
use crate::state::cluster::{Budget, Refused};
use findings::{Findings, Unchecked};
use reading::Reading;
use side::Side;
use std::path::Path;

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

pub(super) fn doctor(arguments: &Doctor, streams: &mut Streams<'_>) -> Result<(), Error> {
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
    }
    if let Some(live) = &reading.argocd {
        findings.extend(refusals(&live.refused));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        findings.extend(applications::check(peering, &folder, &live.objects, reading.at));
    }
    let unchecked = Unchecked {
        clusters: Role::BOTH.map(|role| reading.of(role).is_none()),
        argocd: reading.argocd.is_none(),
    };
    Ok(Findings::new(findings, unchecked))
}

fn report(
    findings: &Findings,
    peering: &Peering,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let name = peering.name.as_str();
    streams.print(&match format {
        Format::Text => findings.text(name),
        Format::Json => findings.json(name)?,
    })?;
    match findings.count(Severity::Error) {
        0 => Ok(()),
        // they are on standard output
        _ => Err(Error::Invalid {
            errors: Vec::new(),
            wrong: 1,
            peerings: 1,
            silent: true,
            judged: Judged::default(),
        }),
    }
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
        let lines = checks.map(|check| format!("  {:width$}  {}\n", check.name(), check.title()));
        format!("{}\n{}", stage.title(), lines.collect::<String>())
    };
    Stage::ALL.iter().map(of_stage).collect()
}
