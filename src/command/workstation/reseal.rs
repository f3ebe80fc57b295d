//! `reseal`: seals the same secrets for other recipients or on other terms.

use super::confirmation::confirm_each;
use super::given_certificates::GivenCertificates;
use super::sides::flags_of_file;
use super::terms_to_seal::terms_of_old_file;
use crate::command::workstation::flags::{IdentityFlag, SealFlags};
use crate::command::{Error, Result, Streams};
use crate::custody::store::{self, Replacement};
use crate::custody::{self, Identities, Opened, Origin, PayloadKind, PayloadProblem, Terms, seal};
use crate::diagnostic::counted;
use crate::input::file::{self, ReadProblem};
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Seal the same secrets again, for others or on other terms
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering reseal peerings --recipients-file .age-recipients

A sealed file does not name its recipients, so give all of them again. Terms that you give replace the old ones; the \
others stay, except `*`. Certificates do not stay: set each again, or leave it out with --no-certificate. With several \
files, each certificate is for those whose terms name its cluster. Someone with push access may have replaced a file by one on \
other terms, so all of them are shown, and you confirm them. Where each side has its own seed, `=SIDE` after a recipient or a \
recipients file limits it to that side.

No key changes, so nothing restarts. Anyone who could open an old version of a file, for instance from Git's history, still \
can.")]
pub struct Reseal {
    /// Sealed files, and folders: all `*.age` files in them; all are replaced, or none
    #[arg(required = true, value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// What opens it
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// Write a new file instead, of one sealed file; nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

/// An opened sealed file, and its new terms.
struct Resealed {
    path: PathBuf,
    kind: PayloadKind,
    secret: Zeroizing<String>,
    terms: Terms,
    recipients_before: usize,
    /// The file as it was read.
    old: Vec<u8>,
}

pub(crate) fn reseal(arguments: &Reseal, streams: &mut Streams<'_>) -> Result {
    let paths = sealed_files(&arguments.files)?;
    if arguments.output.is_some() && paths.len() > 1 {
        let reason = format!("there are {} sealed files, and it is for one", paths.len());
        return Err(Error::flag("--output", reason));
    }
    let mut certificates = GivenCertificates::from_flags(&arguments.seal.certificates)?;
    let identities = arguments.identity.identities()?;
    let files = paths.into_iter();
    let files = files.map(|path| open_for_reseal(path, arguments, &identities, &mut certificates));
    let files = files.collect::<Result<Vec<_>>>()?;
    certificates.check_used()?;
    let flags = files
        .iter()
        .map(|file| flags_of_file(&arguments.seal, &file.path));
    let flags = flags.collect::<Result<Vec<_>>>()?;
    let each = files.iter().zip(&flags);
    let shown: Vec<_> = each
        .map(|(file, flags)| (flags, file.path.as_path(), &file.terms))
        .collect();
    let origin = (Origin::Elsewhere, &[][..]);
    let confirmed = confirm_each(&shown, origin, &certificates.of_checkouts, streams)?;
    let both = files.iter().zip(&confirmed);
    let sealed = both.map(|(file, confirmed)| seal(file.kind, &file.secret, confirmed, &file.path));
    let sealed = sealed.collect::<Result<Vec<_>, _>>()?;
    if let (Some(output), [sealed]) = (&arguments.output, sealed.as_slice()) {
        store::create(output, sealed)?;
    } else {
        let both = files.iter().zip(&sealed);
        store::replace_all(both.map(|(Resealed { path, old, .. }, new)| Replacement {
            path,
            old,
            new,
            keeps_mode: false,
        }))?;
    }
    for file in &files {
        let output = arguments.output.as_ref().unwrap_or(&file.path);
        streams.sealed(output);
        streams.note(&format!(
            "it had {} before",
            counted(file.recipients_before, "recipient")
        ));
    }
    streams.note(
        "note: older versions of a file, in Git's history for instance, still open as before; only a new secret makes them useless",
    );
    Ok(())
}

fn open_for_reseal(
    path: PathBuf,
    arguments: &Reseal,
    identities: &Identities,
    certificates: &mut GivenCertificates,
) -> Result<Resealed> {
    let Opened {
        payload,
        recipients: recipients_before,
        sealed: old,
        ..
    } = Opened::load(&path, identities)?;
    let kind = payload
        .kind_by_content()
        .ok_or_else(|| custody::Error::Payload {
            name: path.display().to_string(),
            problem: PayloadProblem::Malformed,
        })?;
    let terms = terms_of_old_file(
        &arguments.seal,
        &payload.terms.unwrap_or_default(),
        &path,
        certificates,
    )?;
    Ok(Resealed {
        path,
        kind,
        secret: payload.secret,
        terms,
        recipients_before,
        old,
    })
}

/// The given files, and the files below the given folders, each once.
fn sealed_files(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let below = sealed_below(path)?;
            if below.is_empty() {
                return Err(file::named(&path.join("*.age"))(ReadProblem::Missing).into());
            }
            found.extend(below);
        } else {
            found.insert(path.clone());
        }
    }
    Ok(found)
}

/// The sealed files in a folder and below it.
fn sealed_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    file::walk(folder, &mut |path, is_folder| {
        let is_sealed = !is_folder && path.extension().is_some_and(|extension| extension == "age");
        found.extend(is_sealed.then(|| path.to_owned()));
    })?;
    Ok(found)
}
