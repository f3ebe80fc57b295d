//! Both streams of a peering, as a reader of YAML reads them who knows nothing of this program.

use crate::yaml::{Yaml, documents};
use argocd_peering::testing::{Material, Peering, Role, Sides, emit, plan, render};
use std::collections::BTreeSet;

/// Argo CD reads so much of a folder.
const STREAM: usize = 10_000_000;

/// What each cluster is told of the other is true.
pub fn agree(peering: &Peering) {
    let streams = Sides::make(|role| read(peering, role));
    for role in Role::BOTH {
        let (here, there) = (streams.side(role), streams.side(role.peer()));
        let peer = peering.clusters.side(role.peer());
        for object in here {
            let labels = object.at(&["metadata", "labels"]);
            let told = labels.and_then(|labels| labels.text(&["liqo.io/remote-cluster-id"]));
            if let Some(told) = told {
                assert_eq!(told, peer.id.value.to_string(), "the other cluster's ID");
            }
            let namespace = ["metadata", "annotations", "liqo.io/remote-tenant-namespace"];
            if let Some(told) = object.text(&namespace) {
                let made =
                    kind(there, "Namespace").any(|it| it.text(&["metadata", "name"]) == Some(told));
                assert!(made, "the other stream has no such tenant namespace");
            }
        }
        networking(peering, role, here, there);
        for tenant in kind(here, "Tenant") {
            assert_eq!(
                tenant.text(&["spec", "clusterID"]),
                Some(&*peer.id.value.to_string()),
                "the tenant"
            );
        }
    }
}

fn networking(peering: &Peering, role: Role, here: &[Yaml], there: &[Yaml]) {
    let Some(networking) = &peering.networking else {
        assert_eq!(
            kind(here, "Configuration").count(),
            0,
            "a network without networking"
        );
        return;
    };
    let remote = networking.networks.side(role.peer());
    let configuration = one(here, "Configuration");
    let pods: Vec<String> = remote
        .pods
        .iter()
        .map(|cidr| cidr.value.to_string())
        .collect();
    let cidr = |what| configuration.texts(&["spec", "remote", "cidr", what]);
    assert_eq!(cidr("pod"), pods, "the other cluster's pods");
    assert_eq!(
        cidr("external"),
        [remote.external.value.to_string()],
        "the other cluster's external network"
    );
    if let Some(key) = networking.keys.side(role.peer()).written() {
        let told = one(here, "PublicKey")
            .text(&["spec", "publicKey"])
            .expect("a key");
        assert_eq!(told, key.to_string(), "the other cluster's key");
    }
    if networking.server.location != role {
        return;
    }
    let (server, clients) = (one(here, "GatewayServer"), kind(there, "GatewayClient"));
    assert_eq!(
        kind(here, "GatewayClient").count() + kind(there, "GatewayServer").count(),
        0,
        "two of a kind"
    );
    for client in clients {
        assert_eq!(
            server.text(&["spec", "mtu"]),
            client.text(&["spec", "mtu"]),
            "the MTU"
        );
        let port = |of: &'static str| server.text(&["spec", "endpoint", of]);
        let listens = if port("serviceType") == Some("NodePort") {
            port("nodePort")
        } else {
            port("port")
        };
        let dials = client.text(&["spec", "endpoint", "port"]).expect("a port");
        let written = networking.client.as_ref().and_then(|it| it.endpoint.port);
        // where the document says another one, there is something in between
        assert!(listens == Some(dials) || written.is_some(), "the port");
    }
}

/// One side's stream, which no one else has to be asked about: each object is whole, and there once.
fn read(peering: &Peering, role: Role) -> Vec<Yaml> {
    let material = Material::public(peering, role);
    let plan = plan(peering, role, &material, None).expect("a plan");
    let text = render(&plan).expect("a stream");
    emit::check_stream(&text, &plan).expect("a whole stream");
    assert!(text.len() < STREAM, "{} bytes of a stream", text.len());
    let objects = documents(&text).expect("YAML");
    assert_eq!(
        objects.len(),
        plan.manifests.len(),
        "as many as are planned"
    );
    let mut seen = BTreeSet::new();
    for object in &objects {
        let what = ["apiVersion", "kind"].map(|key| object.text(&[key]).expect("its kind"));
        let meta = |key| object.text(&["metadata", key]);
        let wave = object.text(&["metadata", "annotations", "argocd.argoproj.io/sync-wave"]);
        assert!(
            wave.is_some_and(|wave| wave.parse::<u8>().is_ok()),
            "a wave"
        );
        assert!(
            seen.insert((what, meta("namespace"), meta("name").expect("a name"))),
            "two of one name"
        );
        scalars(object);
    }
    objects
}

/// A text is in quotes; what is not is a number or a boolean, to readers of YAML 1.1 and of 1.2.
fn scalars(yaml: &Yaml) {
    match yaml {
        Yaml::Text(_) => {}
        Yaml::Plain(text) => {
            let number = text
                .parse::<i64>()
                .is_ok_and(|number| number.to_string() == *text);
            assert!(
                number || text == "true" || text == "false",
                "a text without quotes"
            );
        }
        Yaml::List(items) => items.iter().for_each(scalars),
        Yaml::Map(entries) => entries.iter().for_each(|(_, value)| scalars(value)),
    }
}

fn kind<'y>(objects: &'y [Yaml], kind: &str) -> impl Iterator<Item = &'y Yaml> {
    objects
        .iter()
        .filter(move |object| object.text(&["kind"]) == Some(kind))
}

fn one<'y>(objects: &'y [Yaml], of: &str) -> &'y Yaml {
    let found: Vec<&Yaml> = kind(objects, of).collect();
    assert_eq!(found.len(), 1, "one {of}");
    found[0]
}
