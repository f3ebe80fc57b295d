//! Manifests that are not one peering: nothing is printed, and what contradicts each other is named.

use super::{guides, imported, streams};
use crate::harness::{Text, replaced};

/// The guide with a change of one side's text: both objects are named, and nothing is printed.
#[track_caller]
fn assert_named(role: usize, from: &str, to: &str, arguments: &[&str], named: &[&str]) {
    let mut texts = guides();
    texts[role] = replaced(&texts[role], from, to);
    let outcome = imported(&texts, arguments);
    outcome.fails(1, "manifests");
    for words in named {
        outcome.says(words);
    }
}

#[test]
fn two_configurations_for_one_cluster() {
    let second = "---\napiVersion: networking.liqo.io/v1beta1\nkind: Configuration\nmetadata:\n  name: again\n  namespace: liqo-tenant-provider\n  labels: { liqo.io/remote-cluster-id: provider }\nspec: { remote: { cidr: { pod: [10.9.0.0/16], external: [10.70.0.0/16] } } }\n";
    let mut texts = guides();
    texts[0] += second;
    imported(&texts, &[])
        .fails(1, "manifests")
        .says("Configuration.networking.liqo.io liqo-tenant-provider/provider (")
        .says("Configuration.networking.liqo.io liqo-tenant-provider/again (");
}

/// Whoever has a namespace of a cluster can make a ConfigMap there.
#[test]
fn two_cluster_ids() {
    let map = |namespace: &str, id: &str| {
        format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: liqo-clusterid-configmap, namespace: {namespace} }}\ndata: {{ CLUSTER_ID: {id} }}\n"
        )
    };
    let mut texts = guides();
    texts[0] += &(map("liqo", "consumer") + &map("liqo", "consumer"));
    imported(&texts, &[]).done();
    texts[0] += &map("another", "consumer");
    for arguments in [&[][..], &["--consumer-id", "consumer"]] {
        let outcome = imported(&texts, arguments);
        outcome.fails(1, "manifests").says("ConfigMap liqo/liqo-clusterid-configmap (");
        outcome.says("ConfigMap another/liqo-clusterid-configmap (");
    }
}

/// Who writes to a cluster chooses how many objects there are.
#[test]
fn thousands_of_problems_are_a_short_list() {
    let many = |peer: &dyn Fn(usize) -> String| -> String {
        let object = |number| {
            format!(
                "---\napiVersion: networking.liqo.io/v1beta1\nkind: Configuration\nmetadata: {{ name: c{number}, namespace: n, labels: {{ liqo.io/remote-cluster-id: {} }} }}\n",
                peer(number)
            )
        };
        (0..2000).map(object).collect()
    };
    let mut texts = guides();
    texts[0] += &many(&|_| "provider".to_owned());
    let outcome = imported(&texts, &[]);
    outcome.fails(1, "manifests").says("\n  and 1900 more");
    assert!(outcome.stderr.len() < 40_000, "{}", outcome.stderr.len());
    let mut texts = guides();
    texts[0] += &many(&|number| format!("c{number}"));
    let outcome = imported(&texts, &[]);
    outcome.fails(2, "flag").says(" and 1981 more");
    assert!(outcome.stderr.len() < 10_000, "{}", outcome.stderr.len());
}

#[test]
fn a_tenant_for_another_cluster() {
    let tenant = "Tenant.authentication.liqo.io liqo-tenant-consumer/my-tenant (";
    assert_named(
        1,
        "  clusterID: consumer",
        "  clusterID: turin",
        &[],
        &[tenant, "its label liqo.io/remote-cluster-id is `consumer`, and its spec.clusterID is `turin`"],
    );
}

#[test]
fn objects_that_name_two_clusters() {
    let mut texts = guides();
    texts[0] = replaced(
        &texts[0],
        "liqo.io/remote-cluster-id: provider   # Replace with the actual remote cluster ID\n  name: client",
        "liqo.io/remote-cluster-id: turin\n  name: client",
    );
    imported(&texts, &[])
        .fails(2, "flag")
        .says("--provider-id: ")
        .says("`turin` (GatewayClient.networking.liqo.io liqo-tenant-provider/client)")
        .says("`provider` (");
    // with the flag the other one's object is no part of it, and the client is missing
    let outcome = imported(&texts, &["--provider-id", "provider"]);
    outcome.done().has("gatewayClient: pending");
    outcome.says("consumer: objects of other clusters, which are left alone: 1");
}

#[test]
fn another_key_on_the_other_side() {
    let (key, other) =
        ("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=", "wToWtVs8dYsWqXTi4rA4yfqh/+5gZqACHdi+66ecWn0=");
    let named = [
        "Secret liqo-tenant-provider/gw-keys (",
        "PublicKey.networking.liqo.io liqo-tenant-consumer/gw-publickey (",
    ];
    assert_named(1, key, other, &[], &named);
    let mut texts = guides();
    texts[1] = replaced(&texts[1], key, other);
    // both keys are replaced
    imported(&texts, &["--secrets", "seal"]).done();
}

#[test]
fn another_mtu_network_secret_or_namespace() {
    let client = "GatewayClient.networking.liqo.io liqo-tenant-provider/client (";
    let server = "GatewayServer.networking.liqo.io liqo-tenant-consumer/server (";
    assert_named(
        0,
        "mtu: 1340",
        "mtu: 1400",
        &[],
        &["the MTUs differ: `1340` in ", "`1400` in ", client, server],
    );
    assert_named(
        0,
        "  remote:\n    cidr:",
        "  local: { cidr: { pod: [10.9.0.0/16] } }\n  remote:\n    cidr:",
        &[],
        &[
            "the pod networks of consumer differ: `[\"10.9.0.0/16\"]` in Configuration",
            "`[\"10.42.0.0/16\"]` in Configuration",
        ],
    );
    assert_named(
        0,
        "    name: gw-keys\n",
        "    name: other\n",
        &[],
        &[client, "Secret liqo-tenant-provider/gw-keys ("],
    );
    assert_named(
        0,
        "remote-tenant-namespace: liqo-tenant-consumer",
        "remote-tenant-namespace: elsewhere",
        &[],
        &["`elsewhere` in Secret liqo-tenant-provider/cplane-secret", "Tenant.authentication.liqo.io"],
    );
}

/// Something in between may translate it, so both are kept, and both are named.
#[test]
fn another_port_is_kept_and_noted() {
    let mut texts = guides();
    texts[0] = replaced(&texts[0], "port: 32750", "port: 32751");
    let outcome = imported(&texts, &[]);
    let [consumer, _] = streams(outcome.done());
    let client = consumer.iter().find(|it| it["kind"] == "GatewayClient").expect("a client");
    assert_eq!(client["spec"]["endpoint"]["port"], 32751);
    outcome
        .says("the ports differ: `32750` in GatewayServer.networking.liqo.io liqo-tenant-consumer/server (")
        .says("`32751` in GatewayClient.networking.liqo.io liqo-tenant-provider/client (");
}

#[test]
fn two_gateways_of_one_kind() {
    let mut texts = guides();
    texts[0] = replaced(&texts[0], "kind: GatewayClient", "kind: GatewayServer");
    imported(&texts, &[]).fails(1, "manifests").says("here both listen: ");
}

#[test]
fn what_is_missing_is_said() {
    let [consumer, provider] = guides();
    let without = |text: &str, kind: &str| -> String {
        text.split("---\n")
            .filter(|it| !it.contains(&format!("kind: {kind}\n")))
            .collect::<Vec<_>>()
            .join("---\n")
    };
    let no_tenant = [consumer.clone(), without(&provider, "Tenant")];
    imported(&no_tenant, &[])
        .fails(1, "manifests")
        .says("Secret liqo-tenant-provider/cplane-secret (")
        .says("no Tenant");
    let no_binding = [consumer.clone(), without(&provider, "RoleBinding")];
    imported(&no_binding, &[])
        .fails(1, "manifests")
        .says("needs the RoleBinding of liqo-remote-controlplane");
    // what the document would say is said of the manifest
    let no_networks = [consumer.clone(), without(&provider, "Configuration")];
    imported(&no_networks, &[])
        .fails(1, "manifests")
        .says("Configuration.networking.liqo.io liqo-tenant-provider/provider (")
        .says("provider has no Configuration for consumer")
        .silent_on("as imported");
    let stranger = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n".to_owned();
    imported(&[consumer, stranger], &[]).fails(2, "flag").says("--consumer-id: nothing says");
}

#[test]
fn what_is_no_manifest_is_named_with_its_line_and_not_shown() {
    let [consumer, provider] = guides();
    for wrong in ["kind: Secret\ndata: {privateKey: [hunter2hunter2}\n", "kind: [hunter2hunter2]\n"] {
        let outcome = imported(&[format!("{consumer}---\n{wrong}"), provider.clone()], &[]);
        outcome.fails(1, "manifests").says("consumer.yaml, line ").silent_on("hunter2");
    }
}
