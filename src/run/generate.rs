//! `generate`: the pipeline, one line a step.

use super::Streams;
use crate::caller::Caller;
use crate::cli::Generate;
use crate::document;
use crate::emit;
use crate::environment::Environment;
use crate::error::{Error, IdentityProblem};
use crate::keys::{self, PublicKey};
use crate::parameters;
use crate::peering::authentication::Credential;
use crate::peering::role::{Role, Sides};
use crate::peering::{Cluster, Peering};
use crate::plan::{Keys, Material, Plan};
use crate::render;
use crate::sealed::{Identities, Opener, normal_path};
use crate::source::Folder;
use crate::validate::validate;
use std::path::{Path, PathBuf};

pub(super) fn generate(
    arguments: &Generate,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let role = parameters::role(arguments.role.as_deref(), environment)?;
    let caller = if arguments.local { Caller::Local } else { Caller::of(environment) };
    let folder = Folder::new(&arguments.folder);

    let source = folder.read_document()?; //                                    READ
    let (document, notes) = document::parse(&source)?; //                       PARSE: shape
    let peering = validate(&document, notes, &source)?; //                      VALIDATE: meaning, all problems at once
    let secrets = Secrets { arguments, environment, caller: &caller, folder: &folder };
    let material = secrets.material(&peering, role, streams)?; //               OPEN and DERIVE
    let plan = Plan::new(&peering, role, &material); //                         PLAN: cannot fail
    let stream = render::render(&plan)?; //                                     RENDER: an error is a bug
    emit::check(&stream, &plan)?;
    if peering.networking.as_ref().is_some_and(|it| it.client.is_none() && it.server.location != role) {
        streams.note("note: gatewayClient is `pending`, so there is no GatewayClient in this stream yet");
    }
    emit::write(&stream, streams.out) //                                        EMIT: all or nothing
}

/// What is needed to open a folder's sealed files.
struct Secrets<'r> {
    arguments: &'r Generate,
    environment: &'r Environment,
    caller: &'r Caller,
    folder: &'r Folder,
}

impl Secrets<'_> {
    /// Opens what this side's stream needs, and nothing else.
    fn material(&self, peering: &Peering, role: Role, streams: &mut Streams<'_>) -> Result<Material, Error> {
        let credential = peering.authentication.as_ref().filter(|_| role == Role::Consumer);
        if peering.networking.is_none() && credential.is_none() {
            return Ok(Material::default());
        }
        self.refuse_hydration()?;
        let identities = self.identities()?;
        let clusters = (&peering.clusters.consumer.id, &peering.clusters.provider.id);
        let mut opener = Opener::new(self.folder, identities, self.caller, clusters);
        let mut material = Material::default();
        if let Some(networking) = &peering.networking {
            let seed = opener.seed(&networking.seed)?;
            material.keys = Some(derive(&seed, &peering.clusters, role)?);
        }
        if let Some(authentication) = credential {
            let Credential::Kubeconfig(file) = &authentication.credential;
            material.kubeconfig = Some(render::kubeconfig(&opener.kubeconfig(file)?)?);
        }
        for line in opener.audit() {
            streams.note(&line);
        }
        Ok(material)
    }

    /// The Source Hydrator runs plugins with an empty `KUBE_VERSION` and commits what they print
    /// (argo-cd `controller/hydrator_dependencies.go`).
    fn refuse_hydration(&self) -> Result<(), Error> {
        let version = self.environment.get("KUBE_VERSION").unwrap_or_default();
        if version.is_empty() && *self.caller != Caller::Local { Err(Error::Hydration) } else { Ok(()) }
    }

    fn identities(&self) -> Result<Option<Identities>, Error> {
        let Some(path) = &self.arguments.identity_file else {
            return Ok(None);
        };
        if let Caller::ArgoCd { path: source, .. } = self.caller
            && is_inside(path, self.folder.path(), source.as_deref())
        {
            return Err(IdentityProblem::Inside.into());
        }
        Ok(Some(Identities::read(path)?))
    }
}

/// Whether a file stands in the checkout that the folder belongs to. Argo CD says where in the checkout the folder is, so
/// the checkout's root is known.
fn is_inside(file: &Path, folder: &Path, source_path: Option<&str>) -> bool {
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return false; // a file that is not there is reported when it is read
    };
    let inner = PathBuf::from(source_path.and_then(normal_path).unwrap_or_default());
    let depth = if inner.as_os_str() == "." { 0 } else { inner.components().count() };
    let root = folder.ancestors().nth(depth).filter(|_| folder.ends_with(&inner)).unwrap_or(&folder);
    file.starts_with(root)
}

/// Both sides' keys; what the document expects of them must hold before anything is printed.
fn derive(seed: &keys::Seed, clusters: &Sides<Cluster>, role: Role) -> Result<Keys, Error> {
    let pair = |side: Role| {
        let (own, peer) = (clusters.of(side), clusters.of(side.peer()));
        keys::derive(seed, &own.id, &peer.id, own.generation)
    };
    let (own, peer) = (pair(role), pair(role.peer()));
    for (side, derived) in [(role, own.public()), (role.peer(), peer.public())] {
        let expected: Option<PublicKey> = clusters.of(side).expected_key;
        if expected.is_some_and(|expected| expected != derived) {
            return Err(Error::UnexpectedKey { side: side.word(), derived: derived.to_string() });
        }
    }
    Ok(Keys { own, peer: peer.public() })
}
