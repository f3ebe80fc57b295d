//! The values that Liqo is installed with, against the documents: a cluster's ID and networks are written in both.

use super::applications::Place;
use super::claims::{CLUSTER_FACTS, ClusterFact, Texts};
use crate::diagnostic::{Code, Diagnostic, Invalid, Label, Problems, Rule, Severity, Span, shown_name};
use crate::peering::cluster::Cluster;
use crate::peering::values::{ApiServer, Cidr, Flaw, LiqoVersion};
use crate::peering::{self, Peering, Role};
use crate::rules;
use crate::rules::pools::{is_in, usual_pools};
use crate::state::StateError;
use crate::state::liqo_values::{Said, Values, refused};
use crate::uri::Uri;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;

const EXTERNAL: &str = "ipam.externalCIDR";
const INTERNAL: &str = "ipam.internalCIDR";

/// The keys of what Liqo gives to no other cluster (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
const TAKEN: [&str; 3] = ["ipam.reservedSubnets", "ipam.serviceCIDR", INTERNAL];

/// The internal network of a cluster that sets none (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
const USUAL_INTERNAL: (&str, &str) = (INTERNAL, "10.80.0.0/16");

/// A network that a cluster's Liqo has.
struct Taken {
    key: &'static str,
    network: Cidr,
    place: Span,
    said: Said,
}

/// What values say of documents.
#[derive(Default)]
pub(crate) struct Judgement {
    /// What contradicts them, each with the number of the document.
    pub(crate) found: Vec<(usize, Invalid)>,
    /// Which networks Liqo remaps, a line each.
    pub(crate) remapped: Vec<String>,
}

/// `is_whole`: each document is one of the places, so that a cluster which none has is a mistake in the flag.
///
/// # Errors
/// When no document has the cluster of some values.
pub(crate) fn check(all: &[Values], places: &[Place], is_whole: bool) -> Result<Judgement, StateError> {
    // each document once, and none without values; one that is wrong is reported
    let places = if all.is_empty() { &[][..] } else { places };
    let peerings: Vec<(&Place, Peering)> =
        places.iter().filter_map(|place| Some((place, rules::read(&place.source).ok()?))).collect();
    let mut judgement = Judgement::default();
    for values in all {
        let mut is_named = false;
        for (place, peering) in &peerings {
            for role in Role::BOTH {
                if peering.clusters.of(role).id.as_str() != values.cluster {
                    continue;
                }
                is_named = true;
                let problems = values.contradict(peering, role, &mut judgement.remapped);
                let paths = peering::paths(&place.source, problems.spans());
                let (severity, source) = (Severity::Error, place.source.clone());
                let invalid = Invalid { severity, problems, source, paths };
                judgement.found.extend((!invalid.problems.is_empty()).then_some((place.index, invalid)));
            }
        }
        if !is_named && is_whole {
            return Err(refused(format!("no peering here has the cluster {}", shown_name(&values.cluster))));
        }
    }
    Ok(judgement)
}

impl Values {
    /// What contradicts a cluster as a document has it.
    fn contradict(&self, peering: &Peering, role: Role, remapped: &mut Vec<String>) -> Problems {
        let mut problems = Problems::default();
        let cluster = peering.clusters.of(role);
        for fact in &CLUSTER_FACTS {
            match (fact.helm.iter().find(|key| self.said(key).is_some()), fact.sorted(cluster)) {
                (Some(key), Some(written)) => self.compare(key, written, &mut problems),
                (None, Some(written)) => self.compare_usual(fact, written, &mut problems),
                (_, None) => {}
            }
        }
        self.check_own(cluster, &mut problems);
        self.check_pools(peering, role, &mut problems);
        self.check_remapped(peering, role, remapped, &mut problems);
        problems
    }

    fn compare(&self, key: &str, (written, span): Texts, problems: &mut Problems) {
        let Some(said) = self.said(key) else { return };
        if said.values.iter().map(|it| &it.value).collect::<BTreeSet<_>>() == written.iter().collect() {
            return;
        }
        let message = format!("Liqo has `{key}` {said}, and here it is {}", written.join(", "));
        let help =
            "a cluster has the networks that its Liqo is installed with: correct the one that is wrong";
        problems.push(denied(span, message, help, &said, said.place));
    }

    /// The chart's default, which the IPAM gives unless something of the cluster's own is there.
    fn compare_usual(&self, fact: &ClusterFact, (written, span): Texts, problems: &mut Problems) {
        let Some((usual, network)) = fact.usual.and_then(|it| Some((it, it.parse::<Cidr>().ok()?))) else {
            return;
        };
        let is_free = is_in(&self.pools(), network) && !self.own().iter().any(|it| meet(it.network, network));
        if is_free && written != [usual] {
            let (key, name) = (fact.helm.first().unwrap_or(&""), self.source.name());
            let message = format!(
                "{name} does not set `{key}`, so Liqo has {usual}, and here it is {}",
                written.join(", ")
            );
            let help = "write what the cluster's Network has, or set it in the values";
            problems.refuse(Code::LiqoValues, span, message, help);
        }
    }

    /// What no cluster has: one network for two things, or its API server where the other cluster finds none.
    fn check_own(&self, cluster: &Cluster, problems: &mut Problems) {
        let own = self.own();
        let written = cluster.external_cidr.filter(|_| self.said(EXTERNAL).is_none());
        let written = written.map(|it| (EXTERNAL, it.value));
        for one in &own {
            let others = own.iter().map(|it| (it.key, it.network)).chain(written);
            for (key, network) in others.filter(|it| is_apart(one.key, it.0) && meet(one.network, it.1)) {
                let message = format!(
                    "Liqo has `{}` {}, which meets `{key}` {network}: a cluster has no address twice",
                    one.key, one.network
                );
                let help = "the pods' networks are those of the network plugin, the Services' is the API server's `--service-cluster-ip-range`, and Liqo gives the external and the internal one of what is free";
                let span = match &cluster.external_cidr {
                    Some(external) if key == EXTERNAL => external.span,
                    _ => cluster.pod_cidrs.as_ref().map_or(cluster.id.span, |it| it.span),
                };
                problems.push(denied(span, message, help, &one.said, one.place));
            }
        }
        let Some(said) = self.said("apiServer.address") else { return };
        let Some(host) = said.values.first().map(|it| host(&it.value)) else { return };
        let is_inside = host.parse::<Ipv4Addr>().is_ok_and(|address| {
            let is_used = |key: &str| key == "ipam.serviceCIDR" || key.starts_with("ipam.podCIDR");
            own.iter().any(|it| is_used(it.key) && it.network.holds(address))
        });
        if is_inside || is_own(&host) {
            let message =
                format!("Liqo has `apiServer.address` {said}, an address that only this cluster has");
            let help = "the other cluster reaches no Service and no pod: write the API server's address outside of the cluster";
            problems.push(denied(cluster.id.span, message, help, &said, said.place));
        }
    }

    /// (liqo v1.0.0 to v1.1.2 `pkg/ipam/ipam.go`, `NetworkAcquire` and `NetworkIsAvailable`, refuse what is in no pool; v1.2.0 only
    /// what must be this network and no other cluster may have, which an external or internal CIDR is if it is set)
    fn check_pools(&self, peering: &Peering, role: Role, problems: &mut Problems) {
        let (pools, version) = (self.pools(), self.version(peering));
        let cluster = peering.clusters.of(role);
        let (names, since) = (listed(&pools), if version < LiqoVersion::V1_2 { " before 1.2" } else { "" });
        let is_refused = |it: &&Taken| {
            let is_exclusive = matches!(it.key, EXTERNAL | INTERNAL);
            (version < LiqoVersion::V1_2 || is_exclusive) && !is_in(&pools, it.network)
        };
        for own in self.own().iter().filter(is_refused) {
            let message = format!(
                "Liqo has `{}` {}, which is outside of `ipam.pools` ({names}): Liqo{since} refuses it",
                own.key, own.network
            );
            let help = "add it to `ipam.pools` of this cluster's Liqo";
            problems.push(denied(cluster.id.span, message, help, &own.said, own.place));
        }
        if version >= LiqoVersion::V1_2 {
            return;
        }
        for (key, network) in self.usual().into_iter().filter(|(_, it)| !is_in(&pools, *it)) {
            let message = format!(
                "Liqo has `{key}` {network}, its default, which is outside of `ipam.pools` ({names}): Liqo before 1.2 refuses it"
            );
            let help = format!("set `{key}` to a network of the pools in the values of this cluster's Liqo");
            problems.refuse(Code::LiqoValues, cluster.id.span, message, help);
        }
        let peer = peering.clusters.of(role.peer());
        let networks = peer.pod_cidrs.iter().flat_map(|it| it.iter()).chain(&peer.external_cidr);
        for network in networks.filter(|it| !is_in(&pools, it.value)) {
            let message = format!(
                "{} is outside of `ipam.pools` ({names}) of Liqo on {}: Liqo before 1.2 refuses it",
                network.value,
                shown_name(&self.cluster)
            );
            let help =
                "add it to `ipam.pools` of both clusters' Liqo, or upgrade both to 1.2, which remaps it";
            problems.refuse(Code::LiqoValues, network.span, message, help);
        }
    }

    /// Another cluster's network is exclusive, so it gets other addresses if its own are taken, as long as a pool has a free network
    /// of its size (liqo `pkg/utils/ipam/networks.go`, `NetworkIsExclusive`; `pkg/ipam/networks.go`, `networkAcquire`).
    fn check_remapped(
        &self,
        peering: &Peering,
        role: Role,
        remapped: &mut Vec<String>,
        problems: &mut Problems,
    ) {
        let (pools, peer) = (self.pools(), peering.clusters.of(role.peer()));
        let (given, taken) = (self.given(), self.taken());
        for network in peer.pod_cidrs.iter().flat_map(|it| it.iter()).chain(&peer.external_cidr) {
            let is_given = given.iter().any(|it| meet(*it, network.value));
            let is_outside = !is_in(&pools, network.value);
            if !is_given && !is_outside || is_outside && self.version(peering) < LiqoVersion::V1_2 {
                continue;
            }
            let cluster = shown_name(&self.cluster);
            if !pools.iter().any(|pool| has_free(*pool, network.value.length(), &given)) {
                let message = format!(
                    "Liqo on {cluster} cannot remap {}: `ipam.pools` ({}) has no free /{}",
                    network.value,
                    listed(&pools),
                    network.value.length()
                );
                let help =
                    "add a pool to the values that is large enough, or give the cluster a smaller network";
                problems.refuse(Code::LiqoValues, network.span, message, help);
                continue;
            }
            let id = peer.id.as_str();
            remapped.push(match taken.iter().find(|it| meet(it.network, network.value)) {
                Some(it) => {
                    let place = it.said.line(it.place);
                    let (key, own) = (it.key, it.network);
                    format!(
                        "{place}: Liqo on {cluster} has `{key}` {own}, so it remaps {} of {id}",
                        network.value
                    )
                }
                // the same pods or external CIDR on both clusters are usual
                None if !is_outside => continue,
                None => format!(
                    "{} of {id} is outside of `ipam.pools` of Liqo on {cluster}, so it is remapped",
                    network.value
                ),
            });
        }
    }

    fn version(&self, peering: &Peering) -> LiqoVersion {
        self.version.unwrap_or_else(|| peering.lowest_liqo())
    }

    fn pools(&self) -> Vec<Cidr> {
        match self.said("ipam.pools") {
            Some(said) => said.values.iter().filter_map(|it| it.value.parse().ok()).collect(),
            None => usual_pools(),
        }
    }

    /// What the IPAM has given to the cluster itself.
    fn given(&self) -> Vec<Cidr> {
        let (own, usual) = (self.own().into_iter().map(|it| it.network), self.usual());
        let pools = self.pools();
        own.chain(usual.into_iter().map(|(_, it)| it)).filter(|it| is_in(&pools, *it)).collect()
    }

    /// The chart's networks that are not set.
    fn usual(&self) -> Vec<(&'static str, Cidr)> {
        let facts = CLUSTER_FACTS.iter().filter_map(|it| Some((*it.helm.first()?, it.usual?)));
        let unset = facts.chain([USUAL_INTERNAL]).filter(|&(key, _)| self.networks(key).is_empty());
        unset.filter_map(|(key, network)| Some((key, network.parse().ok()?))).collect()
    }

    /// A network outside the pools is not in the IPAM's tree, so it takes no place there (liqo `pkg/ipam/ipam.go`, `NetworkAcquire`).
    fn taken(&self) -> Vec<Taken> {
        let pools = self.pools();
        TAKEN.into_iter().flat_map(|key| self.networks(key)).filter(|it| is_in(&pools, it.network)).collect()
    }

    /// Every network that is set.
    fn own(&self) -> Vec<Taken> {
        let facts = CLUSTER_FACTS.iter().filter_map(|it| it.helm.iter().find(|key| self.said(key).is_some()));
        facts.chain(&TAKEN).flat_map(|key| self.networks(key)).collect()
    }

    fn networks(&self, key: &'static str) -> Vec<Taken> {
        let Some(said) = self.said(key) else { return Vec::new() };
        let networks = said.values.iter().filter_map(|it| Some((it.value.parse().ok()?, it.span)));
        networks.map(|(network, place)| Taken { key, network, place, said: said.clone() }).collect()
    }
}

/// What the values deny of a document, with the place in both.
fn denied(span: Span, message: String, help: &str, said: &Said, place: Span) -> Diagnostic {
    let label = Label { span: place, text: "Liqo's values".to_owned() };
    Rule::new(Code::LiqoValues, message).help(help).at(span).and_in(&said.source, None, label)
}

fn listed(networks: &[Cidr]) -> String {
    networks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether two networks of a cluster may not meet; of two keys in one order only. What is reserved may be that of its pods or of its
/// Services.
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
    let url = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    Uri::split(&url).authority.host.to_owned()
}

/// Whether a name or an address means the cluster or the machine itself: `kubernetes.default.svc`, `localhost`.
fn is_own(host: &str) -> bool {
    let name = host.trim_end_matches('.').trim_end_matches(".cluster.local");
    let is_own_url = ApiServer::check(&format!("https://{host}")).is_err_and(|flaw| flaw == Flaw::Own);
    is_own_url
        || name.rsplit_once('.').is_some_and(|it| it.1 == "svc")
        || matches!(name, "kubernetes" | "kubernetes.default")
}

/// Whether a network has one of a length that none of these meets: halves, as the IPAM's tree has them (liqo `pkg/ipam/core/node.go`,
/// `allocateNetwork`).
fn has_free(network: Cidr, length: u8, given: &[Cidr]) -> bool {
    let is_met = given.iter().any(|it| meet(*it, network));
    match network.length() {
        own if own > length || given.iter().any(|it| it.contains(network)) => false,
        _ if !is_met => true,
        own if own == length => false,
        _ => network.halves().is_some_and(|halves| halves.into_iter().any(|it| has_free(it, length, given))),
    }
}

fn meet(one: Cidr, other: Cidr) -> bool {
    one.first() <= other.last() && other.first() <= one.last()
}
