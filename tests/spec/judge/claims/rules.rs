//! Each rule between peerings: what breaks it, and what comes close and is right.

use super::document::{found, peering};

const CONSUMER: &str = "  consumer:\n";
const PROVIDER: &str = "  provider:\n";
const SLICE: &str = "      - resources: { cpu: \"20\" }\n";
const SERVICE: &str = "{ serviceType: LoadBalancer }";
const NONE: [&str; 0] = [];

/// `rome` consumes `milan` and `turin`; each document with its replacements.
fn of_rome(milan: &[(&str, &str)], turin: &[(&str, &str)]) -> [String; 2] {
    [peering("rome", "milan", milan), peering("rome", "turin", turin)]
}

/// Two clusters pairs that have nothing in common, with the same replacements.
fn apart(edits: &[(&str, &str)]) -> [String; 2] {
    [peering("rome", "milan", edits), peering("paris", "lyon", edits)]
}

/// The rule is broken where the two share a cluster, and kept where they do not.
#[track_caller]
fn only_on_one_cluster(edits: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(found(&of_rome(edits, edits)), expected);
    assert_eq!(found(&apart(edits)), NONE);
}

#[test]
fn a_hub_and_its_spokes_are_clean() {
    let spokes = ["spoke-1", "spoke-2", "spoke-3", "spoke-4"];
    let provider: Vec<String> = spokes.iter().map(|spoke| peering(spoke, "hub", &[])).collect();
    assert_eq!(found(&provider), NONE);
    let consumer: Vec<String> = spokes.iter().map(|spoke| peering("hub", spoke, &[])).collect();
    assert_eq!(found(&consumer), NONE);
    let mesh = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "b"), ("c", "d")];
    let mesh: Vec<String> = mesh.iter().map(|(one, other)| peering(one, other, &[])).collect();
    assert_eq!(found(&mesh), NONE);
}

#[test]
fn a_name_is_one_peerings() {
    let edits = of_rome(&[], &[("name: rome-turin", "name: rome-milan")]);
    let expected = "duplicate-peering: there is another peering `rome-milan` | rome-milan | rome-milan";
    assert_eq!(found(&edits), [expected]);
    assert_eq!(found(&of_rome(&[], &[("name: rome-turin", "name: rome.milan")])), NONE);
}

/// Everything else that two documents of one pair share follows from it, so it is said once.
#[test]
fn two_clusters_have_one_peering() {
    let expected = ["duplicate-peering: there is another peering of `milan` and `rome` | milan | milan"];
    let again = peering("rome", "milan", &[("name: rome-milan", "name: again")]);
    assert_eq!(found(&[peering("rome", "milan", &[]), again]), expected);
    let own =
        "    tenantNamespace: own\n    names: { gateway: own, configuration: own }\n    clusterID: rome";
    let renamed = [("name: rome-milan", "name: again"), ("    clusterID: rome", own)];
    assert_eq!(found(&[peering("rome", "milan", &[]), peering("rome", "milan", &renamed)]), expected);
    let expected = ["duplicate-peering: there is another peering of `milan` and `rome` | rome | milan"];
    assert_eq!(found(&[peering("rome", "milan", &[]), peering("milan", "rome", &[])]), expected);
}

#[test]
fn a_tenant_namespace_is_one_peerings() {
    only_on_one_cluster(
        &[(CONSUMER, "  consumer:\n    tenantNamespace: shared\n")],
        &["namespace-taken: there is another tenant namespace `shared` on cluster `rome` | shared | shared"],
    );
    // a default name is taken as well, and shown where it comes from
    let said = [(CONSUMER, "  consumer:\n    tenantNamespace: liqo-tenant-milan\n")];
    assert_eq!(
        found(&of_rome(&[], &said)),
        [
            "namespace-taken: there is another tenant namespace `liqo-tenant-milan` on cluster `rome` | liqo-tenant-milan | milan"
        ]
    );
    assert_eq!(
        found(&of_rome(&[], &[(PROVIDER, "  provider:\n    tenantNamespace: liqo-tenant-milan\n")])),
        NONE
    );
}

#[test]
fn names_that_liqo_takes_once_a_cluster() {
    const VERSION: &str = "liqoVersion: \"1.2\"";
    let named = |field: &str| format!("  consumer:\n    names: {{ {field}: shared }}\n");
    let taken = |what: &str| {
        format!("duplicate-name: there is another {what} `shared` on cluster `rome` | shared | shared")
    };
    only_on_one_cluster(&[(CONSUMER, &named("configuration"))], &[&taken("Configuration")]);
    // Liqo's guide calls each gateway `client`: since 1.0.2 nothing but the tenant namespace's own is named after it
    let gateway = named("gateway");
    for old in ["liqoVersion: \"1.0\"", "state: Active"] {
        only_on_one_cluster(&[(CONSUMER, &gateway), (VERSION, old)], &[&taken("gateway")]);
    }
    for new in [VERSION, "liqoVersion: \"1.1\""] {
        let edits = [(CONSUMER, gateway.as_str()), (VERSION, new)];
        assert_eq!(found(&of_rome(&edits, &edits)), NONE, "{new}");
    }
    // a Tenant is on the side that lets the other one in
    let shared = [(PROVIDER, "  provider:\n    names: { tenant: shared }\n")];
    let on_hub = [peering("rome", "hub", &shared), peering("milan", "hub", &shared)];
    assert_eq!(
        found(&on_hub),
        ["duplicate-name: there is another Tenant `shared` on cluster `hub` | shared | shared"]
    );
    assert_eq!(found(&of_rome(&shared, &shared)), NONE);
}

/// They stand in the tenant namespace, of which each peering has its own.
#[test]
fn names_that_may_be_the_same_in_every_namespace() {
    let names = "{ keySecret: same, publicKey: same, identity: same-too }";
    let edits = [
        (CONSUMER, format!("  consumer:\n    names: {names}\n")),
        (PROVIDER, "  provider:\n    names: { keySecret: same, roleBinding: same }\n".to_owned()),
    ];
    let edits: Vec<(&str, &str)> = edits.iter().map(|(from, to)| (*from, to.as_str())).collect();
    assert_eq!(found(&of_rome(&edits, &edits)), NONE);
    let on_hub = [peering("rome", "hub", &edits), peering("milan", "hub", &edits)];
    assert_eq!(found(&on_hub), NONE);
}

#[test]
fn slices_and_nodes_are_one_peerings() {
    only_on_one_cluster(
        &[(SLICE, "      - name: shared\n")],
        &["duplicate-name: there is another ResourceSlice `shared` on cluster `rome` | shared | shared"],
    );
    let own = "      - { name: quiet, createVirtualNode: false, resources: { cpu: 1, memory: 1Gi, pods: 9 } }\n    virtualNodes:\n      - { resourceSlice: quiet, name: node }\n";
    assert_eq!(
        found(&of_rome(&[(SLICE, own)], &[(SLICE, "      - name: node\n")])),
        ["duplicate-name: there is another virtual node `node` on cluster `rome` | node | node"]
    );
    // no virtual node is made of the slice `quiet`, so another one may have its name
    let other = "      - { name: other, createVirtualNode: false, resources: { cpu: 1, memory: 1Gi, pods: 9 } }\n    virtualNodes:\n      - { resourceSlice: other, name: quiet }\n";
    assert_eq!(found(&of_rome(&[(SLICE, own)], &[(SLICE, other)])), NONE);
    // the reverse direction's slices are on the provider
    let reverse = "  reverse:\n    authentication:\n      subject: { kind: User, name: milan }\n      credential: pending\n    offloading:\n      resourceSlices: [{ name: shared }]\n  offloading:\n";
    let documents = of_rome(&[("  offloading:\n", reverse)], &[(SLICE, "      - name: shared\n")]);
    assert_eq!(found(&documents), NONE);
}

#[test]
fn a_node_port_is_one_servers() {
    only_on_one_cluster(
        &[
            ("    gatewayServer:\n", "    gatewayServer:\n      location: consumer\n"),
            (SERVICE, "{ serviceType: NodePort, nodePort: 30742 }"),
        ],
        &["port-taken: there is another node port `30742` on cluster `rome` | 30742 | 30742"],
    );
    // the servers are on milan and turin
    let edits = [(SERVICE, "{ serviceType: NodePort, nodePort: 30742 }")];
    assert_eq!(found(&of_rome(&edits, &edits)), NONE);
    // the port behind the node port is the Service's own
    let port = |port: &'static str| [(SERVICE, port)];
    let one = port("{ serviceType: NodePort, port: 51840, nodePort: 30742 }");
    let other = port("{ serviceType: NodePort, port: 51840, nodePort: 30743 }");
    assert_eq!(found(&[peering("rome", "hub", &one), peering("milan", "hub", &other)]), NONE);
}

#[test]
fn a_load_balancers_address_is_one_servers() {
    let at = |service: &'static str| [(SERVICE, service)];
    let hub = |one: &'static str, other: &'static str| {
        found(&[peering("rome", "hub", &at(one)), peering("milan", "hub", &at(other))])
    };
    let fixed = "{ serviceType: LoadBalancer, loadBalancerIP: 172.16.0.9 }";
    assert_eq!(
        hub(fixed, "{ serviceType: LoadBalancer, loadBalancerIP: 172.16.0.9, port: 51840 }"),
        [
            "port-taken: there is another gateway at `172.16.0.9:51840` on cluster `hub` | 172.16.0.9 | 172.16.0.9"
        ]
    );
    assert_eq!(hub(fixed, "{ serviceType: LoadBalancer, loadBalancerIP: 172.16.0.9, port: 51841 }"), NONE);
    assert_eq!(hub(fixed, "{ serviceType: LoadBalancer, loadBalancerIP: 172.16.0.8 }"), NONE);
    assert_eq!(hub(SERVICE, SERVICE), NONE);
}

#[test]
fn a_namespace_is_offloaded_by_one_peering() {
    let demo = "    namespaces: [{ name: demo, clusters: thisPeer }]\n    resourceSlices:\n";
    let edit = ("    resourceSlices:\n", demo);
    only_on_one_cluster(
        &[edit],
        &["namespace-taken: there is another offloaded namespace `demo` on cluster `rome` | demo | demo"],
    );
    // a drained peering has let go of it
    let drained = ("  networking:\n", "  state: Drained\n  networking:\n");
    assert_eq!(found(&of_rome(&[edit, drained], &[edit])), NONE);
    assert_eq!(found(&of_rome(&[edit], &[edit, drained])), NONE);
}

/// Two consumers of one provider: Liqo makes a namespace there for the pods of one of them.
#[test]
fn a_remote_namespace_is_one_peerings() {
    let of_milan = |one: &str, other: &str| {
        let with = |fields: &str| {
            format!("    namespaces: [{{ name: {fields}, clusters: thisPeer }}]\n    resourceSlices:\n")
        };
        let slices = "    resourceSlices:\n";
        found(&[
            peering("rome", "milan", &[(slices, &with(one))]),
            peering("turin", "milan", &[(slices, &with(other))]),
        ])
    };
    let enforced = "demo, namespaceMappingStrategy: EnforceSameName";
    assert_eq!(
        of_milan(enforced, enforced),
        [
            "namespace-taken: there is another namespace for offloaded pods `demo` on cluster `milan` | demo | demo"
        ]
    );
    let selected = "shop, namespaceMappingStrategy: SelectedName, remoteNamespaceName";
    assert_eq!(
        of_milan(&format!("{selected}: x"), &format!("{selected}: x")),
        ["namespace-taken: there is another namespace for offloaded pods `x` on cluster `milan` | x | x"]
    );
    assert_eq!(
        of_milan("demo", &format!("{selected}: demo-rome")),
        [
            "namespace-taken: there is another namespace for offloaded pods `demo-rome` on cluster `milan` | demo-rome | demo"
        ]
    );
    assert_eq!(of_milan("demo", "demo"), NONE, "each is called after its consumer");
    assert_eq!(of_milan(enforced, &enforced.replace("demo", "shop")), NONE);
}

/// A namespace is for one thing, whichever peering says so.
#[test]
fn a_namespace_is_one_thing() {
    let slices = "    resourceSlices:\n";
    let with = |name: &str, strategy: &str| {
        let fields = format!("{{ name: {name}, clusters: thisPeer, namespaceMappingStrategy: {strategy} }}");
        format!("    namespaces: [{fields}]\n    resourceSlices:\n")
    };
    let turin = peering("rome", "turin", &[(slices, &with("liqo-tenant-milan", "DefaultName"))]);
    assert_eq!(
        found(&[peering("rome", "milan", &[]), turin]),
        [
            "namespace-taken: `liqo-tenant-milan` on cluster `rome` is the offloaded namespace here, and the tenant namespace elsewhere \
          | liqo-tenant-milan | milan"
        ]
    );
    // milan's own namespace, and the one that rome's pods would be given there
    let own = peering("milan", "turin", &[(slices, &with("demo", "DefaultName"))]);
    let theirs = peering("rome", "milan", &[(slices, &with("demo", "EnforceSameName"))]);
    assert_eq!(
        found(&[own.clone(), theirs]),
        [
            "namespace-taken: `demo` on cluster `milan` is the namespace for offloaded pods here, and the offloaded namespace elsewhere \
          | demo | demo"
        ]
    );
    assert_eq!(found(&[own, peering("rome", "milan", &[(slices, &with("demo", "DefaultName"))])]), NONE);
}

#[test]
fn a_cluster_has_its_networks_everywhere() {
    let pods = ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.52.0.0/16]");
    let external = ("externalCIDR: 10.70.0.0/16", "externalCIDR: 10.71.0.0/16");
    assert_eq!(
        found(&of_rome(&[], &[pods, external])),
        [
            "disagreement: cluster `rome` has podCIDRs `10.52.0.0/16` here, and `10.42.0.0/16` elsewhere | [ | [",
            "disagreement: cluster `rome` has externalCIDR `10.71.0.0/16` here, and `10.70.0.0/16` elsewhere | 10.71.0.0/16 | 10.70.0.0/16",
        ]
    );
    assert_eq!(found(&[peering("rome", "milan", &[]), peering("paris", "lyon", &[pods, external])]), NONE);
    let two = |list: &'static str| [("podCIDRs: [10.42.0.0/16]", list)];
    let (one, other) =
        (two("podCIDRs: [10.42.0.0/16, 10.43.0.0/16]"), two("podCIDRs: [10.43.0.0/16, 10.42.0.0/16]"));
    assert_eq!(found(&of_rome(&one, &other)), NONE);
    assert_eq!(found(&of_rome(&one, &[])).len(), 1);
}

/// A cluster has one Liqo: its namespace is the same in each document, wherever it is written.
#[test]
fn a_cluster_has_one_namespace_of_liqo() {
    let own = ("clusterID: rome\n", "clusterID: rome\n    liqoNamespace: liqo-system\n");
    let found_here = found(&of_rome(&[], &[own]));
    assert_eq!(found_here.len(), 1, "{found_here:?}");
    assert!(
        found_here[0].starts_with(
            "disagreement: cluster `rome` has liqoNamespace `liqo-system` here, and `liqo` elsewhere"
        ),
        "{found_here:?}"
    );
    assert_eq!(found(&of_rome(&[own], &[own])), NONE);
    assert_eq!(
        found(&[
            peering("rome", "milan", &[]),
            peering(
                "paris",
                "lyon",
                &[("clusterID: paris\n", "clusterID: paris\n    liqoNamespace: liqo-system\n")]
            )
        ]),
        NONE
    );
}

#[test]
fn where_else_a_value_is_written_is_listed_up_to_five() {
    let odd = [("externalCIDR: 10.70.0.0/16", "externalCIDR: 10.71.0.0/16")];
    let five = " and in `rome-b1`, `rome-b2`, `rome-b3`, `rome-b4`, `rome-b5`";
    let more = format!("{five} and 1 more");
    for (count, said) in [(1, ""), (2, " and in `rome-b1`"), (6, five), (7, &more)] {
        let usual = (0..9).map(|it| peering("rome", &format!("a{it}"), &[]));
        let others = (0..count).map(|it| peering("rome", &format!("b{it}"), &odd));
        let documents: Vec<String> = usual.chain(others).collect();
        let message = format!(
            "cluster `rome` has externalCIDR `10.71.0.0/16` here{said}, and `10.70.0.0/16` in 9 others"
        );
        assert_eq!(found(&documents), [format!("disagreement: {message} | 10.71.0.0/16 | 10.70.0.0/16")]);
    }
}

#[test]
fn peered_clusters_have_one_version() {
    let version = |version: &'static str| [("liqoVersion: \"1.2\"", version)];
    let older = version("liqoVersion: \"1.1\"");
    assert_eq!(
        found(&of_rome(&[], &older)),
        ["disagreement: cluster `rome` has liqoVersion `1.1` here, and `1.2` elsewhere | \"1.1\" | \"1.2\""]
    );
    assert_eq!(found(&of_rome(&[], &version("liqoVersion: \"1.2.3\""))), NONE);
    assert_eq!(found(&of_rome(&[], &version("liqoNamespace: liqo"))), NONE, "left out, it says nothing");
    assert_eq!(found(&[peering("rome", "milan", &[]), peering("paris", "lyon", &older)]), NONE);
}

#[test]
fn a_cluster_is_one_cluster_of_argo_cd() {
    let named = |name: &str| format!("  consumer:\n    argocdCluster: {name}\n");
    let (hub, other) = (named("in-cluster"), named("roma"));
    assert_eq!(
        found(&of_rome(&[(CONSUMER, &hub)], &[(CONSUMER, &other)])),
        [
            "disagreement: cluster `rome` has argocdCluster `roma` here, and `in-cluster` elsewhere | roma | in-cluster"
        ]
    );
    assert_eq!(
        found(&of_rome(&[(CONSUMER, &hub)], &[])),
        [
            "disagreement: cluster `rome` has argocdCluster `rome` here, and `in-cluster` elsewhere | rome | in-cluster"
        ]
    );
    assert_eq!(found(&of_rome(&[(CONSUMER, &hub)], &[(CONSUMER, &hub)])), NONE);
    let both = [(CONSUMER, hub.as_str()), (PROVIDER, "  provider:\n    argocdCluster: in-cluster\n")];
    assert_eq!(
        found(&[peering("rome", "milan", &both)]),
        [
            "disagreement: Argo CD's cluster `in-cluster` has clusterID `milan` here, and `rome` elsewhere | milan | rome"
        ]
    );
    let misspelt =
        [peering("rome", "milan", &[(CONSUMER, &hub)]), peering("roma", "turin", &[(CONSUMER, &hub)])];
    assert_eq!(
        found(&misspelt),
        [
            "disagreement: Argo CD's cluster `in-cluster` has clusterID `roma` here, and `rome` elsewhere | roma | rome"
        ]
    );
}
