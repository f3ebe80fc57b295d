//! The keys of the values of Liqo's chart.

use crate::diagnostic::Span;
use crate::input::yaml::Node;

/// The keys by which values are known as Liqo's.
pub(super) const READ: [&str; 9] = [
    "discovery.config.clusterID",
    "ipam.podCIDRs",
    "ipam.podCIDR",
    "ipam.externalCIDR",
    "ipam.internalCIDR",
    "ipam.serviceCIDR",
    "ipam.reservedSubnets",
    "ipam.pools",
    "apiServer.address",
];

/// Keys that are read in addition. Other charts have such keys too.
pub(super) const SWITCHES: [&str; 5] = [
    "networking.enabled",
    "authentication.enabled",
    "offloading.enabled",
    "authentication.tlsCompatibilityMode",
    "networking.denyDirectConnections",
];

/// The path where Liqo 1.x reads this key, if it is another one. Networks are below `ipam` only; before 1.0, they and the cluster's ID had
/// other names (liqo v0.10.3 `deployments/liqo/values.yaml`, `networkManager.config`, `discovery.config`). Case counts.
fn right_place(path: &[String]) -> Option<&'static str> {
    let [above @ .., last] = path else {
        return None;
    };
    let top = above.first().map_or("", String::as_str);
    let right = match last.to_ascii_lowercase().trim_end_matches('s') {
        "podcidr" => "ipam.podCIDR",
        "servicecidr" => "ipam.serviceCIDR",
        "externalcidr" => "ipam.externalCIDR",
        "internalcidr" => "ipam.internalCIDR",
        "reservedsubnet" => "ipam.reservedSubnets",
        "additionalpool" => "ipam.pools",
        "pool" if top == "ipam" => "ipam.pools",
        "clusterid" | "clusteridoverride" | "clustername" if top == "discovery" => {
            "discovery.config.clusterID"
        }
        _ => return None,
    };
    (!READ.contains(&path.join(".").as_str())).then_some(right)
}

/// A key in a place where Liqo does not read it: its path, its place, and the right path.
pub(super) type Misplaced = (String, Span, &'static str);

/// Collects all misplaced keys, as deep as the document is.
pub(super) fn collect_misplaced(node: &Node, path: &mut Vec<String>, found: &mut Vec<Misplaced>) {
    for (key, value) in node.entries() {
        path.extend(key.text().map(ToOwned::to_owned));
        found.extend(right_place(path).map(|right| (path.join("."), key.span, right)));
        collect_misplaced(value, path, found);
        if key.text().is_some() {
            path.pop();
        }
    }
}
