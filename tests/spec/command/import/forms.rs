//! Manifests as Git has them, which is not as kubectl prints them.

use super::{guides, imported, replaced, streams};
use std::fs;

use super::import;

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
        .says("have no metadata.namespace, and none of them names it")
        .says("consumer.yaml");
    // but kustomize's own file does
    let temp = tempfile::tempdir().expect("a folder");
    for (name, text) in [("c/all.yaml", &consumer), ("p/all.yaml", &texts[1])] {
        fs::create_dir_all(temp.path().join(name).parent().expect("a folder")).expect("a folder");
        fs::write(temp.path().join(name), text).expect("written");
    }
    for text in [
        "namespace: liqo-tenant-provider\nresources: [all.yaml]\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: liqo-tenant-provider\n",
    ] {
        fs::write(temp.path().join("c/kustomization.yaml"), text).expect("written");
        import(&temp.path().join("c"), &temp.path().join("p")).run().done();
    }
}

/// crossplane's provider-kubernetes, and a `List`.
#[test]
fn what_is_wrapped_is_unwrapped_and_its_wrapper_is_an_owner() {
    let [consumer, provider] = guides();
    let manifest = crate::harness::objects::documents(&consumer);
    let wrapped: String = manifest
        .iter()
        .map(|it| {
            let manifest = serde_json::json!({ "apiVersion": "kubernetes.crossplane.io/v1alpha2", "kind": "Object", "metadata": { "name": "peer" }, "spec": { "forProvider": { "manifest": it } } });
            format!("---\n{manifest}\n")
        })
        .collect();
    let expected = streams(imported(&[consumer, provider.clone()], &[]).done());
    let outcome = imported(&[wrapped, provider], &[]);
    assert_eq!(streams(outcome.done()), expected, "{outcome}");
    outcome.says("note: consumer: the Crossplane Object peer has ").says("managementPolicies");
}

#[test]
fn what_is_not_rendered_is_named_with_its_line() {
    let [consumer, provider] = guides();
    for (variable, way) in [
        ("${POD_CIDR}", "flux build kustomization"),
        ("${POD_CIDR:=10.1.0.0/16}", "envsubst"),
        ("{{ .Values.podCIDR }}", "helm template"),
    ] {
        let text = replaced(&consumer, "- 10.42.0.0/16    # Replace", &format!("- {variable} # Replace"));
        let line = text.lines().position(|line| line.contains(variable)).expect("a line") + 1;
        imported(&[text, provider.clone()], &[])
            .fails(1, "manifests")
            .says(&format!("consumer.yaml, line {line}: this is a template"))
            .says(way);
    }
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
    for (brought, bringer) in [
        (
            format!(
                "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {{ name: cplane, namespace: liqo-tenant-provider }}\nspec: {{ encryptedData: {{ kubeconfig: AgB }}, template: {{ metadata: {{ {labels}, {annotations} }} }} }}\n"
            ),
            "SealedSecret cplane",
        ),
        (
            format!(
                "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {{ name: cplane, namespace: liqo-tenant-provider }}\nspec: {{ target: {{ name: other, template: {{ metadata: {{ {labels}, {annotations} }} }} }} }}\n"
            ),
            "ExternalSecret cplane",
        ),
        (
            format!(
                "apiVersion: external-secrets.io/v1beta1\nkind: ExternalSecret\nmetadata: {{ name: cplane, namespace: liqo-tenant-provider, {labels}, {annotations} }}\nspec: {{ target: {{}} }}\n"
            ),
            "ExternalSecret cplane",
        ),
    ] {
        let text = format!("{}{brought}{}", &consumer[..start], &consumer[end..]);
        let outcome = imported(&[text, provider.clone()], &[]);
        assert!(outcome.done().contains("existingSecret: {}"), "{outcome}");
        outcome.says(&format!("which the {bringer} brings"));
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
            .says("Secret liqo-tenant-provider/gw-keys (")
            .says("encoded twice");
    }
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
    assert!(outcome.done().contains("resourceSlices:"), "{outcome}");
    outcome.says("has the marks of a copy");
    let text = replaced(&consumer, "  name: offloading\n", "  name: demo\n");
    let outcome = imported(&[text, provider.clone()], &[]);
    assert!(!outcome.done().contains("namespaces:\n      - "), "{outcome}");
    assert_eq!(outcome.stderr.matches("NamespaceOffloading").count(), 1, "{outcome}");
    let old = "---\napiVersion: net.liqo.io/v1alpha1\nkind: TunnelEndpoint\nmetadata: { name: a, namespace: demo }\n";
    imported(&[consumer + "\n" + old, provider.clone()], &[]).says("is of Liqo before 1.0").done();
    // to RBAC the account of another namespace is a user, and the credential keeps its rights
    let [consumer, _] = guides();
    let subjects = provider.find("subjects:").expect("subjects");
    let rest = &provider[subjects..];
    let end = subjects + rest.find("\n---").unwrap_or(rest.len());
    let account = "subjects: [{ kind: ServiceAccount, name: liqo, namespace: kube-system }]";
    let text = format!("{}{account}{}", &provider[..subjects], &provider[end..]);
    let outcome = imported(&[consumer, text], &[]);
    assert!(outcome.done().contains("name: system:serviceaccount:kube-system:liqo"), "{outcome}");
    outcome.silent_on("RoleBinding");
}

/// Two Liqos in two namespaces.
#[test]
fn each_side_has_its_own_namespace_of_liqo() {
    let [consumer, provider] = guides();
    let moved = |text: &str| text.replace("    namespace: liqo\n", "    namespace: liqo-system\n");
    let outcome = imported(&[consumer.clone(), moved(&provider)], &[]);
    assert!(outcome.done().contains("    liqoNamespace: liqo-system\n"), "{outcome}");
    assert!(!outcome.stdout.contains("\n  liqoNamespace"), "{outcome}");
    let both = imported(&[moved(&consumer), moved(&provider)], &[]);
    assert!(both.done().contains("\n  liqoNamespace: liqo-system\n"), "{both}");
    for outcome in [outcome, both] {
        outcome.silent_on("TemplateRef");
    }
}
