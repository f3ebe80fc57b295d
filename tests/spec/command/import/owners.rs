//! Who else has the objects: each mark is named with its way to let go, and becomes nobody's metadata.

use super::{guides, imported, replaced};
use crate::harness::parts;

/// The place of the consumer's Configuration where a test adds metadata.
const PLACE: &str = "  name: provider\n  namespace: liqo-tenant-provider  \n";

fn marked(metadata: &str) -> [String; 2] {
    let [consumer, provider] = guides();
    [replaced(&consumer, PLACE, &format!("{PLACE}{metadata}")), provider]
}

#[test]
fn each_owner_is_named_with_its_way_to_let_go() {
    for part in parts(include_str!("owners.txt")) {
        let [mark, owner, way] = part[..] else { panic!("{part:?}") };
        let label = mark.strip_prefix("label ").map(|it| it.replace("; ", "\n    "));
        let texts = label.as_ref().map_or_else(|| marked(&format!("{mark}\n")), |it| labelled(it));
        let outcome = imported(&texts, &[]);
        outcome.says(&format!("note: consumer: {owner}")).says(way).done();
        outcome.says("Its objects: Configuration liqo-tenant-provider/provider");
        let key = label.as_ref().and_then(|it| it.split(':').next());
        for key in ["meta.helm.sh", "objectset", "configsync", "managed-by"].into_iter().chain(key) {
            outcome.omits(key);
        }
    }
}

fn labelled(label: &str) -> [String; 2] {
    let [consumer, provider] = guides();
    let labels = "kind: Configuration\nmetadata:\n  creationTimestamp: null\n  labels:   # Mandatory labels for Liqo\n";
    [replaced(&consumer, labels, &format!("{labels}    {label}\n")), provider]
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
