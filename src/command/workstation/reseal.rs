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
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Seal the same secrets again, for others or on other terms
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering reseal peerings --recipients-file .age-recipients

Give all recipients again: a sealed file does not name them. `=SIDE` after one limits it to that side's seed. Terms without \
a flag stay, except `*` and certificates: set each again, or --no-certificate. You confirm all terms: someone may have replaced a file.")]
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
    let mut files = Vec::new();
    for path in paths {
        files.push(open_for_reseal(
            path,
            arguments,
            &identities,
            &mut certificates,
        )?);
    }
    certificates.check_used()?;
    let mut flags = Vec::new();
    for file in &files {
        flags.push(flags_of_file(&arguments.seal, &file.path)?);
    }
    let each = files.iter().zip(&flags);
    let each: Vec<_> = each
        .map(|(it, flags)| (flags, &*it.path, &it.terms))
        .collect();
    let origin = (Origin::Elsewhere, &[][..]);
    let confirmed = confirm_each(&each, origin, &certificates.of_checkouts, streams)?;
    let mut sealed = Vec::new();
    for (file, confirmed) in files.iter().zip(&confirmed) {
        sealed.push(seal(file.kind, &file.secret, confirmed, &file.path)?);
    }
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
        let before = counted(file.recipients_before, "recipient");
        streams.note(&format!("it had {before} before"));
    }
    streams.note(
        "note: older versions in Git's history still open: only a new secret makes them useless",
    );
    Ok(())
}

fn open_for_reseal(
    path: PathBuf,
    arguments: &Reseal,
    identities: &Identities,
    certificates: &mut GivenCertificates,
) -> Result<Resealed> {
    let opened = Opened::load(&path, identities)?;
    let payload = opened.payload;
    let kind = payload.kind_by_content();
    let kind = kind.ok_or(PayloadProblem::Malformed);
    let kind = kind.map_err(custody::Error::of_payload(&path.display()))?;
    let terms = payload.terms.unwrap_or_default();
    let terms = terms_of_old_file(&arguments.seal, &terms, &path, certificates)?;
    Ok(Resealed {
        path,
        kind,
        secret: payload.secret,
        terms,
        recipients_before: opened.recipients,
        old: opened.sealed,
    })
}

/// The given files, and the files below the given folders, each once.
fn sealed_files(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for path in paths {
        if !path.is_dir() {
            found.insert(path.clone());
            continue;
        }
        let mut is_empty = true;
        file::walk(path, &mut |path, is_folder| {
            if !is_folder && path.extension().is_some_and(|end| end == "age") {
                is_empty = false;
                found.insert(path.to_owned());
            }
        })?;
        if is_empty {
            return Err(file::named(&path.join("*.age"))(ReadProblem::Missing).into());
        }
    }
    Ok(found)
}
