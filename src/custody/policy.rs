//! The operator's policy: for whom this Argo CD opens sealed files at all.
//!
//! The owner of a sealed file chooses its terms. The policy is the second opinion, by the operator of the repo-server: a
//! file that only `plugin.yaml` names, outside all repositories. It narrows all terms but `labelDomains`, about which it alone
//! decides.
//!
//! ```yaml
//! apiVersion: argocd-peering/v1alpha1
//! kind: Policy
//! allow:
//!   - projects: [peering-rome=rome, peering-milan=milan]
//!     repos: [https://git.example.org/net/peerings.git]
//!     paths: [peerings/*]
//!     peerings: [{ consumer: rome, provider: milan }] # may be left out
//!     revisions: [main] # may be left out
//! ```

use super::terms::{EMPTY, EntryClusters, EntryFields, Term, TermProblem, TermsEntry};
use crate::diagnostic::reasons;
use crate::input::file::{Links, TextProblem, is_world_writable, load, utf8};
use serde::Deserialize;
use serde_saphyr::{DuplicateKeyPolicy, Error as Unread};
use std::path::Path;

/// Thousands of entries fit.
const POLICY_CAP: u64 = 64 * 1024;

const API_VERSION: &str = "argocd-peering/v1alpha1";
const KIND: &str = "Policy";

/// What an operator allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    entries: Vec<TermsEntry>,
}

const FORM: &str = "it has `apiVersion: argocd-peering/v1alpha1`, `kind: Policy` and `allow`, whose entries have `projects`, `repos` and `paths`; see docs/custody.md";

reasons! {
    /// Why a policy was not accepted. The error quotes nothing: Argo CD shows it to people who need not know the operator's files.
    pub enum PolicyProblem {
        /// The file was not read.
        File(problem: TextProblem)
            error("the policy file: {0}")
            help "the operator mounts it at plugin.yaml's --policy-file";
        /// Others can change the file.
        WorldWritable
            error("the policy file is writable by everyone")
            help "remove others' write access: `chmod o-w`";
        /// The file is in the repository that it is about.
        Inside
            error("the policy file is inside the repository")
            help "keep the policy elsewhere";
        /// The file is not the YAML of a policy.
        Line { line: u64, reason: &'static str }
            error("the policy file, line {line}: {reason}")
            help FORM;
        Other
            error("the policy file does not have `apiVersion: argocd-peering/v1alpha1` and `kind: Policy`")
            help FORM;
        /// The entry has a value that its term cannot have.
        Term { entry: usize, term: Term, rule: &'static str }
            error("the policy file, entry {entry} of `allow`, `{term}`: {rule}")
            help FORM;
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PolicyYaml {
    api_version: String,
    kind: String,
    allow: Vec<EntryFields>,
    /// Earlier policies have `requirePeerings: true`, which all terms meet now.
    #[serde(default)]
    require_peerings: Option<bool>,
}

impl Policy {
    /// Reads a policy file.
    ///
    /// # Errors
    /// When it cannot be read, everyone can write it, or it is not exactly a policy. Then nothing is opened.
    pub fn load(path: &Path) -> Result<Self, PolicyProblem> {
        if is_world_writable(path) {
            return Err(PolicyProblem::WorldWritable);
        }
        let bytes = load(path, POLICY_CAP, Links::Follow).map_err(TextProblem::from);
        let bytes = bytes.map_err(PolicyProblem::File)?;
        Self::parse(utf8(&bytes).map_err(PolicyProblem::File)?)
    }

    /// Reads a policy.
    ///
    /// # Errors
    /// When it is not exactly one: an unknown field could be a condition that an operator relies on.
    pub fn parse(text: &str) -> Result<Self, PolicyProblem> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            duplicate_keys: DuplicateKeyPolicy::Error,
            reject_unsupported_tags: true,
            budget: serde_saphyr::budget! { max_depth: 8, max_nodes: 20_000, max_anchors: 0, max_aliases: 0, max_documents: 1 },
        };
        let yaml = serde_saphyr::from_str_with_options::<PolicyYaml>(text, options);
        let yaml = yaml.map_err(|error| malformed(&error))?;
        let is_policy = yaml.api_version == API_VERSION && yaml.kind == KIND;
        if !is_policy || yaml.require_peerings == Some(false) {
            return Err(PolicyProblem::Other);
        }
        let mut entries = Vec::new();
        for (fields, entry) in yaml.allow.iter().zip(1..) {
            let read = read_entry(fields);
            let wrap = |TermProblem { term, rule }| PolicyProblem::Term { entry, term, rule };
            entries.push(read.map_err(wrap)?);
        }
        Ok(Self { entries })
    }

    /// The entries. A use needs one entry that allows all of it.
    pub(super) fn entries(&self) -> &[TermsEntry] {
        &self.entries
    }
}

/// Reads an entry. An entry that allows nothing is an error. Without clusters, the entry is for any clusters.
fn read_entry(fields: &EntryFields) -> Result<TermsEntry, TermProblem> {
    for term in Term::lists() {
        let rule = match fields.lists.get(&term).map(Vec::as_slice) {
            _ if !term.is_required() => continue,
            None => "it is missing; `\"*\"` allows any",
            Some([]) => EMPTY,
            Some([_, ..]) => continue,
        };
        return Err(TermProblem { term, rule });
    }
    let term = Term::Clusters;
    let mut entry = match fields.clusters() {
        Ok(clusters) => TermsEntry::new(clusters.unwrap_or(EntryClusters::Any)),
        Err(rule) => return Err(TermProblem { term, rule }),
    };
    for (term, written) in &fields.lists {
        entry = match term {
            Term::Paths => entry.with_folders(written)?,
            _ => entry.set(*term, written)?,
        };
    }
    Ok(entry)
}

fn malformed(error: &Unread) -> PolicyProblem {
    let reason = match error {
        Unread::SerdeUnknownField { .. } => "unknown field",
        Unread::SerdeMissingField { .. } => "a field is missing",
        Unread::DuplicateMappingKey { .. } => "duplicate key",
        Unread::Budget { .. } => "anchors, aliases, a second document, or too much",
        _ => "not valid YAML for a policy",
    };
    PolicyProblem::Line {
        line: error.location().map_or(1, |location| location.line()),
        reason,
    }
}

#[cfg(test)]
mod tests;
