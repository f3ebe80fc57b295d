//! What the flags of sealing say, as terms and recipients.

use super::git::Checkout;
use crate::cli::{CertificateFlags, RecipientFlags, SealFlags, UseFlags};
use crate::command::error::Error;
use crate::custody::sealed_secret::{CAP, Certificate, CertificateProblem};
use crate::custody::{Certificates, ClusterPair, Recipient, Term, Terms};
use crate::diagnostic::{Rule, shown_name};
use crate::input::file::{self, Links, utf8};
use crate::input::folder::Folder;
use crate::peering::Sides;
use crate::peering::values::ClusterId;
use crate::rules;
use std::path::{Path, PathBuf};

/// A recipients file is small.
const RECIPIENTS_CAP: u64 = 64 * 1024;

/// The terms that the flags set, with the file's own where they set none, and the flags' certificates.
pub(super) fn terms_or(flags: &SealFlags, of_file: Terms) -> Result<Terms, Error> {
    let terms = terms(flags)?.or(of_file).map_err(|term| Error::Flag {
        flag: flag(term),
        reason: format!(
            "the file allows any of the {term}, which is not inherited: set them, or set `*` again"
        ),
    })?;
    if terms.clusters.is_empty() {
        let reason = "the file has no terms yet: set the IDs of its two clusters".into();
        return Err(Error::Flag { flag: "--clusters", reason });
    }
    with_certificates(terms, &flags.certificates)
}

/// The terms of a new sealed file: those that the flags set, and where they set none, what its place says: the peering.yaml
/// beside it, and the Git checkout. And whether there is such a term, which a person then confirms.
pub(super) fn terms_at(flags: &SealFlags, output: &Path) -> Result<(Terms, bool), Error> {
    let folder = output.parent().unwrap_or_else(|| Path::new(""));
    terms(flags)?; // a mistake in what is written comes first
    let mut all = flags.clone();
    if all.clusters.is_empty() {
        let source = Folder::new(folder).read_document().map_err(|unread| Error::Flag {
            flag: "--clusters",
            reason: format!(
                "there is no peering beside the sealed file, so set its two cluster IDs: {unread}"
            ),
        })?;
        let Sides { consumer, provider } = rules::read(&source)?.clusters;
        all.clusters.push(format!("{},{}", *consumer.id, *provider.id));
    }
    all.uses = uses_at(all.uses, folder)?;
    let lists = |flags: &SealFlags| [flags.clusters.len(), flags.uses.repos.len(), flags.uses.paths.len()];
    let terms = with_certificates(terms(&all)?, &flags.certificates)?;
    Ok((terms, lists(&all) != lists(flags)))
}

/// The uses of a sealed file in a folder: with a project, those that no flag sets come from the Git checkout.
pub(super) fn uses_at(mut uses: UseFlags, folder: &Path) -> Result<UseFlags, Error> {
    if !uses.projects.is_empty() && (uses.repos.is_empty() || uses.paths.is_empty()) {
        let checkout = Checkout::of(folder).ok_or_else(|| Error::Flag {
            flag: if uses.repos.is_empty() { "--repo" } else { "--path" },
            reason: "the sealed file is not in a Git checkout, so set what Argo CD will report".into(),
        })?;
        if uses.repos.is_empty() {
            uses.repos.push(remote(&checkout)?);
        }
        if uses.paths.is_empty() {
            uses.paths.push(checkout.folder().to_owned());
        }
    }
    Ok(uses)
}

/// The URL of a checkout's only remote.
fn remote(checkout: &Checkout) -> Result<String, Error> {
    let remotes = checkout.remotes()?;
    if let [(_, url)] = remotes.as_slice() {
        return Ok(url.clone());
    }
    let names: Vec<_> = remotes.iter().map(|(name, _)| shown_name(name)).collect();
    let reason = match names.len() {
        0 => "the Git checkout has no remote, so set the Application's `repoURL`".to_owned(),
        _ => format!(
            "the Git checkout has several remotes ({}), so set the Application's `repoURL`",
            names.join(", ")
        ),
    };
    Err(Error::Flag { flag: "--repo", reason })
}

fn terms(flags: &SealFlags) -> Result<Terms, Error> {
    let clusters = flags.clusters.iter().map(|written| cluster_pair(written)).collect::<Result<_, _>>()?;
    let uses = &flags.uses;
    for (term, values) in [
        (Term::Projects, &uses.projects),
        (Term::Repos, &uses.repos),
        (Term::Paths, &uses.paths),
        (Term::Revisions, &uses.revisions),
    ] {
        // what is shown in quotes as it is; files that were sealed with others keep their meaning
        let is_plain = |value: &String| {
            value.trim() == value && !value.contains(';') && format!("{value:?}") == format!("\"{value}\"")
        };
        if !values.iter().all(is_plain) {
            let reason =
                "it has a space at an end, `;`, a quote, `\\`, or a character that cannot be seen: remove it";
            return Err(Error::Flag { flag: flag(term), reason: reason.into() });
        }
    }
    let mut terms = Terms::new(clusters, &uses.projects, &uses.repos, &uses.paths, &uses.revisions)
        .map_err(|problem| Error::Flag { flag: flag(problem.term), reason: problem.to_string() })?;
    terms.delivery.clone_from(&uses.delivery);
    Ok(terms)
}

/// Terms with the certificates that the flags name.
pub(super) fn with_certificates(terms: Terms, flags: &CertificateFlags) -> Result<Terms, Error> {
    let wrong = |reason| Error::Flag { flag: "--certificate", reason };
    let mut certificates = Certificates::default();
    for written in &flags.certificates {
        let (id, path) = written
            .split_once('=')
            .ok_or_else(|| wrong("a cluster ID, `=` and a file, such as `rome=rome.pem`".into()))?;
        let id: ClusterId = id.parse().map_err(|rule: Rule| wrong(rule.message))?;
        let path = Path::new(path);
        let bytes = file::read(path, CAP, Links::Follow).map_err(file::named(path))?;
        let certificate = utf8(&bytes).map_err(file::named(path))?.parse::<Certificate>();
        let certificate = certificate.map_err(|problem: CertificateProblem| {
            wrong(format!("{}: {problem}; {}", shown_name(&path.display().to_string()), problem.help()))
        })?;
        if certificates.insert(id.clone(), certificate).is_some() {
            return Err(wrong(format!("`{id}` is given twice; a cluster has one certificate, its newest")));
        }
    }
    let clusters = terms.line(Term::Clusters);
    terms.with_certificates(certificates).map_err(|stranger| {
        wrong(format!("`{stranger}` is not one of the clusters that the file is for: {clusters}"))
    })
}

/// The flag that sets a term.
pub(super) const fn flag(term: Term) -> &'static str {
    match term {
        Term::Clusters => "--clusters",
        Term::Projects => "--project",
        Term::Repos => "--repo",
        Term::Paths => "--path",
        Term::Revisions => "--revision",
        Term::Delivery => "--delivery",
    }
}

fn cluster_pair(written: &str) -> Result<ClusterPair, Error> {
    let wrong = |reason| Error::Flag { flag: "--clusters", reason };
    let id = |text: &str| text.trim().parse::<ClusterId>().map_err(|rule| wrong(rule.message));
    let (one, other) = written
        .split_once(',')
        .ok_or_else(|| wrong("two cluster IDs with a comma between them, such as `rome,milan`".into()))?;
    let (one, other) = (id(one)?, id(other)?);
    if one == other {
        return Err(wrong(format!("`{one}` is given twice; a peering has two clusters")));
    }
    Ok(ClusterPair::new(one, other))
}

/// Everyone who will be able to open a sealed file, at least one.
pub(super) struct Receivers {
    /// Each with the place that names it.
    pub(super) named: Vec<(Recipient, String)>,
    /// The files that name some.
    pub(super) lists: Vec<PathBuf>,
}

impl Receivers {
    pub(super) fn new(flags: &RecipientFlags) -> Result<Self, Error> {
        let mut named = Vec::new();
        for flag in &flags.recipients {
            named.push((recipient(flag.trim(), "--recipient", "")?, "--recipient".into()));
        }
        for path in &flags.recipients_files {
            let bytes = file::read(path, RECIPIENTS_CAP, Links::Follow).map_err(file::named(path))?;
            for (index, line) in utf8(&bytes).map_err(file::named(path))?.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    let place = format!("{}, line {}", shown_name(&path.display().to_string()), index + 1);
                    named.push((recipient(line, "--recipients-file", &format!("{place}: "))?, place));
                }
            }
        }
        if named.is_empty() {
            let reason = "there is no recipient, so no one could open the file".into();
            return Err(Error::Flag { flag: "--recipients-file", reason });
        }
        Ok(Self { named, lists: flags.recipients_files.clone() })
    }

    pub(super) fn all(&self) -> Vec<Recipient> {
        self.named.iter().map(|(recipient, _)| recipient.clone()).collect()
    }
}

fn recipient(text: &str, flag: &'static str, place: &str) -> Result<Recipient, Error> {
    Recipient::parse(text).ok_or_else(|| {
        let what = if text.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
            "this is an identity, the secret half; `age-keygen -y` prints its recipient"
        } else {
            "this is not an age X25519 recipient (`age1` and 58 characters, as `age-keygen -y` prints it)"
        };
        Error::Flag { flag, reason: format!("{place}{what}") }
    })
}
