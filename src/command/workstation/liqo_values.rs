//! `liqo-values`: prints the values of Liqo's Helm chart for one cluster, so that Liqo is installed from the document of its peering.

use crate::command::side_argument::{SideArgument, SideArgumentParser};
use crate::command::workstation::flags::parse_flag;
use crate::command::{Error, Result, Streams};
use crate::input::folder::Folder;
use crate::object::Engine;
use crate::peering::cluster::Cluster;
use crate::peering::values::{Cidr, LiqoVersion};
use crate::peering::{Peering, Role};
use crate::rules::{self, pools::pools_contain, pools::usual_pools};
use clap::Args;
use minijinja::value::Serde;
use serde_json::json;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::path::PathBuf;

/// Print the values with which Liqo is installed on one cluster
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering liqo-values peerings/rome-milan --role rome > rome.yaml
  argocd-peering liqo-values peerings/rome-milan --role rome \\
    --service-cidr 10.96.0.0/12 --application > liqo-rome.yaml

`liqoctl install --values` takes it, with --service-cidr also \
Helm.")]
pub struct LiqoValues {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which cluster: a role, or a cluster's ID
    #[arg(long, value_name = "consumer|provider", value_parser = SideArgumentParser)]
    pub role: SideArgument,
    /// The network of its Services, `--service-cluster-ip-range` of its API server: no document has it, and liqoctl reads it itself
    #[arg(long, value_name = "CIDR")]
    pub service_cidr: Option<String>,
    /// Print Argo CD's Application of Liqo's chart, with these values
    #[arg(long, requires = "service_cidr")]
    pub application: bool,
}

const NO_VERSION: &str = "its chart needs `spec.liqoVersion`: add it";

pub(crate) fn liqo_values(arguments: &LiqoValues, streams: &mut Streams<'_>) -> Result {
    let peering = rules::parse(&Folder::new(&arguments.folder).read_document()?)?;
    let role = arguments.role.role(&peering)?;
    let cluster = &peering.clusters[role];
    let given = arguments.service_cidr.as_deref();
    let services = given.map(|it| read_services(it, cluster)).transpose()?;
    let Some(pods) = &cluster.pod_cidrs else {
        let reason = format!("Liqo's chart needs `spec.{role}.podCIDRs`: add it");
        return Err(Error::flag("FOLDER", reason));
    };
    let version = match &peering.liqo_version {
        _ if !arguments.application => None,
        Some(version) => Some(format!("{}.*", version.value)),
        None => return Err(Error::flag("--application", NO_VERSION)),
    };
    // until 1.1 the chart has one network of pods, which later ones read too
    let (one, all) = match pods.as_slice() {
        [one] if peering.lowest_liqo() < LiqoVersion::V1_2 => (Some(one.to_string()), None),
        _ => (None, Some(to_strings(pods))),
    };
    let pools = chart_pools(&peering, role, services);
    let reserved = dialled_addresses(&peering, cluster, &pools);
    // (liqo `deployments/liqo/values.yaml`); what is null is left out
    let values = json!([
        null,
        "discovery",
        [null, "config", [null, "clusterID", cluster.id.as_str()]],
        "ipam",
        [
            null,
            "podCIDR",
            one,
            "podCIDRs",
            all,
            "externalCIDR",
            cluster.external_cidr.as_ref().map(ToString::to_string),
            "serviceCIDR",
            services.as_ref().map(ToString::to_string),
            "pools",
            (pools != usual_pools()).then_some(to_strings(&pools)),
            "reservedSubnets",
            (!reserved.is_empty()).then_some(reserved),
        ],
    ]);
    let view = json!({
        "version": version,
        "values": values,
        "application": format!("liqo-{}", cluster.id.as_str()),
        "cluster": cluster.argocd_cluster.as_str(),
        "namespace": cluster.liqo_namespace.as_str(),
    });
    let template = include_str!("liqo_values.j2");
    streams.deliver(&Engine::new()?.render("liqo-values", template, Serde(&view))?)
}

fn to_strings(networks: &[impl ToString]) -> Vec<String> {
    networks.iter().map(ToString::to_string).collect()
}

/// Reads the network of the Services. A cluster has no address twice.
fn read_services(text: &str, cluster: &Cluster) -> Result<Cidr> {
    let flag = "--service-cidr";
    let services: Cidr = parse_flag(flag, text)?;
    for (network, what) in cluster.networks() {
        if network.start() <= services.end() && services.start() <= network.end() {
            let reason = format!("{services} meets the cluster's {what} {network}");
            return Err(Error::flag(flag, reason));
        }
    }
    Ok(services)
}

/// Liqo's own pools, and what it takes from a pool only: before 1.2 every network of both clusters, later an external CIDR that is set
/// (liqo v1.0.0 to v1.2.0 `pkg/ipam/ipam.go`, `NetworkAcquire`). Pools do not overlap (`pkg/ipam/core/ipam.go`, `checkRoots`).
fn chart_pools(peering: &Peering, role: Role, services: Option<Cidr>) -> Vec<Cidr> {
    let usual = usual_pools();
    let mut needed: BTreeSet<Cidr> = BTreeSet::new();
    if peering.lowest_liqo() < LiqoVersion::V1_2 {
        for side in Role::BOTH {
            needed.extend(peering.clusters[side].networks().map(|it| it.0.value));
        }
        needed.extend(services);
    } else if let Some(external) = peering.clusters[role].external_cidr {
        needed.insert(external.value);
    }
    needed.retain(|network| !pools_contain(&usual, *network));
    let all: Vec<Cidr> = usual.into_iter().chain(needed).collect();
    let is_widest = |one: &Cidr| !all.iter().any(|it| it != one && it.contains(*one));
    all.iter().copied().filter(is_widest).collect()
}

/// The addresses that the client dials, on both sides: the IPAM could give them to pods of another cluster.
fn dialled_addresses(peering: &Peering, cluster: &Cluster, pools: &[Cidr]) -> Vec<String> {
    let mut reserved = Vec::new();
    let Some(networking) = &peering.networking else {
        return reserved;
    };
    let client = networking.client.iter();
    for address in client.flat_map(|it| it.endpoint.addresses.iter()) {
        if let Ok(ip) = address.to_string().parse::<Ipv4Addr>()
            && !cluster.networks().any(|(network, _)| network.holds(ip))
            && pools.iter().any(|pool| pool.holds(ip))
        {
            reserved.push(format!("{ip}/32"));
        }
    }
    reserved
}
