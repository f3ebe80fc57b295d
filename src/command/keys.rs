//! `keys`: both sides' public keys, and a digest of what both sides must have in common.

pub(crate) mod export;

use crate::argocd::caller::{Caller, Environment};
use crate::command::{Result, Streams};
use crate::custody::{Request, identity_file_of_person};
use crate::input::folder::Folder;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{PublicKey, Role, Sides};
use crate::peering::{Peering, agreement};
use crate::report::Format;
use crate::{report, rules};
use clap::{Args, Subcommand};
use export::Export;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Print both public keys, or export one side's secrets to a vault
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering keys peerings/rome-milan

The last line is a digest of what both must agree on.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct Keys {
    /// Instead of the public keys
    #[command(subcommand)]
    pub command: Option<KeysCommand>,
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// An age identity file that opens the folder's sealed seeds; default: `$ARGOCD_PEERING_IDENTITY_FILE`, then
    /// `~/.config/argocd-peering/identity.txt`
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// Text for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `keys …`
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    Export(Export),
}

/// Runs `keys`. It is always a user's own run, since it prints no secret.
pub(crate) fn keys(
    arguments: &Keys,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result {
    if let Some(KeysCommand::Export(arguments)) = &arguments.command {
        return export::export(arguments, environment, streams);
    }
    let folder = Folder::new(&arguments.folder);
    let identity_file = identity_file_of_person(arguments.identity_file.as_deref())?;
    let source = folder.read_document()?;
    let peering = rules::parse(&source)?;
    let request = Request {
        folder: &folder,
        identity_file: identity_file.as_deref(),
        policy_file: None,
        caller: &Caller::Local,
    };
    let (mut keys, mut unverified) = (None, Vec::new());
    if let Some(networking) = &peering.networking {
        let found = request.public_keys(&peering, networking)?;
        (keys, unverified) = (Some(found.0), found.1);
    }
    let public = PublicPart::new(&peering, keys.as_ref(), &unverified);
    if arguments.format == Format::Json {
        return streams.deliver(&report::json(&public)?);
    }
    for side in &unverified {
        streams.note(&format!(
            "note: the {side}'s key is from peering.yaml: its seed was not opened"
        ));
    }
    streams.deliver(&public.text())
}

/// What `keys --format json` prints.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PublicPart {
    /// The cluster that offloads.
    consumer: Side,
    /// The cluster that is used.
    provider: Side,
    /// The digest of what both sides must agree on.
    agreement: String,
}

/// A side and its public key.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Side {
    /// The cluster's ID.
    #[serde(rename = "clusterID")]
    id: String,
    /// Left out without `networking`.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    /// Its generation.
    key_generation: u32,
    /// Whether the seed was opened and gives this key; otherwise it is taken from peering.yaml.
    derived: bool,
}

impl Side {
    fn new(
        role: Role,
        peering: &Peering,
        keys: Option<&Sides<PublicKey>>,
        unverified: &[Role],
    ) -> Self {
        let (cluster, source) = (&peering.clusters[role], peering.key_source(role));
        Self {
            id: cluster.id.to_string(),
            public_key: keys.map(|keys| keys[role].to_string()),
            key_generation: cluster.generation.get(),
            derived: matches!(source, Some(KeySource::Seed(..))) && !unverified.contains(&role),
        }
    }
}

impl PublicPart {
    fn new(peering: &Peering, keys: Option<&Sides<PublicKey>>, unverified: &[Role]) -> Self {
        Self {
            consumer: Side::new(Role::Consumer, peering, keys, unverified),
            provider: Side::new(Role::Provider, peering, keys, unverified),
            agreement: agreement::digest(peering, keys),
        }
    }

    /// The text, in the format of `wg show`.
    fn text(&self) -> String {
        let mut text = String::new();
        for (role, side) in [("consumer", &self.consumer), ("provider", &self.provider)] {
            let (id, generation) = (&side.id, side.key_generation);
            let key = side.public_key.as_deref().unwrap_or("(none)");
            text +=
                &format!("{role}: {id}\n  public key: {key}\n  key generation: {generation}\n\n");
        }
        text + &format!("agreement: {}\n", self.agreement)
    }
}
