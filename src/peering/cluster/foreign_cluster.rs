//! The ForeignCluster: Liqo's summary of the other cluster (liqo `apis/core/v1beta1/foreigncluster_types.go`). Liqo makes one of
//! this name and label as soon as it sees another object of the peering, and works with one that already exists (liqo
//! `foreigncluster-controller/foreigncluster_controller.go`, foreignclusterEnqueuer; the same in 1.0, 1.1 and 1.2). In a stream
//! its health is part of the Application's.

pub(crate) mod live;

use crate::object::{Kind, Manifest, Templated, Wave, fields, kind};
use crate::peering::side::{Side, with};

/// In the last wave: a later one would never begin while it is Suspended, which it is until something is peered, and a sync would
/// fail while it is Degraded.
pub(crate) static KIND: Kind = kind!("ForeignCluster", Wave::Last, "foreign_cluster.yaml.j2", live::LIVE);

/// Liqo makes a deleted one anew while the clusters are peered, so it stays when the Application goes. It has no `Prune=false`:
/// with that, an Application is OutOfSync for good once the object is no longer in its stream.
const STAYS: &str = "Delete=false";

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let meta = side.cluster_object(&*side.peer.id).sync(KIND.wave, Some(STAYS));
    let meta = with(meta, &[Some(side.common), side.own.metadata.foreign_cluster.as_deref()]);
    Templated::manifest(KIND, meta, fields! { peer: side.peer.id })
}
