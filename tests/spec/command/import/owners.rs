//! Who else has the objects: each mark is named with its way to let go, and becomes nobody's metadata.

use super::{guides, imported, replaced};

/// The place of the consumer's Configuration where a test adds metadata.
const PLACE: &str = "  name: provider\n  namespace: liqo-tenant-provider  \n";

fn marked(metadata: &str) -> [String; 2] {
    let [consumer, provider] = guides();
    [replaced(&consumer, PLACE, &format!("{PLACE}{metadata}")), provider]
}

#[test]
fn each_owner_is_named_with_its_way_to_let_go() {
    for (metadata, owner, way) in [
        (
            "  annotations: { meta.helm.sh/release-name: peering, meta.helm.sh/release-namespace: net }\n",
            "the Helm release `net/peering` has 1 object of the peering",
            "helm.sh/resource-policy: keep",
        ),
        (
            "  annotations: { objectset.rio.cattle.io/owner-name: peers, objectset.rio.cattle.io/owner-namespace: fleet }\n",
            "Rancher's objectset of `fleet/peers`",
            "objectset.rio.cattle.io/hash",
        ),
        (
            "  annotations: { configsync.gke.io/manager: root }\n",
            "Config Sync `root`",
            "configmanagement.gke.io/managed: disabled",
        ),
        (
            "  annotations: { app.kubernetes.io/managed-by: terraform }\n",
            "Terraform has 1 object",
            "terraform state rm",
        ),
        (
            "  annotations: { objectset.rio.cattle.io/id: fleet-agent }\n",
            "Rancher's objectset of `fleet-agent`",
            "keepResources: true",
        ),
        (
            "  annotations: { crossplane.io/composition-resource-name: peer }\n",
            "the Crossplane composite `peer`",
            "managementPolicies",
        ),
        (
            "  annotations: { config.k8s.io/owning-inventory: abc }\n",
            "the inventory `abc`",
            "client.lifecycle.config.k8s.io/deletion: detach",
        ),
        (
            "  annotations: { apps.open-cluster-management.io/hosting-subscription: net/peers }\n",
            "the Subscription `net/peers`",
            "remove that annotation",
        ),
        (
            "  ownerReferences: [{ apiVersion: peers.example.org/v1, kind: Peer, name: milan, uid: u }]\n",
            "the owner Peer `milan`",
            "--cascade=orphan",
        ),
    ] {
        let outcome = imported(&marked(metadata), &[]);
        outcome.says(&format!("note: consumer: {owner}")).says(way).done();
        outcome.says("Its objects: Configuration liqo-tenant-provider/provider");
        for key in ["meta.helm.sh", "objectset", "configsync", "managed-by"] {
            assert!(!outcome.stdout.contains(key), "{outcome}");
        }
    }
    // labels
    for (label, owner, way) in [
        (
            "kustomize.toolkit.fluxcd.io/name: peers\n    kustomize.toolkit.fluxcd.io/namespace: flux",
            "the Flux Kustomization `flux/peers`",
            "kustomize.toolkit.fluxcd.io/prune: disabled",
        ),
        (
            "helm.toolkit.fluxcd.io/name: peers\n    helm.toolkit.fluxcd.io/namespace: flux",
            "the Flux HelmRelease `flux/peers`",
            "then delete it",
        ),
        ("crossplane.io/composite: peers", "the Crossplane composite `peers`", "managementPolicies"),
        ("kapp.k14s.io/app: \"17\"", "the kapp application `17`", "delete-strategy: orphan"),
        ("app.kubernetes.io/managed-by: Helm", "Helm has 1 object", "helm uninstall"),
        ("app.kubernetes.io/managed-by: pulumi", "Pulumi has 1 object", "retainOnDelete"),
        (
            "app.kubernetes.io/managed-by: timoni",
            "by its label `app.kubernetes.io/managed-by`, `timoni` has 1 object",
            "have it leave them",
        ),
        ("crossplane.io/claim-name: peers", "the Crossplane composite `peers`", "deletionPolicy: Orphan"),
        ("objectset.rio.cattle.io/hash: abc", "Rancher's objectset of `abc`", "objectset.rio.cattle.io/hash"),
        ("applyset.kubernetes.io/part-of: applyset-x", "the ApplySet of kubectl `applyset-x`", "--prune"),
        ("generate.kyverno.io/policy-name: peers", "the Kyverno policy `peers`", "synchronize: false"),
        (
            "argocd.argoproj.io/instance: peers",
            "by its label `app.kubernetes.io/instance`, the Application `peers`",
            "--cascade=false",
        ),
        (
            "app.kubernetes.io/instance: peers",
            "by its label `app.kubernetes.io/instance`, the Application `peers`",
            "--cascade=false",
        ),
    ] {
        let [consumer, provider] = guides();
        let labels = "kind: Configuration\nmetadata:\n  creationTimestamp: null\n  labels:   # Mandatory labels for Liqo\n";
        let texts = [replaced(&consumer, labels, &format!("{labels}    {label}\n")), provider];
        let outcome = imported(&texts, &[]);
        outcome.says(&format!("note: consumer: {owner}")).says(way).done();
        let key = label.split(':').next().expect("a key");
        assert!(!outcome.stdout.contains(key), "{outcome}");
    }
}

/// Several tools have one object, and each has to let go of it.
#[test]
fn each_of_several_owners_is_named() {
    let marks = "  annotations: { meta.helm.sh/release-name: a, config.k8s.io/owning-inventory: b, argocd.argoproj.io/tracking-id: \"c:networking.liqo.io/Configuration:liqo-tenant-provider/provider\" }\n";
    let outcome = imported(&marked(marks), &[]);
    outcome.done();
    for owner in ["the Helm release `a`", "the inventory `b`", "the Application `c`"] {
        outcome.says(&format!("note: consumer: {owner} has 1 object"));
    }
}

/// A mark on two objects is one owner, and what applies the objects of others again comes first.
#[test]
fn owners_come_in_the_order_in_which_to_let_go() {
    let texts = guides().map(|text| {
        text.replace("  labels: ", "  annotations: { meta.helm.sh/release-name: peering }\n  labels: ")
            .replace("  annotations: { meta.helm.sh/release-name: peering }\n  labels: # Mandatory labels and annotations for Liqo", "  labels: #")
            .replace("    liqo.io/remote-cluster-id: provider   # Replace", "    helm.toolkit.fluxcd.io/name: peering\n    liqo.io/remote-cluster-id: provider   # Replace")
    });
    let outcome = imported(&texts, &[]);
    outcome.done();
    let at = |words: &str| outcome.stderr.find(words).unwrap_or_else(|| panic!("{words}: {outcome}"));
    assert!(at("consumer: the Flux HelmRelease") < at("consumer: the Helm release"), "{outcome}");
    assert_eq!(outcome.stderr.matches("consumer: the Helm release").count(), 1, "{outcome}");
}

/// The marks of Secrets and of workloads' Namespaces are not read, and a deletion of the owner takes them, too.
#[test]
fn what_an_owner_can_have_too_is_named() {
    let words =
        "consumer: whether an owner has these too is not read; have it let go of them in the same way: ";
    let outcome = imported(&marked("  annotations: { meta.helm.sh/release-name: peering }\n"), &[]);
    outcome.says(words).says("Secret liqo-tenant-provider/").says("Namespace demo").done();
    // an Application that goes without its objects leaves them, too
    let tracked =
        "  annotations: { argocd.argoproj.io/tracking-id: 'peers:networking.liqo.io/Configuration:a/b' }\n";
    imported(&marked(tracked), &[]).silent_on("is not read");
    imported(&guides(), &[]).silent_on("is not read");
}

#[test]
fn what_only_describes_is_no_owner() {
    let note = "of the peering. To let go";
    for metadata in [
        "  annotations: { example.org/owner: net }\n",
        "  ownerReferences: [{ apiVersion: authentication.liqo.io/v1beta1, kind: ResourceSlice, name: a, uid: u }]\n",
    ] {
        imported(&marked(metadata), &[]).silent_on(note);
    }
}
