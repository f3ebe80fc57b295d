//! `seed new`, `seed import` and `seal kubeconfig`: a secret and its terms into a new sealed file.

use super::{Streams, flags};
use crate::cli::{Seal, SealFlags, SealKubeconfig, SeedImport, SeedNew};
use crate::command::error::Error;
use crate::custody::keys::Seed;
use crate::custody::{self, PayloadKind, store};
use crate::input::file::{self, Links, ReadProblem, named, utf8};
use crate::peering::authentication::credential::kubeconfig::{Kubeconfig, KubeconfigProblem};
use std::io::Read as _;
use std::path::Path;
use zeroize::Zeroizing;

/// 32 bytes in base64 are 44 characters; more is read only to say how many bytes there are.
const IMPORT_CAP: u64 = 1024;

/// Half of what can be opened again: sealing and armor make it larger.
const KUBECONFIG_CAP: u64 = PayloadKind::Kubeconfig.cap() / 2;

pub(super) fn seed_new(arguments: &SeedNew, streams: &mut Streams<'_>) -> Result<(), Error> {
    let output = arguments.output.as_path();
    let secret = Seed::generate().map_err(custody::Error::from)?.expose_text();
    create(PayloadKind::Seed, &secret, &arguments.seal, (output, output), streams)
}

pub(super) fn seed_import(arguments: &SeedImport, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.base64;
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(IMPORT_CAP + 1).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| ReadProblem::Unreadable(error.kind()))
    } else {
        file::read(path, IMPORT_CAP, Links::Follow)
    };
    let bytes = Zeroizing::new(bytes.map_err(named(path))?);
    let secret = Seed::import(utf8(&bytes).map_err(named(path))?)?.expose_text();
    create(PayloadKind::Seed, &secret, &arguments.seal, (path, &arguments.output), streams)
}

pub(super) fn seal(what: &Seal, streams: &mut Streams<'_>) -> Result<(), Error> {
    match what {
        Seal::Kubeconfig(arguments) => kubeconfig(arguments, streams),
    }
}

fn kubeconfig(arguments: &SealKubeconfig, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.file;
    let bytes = Zeroizing::new(file::read(path, KUBECONFIG_CAP, Links::Follow).map_err(named(path))?);
    let secret = Zeroizing::new(utf8(&bytes).map_err(named(path))?.to_owned());
    let problem = match Kubeconfig::parse(&secret) {
        Ok(parsed) if parsed.is_insecure() && !arguments.insecure_skip_tls_verify => {
            Some(KubeconfigProblem::Insecure)
        }
        Ok(_) => None,
        Err(problem) => Some(problem),
    };
    if let Some(problem) = problem {
        return Err(custody::Error::Kubeconfig { name: path.display().to_string(), problem }.into());
    }
    create(PayloadKind::Kubeconfig, &secret, &arguments.seal, (path, &arguments.output), streams)
}

fn create(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    flags: &SealFlags,
    (from, output): (&Path, &Path),
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let terms = flags::terms(&flags.clusters, &flags.uses)?;
    let terms = flags::with_certificates(terms, &flags.certificates)?;
    let recipients: Vec<_> =
        flags::recipients(&flags.recipients)?.into_iter().map(|(recipient, _)| recipient).collect();
    let sealed = custody::seal(kind, secret, &terms, &recipients, from)?;
    store::create(output, &sealed)?;
    streams.sealed(output, &terms, recipients.len());
    Ok(())
}
