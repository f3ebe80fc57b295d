//! `keys`: both sides' public keys, and a digest of what both sides must have in common.

mod export;

use super::Streams;
use crate::argocd::caller::Caller;
use crate::argocd::environment::Environment;
use crate::cli::{Keys, KeysCommand};
use crate::command::error::Error;
use crate::custody::Request;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::agreement;
use crate::peering::values::{PublicKey, Role, Sides};
use crate::rules;

/// Always a person's own run, since nothing secret is printed.
pub(super) fn keys(
    arguments: &Keys,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if let Some(KeysCommand::Export(arguments)) = &arguments.command {
        return export::export(arguments, environment, streams);
    }
    let folder = Folder::new(&arguments.folder);
    let identity_file = arguments.identity_file.as_deref();
    let source = folder.read_document()?;
    let peering = rules::read(&source)?;
    let request = Request { folder: &folder, identity_file, policy_file: None, caller: &Caller::Local };
    let found = peering.networking.as_ref().map(|it| request.public_keys(&peering, it)).transpose()?;
    let (keys, unverified) = found.unzip();
    let text = text(&peering, keys.as_ref());
    for side in unverified.into_iter().flatten() {
        streams.note(&format!("note: the {side}'s key is taken from peering.yaml; its seed was not opened"));
    }
    streams.print(&text)
}

/// In the manner of `wg show`.
fn text(peering: &Peering, keys: Option<&Sides<PublicKey>>) -> String {
    let side = |role: Role| {
        let cluster = peering.clusters.of(role);
        let key = keys.map_or_else(|| "(none)".to_owned(), |keys| keys.of(role).to_string());
        format!(
            "{role}: {}\n  public key: {key}\n  key generation: {}\n\n",
            cluster.id,
            cluster.generation.get()
        )
    };
    let digest = agreement::digest(peering, keys);
    format!("{}{}agreement: {digest}\n", side(Role::Consumer), side(Role::Provider))
}
