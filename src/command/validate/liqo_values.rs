//! The values that Liqo is installed with, against the documents: a cluster's ID and networks are written in both.

mod values;

use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{Code, Diagnostic, Invalid, Label, Problems, Rule, Severity, Span, shown_name};
use crate::judge::applications::Place;
use crate::judge::claims::{CLUSTER_FACTS, Texts};
use crate::peering::cluster::Cluster;
use crate::peering::values::Cidr;
use crate::peering::{self, Peering, Role};
use crate::rules;
use std::collections::BTreeSet;
use values::Values;

const FLAG: &str = "--liqo-values";

/// What Liqo's IPAM gives networks of, if its values say nothing else (liqo `deployments/liqo/values.yaml`, `ipam.pools`).
const POOLS: [&str; 3] = ["10.0.0.0/8", "192.168.0.0/16", "172.16.0.0/12"];

/// The keys of what Liqo gives to nobody else (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
const TAKEN: [&str; 2] = ["ipam.reservedSubnets", "ipam.serviceCIDR"];

/// A network that a cluster's Liqo gives to nobody else.
struct Taken {
    key: &'static str,
    network: Cidr,
    place: Span,
}

/// What contradicts the values, each with the number of the document. A document's network that Liqo remaps is a line. `is_whole`:
/// each document is one of the places, so that a cluster which none has is a mistake in the flag.
///
/// # Errors
/// When a file cannot be read or is no such values, or no document has its cluster.
pub(super) fn check(
    flags: &[String],
    places: &[Place],
    is_whole: bool,
    streams: &mut Streams<'_>,
) -> Result<Vec<(usize, Invalid)>, Error> {
    let mut found = Vec::new();
    for flag in flags {
        let values = Values::read(flag)?;
        if CLUSTER_FACTS.iter().flat_map(|it| it.helm).chain(&TAKEN).all(|key| values.said(key).is_none()) {
            let (name, cluster) = (values.source.name(), shown_name(&values.cluster));
            streams.note(&format!(
                "note: {name} sets no network of {cluster}: Liqo's defaults were not compared"
            ));
        }
        let mut is_named = false;
        for place in places {
            // a document that is wrong is reported
            let Ok(peering) = rules::read(&place.source) else { continue };
            for role in Role::BOTH {
                if peering.clusters.of(role).id.as_str() != values.cluster {
                    continue;
                }
                is_named = true;
                let problems = values.contradict(peering.clusters.of(role));
                values.note_remapped(&peering, role, streams);
                let paths = peering::paths(&place.source, problems.spans());
                let (severity, source) = (Severity::Error, place.source.clone());
                let invalid = Invalid { severity, problems, source, paths };
                found.extend((!invalid.problems.is_empty()).then_some((place.index, invalid)));
            }
        }
        if !is_named && is_whole {
            return Err(refused(format!("no peering here has the cluster {}", shown_name(&values.cluster))));
        }
    }
    Ok(found)
}

fn refused(reason: String) -> Error {
    Error::Flag { flag: FLAG, reason }
}

impl Values {
    /// What contradicts a cluster as a document has it.
    fn contradict(&self, cluster: &Cluster) -> Problems {
        let mut problems = Problems::default();
        for fact in &CLUSTER_FACTS {
            let Some(key) = fact.helm.iter().find(|key| self.said(key).is_some()) else { continue };
            self.compare(key, fact.sorted(cluster), &mut problems);
        }
        let Some(external) = &cluster.external_cidr else { return problems };
        for taken in self.taken().into_iter().filter(|it| meet(it.network, external.value)) {
            let message = format!(
                "Liqo has `{}` {}, and the external CIDR {} meets it",
                taken.key, taken.network, external.value
            );
            let help = "Liqo gives only one of them: write the external CIDR that the cluster has, or change the values";
            problems.push(
                self.point(Rule::new(Code::LiqoValues, message).help(help).at(external.span), taken.place),
            );
        }
        problems
    }

    fn compare(&self, key: &str, written: Option<Texts>, problems: &mut Problems) {
        let (Some(said), Some((written, span))) = (self.said(key), written) else { return };
        if said.values.iter().map(|it| &it.value).collect::<BTreeSet<_>>() == written.iter().collect() {
            return;
        }
        let message = format!("Liqo has `{key}` {said}, and here it is {}", written.join(", "));
        let help =
            "a cluster has the networks that its Liqo is installed with: correct the one that is wrong";
        problems.push(self.point(Rule::new(Code::LiqoValues, message).help(help).at(span), said.place));
    }

    /// Adds the place in the values.
    fn point(&self, diagnostic: Diagnostic, place: Span) -> Diagnostic {
        let label = Label { span: place, text: "Liqo's values".to_owned() };
        diagnostic.and_in(&self.source, None, label)
    }

    /// A network outside the pools is not in the IPAM's tree, so it takes no place there (liqo `pkg/ipam/ipam.go`, `NetworkAcquire`).
    fn taken(&self) -> Vec<Taken> {
        let pools = self.pools();
        let of_key =
            |key: &'static str| {
                let values = self.said(key)?.values.into_iter();
                Some(values.filter_map(move |it| {
                    Some(Taken { key, network: it.value.parse().ok()?, place: it.span })
                }))
            };
        let taken = TAKEN.into_iter().filter_map(of_key).flatten();
        taken.filter(|it| is_in(&pools, it.network)).collect()
    }

    fn pools(&self) -> Vec<Cidr> {
        match self.said("ipam.pools") {
            Some(said) => said.values.iter().filter_map(|it| it.value.parse().ok()).collect(),
            None => POOLS.iter().filter_map(|it| it.parse().ok()).collect(),
        }
    }

    /// Another cluster's network is exclusive, so it gets other addresses if its own are taken (liqo `pkg/utils/ipam/networks.go`,
    /// `NetworkIsExclusive`; `pkg/ipam/networks.go`, `networkAcquire`).
    fn note_remapped(&self, peering: &Peering, role: Role, streams: &mut Streams<'_>) {
        let (pools, peer) = (self.pools(), peering.clusters.of(role.peer()));
        let networks = peer.pod_cidrs.iter().flat_map(|it| it.iter()).chain(&peer.external_cidr);
        for network in networks.map(|it| it.value).filter(|it| is_in(&pools, *it)) {
            for taken in self.taken().iter().filter(|it| meet(it.network, network)) {
                let (place, cluster) = (self.line(taken.place), shown_name(&self.cluster));
                streams.note(&format!(
                    "note: {place}: Liqo on {cluster} has `{}` {}, so it remaps {network} of {}",
                    taken.key,
                    taken.network,
                    peer.id.as_str()
                ));
            }
        }
    }
}

fn is_in(pools: &[Cidr], network: Cidr) -> bool {
    pools.iter().any(|pool| pool.contains(network))
}

fn meet(one: Cidr, other: Cidr) -> bool {
    one.first() <= other.last() && other.first() <= one.last()
}
