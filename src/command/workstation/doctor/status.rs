//! What Liqo, and the tools that deliver Secrets, report of their objects: each kind has its own reader of the status. Some reports of Liqo
//! are only in an event, and not in a status.

use super::side::Side;
use crate::diagnostic::quoted;
use crate::object::live::{
    Check, Client, FabricContext, Finding, GatewayContext, Object, OffloadingContext,
    StatusContext, StoppedPod, warning,
};
use crate::peering::names::GATEWAY_POD;
use crate::peering::observed::{REMOTE, stopped};
use crate::peering::offloading::resource_slice::is_copy;
use crate::stream::kinds::live_halves_of;
use std::collections::BTreeSet;

pub(super) fn check_status(side: &Side<'_>) -> Vec<Finding> {
    let context = status_context(side);
    let mut findings = Vec::new();
    for object in side.live.objects.iter().filter(|it| side.is_ours(it)) {
        for half in live_halves_of(object) {
            let found = (half.status)(object, &context).into_iter();
            findings.extend(found.map(|it| it.mark(object)));
        }
    }
    findings
}

fn status_context<'s>(side: &'s Side<'_>) -> StatusContext<'s> {
    let [virtual_nodes, nodes] = ["VirtualNode", "Node"].map(|kind| {
        side.live
            .has_kind(kind)
            .then(|| side.live.of_kind(kind).map(Object::name).collect())
    });
    let of_liqo = side
        .live
        .of_kind("Pod")
        .filter(|pod| side.is_of_liqo(pod))
        .map(Object::name);
    let gateway = side.gateway().map(|(_, gateway)| gateway);
    let gateway_node = gateway.and_then(|it| it.string("/status/internalEndpoint/node"));
    let mut internal_nodes = side
        .live
        .of_kind("InternalNode")
        .filter(|it| Some(it.name()) != gateway_node);
    StatusContext {
        tenant_namespace: side.tenant_namespace(),
        gateway: GatewayContext {
            client: client(side),
            dialled: dialled(side),
            connection: !side.live.has_kind("Connection")
                || side.ours("Connection").next().is_some(),
            is_connected: is_connected(side),
            pod: stopped_gateway(side),
        },
        fabric: FabricContext {
            gateway_node,
            reaches_nodes: internal_nodes.any(|it| it.string(REMOTE).is_some()),
            hosts: of_liqo.chain(gateway.map(Object::name)).collect(),
        },
        offloading: OffloadingContext {
            copies: copies(side),
            virtual_nodes,
            nodes,
            now: side.now,
        },
    }
}

/// Whether packets of Liqo's own check pass: one Connection of this peering says so.
pub(super) fn is_connected(side: &Side<'_>) -> bool {
    let mut connections = side.ours("Connection");
    connections.any(|connection| connection.text("/status/value") == "Connected")
}

/// The names of this cluster's ResourceSlices that the replicator has copied.
fn copies<'s>(side: &'s Side<'_>) -> Option<BTreeSet<&'s str>> {
    let live = side.live_peer.filter(|it| it.has_kind("ResourceSlice"))?;
    let namespace = side.peer().tenant_namespace.as_str();
    let there = live
        .of_kind("ResourceSlice")
        .filter(|it| is_copy(it) && it.namespace() == namespace);
    Some(there.map(Object::name).collect())
}

/// The gateway's pod, if it does not run and no other one of this gateway does.
pub(super) fn stopped_gateway(side: &Side<'_>) -> Option<StoppedPod> {
    let is_ready = |pod: &Object| pod.condition("Ready").is_some_and(|(it, _)| it == "True");
    if gateway_pods(side).any(is_ready) {
        return None;
    }
    gateway_pods(side).find_map(stopped)
}

/// The pods of this side's gateway.
pub(super) fn gateway_pods<'s>(side: &'s Side<'_>) -> impl Iterator<Item = &'s Object> {
    let (label, value) = GATEWAY_POD;
    let of_tenant = side
        .live
        .of_kind("Pod")
        .filter(|pod| pod.namespace() == side.tenant_namespace());
    of_tenant.filter(move |pod| pod.label(label) == Some(value))
}

fn client(side: &Side<'_>) -> Option<Client> {
    let dialled = side.peering.networking.as_ref()?.dialled();
    Some(
        dialled.map_or(Client::Pending, |(address, port)| Client::Dials {
            address: address.to_string(),
            port: port.map(|port| port.get().into()),
        }),
    )
}

/// The address that the client dials. Liqo's template always uses UDP.
pub(super) fn dialled(side: &Side<'_>) -> Option<String> {
    let networking = side.peering.networking.as_ref()?;
    let (address, port) = networking.dialled()?;
    let port = port?.get();
    let client = &side.peering.clusters[networking.server.location.peer()]
        .id
        .value;
    Some(format!("UDP {address}:{port} from {client}"))
}

/// Why Liqo refuses a key exchange without a retry (liqo `authentication/tenant-controller/tenant_controller.go`, verifyHandshake). An
/// existing certificate works until it ends.
const REFUSALS: [(&str, &str, &str); 3] = [
    (
        "SignatureVerificationFailed",
        "the Tenant's signature is not that of its key over the nonce",
        "sync the Application, so that the Secret with the label `liqo.io/nonce` and the Tenant are of one commit, and delete another Secret with that label; if Git has what is there, `argocd-peering authenticate consumer` signs again",
    ),
    (
        "InvalidCSR",
        "the Tenant's request does not fit its key or its cluster",
        "sync the Application; if Git has what is there, `argocd-peering authenticate consumer` makes the request again",
    ),
    (
        "NonceNotFound",
        "there is no nonce, or there are several",
        "one Secret of the tenant namespace has the label `liqo.io/nonce`: sync the Application, and delete another one",
    ),
];

/// The findings from events. An event is kept for an hour, even if its problem is fixed (kubernetes `--event-ttl`).
pub(super) fn check_events(side: &Side<'_>) -> Vec<Finding> {
    let of_tenant = |event: &&Object| event.text("/involvedObject/kind") == "Tenant";
    let mut findings = Vec::new();
    for (reason, message, help) in REFUSALS {
        let events = side.live.of_kind("Event").filter(of_tenant);
        let events = events.filter(|it| it.text("/reason") == reason && side.is_ours(it));
        let Some(event) = events.max_by_key(|it| time(it).to_owned()) else {
            continue;
        };
        let message = format!(
            "at {} Liqo reported `{reason}`: {message}",
            quoted(time(event))
        );
        let help = format!(
            "{help}; then annotate the Tenant, so that Liqo looks again: until it has signed, it renews no certificate. The event stays for an hour after it is mended"
        );
        let finding = warning(Check::Tenant, message, help);
        let tenant = side
            .live
            .named("Tenant", event.text("/involvedObject/name"));
        findings.push(match tenant {
            Some(tenant) => finding.mark(tenant),
            None => finding,
        });
    }
    findings
}

fn time(event: &Object) -> &str {
    [event.text("/lastTimestamp"), event.text("/eventTime")]
        .into_iter()
        .find(|it| !it.is_empty())
        .unwrap_or("?")
}
