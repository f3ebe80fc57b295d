//! Every object we emit is accepted by every Liqo release that its example is for.
//!
//! Needs Liqo's custom resource definitions: see [`liqo`](crate::harness::liqo). The checker's own rules are tested without
//! them, in `definition`.

mod definition;
mod good;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use self::definition::Crds;
use crate::harness::mutants::{self, Mutant};
use crate::harness::objects::documents;
use crate::harness::peering::Peering;
use crate::harness::{ROLES, files_below, library, liqo, read, root};

/// A Liqo release: major, minor, patch.
type Release = [u32; 3];

const V1_0_0: Release = [1, 0, 0];
const V1_1_2: Release = [1, 1, 2];
const V1_2_0: Release = [1, 2, 0];

/// The checker of every release.
fn releases() -> &'static BTreeMap<Release, Crds> {
    static CHECKERS: LazyLock<BTreeMap<Release, Crds>> = LazyLock::new(|| {
        liqo::releases().iter().map(|(tag, definitions)| (release(tag), Crds::new(definitions))).collect()
    });
    liqo::releases();
    &CHECKERS
}

/// `v1.2.0`, `1.2.0` or `1.2`; a part that is left out is the lowest.
fn release(text: &str) -> Release {
    let parts: Result<Vec<u32>, _> =
        text.strip_prefix('v').unwrap_or(text).split('.').map(str::parse).collect();
    match parts.as_deref() {
        Ok([major, minor]) => [*major, *minor, 0],
        Ok([major, minor, patch]) => [*major, *minor, *patch],
        _ => panic!("`{text}` is not a Liqo release"),
    }
}

fn tag([major, minor, patch]: Release) -> String {
    format!("v{major}.{minor}.{patch}")
}

// ---- what we emit ---------------------------------------------------------------------------

/// The lowest Liqo that the example is for; if it does not say, the lowest there is.
fn lowest_release(example: &Peering) -> Release {
    lowest_release_of(&example.document(), &example.name)
}

fn lowest_release_of(document: &Value, title: &str) -> Release {
    match &document["spec"]["liqoVersion"] {
        Value::Null => [0, 0, 0],
        Value::String(text) => release(text),
        other => panic!("{title}: liqoVersion: {other} is not a string"),
    }
}

/// `GatewayServer liqo-tenant-milan/wg-milan`.
fn title(object: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let metadata = &object["metadata"];
    format!("{} {}/{}", text(&object["kind"]), text(&metadata["namespace"]), text(&metadata["name"]))
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
#[allow(clippy::print_stdout, reason = "how much was checked is part of the result")]
fn every_example_passes() {
    let mut checked = 0;
    let mut problems = Vec::new();
    for example in Peering::examples() {
        let releases: Vec<_> = releases().range(lowest_release(&example)..).collect();
        assert!(!releases.is_empty(), "{}: for no release in LIQO_CRDS", example.name);
        for (stream, objects) in ROLES.map(|role| example.golden(role)) {
            for object in objects.iter().filter(|object| Crds::covers(object)) {
                for (release, crds) in &releases {
                    checked += 1;
                    let place = format!("{stream}, {}, {}", title(object), tag(**release));
                    problems.extend(crds.check(object).iter().map(|text| format!("{place}: {text}")));
                }
            }
        }
    }
    println!("{checked} objects × tags checked");
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(checked > 0, "no example has an object of Liqo's");
}

/// The objects that the health checks are tested with. `ports` of a status is newer than any release here.
#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn the_health_checks_read_what_liqo_writes() {
    let files = files_below(&root().join("argocd-app/health"), ".yaml");
    let (mut checked, mut problems) = (0, Vec::new());
    for file in files.iter().filter(|file| file.parent().is_some_and(|folder| folder.ends_with("testdata"))) {
        for object in documents(&read(file)).iter().filter(|_| !file.ends_with("several-ports.yaml")) {
            checked += usize::from(Crds::covers(object));
            let mut wrong = releases()[&V1_2_0].check(object);
            // what is live has what a stream has not
            wrong.retain(|text| !text.ends_with("must not be emitted"));
            problems.extend(wrong.iter().map(|text| format!("{}: {text}", file.display())));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(checked > 50, "{checked} objects");
}

/// Each field of the examples in turn is changed; what `validate` takes then, the API server takes too.
#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
#[allow(clippy::print_stdout, reason = "how much was checked is part of the result")]
fn what_is_valid_passes() {
    let documents_of_all = Peering::examples().iter().map(Peering::document).collect();
    let mutants = mutants::of_all(documents_of_all);
    let problems_of = |mutant: &Mutant| -> Option<Vec<String>> {
        let streams = library::streams(&mutant.document.to_string()).ok()?;
        let objects: Vec<Value> =
            streams.iter().flat_map(|stream| documents(stream)).filter(Crds::covers).collect();
        let releases = releases().range(lowest_release_of(&mutant.document, &mutant.what)..);
        let problems = releases.flat_map(|(release, crds)| {
            let place = move |object: &Value| format!("{}, {}", title(object), tag(*release));
            objects.iter().flat_map(move |object| {
                crds.check(object).into_iter().map(move |text| format!("{}: {text}", place(object)))
            })
        });
        Some(problems.map(|problem| format!("{}: {problem}", mutant.what)).collect())
    };
    let found: Vec<Vec<String>> = mutants::each(&mutants, problems_of).into_iter().flatten().collect();
    println!("{} of {} mutants are valid", found.len(), mutants.len());
    assert!(found.len() > 1000, "{} valid mutants", found.len());
    let problems: Vec<String> = found.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}:\n{}", problems.len(), problems.join("\n"));
}

// ---- what is refused ------------------------------------------------------------------------

/// The object, with `value` at `pointer` (RFC 6901); the place's parent must be there.
fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
    let parent = object.pointer_mut(parent).expect("the parent is there");
    parent[key] = value;
    object
}

/// That each of `tags` finds exactly these `problems`.
#[track_caller]
fn assert_problems(tags: &[Release], object: &Value, problems: &[&str]) {
    for wanted in tags {
        assert_eq!(releases()[wanted].check(object), problems, "{} {}", tag(*wanted), title(object));
    }
}

const OLDEST_AND_NEWEST: [Release; 2] = [V1_0_0, V1_2_0];

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn good_objects_pass_everywhere() {
    let everywhere: Vec<Release> = releases().keys().copied().collect();
    for object in good::all() {
        assert_problems(&everywhere, &object, &[]);
    }
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn values_that_do_not_fit_are_refused() {
    let refused = |object, pointer, value, problem| {
        assert_problems(&OLDEST_AND_NEWEST, &with(object, pointer, value), &[problem]);
    };
    // As the first guides wrote it.
    refused(
        good::configuration(),
        "/spec/local/cidr/pod",
        json!("10.42.0.0/16"),
        "spec.local.cidr.pod: must be a list, is a string",
    );
    refused(
        good::configuration(),
        "/spec/remote/cidr/external",
        json!(["10.71.0.0/33"]),
        r#"spec.remote.cidr.external[0]: "10.71.0.0/33" is not of format cidr"#,
    );
    refused(
        good::gateway_server(),
        "/spec/endpoint/serviceType",
        json!("Nodeport"),
        concat!(
            r#"spec.endpoint.serviceType: "Nodeport" is not one of "#,
            r#"["ClusterIP","NodePort","LoadBalancer","ExternalName"]"#,
        ),
    );
    // What YAML makes of a name without quotes.
    refused(
        good::gateway_server(),
        "/spec/secretRef/name",
        json!(42),
        "spec.secretRef.name: must be a string, is a number",
    );
    refused(
        good::gateway_server(),
        "/spec/endpoint/port",
        json!("51840"),
        "spec.endpoint.port: must be an integer, is a string",
    );
    refused(
        good::tenant(),
        "/spec/clusterID",
        json!("Milan"),
        r#"spec.clusterID: "Milan" does not match `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`"#,
    );
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn a_quantity_is_held_to_its_pattern() {
    let slice = with(good::resource_slice(), "/spec/resources/memory", json!("128 GB"));
    for crds in OLDEST_AND_NEWEST.map(|release| &releases()[&release]) {
        let problems = crds.check(&slice);
        assert!(problems.join("\n").starts_with(r#"spec.resources.memory: "128 GB" does not match"#));
    }
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn fields_that_are_missing_or_unknown_are_refused() {
    let misspelt = with(good::gateway_client(), "/spec/endpoint/adresses", json!(["172.16.183.16"]));
    assert_problems(&OLDEST_AND_NEWEST, &misspelt, &["spec.endpoint.adresses: unknown field"]);

    let bare = with(good::namespace_offloading(), "/spec/clusterSelector", json!({}));
    let problem = "spec.clusterSelector.nodeSelectorTerms: required, but missing";
    assert_problems(&OLDEST_AND_NEWEST, &bare, &[problem]);
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn a_status_is_refused_even_where_the_schema_has_one() {
    let problem = "status: status must not be emitted";
    let tenant = with(good::tenant(), "/status", json!({}));
    assert_problems(&OLDEST_AND_NEWEST, &tenant, &[problem]);

    let mut objects = good::all().into_iter();
    let key = objects.find(|object| object["kind"] == "PublicKey").expect("it is among them");
    let key = with(key, "/status", json!({}));
    assert_problems(&OLDEST_AND_NEWEST, &key, &[problem, "status: unknown field"]);
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn service_annotations_came_with_1_2() {
    let annotations = json!({ "example.com/load-balancer": "internal" });
    let server = with(good::gateway_server(), "/spec/serviceAnnotations", annotations);
    assert_problems(&[V1_0_0, V1_1_2], &server, &["spec.serviceAnnotations: unknown field"]);
    assert_problems(&[V1_2_0], &server, &[]);
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn kinds_versions_and_places_are_known() {
    let elsewhere = with(good::tenant(), "/apiVersion", json!("authentication.liqo.io/v1alpha1"));
    let problem = r#"apiVersion: `v1alpha1` is not served and stored, only ["v1beta1"]"#;
    assert_problems(&OLDEST_AND_NEWEST, &elsewhere, &[problem]);

    let misspelt = with(good::tenant(), "/kind", json!("Tennant"));
    let problem = "kind: no CRD for `Tennant` in group `authentication.liqo.io`";
    assert_problems(&OLDEST_AND_NEWEST, &misspelt, &[problem]);

    let mut homeless = good::tenant();
    homeless["metadata"].as_object_mut().expect("metadata is an object").remove("namespace");
    assert_problems(&OLDEST_AND_NEWEST, &homeless, &["metadata.namespace: required, but missing"]);

    let of_kubernetes = json!({ "apiVersion": "v1", "kind": "Secret", "status": "not ours to judge" });
    assert_problems(&OLDEST_AND_NEWEST, &of_kubernetes, &[]);
}
