//! Checks whether a cluster is the one that the document names, with its networks and its Liqo.

use super::quoted;
use super::reading::is_not_liqo;
use super::side::Side;
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::{Check, Finding, error, note};
use crate::peering::observed::NEEDED;
use crate::peering::values::LiqoVersion;
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::{CLUSTER_ID_MAP, MANAGER, minor, of_type, tag};
use std::collections::BTreeSet;

/// The finding that a cluster is not the document's. Nothing else of the cluster is checked then.
pub(super) fn is_another(side: &Side<'_>) -> Option<Finding> {
    let namespace = side.liqo_namespace();
    if is_not_liqo(side.live) {
        let message = format!(
            "Liqo is not on this cluster: `{namespace}` has no ConfigMap `{CLUSTER_ID_MAP}`"
        );
        let help =
            "the context may be another cluster's; you may not see Liqo in another namespace";
        return Some(error(Check::NotLiqo, message, help));
    }
    // (liqo `pkg/consts/clusterid.go`)
    let id = side
        .live
        .of_kind("ConfigMap")
        .next()?
        .text("/data/CLUSTER_ID");
    if id == side.own_cluster().id.as_str() {
        return None;
    }
    let message = format!(
        "the cluster's ID is {}, and the document's {} is `{}`",
        quoted(id),
        side.role,
        &*side.own_cluster().id
    );
    let help = if id == side.peer().id.as_str() {
        "the two contexts are swapped".to_owned()
    } else {
        format!(
            "the context is another cluster's, or correct `spec.{}.clusterID`",
            side.role
        )
    };
    Some(error(Check::AnotherCluster, message, help))
}

pub(super) fn check_cluster(side: &Side<'_>) -> Vec<Finding> {
    namespace(side)
        .into_iter()
        .chain(networks(side))
        .chain(version(side))
        .chain(missing(side))
        .collect()
}

/// Compares the namespace of Liqo with the document's, where the templates of the gateways are.
fn namespace(side: &Side<'_>) -> Option<Finding> {
    let (here, written) = (
        side.liqo_namespace(),
        side.own_cluster().liqo_namespace.as_str(),
    );
    let message = format!(
        "Liqo is in {} on this cluster, and the document has it in `{written}`",
        quoted(here)
    );
    let help = format!(
        "set `spec.{}.liqoNamespace: {here}`: the templates of the gateways are read there",
        side.role
    );
    (here != written).then(|| error(Check::LiqoNamespace, message, help))
}

/// Compares the document's networks with Liqo's own.
fn networks(side: &Side<'_>) -> Vec<Finding> {
    if !side.live.has_kind("Network") {
        return Vec::new();
    }
    let cluster = side.own_cluster();
    let mut findings = Vec::new();
    for fact in &CLUSTER_FACTS {
        let Some((written, _)) = fact.sorted(cluster) else {
            continue;
        };
        let field = fact.field();
        let networks = side
            .live
            .of_kind("Network")
            .filter(|it| it.namespace() == side.liqo_namespace());
        let networks: Vec<_> = of_type(networks, fact.network_type).collect();
        let live: BTreeSet<_> = networks.iter().map(|(_, cidr)| *cidr).collect();
        if written.is_empty() || written.iter().map(String::as_str).eq(live.iter().copied()) {
            continue;
        }
        // a partly removed Liqo has no networks, and `missing` reports that
        if live.is_empty() && !missing(side).is_empty() {
            continue;
        }
        let live: Vec<_> = live.into_iter().map(quoted).collect();
        let found = if live.is_empty() {
            "none".to_owned()
        } else {
            live.join(", ")
        };
        let written = written.join("`, `");
        let message = format!("Liqo has {found}, and the document's `{field}` is `{written}`");
        let help = format!(
            "correct `spec.{}.{field}`: the other cluster routes to it. Liqo before 1.2 does not follow the change: delete the other cluster's Configuration, and Argo CD creates it again",
            side.role
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
pub(super) fn liqo(live: &Snapshot) -> Option<&str> {
    tag(live.named("Deployment", MANAGER)?)
}

fn version(side: &Side<'_>) -> Option<Finding> {
    let deployment = side.live.named("Deployment", MANAGER)?;
    let text = tag(deployment).unwrap_or_default();
    let shown = quoted(text);
    let lowest = side.peering.lowest_liqo();
    let finding = match (text.parse::<LiqoVersion>(), minor(text)) {
        (Ok(live), _) if live < lowest => {
            let message =
                format!("Liqo is {shown}, and the document's `liqoVersion` is `{lowest}`");
            let help = "set `spec.liqoVersion` to the lowest of both clusters: its CRDs drop newer fields without an error";
            error(Check::OldLiqo, message, help)
        }
        (Ok(_), live) if live > minor(&LiqoVersion::NEWEST.to_string()) => {
            let message = format!("Liqo is {shown}, newer than this program knows");
            note(
                Check::NewLiqo,
                message,
                "docs/compatibility.md has what was tested",
            )
        }
        (Ok(_), _) => return None,
        (Err(_), Some(_)) => error(
            Check::OldLiqo,
            format!("Liqo is {shown}, and 1.0 is the oldest with these CRDs"),
            "upgrade Liqo",
        ),
        (Err(_), None) => {
            let message = format!("Liqo's version is not known: its tag is {shown}");
            note(
                Check::NewLiqo,
                message,
                "`helm list` shows what is installed",
            )
        }
    };
    Some(finding.mark(deployment))
}

/// The missing Deployments that Liqo needs (liqo `deployments/liqo/templates`).
fn missing(side: &Side<'_>) -> Vec<Finding> {
    if !side.live.has_kind("Deployment") {
        return Vec::new();
    }
    let namespace = side.liqo_namespace();
    let missing = NEEDED
        .into_iter()
        .filter(|name| side.live.named("Deployment", name).is_none());
    let messages = missing.map(|name| format!("`{namespace}` has no Deployment `{name}`"));
    let help = "Liqo is installed in part: `helm status` shows the release";
    messages
        .map(|message| error(Check::LiqoDown, message, help))
        .collect()
}
