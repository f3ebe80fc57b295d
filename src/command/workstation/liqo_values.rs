//! `liqo-values`: prints the values of Liqo's Helm chart for one cluster, so that Liqo is installed from the document of its peering.

use crate::command::forms::{Side, SideParser};
use crate::command::{Error, Result, Streams};
use crate::input::folder::Folder;
use crate::peering::cluster::Cluster;
use crate::peering::values::{Cidr, LiqoVersion};
use crate::peering::{Peering, Role};
use crate::rules;
use crate::rules::pools::{is_in, usual_pools};
use clap::Args;
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

It prints the cluster's ID and networks, as the document has them; `ipam.pools`, where a network is outside of Liqo's own pools; and \
`ipam.reservedSubnets` with the addresses that gateways dial, which pods of another cluster must not get. `liqoctl install --values` \
takes it, and so does Helm with a --service-cidr. No identity is needed.

Exit codes: 0 done, 1 the document is wrong, 2 usage, 3 the environment (I/O).")]
pub struct LiqoValues {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which cluster: a role, or a cluster's ID
    #[arg(long, value_name = "consumer|provider", value_parser = SideParser)]
    pub role: Side,
    /// The network of its Services, `--service-cluster-ip-range` of its API server: no document has it, and liqoctl reads it itself
    #[arg(long, value_name = "CIDR")]
    pub service_cidr: Option<String>,
    /// Print Argo CD's Application of Liqo's chart, with these values
    #[arg(long, requires = "service_cidr")]
    pub application: bool,
}

pub(crate) fn liqo_values(arguments: &LiqoValues, streams: &mut Streams<'_>) -> Result {
    let peering = rules::read(&Folder::new(&arguments.folder).read_document()?)?;
    let role = arguments.role.role(&peering)?;
    let cluster = peering.clusters.of(role);
    let services = match &arguments.service_cidr {
        Some(text) => Some(read_services(text, cluster)?),
        None => None,
    };
    let values = values(&peering, role, services)?;
    let text = if arguments.application {
        application(&peering, cluster, &values)?
    } else {
        values
    };
    streams.deliver(&text)
}

/// Reads the network of the Services. A cluster has no address twice.
fn read_services(text: &str, cluster: &Cluster) -> Result<Cidr> {
    const FLAG: &str = "--service-cidr";
    let services: Cidr = text
        .parse()
        .map_err(|rule: crate::diagnostic::Rule| Error::flag(FLAG, rule.message))?;
    for (network, what) in cluster.networks() {
        if network.first() <= services.last() && services.first() <= network.last() {
            let reason = format!("{services} meets the cluster's {what} {network}");
            return Err(Error::flag(FLAG, reason));
        }
    }
    Ok(services)
}

/// (liqo `deployments/liqo/values.yaml`, `discovery.config.clusterID` and `ipam`)
fn values(peering: &Peering, role: Role, services: Option<Cidr>) -> Result<String> {
    let cluster = peering.clusters.of(role);
    let Some(pods) = &cluster.pod_cidrs else {
        let reason =
            format!("`spec.{role}.podCIDRs` is not written, and Liqo's chart needs one: write it");
        return Err(Error::flag("FOLDER", reason));
    };
    let pods: Vec<String> = pods.iter().map(ToString::to_string).collect();
    let id = json!(cluster.id.as_str());
    let mut text = format!("discovery:\n  config:\n    clusterID: {id}\nipam:\n");
    text += &match pods.as_slice() {
        // until 1.1 the chart has one network, which later ones read too
        [one] if peering.lowest_liqo() < LiqoVersion::V1_2 => {
            format!("  podCIDR: {}\n", json!(one))
        }
        all => format!("  podCIDRs: {}\n", json!(all)),
    };
    if let Some(external) = &cluster.external_cidr {
        text += &format!("  externalCIDR: {}\n", json!(external.to_string()));
    }
    text += &match services {
        Some(services) => format!("  serviceCIDR: {}\n", json!(services.to_string())),
        None => "  # serviceCIDR: liqoctl reads it from the cluster\n".to_owned(),
    };
    let pools = pools(peering, role, services);
    if pools != usual_pools() {
        text += &format!("  pools: {}\n", json!(texts(&pools)));
    }
    let reserved = reserved(peering, cluster, &pools);
    if !reserved.is_empty() {
        text += &format!("  reservedSubnets: {}\n", json!(reserved));
    }
    Ok(text)
}

fn texts(networks: &[Cidr]) -> Vec<String> {
    networks.iter().map(ToString::to_string).collect()
}

/// Liqo's own pools, and what it takes from a pool only: before 1.2 every network of both clusters, later an external CIDR that is set
/// (liqo v1.0.0 to v1.2.0 `pkg/ipam/ipam.go`, `NetworkAcquire`). Pools do not overlap (`pkg/ipam/core/ipam.go`, `checkRoots`).
fn pools(peering: &Peering, role: Role, services: Option<Cidr>) -> Vec<Cidr> {
    let usual = usual_pools();
    let mut needed: BTreeSet<Cidr> = BTreeSet::new();
    if peering.lowest_liqo() < LiqoVersion::V1_2 {
        for side in Role::BOTH {
            needed.extend(peering.clusters.of(side).networks().map(|it| it.0.value));
        }
        needed.extend(services);
    } else {
        needed.extend(peering.clusters.of(role).external_cidr.map(|it| it.value));
    }
    needed.retain(|network| !is_in(&usual, *network));
    let all: Vec<Cidr> = usual.into_iter().chain(needed).collect();
    let mut pools = all.clone();
    pools.retain(|one| !all.iter().any(|it| it != one && it.contains(*one)));
    pools
}

/// The addresses that the client dials, on both sides: the IPAM could give them to pods of another cluster.
fn reserved(peering: &Peering, cluster: &Cluster, pools: &[Cidr]) -> Vec<String> {
    let client = peering
        .networking
        .as_ref()
        .and_then(|it| it.client.as_ref());
    let mut reserved = Vec::new();
    for address in client.iter().flat_map(|it| it.endpoint.addresses.iter()) {
        let Ok(ip) = address.to_string().parse::<Ipv4Addr>() else {
            continue;
        };
        let is_own = cluster.networks().any(|(network, _)| network.holds(ip));
        if !is_own && pools.iter().any(|pool| pool.holds(ip)) {
            reserved.push(format!("{ip}/32"));
        }
    }
    reserved
}

/// (liqo `docs/installation/install.md`, "ArgoCD")
fn application(peering: &Peering, cluster: &Cluster, values: &str) -> Result<String> {
    let Some(version) = &peering.liqo_version else {
        let reason = "`spec.liqoVersion` is not written: the chart's version follows from it";
        return Err(Error::flag("--application", reason));
    };
    let (id, name) = (&*cluster.id, json!(cluster.argocd_cluster.as_str()));
    let namespace = &cluster.liqo_namespace;
    let mut indented = String::new();
    for line in values.lines() {
        indented += &format!("        {line}\n");
    }
    Ok(format!(
        "apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: liqo-{id}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://helm.liqo.io/
    chart: liqo
    targetRevision: \"{}.*\"
    helm:
      releaseName: liqo
      valuesObject:
{indented}  destination:
    name: {name}
    namespace: {namespace}
  syncPolicy:
    syncOptions: [CreateNamespace=true, ServerSideApply=true]
",
        version.value
    ))
}
