//! `seed new`, `seed import` and `seal kubeconfig`: a secret and its terms into a new sealed file.

use super::certificates::Given;
use super::confirm::confirm_one;
use super::credential::{self, Credential};
use super::inspect;
use super::terms::{terms_at, terms_or};
use crate::cli::{Seal, SealFlags, SealKubeconfig, SeedImport, SeedNew};
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::keys::Seed;
use crate::custody::{self, Opened, Origin, PayloadKind, Terms, store};
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
    create_seed(&Seed::generate().map_err(custody::Error::from)?, &arguments.seal, (output, output), streams)
}

pub(super) fn seed_import(arguments: &SeedImport, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.base64;
    let bytes = Zeroizing::new(read(path, IMPORT_CAP)?);
    let seed = Seed::import(utf8(&bytes).map_err(named(path))?)?;
    create_seed(&seed, &arguments.seal, (path, &arguments.output), streams)
}

/// The public keys are for the other organisation, if the peering has two.
fn create_seed(
    seed: &Seed,
    flags: &SealFlags,
    places: (&Path, &Path),
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let terms = create(PayloadKind::Seed, &seed.expose_text(), flags, places, streams)?;
    streams.note(inspect::public_keys(seed, &terms)?.trim_end());
    Ok(())
}

pub(super) fn seal(what: &Seal, streams: &mut Streams<'_>) -> Result<(), Error> {
    match what {
        Seal::Kubeconfig(arguments) => kubeconfig(arguments, streams),
    }
}

fn kubeconfig(arguments: &SealKubeconfig, streams: &mut Streams<'_>) -> Result<(), Error> {
    let SealKubeconfig { file: path, output, seal: flags, .. } = arguments;
    let bytes = Zeroizing::new(read(path, KUBECONFIG_CAP)?);
    let secret = Zeroizing::new(utf8(&bytes).map_err(named(path))?.to_owned());
    let wrong = |problem| custody::Error::Kubeconfig { name: path.display().to_string(), problem };
    let kubeconfig = Kubeconfig::parse(&secret).map_err(wrong)?;
    if kubeconfig.is_insecure() && !arguments.insecure_skip_tls_verify {
        return Err(wrong(KubeconfigProblem::Insecure).into());
    }
    store::check_folder(output)?;
    for problem in credential::unusable(&kubeconfig, output) {
        let is_allowed = match problem {
            KubeconfigProblem::Expired(_) => arguments.allow_expired,
            _ => arguments.allow_other_user,
        };
        if !is_allowed {
            return Err(wrong(problem).into());
        }
    }
    for line in Credential::new(&kubeconfig, output).lines() {
        streams.note(&line);
    }
    let Some(identity_file) = &arguments.identity_file else {
        return create(PayloadKind::Kubeconfig, &secret, flags, (path, output), streams).map(|_| ());
    };
    let payload = Opened::read(output, identity_file)?.payload.of_kind(PayloadKind::Kubeconfig);
    let payload =
        payload.map_err(|problem| custody::Error::Payload { name: output.display().to_string(), problem })?;
    let mut certificates = Given::read(&flags.certificates)?;
    let terms = terms_or(flags, &payload.terms.unwrap_or_default(), output, &mut certificates)?;
    certificates.check_used()?;
    let confirmed = confirm_one(flags, (output, &terms), Origin::Elsewhere, &certificates, streams)?;
    let sealed = custody::seal(PayloadKind::Kubeconfig, &secret, &confirmed, path)?;
    store::replace(output, &sealed, false)?;
    streams.sealed(output, &confirmed);
    streams.note("note: the old credential is still in Git's history, and in the cluster until the next sync: revoke it after that");
    Ok(())
}

/// A file that a person names, or standard input.
fn read(path: &Path, cap: u64) -> Result<Vec<u8>, Error> {
    if path.as_os_str() != "-" {
        return Ok(file::read(path, cap, Links::Follow).map_err(named(path))?);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(cap + 1).read_to_end(&mut bytes);
    let problem = match read {
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= cap) => return Ok(bytes),
        Ok(_) => ReadProblem::TooLarge { cap },
        Err(error) => error.into(),
    };
    Err(named(Path::new("standard input"))(problem).into())
}

fn create(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    flags: &SealFlags,
    (from, output): (&Path, &Path),
    streams: &mut Streams<'_>,
) -> Result<Terms, Error> {
    store::check_folder(output)?;
    let (terms, origin) = terms_at(flags, output)?;
    let certificates = Given::read(&flags.certificates)?;
    let terms = certificates.of_new_file(terms)?;
    let confirmed = confirm_one(flags, (output, &terms), origin, &certificates, streams)?;
    let sealed = custody::seal(kind, secret, &confirmed, from)?;
    store::create(output, &sealed)?;
    streams.sealed(output, &confirmed);
    Ok(terms)
}
