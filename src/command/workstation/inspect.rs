//! `inspect`: shows what is in a sealed file, without its secret.

use super::kubeconfig_report::{CredentialReport, date};
use super::list::end_of_certificate;
use crate::command::workstation::flags::IdentityFlag;
use crate::command::{Error, Result, Streams};
use crate::custody::keys::{self, Seed};
use crate::custody::{self, Opened, PayloadKind, Term, Terms, TermsEntry, certificate_lines};
use crate::diagnostic::{Shown, printed, readable};
use crate::input::file::shown_path;
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::values::Generation;
use crate::report;
use crate::report::Format;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Print a sealed file's terms, and what is public of its secret
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering inspect peerings/rome-milan/peering.seed.age

Public keys are of key generation 1.")]
pub struct Inspect {
    /// The sealed file: a seed or a kubeconfig
    pub file: PathBuf,
    /// What opens it
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// Text for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What `inspect --format json` prints.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Inspected {
    /// `seed`, `kubeconfig`, or `unknown`.
    kind: &'static str,
    /// How many recipients can open it.
    recipients: usize,
    /// The uses that are allowed, each with terms that must all hold. Without any, Argo CD does not open it.
    terms: Vec<AllowedUse>,
    /// The certificates of sealed-secrets controllers, one a cluster: its ID, the fingerprint, the size of the key, and its end.
    certificates: Vec<Shown>,
    /// Of a seed: both public keys of each pair of clusters that the terms name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    keys: Vec<PublicKeys>,
    /// Of a kubeconfig that can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    credential: Option<CredentialReport>,
    /// Why the secret cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Shown>,
}

/// A use that is allowed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Allowed")]
struct AllowedUse {
    /// The pairs of clusters.
    clusters: Vec<[String; 2]>,
    /// Values by their term, such as `projects`. What is left out is denied or any, as `inspect` says it for people.
    values: BTreeMap<&'static str, Vec<Shown>>,
}

/// The public keys of a pair of clusters, as they are before any rotation: of key generation 1.
#[derive(Debug, Serialize, JsonSchema)]
struct PublicKeys {
    /// The key of each cluster, by its ID.
    keys: BTreeMap<String, String>,
}

pub(crate) fn inspect(arguments: &Inspect, streams: &mut Streams<'_>) -> Result {
    let path = arguments.file.as_path();
    if path.is_dir() {
        let path = shown_path(path);
        let reason = format!("{path} is a folder: name a sealed file");
        return Err(Error::flag("FILE", reason));
    }
    let opened = Opened::load(path, &arguments.identity.identities()?)?;
    if let Some(what) = &opened.not_tried {
        streams.note(&format!("note: {what}; it was not tried"));
    }
    let inspected = Inspected::new(&opened, path)?;
    streams.deliver(&match arguments.format {
        Format::Text => printed(&inspected.text(&opened)),
        Format::Json => report::json(&inspected)?,
    })
}

impl Inspected {
    fn new(opened: &Opened, file: &Path) -> Result<Self> {
        let payload = &opened.payload;
        let mut inspected = Self {
            kind: payload.kind.map_or("unknown", PayloadKind::word),
            recipients: opened.recipients,
            ..Self::default()
        };
        let Some(terms) = &payload.terms else {
            return Ok(inspected);
        };
        inspected.terms = terms.entries().iter().map(AllowedUse::new).collect();
        let certificates = terms.certificates();
        for (mut line, certificate) in certificate_lines(certificates).zip(certificates.values()) {
            if let Some(end) = end_of_certificate(certificate.pem()) {
                line += &format!(", ends on {}", date(end));
            }
            inspected.certificates.push(line.into());
        }
        match payload.kind {
            Some(PayloadKind::Seed) => {
                let seed = payload.seed();
                let seed = seed.map_err(custody::Error::of_payload(&file.display()))?;
                inspected.keys = PublicKeys::from_seed(&seed, terms);
            }
            Some(PayloadKind::Kubeconfig) => match Kubeconfig::parse(&payload.secret) {
                Ok(kubeconfig) => {
                    inspected.credential = Some(CredentialReport::new(&kubeconfig, file));
                }
                Err(problem) => inspected.problem = Some(problem.to_string().into()),
            },
            None => {}
        }
        Ok(inspected)
    }

    fn text(&self, opened: &Opened) -> String {
        let mut text = format!("kind: {}\nrecipients: {}\n", self.kind, self.recipients);
        let Some(terms) = &opened.payload.terms else {
            text += "terms: none, so Argo CD refuses it; `argocd-peering reseal` adds them\n";
            return text;
        };
        let mut lines: Vec<String> = terms.lines().collect();
        for line in &self.certificates {
            lines.push(format!("certificate: {}", line.as_str()));
        }
        lines.extend(self.keys.iter().map(PublicKeys::text));
        lines.extend(self.credential.iter().flat_map(CredentialReport::lines));
        if let Some(problem) = &self.problem {
            lines.push(format!("\nit cannot be used: {}", problem.as_str()));
        }
        text + &lines.join("\n") + "\n"
    }
}

impl AllowedUse {
    fn new(entry: &TermsEntry) -> Self {
        let mut values = BTreeMap::new();
        for term in Term::lists() {
            if let Some(listed) = entry.listed(term) {
                let listed = listed.iter().map(|value| value.clone().into());
                values.insert(term.word(), listed.collect());
            }
        }
        let pairs = entry.clusters.pairs().into_iter();
        let clusters = pairs.map(|pair| pair.ids().map(ToString::to_string));
        Self {
            clusters: clusters.collect(),
            values,
        }
    }
}

impl PublicKeys {
    /// Both sides' keys of each pair, as `keys` prints them for a peering that was never rotated.
    fn from_seed(seed: &Seed, terms: &Terms) -> Vec<Self> {
        let mut all = Vec::new();
        for pair in terms.pairs() {
            let [one, other] = pair.ids();
            let keys = [(one, other), (other, one)].map(|(own, peer)| {
                let key = keys::derive(seed, own, peer, Generation::FIRST).public();
                (own.to_string(), key.to_string())
            });
            all.push(Self { keys: keys.into() });
        }
        all
    }

    fn text(&self) -> String {
        let ids: Vec<&str> = self.keys.keys().map(String::as_str).collect();
        let first = Generation::FIRST.get();
        let mut text = format!("\n{}, key generation {first}", ids.join("/"));
        for (id, key) in &self.keys {
            text += &format!("\n  {id}: {}", readable(key));
        }
        text
    }
}

/// Both sides' keys of each pair, for people.
pub(super) fn public_keys(seed: &Seed, terms: &Terms) -> String {
    let keys = PublicKeys::from_seed(seed, terms);
    let texts: Vec<String> = keys.iter().map(PublicKeys::text).collect();
    texts.join("\n")
}
