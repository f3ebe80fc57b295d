//! `generate`: the pipeline, one line for each step.

use crate::argocd::caller::{Caller, Environment};
use crate::argocd::parameters::{self, ParameterProblem, RequestedStream};
use crate::command::side_argument::{SideArgument, SideArgumentParser};
use crate::command::{Error, Result, Streams};
use crate::custody::{self, OpenedSide, Request};
use crate::diagnostic::quoted;
use crate::input::file::ReadProblem;
use crate::input::folder::Folder;
use crate::peering::{Material, Peering, Role};
use crate::stream::emit;
use crate::{peering, rules, stream};
use clap::Args;
use std::path::PathBuf;

/// Print one cluster's manifests
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering generate peerings/rome-milan --local --role consumer \\
    | kubectl diff --server-side -f -

Exit codes: 0 success, 1 a wrong document, 2 usage, 3 the environment; unless 0, no manifest is printed.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Generate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which cluster's manifests; with --local or --public also by the cluster's ID; default: the plugin parameter `role`, then
    /// `ARGOCD_ENV_ROLE`
    #[arg(long, value_name = "consumer|provider", value_parser = SideArgumentParser)]
    pub role: Option<SideArgument>,
    /// An age identity file that opens the folder's sealed files; with `--local` default:
    /// `$ARGOCD_PEERING_IDENTITY_FILE`, then `~/.config/argocd-peering/identity.txt`
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The operator's policy file, set in plugin.yaml: sealed files are opened only if it allows it as well
    #[arg(long, value_name = "FILE", conflicts_with_all = ["local", "public"])]
    pub policy_file: Option<PathBuf>,
    /// Without an identity: secret values are placeholders, everything else is as in the real output
    #[arg(long, conflicts_with = "identity_file")]
    pub public: bool,
    /// This is your own run, not Argo CD's: project, repository, folder and revision of the terms are not compared
    #[arg(long)]
    pub local: bool,
    /// Refuse a stream with a private key in clear, for a file that goes into Git
    #[arg(long, requires = "local")]
    pub without_secrets: bool,
    /// Print private keys to a terminal too
    #[arg(long, requires = "local")]
    pub force: bool,
}

/// The file that the flag names. A person's own run also finds the one that is kept; in Argo CD no environment changes what is opened.
#[cfg_attr(
    not(feature = "workstation"),
    expect(clippy::unnecessary_wraps, reason = "only a person's run fails")
)]
fn identity_file(arguments: &Generate) -> Result<Option<PathBuf>, custody::Error> {
    #[cfg(feature = "workstation")]
    if arguments.local {
        return custody::identity_file_of_person(arguments.identity_file.as_deref());
    }
    Ok(arguments.identity_file.clone())
}

/// How to get a stream with private keys elsewhere than to the terminal.
const WAYS: &str = "write them to a file or a pipe, or use --public";

pub(crate) fn generate(
    arguments: &Generate,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result {
    if arguments.local && environment.is_argo_cds() {
        let reason = "remove it in Argo CD; in your own run, unset the ARGOCD_APP_… variables";
        return Err(Error::flag("--local", reason));
    }
    let folder = Folder::new(&arguments.folder);
    let word = match &arguments.role {
        // only a cluster's ID needs the document before the stream does
        Some(side)
            if (arguments.local || arguments.public) && Role::find(side.word()).is_none() =>
        {
            Some(side.role(&rules::parse(&folder.read_document()?)?)?.word())
        }
        side => side.as_ref().map(SideArgument::word),
    };
    let RequestedStream { role, cluster } =
        parameters::requested_stream(word, environment, Role::find)?;
    let caller = if arguments.local {
        Caller::Local
    } else {
        Caller::from_environment(environment)
    };
    let identity_file = identity_file(arguments)?;
    let request = Request {
        folder: &folder,
        identity_file: identity_file.as_deref(),
        policy_file: arguments.policy_file.as_deref(),
        caller: &caller,
    };

    let source = folder.read_document()?; //                        READ
    let written = peering::parse(&source)?; //                      PARSE: shape
    let peering = rules::validate(&written)?; //                    VALIDATE: meaning, all problems at once
    goes_there(cluster, &peering, role)?; //                        or an Application's folder is in the wrong place
    let opened = if arguments.public {
        OpenedSide {
            material: Material::public(&peering, role),
            ..OpenedSide::default()
        }
    } else {
        let opened = request.material(&peering, role);
        opened.map_err(|error| of_local_diff(error, environment))? // OPEN on its terms, and DERIVE
    };
    let plan = stream::plan(&peering, role, &opened.material, opened.sealer.as_ref())?; // PLAN: an error is a bug
    if plan.shows_secrets() && !arguments.public && is_hydrator(&caller, environment) {
        return Err(Error::Hydration);
    }
    if arguments.without_secrets && plan.shows_secrets() {
        let reason = format!(
            "the {role}'s stream has a private key: set `{role}.delivery` to `SealedSecret` or `External`"
        );
        return Err(Error::flag("--without-secrets", reason));
    }
    if arguments.local && plan.shows_secrets() {
        streams.keeps_from_terminal(arguments.force, WAYS)?;
    }
    let stream = stream::render(&plan)?; //                         RENDER: an error is a bug
    emit::check_stream(&stream, &plan)?; //                         EMIT: all or nothing
    streams.note_all(&opened.audit);
    #[cfg(feature = "workstation")]
    if arguments.local {
        let (folder, files) = (&arguments.folder, &opened.files);
        super::workstation::note_refusals(folder, files, &peering, role, streams);
    }
    // Argo CD runs the plugin at every refresh, and `pending` is what the document says
    if matches!(caller, Caller::Local) || arguments.public {
        streams.note_all(pending(&peering, role));
    }
    streams.deliver(&stream)
}

/// A missing file is not lost where Argo CD got the folder from a person's machine (argo-cd `reposerver/repository/repository.go`,
/// GenerateManifestWithFiles).
fn of_local_diff(error: custody::Error, environment: &Environment) -> custody::Error {
    match error {
        custody::Error::SealedFile {
            name,
            problem: ReadProblem::Missing,
            ..
        } if environment.value("ARGOCD_APP_REVISION") == Some("streamed") => {
            custody::Error::NotSent { name }
        }
        error => error,
    }
}

/// Refuses a wrong destination. An `ApplicationSet` takes the destination from the folder's name, where anyone with
/// push access can put a document.
fn goes_there(
    cluster: Option<String>,
    peering: &Peering,
    role: Role,
) -> Result<(), ParameterProblem> {
    let own = &*peering.clusters[role].argocd_cluster;
    match cluster {
        Some(other) if other != *own => {
            let (other, own) = (quoted(&other), quoted(own));
            Err(ParameterProblem::OtherCluster(other, role.word(), own))
        }
        _ => Ok(()),
    }
}

/// Whether Argo CD's Source Hydrator runs the plugin: it sets an empty `KUBE_VERSION`, and commits the output (argo-cd
/// `controller/hydrator_dependencies.go`).
fn is_hydrator(caller: &Caller, environment: &Environment) -> bool {
    let version = environment.value("KUBE_VERSION").unwrap_or_default();
    *caller != Caller::Local && version.is_empty()
}

/// The fields that the document declares as pending.
fn pending(peering: &Peering, role: Role) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if let Some(networking) = &peering.networking
        && networking.client.is_none()
        && networking.server.location != role
    {
        notes.push("note: gatewayClient is `pending`: this stream has no GatewayClient yet");
    }
    let Some(credential) = peering.credential(role) else {
        return notes;
    };
    if credential.is_pending() {
        notes.push("note: the credential is `pending`: this cluster cannot use the other yet");
    }
    if credential.handshake().is_some() && credential.identity().is_none() {
        notes.push("note: the certificate is not signed: this stream has no Identity yet");
    }
    notes
}
