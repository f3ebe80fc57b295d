//! `inspect`: what is in a sealed file, without its secret.

use super::credential;
use crate::cli::Inspect;
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::keys::{self, Seed};
use crate::custody::{self, Opened, PayloadKind, Terms};
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Bug, readable};
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::values::Generation;
use std::path::Path;

pub(super) fn inspect(arguments: &Inspect, streams: &mut Streams<'_>) -> Result<(), Error> {
    let opened = Opened::read(&arguments.file, &arguments.identity_file)?;
    streams.print(&printed(&text(&opened, &arguments.file)?))
}

fn text(Opened { payload, recipients }: &Opened, file: &Path) -> Result<String, Error> {
    let kind = payload.kind.map_or("unknown", PayloadKind::word);
    let mut text = format!("kind: {kind}\nrecipients: {recipients}\n");
    let Some(terms) = &payload.terms else {
        text += "terms: none, so Argo CD will not open it; `argocd-peering reseal` adds them\n";
        return Ok(text);
    };
    text.extend(terms.lines().map(|line| line + "\n"));
    for line in terms.certificates().lines() {
        text += &format!("certificate: {line}\n");
    }
    match payload.kind {
        Some(PayloadKind::Seed) => {
            let wrap = |problem| custody::Error::Payload { name: file.display().to_string(), problem };
            text += &public_keys(&payload.seed().map_err(wrap)?, terms)?;
        }
        Some(PayloadKind::Kubeconfig) => match Kubeconfig::parse(&payload.secret) {
            Ok(kubeconfig) => {
                text.extend(credential::lines(&kubeconfig, file).into_iter().map(|line| line + "\n"));
            }
            Err(problem) => text += &format!("\nit cannot be used: {problem}\n"),
        },
        None => {}
    }
    Ok(text)
}

/// Both sides' keys of each pair, as `keys` prints them for a peering that was never rotated.
pub(super) fn public_keys(seed: &Seed, terms: &Terms) -> Result<String, Error> {
    let first = Generation::try_from(1).map_err(|rule| Bug(rule.message))?;
    let mut text = String::new();
    for pair in terms.pairs() {
        let [one, other] = pair.ids();
        text += &format!("\n{pair}, key generation 1\n");
        for (own, peer) in [(one, other), (other, one)] {
            let key = keys::derive(seed, own, peer, first).public().to_string();
            text += &format!("  {own}: {}\n", readable(&key));
        }
    }
    Ok(text)
}
