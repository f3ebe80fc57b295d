//! `inspect`: shows what is in a sealed file, without its secret.

use super::kubeconfig_report::{Credential, date};
use super::list::not_after;
use crate::command::workstation::flags::IdentityFlag;
use crate::command::{Error, Result, Streams};
use crate::custody::keys::{self, Seed};
use crate::custody::{self, Opened, PayloadKind, Term, Terms, TermsEntry};
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

The seed itself is never printed. The public keys are those of key generation 1.")]
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
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Inspected {
    /// `seed`, `kubeconfig`, or `unknown`.
    kind: &'static str,
    /// How many recipients can open it.
    recipients: usize,
    /// The uses that are allowed, each with terms that must all hold. Without any, Argo CD does not open it.
    terms: Vec<Allowed>,
    /// The certificates of sealed-secrets controllers, one a cluster: its ID, the fingerprint, the size of the key, and its end.
    certificates: Vec<Shown>,
    /// Of a seed: both public keys of each pair of clusters that the terms name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    keys: Vec<PublicKeys>,
    /// Of a kubeconfig that can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    credential: Option<Credential>,
    /// Why the secret cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Shown>,
}

/// A use that is allowed.
#[derive(Debug, Serialize, JsonSchema)]
struct Allowed {
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
        let reason = format!(
            "{} is a folder: name one of its sealed files",
            shown_path(path)
        );
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
    fn new(
        Opened {
            payload,
            recipients,
            ..
        }: &Opened,
        file: &Path,
    ) -> Result<Self> {
        let mut inspected = Self {
            kind: payload.kind.map_or("unknown", PayloadKind::word),
            recipients: *recipients,
            terms: Vec::new(),
            certificates: Vec::new(),
            keys: Vec::new(),
            credential: None,
            problem: None,
        };
        let Some(terms) = &payload.terms else {
            return Ok(inspected);
        };
        inspected.terms = terms.entries().iter().map(Allowed::new).collect();
        let certificates = terms.certificates();
        let ends = certificates.values().map(|it| not_after(it.pem()));
        let ends =
            ends.map(|end| end.map_or_else(String::new, |end| format!(", ends on {}", date(end))));
        let lines = custody::certificate_lines(certificates).zip(ends);
        inspected.certificates = lines.map(|(line, end)| (line + &end).into()).collect();
        match payload.kind {
            Some(PayloadKind::Seed) => {
                let name = file.display().to_string();
                let seed = payload
                    .seed()
                    .map_err(|problem| custody::Error::Payload { name, problem })?;
                inspected.keys = keys_of(&seed, terms);
            }
            Some(PayloadKind::Kubeconfig) => match Kubeconfig::parse(&payload.secret) {
                Ok(kubeconfig) => inspected.credential = Some(Credential::new(&kubeconfig, file)),
                Err(problem) => inspected.problem = Some(problem.to_string().into()),
            },
            None => {}
        }
        Ok(inspected)
    }

    fn text(&self, opened: &Opened) -> String {
        let mut text = format!("kind: {}\nrecipients: {}\n", self.kind, self.recipients);
        let Some(terms) = &opened.payload.terms else {
            text += "terms: none, so Argo CD will not open it; `argocd-peering reseal` adds them\n";
            return text;
        };
        text.extend(terms.lines().map(|line| line + "\n"));
        for line in &self.certificates {
            text += &format!("certificate: {}\n", line.as_str());
        }
        text.extend(self.keys.iter().map(PublicKeys::text));
        let credential = self.credential.iter().flat_map(Credential::lines);
        text.extend(credential.map(|line| line + "\n"));
        if let Some(problem) = &self.problem {
            text += &format!("\nit cannot be used: {}\n", problem.as_str());
        }
        text
    }
}

impl Allowed {
    fn new(entry: &TermsEntry) -> Self {
        let values = Term::lists().filter_map(|term| {
            let values: Vec<Shown> = entry
                .listed(term)?
                .iter()
                .map(|value| value.clone().into())
                .collect();
            Some((term.word(), values))
        });
        Self {
            clusters: entry
                .clusters
                .pairs()
                .iter()
                .map(|pair| pair.ids().map(ToString::to_string))
                .collect(),
            values: values.collect(),
        }
    }
}

impl PublicKeys {
    fn text(&self) -> String {
        let ids: Vec<&str> = self.keys.keys().map(String::as_str).collect();
        let mut text = format!(
            "\n{}, key generation {}\n",
            ids.join("/"),
            Generation::FIRST.get()
        );
        for (id, key) in &self.keys {
            text += &format!("  {id}: {}\n", readable(key));
        }
        text
    }
}

/// Both sides' keys of each pair, as `keys` prints them for a peering that was never rotated.
fn keys_of(seed: &Seed, terms: &Terms) -> Vec<PublicKeys> {
    let first = Generation::FIRST;
    let pairs = terms.pairs().into_iter().map(|pair| {
        let [one, other] = pair.ids();
        let keys = [(one, other), (other, one)];
        let keys = keys.map(|(own, peer)| {
            (
                own.to_string(),
                keys::derive(seed, own, peer, first).public().to_string(),
            )
        });
        PublicKeys { keys: keys.into() }
    });
    pairs.collect()
}

/// Both sides' keys of each pair, for people.
pub(super) fn public_keys(seed: &Seed, terms: &Terms) -> String {
    keys_of(seed, terms).iter().map(PublicKeys::text).collect()
}
