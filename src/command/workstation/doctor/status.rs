//! What Liqo, and the tools that deliver Secrets, report of their objects: each kind has its own reader of the status. Some reports of Liqo
//! are only in an event, and not in a status.

use super::live_side::LiveSide;
use crate::diagnostic::quoted;
use crate::object::live::{
    Check, Client, FabricContext, Finding, GatewayContext, Object, OffloadingContext,
    StatusContext, StoppedPod, warning,
};
use crate::peering::names::GATEWAY_POD;
use crate::peering::observed::{REMOTE, stopped};
use crate::peering::offloading::resource_slice::is_copy;
use crate::state::cluster::Snapshot;
use crate::stream::kinds::live_halves_of;
use std::collections::BTreeSet;

pub(super) fn check_status(side: &LiveSide<'_>) -> Vec<Finding> {
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

/// The names of the objects of a kind; `None` if they were not read.
fn names<'s>(live: &'s Snapshot, kind: &str) -> Option<BTreeSet<&'s str>> {
    let names = live.of_kind(kind).map(Object::name).collect();
    live.has_kind(kind).then_some(names)
}

fn status_context<'s>(side: &'s LiveSide<'_>) -> StatusContext<'s> {
    let gateway = side.gateway().map(|(_, gateway)| gateway);
    let gateway_node = gateway.and_then(|it| it.string("/status/internalEndpoint/node"));
    let pods_of_liqo = side.live.of_kind("Pod").filter(|it| side.is_of_liqo(it));
    let hosts = pods_of_liqo.chain(gateway).map(Object::name).collect();
    let mut nodes = side.live.of_kind("InternalNode");
    StatusContext {
        tenant_namespace: side.tenant_namespace(),
        gateway: GatewayContext {
            client: gateway_client(side),
            dialled: dialled_address(side),
            connection: !side.live.has_kind("Connection")
                || side.objects("Connection").next().is_some(),
            is_connected: is_connected(side),
            pod: stopped_gateway(side),
        },
        fabric: FabricContext {
            gateway_node,
            reaches_nodes: nodes
                .any(|it| Some(it.name()) != gateway_node && it.string(REMOTE).is_some()),
            hosts,
        },
        offloading: OffloadingContext {
            copies: copied_slices(side),
            virtual_nodes: names(side.live, "VirtualNode"),
            nodes: names(side.live, "Node"),
            now: side.now,
        },
    }
}

/// Whether packets of Liqo's own check pass: one Connection of this peering says so.
pub(super) fn is_connected(side: &LiveSide<'_>) -> bool {
    let mut connections = side.objects("Connection");
    connections.any(|connection| connection.text("/status/value") == "Connected")
}

/// The names of this cluster's ResourceSlices that the replicator has copied.
fn copied_slices<'s>(side: &'s LiveSide<'_>) -> Option<BTreeSet<&'s str>> {
    let peer = side.live_peer.filter(|it| it.has_kind("ResourceSlice"))?;
    let namespace = side.peer().tenant_namespace.as_str();
    let mut copied = BTreeSet::new();
    for slice in peer.of_kind("ResourceSlice") {
        if is_copy(slice) && slice.namespace() == namespace {
            copied.insert(slice.name());
        }
    }
    Some(copied)
}

/// The gateway's pod, if it does not run and no other one of this gateway does.
pub(super) fn stopped_gateway(side: &LiveSide<'_>) -> Option<StoppedPod> {
    let mut found = None;
    for pod in gateway_pods(side) {
        let why = stopped(pod, side.now);
        let is_ready = pod.condition("Ready").is_some_and(|(it, _)| it == "True");
        // a container that ends again and again is ready in between
        if is_ready && why.is_none() {
            return None;
        }
        found = found.or(why);
    }
    found
}

/// The pods of this side's gateway.
pub(super) fn gateway_pods<'d>(side: &LiveSide<'d>) -> impl Iterator<Item = &'d Object> + use<'d> {
    let (label, value) = GATEWAY_POD;
    let pods = side.in_tenant_namespace("Pod");
    pods.filter(move |pod| pod.label(label) == Some(value))
}

fn gateway_client(side: &LiveSide<'_>) -> Option<Client> {
    let Some((address, port)) = side.peering.networking.as_ref()?.dialled() else {
        return Some(Client::Pending);
    };
    Some(Client::Dials {
        address: address.to_string(),
        port: port.map(|port| port.get().into()),
    })
}

/// The address that the client dials. Liqo's template always uses UDP.
pub(super) fn dialled_address(side: &LiveSide<'_>) -> Option<String> {
    let networking = side.peering.networking.as_ref()?;
    let (address, port) = networking.dialled()?;
    let port = port?.get();
    let client = &*side.peering.clusters[networking.server.location.peer()].id;
    Some(format!("UDP {address}:{port} from {client}"))
}

/// Why Liqo refuses a key exchange without a retry (liqo `authentication/tenant-controller/tenant_controller.go`, verifyHandshake). An
/// existing certificate works until it ends.
const REFUSALS: [(&str, &str, &str); 3] = [
    (
        "SignatureVerificationFailed",
        "the Tenant's signature does not fit its key and nonce",
        "sync the Application, and of the Secrets labelled `liqo.io/nonce` keep only `liqo-nonce`; if Git has this signature, `argocd-peering authenticate consumer` signs again",
    ),
    (
        "InvalidCSR",
        "the Tenant's request does not fit its key or its cluster",
        "sync the Application; if Git has this request, `argocd-peering authenticate consumer` makes a new one",
    ),
    (
        "NonceNotFound",
        "there is no nonce, or there are several",
        "sync the Application, and of the Secrets labelled `liqo.io/nonce` keep only `liqo-nonce`",
    ),
];

/// The findings from events. An event is kept for an hour, even if its problem is fixed (kubernetes `--event-ttl`).
pub(super) fn check_events(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (reason, message, help) in REFUSALS {
        // only those of Tenants are read
        let events = side.live.of_kind("Event");
        let events = events.filter(|event| event.text("/reason") == reason && side.is_ours(event));
        let Some(event) = events.max_by_key(|&it| event_time(it)) else {
            continue;
        };
        let time = quoted(event_time(event));
        let message = format!("at {time} Liqo reported `{reason}`: {message}");
        let help =
            format!("{help}; then annotate the Tenant to try again. The event stays for an hour");
        let finding = warning(Check::Tenant, message, help);
        let tenant = event.text("/involvedObject/name");
        findings.push(match side.live.named("Tenant", tenant) {
            Some(tenant) => finding.mark(tenant),
            None => finding,
        });
    }
    findings
}

fn event_time(event: &Object) -> &str {
    let time = event.string("/lastTimestamp");
    time.or(event.string("/eventTime")).unwrap_or("?")
}
