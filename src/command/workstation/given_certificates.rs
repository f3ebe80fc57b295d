//! The certificates that the flags give for clusters. Certificates of an old sealed file are never used again: anyone with push access can
//! have replaced the file by one with their own certificate.

use super::kubeconfig_report::out_of_time;
use crate::command::workstation::flags::CertificateFlags;
use crate::command::{Error, Result};
use crate::custody::sealed_secret::{CAP, Certificate, CertificateProblem};
use crate::custody::{Certificates, Terms};
use crate::diagnostic::{Rule, list_and};
use crate::input::file::{FollowedPath, Links, read_text, shown_path};
use crate::peering::authentication::credential::x509::{object, validity};
use crate::peering::values::ClusterId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

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
            let form = "a cluster ID, `=` and a file, such as `rome=rome.pem`";
            let (id, path) = written
                .split_once('=')
                .ok_or_else(|| certificate_error(form))?;
            let id: ClusterId = id
                .parse()
                .map_err(|rule: Rule| certificate_error(rule.message))?;
            let path = Path::new(path);
            let before = given.certificates.insert(id.clone(), load_pem(path)?);
            if before.is_some() {
                let reason = "is given twice; give only the newest";
                return Err(certificate_error(format!("`{id}` {reason}")));
            }
            if FollowedPath::new(path).is_of_checkout() {
                given.of_checkouts.push(path.to_owned());
            }
        }
        for id in &flags.dropped {
            let id: ClusterId = id.parse().map_err(|rule: Rule| drop_error(rule.message))?;
            if given.certificates.contains_key(&id) {
                let reason = format!("`--certificate {id}=…` is given as well");
                return Err(drop_error(reason));
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
                return Err(certificate_error(format!(
                    "`{other}` and `{id}` would get one key, and each could open the other's Secrets: fetch each, `kubeseal --context {other} --fetch-cert > {other}.pem`"
                )));
            }
        }
        Ok(())
    }

    /// The terms of a new file, with all these certificates.
    pub(super) fn of_new_file(&self, terms: Terms) -> Result<Terms> {
        if let Some(id) = self.dropped.first() {
            let reason = format!("the file is new, so it has no certificate for `{id}`");
            return Err(drop_error(reason));
        }
        let clusters: Vec<String> = terms.pairs().iter().map(ToString::to_string).collect();
        let clusters = clusters.join(" ");
        let what = "is none of the file's clusters";
        let terms = terms.with_certificates(self.certificates.clone());
        terms.map_err(|stranger| certificate_error(format!("`{stranger}` {what}: {clusters}")))
    }

    /// The terms of a file that is sealed again, with the certificates of its clusters. Each certificate of the old file must be given
    /// again, or be left out by name.
    pub(super) fn of_old_file(
        &mut self,
        terms: Terms,
        before: &Certificates,
        file: &Path,
    ) -> Result<Terms> {
        let had: Vec<&ClusterId> = before.keys().filter(|id| terms.names(id)).collect();
        let mut missing = had.clone();
        missing.retain(|id| !self.certificates.contains_key(id) && !self.dropped.contains(id));
        if let Some(first) = missing.first() {
            return Err(certificate_error(inheritance_refusal(
                file, first, &missing,
            )));
        }
        let dropped = self.dropped.iter().filter(|id| had.contains(id));
        self.used.extend(dropped.cloned());
        let mut certificates = self.certificates.clone();
        certificates.retain(|id, _| terms.names(id));
        self.used.extend(certificates.keys().cloned());
        // all of these clusters are in the file's terms
        let terms = terms.with_certificates(certificates);
        terms.map_err(|stranger| certificate_error(format!("`{stranger}`")))
    }

    /// Refuses flags that had no effect on any file.
    pub(super) fn check_used(&self) -> Result {
        let is_unused = |id: &&ClusterId| !self.used.contains(*id);
        if let Some(id) = self.certificates.keys().find(is_unused) {
            let reason = "is none of the sealed files' clusters";
            return Err(certificate_error(format!("`{id}` {reason}")));
        }
        if let Some(id) = self.dropped.iter().find(is_unused) {
            let reason = format!("no sealed file has a certificate for `{id}`");
            return Err(drop_error(reason));
        }
        Ok(())
    }
}

fn load_pem(path: &Path) -> Result<Certificate> {
    let certificate = read_text(path, CAP, Links::Follow)?.parse::<Certificate>();
    let path = shown_path(path);
    let certificate = certificate.map_err(|problem: CertificateProblem| {
        certificate_error(format!("{path}: {problem}; {}", problem.help()))
    })?;
    match out_of_date(&certificate) {
        Some(why) => {
            let help = "`kubeseal --fetch-cert` prints the newest";
            Err(certificate_error(format!("{path}: {why}; {help}")))
        }
        None => Ok(certificate),
    }
}

/// Why a certificate is not valid now. kubeseal refuses an expired one (sealed-secrets `pkg/kubeseal/kubeseal.go`, ParseKey). The usual
/// cause is an old file.
fn out_of_date(certificate: &Certificate) -> Option<String> {
    let validity = validity(&object(certificate.pem())?);
    out_of_time(validity, Duration::ZERO).map(|time| format!("it {time}"))
}

fn inheritance_refusal(file: &Path, first: &ClusterId, all: &[&ClusterId]) -> String {
    let ids: Vec<String> = all.iter().map(|id| format!("`{id}`")).collect();
    let (file, ids) = (shown_path(file), list_and(&ids));
    format!(
        "{file} has a certificate for {ids} that anyone could have replaced: set each again, --certificate {first}={first}.pem, or --no-certificate {first}"
    )
}

fn certificate_error(reason: impl Into<String>) -> Error {
    Error::flag("--certificate", reason)
}

fn drop_error(reason: String) -> Error {
    Error::flag("--no-certificate", reason)
}
