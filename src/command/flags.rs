//! The flags that several commands have, as terms and recipients.

use crate::cli::{CertificateFlags, RecipientFlags, UseFlags};
use crate::command::error::Error;
use crate::custody::sealed_secret::{CAP, Certificate, CertificateProblem};
use crate::custody::{Certificates, ClusterPair, Recipient, Term, Terms};
use crate::diagnostic::{Rule, shown_name};
use crate::input::file::{self, Links, named, utf8};
use crate::peering::values::ClusterId;
use std::path::Path;

/// A recipients file is small.
const RECIPIENTS_CAP: u64 = 64 * 1024;

/// The terms of a sealed file.
pub(super) fn terms(clusters: &[String], uses: &UseFlags) -> Result<Terms, Error> {
    let clusters = clusters.iter().map(|written| cluster_pair(written)).collect::<Result<_, _>>()?;
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
        let bytes = file::read(path, CAP, Links::Follow).map_err(named(path))?;
        let certificate = utf8(&bytes).map_err(named(path))?.parse::<Certificate>();
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

/// Everyone who will be able to open a sealed file, at least one, and the place where each is named.
pub(super) fn recipients(flags: &RecipientFlags) -> Result<Vec<(Recipient, String)>, Error> {
    let mut recipients = Vec::new();
    for flag in &flags.recipients {
        recipients.push((recipient(flag.trim(), "--recipient", "")?, "--recipient".into()));
    }
    for path in &flags.recipients_files {
        let bytes = file::read(path, RECIPIENTS_CAP, Links::Follow).map_err(named(path))?;
        for (index, line) in utf8(&bytes).map_err(named(path))?.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = format!("{}, line {}", shown_name(&path.display().to_string()), index + 1);
                recipients.push((recipient(line, "--recipients-file", &format!("{place}: "))?, place));
            }
        }
    }
    if recipients.is_empty() {
        let reason = "there is no recipient, so no one could open the file".into();
        return Err(Error::Flag { flag: "--recipients-file", reason });
    }
    Ok(recipients)
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
