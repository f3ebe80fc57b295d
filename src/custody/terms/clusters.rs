//! The clusters that terms name: the peerings that a sealed file is for.

use crate::argocd::caller::in_quotes;
use crate::peering::values::{ClusterId, Role, Sides};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Two clusters, in no order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClusterPair(ClusterId, ClusterId);

impl ClusterPair {
    pub(crate) fn new(one: ClusterId, other: ClusterId) -> Self {
        if one <= other {
            Self(one, other)
        } else {
            Self(other, one)
        }
    }

    /// The pair of clusters in two words, if these are two different cluster IDs.
    pub(in crate::custody) fn from_words([one, other]: &[String; 2]) -> Option<Self> {
        two_ids(one, other).map(|(one, other)| Self::new(one, other))
    }

    pub(super) fn words(&self) -> [String; 2] {
        self.ids().map(ToString::to_string)
    }

    /// In alphabetical order.
    pub(crate) const fn ids(&self) -> [&ClusterId; 2] {
        [&self.0, &self.1]
    }

    fn is_of(&self, peering: &Sides<&ClusterId>) -> bool {
        let mut ids = [peering.consumer, peering.provider];
        ids.sort();
        self.ids() == ids
    }
}

impl fmt::Display for ClusterPair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.0, self.1)
    }
}

/// The IDs of two different clusters.
fn two_ids(one: &str, other: &str) -> Option<(ClusterId, ClusterId)> {
    let (one, other) = (one.parse().ok()?, other.parse().ok()?);
    (one != other).then_some((one, other))
}

/// The clusters of a peering with their roles, as JSON and YAML have them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::custody) struct PeeringJson {
    consumer: String,
    provider: String,
}

impl PeeringJson {
    pub(in crate::custody) fn read(&self) -> Option<Sides<ClusterId>> {
        let (consumer, provider) = two_ids(&self.consumer, &self.provider)?;
        Some(Sides { consumer, provider })
    }

    pub(super) fn new(Sides { consumer, provider }: &Sides<ClusterId>) -> Self {
        Self {
            consumer: consumer.to_string(),
            provider: provider.to_string(),
        }
    }
}

/// The clusters of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Clusters {
    /// Any clusters. Only the operator's policy can have this.
    Any,
    /// Pairs in which either cluster may be the consumer. Terms had no roles when these files were sealed.
    Either(Vec<ClusterPair>),
    /// Peerings. It matters which cluster is the consumer, because that decides whose private key a role gets.
    Peerings(Vec<Sides<ClusterId>>),
}

impl Clusters {
    pub(in crate::custody) fn allow(&self, asked: &Sides<&ClusterId>) -> bool {
        match self {
            Self::Any => true,
            Self::Either(pairs) => pairs.iter().any(|pair| pair.is_of(asked)),
            Self::Peerings(peerings) => peerings.iter().any(|peering| {
                peering.consumer == *asked.consumer && peering.provider == *asked.provider
            }),
        }
    }

    /// The pairs of clusters, in their order.
    pub(crate) fn pairs(&self) -> Vec<ClusterPair> {
        match self {
            Self::Any => Vec::new(),
            Self::Either(pairs) => pairs.clone(),
            Self::Peerings(peerings) => peerings
                .iter()
                .map(|Sides { consumer, provider }| {
                    ClusterPair::new(consumer.clone(), provider.clone())
                })
                .collect(),
        }
    }

    pub(crate) fn names(&self, cluster: &ClusterId) -> bool {
        self.pairs()
            .iter()
            .any(|pair| pair.ids().contains(&cluster))
    }

    /// Whether a word names one side: the ID of a cluster in `peerings`, a role in `clusters`.
    pub(super) fn have_side(&self, word: &str) -> bool {
        match self {
            Self::Any | Self::Either(_) => Role::find(word).is_some(),
            Self::Peerings(_) => word.parse().is_ok_and(|cluster| self.names(&cluster)),
        }
    }

    /// Whether a word names the side of this role.
    pub(super) fn has_role(&self, word: &str, role: Role) -> bool {
        match self {
            Self::Any | Self::Either(_) => word == role.word(),
            Self::Peerings(peerings) => peerings
                .iter()
                .any(|peering| peering.of(role).as_str() == word),
        }
    }

    /// The word for the side that asks.
    pub(in crate::custody) fn side<'a>(&self, asked: &Sides<&'a ClusterId>, role: Role) -> &'a str {
        match self {
            Self::Any | Self::Either(_) => role.word(),
            Self::Peerings(_) => asked.of(role).as_str(),
        }
    }

    /// For a log, on one line.
    pub(super) fn line(&self) -> String {
        let words: Vec<String> = match self {
            Self::Any => vec!["any".into()],
            Self::Either(pairs) => pairs
                .iter()
                .map(|pair| {
                    format!(
                        "{} (either may be the consumer)",
                        in_quotes(&pair.to_string())
                    )
                })
                .collect(),
            Self::Peerings(peerings) => peerings
                .iter()
                .map(|Sides { consumer, provider }| {
                    let [consumer, provider] =
                        [consumer, provider].map(|id| in_quotes(id.as_str()));
                    format!("{consumer} (consumer) {provider} (provider)")
                })
                .collect(),
        };
        if words.is_empty() {
            "none".into()
        } else {
            words.join(" ")
        }
    }
}
