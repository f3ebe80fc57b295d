//! Node ports of gateways: each one once on a cluster, and one that is in a document stays.

use std::collections::BTreeMap;

/// Where the search for a free one begins, and the range of Kubernetes' default `--service-node-port-range`.
const FIRST: u16 = 32_750;
const RANGE: std::ops::RangeInclusive<u16> = 30_000..=32_767;

/// The ports in use, by cluster, each with the document of its gateway.
#[derive(Default)]
pub(crate) struct Ports {
    taken: BTreeMap<String, BTreeMap<u16, String>>,
}

impl Ports {
    /// Takes a port of a cluster for the gateway of a document.
    ///
    /// # Errors
    /// With the document whose gateway has it.
    pub(crate) fn take(&mut self, cluster: &str, port: u16, document: &str) -> Result<(), String> {
        let taken = self.taken.entry(cluster.to_owned()).or_default();
        if let Some(first) = taken.get(&port) {
            return Err(first.clone());
        }
        taken.insert(port, document.to_owned());
        Ok(())
    }

    /// A free port of a cluster, which is taken then: the first one, if one is left.
    pub(crate) fn free(&mut self, cluster: &str, document: &str) -> Option<u16> {
        let taken = self.taken.entry(cluster.to_owned()).or_default();
        let port = free_port(|port| taken.contains_key(&port));
        taken.extend(port.map(|port| (port, document.to_owned())));
        port
    }
}

/// The first port that is not taken.
pub(crate) fn free_port(is_taken: impl Fn(u16) -> bool) -> Option<u16> {
    (FIRST..=*RANGE.end()).chain(*RANGE.start()..FIRST).find(|port| !is_taken(*port))
}
