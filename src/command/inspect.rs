//! `seed inspect`: what a sealed file says of itself, without its secret.

use super::Streams;
use crate::argocd::caller::shown;
use crate::cli::SeedInspect;
use crate::command::error::Error;
use crate::custody::keys::{self, Seed};
use crate::custody::store::named;
use crate::custody::{self, Bind, Identities, KUBECONFIG_CAP, Kind, Opened, PayloadProblem};
use crate::input::folder::{Links, read_regular};
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::values::number::Generation;
use std::path::Path;

pub(super) fn inspect(arguments: &SeedInspect, streams: &mut Streams<'_>) -> Result<(), Error> {
    let opened = open(&arguments.file, &arguments.identity_file)?;
    let text = text(&opened, &arguments.file.display().to_string())?;
    streams.out.write_all(text.as_bytes()).map_err(|error| Error::Output(error.kind()))
}

/// Opens a sealed file of either kind for its owner.
pub(super) fn open(path: &Path, identity_file: &Path) -> Result<Opened, Error> {
    let sealed = read_regular(path, KUBECONFIG_CAP, Links::Refuse).map_err(named(path))?;
    let identities = Identities::read(identity_file)?;
    custody::open(&sealed, &identities)
        .map_err(|problem| Error::Payload { name: path.display().to_string(), problem })
}

fn text(opened: &Opened, name: &str) -> Result<String, Error> {
    let payload = &opened.payload;
    let kind = payload.kind.map_or("unknown", Kind::word);
    let mut text = format!("kind: {kind}\nrecipients: {}\n", opened.recipients);
    let Some(bind) = &payload.bind else {
        text += "terms: none, so Argo CD will not open it; `argocd-peering seed reseal` writes them\n";
        return Ok(text);
    };
    text += &terms(bind);
    match payload.kind {
        Some(Kind::Seed) => {
            let wrap = |problem| Error::Payload { name: name.to_owned(), problem };
            let seed = payload.secret.parse().map_err(|problem| wrap(PayloadProblem::Seed(problem)))?;
            text += &public_keys(&seed, bind)?;
        }
        Some(Kind::Kubeconfig) => {
            let problem = Kubeconfig::parse(&payload.secret).err();
            text += &problem.map_or_else(String::new, |problem| format!("\nit cannot be used: {problem}\n"));
        }
        None => {}
    }
    Ok(text)
}

fn terms(bind: &Bind) -> String {
    let mut text = String::new();
    let clusters: Vec<String> = bind.clusters.iter().map(ToString::to_string).collect();
    for (term, values) in [
        ("clusters", &clusters),
        ("projects", &bind.projects),
        ("repos", &bind.repos),
        ("paths", &bind.paths),
    ] {
        let values: Vec<String> = values.iter().map(|value| shown(value)).collect();
        let values = if values.is_empty() { "none".to_owned() } else { values.join(" ") };
        text += &format!("{term}: {values}\n");
    }
    text
}

/// Both sides' keys of each pair, as `keys` prints them for a peering that was never rotated.
fn public_keys(seed: &Seed, bind: &Bind) -> Result<String, Error> {
    let first = Generation::try_from(1).map_err(|rule| Error::Bug(rule.message))?;
    let mut text = String::new();
    for pair in &bind.clusters {
        let [one, other] = pair.ids();
        text += &format!("\n{pair}, key generation 1\n");
        for (own, peer) in [(one, other), (other, one)] {
            text += &format!("  {own}: {}\n", keys::derive(seed, own, peer, first).public());
        }
    }
    Ok(text)
}
