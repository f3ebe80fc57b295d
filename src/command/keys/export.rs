//! `keys export`: prints the content of a side's Secrets, to fill a vault for external-secrets.

use crate::argocd::caller::{Caller, Environment};
use crate::command::side_argument::{SideArgument, SideArgumentParser};
use crate::command::{Error, Result, Streams};
use crate::custody::{Request, identity_file_of_person, store};
use crate::diagnostic::Bug;
use crate::input::folder::Folder;
use crate::object::{Manifest, Secret};
use crate::peering::delivery::Delivery;
use crate::{rules, stream};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Print what one side's Secrets hold, to fill a vault with
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering keys export peerings/rome-milan --role consumer \\
    -o /dev/shm/rome.json

It prints private keys in base64: use your own machine. docs/delivery.md shows how to fill a vault.")]
pub struct Export {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Whose Secrets: a role, or a cluster's ID
    #[arg(long, value_name = "consumer|provider", value_parser = SideArgumentParser)]
    pub role: SideArgument,
    /// An age identity file that opens the folder's sealed files; default: `$ARGOCD_PEERING_IDENTITY_FILE`, then
    /// `~/.config/argocd-peering/identity.txt`
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// In which form
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    pub format: ExportFormat,
    /// Write a new file that only you can read; nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print to a terminal too
    #[arg(long, conflicts_with = "output")]
    pub force: bool,
}

/// What `keys export` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// The Secrets with their names and labels, for programs
    Json,
    /// The Secrets as manifests, for `kubectl apply`
    Secret,
}

pub(super) fn export(
    arguments: &Export,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result {
    if environment.is_argo_cds() {
        let reason = "it is for your own run: unset the ARGOCD_APP_… variables";
        return Err(Error::flag("keys export", reason));
    }
    let is_forced = arguments.output.is_some() || arguments.force;
    streams.keeps_from_terminal(is_forced, "write them to a pipe, or with -o")?;
    let folder = Folder::new(&arguments.folder);
    let source = folder.read_document()?;
    let mut peering = rules::parse(&source)?;
    let role = arguments.role.role(&peering)?;
    // what the side has is exported, whatever its `delivery` is
    peering.clusters.of_mut(role).written.delivery = Delivery::Secret;
    let identity_file = identity_file_of_person(arguments.identity_file.as_deref())?;
    let request = Request {
        folder: &folder,
        identity_file: identity_file.as_deref(),
        policy_file: None,
        caller: &Caller::Local,
    };
    let opened = request.exported(&peering, role)?;
    let mut plan = stream::plan(&peering, role, &opened.material, None)?;
    plan.manifests.retain(stream::has_data);
    let text = match arguments.format {
        ExportFormat::Secret => stream::render(&plan)?,
        ExportFormat::Json => json(&plan.manifests)?,
    };
    streams.note_all(&opened.audit);
    if plan.manifests.is_empty() {
        streams.note("note: this side's stream has no Secret with data");
    }
    match &arguments.output {
        Some(file) => Ok(store::create(file, text.as_bytes())?),
        None => streams.deliver(&text),
    }
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Exported<'s> {
    secrets: Vec<ExportedSecret<'s>>,
}

#[derive(Serialize)]
struct ExportedSecret<'s> {
    name: &'s str,
    namespace: Option<&'s str>,
    #[serde(rename = "type")]
    secret_type: &'s str,
    immutable: bool,
    labels: BTreeMap<&'s str, &'s str>,
    annotations: BTreeMap<&'s str, &'s str>,
    data: BTreeMap<&'s str, Zeroizing<String>>,
}

impl<'s> From<&'s Secret> for ExportedSecret<'s> {
    fn from(secret: &'s Secret) -> Self {
        let meta = &secret.meta;
        let labels = meta.labels.iter();
        let data = secret.data.iter();
        Self {
            name: &meta.name,
            namespace: meta.namespace.as_deref(),
            // the type that Kubernetes gives to a Secret without one
            secret_type: secret.secret_type.unwrap_or("Opaque"),
            immutable: secret.immutable,
            labels: labels.map(|(key, value)| (&**key, &**value)).collect(),
            annotations: meta.lasting_annotations().collect(),
            data: data
                .map(|(item, value)| (*item, Zeroizing::new(STANDARD.encode(value))))
                .collect(),
        }
    }
}

fn json(manifests: &[Manifest]) -> Result<Zeroizing<String>, Bug> {
    let mut secrets = Vec::new();
    for manifest in manifests {
        if let Manifest::Secret(secret) = manifest {
            secrets.push(ExportedSecret::from(secret));
        }
    }
    let exported = Exported { secrets };
    let text = serde_json::to_string_pretty(&exported).map_err(|_| Bug::new("the export"))?;
    Ok(Zeroizing::new(text + "\n"))
}
