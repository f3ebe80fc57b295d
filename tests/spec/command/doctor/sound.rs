//! The other half of each finding: what looks like it and is in order.

use super::clusters::Clusters;
use super::ends;
use crate::harness::machine::command;
use crate::harness::{Text, parts};
use serde_json::{Value, json};

/// The findings, without what a certificate's day or a latency is.
#[test]
fn what_is_in_order_is_not_found() {
    let healthy = Clusters::healthy().doctor();
    for part in parts(include_str!("sound.txt")) {
        let mut clusters = Clusters::healthy();
        clusters.change(&part[1..]);
        let outcome = clusters.doctor();
        assert_eq!(ends(&outcome, 0), healthy.stdout, "{}", part[0]);
    }
}

/// `argocd app delete` sets a finalizer that is a harm in any other Application.
#[test]
fn the_settings_of_an_application_that_is_deleted_are_no_harm() {
    const FINALIZER: &str = r#"= argocd Application/provider-provider /metadata/finalizers ["resources-finalizer.argocd.argoproj.io/background"]"#;
    const DELETED: &str =
        r#"= argocd Application/provider-provider /metadata/deletionTimestamp "@-90""#;
    let rows: [(&[&str], bool); 2] = [(&[FINALIZER], true), (&[FINALIZER, DELETED], false)];
    for (lines, is_harm) in rows {
        let mut clusters = Clusters::healthy();
        clusters.change(lines);
        let found = clusters.doctor().stdout;
        assert_eq!(found.contains("[sync-options]"), is_harm, "{found}");
    }
}

/// Of a namespace of the stream and a folder above it: the end of a path is the folder's only where nothing more is known.
#[test]
fn an_application_of_a_folder_with_the_same_end_is_not_the_folders() {
    const FOLDER: &str = "staging/peerings/consumer-provider";
    let mut clusters = Clusters::healthy();
    for role in ["consumer", "provider"] {
        let prod = clusters
            .object("argocd", "Application", &format!("provider-{role}"))
            .clone();
        let mut staging = prod.clone();
        staging["metadata"]["name"] = json!(format!("staging-{role}"));
        staging["spec"]["source"]["path"] = json!(FOLDER);
        clusters.argocd.push(staging);
        let mut of_a_team = prod;
        of_a_team["metadata"]["name"] = json!(format!("team-{role}"));
        of_a_team["spec"]["source"]["repoURL"] = json!("https://git.example.org/team");
        of_a_team["spec"]["source"]["path"] = json!("consumer-provider");
        clusters.argocd.push(of_a_team);
    }
    // the folder alone
    let temp = crate::harness::machine::folder();
    let outcome = clusters.run_in(&temp, FOLDER);
    let shown = ends(&outcome, 0);
    shown.lacks("warning[").lacks("own the same objects");
    shown.has("note[applications]: the Application of the role `consumer` is not known");
    shown.has("whether it has this folder is unknown");
    // in a checkout its whole path
    let git = |arguments: &[&str]| {
        let mut git = command("git");
        let status = git.args(arguments).current_dir(temp.path()).status();
        assert!(status.expect("git").success());
    };
    git(&["init", "-q"]);
    let outcome = clusters.run_in(&temp, FOLDER);
    ends(&outcome, 0).lacks("[applications]").lacks("known");
    clusters.twin("argocd", "Application", "staging-consumer");
    ends(&clusters.run_in(&temp, FOLDER), 1).has("own the same objects");
    // of another repository, by the checkout's remotes
    clusters.object("argocd", "Application", "another")["spec"]["source"]["repoURL"] =
        json!("https://git.example.org/others");
    ends(&clusters.run_in(&temp, FOLDER), 0)
        .has("the role `consumer` is not known")
        .lacks("the role `provider` is not known");
    let remote = "https://git.example.org/net/peerings";
    git(&["remote", "add", "origin", remote]);
    let outcome = clusters.run_in(&temp, FOLDER);
    ends(&outcome, 0)
        .lacks("[applications]")
        .has("not Application argocd/another: its repository is no remote of this checkout");
}

/// `none of the stream's objects` is of several: of one, its name is shorter and says more.
#[test]
fn the_only_object_of_a_stream_is_named() {
    let mut clusters = Clusters::of_document(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: { name: consumer-provider }\nspec:\n  \
         consumer: { clusterID: consumer }\n  provider: { clusterID: provider }\n  authentication:\n    \
         subject: { kind: User, name: myuser }\n    credential: pending\n",
    );
    clusters.without("consumer", "Namespace");
    let outcome = clusters.doctor();
    ends(&outcome, 1)
        .has("error[missing]: consumer: Namespace liqo-tenant-provider: it is missing");
}

const LIST: &str = "/spec/offloadingPatch/labelsNotReflected";

/// Liqo's webhook adds to these lists of a virtual node, and an empty list of a stream is none in a cluster (liqo
/// `pkg/webhooks/virtualnode/mutate.go`; Kubernetes drops empty lists of `omitempty`).
#[test]
fn what_liqo_appends_is_no_difference() {
    let document = crate::harness::committed("examples/quickstart/peering.yaml").replacen(
        "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }\n",
        "      - { name: provider, createVirtualNode: false, resources: { cpu: \"1\", memory: 1Gi, pods: \"110\" } }\n    virtualNodes:\n      \
         - { resourceSlice: provider, name: provider, offloadingPatch: { labelsNotReflected: [a.example.org/x] } }\n",
        1,
    );
    let document = document.replacen("clusters: thisPeer", "clusters: all", 1);
    let of = |change: fn(&mut Clusters)| {
        let mut clusters = Clusters::of_document(&document);
        // Liqo's own beside the document's
        let is_liqos = |it: &Value| {
            it["kind"] == "VirtualNode"
                && it["spec"]["createNode"] == true
                && it["metadata"]["annotations"].is_null()
        };
        clusters.consumer.retain(|it| !is_liqos(it));
        change(&mut clusters);
        clusters.doctor().stdout
    };
    let sound = of(|it| {
        let node = it.object("consumer", "VirtualNode", "");
        node.pointer_mut(LIST)
            .and_then(Value::as_array_mut)
            .expect("a list")
            .push(json!("liqo.io/x"));
        let selector =
            &mut it.object("consumer", "NamespaceOffloading", "")["spec"]["clusterSelector"];
        assert_eq!(selector["nodeSelectorTerms"], json!([]));
        *selector = json!({});
    });
    sound.lacks("[different]");
    let wrong = of(|it| {
        *it.object("consumer", "VirtualNode", "")
            .pointer_mut(LIST)
            .expect("a list") = json!(["liqo.io/x"]);
    });
    wrong
        .has("error[different]: consumer: VirtualNode ")
        .has("labelsNotReflected");
}
