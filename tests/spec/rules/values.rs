//! Values at the edge of a rule: what Kubernetes, Liqo or Argo CD would refuse or never get to work is refused here, and
//! what is next to it and works is taken.

use crate::harness::corpus::GOOD;
use crate::harness::library::{self, diagnostics, first_code};
use serde_json::Value;

/// A change of the good document: what is replaced, and by what.
type Edit<'e> = (&'e str, &'e str);

fn edited(edits: &[Edit<'_>]) -> String {
    edits.iter().fold(GOOD.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is in the document");
        text.replacen(from, to, 1)
    })
}

/// It is valid, and an editor with the schema says so too.
fn taken(edits: &[Edit<'_>]) {
    let text = edited(edits);
    if let Err(error) = library::check(&text) {
        panic!("{}", error.brief());
    }
    let schema: Value = serde_json::from_str(&library::schema()).expect("JSON");
    let value: Value = serde_saphyr::from_str(&text).expect("YAML");
    let refused: Vec<String> = jsonschema::validator_for(&schema)
        .expect("a schema")
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(refused.is_empty(), "{edits:?}: {refused:?}");
}

/// Its first problem has this code.
fn refused(code: &str, edits: &[Edit<'_>]) {
    match library::check(&edited(edits)) {
        Ok(()) => panic!("{edits:?} is taken"),
        Err(error) => assert_eq!(first_code(&error), code, "{}", error.brief()),
    }
}

const SLICE: &str = "      - resources: { cpu: \"20\", memory: 128Gi, pods: 110 }\n";

/// The good document with a virtual node of its own, of which this is said.
fn of_a_node(slice: &str, node: &str, check: impl Fn(&[Edit<'_>])) {
    let slice = format!("      - {{ createVirtualNode: false{slice} }}\n");
    let node = format!("    virtualNodes:\n      - {{ resourceSlice: milan{node} }}\n    namespaces:\n");
    check(&[(SLICE, &slice), ("    namespaces:\n", &node)]);
}

const FULL: &str = ", resources: { cpu: 1, memory: 1Gi, pods: 9 }";

#[test]
fn a_virtual_node_has_what_pods_need() {
    of_a_node(FULL, "", taken);
    of_a_node("", ", resourceQuota: { hard: { cpu: 1, memory: 1Gi, pods: 9 } }", taken);
    of_a_node("", ", createNode: false", taken);
    // the default of `hard` is the slice's resources as a whole
    let requires = |edits: &[Edit<'_>]| refused("missing-resources", edits);
    of_a_node("", "", requires);
    of_a_node("", ", createNode: true", requires);
    of_a_node(", resources: { cpu: 1, memory: 1Gi }", "", requires);
    of_a_node(FULL, ", resourceQuota: { hard: { cpu: 1, memory: 1Gi } }", requires);
    of_a_node(FULL, ", resourceQuota: { hard: { nvidia.com/gpu: 1 } }", requires);
}

#[test]
fn a_virtual_nodes_labels_are_not_those_that_liqo_finds_it_by() {
    let labels = |labels: &str| format!(", labels: {{ {labels} }}");
    for right in [
        "liqo.io/remote-cluster-id: milan",
        "liqo.io/type: virtual-node",
        "kubernetes.io/hostname: milan",
        "storage.liqo.io/available: \"false\"",
        // the provider's, which the virtual kubelet does not know
        "kubernetes.io/arch: arm64",
        "topology.kubernetes.io/zone: milan-a",
        "type: gpu",
    ] {
        of_a_node(FULL, &labels(right), taken);
    }
    for wrong in [
        "liqo.io/remote-cluster-id: turin",
        "liqo.io/type: x",
        "kubernetes.io/hostname: y1",
        "storage.liqo.io/available: \"true\"",
    ] {
        of_a_node(FULL, &labels(wrong), |edits| refused("node-label", edits));
    }
    of_a_node(
        FULL,
        ", storageClasses: [{ storageClassName: fast }], labels: { storage.liqo.io/available: \"true\" }",
        taken,
    );
}

#[test]
fn a_nodes_taints_differ_in_key_or_effect() {
    let taints = |taints: &str| format!(", taints: [{taints}]");
    let right =
        "{ key: gpu, effect: NoSchedule }, { key: gpu, effect: NoExecute }, { key: x, effect: NoExecute }";
    of_a_node(FULL, &taints(right), taken);
    of_a_node(FULL, &taints("{ key: virtual-node.liqo.io/not-allowed, effect: NoSchedule }"), taken);
    for wrong in [
        "{ key: gpu, effect: NoSchedule }, { key: gpu, value: x, effect: NoSchedule }",
        "{ key: virtual-node.liqo.io/not-allowed, value: \"true\", effect: NoExecute }",
    ] {
        of_a_node(FULL, &taints(wrong), |edits| refused("duplicate-taint", edits));
    }
}

#[test]
fn amounts() {
    let resources = |resources: &str| format!("      - resources: {{ {resources} }}\n");
    for right in [
        "ephemeral-storage: \"0\"",
        "nvidia.com/gpu: 0",
        "nvidia.com/gpu: 2000m",
        "cpu: 500m",
        "cpu: 0.5",
        "memory: 1.5Gi",
        "hugepages-2Mi: 0",
    ] {
        taken(&[(SLICE, &resources(right))]);
        of_a_node(FULL, &format!(", createNode: false, resourceQuota: {{ hard: {{ {right} }} }}"), taken);
    }
    for wrong in [
        "cpu: 0",
        "memory: 0Mi",
        "pods: \"0\"",
        "nvidia.com/gpu: 500m",
        "nvidia.com/gpu: \"1.5\"",
        "memory: 500m",
        "nvidia.com/gpu: -1",
    ] {
        refused("quantity", &[(SLICE, &resources(wrong))]);
    }
}

/// Base64 of an empty certificate.
const CERTIFICATE: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";

const CREDENTIAL: &str = "    credential: { kubeconfig: { file: kubeconfig.age } }\n";

fn identity(server: &str) -> String {
    format!(
        "    credential: {{ identity: {{ apiServer: \"{server}\", ca: {CERTIFICATE}, signedCRT: {CERTIFICATE} }} }}\n"
    )
}

#[test]
fn an_api_server_is_another_clusters() {
    for right in
        ["https://172.16.183.16", "https://api.example.org:6443/k8s/clusters/c-1", "https://[fd00::1]:6443"]
    {
        taken(&[(CREDENTIAL, &identity(right))]);
    }
    for (code, wrong) in [
        ("invalid-url", "http://1.2.3.4"),
        ("own-address", "https://127.0.0.1:6443"),
        ("own-address", "https://localhost"),
        ("own-address", "https://0.0.0.0"),
        ("invalid-url", "https://1.2.3.4:65536"),
        ("invalid-url", "HTTPS://1.2.3.4"),
        ("password-in-url", "https://user@1.2.3.4"),
    ] {
        refused(code, &[(CREDENTIAL, &identity(wrong))]);
    }
}

#[test]
fn a_proxy_is_what_a_kubeconfig_takes() {
    let proxy = |url: &str| format!("{CREDENTIAL}    proxyURL: {url}\n");
    for right in ["socks5://proxy.example.org:3128", "http://127.0.0.1:3128", "https://proxy"] {
        taken(&[(CREDENTIAL, &proxy(right))]);
    }
    for (code, wrong) in [
        ("invalid-url", "socks4://proxy"),
        ("invalid-url", "HTTP://proxy"),
        ("invalid-url", "http://proxy:65536"),
        ("password-in-url", "http://user@proxy"),
    ] {
        refused(code, &[(CREDENTIAL, &proxy(wrong))]);
    }
}

const SUBJECT: &str = "subject: { kind: User, name: rome }";

#[test]
fn a_subject_is_not_everybody() {
    let subject = |kind: &str, name: &str| format!("subject: {{ kind: {kind}, name: \"{name}\" }}");
    for (kind, right) in [
        ("User", "system:node:x"),
        ("User", "anonymous"),
        ("Group", "oidc:rome"),
        ("Group", "system:serviceaccounts:liqo-tenant-rome"),
        ("ServiceAccount", "rome-controlplane"),
        // one that is there already, in a namespace of its own
        ("User", "system:serviceaccount:liqo-access:rome"),
    ] {
        taken(&[(SUBJECT, &subject(kind, right))]);
    }
    for (kind, wrong) in [
        ("User", "system:anonymous"),
        ("Group", "system:authenticated"),
        ("Group", "system:unauthenticated"),
        ("Group", "system:serviceaccounts"),
        ("User", "system:serviceaccount:liqo-tenant-rome:rome"),
        ("User", "system:serviceaccount:rome"),
        ("User", "system:serviceaccount:a:b:c"),
        ("Group", "system:serviceaccount:liqo-access:rome"),
    ] {
        refused("subject", &[(SUBJECT, &subject(kind, wrong))]);
    }
    let account = subject("ServiceAccount", "rome-controlplane");
    let identity = identity("https://172.16.183.16:6443");
    refused("subject", &[(SUBJECT, &account), (CREDENTIAL, &identity)]);
    taken(&[(SUBJECT, &subject("Group", "liqo")), (CREDENTIAL, &identity)]);
}

#[test]
fn names_networks_and_versions() {
    let name = |name: &str| format!("  name: {name}\n");
    for right in ["rome.milan", "\"1\"", &"a".repeat(244)] {
        taken(&[("  name: rome-milan\n", &name(right))]);
    }
    for wrong in ["ROME", "../x", "\"{{ .role }}\"", "\"Rome & Milan / 2\"", "rome\u{202e}"] {
        refused("invalid-name", &[("  name: rome-milan\n", &name(wrong))]);
    }
    refused("name-too-long", &[("  name: rome-milan\n", &name(&"a".repeat(245)))]);
    let networks = |network: &str| format!("podCIDRs: [{network}]");
    for right in ["11.0.0.0/8", "100.64.0.0/10", "169.253.0.0/16", "240.0.0.0/4", "32.0.0.0/3", "1.2.3.0/24"]
    {
        taken(&[("podCIDRs: [10.42.0.0/16]", &networks(right))]);
    }
    for wrong in ["0.0.0.0/0", "128.0.0.0/1", "127.0.0.0/8", "224.0.0.0/4", "169.254.0.0/16", "96.0.0.0/3"] {
        refused("cidr", &[("podCIDRs: [10.42.0.0/16]", &networks(wrong))]);
    }
    let several = |version: &str| {
        let version = format!("spec:\n  liqoVersion: \"{version}\"\n");
        move |check: &dyn Fn(&[Edit<'_>])| {
            check(&[
                ("spec:\n", &version),
                ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0/16, 10.44.0.0/16]"),
            ]);
        }
    };
    several("1.2.1-rc.1")(&taken);
    several("v1.2")(&taken);
    several("1.2.0-rc.1")(&|edits| refused("newer-liqo", edits));
    several("1.2.0-")(&|edits| refused("liqo-version", edits));
    taken(&[(CREDENTIAL, "    credential: { existingSecret: {} }\n")]);
}

#[test]
fn what_a_client_dials() {
    const ADDRESS: &str = "addresses: [172.16.183.16]";
    for right in ["gateway.example.org.", "gw_1.example.org", "a-1.elb.eu-west-1.amazonaws.com"] {
        taken(&[(ADDRESS, &format!("addresses: [{right}]"))]);
    }
    for (code, wrong) in [
        ("invalid-address", "Gateway.example.org."),
        ("own-address", "localhost."),
        ("invalid-address", "gateway.."),
        ("invalid-address", "172.16.183.16."),
    ] {
        refused(code, &[(ADDRESS, &format!("addresses: [{wrong}]"))]);
    }
}

/// `base64` without `-w0` breaks its lines, and `openssl x509 -text` explains the certificate.
#[test]
fn certificates_as_tools_print_them() {
    use base64::Engine as _;
    let encode = |pem: &str| base64::engine::general_purpose::STANDARD.encode(pem);
    let pem = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n";
    let broken = |text: &str| format!("|\n          {}\n          {}", &text[..16], &text[16..]);
    let ca = |ca: &str| {
        format!(
            "    credential:\n      identity:\n        apiServer: https://172.16.183.16:6443\n        signedCRT: {}\n        ca: {ca}\n",
            encode(pem)
        )
    };
    for right in [broken(&encode(pem)), encode(&format!("subject=CN = milan\n{pem}"))] {
        taken(&[(CREDENTIAL, &ca(&right))]);
    }
    for wrong in ["-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----", &format!("{pem}PRIVATE KEY")] {
        refused("certificate", &[(CREDENTIAL, &ca(&encode(wrong)))]);
    }
}

#[test]
fn labels_and_annotations() {
    let common = |kind: &str, entry: &str| format!("spec:\n  commonMetadata: {{ {kind}: {{ {entry} }} }}\n");
    for (kind, right) in [
        ("labels", "app.kubernetes.io/managed-by: argocd"),
        ("labels", "helm.sh/chart: peering-1"),
        ("labels", "example.org/peering: \"\""),
        ("annotations", "kubernetes.io/description: a text"),
        ("annotations", "meta.helm.sh/release-name: peering"),
        // OpenShift GitOps needs it on every Namespace that it deploys into
        ("labels", "argocd.argoproj.io/managed-by: openshift-gitops"),
        ("annotations", "argocd.argoproj.io/ignore-healthcheck: \"true\""),
        ("annotations", "link.argocd.argoproj.io/dashboard: https://grafana.example.org"),
    ] {
        taken(&[("spec:\n", &common(kind, right))]);
    }
    for (kind, wrong) in [
        ("annotations", "helm.sh/hook: post-install"),
        ("annotations", "helm.sh/hook-delete-policy: hook-succeeded"),
        ("annotations", "kubectl.kubernetes.io/last-applied-configuration: \"{}\""),
        ("annotations", "kubernetes.io/service-account.name: default"),
        ("labels", "kubernetes.io/legacy-token-invalid-since: \"2026-01-01\""),
        ("labels", "kubernetes.io/metadata.name: x"),
        ("labels", "pod-security.kubernetes.io/enforce: restricted"),
        ("labels", "argocd.argoproj.io/secret-type: cluster"),
        ("annotations", "argocd.argoproj.io/sync-options: Prune=false"),
    ] {
        refused("reserved-label", &[("spec:\n", &common(kind, wrong))]);
    }
    // 4096 bytes, with the key's three
    for (length, good) in [(4093, true), (4094, false)] {
        let text = common("annotations", &format!("key: {}", "a".repeat(length)));
        if good { taken(&[("spec:\n", &text)]) } else { refused("metadata-too-large", &[("spec:\n", &text)]) }
    }
}

/// What is wrong with a name does not hide what is wrong elsewhere.
#[test]
fn a_problem_hides_no_other() {
    let long = "r".repeat(60);
    let text = edited(&[
        ("clusterID: rome\n", &format!("clusterID: {long}\n")),
        (
            "spec:\n",
            &format!("spec:\n  commonMetadata: {{ annotations: {{ key: {} }} }}\n", "a".repeat(5000)),
        ),
    ]);
    let problems = diagnostics(library::check(&text).expect_err("two problems"));
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name()).collect();
    assert!(codes.contains(&"metadata-too-large") && codes.contains(&"name-too-long"), "{codes:?}");
}

/// Kubernetes' own words allow it, and nothing is left of it in the stream: Liqo's types would not write it back.
#[test]
fn what_says_nothing_may_stand_there() {
    const SLICE: &str = "      - resources: { cpu: \"20\", memory: 128Gi, pods: 110 }\n";
    let node = |fields: &str| {
        format!(
            "      - {{ name: milan, resources: {{ cpu: \"20\", memory: 128Gi, pods: 110 }}, createVirtualNode: false }}\n    \
             virtualNodes:\n      - {{ resourceSlice: milan, {fields} }}\n",
        )
    };
    let streams = |fields: &str| {
        let text = edited(&[(SLICE, &node(fields))]);
        library::streams(&text).map_err(|error| error.brief()).expect("streams")
    };
    for (empty, plain) in [
        ("offloadingPatch: {}", ""),
        (
            "offloadingPatch: { nodeSelector: {}, tolerations: [], labelsNotReflected: [], annotationsNotReflected: [] }",
            "",
        ),
        ("offloadingPatch: { affinity: { nodeAffinity: {} } }", ""),
        (
            "offloadingPatch: { runtimeClassName: nvidia, affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } }",
            "offloadingPatch: { runtimeClassName: nvidia }",
        ),
        (
            "offloadingPatch: { tolerations: [{ key: a, operator: Exists, value: \"\" }] }",
            "offloadingPatch: { tolerations: [{ key: a, operator: Exists }] }",
        ),
        ("resourceQuota: { scopes: [], scopeSelector: { matchExpressions: [] } }", ""),
        ("labels: {}, annotations: {}, taints: [], images: [], storageClasses: []", ""),
        ("taints: [{ key: a, effect: NoSchedule, value: \"\" }]", "taints: [{ key: a, effect: NoSchedule }]"),
        ("images: [{ names: [a], sizeBytes: 0 }]", "images: [{ names: [a] }]"),
    ] {
        taken(&[(SLICE, &node(empty))]);
        assert_eq!(streams(empty), streams(plain), "{empty}");
    }
}

/// Which pods a workload's namespace lets in is no business of the peering's, but of the cluster's policy.
#[test]
fn a_namespace_of_workloads_has_its_own_pod_security() {
    const CLUSTERS: &str = "        clusters: thisPeer\n";
    let labelled = |label: &str| {
        format!("{CLUSTERS}        create: true\n        namespaceMetadata: {{ labels: {{ {label} }} }}\n")
    };
    for right in [
        "pod-security.kubernetes.io/enforce: restricted",
        "pod-security.kubernetes.io/warn-version: latest",
        "istio-injection: enabled",
    ] {
        taken(&[(CLUSTERS, &labelled(right))]);
    }
    for wrong in ["liqo.io/scheduling-enabled: \"true\"", "kubernetes.io/metadata.name: x"] {
        refused("reserved-label", &[(CLUSTERS, &labelled(wrong))]);
    }
}
