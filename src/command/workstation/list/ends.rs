//! When a peering's credentials and certificates end.

use crate::command::error::Error;
use crate::custody::sealed_secret::x509;
use crate::custody::{self, Identities, Opened, PayloadKind, sealed_files};
use crate::diagnostic::secrecy::Shown;
use crate::input::file::ReadProblem;
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::{Peering, Role};
use crate::state::repo::Described;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The end of one of them.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::command) struct End {
    /// The sealed file or the field that it is in, and whose certificate it is.
    of: Shown,
    /// The day, in UTC: `2027-01-31`. Left out if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<String>,
    #[serde(skip)]
    at: Option<Duration>,
}

impl End {
    fn new(of: String, at: Option<Duration>) -> Self {
        Self { of: of.into(), ends: at.map(super::super::credential::date), at }
    }

    /// Since 1970, if it says so.
    pub(super) const fn at(&self) -> Option<Duration> {
        self.at
    }

    pub(super) fn text(&self) -> String {
        let Self { of, ends, .. } = self;
        format!("{} {}", of.as_str(), ends.as_deref().unwrap_or("does not say"))
    }
}

/// All of them: those that are in clear, and with an identity what its sealed files hold.
///
/// # Errors
/// When a sealed file does not open, or holds something else.
pub(super) fn ends(described: &Described, identities: Option<&Identities>) -> Result<Vec<End>, Error> {
    let Described { path, peering, sealed, .. } = described;
    let mut ends: Vec<End> = Role::BOTH.into_iter().filter_map(|role| in_clear(peering, role)).collect();
    let Some(identities) = identities else { return Ok(ends) };
    // both sides can have one seed
    let files: BTreeMap<_, _> = sealed_files(peering).map(|(file, kind)| (file.as_str(), kind)).collect();
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    for (file, kind) in files {
        let content = sealed.get(file).cloned().unwrap_or(Err(ReadProblem::Missing));
        let opened = Opened::of(&folder.join(file), content, identities)?;
        ends.extend(ends_of_sealed(opened, &folder.join(file), file, kind)?);
    }
    Ok(ends)
}

fn in_clear(peering: &Peering, role: Role) -> Option<End> {
    let Credential::Identity(identity) = peering.credential(role)? else { return None };
    let pem = STANDARD.decode(identity.signed_crt.to_string()).unwrap_or_default();
    let of = format!("{role}'s signedCRT");
    Some(End::new(of, not_after(&String::from_utf8_lossy(&pem))))
}

fn ends_of_sealed(opened: Opened, path: &Path, file: &str, kind: PayloadKind) -> Result<Vec<End>, Error> {
    let wrap = |problem| custody::Error::Payload { name: path.display().to_string(), problem };
    let payload = opened.payload.of_kind(kind).map_err(wrap)?;
    let mut ends = Vec::new();
    match kind {
        PayloadKind::Kubeconfig => {
            let name = path.display().to_string();
            let kubeconfig = Kubeconfig::parse(&payload.secret)
                .map_err(|problem| custody::Error::Kubeconfig { name, problem })?;
            ends.push(End::new(file.to_owned(), kubeconfig.holder().expires));
        }
        PayloadKind::Seed => {}
    }
    for (cluster, certificate) in payload.terms.iter().flat_map(|terms| terms.certificates().iter()) {
        ends.push(End::new(format!("{file}: certificate of {cluster}"), not_after(certificate.pem())));
    }
    Ok(ends)
}

pub(in crate::command::workstation) fn not_after(pem: &str) -> Option<Duration> {
    x509(pem).map(|certificate| certificate.tbs_certificate.validity.not_after.to_unix_duration())
}
