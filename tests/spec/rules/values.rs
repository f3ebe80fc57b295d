//! Values at the edge of a rule: what Kubernetes, Liqo or Argo CD would refuse or never get to work is refused here, and
//! what is next to it and works is taken. A single edit of the good document has a row in the corpus; here is what takes
//! several, or a value that is computed.

use crate::harness::corpus::{self, GOOD};
use crate::harness::library::{self, diagnostics, first_code};
use crate::harness::{Schema, committed, replaced, rows, words};
use serde_json::Value;
use std::sync::LazyLock;

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
    valid(&format!("{edits:?}"), &edited(edits));
}

fn valid(name: &str, text: &str) {
    static SCHEMA: LazyLock<Schema> =
        LazyLock::new(|| Schema::of(&serde_json::from_str(&library::schema()).expect("JSON")));
    if let Err(error) = library::check(text) {
        panic!("{name}: {}", error.brief());
    }
    let value: Value = serde_saphyr::from_str(text).expect("YAML");
    SCHEMA.takes(&value);
}

/// The tables `Taken` of the corpus; their neighbours `Refused` are tested with its screens.
#[test]
fn what_is_next_to_a_mistake_is_taken() {
    let taken = corpus::taken();
    assert!(taken.len() > 50, "{}", taken.len());
    for (name, text) in taken {
        valid(&name, &text);
    }
}

/// Its first problem has this code.
fn refused(code: &str, edits: &[Edit<'_>]) {
    match library::check(&edited(edits)) {
        Ok(()) => panic!("{edits:?} is taken"),
        Err(error) => assert_eq!(first_code(&error), code, "{}", error.brief()),
    }
}

/// It has this code first, or none where it is `taken`.
fn judged(code: &str, edits: &[Edit<'_>]) {
    match code {
        "taken" => taken(edits),
        code => refused(code, edits),
    }
}

/// Also while nothing of it is in a stream.
#[test]
fn a_drained_peering_has_a_kubeconfig_for_each_direction() {
    let drained = committed("examples/bidirectional/peering.yaml")
        .replace("\nspec:\n", "\nspec:\n  state: Drained\n");
    let once = replaced(
        &drained,
        "kubeconfig-florence.age",
        "kubeconfig-bologna.age",
    );
    library::check(&drained).expect("two kubeconfigs");
    let error = library::check(&once).expect_err("one kubeconfig");
    assert_eq!(
        first_code(&error),
        "sealed-file-reused",
        "{}",
        error.brief()
    );
}

/// What is sealed needs a seed, and what has nothing to seal needs none.
#[test]
fn a_side_without_secrets_seals_without_a_seed() {
    let networking = GOOD
        .find("  networking:\n")
        .zip(GOOD.find("  authentication:\n"));
    let networking = networking
        .map(|(start, end)| &GOOD[start..end])
        .expect("the good document has both");
    for (cluster, code) in [("clusterID: milan", "taken"), ("clusterID: rome", "seed")] {
        let delivery = format!("{cluster}\n    delivery: SealedSecret");
        let seed = "  seed: { file: peering.seed.age }\n";
        judged(code, &[(networking, ""), (seed, ""), (cluster, &delivery)]);
    }
}

const SLICE: &str = "      - resources: { cpu: \"20\", memory: 128Gi, pods: 110 }\n";

const FULL: &str = "resources: { cpu: 1, memory: 1Gi, pods: 9 }";

#[test]
fn a_virtual_node_of_its_own() {
    for (row, code) in rows(include_str!("values/nodes.txt")) {
        let fields = words(row).into_iter().map(|it| it.replace("FULL", FULL));
        let [slice, node] = &fields.collect::<Vec<_>>()[..] else {
            panic!("a slice and a node: {row}")
        };
        let slice = format!("      - {{ createVirtualNode: false, {slice} }}\n");
        let node = format!("    virtualNodes:\n      - {{ resourceSlice: milan, {node} }}\n");
        let node = format!("{node}    namespaces:\n");
        judged(code, &[(SLICE, &slice), ("    namespaces:\n", &node)]);
    }
}

/// Base64 of a certificate.
const CERTIFICATE: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJSRENCOTZBREFnRUNBaFFPSHlhTmpMRTJWMHg0Q2xJRC93dDF4dVdJeGpBRkJnTXJaWEF3RnpFVk1CTUcKQTFVRUF3d01aWGhoYlhCc1pTQnZibXg1TUNBWERUSTJNVEV5TVRBMU1UazFNbG9ZRHpJeE1qWXhNREk0TURVeApPVFV5V2pBWE1SVXdFd1lEVlFRRERBeGxlR0Z0Y0d4bElHOXViSGt3S2pBRkJnTXJaWEFESVFDM1hqdGE1N09TCmRzZzZkbHpJTTdMNkhaMGpFSFZCK3pmQWNHbk1DOWp3aHFOVE1GRXdIUVlEVlIwT0JCWUVGRFlSZ003K1ljQ2oKblVJendQUW5DV0IzVHc5ZU1COEdBMVVkSXdRWU1CYUFGRFlSZ003K1ljQ2puVUl6d1BRbkNXQjNUdzllTUE4RwpBMVVkRXdFQi93UUZNQU1CQWY4d0JRWURLMlZ3QTBFQWFDTHZLQ200Y3NOaWhuNVBUTG5URC8yUk1paFcrNkdQCjdrVTBmNHRGTXJjS0l0T1Fsb0hRb3MxajdKdlJXWUZBK2NQQ3RveFFwTjJNU1NrMG8wOUFCdz09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";

const CREDENTIAL: &str = "    credential: { kubeconfig: { file: kubeconfig.age } }\n";

const SUBJECT: &str = "subject: { kind: User, name: rome }";

/// With Liqo's `Identity` the consumer comes with a certificate, which no ServiceAccount has.
#[test]
fn a_subject_fits_its_credential() {
    let subject = |kind: &str, name: &str| format!("subject: {{ kind: {kind}, name: \"{name}\" }}");
    let identity = format!(
        "    credential: {{ identity: {{ apiServer: \"https://172.16.183.16:6443\", ca: {CERTIFICATE}, signedCRT: {CERTIFICATE} }} }}\n"
    );
    let account = subject("ServiceAccount", "rome-controlplane");
    refused("subject", &[(SUBJECT, &account), (CREDENTIAL, &identity)]);
    taken(&[
        (SUBJECT, &subject("Group", "liqo")),
        (CREDENTIAL, &identity),
    ]);
}

/// A pre-release counts as the version before it.
#[test]
fn several_pod_networks_need_liqo_1_2() {
    for (version, code) in [
        ("1.2.1-rc.1", "taken"),
        ("v1.2", "taken"),
        ("1.2.0-rc.1", "newer-liqo"),
        ("1.2.0-", "liqo-version"),
    ] {
        let version = format!("spec:\n  liqoVersion: \"{version}\"\n");
        let pods = "podCIDRs: [10.42.0.0/16, 10.44.0.0/16]";
        judged(
            code,
            &[("spec:\n", &version), ("podCIDRs: [10.42.0.0/16]", pods)],
        );
    }
}

/// `base64` without `-w0` breaks its lines, and a file may have several. What is beside a certificate could be a private key.
#[test]
fn certificates_as_tools_print_them() {
    use base64::Engine as _;
    let encode = |pem: &str| base64::engine::general_purpose::STANDARD.encode(pem);
    let pem = include_str!("../../certificates/handshake.crt");
    let broken = |text: &str| format!("|\n          {}\n          {}", &text[..16], &text[16..]);
    let ca = |ca: &str| {
        format!(
            "    credential:\n      identity:\n        apiServer: https://172.16.183.16:6443\n        signedCRT: {}\n        ca: {ca}\n",
            encode(pem)
        )
    };
    let (windows, two) = (pem.replace('\n', "\r\n"), format!("\n{pem}\n{pem}"));
    for right in [
        broken(&encode(pem)),
        encode(&windows),
        encode(&two),
        encode(pem.trim_end()),
    ] {
        taken(&[(CREDENTIAL, &ca(&right))]);
    }
    let body = "MC4CAQAwBQYDK2VwBCIEIExMTExMTExMTExMTExMTExMTExMTExMTExMTExM";
    let block =
        |body: &str| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    let end = "-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----";
    for wrong in [
        end.to_owned(),
        format!("{pem}PRIVATE KEY"),
        format!("subject=CN = milan\n{pem}"),
        format!("{body}\n{pem}"),
        format!("{pem}{body}"),
        format!("{} {pem}", pem.trim_end()),
        format!(" {pem}"),
        block(body),
        block("MII="),
        block("MA=="),
        block("not base64 at all!"),
        block(""),
        pem.replacen('\n', "", 1),
        format!("{pem}{}", block("MA==")),
    ] {
        refused("certificate", &[(CREDENTIAL, &ca(&encode(&wrong)))]);
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
            &format!(
                "spec:\n  commonMetadata: {{ annotations: {{ key: {} }} }}\n",
                "a".repeat(5000)
            ),
        ),
    ]);
    let problems = diagnostics(library::check(&text).expect_err("two problems"));
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name()).collect();
    assert!(
        codes.contains(&"stream-too-large") && codes.contains(&"name-too-long"),
        "{codes:?}"
    );
}

/// Kubernetes' own words allow it, and nothing is left of it in the stream: Liqo's types would not write it back.
#[test]
fn what_says_nothing_may_stand_there() {
    let node = |fields: &str| {
        format!(
            "      - {{ name: milan, resources: {{ cpu: \"20\", memory: 128Gi, pods: 110 }}, createVirtualNode: false }}\n    \
             virtualNodes:\n      - {{ resourceSlice: milan, {fields} }}\n",
        )
    };
    let streams = |fields: &str| {
        let text = edited(&[(SLICE, &node(fields))]);
        library::streams(&text)
            .map_err(|error| error.brief())
            .expect("streams")
    };
    for (empty, plain) in rows(include_str!("values/empty.txt")) {
        let plain = plain.trim_start_matches("nothing");
        taken(&[(SLICE, &node(empty))]);
        assert_eq!(streams(empty), streams(plain), "{empty}");
    }
}
