//! One good document, and one edit for each rule.

use super::read;
use crate::diagnostic::{Code, Source};
use crate::peering::Peering;

const GOOD: &str = r#"apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata:
  name: rome-milan
spec:
  seed: { file: peering.seed.age }
  consumer:
    clusterID: rome
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
  provider:
    clusterID: milan
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
  networking:
    gatewayServer:
      endpoint: { serviceType: NodePort, nodePort: 30742 }
    gatewayClient:
      endpoint: { addresses: [172.16.183.16] }
  authentication:
    subject: { kind: User, name: rome }
    credential: { kubeconfig: { file: kubeconfig.age } }
  offloading:
    resourceSlices:
      - resources: { cpu: "20", memory: 128Gi, pods: 110 }
    namespaces:
      - name: demo
        clusters: thisPeer
"#;

fn run(text: &str) -> Result<Peering, Vec<Code>> {
    let source = Source::new("peering.yaml", text);
    let peering = read(&source);
    peering.map_err(|invalid| invalid.problems.iter().map(|diagnostic| diagnostic.code).collect())
}

/// The good document with one text replaced.
fn edited(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from:?} is in the document");
    GOOD.replacen(from, to, 1)
}

#[test]
fn the_good_document_is_good() {
    let peering = run(GOOD).expect("a peering");
    assert_eq!(peering.clusters.consumer.tenant_namespace.as_str(), "liqo-tenant-milan");
    assert_eq!(peering.clusters.provider.names.gateway.as_str(), "rome");
    let networking = peering.networking.expect("networking");
    assert_eq!(networking.client.expect("a client").endpoint.port.expect("a port").get(), 30742);
    assert_eq!((networking.mtu.get(), networking.server.endpoint.port.get()), (1340, 51840));
    assert_eq!(peering.directions.consumer.offloading.expect("offloading").slices[0].name.as_str(), "milan");
}

/// What is replaced, by what, and what is said of it.
const EDITS: &[(&str, &str, Code)] = &[
    ("kind: Peering", "kind: Pairing", Code::NotAPeering),
    ("argocd-peering/v1alpha1", "v1", Code::NotAPeering),
    ("kind: Peering\n", "", Code::MissingField),
    ("  name: rome-milan", "  name:", Code::MissingField),
    ("  name: rome-milan", "  nmae: rome-milan\n  name: x", Code::UnknownField),
    ("clusterID: rome", "clusterID: Rome", Code::ClusterId),
    ("clusterID: rome", "clusterID: on", Code::AmbiguousScalar),
    ("clusterID: rome", "clusterID: 1234", Code::AmbiguousScalar),
    ("clusterID: rome", "clusterID: \"1234\"", Code::ClusterId),
    ("clusterID: rome", "clusterID: milan", Code::SameCluster),
    ("clusterID: rome", "clusterID: [rome]", Code::WrongType),
    (
        "clusterID: rome",
        "clusterID: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        Code::NameTooLong,
    ),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: 10.42.0.0/16", Code::WrongType),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: []", Code::EmptyList),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [\"fd00::/8\"]", Code::Cidr),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.1.0/16]", Code::CidrHostBits),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0/16, 10.43.0.0/16]", Code::NewerLiqo),
    ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.0.0.0/8]", Code::CidrOverlap),
    ("    podCIDRs: [10.42.0.0/16]\n", "", Code::MissingField),
    ("    externalCIDR: 10.70.0.0/16\n", "", Code::MissingField),
    ("  seed: { file: peering.seed.age }\n", "", Code::Seed),
    ("peering.seed.age", "../peering.seed.age", Code::FileName),
    ("networking:\n", "networking:\n    mtu: 70000\n", Code::Mtu),
    ("nodePort: 30742", "nodePort: 80", Code::Port),
    ("nodePort: 30742", "nodePort: \"30742\"", Code::WrongType),
    ("nodePort: 30742", "nodePort: 0x7816", Code::AmbiguousScalar),
    (", nodePort: 30742", "", Code::Port),
    ("nodePort: 30742", "port: 0, nodePort: 30742", Code::Port),
    ("NodePort, nodePort: 30742", "LoadBalancer, nodePort: 30742", Code::ServiceType),
    ("nodePort: 30742", "nodePort: 30742, loadBalancerIP: 192.0.2.1", Code::ServiceType),
    (
        "serviceType: NodePort, nodePort: 30742",
        "serviceType: LoadBalancer, loadBalancerIP: lb.example.org",
        Code::InvalidAddress,
    ),
    ("serviceType: NodePort", "serviceType: ExternalName", Code::UnknownValue),
    ("addresses: [172.16.183.16]", "addresses: []", Code::EmptyList),
    ("addresses: [172.16.183.16]", "addresses: [\"not a name\"]", Code::InvalidAddress),
    (
        "gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }",
        "gatewayClient: later",
        Code::UnknownValue,
    ),
    ("kind: User", "kind: Robot", Code::UnknownValue),
    ("credential: { kubeconfig: { file: kubeconfig.age } }", "credential: {}", Code::Alternatives),
    ("cpu: \"20\"", "cpu: \"twenty\"", Code::Quantity),
    ("pods: 110", "pods: -1", Code::Quantity),
    ("pods: 110", "pods: 1.5", Code::Quantity),
    ("clusters: thisPeer", "clusters: thatPeer", Code::UnknownValue),
    ("clusters: thisPeer", "clusters: thisPeer\n        remoteNamespaceName: x", Code::UnusedSetting),
    (
        "clusters: thisPeer",
        "clusters: thisPeer\n        namespaceMappingStrategy: SelectedName",
        Code::MissingField,
    ),
    ("name: demo", "name: liqo-tenant-milan", Code::NamespaceTaken),
    ("name: demo", "name: dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd", Code::NameTooLong),
    (
        "      - name: demo\n",
        "      - { name: demo, clusters: all }\n      - name: demo\n",
        Code::DuplicateName,
    ),
    ("    resourceSlices:\n", "    resourceSlices:\n      - name: milan\n", Code::DuplicateName),
    ("clusterID: rome", "clusterID: rome\n    names: { tenant: x }", Code::UnusedSetting),
    ("clusterID: rome", "clusterID: rome\n    keyGeneration: 0", Code::KeyGeneration),
    ("clusterID: rome", "clusterID: rome\n    publicKey: abc", Code::PublicKey),
    ("spec:\n", "spec:\n  liqoVersion: 1.2\n", Code::AmbiguousScalar),
    ("spec:\n", "spec:\n  liqoVersion: \"0.10\"\n", Code::LiqoVersion),
    ("spec:\n", "spec:\n  protection: maybe\n", Code::UnknownValue),
    ("spec:\n", "spec:\n  state: Gone\n", Code::UnknownValue),
    (
        "spec:\n",
        "spec:\n  commonMetadata: { labels: { liqo.io/replication: \"false\" } }\n",
        Code::ReservedLabel,
    ),
    ("spec:\n", "spec:\n  commonMetadata: { labels: { x.liqo.io/y: a } }\n", Code::ReservedLabel),
    (
        "spec:\n",
        "spec:\n  commonMetadata: { labels: { app.kubernetes.io/instance: a } }\n",
        Code::ReservedLabel,
    ),
    ("spec:\n", "spec:\n  commonMetadata: { labels: { team: \"a b\" } }\n", Code::InvalidLabel),
    (
        "spec:\n",
        "spec:\n  commonMetadata: { annotations: { argocd.argoproj.io/sync-wave: \"9\" } }\n",
        Code::ReservedLabel,
    ),
    ("nodePort: 30742 }", "nodePort: 30742 }\n      serviceAnnotations: { a/b: c }", Code::NewerLiqo),
    ("nodePort: 30742 }", "nodePort: 30742 }\n      serviceLabels: { a/b: c }", Code::NewerLiqo),
    (
        "{ kubeconfig: { file: kubeconfig.age } }",
        "{ kubeconfig: { file: a.age }, existingSecret: {} }",
        Code::Alternatives,
    ),
    ("{ kubeconfig: { file: kubeconfig.age } }", "{}", Code::Alternatives),
    ("{ kubeconfig: { file: kubeconfig.age } }", "{ existingSecret: { name: x } }", Code::UnknownField),
    ("{ kubeconfig: { file: kubeconfig.age } }", "soon", Code::UnknownValue),
    (
        "{ kubeconfig: { file: kubeconfig.age } }",
        "{ identity: { apiServer: milan, ca: x, signedCRT: y } }",
        Code::InvalidUrl,
    ),
    ("kind: User, name: rome", "kind: ServiceAccount, name: Rome", Code::InvalidName),
    (
        "kind: User, name: rome",
        "kind: User, name: \"system:serviceaccount:liqo-tenant-rome:b\"",
        Code::Subject,
    ),
    ("clusters: thisPeer", "clusters: { clusterSelector: { nodeSelectorTerms: [] } }", Code::Selector),
    ("clusters: thisPeer", "clusters: { clusterSelector: { nodeSelectorTerms: [{}] } }", Code::Selector),
    (
        "clusters: thisPeer",
        "clusters: { clusterSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: In }] }] } }",
        Code::Selector,
    ),
    ("clusters: thisPeer", "clusters: thisPeer\n        namespaceMetadata: {}", Code::UnusedSetting),
    (
        "    resourceSlices:\n",
        "    virtualNodes: [{ resourceSlice: other }]\n    resourceSlices:\n",
        Code::UnknownSlice,
    ),
    (
        "    resourceSlices:\n",
        "    virtualNodes: [{ resourceSlice: milan }]\n    resourceSlices:\n",
        Code::VirtualNodeTaken,
    ),
    (
        "  provider:\n",
        "  reverse:\n    authentication: { subject: { kind: User, name: x }, credential: pending }\n    offloading: { resourceSlices: [{ name: milan }] }\n  provider:\n",
        Code::DuplicateName,
    ),
    ("  provider:\n", "  reverse: { offloading: {} }\n  provider:\n", Code::MissingField),
    ("clusterID: rome", "clusterID: rome\n    names: { gateway: \"12\" }", Code::NumericName),
    ("clusterID: rome", "clusterID: rome\n    names: { keySecret: x, identity: x }", Code::DuplicateName),
    ("kind: User, name: rome", "kind: ServiceAccount, name: rome", Code::ServiceAccountTaken),
    ("kind: User, name: rome", "kind: ServiceAccount, name: default", Code::ServiceAccountTaken),
    // a namespace that is there already
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: default", Code::ReservedNamespace),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: kube-public", Code::ReservedNamespace),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: kube-node-lease", Code::ReservedNamespace),
    ("spec:\n", "spec:\n  liqoNamespace: liqo-tenant-milan\n", Code::ReservedNamespace),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: \"123\"", Code::NumericName),
    ("name: demo\n", "name: kube-public\n        create: true\n", Code::ReservedNamespace),
    (
        "name: demo\n",
        "name: demo\n        namespaceMappingStrategy: SelectedName\n        remoteNamespaceName: liqo-tenant-rome\n",
        Code::NamespaceTaken,
    ),
    (
        "name: demo\n",
        "name: demo\n        namespaceMappingStrategy: SelectedName\n        remoteNamespaceName: kube-node-lease\n",
        Code::ReservedNamespace,
    ),
    // a sealed file that is another one
    ("file: kubeconfig.age", "file: peering.yaml", Code::FileName),
    ("file: kubeconfig.age", "file: peering.seed.age", Code::SealedFileReused),
];

/// What is replaced, by what: it is nearly one of the above, and legal.
const LEGAL: &[(&str, &str)] = &[
    ("spec:\n", "spec:\n  liqoNamespace: liqo-system\n"),
    ("spec:\n", "spec:\n  liqoNamespace: kube-system\n"),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: \"123a\""),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: kube-peering"),
    ("clusterID: rome", "clusterID: rome\n    tenantNamespace: liqo-system"),
    // the namespace of the one cluster is free at the other
    ("clusterID: milan", "clusterID: milan\n    tenantNamespace: demo"),
    ("name: demo\n", "name: default\n"),
    ("name: demo\n", "name: kube-public\n"),
    ("name: demo\n", "name: liqo-tenant-rome\n"),
    ("name: demo\n", "name: demo\n        create: true\n"),
    ("name: demo\n", "name: demo\n        namespaceMappingStrategy: EnforceSameName\n"),
    (
        "name: demo\n",
        "name: demo\n        namespaceMappingStrategy: SelectedName\n        remoteNamespaceName: demo\n",
    ),
    (
        "name: demo\n",
        "name: demo\n        namespaceMappingStrategy: SelectedName\n        remoteNamespaceName: liqo-tenant-milan\n",
    ),
    (
        "      - name: demo\n",
        "      - { name: demo-rome, clusters: all }\n      - { name: rome, clusters: all, namespaceMappingStrategy: EnforceSameName }\n      - name: demo\n",
    ),
    // Secrets that Liqo makes in another case, or at the other cluster
    ("clusterID: rome", "clusterID: rome\n    names: { keySecret: kubeconfig-resourceslice-rome }"),
    ("clusterID: rome", "clusterID: rome\n    names: { keySecret: liqo-remote-certificate-milan }"),
    ("clusterID: rome", "clusterID: rome\n    names: { identity: resourceslice-milan }"),
    (
        "clusterID: rome",
        "clusterID: rome\n    names: { keySecret: kubeconfig-controlplane-milan, identity: kubeconfig-milan }",
    ),
    ("clusterID: milan", "clusterID: milan\n    names: { keySecret: kubeconfig-resourceslice-milan }"),
    ("clusterID: milan", "clusterID: milan\n    names: { roleBinding: \"liqo:rome\" }"),
    ("peering.seed.age", "peering.yaml.age"),
];

#[test]
fn what_is_nearly_wrong_is_legal() {
    for (from, to) in LEGAL {
        assert_eq!(run(&edited(from, to)).map(|_| ()), Ok(()), "{to}");
    }
}

/// The other direction with its own names, files and namespaces.
fn both(offloading: &str, forward: &str) -> Result<(), Vec<Code>> {
    let reverse = format!(
        "  reverse:\n    authentication: {{ subject: {{ kind: User, name: milan }}, credential: {{ kubeconfig: {{ file: b.age }} }} }}\n    offloading: {offloading}\n  provider:\n"
    );
    run(&edited("  provider:\n", &reverse).replace("      - name: demo\n", forward)).map(|_| ())
}

#[test]
fn a_namespace_of_the_other_direction_is_there_already() {
    const SAME: &str = "      - name: demo\n        namespaceMappingStrategy: EnforceSameName\n";
    const PLAIN: &str = "      - name: demo\n";
    for create in ["true", "false"] {
        let demo = format!("{{ namespaces: [{{ name: demo, create: {create}, clusters: thisPeer }}] }}");
        assert_eq!(both(&demo, SAME), Err(vec![Code::NamespaceTaken]), "create: {create}");
        assert_eq!(both(&demo, PLAIN), Ok(()), "demo-rome and demo-milan");
    }
    let web = "{ resourceSlices: [{ name: rome }], namespaces: [{ name: web, clusters: thisPeer, namespaceMappingStrategy: EnforceSameName }] }";
    assert_eq!(both(web, SAME), Ok(()));
    let same = web.replace("web", "demo");
    assert_eq!(
        both(&same, SAME),
        Err(vec![Code::NamespaceTaken, Code::NamespaceTaken]),
        "each is at the other cluster"
    );
}

#[test]
fn one_edit_one_code() {
    for (from, to, code) in EDITS {
        let codes = run(&edited(from, to)).expect_err(to);
        assert!(codes.contains(code), "{to}: {codes:?}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let text = GOOD
        .replace("clusterID: rome", "clusterID: Rome")
        .replace("nodePort: 30742", "nodePort: 1")
        .replace("clusters: thisPeer", "cluster: thisPeer");
    let codes = run(&text).expect_err("three problems");
    assert_eq!(codes, [Code::ClusterId, Code::Port, Code::MissingField, Code::UnknownField]);
}

#[test]
fn a_missing_module_takes_its_needs_along() {
    let without = |from: &str, to: &str| {
        let start = GOOD.find(from).expect("the block");
        let end = to.is_empty().then_some(GOOD.len()).or_else(|| GOOD.find(to)).expect("the next block");
        format!("{}{}", &GOOD[..start], &GOOD[end..])
    };
    assert_eq!(run(&without("  authentication:", "  offloading:")), Err(vec![Code::MissingAuthentication]));
    assert_eq!(run(&without("  networking:", "  authentication:")), Err(vec![Code::Seed]));
    assert!(run(&without("  offloading:", "")).is_ok());
    assert!(run(&without("  authentication:", "")).is_ok());
}

#[test]
fn several_pod_networks_with_liqo_1_2() {
    let text = edited("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0/16, 10.43.0.0/16]")
        .replace("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n");
    assert!(run(&text).is_ok());
}

#[test]
fn a_pending_client_is_none() {
    let text =
        edited("gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }", "gatewayClient: pending");
    assert_eq!(run(&text).expect("a peering").networking.expect("networking").client, None);
}

#[test]
fn seeds_and_keys_of_two_organisations() {
    let (one, other) =
        ("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=", "SU+Ba3jBNgofBrZtVHwad1VJotcVs4TmgpOdFQhx/UE=");
    let split = |shared: &str, consumer: &str, provider: &str| {
        let text = edited("  seed: { file: peering.seed.age }\n", shared)
            .replace("clusterID: rome", &format!("clusterID: rome\n{consumer}"))
            .replace("clusterID: milan", &format!("clusterID: milan\n{provider}"));
        run(&text).map(|_| ())
    };
    let (seed, key, same) =
        ("    seed: { file: a.age }", format!("    publicKey: {one}"), format!("    publicKey: {other}"));
    assert_eq!(split("", seed, &key), Ok(()));
    assert_eq!(split("", &key, seed), Ok(()));
    assert_eq!(split("", seed, seed), Ok(()));
    assert_eq!(split("  seed: { file: s.age }\n", seed, ""), Ok(()));
    assert_eq!(split("  seed: { file: s.age }\n", seed, seed), Err(vec![Code::Seed]));
    assert_eq!(split("", seed, ""), Err(vec![Code::Seed]));
    assert_eq!(split("", &key, &same), Err(vec![Code::Seed]));
    assert_eq!(split("  seed: { file: s.age }\n", &key, &key), Err(vec![Code::PublicKey]));
}

#[test]
fn newer_fields_with_newer_liqo() {
    let text = edited("nodePort: 30742 }", "nodePort: 30742 }\n      serviceAnnotations: { a/b: c }");
    assert!(run(&text.replace("spec:\n", "spec:\n  liqoVersion: \"v1.2.0\"\n")).is_ok());
    assert!(run(&text.replace("spec:\n", "spec:\n  liqoVersion: \"1.7\"\n")).is_ok());
}
