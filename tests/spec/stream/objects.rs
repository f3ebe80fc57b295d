//! What holds of each stream on its own.

use std::collections::BTreeSet;

use serde_json::Value;

use super::peerings::{Stream, assert_everywhere, peerings, streams};
use crate::harness::{Id, ROLES, annotation, label, peer, text_at};

const WAVE: &str = "argocd.argoproj.io/sync-wave";
const OPTIONS: &str = "argocd.argoproj.io/sync-options";

fn no_object_stands_there_twice(stream: &Stream) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let ids = stream.objects.iter().map(Id::of);
    ids.filter(|id| !seen.insert(id.clone()))
        .map(|id| format!("{id}: twice"))
        .collect()
}

fn every_document_is_an_object_of_its_own(stream: &Stream) -> Vec<String> {
    let begun = stream.text.lines().filter(|line| *line == "---").count();
    let mut problems = Vec::new();
    if begun != stream.objects.len()
        || !stream.text.starts_with("---\n")
        || !stream.text.ends_with('\n')
    {
        problems.push(format!(
            "{begun} × `---` and {} objects",
            stream.objects.len()
        ));
    }
    problems
}

fn every_namespaced_object_says_its_namespace(stream: &Stream) -> Vec<String> {
    const OF_THE_CLUSTER: [&str; 2] = ["Namespace", "ForeignCluster"];
    let wrong = |object: &&Value| {
        let id = Id::of(object);
        id.name.is_empty() || id.namespace.is_empty() != OF_THE_CLUSTER.contains(&id.kind.as_str())
    };
    let wrong = stream.objects.iter().filter(wrong);
    wrong
        .map(|object| format!("`{}`: its name and namespace", Id::of(object)))
        .collect()
}

fn every_namespace_is_made_or_offloaded(stream: &Stream) -> Vec<String> {
    let made: Vec<_> = stream
        .of_kind("Namespace")
        .iter()
        .map(|it| text_at(it, "/metadata/name"))
        .collect();
    let homeless = |object: &&Value| {
        let id = Id::of(object);
        let known = id.namespace.is_empty() || made.contains(&id.namespace.as_str());
        !known && id.kind != "NamespaceOffloading"
    };
    let homeless = stream.objects.iter().filter(homeless);
    homeless
        .map(|object| format!("{}: no such Namespace in the stream", Id::of(object)))
        .collect()
}

/// Says where a stream breaks the rule.
type Rule = fn(&Stream) -> Vec<String>;

/// What holds of each stream.
const RULES: [(&str, Rule); 8] = [
    ("no object stands there twice", no_object_stands_there_twice),
    (
        "every document is an object of its own",
        every_document_is_an_object_of_its_own,
    ),
    (
        "every namespaced object says its namespace",
        every_namespaced_object_says_its_namespace,
    ),
    (
        "every namespace is made or offloaded",
        every_namespace_is_made_or_offloaded,
    ),
    ("every object has its wave", every_object_has_its_wave),
    ("waves ascend", waves_ascend),
    ("no dry run is skipped", no_dry_run_is_skipped),
    (
        "nothing of the api servers is said",
        nothing_of_the_api_servers_is_said,
    ),
];

#[test]
fn every_rule_holds_of_every_stream() {
    for (name, rule) in RULES {
        assert_everywhere(name, rule);
    }
}

/// The order of design.md, section 2.
fn wave(object: &Value) -> u64 {
    let id = Id::of(object);
    match id.kind.as_str() {
        "Namespace" if label(object, "liqo.io/tenant-namespace") == Some("true") => 0,
        "Secret" | "SealedSecret" | "ExternalSecret"
            if label(object, "networking.liqo.io/gateway-resource") == Some("true") =>
        {
            1
        }
        "Secret" if object["type"] == "kubernetes.io/service-account-token" => 1,
        "PublicKey" | "Configuration" | "ServiceAccount" => 1,
        "GatewayServer" | "GatewayClient" => 2,
        "RoleBinding" => 3,
        "Secret" if label(object, "liqo.io/nonce").is_some() => 3,
        "Secret" | "SealedSecret" | "ExternalSecret"
            if label(object, "liqo.io/identity-type") == Some("ControlPlane") =>
        {
            4
        }
        "Identity" | "Tenant" => 4,
        "ResourceSlice" => 5,
        "VirtualNode" | "Namespace" => 6,
        "NamespaceOffloading" | "ForeignCluster" => 7,
        "ResourceQuota" => 8,
        _ => panic!("{id}: no wave is known for it"),
    }
}

fn every_object_has_its_wave(stream: &Stream) -> Vec<String> {
    let wrong =
        |object: &&Value| annotation(object, WAVE) != Some(wave(object).to_string().as_str());
    let wrong = stream.objects.iter().filter(wrong);
    wrong
        .map(|object| {
            let found = annotation(object, WAVE).unwrap_or("none");
            format!(
                "{}: wave {found}, expected {}",
                Id::of(object),
                wave(object)
            )
        })
        .collect()
}

fn waves_ascend(stream: &Stream) -> Vec<String> {
    let waves: Vec<u64> = stream
        .objects
        .iter()
        .map(|object| {
            annotation(object, WAVE)
                .expect("a wave")
                .parse()
                .expect("a number")
        })
        .collect();
    if waves.is_sorted() {
        Vec::new()
    } else {
        vec![format!("waves {waves:?}")]
    }
}

/// The options of an object, one by one.
fn options(object: &Value) -> Vec<&str> {
    annotation(object, OPTIONS).map_or_else(Vec::new, |options| options.split(',').collect())
}

#[test]
fn secrets_are_applied_by_the_server() {
    assert_everywhere("secrets", |stream| {
        let wrong = |object: &&&Value| !options(object).contains(&"ServerSideApply=true");
        let secrets = stream.of_kind("Secret");
        secrets
            .iter()
            .filter(wrong)
            .map(|object| format!("{}: {:?}", Id::of(object), options(object)))
            .collect()
    });
    assert!(
        streams().any(|stream| !stream.of_kind("Secret").is_empty()),
        "no stream has a Secret"
    );
}

/// Nothing waits for a summary that is Suspended, a deleted Application leaves it, and a changed document does not.
#[test]
fn each_side_has_the_summary_of_the_other_one() {
    for peered in peerings() {
        let expected = peered.document["spec"]["foreignCluster"] != false;
        for (role, stream) in ROLES.iter().zip(&peered.streams) {
            let found = stream.of_kind("ForeignCluster");
            assert_eq!(found.len(), usize::from(expected), "{}", stream.place);
            let Some(summary) = found.first() else {
                continue;
            };
            let other = &peered.document["spec"][peer(role)]["clusterID"];
            for place in
                "/metadata/name /spec/clusterID /metadata/labels/liqo.io~1remote-cluster-id"
                    .split(' ')
            {
                assert_eq!(
                    summary.pointer(place),
                    Some(other),
                    "{}: {place}",
                    stream.place
                );
            }
            assert_eq!(options(summary), ["Delete=false"], "{}", stream.place);
            assert!(
                stream
                    .objects
                    .iter()
                    .all(|it| it["kind"] == "ResourceQuota" || wave(it) <= wave(summary)),
                "{}",
                stream.place
            );
        }
    }
}

/// Without Liqo's definitions the dry run has to fail, before anything is changed.
fn no_dry_run_is_skipped(stream: &Stream) -> Vec<String> {
    let skips = stream.text.contains("SkipDryRunOnMissingResource");
    Vec::from_iter(skips.then(|| "SkipDryRunOnMissingResource".to_owned()))
}

fn nothing_of_the_api_servers_is_said(stream: &Stream) -> Vec<String> {
    let mut problems = Vec::new();
    for object in &stream.objects {
        for pointer in
            "/status /metadata/creationTimestamp /metadata/uid /metadata/resourceVersion".split(' ')
        {
            if object.pointer(pointer).is_some() {
                problems.push(format!("{}: {pointer}", Id::of(object)));
            }
        }
    }
    problems
}
