//! One good document, and what takes several edits of it; of single edits `tests/diagnostics` has the codes.

use super::parse;
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
    let peering = parse(&source);
    peering.map_err(|invalid| {
        invalid
            .problems
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect()
    })
}

/// The good document with one text replaced.
fn edited(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from:?} is in the document");
    GOOD.replacen(from, to, 1)
}

#[test]
fn the_good_document_is_good() {
    let peering = run(GOOD).expect("a peering");
    assert_eq!(
        peering.clusters.consumer.tenant_namespace.as_str(),
        "liqo-tenant-milan"
    );
    assert_eq!(peering.clusters.provider.names.gateway.as_str(), "wg-rome");
    let networking = peering.networking.expect("networking");
    assert_eq!(
        networking
            .client
            .as_ref()
            .expect("a client")
            .endpoint
            .port
            .as_ref()
            .expect("a port")
            .get(),
        30742
    );
    assert_eq!(
        (
            networking.mtu().get(),
            networking.server.endpoint.port.get()
        ),
        (1340, 51840)
    );
    assert_eq!(
        peering
            .directions
            .consumer
            .offloading
            .expect("offloading")
            .slices[0]
            .name
            .as_str(),
        "milan"
    );
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
        let demo =
            format!("{{ namespaces: [{{ name: demo, create: {create}, clusters: thisPeer }}] }}");
        assert_eq!(
            both(&demo, SAME),
            Err(vec![Code::NamespaceTaken]),
            "create: {create}"
        );
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
fn all_problems_are_told_at_once() {
    let text = GOOD
        .replace("clusterID: rome", "clusterID: Rome")
        .replace("nodePort: 30742", "nodePort: 1")
        .replace("clusters: thisPeer", "cluster: thisPeer");
    let codes = run(&text).expect_err("three problems");
    assert_eq!(
        codes,
        [
            Code::ClusterId,
            Code::Port,
            Code::MissingField,
            Code::UnknownField
        ]
    );
}

/// The good document without the blocks from one to another, or to its end.
fn without(from: &str, to: &str) -> String {
    let start = GOOD.find(from).expect("the block");
    let end = to
        .is_empty()
        .then_some(GOOD.len())
        .or_else(|| GOOD.find(to))
        .expect("the next block");
    format!("{}{}", &GOOD[..start], &GOOD[end..])
}

#[test]
fn a_missing_module_takes_its_needs_along() {
    assert_eq!(
        run(&without("  authentication:", "  offloading:")),
        Err(vec![Code::MissingField])
    );
    assert_eq!(
        run(&without("  networking:", "  authentication:")),
        Err(vec![Code::Seed])
    );
    let three = without("  networking:", "  authentication:")
        .replace(
            "clusterID: rome\n",
            "clusterID: rome\n    seed: { file: rome.age }\n",
        )
        .replace(
            "clusterID: milan\n",
            "clusterID: milan\n    seed: { file: milan.age }\n",
        );
    assert_eq!(run(&three), Err(vec![Code::Seed; 3]), "each once");
    assert!(run(&without("  offloading:", "")).is_ok());
    assert!(run(&without("  authentication:", "")).is_ok());
}

#[test]
fn several_pod_networks_with_liqo_1_2() {
    let text = edited(
        "podCIDRs: [10.42.0.0/16]",
        "podCIDRs: [10.42.0.0/16, 10.43.0.0/16]",
    )
    .replace("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n");
    assert!(run(&text).is_ok());
}

#[test]
fn a_pending_client_is_none() {
    let text = edited(
        "gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }",
        "gatewayClient: pending",
    );
    assert_eq!(
        run(&text)
            .expect("a peering")
            .networking
            .expect("networking")
            .client,
        None
    );
}

/// The good document with this in the place of its seed, and with a line more for each cluster.
fn split(shared: &str, consumer: &str, provider: &str) -> Result<(), Vec<Code>> {
    let text = edited("  seed: { file: peering.seed.age }\n", shared)
        .replace("clusterID: rome", &format!("clusterID: rome\n{consumer}"))
        .replace("clusterID: milan", &format!("clusterID: milan\n{provider}"));
    run(&text).map(|_| ())
}

#[test]
fn seeds_and_keys_of_two_organisations() {
    let (one, other) = (
        "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
        "SU+Ba3jBNgofBrZtVHwad1VJotcVs4TmgpOdFQhx/UE=",
    );
    let (seed, key, same) = (
        "    seed: { file: a.age }",
        format!("    publicKey: {one}"),
        format!("    publicKey: {other}"),
    );
    assert_eq!(split("", seed, &key), Ok(()));
    assert_eq!(split("", &key, seed), Ok(()));
    assert_eq!(split("", seed, seed), Ok(()));
    assert_eq!(split("  seed: { file: s.age }\n", seed, ""), Ok(()));
    assert_eq!(
        split("  seed: { file: s.age }\n", seed, seed),
        Err(vec![Code::Seed])
    );
    assert_eq!(split("", seed, ""), Err(vec![Code::Seed]));
    assert_eq!(split("", &key, &same), Err(vec![Code::Seed]));
    assert_eq!(
        split("  seed: { file: s.age }\n", &key, &key),
        Err(vec![Code::PublicKey])
    );
}

#[test]
fn newer_fields_with_newer_liqo() {
    let text = edited(
        "nodePort: 30742 }",
        "nodePort: 30742 }\n      serviceAnnotations: { a/b: c }",
    );
    assert!(run(&text.replace("spec:\n", "spec:\n  liqoVersion: \"v1.2.0\"\n")).is_ok());
    assert!(run(&text.replace("spec:\n", "spec:\n  liqoVersion: \"1.7\"\n")).is_ok());
}

#[test]
fn the_token_of_a_service_account_is_a_secret_of_its_side() {
    for (kind, problem) in [
        ("ServiceAccount", Some(vec![Code::DuplicateName])),
        ("User", None),
    ] {
        let text = edited(
            "kind: User, name: rome",
            &format!("kind: {kind}, name: hub"),
        )
        .replace(
            "clusterID: milan",
            "clusterID: milan\n    names: { keySecret: hub-token }",
        );
        assert_eq!(run(&text).err(), problem, "{kind}");
    }
}

/// The widest is what the next ones are compared with.
#[test]
fn a_wide_network_overlaps_all_that_are_in_it() {
    let text = edited(
        "podCIDRs: [10.42.0.0/16]",
        "podCIDRs: [10.42.0.0/16, 10.0.0.0/8, 10.50.0.0/16]",
    )
    .replace("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n");
    assert_eq!(
        run(&text),
        Err(vec![Code::CidrOverlap; 3]),
        "the /8, the other /16, the external network"
    );
}

#[test]
fn a_side_without_keys_needs_no_name_for_them() {
    let text = without("  networking:", "  authentication:")
        .replace("  seed: { file: peering.seed.age }\n", "")
        .replace("clusterID: rome", "clusterID: rome\n    delivery: External");
    assert!(run(&text).is_ok());
}
