//! `seed new`, `seed import` and `seal kubeconfig`: a secret and its terms into a new sealed file.

mod certificate;
mod issue;
mod key;
mod kubeconfig;
mod provider;
mod token;
mod trial;

use super::certificates::Given;
use super::confirm::confirm_one;
use super::inspect;
use super::terms::terms_of_new_file;
use crate::cli::{Seal, SealFlags, SeedImport, SeedNew};
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::keys::Seed;
use crate::custody::{self, Origin, PayloadKind, Terms, store};
use crate::input::file::{self, Links, ReadProblem, named, utf8};
use std::io::Read as _;
use std::path::Path;
use zeroize::Zeroizing;

/// 32 bytes in base64 are 44 characters; more is read only to say how many bytes there are.
const IMPORT_CAP: u64 = 1024;

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
    let (from, output) = places;
    store::check_new(output)?;
    let NewFile { terms, origin, certificates } = NewFile::at(flags, output)?;
    let confirmed = confirm_one(flags, (output, &terms), origin, &certificates, streams)?;
    let sealed = custody::seal(PayloadKind::Seed, &seed.expose_text(), &confirmed, from)?;
    store::create(output, &sealed)?;
    streams.sealed(output, &confirmed);
    streams.note(inspect::public_keys(seed, &terms)?.trim_end());
    Ok(())
}

pub(super) fn seal(what: &Seal, streams: &mut Streams<'_>) -> Result<(), Error> {
    match what {
        Seal::Kubeconfig(arguments) => kubeconfig::seal(arguments, streams),
    }
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

/// A sealed file that is to be written, before it is confirmed.
struct NewFile {
    terms: Terms,
    origin: Origin,
    certificates: Given,
}

impl NewFile {
    /// One that is not there yet.
    fn at(flags: &SealFlags, output: &Path) -> Result<Self, Error> {
        let (terms, origin) = terms_of_new_file(flags, output)?;
        let certificates = Given::read(&flags.certificates)?;
        let terms = certificates.of_new_file(terms)?;
        Ok(Self { terms, origin, certificates })
    }
}
