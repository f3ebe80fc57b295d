//! When the credentials and certificates of a peering end.

use crate::command::Result;
use crate::command::workstation::kubeconfig_report::{date, now, shown_end};
use crate::custody::{self, Identities, Opened, PayloadKind, sealed_files};
use crate::diagnostic::Shown;
use crate::input::file::ReadProblem;
use crate::peering::authentication::credential::kubeconfig::{self, Kubeconfig};
use crate::peering::authentication::credential::x509::object;
use crate::peering::values::FileName;
use crate::peering::{Peering, Role};
use crate::state::repo::ValidDocument;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The end of a credential or certificate.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::command) struct End {
    /// The sealed file or the field that it is in, and whose certificate it is.
    of: Shown,
    /// The day, in UTC: `2027-01-31`. Left out if it does not say, or never ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<String>,
    /// The same for people, or what is known without it.
    #[serde(skip)]
    shown: String,
    /// Since 1970, if it says so, or if it is known how long it usually lives.
    #[serde(skip)]
    pub(super) at: Option<Duration>,
}

impl End {
    fn new(of: String, end: &kubeconfig::CredentialEnd) -> Self {
        Self {
            of: of.into(),
            ends: end.time().map(date),
            shown: shown_end(end),
            at: match end {
                // it was sealed some time ago
                kubeconfig::CredentialEnd::Usually(token) => now().checked_add(token.life),
                end => end.time(),
            },
        }
    }

    fn of_certificate(of: String, end: Option<Duration>) -> Self {
        let end = end.map_or(
            kubeconfig::CredentialEnd::Unsaid,
            kubeconfig::CredentialEnd::At,
        );
        Self::new(of, &end)
    }

    pub(super) fn text(&self) -> String {
        let shown = self.shown.trim_start_matches("it ");
        format!("{} {shown}", self.of.as_str())
    }
}

/// The ends of all credentials and certificates of a peering: of those in clear, and with an identity of those in its sealed files.
///
/// # Errors
/// When a sealed file does not open, or has another content.
pub(super) fn ends(
    described: &ValidDocument,
    identities: Option<&Identities>,
    of_others: &[&FileName],
) -> Result<Vec<End>> {
    let ValidDocument {
        path,
        peering,
        sealed,
        ..
    } = described;
    let mut ends: Vec<End> = Role::BOTH
        .into_iter()
        .filter_map(|role| in_clear(peering, role))
        .collect();
    let Some(identities) = identities else {
        return Ok(ends);
    };
    // both sides can share a seed
    let files = sealed_files(peering).filter(|(file, _)| !of_others.contains(file));
    let files: BTreeMap<_, _> = files.map(|(file, kind)| (file.as_str(), kind)).collect();
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    for (file, kind) in files {
        let content = sealed
            .get(file)
            .cloned()
            .unwrap_or(Err(ReadProblem::Missing));
        let opened = Opened::open(&folder.join(file), content, identities)?;
        ends.extend(ends_of_sealed(opened, &folder.join(file), file, kind)?);
    }
    Ok(ends)
}

fn in_clear(peering: &Peering, role: Role) -> Option<End> {
    // for a key exchange, Git has only the first certificate, and Liqo renews it
    let credential = peering
        .credential(role)
        .filter(|it| it.handshake().is_none())?;
    let identity = credential.identity()?;
    Some(End::of_certificate(
        format!("{role}'s signedCRT"),
        identity.signed_crt.end(),
    ))
}

fn ends_of_sealed(opened: Opened, path: &Path, file: &str, kind: PayloadKind) -> Result<Vec<End>> {
    let wrap = |problem| custody::Error::Payload {
        name: path.display().to_string(),
        problem,
    };
    let payload = opened.payload.of_kind(kind).map_err(wrap)?;
    let mut ends = Vec::new();
    match kind {
        PayloadKind::Kubeconfig => {
            let name = path.display().to_string();
            let kubeconfig = Kubeconfig::parse(&payload.secret)
                .map_err(|problem| custody::Error::Kubeconfig { name, problem })?;
            ends.push(End::new(file.to_owned(), &kubeconfig.holder().end));
            let authority = kubeconfig.authority().map(|[_, end]| {
                End::of_certificate(format!("{file}: certificate authority"), Some(end))
            });
            ends.extend(authority);
        }
        PayloadKind::Seed => drop(payload.seed().map_err(wrap)?),
    }
    for (cluster, certificate) in payload
        .terms
        .iter()
        .flat_map(|terms| terms.certificates().iter())
    {
        ends.push(End::of_certificate(
            format!("{file}: certificate of {cluster}"),
            not_after(certificate.pem()),
        ));
    }
    Ok(ends)
}

pub(in crate::command::workstation) fn not_after(pem: &str) -> Option<Duration> {
    object::<x509_cert::Certificate>(pem).map(|certificate| {
        certificate
            .tbs_certificate
            .validity
            .not_after
            .to_unix_duration()
    })
}
