//! `seed new`, `seed import` and `seal kubeconfig`: a secret and its terms into a new sealed file.

use super::Streams;
use crate::cli::{Recipients, SealKubeconfig, SeedImport, SeedNew, Terms, Uses};
use crate::command::error::{Error, FileProblem};
use crate::custody::keys::Seed;
use crate::custody::store::{self, named};
use crate::custody::{self, Bind, KUBECONFIG_CAP, Kind, Pair, Term};
use crate::diagnostic::mask_names;
use crate::input::folder::{Links, read_regular};
use crate::peering::authentication::credential::kubeconfig::{Kubeconfig, KubeconfigProblem};
use crate::peering::values::name::ClusterId;
use age::x25519::Recipient;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A recipients file is small.
const RECIPIENTS_CAP: u64 = 64 * 1024;

/// 32 bytes in base64 are 44 characters; more is read only to say how many bytes there are.
const IMPORT_CAP: u64 = 1024;

pub(super) fn seed_new(arguments: &SeedNew, streams: &mut Streams<'_>) -> Result<(), Error> {
    let output = arguments.output.as_path();
    new(Kind::Seed, &Seed::generate()?.expose_text(), &arguments.seal, (output, output), streams)
}

pub(super) fn seed_import(arguments: &SeedImport, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.base64;
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(IMPORT_CAP + 1).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| FileProblem::Unreadable(error.kind()))
    } else {
        read_regular(path, IMPORT_CAP, Links::Follow)
    };
    let bytes = Zeroizing::new(bytes.map_err(named(path))?);
    let seed = Seed::import(utf8(&bytes, path)?)?;
    new(Kind::Seed, &seed.expose_text(), &arguments.seal, (path, &arguments.output), streams)
}

pub(super) fn kubeconfig(arguments: &SealKubeconfig, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.file;
    // half of what may be opened again: sealing and armor make it larger
    let bytes = read_regular(path, KUBECONFIG_CAP / 2, Links::Follow).map_err(named(path))?;
    let bytes = Zeroizing::new(bytes);
    let text = utf8(&bytes, path)?;
    let problem = match Kubeconfig::parse(text) {
        Ok(it) if it.is_insecure() && !arguments.insecure_skip_tls_verify => {
            Some(KubeconfigProblem::Insecure)
        }
        other => other.err(),
    };
    if let Some(problem) = problem {
        return Err(Error::Kubeconfig { name: path.display().to_string(), problem });
    }
    new(
        Kind::Kubeconfig,
        &Zeroizing::new(text.to_owned()),
        &arguments.seal,
        (path, &arguments.output),
        streams,
    )
}

fn new(
    kind: Kind,
    secret: &Zeroizing<String>,
    terms: &Terms,
    (from, output): (&Path, &Path),
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let bind = bind(&terms.clusters, &terms.uses)?;
    let recipients = recipients(&terms.recipients)?;
    let sealed = sealed(kind, secret, &bind, &recipients, from)?;
    store::create(output, &sealed).map_err(named(output))?;
    said(output, &bind, recipients.len(), streams);
    Ok(())
}

/// Seals what can be opened again: every run reads a sealed file, and its header, only so far.
pub(super) fn sealed(
    kind: Kind,
    secret: &Zeroizing<String>,
    bind: &Bind,
    recipients: &[Recipient],
    name: &Path,
) -> Result<Vec<u8>, Error> {
    let sealed = custody::seal(kind, secret, bind, recipients)?;
    if custody::is_small_enough(&sealed, kind) {
        return Ok(sealed);
    }
    Err(Error::Sealing { name: name.display().to_string(), cap: kind.cap() })
}

pub(super) fn said(output: &Path, bind: &Bind, recipients: usize, streams: &mut Streams<'_>) {
    let name = mask_names(&output.display().to_string());
    streams.say(&format!("sealed {name} to {recipients} recipient(s): {bind}"));
    if bind.projects.is_empty() || bind.repos.is_empty() || bind.paths.is_empty() {
        streams.note("note: Argo CD will not open it: name --project, --repo and --path for that");
    }
}

/// The terms that the flags say.
pub(super) fn bind(clusters: &[String], uses: &Uses) -> Result<Bind, Error> {
    let clusters = clusters.iter().map(|written| pair(written)).collect::<Result<_, _>>()?;
    Bind::new(clusters, &uses.projects, &uses.repos, &uses.paths).map_err(|problem| {
        let flag = match problem.term {
            Term::Clusters => "--clusters",
            Term::Projects => "--project",
            Term::Repos => "--repo",
            Term::Paths => "--path",
        };
        Error::Flag { flag, reason: problem.to_string() }
    })
}

fn pair(written: &str) -> Result<Pair, Error> {
    let wrong = |reason| Error::Flag { flag: "--clusters", reason };
    let id = |text: &str| text.trim().parse::<ClusterId>().map_err(|rule| wrong(rule.message));
    let (one, other) = written
        .split_once(',')
        .ok_or_else(|| wrong("two cluster IDs with a comma between them, such as `rome,milan`".into()))?;
    let (one, other) = (id(one)?, id(other)?);
    if one == other {
        return Err(wrong(format!("`{one}` twice: a peering has two clusters")));
    }
    Ok(Pair::new(one, other))
}

/// Everybody who will be able to open the file.
pub(super) fn recipients(named: &Recipients) -> Result<Vec<Recipient>, Error> {
    recipients_of(&named.recipients, &named.recipients_files)
}

/// The recipients of flags and files; at least one.
pub(super) fn recipients_of(flags: &[String], files: &[PathBuf]) -> Result<Vec<Recipient>, Error> {
    let parse = |text: &str, flag: &'static str, place: &str| {
        text.parse().map_err(|_| {
            let what = if text.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
                "an identity, the secret half; `age-keygen -y` prints its recipient"
            } else {
                "not an age X25519 recipient (`age1` and 58 characters, as `age-keygen -y` prints it)"
            };
            Error::Flag { flag, reason: format!("{place}{what}") }
        })
    };
    let mut recipients = Vec::new();
    for recipient in flags {
        recipients.push(parse(recipient.trim(), "--recipient", "")?);
    }
    for path in files {
        let bytes = read_regular(path, RECIPIENTS_CAP, Links::Follow).map_err(named(path))?;
        for (index, line) in utf8(&bytes, path)?.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = format!("{}, line {}: ", path.display(), index + 1);
                recipients.push(parse(line, "--recipients-file", &place)?);
            }
        }
    }
    if recipients.is_empty() {
        let reason = "no recipient in it: nobody could open the file".into();
        return Err(Error::Flag { flag: "--recipients-file", reason });
    }
    Ok(recipients)
}

fn utf8<'b>(bytes: &'b [u8], path: &Path) -> Result<&'b str, Error> {
    std::str::from_utf8(bytes).map_err(|error| named(path)(FileProblem::NotUtf8(error.valid_up_to())))
}
