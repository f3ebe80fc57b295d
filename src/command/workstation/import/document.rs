//! The document that the objects of both sides come from.

mod offloading;

use super::found::{Found, answers_at};
use super::manifest::{is_object, list, public};
use super::yaml::{Content as _, Fields};
use crate::cli::Secrets;
use crate::object::live::Live;
use crate::peering::names;
use crate::peering::values::reserved;
use crate::peering::values::{Role, Sides};
use serde_json::{Value, json};

const HEAD: &str = "\
# yaml-language-server: $schema=../peering.schema.json
# In the folder above, `argocd-peering schema > peering.schema.json` writes what your editor reads for this line.
# Made by `argocd-peering import`; docs/howto/adopt-a-live-peering.md has the next steps.
";

const KEPT: &str = "The private keys stay in the clusters, in the Secrets that `names.keySecret` names. Nothing in Git holds them.";
const NEW_KEYS: &str = "New keys, from a seed that `argocd-peering seed new` makes. A Secret with a fixed name does not restart its gateway:
restart both after the first sync.";

/// The document's text. What is missing for it is added to the problems.
pub(super) fn text(
    name: Option<&str>,
    sides: &Sides<Found<'_>>,
    secrets: Secrets,
    problems: &mut Vec<String>,
) -> String {
    let Sides { consumer, provider } = sides;
    let networking = consumer.has_networking() || provider.has_networking();
    let conventional = format!("{}-{}", consumer.side.id, provider.side.id);
    let liqo_namespace = liqo_namespace(sides);
    let keep = secrets == Secrets::Keep;
    let cluster = |role: Role, comment| cluster(sides.of(role), sides.of(role.peer()), keep, comment);
    let authentication = authentication(consumer, provider, keep, "kubeconfig.age", problems);
    let reverse = self::authentication(provider, consumer, keep, "kubeconfig-reverse.age", problems);
    let reverse = reverse.map(|authentication| {
        Fields::default()
            .with("authentication", authentication)
            .with("offloading", offloading::fields(provider.side))
    });
    let seed = Fields::default().with("file", "peering.seed.age");
    let spec = Fields::default()
        .because("the lowest Liqo that has these fields", "liqoVersion", needs_1_2(sides).then_some("1.2"))
        .unusual("liqoNamespace", Some(&liqo_namespace), "liqo")
        .because(NEW_KEYS, "seed", (networking && !keep).then_some(seed))
        .with("consumer", cluster(Role::Consumer, KEPT))
        .with("provider", cluster(Role::Provider, ""))
        .with("networking", networking.then(|| tunnel(sides, &liqo_namespace)))
        .with("authentication", authentication)
        .with("offloading", offloading::fields(consumer.side))
        .with("reverse", reverse);
    let document = Fields::default()
        .with("apiVersion", "argocd-peering/v1alpha1")
        .with("kind", "Peering")
        .with("metadata", Fields::default().with("name", name.unwrap_or(&conventional)))
        .with("spec", spec);
    let mut text = HEAD.to_owned();
    document.write(0, &mut text);
    text
}

fn cluster(own: &Found<'_>, peer: &Found<'_>, keep: bool, comment: &'static str) -> Fields {
    let id = own.side.peer.as_str();
    let networks = |network: &str| {
        let remote = peer.configuration.map(|it| list(it, &format!("/spec/remote/cidr/{network}")));
        remote.filter(|it| !it.is_empty())
    };
    let public = own.key_secret.and_then(self::public);
    let public = public.or_else(|| peer.public_key.and_then(|it| it.string("/spec/publicKey")));
    let name = |object: Option<&Live>| object.map(|it| it.name().to_owned());
    // a Secret that is not in the stream has neither a name nor labels there
    let credential = own.identity.map(|it| (it, format!("controlplane-{id}")));
    let sealed = own.credential.filter(|_| !keep).map(|it| (it, format!("kubeconfig-controlplane-{id}")));
    let credential = credential.or(sealed);
    let names = Fields::default()
        .unusual("gateway", name(own.gateway()).as_deref(), id)
        .unusual("configuration", name(own.configuration).as_deref(), id)
        .with("keySecret", own.key_secret_name().as_deref())
        .unusual("publicKey", name(own.public_key).as_deref(), names::PUBLIC_KEY)
        .unusual("tenant", name(own.tenant).as_deref(), id)
        .unusual("roleBinding", name(own.role_binding).as_deref(), names::ROLE_BINDING)
        .with(
            "identity",
            credential.as_ref().filter(|(it, usual)| it.name() != *usual).map(|(it, _)| it.name()),
        );
    let metadata = Fields::default()
        .with("tenantNamespace", extra(own.namespace))
        .with("serviceAccount", extra(own.service_account))
        .with("gateway", extra(own.gateway()))
        .with("configuration", extra(own.configuration))
        .with("publicKey", extra(own.public_key))
        .with("tenant", extra(own.tenant))
        .with("roleBinding", extra(own.role_binding))
        .with("identity", extra(own.identity));
    let external = networks("external");
    Fields::default()
        .with("clusterID", own.side.id.as_str())
        .with("podCIDRs", networks("pod").map(Value::Array).as_ref())
        .with("externalCIDR", external.as_ref().and_then(|it| it.first()))
        .unusual("tenantNamespace", Some(&own.side.tenant_namespace), &format!("liqo-tenant-{id}"))
        .because(comment, "publicKey", public.filter(|_| keep))
        .with("delivery", (keep && own.has_networking()).then_some("External"))
        .with("names", names)
        .with("metadata", metadata)
}

/// The labels and annotations of an object that are free for the user, and that a person can mean.
fn extra(object: Option<&Live>) -> Option<Fields> {
    extra_where(object, |key| reserved::free(key).is_ok())
}

fn extra_where(object: Option<&Live>, is_free: fn(&str) -> bool) -> Option<Fields> {
    let object = object?;
    let free = |field: &str| {
        let texts = object.at(&format!("/metadata/{field}")).and_then(Value::as_object).into_iter().flatten();
        let texts = texts.filter_map(|(key, value)| Some((key, value.as_str()?)));
        let free = texts.filter(|(key, value)| is_free(key) && !is_object(value));
        free.fold(Fields::default(), |fields, (key, value)| fields.with(key, value))
    };
    Some(Fields::default().with("labels", free("labels")).with("annotations", free("annotations")))
}

fn tunnel(sides: &Sides<Found<'_>>, liqo: &str) -> Fields {
    let location = if sides.consumer.server.is_some() { Role::Consumer } else { Role::Provider };
    let server = sides.of(location).server;
    let client = sides.of(location.peer()).client;
    let endpoint = |name: &str| field(server, &format!("endpoint/{name}"));
    let dials = client.and_then(|it| it.at("/spec/endpoint/port"));
    // a node port that Kubernetes chose is not in the document, so the client's must be
    let chosen = server.is_some_and(|it| {
        it.text("/spec/endpoint/serviceType") == "NodePort" && it.at("/spec/endpoint/nodePort").is_none()
    });
    let answers = server.and_then(answers_at).filter(|_| !chosen);
    let client_endpoint = Fields::default()
        .with("addresses", field(client, "endpoint/addresses"))
        .with("port", dials.filter(|_| dials != answers))
        .unusual("protocol", client.and_then(|it| it.string("/spec/endpoint/protocol")), "UDP");
    let dialing = Fields::default().with("endpoint", client_endpoint).with(
        "clientTemplateRef",
        template(client, "clientTemplateRef", "WgGatewayClientTemplate", "wireguard-client", liqo),
    );
    let listening = Fields::default()
        .unusual("location", Some(location.word()), "provider")
        .with(
            "endpoint",
            Fields::default()
                // the CRD's default
                .with(
                    "serviceType",
                    server.map(|it| it.string("/spec/endpoint/serviceType").unwrap_or("ClusterIP")),
                )
                .with("port", endpoint("port"))
                .with("nodePort", endpoint("nodePort"))
                .with("loadBalancerIP", endpoint("loadBalancerIP")),
        )
        .with(
            "serverTemplateRef",
            template(server, "serverTemplateRef", "WgGatewayServerTemplate", "wireguard-server", liqo),
        )
        .with("serviceAnnotations", field(server, "serviceAnnotations"))
        .with("serviceLabels", field(server, "serviceLabels"));
    Fields::default()
        .with("mtu", field(server.or(client), "mtu"))
        .with("gatewayServer", listening)
        .with("gatewayClient", client.map_or_else(|| "pending".yaml(), |_| dialing.yaml()))
}

fn field<'o>(object: Option<&'o Live>, name: &str) -> Option<&'o Value> {
    object?.at(&format!("/spec/{name}"))
}

/// A reference to a template, unless it is to Liqo's own.
fn template<'o>(
    object: Option<&'o Live>,
    name: &str,
    kind: &str,
    usual: &str,
    liqo: &str,
) -> Option<&'o Value> {
    let api = "networking.liqo.io/v1beta1";
    let usual = json!({ "apiVersion": api, "kind": kind, "name": usual, "namespace": liqo });
    field(object, name).filter(|written| **written != usual)
}

/// How `user` is let into `host`.
fn authentication(
    user: &Found<'_>,
    host: &Found<'_>,
    keep: bool,
    file: &str,
    problems: &mut Vec<String>,
) -> Option<Fields> {
    let Some(tenant) = host.tenant else {
        problems.extend(user.identity.or(user.credential).map(|it| {
            format!(
                "{} is a credential for {}, whose manifests have no Tenant for {}: add it",
                it.with_place(),
                host.side.id,
                user.side.id
            )
        }));
        return None;
    };
    let bound = |field: &str| host.role_binding.and_then(|it| it.string(&format!("/subjects/0/{field}")));
    // Liqo's handshake makes the binding for this user (liqo `pkg/tenantNamespace/bindings.go`)
    let handshake = tenant.string("/spec/authzPolicy").is_none_or(|policy| policy == "KeysExchange");
    let subject = match (bound("kind"), bound("name")) {
        (Some(kind), Some(name)) => (kind, name),
        _ if handshake => ("User", user.side.id.as_str()),
        _ => {
            problems.push(format!("{} needs the RoleBinding of liqo-remote-controlplane in its namespace: it says for whom the provider takes the credential. Add it", tenant.with_place()));
            return None;
        }
    };
    let credential = match (user.identity, user.credential) {
        (Some(identity), _) => {
            let field = |name: &str| identity.at(&format!("/spec/authParams/{name}"));
            let fields = ["apiServer", "ca", "signedCRT"];
            let identity = fields.into_iter().fold(Fields::default(), |it, name| it.with(name, field(name)));
            Fields::default().with("identity", identity).yaml()
        }
        (None, Some(_)) if keep => Fields::default().with("existingSecret", &json!({})).yaml(),
        (None, Some(_)) => {
            let sealed = Fields::default().with("file", file);
            Fields::default()
                .because("make it with `argocd-peering seal kubeconfig`", "kubeconfig", sealed)
                .yaml()
        }
        (None, None) => "pending".yaml(),
    };
    let proxy = tenant.string("/spec/proxyURL");
    let proxy = proxy.or_else(|| user.identity.and_then(|it| it.string("/spec/authParams/proxyURL")));
    let subject = Fields::default().with("kind", subject.0).with("name", subject.1);
    Some(
        Fields::default()
            .with("subject", subject)
            .with("credential", credential)
            .unusual("tenantCondition", tenant.string("/spec/tenantCondition"), "Active")
            .with("proxyURL", proxy),
    )
}

/// Where Liqo is: its ConfigMap, or its own templates that the gateways name.
fn liqo_namespace(sides: &Sides<Found<'_>>) -> String {
    let found = [&sides.consumer, &sides.provider];
    let map = found.iter().find_map(|it| it.side.liqo_namespace());
    let template = |it: &Found<'_>| {
        let gateway = it.gateway()?;
        ["serverTemplateRef", "clientTemplateRef"].into_iter().find_map(|name| {
            let usual = gateway.string(&format!("/spec/{name}/name"))?.starts_with("wireguard-");
            gateway.string(&format!("/spec/{name}/namespace")).filter(|_| usual).map(ToOwned::to_owned)
        })
    };
    map.or_else(|| found.into_iter().find_map(template)).unwrap_or_else(|| "liqo".to_owned())
}

/// Whether an object has a field that Liqo has since 1.2.
fn needs_1_2(sides: &Sides<Found<'_>>) -> bool {
    [&sides.consumer, &sides.provider].into_iter().any(|it| {
        let has = |field: &str| it.server.is_some_and(|server| server.at(field).is_some());
        it.configuration.is_some_and(|it| list(it, "/spec/remote/cidr/pod").len() > 1)
            || has("/spec/serviceAnnotations")
            || has("/spec/serviceLabels")
    })
}
