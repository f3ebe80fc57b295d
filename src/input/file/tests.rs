//! The order of a walk, which is not that of the file system.

use super::walk;

#[test]
fn a_walk_is_in_the_order_of_the_names() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["c", "a", "d", "b", ".hidden"] {
        let place = folder.path().join(name);
        std::fs::create_dir(&place).expect("a folder");
        std::fs::write(place.join("peering.yaml"), "").expect("a file");
    }
    let mut seen = Vec::new();
    let visited = walk(folder.path(), &mut |path, is_folder| {
        if !is_folder {
            seen.push(path.strip_prefix(folder.path()).expect("below").to_owned());
        }
    });
    assert!(visited.is_ok());
    let names = ["a", "b", "c", "d"].map(|name| std::path::Path::new(name).join("peering.yaml"));
    assert_eq!(seen, names);
}
