//! Manifests as Git has them, which is not as kubectl prints them.

use super::{guides, imported, replaced, streams};
use crate::harness::{Text, put, words};
use serde_json::Value;
use std::fs;

use super::import;

/// The rows of a kind in `forms.txt`.
fn rows(kind: &str) -> impl Iterator<Item = Vec<String>> {
    include_str!("forms.txt").lines().filter(move |it| it.split(' ').next() == Some(kind)).map(words)
}

/// Without the namespaces, as kustomize, `kubectl -n` or an Application's destination set them.
fn without_namespaces(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("  namespace: liqo-tenant-"))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_one_tenant_namespace_is_that_of_objects_without_one() {
    let texts = guides();
    let expected = streams(imported(&texts, &[]).done());
    let found = imported(&[without_namespaces(&texts[0]), without_namespaces(&texts[1])], &[]);
    assert_eq!(streams(found.done()), expected, "{found}");
    // without the Namespace nothing names it
    let consumer = without_namespaces(&texts[0]).replace("kind: Namespace\n", "kind: Other\n");
    imported(&[consumer.clone(), texts[1].clone()], &[])
        .fails(1, "manifests")
        .says("without metadata.namespace, and none of them names it")
        .says("consumer.yaml");
    // but kustomize's own file does, of all that is below it
    let consumer = replaced(&consumer, "kind: NamespaceOffloading\n", "kind: Other\n")
        .replace("  namespace: demo #", "  # ");
    let temp = tempfile::tempdir().expect("a folder");
    for (name, text) in [("c/all.yaml", &consumer), ("p/all.yaml", &texts[1])] {
        put(temp.path().join(name), text);
    }
    for text in [
        "namespace: liqo-tenant-provider\nresources: [all.yaml]\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: liqo-tenant-provider\n",
    ] {
        put(temp.path().join("c/kustomization.yaml"), text);
        import(&temp.path().join("c"), &temp.path().join("p")).run().done();
    }
}

/// What kustomize changes is in no manifest: it is refused, and never read as if it were not there.
#[test]
fn what_kustomize_would_change_is_refused() {
    let texts = guides();
    let temp = tempfile::tempdir().expect("a folder");
    for (name, text) in [("c/all.yaml", &texts[0]), ("p/all.yaml", &texts[1])] {
        put(temp.path().join(name), text);
    }
    let head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [all.yaml]\n";
    for row in rows("kustomize") {
        let [_, name, field, text] = &row[..] else { panic!("{row:?}") };
        let text = text.replace("HEAD", head);
        let path = temp.path().join("c").join(name);
        put(&path, text);
        let outcome = import(&temp.path().join("c"), &temp.path().join("p")).run();
        outcome.fails(1, "manifests").says(&format!("{name}: `{field}` changes the manifests"));
        outcome.says("import what `kustomize build` prints");
        fs::remove_file(path).expect("removed");
    }
    put(temp.path().join("c/kustomization.yaml"), format!("{head}sortOptions: {{ order: fifo }}\n"));
    import(&temp.path().join("c"), &temp.path().join("p")).run().done();
}

/// crossplane's provider-kubernetes, and a `List`.
#[test]
fn what_is_wrapped_is_unwrapped_and_its_wrapper_is_an_owner() {
    let [consumer, provider] = guides();
    let manifests = crate::harness::objects::documents(&consumer);
    let expected = streams(imported(&[consumer, provider.clone()], &[]).done());
    let object = |api: &str, it: &Value| serde_json::json!({ "apiVersion": api, "kind": "Object", "metadata": { "name": "peer" }, "spec": { "forProvider": { "manifest": it } } });
    let objects =
        |api: &str| manifests.iter().map(|it| format!("---\n{}\n", object(api, it))).collect::<String>();
    let resources: Vec<Value> = manifests
        .iter()
        .map(|it| serde_json::json!({ "name": "x", "base": object("kubernetes.crossplane.io/v1alpha2", it) }))
        .collect();
    for (wrapped, owner) in [
        (objects("kubernetes.crossplane.io/v1alpha1"), "the Crossplane Object peer"),
        (objects("kubernetes.crossplane.io/v1alpha2"), "the Crossplane Object peer"),
        (objects("kubernetes.m.crossplane.io/v1alpha1"), "the Crossplane Object peer"),
        (
            serde_json::json!({ "apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition", "metadata": { "name": "peers" }, "spec": { "resources": resources } }).to_string(),
            "the Crossplane Composition peers",
        ),
        (
            serde_json::json!({ "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": { "name": "peers" }, "spec": { "workload": { "manifests": manifests } } }).to_string(),
            "the ManifestWork peers",
        ),
        (
            serde_json::json!({ "apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": { "name": "peers" }, "objects": manifests }).to_string(),
            "the Template peers",
        ),
    ] {
        let outcome = imported(&[wrapped, provider.clone()], &[]);
        assert_eq!(streams(outcome.done()), expected, "{outcome}");
        outcome.says(&format!("note: consumer: {owner} has ")).says("managementPolicies");
    }
    let list = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": manifests }).to_string();
    let outcome = imported(&[list, provider], &[]);
    assert_eq!(streams(outcome.done()), expected, "{outcome}");
    outcome.silent_on("To let go");
}

#[test]
fn what_is_not_rendered_is_named_with_its_line() {
    let [consumer, provider] = guides();
    for row in rows("variable") {
        let [_, variable, way] = &row[..] else { panic!("{row:?}") };
        let text = replaced(&consumer, "- 10.42.0.0/16    # Replace", &format!("- {variable} # Replace"));
        let line = text.lines().position(|line| line.contains(variable.as_str())).expect("a line") + 1;
        imported(&[text, provider.clone()], &[])
            .fails(1, "manifests")
            .says(&format!("consumer.yaml, line {line}: this is "))
            .says(way);
    }
    // a variable has an end
    let note =
        consumer.replacen("metadata:\n", "metadata:\n  annotations: { example.org/note: \"${A\" }\n", 1);
    imported(&[note, provider.clone()], &[]).done();
    // another object's text is nobody's business
    let script = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: script, namespace: demo }\ndata: { run: \"echo ${HOME}\" }\n";
    imported(&[consumer + "\n" + script, provider], &[]).done();
}

/// A Secret, and what brings one, are one thing.
#[test]
fn a_credential_in_another_spelling_is_an_existing_secret() {
    let [consumer, provider] = guides();
    let start = consumer.find("apiVersion: v1\ndata: # Encoced").expect("the credential");
    let end = start + consumer[start..].find("---").expect("the next");
    let labels = "labels: { liqo.io/identity-type: ControlPlane, liqo.io/remote-cluster-id: provider }";
    let annotations = "annotations: { liqo.io/remote-tenant-namespace: liqo-tenant-consumer }";
    for row in rows("brings") {
        let [_, bringer, brought] = &row[..] else { panic!("{row:?}") };
        let brought = brought.replace("LIQO", &format!("{labels}, {annotations}")).replace("LABELS", labels);
        let text = format!("{}{brought}{}", &consumer[..start], &consumer[end..]);
        let outcome = imported(&[text, provider.clone()], &[]);
        outcome.done().has("existingSecret: {}");
        outcome.says(&format!("the {bringer} brings Secret ")).silent_on("pending").silent_on("is not part");
    }
    // what Liqo does not find, or nothing, is `pending`, and it is reported
    let unlabelled = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: { name: cplane, namespace: liqo-tenant-provider }\nspec: { target: {} }\n";
    let push = "apiVersion: external-secrets.io/v1alpha1\nkind: PushSecret\nmetadata: { name: cplane, namespace: liqo-tenant-provider }\nspec: { selector: { secret: { name: cplane } } }\n";
    for (text, named) in [
        (
            unlabelled,
            "the ExternalSecret cplane brings Secret liqo-tenant-provider/cplane without Liqo's labels",
        ),
        (push, "PushSecret.external-secrets.io liqo-tenant-provider/cplane is not part of the peering"),
        ("{}\n", "so the document has `credential: pending`"),
    ] {
        let text = format!("{}{text}{}", &consumer[..start], &consumer[end..]);
        let outcome = imported(&[text, provider.clone()], &[]);
        outcome.done().has("credential: pending");
        outcome.says(named).says("so the document has `credential: pending`");
    }
}

#[test]
fn a_key_that_gateways_cannot_read_is_named() {
    let [consumer, provider] = guides();
    let twice = consumer.replace(
        "publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
        "publicKey: YWhQc3RWaHliUmlJeXhTUGhaZ2ZXa2M1dk1VYUpURkhhQ2NUcjJLRVcyQT0=",
    );
    let text = consumer.replace("type: Opaque\ndata:", "type: Opaque\nstringData:");
    for text in [twice, text] {
        imported(&[text, provider.clone()], &[])
            .says("the key in Secret liqo-tenant-provider/gw-keys (")
            .says("encoded twice")
            .done();
    }
    for row in rows("key") {
        let [_, key, why] = &row[..] else { panic!("{row:?}") };
        let old = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
        let outcome = imported(&[consumer.replace(old, key), provider.clone()], &[]);
        outcome.says("the key in Secret liqo-tenant-provider/gw-keys (").says(why).done();
        assert!(outcome.stdout.contains(old), "the other side has it: {outcome}");
        let outcome = imported(&[consumer.clone(), provider.replace(old, key)], &[]);
        outcome.says("the key in PublicKey.networking.liqo.io liqo-tenant-consumer/gw-publickey (").says(why);
    }
    // a line break in base64 is none in the key (Go encoding/base64)
    let broken = consumer.replace(
        "publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
        "publicKey: \"ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=\\n\"",
    );
    imported(&[broken, provider.clone()], &[]).silent_on("the key in").done();
    let sops = consumer.replace("type: Opaque\n", "type: Opaque\nsops: { version: 3.9.0 }\n");
    let sops = sops
        .replace("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=", "\"ENC[AES256_GCM,data:YQ==,type:str]\"");
    imported(&[sops, provider], &[]).says("is encrypted by SOPS").done();
}

/// What means something else is either kept as it means, or refused.
#[test]
fn nothing_changes_its_meaning_in_silence() {
    let [consumer, provider] = guides();
    let text = replaced(
        &consumer,
        "    nodeSelectorTerms: []\n",
        "    matchLabels: { liqo.io/remote-cluster-id: provider }\n",
    );
    imported(&[text, provider.clone()], &[]).fails(1, "manifests").says("has no field `matchLabels`");
    let text = replaced(
        &consumer,
        "    liqo.io/replication: \"true\"\n",
        "    liqo.io/replication: \"true\"\n    liqo.io/replicated: \"true\"\n    liqo.io/originID: consumer\n",
    );
    let outcome = imported(&[text, provider.clone()], &[]);
    outcome.prints("resourceSlices:").says("has the marks of a copy").done();
    let text = replaced(&consumer, "  name: offloading\n", "  name: demo\n");
    let outcome = imported(&[text, provider.clone()], &[]);
    outcome.done().lacks("namespaces:\n      - ");
    assert_eq!(outcome.stderr.matches("NamespaceOffloading").count(), 1, "{outcome}");
    let old = "---\napiVersion: net.liqo.io/v1alpha1\nkind: TunnelEndpoint\nmetadata: { name: a, namespace: demo }\n";
    imported(&[consumer + "\n" + old, provider.clone()], &[]).says("is of Liqo before 1.0").done();
    let [consumer, _] = guides();
    let text = replaced(&consumer, "offloading.liqo.io/v1beta1", "offloading.liqo.io/v1alpha1");
    imported(&[text, provider.clone()], &[]).says("demo/offloading is of Liqo before 1.0").done();
    imported(&[old.to_owned(), provider.clone()], &[])
        .fails(1, "manifests")
        .says("TunnelEndpoint.net.liqo.io demo/a")
        .says("is of Liqo before 1.0: upgrade Liqo first");
    // a slice for another provider, and a copy's mark without an origin
    let text = replaced(&consumer, "  providerClusterID: provider\n", "  providerClusterID: oslo\n");
    imported(&[text, provider.clone()], &[])
        .fails(1, "manifests")
        .says("its label liqo.io/remote-cluster-id is `provider`, and its spec.providerClusterID is `oslo`");
    let mark = "    liqo.io/replication: \"true\"\n";
    let text = replaced(&consumer, mark, &format!("{mark}    liqo.io/replicated: \"true\"\n"));
    let outcome = imported(&[text, provider.clone()], &[]);
    outcome.prints("resourceSlices:").says("has the marks of a copy").done();
    // the consumer's slice, as Liqo copies it to the provider
    let labels =
        "liqo.io/replicated: \"true\", liqo.io/originID: consumer, liqo.io/remote-cluster-id: consumer";
    let copy = format!(
        "---\napiVersion: authentication.liqo.io/v1beta1\nkind: ResourceSlice\nmetadata: {{ name: provider, namespace: liqo-tenant-consumer, labels: {{ {labels} }} }}\nspec: {{ class: default, providerClusterID: provider }}\n"
    );
    let texts = [consumer.clone(), format!("{provider}\n{copy}")];
    imported(&texts, &[]).silent_on("has the marks of a copy").done();
    // a selector of other labels stays
    let terms = "nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: In, values: [a] }] }]";
    let text = replaced(&consumer, "nodeSelectorTerms: []", terms);
    imported(&[text, provider.clone()], &[]).done().has("- key: zone\n");
    // what is empty says nothing
    let port = "    nodePort: 32750\n";
    let text = replaced(&provider, port, &format!("{port}    loadBalancerIP: null\n"));
    imported(&[consumer.clone(), text], &[]).silent_on("loadBalancerIP").done();
    // one network without a list is the same network
    let text = consumer.replace("      external:\n      - 10.70.0.0/16 ", "      external: 10.70.0.0/16 ");
    imported(&[text, provider.clone()], &[]).says("spec.remote.cidr.external becomes a list").done();
    let text =
        replaced(&consumer, "  namespace: demo # Name of the namespace to offload on the provider\n", "");
    imported(&[text, provider.clone()], &[])
        .fails(1, "manifests")
        .says("1 object without metadata.namespace, and it is not the tenant namespace");
    // to RBAC the account of another namespace is a user, and the credential keeps its rights
    let [consumer, _] = guides();
    let subjects = provider.find("subjects:").expect("subjects");
    let rest = &provider[subjects..];
    let end = subjects + rest.find("\n---").unwrap_or(rest.len());
    let account = "subjects: [{ kind: ServiceAccount, name: liqo, namespace: kube-system }]";
    let text = format!("{}{account}{}", &provider[..subjects], &provider[end..]);
    let outcome = imported(&[consumer, text], &[]);
    outcome.prints("name: system:serviceaccount:kube-system:liqo").silent_on("RoleBinding").done();
}

/// Two Liqos in two namespaces.
#[test]
fn each_side_has_its_own_namespace_of_liqo() {
    let [consumer, provider] = guides();
    let moved = |text: &str| text.replace("    namespace: liqo\n", "    namespace: liqo-system\n");
    let outcome = imported(&[consumer.clone(), moved(&provider)], &[]);
    outcome.prints("    liqoNamespace: liqo-system\n").omits("\n  liqoNamespace").done();
    let both = imported(&[moved(&consumer), moved(&provider)], &[]);
    both.done().has("\n  liqoNamespace: liqo-system\n");
    for outcome in [outcome, both] {
        outcome.silent_on("TemplateRef");
    }
}
