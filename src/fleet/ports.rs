//! Node ports of gateways. Each is used once on a cluster, and a port that is written in a document stays.

use std::collections::BTreeMap;

/// Where the search for a free port begins, and Kubernetes' default `--service-node-port-range`.
const FIRST: u16 = 32_750;
const RANGE: std::ops::RangeInclusive<u16> = 30_000..=32_767;

/// The ports in use, by cluster. Each has the document of its gateway.
#[derive(Default)]
pub(crate) struct Ports {
    taken: BTreeMap<String, BTreeMap<u16, String>>,
}

impl Ports {
    /// Takes a port of a cluster for the gateway of a document.
    ///
    /// # Errors
    /// With the document whose gateway already has the port.
    pub(crate) fn take(&mut self, cluster: &str, port: u16, document: &str) -> Result<(), String> {
        let taken = self.taken.entry(cluster.to_owned()).or_default();
        if let Some(first) = taken.get(&port) {
            return Err(first.clone());
        }
        taken.insert(port, document.to_owned());
        Ok(())
    }

    /// Takes the first free port of a cluster for the gateway of a document. None if all are taken.
    pub(crate) fn free(&mut self, cluster: &str, document: &str) -> Option<u16> {
        let taken = self.taken.entry(cluster.to_owned()).or_default();
        let port = free_port(|port| taken.contains_key(&port));
        taken.extend(port.map(|port| (port, document.to_owned())));
        port
    }
}

/// The first port that is not taken.
pub(crate) fn free_port(is_taken: impl Fn(u16) -> bool) -> Option<u16> {
    (FIRST..=*RANGE.end())
        .chain(*RANGE.start()..FIRST)
        .find(|port| !is_taken(*port))
}
