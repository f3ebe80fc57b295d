//! What Liqo's webhook changes in a VirtualNode once, when it is created (liqo `pkg/webhooks/virtualnode`), must not be
//! what the stream sets.

use crate::harness::{Checkout, Outcome, Run, Text, committed, documents, edited, only, put};
use serde_json::json;

/// The annotations that the stream keeps from being reflected, for what a document says of its virtual node.
fn kept(written: &str) -> Option<Vec<String>> {
    let slice =
        "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }\n";
    let node = format!(
        "      - {{ createVirtualNode: false, resources: {{ cpu: \"1\", memory: 1Gi, pods: 9 }} }}\n    virtualNodes: [{{ resourceSlice: provider, {written} }}]\n"
    );
    let outcome = Checkout::of(edited(slice, &node)).local("consumer").run();
    let objects = documents(outcome.stream());
    let patch = &only(&objects, "VirtualNode")["spec"]["offloadingPatch"];
    assert_eq!(
        patch.get("labelsNotReflected").is_some(),
        written.contains("labelsNotReflected"),
        "{patch}"
    );
    let list = patch
        .get("annotationsNotReflected")?
        .as_array()
        .expect("a list");
    Some(
        list.iter()
            .map(|it| it.as_str().expect("a text").to_owned())
            .collect(),
    )
}

#[test]
fn a_list_is_complete_when_it_comes_to_liqos_webhook() {
    assert_eq!(
        kept("offloadingPatch: { runtimeClassName: nvidia }"),
        None,
        "it is Liqo's"
    );
    let mine = "annotationsNotReflected: [example.org/mine, cloud.google.com/neg-status]";
    let list = kept(&format!(
        "offloadingPatch: {{ {mine}, labelsNotReflected: [a] }}"
    ))
    .expect("a list");
    assert_eq!(
        list[..2],
        ["example.org/mine", "cloud.google.com/neg-status"]
    );
    assert_eq!(
        list.len(),
        12,
        "eleven of Liqo's, one of which was written: {list:?}"
    );
    assert_eq!(list[2], "cloud.google.com/neg");
    assert_eq!(list[11], "loadbalancer.openstack.org/load-balancer-id");
    let again = kept(&format!(
        "offloadingPatch: {{ annotationsNotReflected: [{}] }}",
        list.join(", ")
    ));
    assert_eq!(again, Some(list), "and nothing is added to it");
    // Liqo's own, by its name
    let named = "vkOptionsTemplateRef: { name: virtual-kubelet-default }";
    assert_eq!(
        kept(&format!("{named}, offloadingPatch: {{ {mine} }}")).map(|it| it.len()),
        Some(12)
    );
    // another's are not known
    let other = "vkOptionsTemplateRef: { name: gpu }";
    assert_eq!(
        kept(&format!("{other}, offloadingPatch: {{ {mine} }}")).map(|it| it.len()),
        Some(2)
    );
}

const NAMESPACES: &str = "    namespaces:\n      - name: demo\n";

/// What is said of a document with this virtual node.
fn said(node: &str) -> Outcome {
    let folder = crate::harness::machine::folder();
    let document = edited(
        NAMESPACES,
        &format!("    virtualNodes: [{node}]\n{NAMESPACES}"),
    );
    put(folder.path().join("peering.yaml"), document);
    Run::new(["generate", "--public", "--role=consumer"])
        .arg(folder.path())
        .run()
}

/// (liqo docs/advanced/peering/offloading-in-depth.md, "With Existing Secret")
#[test]
fn a_virtual_node_has_the_credential_of_a_secret() {
    let hard = "resourceQuota: { hard: { cpu: \"2\", memory: 4Gi, pods: \"110\" } }";
    let outcome = said(&format!(
        "{{ name: mynode, kubeconfigSecretRef: {{ name: mine }}, {hard} }}"
    ));
    let objects = documents(outcome.done());
    let node = only(&objects, "VirtualNode");
    assert_eq!(node["metadata"]["name"], "mynode");
    assert_eq!(
        node["metadata"]["labels"],
        json!({ "liqo.io/remote-cluster-id": "provider" }),
        "of no slice"
    );
    assert_eq!(
        node["spec"]["kubeconfigSecretRef"],
        json!({ "name": "mine" })
    );
    assert_eq!(
        node["spec"]["resourceQuota"]["hard"],
        json!({ "cpu": "2", "memory": "4Gi", "pods": "110" })
    );
    for (node, code, words) in [
        (
            "{ name: a }",
            "missing-field",
            "the virtual node has no credential",
        ),
        (
            "{ kubeconfigSecretRef: { name: mine } }",
            "missing-field",
            "a virtual node without a slice needs a `name`",
        ),
        (
            "{ name: a, resourceSlice: provider, kubeconfigSecretRef: { name: mine } }",
            "wrong-type",
            "the virtual node has two credentials",
        ),
        (
            "{ name: a, kubeconfigSecretRef: { name: mine } }",
            "missing-field",
            "it runs no pods",
        ),
    ] {
        said(node).fails(1, code).says(words);
    }
    let without_node = said("{ name: a, createNode: false, kubeconfigSecretRef: { name: mine } }");
    let objects = documents(without_node.done());
    assert_eq!(
        only(&objects, "VirtualNode")["spec"].get("resourceQuota"),
        None
    );
}

/// An import used to end in an error about a file that does not exist.
#[test]
fn a_virtual_node_with_a_secret_is_imported() {
    for secret in ["mine", "kubeconfig-resourceslice-gone"] {
        let folder = crate::harness::machine::folder();
        let node = json!({
            "apiVersion": "offloading.liqo.io/v1beta1",
            "kind": "VirtualNode",
            "metadata": {
                "name": "mynode",
                "namespace": "liqo-tenant-provider",
                "labels": { "liqo.io/remote-cluster-id": "provider" },
            },
            "spec": {
                "clusterID": "provider",
                "kubeconfigSecretRef": { "name": secret },
                "resourceQuota": { "hard": { "cpu": "2", "memory": "4Gi", "pods": "110" } },
            },
        });
        let [consumer, provider] = ["consumer", "provider"]
            .map(|role| committed(&format!("tests/golden/quickstart/{role}.yaml")));
        put(
            folder.path().join("consumer.yaml"),
            format!("{consumer}---\n{node}\n"),
        );
        put(folder.path().join("provider.yaml"), provider);
        let import = Run::new([
            "import",
            "--consumer",
            "consumer.yaml",
            "--provider",
            "provider.yaml",
        ]);
        let outcome = import.within(folder.path()).run();
        let imported = outcome.done();
        let expected =
            format!("- name: mynode\n        kubeconfigSecretRef:\n          name: {secret}\n");
        imported.has(&expected).lacks("resourceSlice: ");
    }
}
