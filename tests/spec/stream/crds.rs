//! What `validate` takes, Liqo's CRDs take too. That they take each example is asked of real API servers: `TestEveryExampleBothRoles` of
//! `tests/conformance/apiserver`.
//!
//! Needs Liqo's custom resource definitions: see [`liqo`](crate::harness::liqo). The checker's own rules are tested without
//! them, in `definition`.

mod definition;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use self::definition::Crds;
use crate::harness::mutants::{self, Mutant};
use crate::harness::{Peering, documents, files_below, library, liqo, read, root};

/// A Liqo release: major, minor, patch.
type Release = [u32; 3];

const V1_2_0: Release = [1, 2, 0];

/// The checker of every release.
fn releases() -> &'static BTreeMap<Release, Crds> {
    static CHECKERS: LazyLock<BTreeMap<Release, Crds>> = LazyLock::new(|| {
        liqo::releases()
            .iter()
            .map(|(tag, definitions)| (release(tag), Crds::new(definitions)))
            .collect()
    });
    liqo::releases();
    &CHECKERS
}

/// `v1.2.0`, `1.2.0` or `1.2`; a part that is left out is the lowest.
fn release(text: &str) -> Release {
    let parts: Result<Vec<u32>, _> = text
        .strip_prefix('v')
        .unwrap_or(text)
        .split('.')
        .map(str::parse)
        .collect();
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

/// The lowest Liqo that a document is for; if it does not say, the lowest there is.
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
    format!(
        "{} {}/{}",
        text(&object["kind"]),
        text(&metadata["namespace"]),
        text(&metadata["name"])
    )
}

/// The objects that the health checks are tested with. `ports` of a status is newer than any release here.
#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn the_health_checks_read_what_liqo_writes() {
    let files = files_below(&root().join("argocd-app/health"), ".yaml");
    let (mut checked, mut problems) = (0, Vec::new());
    for file in files.iter().filter(|file| {
        file.parent()
            .is_some_and(|folder| folder.ends_with("testdata"))
    }) {
        for object in documents(&read(file))
            .iter()
            .filter(|_| !file.ends_with("several-ports.yaml"))
        {
            if !Crds::covers(object) {
                continue;
            }
            checked += 1;
            let wrong = releases()[&V1_2_0].check(object);
            problems.extend(
                wrong
                    .iter()
                    .map(|text| format!("{}: {text}", file.display())),
            );
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(checked > 50, "{checked} objects");
}

/// Each field of the examples in turn is changed; what `validate` takes then, the API server takes too.
#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
#[allow(
    clippy::print_stdout,
    reason = "how much was checked is part of the result"
)]
fn what_is_valid_passes() {
    let documents_of_all = Peering::examples().iter().map(Peering::document).collect();
    let mutants = mutants::of_all(documents_of_all, || true);
    let problems_of = |mutant: &Mutant| -> Option<Vec<String>> {
        let streams = library::streams(&mutant.document.to_string()).ok()?;
        let objects: Vec<Value> = streams
            .iter()
            .flat_map(|stream| documents(stream))
            .filter(Crds::covers)
            .collect();
        let releases = releases().range(lowest_release_of(&mutant.document, &mutant.what)..);
        let problems = releases.flat_map(|(release, crds)| {
            let place = move |object: &Value| format!("{}, {}", title(object), tag(*release));
            objects.iter().flat_map(move |object| {
                crds.check(object)
                    .into_iter()
                    .map(move |text| format!("{}: {text}", place(object)))
            })
        });
        Some(
            problems
                .map(|problem| format!("{}: {problem}", mutant.what))
                .collect(),
        )
    };
    let found: Vec<Vec<String>> = mutants::each(&mutants, problems_of)
        .into_iter()
        .flatten()
        .collect();
    println!("{} of {} mutants are valid", found.len(), mutants.len());
    assert!(found.len() > 1000, "{} valid mutants", found.len());
    let problems: Vec<String> = found.into_iter().flatten().collect();
    assert!(
        problems.is_empty(),
        "{}:\n{}",
        problems.len(),
        problems.join("\n")
    );
}
