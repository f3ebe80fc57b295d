//! The certificates that the flags give for clusters. Certificates of an old sealed file are never used again: anyone with push access can
//! have replaced the file by one with their own certificate.

use super::kubeconfig_report::out_of_time;
use crate::command::workstation::flags::{CertificateFlags, parse_flag};
use crate::command::{Error, Result};
use crate::custody::sealed_secret::{CAP, Certificate, CertificateProblem};
use crate::custody::{Certificates, Terms};
use crate::diagnostic::list_and;
use crate::input::file::{FollowedPath, Links, read_text, shown_path};
use crate::peering::authentication::credential::x509::{object, validity};
use crate::peering::values::ClusterId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

const CERTIFICATE: &str = "--certificate";
const NO_CERTIFICATE: &str = "--no-certificate";

/// What the flags give for clusters' certificates.
#[derive(Debug, Default)]
pub(super) struct GivenCertificates {
    certificates: Certificates,
    /// The clusters whose certificate is left out.
    dropped: BTreeSet<ClusterId>,
    /// The certificates' files that are in a checkout.
    pub(super) of_checkouts: Vec<PathBuf>,
    /// The clusters that a sealed file was for.
    used: BTreeSet<ClusterId>,
}

impl GivenCertificates {
    pub(super) fn from_flags(flags: &CertificateFlags) -> Result<Self> {
        let mut given = Self::default();
        for written in &flags.certificates {
            let Some((id, path)) = written.split_once('=') else {
                let form = "write a cluster ID, `=` and a file, such as `rome=rome.pem`";
                return Err(Error::flag(CERTIFICATE, form));
            };
            let id: ClusterId = parse_flag(CERTIFICATE, id)?;
            let path = Path::new(path);
            let before = given.certificates.insert(id.clone(), load_pem(path)?);
            if before.is_some() {
                let reason = "is given twice; keep the newest";
                return Err(Error::flag(CERTIFICATE, format!("`{id}` {reason}")));
            }
            if FollowedPath::new(path).is_of_checkout() {
                given.of_checkouts.push(path.to_owned());
            }
        }
        for id in &flags.dropped {
            let id: ClusterId = parse_flag(NO_CERTIFICATE, id)?;
            if given.certificates.contains_key(&id) {
                let reason = format!("`--certificate {id}=…` is given as well");
                return Err(Error::flag(NO_CERTIFICATE, reason));
            }
            given.dropped.insert(id);
        }
        given.refuse_one_key()?;
        Ok(given)
    }

    /// Refuses one key for two clusters: each could open what is sealed for the other one.
    fn refuse_one_key(&self) -> Result {
        let mut seen = BTreeMap::new();
        for (id, certificate) in &self.certificates {
            if let Some(other) = seen.insert(certificate.fingerprint(), id) {
                let reason = format!(
                    "`{other}` and `{id}` have one key, so each could open the other's Secrets: fetch each, `kubeseal --context {other} --fetch-cert > {other}.pem`"
                );
                return Err(Error::flag(CERTIFICATE, reason));
            }
        }
        Ok(())
    }

    /// The terms of a new file, with all these certificates.
    pub(super) fn of_new_file(&self, terms: Terms) -> Result<Terms> {
        if let Some(id) = self.dropped.first() {
            let reason = format!("a new file has no certificate for `{id}`");
            return Err(Error::flag(NO_CERTIFICATE, reason));
        }
        let clusters: Vec<String> = terms.pairs().iter().map(ToString::to_string).collect();
        let what = format!("is none of the file's clusters: {}", clusters.join(" "));
        let terms = terms.with_certificates(self.certificates.clone());
        terms.map_err(|stranger| Error::flag(CERTIFICATE, format!("`{stranger}` {what}")))
    }

    /// The terms of a file that is sealed again, with the certificates of its clusters. Each certificate of the old file must be given
    /// again, or be left out by name.
    pub(super) fn of_old_file(
        &mut self,
        terms: Terms,
        before: &Certificates,
        file: &Path,
    ) -> Result<Terms> {
        let mut missing = Vec::new();
        for id in before.keys().filter(|id| terms.names(id)) {
            if self.dropped.contains(id) {
                self.used.insert(id.clone());
            } else if !self.certificates.contains_key(id) {
                missing.push(id);
            }
        }
        if let Some(first) = missing.first() {
            let ids: Vec<String> = missing.iter().map(|id| format!("`{id}`")).collect();
            let (file, ids) = (shown_path(file), list_and(&ids));
            let reason = format!(
                "{file} has a certificate for {ids}: set each again, --certificate {first}={first}.pem, or --no-certificate {first}"
            );
            return Err(Error::flag(CERTIFICATE, reason));
        }
        let mut certificates = self.certificates.clone();
        certificates.retain(|id, _| terms.names(id));
        self.used.extend(certificates.keys().cloned());
        // all of these clusters are in the file's terms
        let terms = terms.with_certificates(certificates);
        terms.map_err(|stranger| Error::flag(CERTIFICATE, format!("`{stranger}`")))
    }

    /// Refuses flags that had no effect on any file.
    pub(super) fn check_used(&self) -> Result {
        let is_unused = |id: &&ClusterId| !self.used.contains(*id);
        if let Some(id) = self.certificates.keys().find(is_unused) {
            let reason = "is none of the sealed files' clusters";
            return Err(Error::flag(CERTIFICATE, format!("`{id}` {reason}")));
        }
        if let Some(id) = self.dropped.iter().find(is_unused) {
            let reason = format!("no sealed file has a certificate for `{id}`");
            return Err(Error::flag(NO_CERTIFICATE, reason));
        }
        Ok(())
    }
}

fn load_pem(path: &Path) -> Result<Certificate> {
    let text = read_text(path, CAP, Links::Follow)?;
    let certificate: Result<Certificate, CertificateProblem> = text.parse();
    let path = shown_path(path);
    let reason = match certificate {
        Ok(certificate) => match out_of_date(&certificate) {
            Some(why) => format!("{path}: {why}; `kubeseal --fetch-cert` prints the newest"),
            None => return Ok(certificate),
        },
        Err(problem) => format!("{path}: {problem}; {}", problem.help()),
    };
    Err(Error::flag(CERTIFICATE, reason))
}

/// Why a certificate is not valid now. kubeseal refuses an expired one (sealed-secrets `pkg/kubeseal/kubeseal.go`, ParseKey). The usual
/// cause is an old file.
fn out_of_date(certificate: &Certificate) -> Option<String> {
    let validity = validity(&object(certificate.pem())?);
    Some(format!("it {}", out_of_time(validity, Duration::ZERO)?))
}
