//! `seed new` and `seal kubeconfig`: a secret and its terms into a sealed file.

use super::Streams;
use crate::cli::{SealKubeconfig, SeedNew, Terms};
use crate::error::{Error, FileProblem};
use crate::keys;
use crate::kubeconfig::Kubeconfig;
use crate::peering::name::ClusterId;
use crate::sealed::{self, Bind, KUBECONFIG_CAP, Kind, Pair, Term};
use crate::source::{Links, read_regular};
use rustix::fs::{Mode, OFlags};
use std::io::Write as _;
use std::path::Path;
use zeroize::Zeroizing;

/// A recipients file is small.
const RECIPIENTS_CAP: u64 = 64 * 1024;

pub(super) fn seed_new(arguments: &SeedNew, streams: &mut Streams<'_>) -> Result<(), Error> {
    let bind = bind(&arguments.seal)?;
    let recipients = recipients(&arguments.seal)?;
    let secret = keys::Seed::generate()?.expose_text();
    let sealed = sealed::seal(Kind::Seed, &secret, &bind, &recipients)?;
    create(&arguments.output, &sealed)?;
    said(&arguments.output, &bind, recipients.len(), streams);
    Ok(())
}

pub(super) fn kubeconfig(arguments: &SealKubeconfig, streams: &mut Streams<'_>) -> Result<(), Error> {
    let bind = bind(&arguments.seal)?;
    let recipients = recipients(&arguments.seal)?;
    let name = || arguments.file.display().to_string();
    let file = |problem| Error::File { name: name(), problem };
    // half of what may be opened again: sealing and armor make it larger
    let bytes =
        Zeroizing::new(read_regular(&arguments.file, KUBECONFIG_CAP / 2, Links::Follow).map_err(file)?);
    let text =
        std::str::from_utf8(&bytes).map_err(|error| file(FileProblem::NotUtf8(error.valid_up_to())))?;
    Kubeconfig::parse(text).map_err(|problem| Error::Kubeconfig { name: name(), problem })?;
    let sealed = sealed::seal(Kind::Kubeconfig, &Zeroizing::new(text.to_owned()), &bind, &recipients)?;
    create(&arguments.output, &sealed)?;
    said(&arguments.output, &bind, recipients.len(), streams);
    Ok(())
}

fn said(output: &Path, bind: &Bind, recipients: usize, streams: &mut Streams<'_>) {
    streams.note(&format!("sealed {} to {recipients} recipient(s): {bind}", output.display()));
    if bind.projects.is_empty() || bind.repos.is_empty() || bind.paths.is_empty() {
        streams.note("note: Argo CD will not open it: name --project, --repo and --path for that");
    }
}

/// The terms that the flags say.
fn bind(terms: &Terms) -> Result<Bind, Error> {
    let flag = |flag: &'static str, reason: String| Error::Flag { flag, reason };
    let mut clusters = Vec::new();
    for written in &terms.clusters {
        let (one, other) = written.split_once(',').ok_or_else(|| {
            flag("--clusters", "two cluster IDs with a comma between them, such as `rome,milan`".into())
        })?;
        let id =
            |text: &str| text.trim().parse::<ClusterId>().map_err(|rule| flag("--clusters", rule.message));
        let (one, other) = (id(one)?, id(other)?);
        if one == other {
            return Err(flag("--clusters", format!("`{one}` twice: a peering has two clusters")));
        }
        clusters.push(Pair::new(one, other));
    }
    Bind::new(clusters, &terms.projects, &terms.repos, &terms.paths)
        .map_err(|problem| flag(flag_of(problem.term), problem.to_string()))
}

const fn flag_of(term: Term) -> &'static str {
    match term {
        Term::Clusters => "--clusters",
        Term::Projects => "--project",
        Term::Repos => "--repo",
        Term::Paths => "--path",
    }
}

/// Everybody who will be able to open the file.
fn recipients(terms: &Terms) -> Result<Vec<age::x25519::Recipient>, Error> {
    let parse = |text: &str, flag: &'static str, place: &str| {
        text.parse().map_err(|_| Error::Flag {
            flag,
            reason: format!(
                "{place}not an age X25519 recipient (`age1` and 58 characters, as `age-keygen -y` prints it)"
            ),
        })
    };
    let mut recipients = Vec::new();
    for recipient in &terms.recipients {
        recipients.push(parse(recipient.trim(), "--recipient", "")?);
    }
    for path in &terms.recipients_files {
        let name = path.display().to_string();
        let file = |problem| Error::File { name: name.clone(), problem };
        let bytes = read_regular(path, RECIPIENTS_CAP, Links::Follow).map_err(file)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| file(FileProblem::NotUtf8(error.utf8_error().valid_up_to())))?;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                recipients.push(parse(line, "--recipients-file", &format!("{name}, line {}: ", index + 1))?);
            }
        }
    }
    if recipients.is_empty() {
        let reason = "no recipient in it: nobody could open the file".into();
        return Err(Error::Flag { flag: "--recipients-file", reason });
    }
    Ok(recipients)
}

/// Writes a new file that only its owner can read. What was there is not touched.
fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let problem = |problem| Error::File { name: path.display().to_string(), problem };
    let unwritable = |kind| problem(FileProblem::Unwritable(kind));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map_err(|errno| match errno {
        rustix::io::Errno::EXIST => problem(FileProblem::Exists),
        other => unwritable(std::io::Error::from(other).kind()),
    })?;
    let mut file = std::fs::File::from(file);
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| {
        // half a file is worse than none
        let _ = std::fs::remove_file(path);
        unwritable(error.kind())
    })
}
