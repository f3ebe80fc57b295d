//! The table of terms. All other code iterates it, or matches [`Term`] exhaustively. A new term needs a row here, its facts
//! (`custody/authorise.rs`) and its flag (`command/workstation/flags.rs`).

use super::spelling::{delivery, label_domain, literal, namespace, path, repo, subject};
use crate::diagnostic::table;
use std::fmt;

/// What a term is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermSubject {
    /// The clusters of the document.
    Clusters,
    /// Another fact of the document. It also binds a person's own run.
    Document {
        /// The noun of a value in messages.
        noun: &'static str,
        /// What to change in the document; `{side}` is a role.
        way_out: &'static str,
    },
    /// What Argo CD reports of the Application.
    Caller,
}

struct TermRow {
    about: TermSubject,
    /// The field in JSON and in a policy, and the word in every message.
    word: &'static str,
    /// The flag of the commands that seal.
    flag: &'static str,
    /// Whether an entry without the term allows nothing of what the term is about. Otherwise it allows any value: files that were sealed
    /// before the term existed do not have it, and keep their meaning.
    denies_if_absent: bool,
    /// Whether a value can be bound to a side: `NAME=SIDE`.
    sides: bool,
    /// Whether `*` allows any value.
    any: bool,
    /// The normal form of a value without its side, or why the value is not valid.
    spelling: fn(&str) -> Result<String, &'static str>,
}

impl serde::Serialize for Term {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

table! {
    /// A term of a sealed file, or of an operator's policy, in the order in which they are shown and decided.
    #[derive(Hash)]
    pub enum Term: TermRow {
        /// `peerings`, or `clusters` in which either may be the consumer.
        Clusters = TermRow { about: TermSubject::Clusters, word: "clusters", flag: "--clusters", denies_if_absent: true, sides: false, any: false, spelling: |_| Err("clusters are pairs") };
        /// Argo CD's projects, each with the side that it may ask for, or with both.
        Projects = TermRow { about: TermSubject::Caller, word: "projects", flag: "--project", denies_if_absent: true, sides: true, any: true, spelling: literal };
        /// Repositories.
        Repos = TermRow { about: TermSubject::Caller, word: "repos", flag: "--repo", denies_if_absent: true, sides: false, any: true, spelling: repo };
        /// Folders.
        Paths = TermRow { about: TermSubject::Caller, word: "paths", flag: "--path", denies_if_absent: true, sides: false, any: true, spelling: path };
        /// An Application's `targetRevision`.
        Revisions = TermRow { about: TermSubject::Caller, word: "revisions", flag: "--revision", denies_if_absent: false, sides: false, any: true, spelling: literal };
        /// How the secret in the file may reach its cluster.
        Delivery = TermRow { about: DELIVERY, word: "delivery", flag: "--delivery", denies_if_absent: false, sides: false, any: false, spelling: delivery };
        /// The namespaces in which the Secrets with the file's secret are created, each for one side or for both.
        Namespaces = TermRow { about: NAMESPACE, word: "namespaces", flag: "--secret-namespace", denies_if_absent: false, sides: true, any: true, spelling: namespace };
        /// The domains whose keys the labels and annotations of a stream may have, each for one side or for both: controllers can act on them.
        LabelDomains = TermRow { about: LABEL_DOMAINS, word: "labelDomains", flag: "--label-domain", denies_if_absent: true, sides: true, any: false, spelling: label_domain };
        /// The namespaces of workloads that a stream may make, or offload with their Secrets, each for one side or for both.
        Offloads = TermRow { about: OFFLOADS, word: "offloads", flag: "--offload", denies_if_absent: false, sides: true, any: true, spelling: namespace };
        /// Who may get rights by a stream: users, groups, ServiceAccounts, and keys of an exchange.
        LetsIn = TermRow { about: LETS_IN, word: "letsIn", flag: "--lets-in", denies_if_absent: false, sides: false, any: false, spelling: subject };
    }
}

const DELIVERY: TermSubject = TermSubject::Document {
    noun: "delivery",
    way_out: "set `delivery` of `spec.{side}` to one of them (`keys export` delivers as `External`)",
};
const NAMESPACE: TermSubject = TermSubject::Document {
    noun: "namespace",
    way_out: "set `tenantNamespace` of `spec.{side}` to one of them",
};
const LABEL_DOMAINS: TermSubject = TermSubject::Document {
    noun: "label or annotation",
    way_out: "remove this one",
};
const OFFLOADS: TermSubject = TermSubject::Document {
    noun: "offloaded namespace",
    way_out: "offload one of them",
};
const LETS_IN: TermSubject = TermSubject::Document {
    noun: "subject or key",
    way_out: "ask the other cluster's administrator, outside Git, whether this is theirs; if not, restore the old one",
};

impl Term {
    /// The terms with a list of words: all but the clusters.
    pub(crate) fn lists() -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(|term| term.subject() != TermSubject::Clusters)
    }

    /// The term with this field.
    pub(super) fn of_field(field: &str) -> Option<Self> {
        Self::lists()
            .find(|term| term.word() == field || *term == Self::LetsIn && field == "publicKeys")
    }

    pub(crate) const fn subject(self) -> TermSubject {
        self.row().about
    }

    pub const fn word(self) -> &'static str {
        self.row().word
    }

    pub(crate) const fn flag(self) -> &'static str {
        self.row().flag
    }

    /// Whether an entry without this term allows nothing of what the term is about.
    pub(crate) const fn denies_if_absent(self) -> bool {
        self.row().denies_if_absent
    }

    /// Whether Argo CD opens nothing without this term: a policy must have it.
    pub(crate) fn is_required(self) -> bool {
        self.subject() == TermSubject::Caller && self.denies_if_absent()
    }

    /// A value without its side, and the side that it is bound to, if any. Names of Kubernetes objects have no `=`.
    pub(crate) fn name_and_side(self, value: &str) -> (&str, Option<&str>) {
        match value.split_once('=') {
            Some((name, side)) if self.row().sides => (name, Some(side)),
            _ => (value, None),
        }
    }

    pub(super) const fn takes_any(self) -> bool {
        self.row().any
    }

    /// The normal form of a value, without its side.
    pub(crate) fn spelling(self, value: &str) -> Result<String, &'static str> {
        (self.row().spelling)(value)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}
