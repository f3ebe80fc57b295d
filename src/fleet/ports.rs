//! Node ports of gateways: each one once on a cluster, and one that is in a document stays.

use std::collections::{BTreeMap, BTreeSet};

/// Where the search for a free one begins, and the range of Kubernetes' default `--service-node-port-range`.
const FIRST: u16 = 32_750;
const RANGE: std::ops::RangeInclusive<u16> = 30_000..=32_767;

/// The ports in use, by cluster.
#[derive(Default)]
pub(crate) struct Ports {
    taken: BTreeMap<String, BTreeSet<u16>>,
}

impl Ports {
    /// Takes a port of a cluster. False if another gateway has it.
    pub(crate) fn take(&mut self, cluster: &str, port: u16) -> bool {
        self.taken.entry(cluster.to_owned()).or_default().insert(port)
    }

    /// A free port of a cluster, which is taken then: the first one, if one is left.
    pub(crate) fn free(&mut self, cluster: &str) -> Option<u16> {
        let taken = self.taken.entry(cluster.to_owned()).or_default();
        let port = (FIRST..=*RANGE.end()).chain(*RANGE.start()..FIRST).find(|port| !taken.contains(port));
        taken.extend(port);
        port
    }
}
