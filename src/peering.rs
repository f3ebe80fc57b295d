//! MODEL: what a peering is, divided as Liqo is. Each kind has one file, with its template next to it: its fields as written, their
//! defaults and rules, the object that it becomes, and what that object is in a cluster.
//!
//! A value of [`Peering`] has all defaults filled in, and each value has its place in the document. Both streams are built from the same
//! value, so ports, MTUs, networks, namespaces and keys agree by construction.

pub mod agreement;
pub mod authentication;
pub mod cluster;
mod context;
pub mod delivery;
#[cfg(feature = "workstation")]
pub(crate) mod draft;
pub(crate) mod names;
pub mod networking;
#[cfg(feature = "workstation")]
pub(crate) mod observed;
pub mod offloading;
mod plan;
pub(crate) mod read_back;
mod resolve;
mod side;
pub mod spec;
pub mod values;

pub use plan::Material;
pub use values::{Protection, Role, Sides, State};

use crate::diagnostic::{Invalid, Problems, Source};
use crate::document::{Decode as _, Decoder, Field, Located};
use crate::input::yaml::{self, Node};
use authentication::Authentication;
use authentication::credential::Credential;
use cluster::Cluster;
use delivery::Delivery;
use networking::Networking;
use networking::keys::KeySource;
use offloading::Offloading;
use spec::Document;
pub use spec::schema_text;
use values::{DataKey, FileName, LiqoVersion, Metadata, PeeringName, ProxyUrl, SealedFile};

/// One peering of two clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peering {
    /// The name for people.
    pub name: Located<PeeringName>,
    /// The lowest Liqo on either cluster, if it is written.
    pub liqo_version: Option<Located<LiqoVersion>>,
    /// The sealed seed for both sides.
    pub seed: Option<SealedFile>,
    /// The two clusters.
    pub clusters: Sides<Cluster>,
    /// The networking module, if there is one.
    pub networking: Option<Networking>,
    /// What each cluster uses of the other one, by the cluster that uses it. `consumer` is the peering itself,
    /// `provider` the reverse direction.
    pub directions: Sides<Direction>,
    /// Whether the peering is in use.
    pub state: State,
    /// Whether Argo CD asks before it deletes what the other side needs.
    pub protection: Protection,
    /// Whether both streams have Liqo's summary of the other cluster.
    pub foreign_cluster: bool,
    /// Labels and annotations of every object.
    pub common: Metadata,
}

/// What one cluster uses of the other one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Direction {
    /// The authentication module, if there is one.
    pub authentication: Option<Authentication>,
    /// The offloading module, if there is one.
    pub offloading: Option<Located<Offloading>>,
}

/// A document of the right shape, and the text that it was read from.
pub struct Parsed {
    /// The text that it was read from.
    pub(crate) source: Source,
    root: Node,
    document: Document,
    newer: Vec<Located<&'static Field>>,
}

/// PARSE: the values that are written in a text.
///
/// # Errors
/// With every problem of its shape and of single values.
pub fn parse(source: &Source) -> Result<Parsed, Invalid> {
    let source = source.clone();
    let root = match yaml::parse(source.text()) {
        Ok(root) => root,
        Err(problems) => return Err(Invalid { problems, source }),
    };
    let mut decoder = Decoder::new(spec::places);
    if let Some(problem) = spec::not_a_peering(&root) {
        decoder.problems.push(problem);
    } else if let Some(document) = Document::decode(&root, &mut decoder)
        && decoder.problems.is_empty()
    {
        return Ok(Parsed {
            source,
            root,
            document,
            newer: decoder.newer,
        });
    }
    Err(name_fields(&root, decoder.problems, source))
}

fn name_fields(root: &Node, mut problems: Problems, source: Source) -> Invalid {
    let labels = problems.labels_mut();
    root.name_fields(labels.filter_map(|(other, label)| other.is_none().then_some(label)));
    Invalid { problems, source }
}

impl Parsed {
    /// RESOLVE: the peering that the document describes. `None` if a value makes that impossible. Problems are added in
    /// any case.
    pub fn resolve(&self, problems: &mut Problems) -> Option<Peering> {
        resolve::peering(&self.document, &self.newer, problems)
    }

    /// The document with its problems.
    pub fn invalid(&self, problems: Problems) -> Invalid {
        name_fields(&self.root, problems, self.source.clone())
    }
}

impl Peering {
    /// The lowest Liqo on either cluster. If it is not written, 1.0: every later version has its fields.
    pub fn lowest_liqo(&self) -> LiqoVersion {
        self.liqo_version.map_or(LiqoVersion::V1_0, |it| it.value)
    }

    /// Whether Liqo renews the certificate of an Identity in a side's stream.
    pub fn is_renewed(&self, role: Role) -> bool {
        matches!(self.credential(role), Some(it) if it.handshake().is_some() && it.identity().is_some())
    }

    /// The sealed seed of a side: its own, or the one for both sides.
    pub fn seed_of(&self, role: Role) -> Option<&Located<FileName>> {
        let seed = self.clusters[role].seed.as_ref().or(self.seed.as_ref())?;
        Some(&seed.file)
    }

    /// The source of a side's key, if there is networking.
    pub fn key_source(&self, side: Role) -> Option<&KeySource> {
        Some(&self.networking.as_ref()?.keys[side])
    }

    /// The authentication of a side at the other one, if it uses the other one.
    pub fn authentication(&self, user: Role) -> Option<&Authentication> {
        self.directions[user].authentication.as_ref()
    }

    /// The offloading of a side to the other one.
    pub fn offloading(&self, user: Role) -> Option<&Located<Offloading>> {
        self.directions[user].offloading.as_ref()
    }

    /// The credential that a side uses at the other one now: `None` while the peering is drained.
    pub fn credential(&self, role: Role) -> Option<&Credential> {
        let authentication = self.authentication(role)?;
        (self.state == State::Active).then_some(&authentication.credential)
    }

    /// The credential that a side uses now, if it is in a sealed file: a kubeconfig.
    pub fn sealed_kubeconfig(&self, role: Role) -> Option<&SealedFile> {
        self.credential(role)?.sealed_kubeconfig()
    }

    /// The keys of the data of a side's Secrets. The credential counts even while the peering is drained.
    pub fn secret_keys(&self, role: Role) -> Vec<DataKey> {
        let mut keys = Vec::new();
        if self.networking.is_some() {
            keys.extend([DataKey::PrivateKey, DataKey::PublicKey]);
        }
        if let Some(authentication) = self.authentication(role)
            && authentication.credential.sealed_kubeconfig().is_some()
        {
            keys.push(DataKey::Kubeconfig);
        }
        keys
    }

    /// Whether a side's Secrets are sealed with its seed.
    pub fn seals(&self, role: Role) -> bool {
        self.clusters[role].delivery == Delivery::SealedSecret && !self.secret_keys(role).is_empty()
    }

    /// The proxy through which a side reaches the other one's API server.
    pub fn proxy(&self, role: Role) -> Option<&str> {
        let authentication = self.authentication(role)?;
        authentication.proxy_url.as_ref().map(ProxyUrl::as_str)
    }
}
