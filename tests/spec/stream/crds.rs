//! Every object we emit is accepted by every Liqo release that its example is for.
//!
//! Needs Liqo's custom resource definitions: see [`liqo`](crate::harness::liqo). The checker's own rules are tested without
//! them, in `definition`.

mod definition;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use self::definition::Crds;
use crate::harness::mutants::{self, Mutant};
use crate::harness::{Peering, ROLES, documents, files_below, library, liqo, read, root};

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
                    problems.extend(
                        object.get("status").map(|_| format!("{place}: a status is Liqo's to write")),
                    );
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
            if !Crds::covers(object) {
                continue;
            }
            checked += 1;
            let wrong = releases()[&V1_2_0].check(object);
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

/// The first object of a kind in the examples, with `value` at `pointer` (RFC 6901); the place's parent must be there.
fn with(kind: &str, pointer: &str, value: Value) -> Value {
    let examples = Peering::examples();
    let mut all = examples.iter().flat_map(|it| ROLES.map(|role| it.golden(role).1)).flatten();
    let mut object = all.find(|object| object["kind"] == kind).expect("an example has it");
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
    object.pointer_mut(parent).expect("the parent is there")[key] = value;
    object
}

/// That each of `tags` finds one problem, with these words.
#[track_caller]
fn assert_refused(tags: &[Release], object: &Value, words: &str) {
    for wanted in tags {
        let problems = releases()[wanted].check(object);
        assert!(problems.len() == 1 && problems[0].contains(words), "{} {problems:?}: {words}", tag(*wanted));
    }
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn what_does_not_fit_is_refused() {
    for (kind, pointer, value) in [
        // as the first guides wrote it
        ("Configuration", "/spec/remote/cidr/pod", json!("10.42.0.0/16")),
        ("Configuration", "/spec/remote/cidr/external", json!(["10.71.0.0/33"])),
        ("GatewayServer", "/spec/endpoint/serviceType", json!("Nodeport")),
        // what YAML makes of a name without quotes
        ("GatewayServer", "/spec/secretRef/name", json!(42)),
        ("GatewayServer", "/spec/endpoint/port", json!("51840")),
        ("Tenant", "/spec/clusterID", json!("Milan")),
        ("ResourceSlice", "/spec/resources/memory", json!("128 GB")),
    ] {
        let words = format!(
            "{}: ",
            if pointer.ends_with("external") { format!("{pointer}/0") } else { pointer.to_owned() }
        );
        assert_refused(&[V1_0_0, V1_2_0], &with(kind, pointer, value), &words);
    }
    let misspelt = with("GatewayClient", "/spec/endpoint/adresses", json!(["172.16.183.16"]));
    assert_refused(
        &[V1_0_0, V1_2_0],
        &misspelt,
        "/spec/endpoint: Additional properties are not allowed ('adresses'",
    );
    let bare = with("NamespaceOffloading", "/spec/clusterSelector", json!({}));
    assert_refused(&[V1_0_0, V1_2_0], &bare, "\"nodeSelectorTerms\" is a required property");
    let annotations =
        with("GatewayServer", "/spec/serviceAnnotations", json!({ "example.com/load-balancer": "internal" }));
    assert_refused(&[V1_0_0, V1_1_2], &annotations, "('serviceAnnotations'");
    assert_eq!(releases()[&V1_2_0].check(&annotations), Vec::<String>::new());
    for (field, value) in [("/apiVersion", "authentication.liqo.io/v1alpha1"), ("/kind", "Tennant")] {
        assert_refused(&[V1_0_0, V1_2_0], &with("Tenant", field, json!(value)), "no CRD has ");
    }
}
