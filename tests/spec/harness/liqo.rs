//! Liqo's custom resource definitions (`deployments/liqo/charts/liqo-crds` of its repository), one folder a release tag, in
//! the folder that `LIQO_CRDS` names. The tests that need them are ignored:
//!
//! ```sh
//! LIQO_CRDS=<folder> cargo test --locked --test spec -- --ignored --skip bounds::
//! ```

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::Value;

use super::objects::documents;
use super::{entries, name_of, read};

/// The releases that are looked at, oldest first.
pub(crate) const RELEASES: [&str; 4] = ["v1.0.0", "v1.0.3", "v1.1.2", "v1.2.0"];

/// Each release's definitions, read once for all tests. The folder must have these releases and no others, since
/// docs/project/coverage.md names them.
pub(crate) fn releases() -> &'static [(&'static str, Vec<Value>)] {
    static CRDS: LazyLock<Vec<(&str, Vec<Value>)>> =
        LazyLock::new(|| RELEASES.map(definitions).into());
    // looked at here as well, because a static whose making panicked says no more than that
    let folders = entries(&folder())
        .into_iter()
        .filter(|entry| entry.is_dir());
    let found: Vec<_> = folders.map(|entry| name_of(&entry)).collect();
    assert_eq!(
        found, RELEASES,
        "LIQO_CRDS: on the left what is there, on the right what is needed"
    );
    &CRDS
}

fn folder() -> PathBuf {
    std::env::var_os("LIQO_CRDS")
        .expect("LIQO_CRDS: a folder with one subfolder a release tag")
        .into()
}

fn definitions(tag: &'static str) -> (&'static str, Vec<Value>) {
    let mut files = entries(&folder().join(tag));
    files.retain(|file| name_of(file).ends_with(".yaml"));
    (
        tag,
        files
            .iter()
            .flat_map(|file| documents(&read(file)))
            .collect(),
    )
}
