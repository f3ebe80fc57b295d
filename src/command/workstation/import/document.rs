//! The document that describes the objects of both sides.

use super::found::{SideObjects, declared_port, key_at, string_at, value_at};
use super::side::Side;
use crate::command::workstation::kubeconfig_report::service_account;
use crate::diagnostic::Bug;
use crate::object::live::{Content, Fields, Object, Yaml};
use crate::peering::authentication::AuthenticationSpec;
use crate::peering::authentication::credential::{identity, keys_exchange};
use crate::peering::draft::{SEED, document_text};
use crate::peering::networking::{gateway_client, gateway_server};
use crate::peering::offloading::{namespace, resource_slice, virtual_node};
use crate::peering::read_back::{extra, list};
use crate::peering::{Role, Sides, names};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HEAD: &str = "\
# yaml-language-server: $schema=../peering.schema.json
# In the folder above, `argocd-peering schema > peering.schema.json` writes it.
# Made by `argocd-peering import`; docs/howto/adopt-a-live-peering.md has the next steps.
";

/// The usual namespace of Liqo's chart.
const LIQO: &str = "liqo";

/// The document's text. What is missing for it is added to the problems.
pub(super) fn peering_text(
    name: Option<&str>,
    sides: &Sides<SideObjects<'_>>,
    keep: bool,
    problems: &mut Vec<String>,
) -> Result<String, Bug> {
    let Sides { consumer, provider } = sides;
    let conventional = format!("{}-{}", consumer.side.id, provider.side.id);
    let liqo = liqo_namespaces(sides);
    let common = if liqo.consumer == liqo.provider {
        liqo.consumer.as_str()
    } else {
        LIQO
    };
    let own = cluster_fields(consumer, provider, keep);
    let own = own.unusual("liqoNamespace", Some(&liqo.consumer), common);
    let peer = cluster_fields(provider, consumer, keep);
    let peer = peer.unusual("liqoNamespace", Some(&liqo.provider), common);
    let authentication =
        authentication_fields(consumer, provider, keep, "kubeconfig.age", problems);
    let reversed =
        authentication_fields(provider, consumer, keep, "kubeconfig-reverse.age", problems);
    let reverse = reversed.map(|reversed| {
        Fields::default()
            .set("authentication", reversed)
            .set("offloading", offloading_fields(provider.side))
    });
    let tunnel = networking_fields(sides, &liqo);
    let seed = Fields::default().set("file", SEED);
    let spec = Fields::default()
        .set("liqoVersion", needs_1_2(sides).then_some("1.2"))
        .unusual("liqoNamespace", Some(common), LIQO)
        .set("seed", (tunnel.is_some() && !keep).then_some(seed))
        .set("consumer", own)
        .set("provider", peer)
        .set("networking", tunnel)
        .set("authentication", authentication)
        .set("offloading", offloading_fields(consumer.side))
        .set("reverse", reverse);
    let metadata = Fields::default().set("name", name.unwrap_or(&conventional));
    let document = Fields::default()
        .set("apiVersion", "argocd-peering/v1alpha1")
        .set("kind", "Peering")
        .set("metadata", metadata)
        .set("spec", spec);
    document_text(HEAD, &document)
}

fn cluster_fields(own: &SideObjects<'_>, peer: &SideObjects<'_>, keep: bool) -> Fields {
    let id = own.side.peer.as_str();
    let pods = remote_networks(peer.configuration, "pod");
    let pods = (!pods.is_empty()).then_some(Value::Array(pods));
    let external = remote_networks(peer.configuration, "external");
    let of_peer = key_at(peer.public_key, "/spec/publicKey");
    let public = key_at(own.key_secret, "/data/publicKey").or(of_peer);
    let gateway = own.gateway();
    let names = Fields::default()
        .unusual("gateway", gateway.map(Object::name), &names::gateway(id))
        .unusual("configuration", own.configuration.map(Object::name), id)
        .set("keySecret", own.key_secret_name().as_deref())
        .unusual(
            "publicKey",
            own.public_key.map(Object::name),
            names::PUBLIC_KEY,
        )
        .unusual("tenant", own.tenant.map(Object::name), id)
        .unusual(
            "roleBinding",
            own.role_binding.map(Object::name),
            names::ROLE_BINDING,
        )
        .set("identity", identity_name(own, peer, keep).as_deref());
    let metadata = Fields::default()
        .set("tenantNamespace", extra(own.namespace))
        .set("foreignCluster", extra(own.foreign_cluster))
        .set("serviceAccount", extra(own.service_account))
        .set("gateway", extra(gateway))
        .set("configuration", extra(own.configuration))
        .set("publicKey", extra(own.public_key))
        .set("tenant", extra(own.tenant))
        .set("roleBinding", extra(own.role_binding))
        .set("identity", extra(own.identity));
    let tenant_namespace = Some(own.side.tenant_namespace.as_str());
    let delivery = (keep && own.has_networking()).then_some("External");
    Fields::default()
        .set("clusterID", own.side.id.as_str())
        .set("podCIDRs", pods.as_ref())
        .set("externalCIDR", external.first())
        .unusual(
            "tenantNamespace",
            tenant_namespace,
            &names::tenant_namespace(id),
        )
        .set("publicKey", public.as_deref().filter(|_| keep))
        .set("delivery", delivery)
        .set("names", names)
        .set("metadata", metadata)
}

/// The networks of the other cluster in a Configuration.
fn remote_networks(configuration: Option<&Object>, network: &str) -> Vec<Value> {
    let place = format!("/spec/remote/cidr/{network}");
    configuration.map(|it| list(it, &place)).unwrap_or_default()
}

/// The name of the identity, if it is unusual.
fn identity_name(own: &SideObjects<'_>, peer: &SideObjects<'_>, keep: bool) -> Option<String> {
    let id = own.side.peer.as_str();
    let (identity, usual) = match (own.identity, own.credential) {
        (Some(identity), _) => (identity, names::control_plane_identity(id)),
        // the stream does not have a kept Secret, so neither its name nor its labels
        (None, Some(secret)) if !keep => (secret, names::control_plane_kubeconfig(id)),
        _ => return None,
    };
    match (identity.name(), exchange_fields(own, peer)) {
        (name, _) if name == usual => None,
        // with a key exchange the field is the Secret's name
        (name, Some(_)) => Some(names::identity_kubeconfig(name)),
        (name, None) => Some(name.to_owned()),
    }
}

/// The tunnel, if a side has an object of it.
fn networking_fields(sides: &Sides<SideObjects<'_>>, liqo: &Sides<String>) -> Option<Fields> {
    if !sides.consumer.has_networking() && !sides.provider.has_networking() {
        return None;
    }
    let location = if sides.consumer.server.is_some() {
        Role::Consumer
    } else {
        Role::Provider
    };
    let server = sides[location].server;
    let client = sides[location.peer()].client;
    let mut dials = value_at(client, "/spec/endpoint/port");
    // the document does not have a node port that Kubernetes chose, so it must have the client's
    if dials == server.and_then(declared_port) {
        dials = None;
    }
    let listening =
        Fields::default().unusual("location", Some(location.word()), Role::Provider.word());
    let listening = server.map(|it| gateway_server::read_back(listening, it, &liqo[location]));
    let dialing = match client {
        Some(client) => gateway_client::read_back(client, dials, &liqo[location.peer()]).yaml(),
        None => "pending".yaml(),
    };
    let fields = Fields::default()
        .set("mtu", value_at(server.or(client), "/spec/mtu"))
        .set("gatewayServer", listening)
        .set("gatewayClient", dialing);
    Some(fields)
}

/// The key exchange of Liqo, if `host` has completed one with `user` that a document can describe.
fn exchange_fields(user: &SideObjects<'_>, host: &SideObjects<'_>) -> Option<Fields> {
    keys_exchange::read_back(host.tenant?, host.nonce?, user.identity, &user.side.id)
}

/// How `user` authenticates at `host`.
fn authentication_fields(
    user: &SideObjects<'_>,
    host: &SideObjects<'_>,
    keep: bool,
    file: &str,
    problems: &mut Vec<String>,
) -> Option<Fields> {
    let Some(tenant) = host.tenant else {
        if let Some(object) = user.identity.or(user.credential) {
            problems.push(format!(
                "{} is for {}, whose Tenant for {} is missing: add it",
                object.with_place(),
                host.side.id,
                user.side.id
            ));
        }
        return None;
    };
    let Some((kind, name)) = subject(host, tenant, &user.side.id) else {
        problems.push(format!(
            "{} has no RoleBinding of liqo-remote-controlplane in its namespace: add it",
            tenant.with_place()
        ));
        return None;
    };
    let keys = exchange_fields(user, host);
    let is_exchanged = keys.is_some();
    // Liqo also creates the Secret of such an Identity: its certificate is in AWS (liqo `apis/authentication/v1beta1/identity_types.go`)
    let is_kept = match user.identity {
        Some(identity) => identity.find("/spec/authParams/awsConfig").is_some(),
        None => keep,
    };
    let fields = Fields::default();
    let credential = match (user.identity, user.credential) {
        _ if is_exchanged => fields.set("keysExchange", keys).yaml(),
        (None, None) => "pending".yaml(),
        _ if is_kept => fields.set("existingSecret", &json!({})).yaml(),
        (Some(it), _) => fields.set("identity", identity::read_back(it)).yaml(),
        (None, Some(_)) => {
            let kubeconfig = Fields::default().set("file", file);
            fields.set("kubeconfig", kubeconfig).yaml()
        }
    };
    let of_identity = string_at(user.identity, "/spec/authParams/proxyURL");
    let proxy = tenant.string("/spec/proxyURL").or(of_identity);
    let subject = Fields::default()
        .set("kind", kind)
        .set("name", name.as_str());
    let fields = Fields::default()
        .set("subject", (!is_exchanged).then_some(subject))
        .set("credential", credential)
        .read_back::<AuthenticationSpec>(tenant.find("/spec"), &["proxyURL"]);
    Some(fields.set("proxyURL", proxy))
}

/// The subject that the host's RoleBinding names: its kind, and its name.
fn subject<'o>(host: &SideObjects<'o>, tenant: &Object, user: &str) -> Option<(&'o str, String)> {
    let namespace = string_at(host.role_binding, "/subjects/0/namespace");
    let kind = string_at(host.role_binding, "/subjects/0/kind");
    let name = string_at(host.role_binding, "/subjects/0/name");
    match (kind, name, namespace) {
        // in RBAC, a ServiceAccount of another namespace is a user like any other (`rules/subject.rs`)
        (Some("ServiceAccount"), Some(name), Some(namespace))
            if namespace != tenant.namespace() =>
        {
            Some(("User", service_account(namespace, name)))
        }
        (Some(kind), Some(name), _) => Some((kind, name.to_owned())),
        _ => {
            // Liqo's handshake creates the binding for this user (liqo `pkg/tenantNamespace/bindings.go`)
            let policy = tenant.string("/spec/authzPolicy");
            matches!(policy, None | Some("KeysExchange")).then_some(("User", user.to_owned()))
        }
    }
}

/// What one side uses of the other: ResourceSlices, VirtualNodes, namespaces.
fn offloading_fields(user: &Side) -> Fields {
    let (mut slices, mut names) = (Vec::new(), Vec::new());
    for slice in user.objects(resource_slice::KIND.live) {
        slices.push(resource_slice::read_back(slice, &user.peer));
        names.push(slice.name());
    }
    let nodes = user.objects(virtual_node::KIND.live);
    let nodes = nodes.map(|it| virtual_node::read_back(it, &names));
    let mut created_namespaces = BTreeMap::new();
    for namespace in user.objects(namespace::WORKLOAD.live) {
        created_namespaces.insert(namespace.name(), namespace);
    }
    let mut namespaces = Vec::new();
    for offloaded in user.offloaded() {
        let created = created_namespaces.get(offloaded.namespace()).copied();
        namespaces.push(namespace::read_back(offloaded, created));
    }
    Fields::default()
        .set("resourceSlices", filled_list(slices))
        .set("namespaces", filled_list(namespaces))
        .set("virtualNodes", filled_list(nodes.collect()))
}

/// A list, if it is not empty.
fn filled_list(items: Vec<Fields>) -> Option<Yaml> {
    let items: Vec<Yaml> = items.into_iter().map(Yaml::Map).collect();
    (!items.is_empty()).then_some(Yaml::List(items))
}

/// Liqo's namespace on each side: that of its ConfigMap, or of Liqo's own templates that the gateways name. If a side shows neither, the
/// other side's counts.
fn liqo_namespaces(sides: &Sides<SideObjects<'_>>) -> Sides<String> {
    let consumer = liqo_namespace(&sides.consumer);
    let provider = liqo_namespace(&sides.provider);
    let usual = consumer.or(provider).unwrap_or(LIQO);
    Sides {
        consumer: consumer.unwrap_or(usual).to_owned(),
        provider: provider.unwrap_or(usual).to_owned(),
    }
}

fn liqo_namespace<'o>(side: &SideObjects<'o>) -> Option<&'o str> {
    if let Some(namespace) = side.side.liqo_namespace() {
        return Some(namespace);
    }
    let gateway = side.gateway()?;
    for kind in ["server", "client"] {
        let template = format!("/spec/{kind}TemplateRef");
        let name = gateway.text(&format!("{template}/name"));
        if name.starts_with("wireguard-")
            && let Some(namespace) = gateway.string(&format!("{template}/namespace"))
        {
            return Some(namespace);
        }
    }
    None
}

/// Whether an object has a field that exists since Liqo 1.2.
fn needs_1_2(sides: &Sides<SideObjects<'_>>) -> bool {
    let Sides { consumer, provider } = sides;
    let mut both = [(consumer, provider), (provider, consumer)].into_iter();
    both.any(|(own, peer)| {
        exchange_fields(own, peer).is_some()
            || remote_networks(own.configuration, "pod").len() > 1
            || value_at(own.server, "/spec/serviceAnnotations").is_some()
            || value_at(own.server, "/spec/serviceLabels").is_some()
    })
}
