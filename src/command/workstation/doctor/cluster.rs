//! Checks whether a cluster is the one that the document names, with its networks and its Liqo.

use super::live_side::LiveSide;
use super::quoted;
use super::snapshots::lacks_liqo;
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::{Check, Finding, error, note};
use crate::peering::observed::NEEDED;
use crate::peering::values::LiqoVersion;
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::{CLUSTER_ID_MAP, MANAGER, cluster_id, minor, of_type, tag};
use std::collections::BTreeSet;

/// The finding that a cluster is not the document's. Nothing else of the cluster is checked then.
pub(super) fn another_cluster(side: &LiveSide<'_>) -> Option<Finding> {
    let LiveSide { live, role, .. } = side;
    if lacks_liqo(live) {
        let namespace = side.liqo_namespace();
        let message = format!(
            "Liqo is not on this cluster: `{namespace}` has no ConfigMap `{CLUSTER_ID_MAP}`"
        );
        let help = format!("use the {role}'s context, or one that can read Liqo's namespace");
        return Some(error(Check::NotLiqo, message, help));
    }
    let id = cluster_id(live)?;
    let own = side.own_cluster().id.as_str();
    if id == own {
        return None;
    }
    let shown = quoted(id);
    let message = format!("the cluster's ID is {shown}, and the document's {role} is `{own}`");
    let help = if id == side.peer().id.as_str() {
        "the two contexts are swapped".to_owned()
    } else {
        format!("use the {role}'s context, or correct `spec.{role}.clusterID`")
    };
    Some(error(Check::AnotherCluster, message, help))
}

pub(super) fn check_cluster(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings: Vec<_> = check_namespace(side).into_iter().collect();
    findings.extend(check_networks(side));
    findings.extend(check_version(side));
    findings.extend(check_deployments(side));
    findings
}

/// Compares the namespace of Liqo with the document's, where the templates of the gateways are.
fn check_namespace(side: &LiveSide<'_>) -> Option<Finding> {
    let written = side.own_cluster().liqo_namespace.as_str();
    let (live, role) = (side.liqo_namespace(), side.role);
    if live == written {
        return None;
    }
    let shown = quoted(live);
    let message = format!("Liqo is in {shown} here, and in `{written}` in the document");
    let help = format!("set `spec.{role}.liqoNamespace: {live}`");
    Some(error(Check::LiqoNamespace, message, help))
}

/// Compares the document's networks with Liqo's own.
fn check_networks(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !side.live.has_kind("Network") {
        return findings;
    }
    for fact in &CLUSTER_FACTS {
        let networks = side.live.of_kind("Network");
        let networks = networks.filter(|it| it.namespace() == side.liqo_namespace());
        let networks: Vec<_> = of_type(networks, fact.network_type).collect();
        let live: BTreeSet<&str> = networks.iter().map(|(_, cidr)| *cidr).collect();
        let (written, _) = fact.sorted(side.own_cluster()).unwrap_or_default();
        let is_same = written.iter().map(String::as_str).eq(live.iter().copied());
        // a partly removed Liqo has no networks, and `check_deployments` reports that
        if written.is_empty() || is_same || live.is_empty() && !check_deployments(side).is_empty() {
            continue;
        }
        let live: Vec<_> = live.into_iter().map(quoted).collect();
        let message = format!(
            "Liqo has {}, and the document's `{}` is `{}`",
            if live.is_empty() {
                "none".to_owned()
            } else {
                live.join(", ")
            },
            fact.field(),
            written.join("`, `")
        );
        let help = format!(
            "correct `spec.{}.{}`; before Liqo 1.2, also delete its Configuration: Argo CD recreates it",
            side.role,
            fact.field()
        );
        let finding = error(Check::Networks, message, help);
        findings.push(match networks.first() {
            Some((network, _)) => finding.mark(network),
            None => finding,
        });
    }
    findings
}

/// The tag of Liqo's controller manager, which is its version (liqo `deployments/liqo/templates/_helpers.tpl`).
pub(super) fn liqo_version(live: &Snapshot) -> Option<&str> {
    tag(live.named("Deployment", MANAGER)?)
}

fn check_version(side: &LiveSide<'_>) -> Option<Finding> {
    let deployment = side.live.named("Deployment", MANAGER)?;
    let text = tag(deployment).unwrap_or_default();
    let shown = quoted(text);
    let lowest = side.peering.lowest_liqo();
    let finding = match (text.parse::<LiqoVersion>(), minor(text)) {
        (Ok(live), _) if live < lowest => error(
            Check::OldLiqo,
            format!("Liqo is {shown}, and the document's `liqoVersion` is `{lowest}`"),
            "set `spec.liqoVersion` to the lower version: CRDs drop newer fields",
        ),
        (Ok(_), live) if live > minor(&LiqoVersion::NEWEST.to_string()) => note(
            Check::NewLiqo,
            format!("Liqo is {shown}, newer than this program knows"),
            "see docs/compatibility.md",
        ),
        (Ok(_), _) => return None,
        (Err(_), Some(_)) => error(
            Check::OldLiqo,
            format!("Liqo is {shown}, and these CRDs begin with 1.0"),
            "upgrade Liqo",
        ),
        (Err(_), None) => note(
            Check::NewLiqo,
            format!("Liqo's version is unknown: its tag is {shown}"),
            "`helm list` shows what is installed",
        ),
    };
    Some(finding.mark(deployment))
}

/// The missing Deployments that Liqo needs (liqo `deployments/liqo/templates`).
fn check_deployments(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in NEEDED {
        if side.live.has_kind("Deployment") && side.live.named("Deployment", name).is_none() {
            let message = format!("`{}` has no Deployment `{name}`", side.liqo_namespace());
            let help = "Liqo is partly installed: `helm status` shows the release";
            findings.push(error(Check::LiqoDown, message, help));
        }
    }
    findings
}
