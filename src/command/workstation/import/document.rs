//! The document that describes the objects of both sides.

use super::found::{SideObjects, declared_port};
use super::side::Side;
use crate::command::workstation::kubeconfig_report::service_account;
use crate::diagnostic::Bug;
use crate::object::live::{Content, Fields, Object, Yaml};
use crate::peering::authentication::AuthenticationSpec;
use crate::peering::authentication::credential::{identity, keys_exchange};
use crate::peering::draft::{SEED, document_text};
use crate::peering::networking::keys::read_key;
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
    let networking = consumer.has_networking() || provider.has_networking();
    let conventional = format!("{}-{}", consumer.side.id, provider.side.id);
    let liqo = liqo_namespaces(sides);
    let common = if liqo.consumer == liqo.provider {
        liqo.consumer.as_str()
    } else {
        LIQO
    };
    let [own, peer] = Role::BOTH.map(|role| {
        let fields = cluster_fields(&sides[role], &sides[role.peer()], keep);
        fields.unusual("liqoNamespace", Some(liqo[role].as_str()), common)
    });
    let authentication =
        authentication_fields(consumer, provider, keep, "kubeconfig.age", problems);
    let reversed =
        authentication_fields(provider, consumer, keep, "kubeconfig-reverse.age", problems);
    let of_provider = reversed.is_some().then(|| offloading_fields(provider.side));
    let reverse = Fields::default().set("authentication", reversed);
    let reverse = reverse.set("offloading", of_provider);
    let tunnel = networking.then(|| networking_fields(sides, &liqo));
    let seed = Fields::default().set("file", SEED);
    let spec = Fields::default()
        .set("liqoVersion", needs_1_2(sides).then_some("1.2"))
        .unusual("liqoNamespace", Some(common), LIQO)
        .set("seed", (networking && !keep).then_some(seed))
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
    let remote = |network: &str| {
        let place = format!("/spec/remote/cidr/{network}");
        let remote = peer.configuration.map(|it| list(it, &place));
        remote.filter(|it| !it.is_empty())
    };
    let (pods, external) = (remote("pod"), remote("external"));
    let of_secret = own.key_secret.and_then(|it| it.string("/data/publicKey"));
    let of_peer = peer.public_key.and_then(|it| it.string("/spec/publicKey"));
    let mut publics = [of_secret, of_peer].into_iter().flatten();
    let public = publics.find_map(|it| read_key(it).ok());
    // the stream does not have this Secret, so neither its name nor its labels
    let sealed = own.credential.filter(|_| !keep);
    let identity = match (own.identity, sealed) {
        (Some(it), _) => Some((it, names::control_plane_identity(id))),
        (None, sealed) => sealed.map(|it| (it, names::control_plane_kubeconfig(id))),
    };
    let identity = identity.filter(|(it, usual)| it.name() != *usual);
    let identity = identity.map(|(it, _)| match exchange_fields(own, peer) {
        // with a key exchange the field is the Secret's name
        Some(_) => names::identity_kubeconfig(it.name()),
        None => it.name().to_owned(),
    });
    let gateway = own.gateway();
    let names = Fields::default()
        .unusual("gateway", name_of(gateway), &names::gateway(id))
        .unusual("configuration", name_of(own.configuration), id)
        .set("keySecret", own.key_secret_name().as_deref())
        .unusual("publicKey", name_of(own.public_key), names::PUBLIC_KEY)
        .unusual("tenant", name_of(own.tenant), id)
        .unusual(
            "roleBinding",
            name_of(own.role_binding),
            names::ROLE_BINDING,
        )
        .set("identity", identity.as_deref());
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
        .set("podCIDRs", pods.map(Value::Array).as_ref())
        .set("externalCIDR", external.as_ref().and_then(|it| it.first()))
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

fn name_of(object: Option<&Object>) -> Option<&str> {
    object.map(Object::name)
}

fn networking_fields(sides: &Sides<SideObjects<'_>>, liqo: &Sides<String>) -> Fields {
    let location = if sides.consumer.server.is_some() {
        Role::Consumer
    } else {
        Role::Provider
    };
    let server = sides[location].server;
    let client = sides[location.peer()].client;
    let dials = client.and_then(|it| it.find("/spec/endpoint/port"));
    // the document does not have a node port that Kubernetes chose, so it must have the client's
    let dials = dials.filter(|_| dials != server.and_then(declared_port));
    let listening =
        Fields::default().unusual("location", Some(location.word()), Role::Provider.word());
    let listening = server.map(|it| gateway_server::read_back(listening, it, &liqo[location]));
    let dialing = client.map(|it| gateway_client::read_back(it, dials, &liqo[location.peer()]));
    Fields::default()
        .set("mtu", server.or(client).and_then(|it| it.find("/spec/mtu")))
        .set("gatewayServer", listening)
        .set(
            "gatewayClient",
            dialing.map_or_else(|| "pending".yaml(), Content::yaml),
        )
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
        problems.extend(user.identity.or(user.credential).map(|object| {
            format!(
                "{} is a credential for {}, whose Tenant for {} is missing: add it",
                object.with_place(),
                host.side.id,
                user.side.id
            )
        }));
        return None;
    };
    let subject = |place: &str| host.role_binding.and_then(|it| it.string(place));
    let (kind, name) = (subject("/subjects/0/kind"), subject("/subjects/0/name"));
    let namespace = subject("/subjects/0/namespace");
    // Liqo's handshake creates the binding for this user (liqo `pkg/tenantNamespace/bindings.go`)
    let handshake = tenant
        .string("/spec/authzPolicy")
        .is_none_or(|policy| policy == "KeysExchange");
    let elsewhere = namespace.filter(|it| *it != tenant.namespace());
    let subject = match (kind, name, elsewhere) {
        // in RBAC, a ServiceAccount of another namespace is a user like any other (`rules/subject.rs`)
        (Some("ServiceAccount"), Some(name), Some(elsewhere)) => {
            ("User", service_account(elsewhere, name))
        }
        (Some(kind), Some(name), _) => (kind, name.to_owned()),
        _ if handshake => ("User", user.side.id.clone()),
        _ => {
            problems.push(format!("{} needs the RoleBinding of liqo-remote-controlplane in its namespace, which names the credential's subject: add it", tenant.with_place()));
            return None;
        }
    };
    let keys = exchange_fields(user, host);
    let is_exchanged = keys.is_some();
    // Liqo also creates the Secret of such an Identity: its certificate is in AWS (liqo `apis/authentication/v1beta1/identity_types.go`)
    let is_kept = user
        .identity
        .map_or(keep, |it| it.find("/spec/authParams/awsConfig").is_some());
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
    let of_identity = user.identity;
    let of_identity = of_identity.and_then(|it| it.string("/spec/authParams/proxyURL"));
    let proxy = tenant.string("/spec/proxyURL").or(of_identity);
    let (kind, name) = subject;
    let subject = Fields::default()
        .set("kind", kind)
        .set("name", name.as_str());
    let fields = Fields::default()
        .set("subject", (!is_exchanged).then_some(subject))
        .set("credential", credential)
        .read_back::<AuthenticationSpec>(tenant.find("/spec"), &["proxyURL"]);
    Some(fields.set("proxyURL", proxy))
}

/// What one side uses of the other: ResourceSlices, VirtualNodes, namespaces.
fn offloading_fields(user: &Side) -> Fields {
    let objects: Vec<&Object> = user.objects(resource_slice::KIND.live).collect();
    let names: Vec<&str> = objects.iter().map(|it| it.name()).collect();
    let created = user.objects(namespace::WORKLOAD.live);
    let created: BTreeMap<&str, &Object> = created.map(|it| (it.name(), it)).collect();
    let slices = objects.iter();
    let slices = slices.map(|it| resource_slice::read_back(it, &user.peer));
    let nodes = user.objects(virtual_node::KIND.live);
    let nodes = nodes.map(|it| virtual_node::read_back(it, &names));
    let namespaces = user.offloaded();
    let namespaces =
        namespaces.map(|it| namespace::read_back(it, created.get(it.namespace()).copied()));
    Fields::default()
        .set("resourceSlices", filled_list(slices))
        .set("namespaces", filled_list(namespaces))
        .set("virtualNodes", filled_list(nodes))
}

/// A list, if it is not empty.
fn filled_list(items: impl Iterator<Item = Fields>) -> Option<Yaml> {
    let items: Vec<Yaml> = items.map(Yaml::Map).collect();
    (!items.is_empty()).then_some(Yaml::List(items))
}

/// Liqo's namespace on each side: that of its ConfigMap, or of Liqo's own templates that the gateways name. If a side shows neither, the
/// other side's counts.
fn liqo_namespaces(sides: &Sides<SideObjects<'_>>) -> Sides<String> {
    let found = Sides::make(|role| {
        let of_map = sides[role].side.liqo_namespace();
        of_map.or_else(|| namespace_of_template(&sides[role]))
    });
    Sides::make(|role| {
        let either = found[role].as_ref().or(found[role.peer()].as_ref());
        either.cloned().unwrap_or_else(|| LIQO.to_owned())
    })
}

/// The namespace of Liqo's own template that the gateway names.
fn namespace_of_template(side: &SideObjects<'_>) -> Option<String> {
    let gateway = side.gateway()?;
    for kind in ["server", "client"] {
        let template = format!("/spec/{kind}TemplateRef");
        let is_usual = gateway
            .text(&format!("{template}/name"))
            .starts_with("wireguard-");
        let namespace = gateway.string(&format!("{template}/namespace"));
        if let Some(namespace) = namespace.filter(|_| is_usual) {
            return Some(namespace.to_owned());
        }
    }
    None
}

/// Whether an object has a field that exists since Liqo 1.2.
fn needs_1_2(sides: &Sides<SideObjects<'_>>) -> bool {
    let Sides { consumer, provider } = sides;
    [(consumer, provider), (provider, consumer)]
        .into_iter()
        .any(|(own, peer)| {
            let pods = own
                .configuration
                .map(|it| list(it, "/spec/remote/cidr/pod"));
            let has = |field: &str| own.server.is_some_and(|it| it.find(field).is_some());
            exchange_fields(own, peer).is_some()
                || pods.is_some_and(|pods| pods.len() > 1)
                || has("/spec/serviceAnnotations")
                || has("/spec/serviceLabels")
        })
}
