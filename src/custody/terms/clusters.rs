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

    /// In alphabetical order.
    pub(crate) const fn ids(&self) -> [&ClusterId; 2] {
        [&self.0, &self.1]
    }
}

impl fmt::Display for ClusterPair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.0, self.1)
    }
}

/// The clusters of a peering with their roles, as JSON and YAML have them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::custody) struct PeeringJson {
    consumer: String,
    provider: String,
}

impl PeeringJson {
    /// The IDs of two different clusters.
    pub(in crate::custody) fn clusters(&self) -> Option<Sides<ClusterId>> {
        let consumer: ClusterId = self.consumer.parse().ok()?;
        let provider = self.provider.parse().ok()?;
        (consumer != provider).then_some(Sides { consumer, provider })
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
pub(crate) enum EntryClusters {
    /// Any clusters. Only the operator's policy can have this.
    Any,
    /// Peerings. It matters which cluster is the consumer, because that decides whose private key a role gets.
    Peerings(Vec<Sides<ClusterId>>),
}

impl EntryClusters {
    /// The peerings; none if any is allowed.
    pub(crate) fn peerings(&self) -> &[Sides<ClusterId>] {
        match self {
            Self::Any => &[],
            Self::Peerings(peerings) => peerings,
        }
    }

    pub(in crate::custody) fn allow(&self, asked: &Sides<&ClusterId>) -> bool {
        let mut peerings = self.peerings().iter();
        *self == Self::Any
            || peerings.any(|it| it.consumer == *asked.consumer && it.provider == *asked.provider)
    }

    /// The pairs of clusters, in their order.
    pub(crate) fn pairs(&self) -> Vec<ClusterPair> {
        let mut pairs = Vec::new();
        for Sides { consumer, provider } in self.peerings() {
            pairs.push(ClusterPair::new(consumer.clone(), provider.clone()));
        }
        pairs
    }

    pub(crate) fn names(&self, cluster: &ClusterId) -> bool {
        let mut peerings = self.peerings().iter();
        peerings.any(|it| it.consumer == *cluster || it.provider == *cluster)
    }

    /// Whether a word names one side: the ID of a cluster, or a role if any clusters are allowed.
    pub(super) fn have_side(&self, word: &str) -> bool {
        match self {
            Self::Any => Role::find(word).is_some(),
            Self::Peerings(_) => matches!(word.parse(), Ok(cluster) if self.names(&cluster)),
        }
    }

    /// Whether a word names the side of this role.
    pub(super) fn has_role(&self, word: &str, role: Role) -> bool {
        match self {
            Self::Any => word == role.word(),
            Self::Peerings(peerings) => peerings.iter().any(|it| it[role].as_str() == word),
        }
    }

    /// The word for the side that asks.
    pub(in crate::custody) fn side<'a>(&self, asked: &Sides<&'a ClusterId>, role: Role) -> &'a str {
        match self {
            Self::Any => role.word(),
            Self::Peerings(_) => asked[role].as_str(),
        }
    }

    /// For a log, on one line.
    pub(super) fn line(&self) -> String {
        if *self == Self::Any {
            return "any".to_owned();
        }
        let mut words = Vec::new();
        for Sides { consumer, provider } in self.peerings() {
            let consumer = in_quotes(consumer.as_str());
            let provider = in_quotes(provider.as_str());
            words.push(format!("{consumer} (consumer) {provider} (provider)"));
        }
        words.join(" ")
    }
}
