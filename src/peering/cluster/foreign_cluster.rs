//! The ForeignCluster: Liqo's summary of the other cluster (liqo `apis/core/v1beta1/foreigncluster_types.go`). Liqo creates one with this
//! name and label as soon as it finds another object of the peering, and uses one that already exists (liqo
//! `foreigncluster-controller/foreigncluster_controller.go`, foreignclusterEnqueuer; the same in 1.0, 1.1 and 1.2). As part of a stream,
//! its health is part of the Application's.

use crate::diagnostic::quoted;
use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{
    Check, Effect, Finding, LiveHalf, Object, StatusContext, effect, warning,
};
use crate::object::{Kind, Manifest, TemplateObject, fields, kind};
use crate::peering::delivery::REFUSED;
use crate::peering::side::{Side, extend};

/// In the last wave, because Argo CD waits for its health. It is Suspended until something is peered, so a later wave would never begin;
/// and while it is Degraded, a sync would fail.
pub(crate) static KIND: Kind = kind!("ForeignCluster", Last, "foreign_cluster", LIVE);

/// It stays when the Application is deleted: while the clusters are peered, Liqo would create it again. It has no `Prune=false`: with that,
/// an Application would be OutOfSync for good once the object is no longer in its stream.
const STAYS: &str = "Delete=false";

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let meta = side
        .cluster_object(&*side.peer.id)
        .sync(KIND.wave, Some(STAYS));
    let extra = side.own.metadata.foreign_cluster.as_deref();
    let meta = extend(meta, &[Some(side.common), extra]);
    TemplateObject::manifest(KIND, meta, fields! { peer: side.peer.id })
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[EFFECTS],
    status,
    ..LiveHalf::new(&["ForeignCluster"], "foreignclusters.core.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // the CRD's rule; the object's name equals the ID
    effect(&["spec.clusterID"], Attention, REFUSED),
    effect(&["metadata.annotations[argocd.argoproj.io/sync-options]"], Harmless, "It stays when the Application is deleted."),
    // LCM/core/foreigncluster-controller/foreigncluster_controller.go:173-233; observed on two whole clusters
    effect(&["+"], Harmless, "Argo CD and Liqo share it. With a health pack, the Application is Degraded without the tunnel."),
    effect(&["-"], Harmless, "Liqo recreates it; the Application no longer shows the tunnel."),
];

/// (liqo `apis/core/v1beta1/foreigncluster_types.go`, ConditionStatusType)
fn status(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let modules = [
        "/modules/networking",
        "/modules/authentication",
        "/modules/offloading",
        "",
    ];
    let mut findings = Vec::new();
    for module in modules {
        for (name, status, why) in object.conditions(&format!("/status{module}/conditions")) {
            if matches!(status, "Error" | "NotReady" | "SomeNotReady" | "Pending") {
                let message = format!("{} is {}{why}", quoted(name), quoted(status));
                let help = "this is Liqo's summary; its subjects are checked too";
                findings.push(warning(Check::ForeignCluster, message, help));
            }
        }
    }
    findings
}
