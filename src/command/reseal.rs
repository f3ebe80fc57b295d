//! `seed reseal`: the same secret for other recipients or on other terms.

use super::Streams;
use super::inspect::open;
use super::seal::{bind, recipients, said, sealed};
use crate::cli::SeedReseal;
use crate::command::error::Error;
use crate::custody::keys::Seed;
use crate::custody::store::{self, named};
use crate::custody::{Bind, Kind, Payload, PayloadProblem};
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;

pub(super) fn reseal(arguments: &SeedReseal, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.file;
    let wrap = |problem| Error::Payload { name: path.display().to_string(), problem };
    let terms = &arguments.seal;
    let recipients = recipients(&terms.recipients)?;
    let said_now = bind(&terms.clusters, &terms.uses)?;
    let opened = open(path, &arguments.identity_file)?;
    let kind = kind(&opened.payload).ok_or_else(|| wrap(PayloadProblem::Malformed))?;
    let bind = merged(said_now, opened.payload.bind);
    if bind.clusters.is_empty() {
        let reason = "the file has no terms yet: say for which two clusters it is".into();
        return Err(Error::Flag { flag: "--clusters", reason });
    }
    let sealed = sealed(kind, &opened.payload.secret, &bind, &recipients, path)?;
    let output = arguments.output.as_ref().unwrap_or(path);
    match &arguments.output {
        Some(output) => store::create(output, &sealed),
        None => store::replace(path, &sealed, false),
    }
    .map_err(named(output))?;
    streams.note(&format!("it had {} recipient(s) before", opened.recipients));
    said(output, &bind, recipients.len(), streams);
    streams.note(
        "note: older versions of the file open as before, and nothing takes that back but another seed",
    );
    Ok(())
}

/// What the file is for. A bare secret is read to find out.
fn kind(payload: &Payload) -> Option<Kind> {
    let is_seed = || payload.secret.parse::<Seed>().is_ok();
    let is_kubeconfig = || Kubeconfig::parse(&payload.secret).is_ok();
    payload
        .kind
        .or_else(|| is_seed().then_some(Kind::Seed))
        .or_else(|| is_kubeconfig().then_some(Kind::Kubeconfig))
}

/// The terms that are said now replace those of the file, one by one.
fn merged(said: Bind, before: Option<Bind>) -> Bind {
    fn or<T>(said: Vec<T>, before: Vec<T>) -> Vec<T> {
        if said.is_empty() { before } else { said }
    }
    let before = before.unwrap_or_default();
    Bind {
        clusters: or(said.clusters, before.clusters),
        projects: or(said.projects, before.projects),
        repos: or(said.repos, before.repos),
        paths: or(said.paths, before.paths),
    }
}
