//! When the credentials and certificates of a peering end.

use crate::command::Result;
use crate::command::workstation::kubeconfig_report::{date, now, shown_end};
use crate::custody::{self, Identities, Opened, PayloadKind, Terms, sealed_files};
use crate::diagnostic::Shown;
use crate::input::file::ReadProblem;
use crate::peering::Role;
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::credential::kubeconfig::{self, Kubeconfig};
use crate::peering::authentication::credential::x509::{object, validity};
use crate::peering::values::FileName;
use crate::state::repo::ValidDocument;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The end of a credential or certificate.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "End")]
pub(in crate::command) struct ListedEnd {
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

impl ListedEnd {
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
    document: &ValidDocument,
    identities: Option<&Identities>,
    not_opened: &[&FileName],
) -> Result<Vec<ListedEnd>> {
    let (path, peering) = (&document.path, &document.peering);
    let mut ends = Vec::new();
    for role in Role::BOTH {
        let credential = peering.credential(role);
        // for a key exchange, Git has only the first certificate, and Liqo renews it
        let credential = credential.filter(|it| it.handshake().is_none());
        if let Some(identity) = credential.and_then(Credential::identity) {
            let of = format!("{role}'s signedCRT");
            ends.push(ListedEnd::of_certificate(of, identity.signed_crt.end()));
        }
    }
    let Some(identities) = identities else {
        return Ok(ends);
    };
    // both sides can share a seed
    let files = sealed_files(peering).filter(|(file, _)| !not_opened.contains(file));
    let files: BTreeMap<_, _> = files.map(|(file, kind)| (file.as_str(), kind)).collect();
    for (file, kind) in files {
        let path = path.with_file_name(file);
        let content = document.sealed.get(file).cloned();
        let content = content.unwrap_or(Err(ReadProblem::Missing));
        let opened = Opened::open(&path, content, identities)?;
        ends.extend(ends_of_sealed(opened, &path, file, kind)?);
    }
    Ok(ends)
}

fn ends_of_sealed(
    opened: Opened,
    path: &Path,
    file: &str,
    kind: PayloadKind,
) -> Result<Vec<ListedEnd>> {
    let name = path.display();
    let wrap = custody::Error::of_payload(&name);
    let payload = opened.payload.of_kind(kind).map_err(&wrap)?;
    let mut ends = Vec::new();
    match kind {
        PayloadKind::Kubeconfig => {
            let name = name.to_string();
            let kubeconfig = Kubeconfig::parse(&payload.secret)
                .map_err(|problem| custody::Error::Kubeconfig { name, problem })?;
            let end = kubeconfig.holder().end;
            ends.push(ListedEnd::new(file.to_owned(), &end));
            if let Some([_, end]) = kubeconfig.authority() {
                let of = format!("{file}: certificate authority");
                ends.push(ListedEnd::of_certificate(of, Some(end)));
            }
        }
        PayloadKind::Seed => drop(payload.seed().map_err(&wrap)?),
    }
    for (cluster, certificate) in payload.terms.iter().flat_map(Terms::certificates) {
        let of = format!("{file}: certificate of {cluster}");
        let end = end_of_certificate(certificate.pem());
        ends.push(ListedEnd::of_certificate(of, end));
    }
    Ok(ends)
}

pub(in crate::command::workstation) fn end_of_certificate(pem: &str) -> Option<Duration> {
    let [_, end] = validity(&object(pem)?);
    Some(end)
}
