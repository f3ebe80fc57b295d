//! Liqo's installation values, compared with the documents: both have a cluster's ID and networks.

mod switches;

use super::applications::Place;
use super::claims::{CLUSTER_FACTS, ClusterFact, Texts};
use crate::diagnostic::{
    Code, Diagnostic, Invalid, Label, Problems, Rule, Severity, Span, shown_name,
};
use crate::document::Located;
use crate::peering::cluster::Cluster;
use crate::peering::values::{ApiServer, Cidr, Flaw, LiqoVersion};
use crate::peering::{self, Peering, Role};
use crate::rules;
use crate::rules::pools::{is_in, usual_pools};
use crate::state::StateError;
use crate::state::liqo_values::{Said, Values, line, refused};
use crate::uri::Uri;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;

const EXTERNAL: &str = "ipam.externalCIDR";
const INTERNAL: &str = "ipam.internalCIDR";

/// The keys with networks that Liqo gives to no other cluster (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
const TAKEN: [&str; 3] = ["ipam.reservedSubnets", "ipam.serviceCIDR", INTERNAL];

/// The default internal network (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
const USUAL_INTERNAL: (&str, &str) = (INTERNAL, "10.80.0.0/16");

/// A network in the values of a cluster's Liqo.
struct Taken {
    key: &'static str,
    network: Cidr,
    place: Span,
    said: Said,
}

/// The result of comparing values with documents.
#[derive(Default)]
pub(crate) struct Judgement {
    /// The contradictions, each with the number of the document.
    pub(crate) found: Vec<(usize, Invalid)>,
    /// Notes, one for each line, for example about networks that Liqo remaps.
    pub(crate) notes: Vec<String>,
}

/// Compares values with documents. With `is_whole`, the places have all documents, so a cluster that is in none of them
/// is a mistake in the flag.
///
/// # Errors
/// When the cluster of some values is in no document.
pub(crate) fn check(
    all: &[Values],
    places: &[Place],
    is_whole: bool,
) -> Result<Judgement, StateError> {
    // each document is read once, and none if there are no values; invalid ones are reported elsewhere
    let places = if all.is_empty() { &[][..] } else { places };
    let peerings: Vec<(&Place, Peering)> = places
        .iter()
        .filter_map(|place| Some((place, rules::read(&place.source).ok()?)))
        .collect();
    let mut judgement = Judgement::default();
    for values in all {
        let sides = peerings
            .iter()
            .flat_map(|(place, peering)| Role::BOTH.map(|role| (place, peering, role)));
        let mut sides = sides
            .filter(|it| it.1.clusters.of(it.2).id.as_str() == values.cluster)
            .peekable();
        if sides.peek().is_none() && is_whole {
            return Err(refused(format!(
                "no peering here has the cluster {}",
                shown_name(&values.cluster)
            )));
        }
        for (place, peering, role) in sides {
            let mut beside = Beside::new(values, peering, role);
            judgement
                .notes
                .extend(switches::check(values, peering, role, &mut beside.problems));
            judgement.notes.extend(beside.check());
            let (problems, source) = (beside.problems, place.source.clone());
            let paths = peering::paths(&source, problems.spans());
            let invalid = Invalid {
                severity: Severity::Error,
                problems,
                source,
                paths,
            };
            judgement
                .found
                .extend((!invalid.problems.is_empty()).then_some((place.index, invalid)));
        }
    }
    Ok(judgement)
}

/// The values of a cluster's Liqo, and the cluster in a document.
struct Beside<'v> {
    values: &'v Values,
    cluster: &'v Cluster,
    peer: &'v Cluster,
    version: LiqoVersion,
    pools: Vec<Cidr>,
    /// The networks that are set.
    own: Vec<Taken>,
    /// The chart's default networks that are not set.
    usual: Vec<(&'static str, Cidr)>,
    problems: Problems,
}

impl<'v> Beside<'v> {
    fn new(values: &'v Values, peering: &'v Peering, role: Role) -> Self {
        let set = CLUSTER_FACTS
            .iter()
            .filter_map(|it| it.helm.iter().find(|key| values.said(key).is_some()));
        let facts = CLUSTER_FACTS
            .iter()
            .filter_map(|it| Some((*it.helm.first()?, it.usual?)));
        let unset = facts
            .chain([USUAL_INTERNAL])
            .filter(|(key, _)| networks(values, key).is_empty());
        Self {
            values,
            cluster: peering.clusters.of(role),
            peer: peering.clusters.of(role.peer()),
            version: values.installed().unwrap_or_else(|| peering.lowest_liqo()),
            pools: match values.said("ipam.pools") {
                Some(said) => said
                    .values
                    .iter()
                    .filter_map(|it| it.value.parse().ok())
                    .collect(),
                None => usual_pools(),
            },
            own: set
                .chain(&TAKEN)
                .flat_map(|key| networks(values, key))
                .collect(),
            usual: unset
                .filter_map(|(key, network)| Some((key, network.parse().ok()?)))
                .collect(),
            problems: Problems::default(),
        }
    }

    /// Finds contradictions, and returns notes on networks that are remapped.
    fn check(&mut self) -> Vec<String> {
        for fact in &CLUSTER_FACTS {
            let said = fact
                .helm
                .iter()
                .find_map(|key| Some((*key, self.values.said(key)?)));
            match (said, fact.sorted(self.cluster)) {
                (Some((key, said)), Some(written)) => self.compare(key, &said, written),
                (None, Some(written)) => self.compare_usual(fact, written),
                (_, None) => {}
            }
        }
        self.check_own();
        self.check_address();
        self.check_pools();
        self.of_peer()
            .filter_map(|network| self.remapped(network))
            .collect()
    }

    fn compare(&mut self, key: &str, said: &Said, (written, span): Texts) {
        if said
            .values
            .iter()
            .map(|it| &it.value)
            .collect::<BTreeSet<_>>()
            == written.iter().collect()
        {
            return;
        }
        let message = format!(
            "Liqo has `{key}` {said}, and here it is {}",
            written.join(", ")
        );
        let help = "a cluster has the networks that its Liqo is installed with: correct the one that is wrong";
        self.problems
            .push(denied(span, message, help, said, said.place));
    }

    /// Compares the chart's default, which the IPAM gives unless a network of the cluster itself is there.
    fn compare_usual(&mut self, fact: &ClusterFact, (written, span): Texts) {
        let Some((usual, network)) = fact
            .usual
            .and_then(|it| Some((it, it.parse::<Cidr>().ok()?)))
        else {
            return;
        };
        let is_free =
            is_in(&self.pools, network) && !self.own.iter().any(|it| meet(it.network, network));
        if is_free && written != [usual] {
            let (key, name) = (fact.helm.first().unwrap_or(&""), self.values.source.name());
            let message = format!(
                "{name} does not set `{key}`, so Liqo has {usual}, and here it is {}",
                written.join(", ")
            );
            let help = "write what the cluster's Network has, or set it in the values";
            self.problems.refuse(Code::LiqoValues, span, message, help);
        }
    }

    /// Refuses a network that a cluster uses for two purposes.
    fn check_own(&mut self) {
        let written = self
            .cluster
            .external_cidr
            .filter(|_| self.values.said(EXTERNAL).is_none());
        let written = written.map(|it| (EXTERNAL, it.value));
        for one in &self.own {
            let others = self
                .own
                .iter()
                .map(|it| (it.key, it.network))
                .chain(written);
            for (key, network) in
                others.filter(|it| is_apart(one.key, it.0) && meet(one.network, it.1))
            {
                let message = format!(
                    "Liqo has `{}` {}, which meets `{key}` {network}: a cluster has no address twice",
                    one.key, one.network
                );
                let help = "the pods' networks are those of the network plugin, the Services' is the API server's `--service-cluster-ip-range`, and Liqo gives the external and the internal one of what is free";
                let span = match &self.cluster.external_cidr {
                    Some(external) if key == EXTERNAL => external.span,
                    _ => self
                        .cluster
                        .pod_cidrs
                        .as_ref()
                        .map_or(self.cluster.id.span, |it| it.span),
                };
                self.problems
                    .push(denied(span, message, help, &one.said, one.place));
            }
        }
    }

    /// Refuses an address of the API server that the other cluster cannot reach.
    fn check_address(&mut self) {
        let Some(said) = self.values.said("apiServer.address") else {
            return;
        };
        let Some(host) = said.values.first().map(|it| host(&it.value)) else {
            return;
        };
        let used = self.own.iter();
        let mut used =
            used.filter(|it| it.key == "ipam.serviceCIDR" || it.key.starts_with("ipam.podCIDR"));
        let is_inside = host
            .parse()
            .is_ok_and(|address: Ipv4Addr| used.any(|it| it.network.holds(address)));
        if is_inside || is_own(&host) {
            let message = format!(
                "Liqo has `apiServer.address` {said}, an address that only this cluster has"
            );
            let help = "the other cluster reaches no Service and no pod: write the API server's address outside of the cluster";
            self.problems.push(denied(
                self.cluster.id.span,
                message,
                help,
                &said,
                said.place,
            ));
        }
    }

    /// (liqo v1.0.0 to v1.1.2 `pkg/ipam/ipam.go`, `NetworkAcquire` and `NetworkIsAvailable`, refuse what is in no pool; v1.2.0 only
    /// what must be this network and no other cluster may have, which an external or internal CIDR is if it is set)
    fn check_pools(&mut self) {
        let (is_old, place) = (self.version < LiqoVersion::V1_2, self.cluster.id.span);
        let (names, since) = (listed(&self.pools), if is_old { " before 1.2" } else { "" });
        let outside = self.own.iter().filter(|it| !is_in(&self.pools, it.network));
        for own in outside.filter(|it| is_old || matches!(it.key, EXTERNAL | INTERNAL)) {
            let message = format!(
                "Liqo has `{}` {}, which is outside of `ipam.pools` ({names}): Liqo{since} refuses it",
                own.key, own.network
            );
            let help = "add it to `ipam.pools` of this cluster's Liqo";
            self.problems
                .push(denied(place, message, help, &own.said, own.place));
        }
        if !is_old {
            return;
        }
        for (key, network) in self.usual.iter().filter(|(_, it)| !is_in(&self.pools, *it)) {
            let message = format!(
                "Liqo has `{key}` {network}, its default, which is outside of `ipam.pools` ({names}): Liqo before 1.2 refuses it"
            );
            let help = format!(
                "set `{key}` to a network of the pools in the values of this cluster's Liqo"
            );
            self.problems.refuse(Code::LiqoValues, place, message, help);
        }
        for network in self.of_peer().filter(|it| !is_in(&self.pools, it.value)) {
            let message = format!(
                "{} is outside of `ipam.pools` ({names}) of Liqo on {}: Liqo before 1.2 refuses it",
                network.value,
                shown_name(&self.values.cluster)
            );
            let help = "add it to `ipam.pools` of both clusters' Liqo, or upgrade both to 1.2, which remaps it";
            self.problems
                .refuse(Code::LiqoValues, network.span, message, help);
        }
    }

    /// The note on a network of the other cluster that gets other addresses here. The network is exclusive, so it is remapped if its
    /// addresses are taken, as long as a pool has a free network of its size (liqo `pkg/utils/ipam/networks.go`, `NetworkIsExclusive`;
    /// `pkg/ipam/networks.go`, `networkAcquire`).
    fn remapped(&mut self, network: &Located<Cidr>) -> Option<String> {
        let (is_inside, length) = (is_in(&self.pools, network.value), network.value.length());
        let given = self.given();
        let is_given = given.iter().any(|it| meet(*it, network.value));
        if is_inside && !is_given || !is_inside && self.version < LiqoVersion::V1_2 {
            return None;
        }
        let cluster = shown_name(&self.values.cluster);
        if !self
            .pools
            .iter()
            .any(|pool| has_free(*pool, length, &given))
        {
            let message = format!(
                "Liqo on {cluster} cannot remap {}: `ipam.pools` ({}) has no free /{length}",
                network.value,
                listed(&self.pools)
            );
            let help = "add a pool to the values that is large enough, or give the cluster a smaller network";
            return self
                .problems
                .refused(Code::LiqoValues, network.span, message, help);
        }
        // a network outside of the pools is not in the IPAM's tree, so it takes no addresses there (liqo `pkg/ipam/ipam.go`,
        // `NetworkAcquire`)
        let mut taken = self
            .own
            .iter()
            .filter(|it| TAKEN.contains(&it.key) && is_in(&self.pools, it.network));
        let by = taken.find(|it| meet(it.network, network.value));
        let (id, network) = (self.peer.id.as_str(), network.value);
        match by {
            Some(it) => Some(format!(
                "{}: Liqo on {cluster} has `{}` {}, so it remaps {network} of {id}",
                line(&it.said.source, it.place),
                it.key,
                it.network
            )),
            // it is normal that both clusters have the same pod or external CIDR
            None => (!is_inside).then(|| {
                format!(
                    "{network} of {id} is outside of `ipam.pools` of Liqo on {cluster}, so it is remapped"
                )
            }),
        }
    }

    /// The networks of the other cluster.
    fn of_peer(&self) -> impl Iterator<Item = &'v Located<Cidr>> + use<'v> {
        self.peer.networks().map(|(network, _)| network)
    }

    /// The networks that the IPAM has given to the cluster itself.
    fn given(&self) -> Vec<Cidr> {
        let all = self
            .own
            .iter()
            .map(|it| it.network)
            .chain(self.usual.iter().map(|it| it.1));
        all.filter(|it| is_in(&self.pools, *it)).collect()
    }
}

/// The networks under a key.
fn networks(values: &Values, key: &'static str) -> Vec<Taken> {
    let Some(said) = values.said(key) else {
        return Vec::new();
    };
    let networks = said
        .values
        .iter()
        .filter_map(|it| Some((it.value.parse().ok()?, it.span)));
    networks
        .map(|(network, place)| Taken {
            key,
            network,
            place,
            said: said.clone(),
        })
        .collect()
}

/// The contradiction between the values and a document, with both places.
fn denied(span: Span, message: String, help: &str, said: &Said, place: Span) -> Diagnostic {
    let label = Label {
        span: place,
        text: "Liqo's values".to_owned(),
    };
    Rule::new(Code::LiqoValues, message)
        .help(help)
        .at(span)
        .and_in(&said.source, None, label)
}

fn listed(networks: &[Cidr]) -> String {
    networks
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Whether two networks of a cluster must not overlap; for each pair of keys in one order only. A reserved network may be that of the pods
/// or of the Services.
fn is_apart(one: &str, other: &str) -> bool {
    match other {
        EXTERNAL => one != EXTERNAL,
        INTERNAL => one != INTERNAL && one != EXTERNAL,
        "ipam.serviceCIDR" => one.starts_with("ipam.podCIDR"),
        _ => false,
    }
}

/// The host of `10.96.0.1`, `10.96.0.1:443` or `https://10.96.0.1:443`.
fn host(text: &str) -> String {
    let url = if text.contains("://") {
        text.to_owned()
    } else {
        format!("https://{text}")
    };
    Uri::split(&url).authority.host.to_owned()
}

/// Whether a name or an address means the cluster or the machine itself: `kubernetes.default.svc`, `localhost`.
fn is_own(host: &str) -> bool {
    let name = host
        .trim_end_matches('.')
        .trim_end_matches(".cluster.local");
    let is_own_url =
        ApiServer::check(&format!("https://{host}")).is_err_and(|flaw| flaw == Flaw::Own);
    is_own_url
        || name.rsplit_once('.').is_some_and(|it| it.1 == "svc")
        || matches!(name, "kubernetes" | "kubernetes.default")
}

/// Whether a network contains a free one of this length, which overlaps none of the given networks. The network is halved, as in the IPAM's
/// tree (liqo `pkg/ipam/core/node.go`, `allocateNetwork`).
fn has_free(network: Cidr, length: u8, given: &[Cidr]) -> bool {
    let is_met = given.iter().any(|it| meet(*it, network));
    match network.length() {
        own if own > length || given.iter().any(|it| it.contains(network)) => false,
        _ if !is_met => true,
        own if own == length => false,
        _ => network
            .halves()
            .is_some_and(|halves| halves.into_iter().any(|it| has_free(it, length, given))),
    }
}

fn meet(one: Cidr, other: Cidr) -> bool {
    one.first() <= other.last() && other.first() <= one.last()
}
