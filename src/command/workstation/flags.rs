//! What the flags of sealing say, as recipients and certificates.

use crate::cli::{CertificateFlags, RecipientFlags};
use crate::command::error::Error;
use crate::custody::sealed_secret::{CAP, Certificate, CertificateProblem};
use crate::custody::{Certificates, Recipient, Terms};
use crate::diagnostic::{Rule, shown_name};
use crate::input::file::{self, Links, utf8};
use crate::peering::values::ClusterId;
use std::path::{Path, PathBuf};

/// A recipients file is small.
const RECIPIENTS_CAP: u64 = 64 * 1024;

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
    let clusters: Vec<String> = terms.pairs().iter().map(ToString::to_string).collect();
    terms.with_certificates(certificates).map_err(|stranger| {
        wrong(format!("`{stranger}` is not one of the clusters that the file is for: {}", clusters.join(" ")))
    })
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
