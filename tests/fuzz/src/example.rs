//! The files of the repository that the seeds are made of.

use std::fs;
use std::path::PathBuf;

/// A file or a folder, by its path from the root.
pub fn path(of: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(of)
}

/// All files below `examples/` with this ending, in the order of their paths.
pub fn files(ending: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![path("examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
        .iter()
        .map(|path| fs::read(path).expect("a file of the repository"))
        .collect()
}
