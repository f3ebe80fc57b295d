//! The document's text: its encoding, its line ends and its size; and what reads it.

use crate::harness::corpus::{self, GOOD};
use crate::harness::library::{Look, check_file, first_code};
use crate::harness::{Sample, root};
use std::process::Command;

/// A byte-order mark and the line ends of another system are nobody's mistake.
#[test]
fn a_byte_order_mark_and_carriage_returns_change_nothing() {
    let forms = |text: &str| {
        [("\u{feff}", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")]
            .map(|(mark, line_end)| format!("{mark}{}", text.replace('\n', line_end)))
    };
    assert!(
        forms(GOOD)
            .iter()
            .all(|form| check_file(form.as_bytes()).is_ok())
    );
    let cases = corpus::shown()
        .into_iter()
        .filter(|case| !case.is_fleet() && !case.is_note());
    for case in Sample::new().of(cases) {
        let screen = case.error().screen(Look::PLAIN);
        for form in forms(case.text()) {
            let error = check_file(form.as_bytes()).expect_err(&case.name);
            assert_eq!(
                error.screen(Look::PLAIN),
                screen,
                "{}: {:?}",
                case.name,
                form.get(..9)
            );
        }
    }
}

/// The cap is one of the file, not of a value: up to it a single scalar is read, and refused for what it is.
#[test]
fn one_scalar_may_fill_the_file() {
    const CAP: usize = 64 * 1024;
    let of = |size: usize| {
        let rest = GOOD.len() - "rome".len();
        GOOD.replacen(
            "clusterID: rome",
            &format!("clusterID: {}", "x".repeat(size - rest)),
            1,
        )
    };
    assert_eq!((of(CAP).len(), of(CAP + 1).len()), (CAP, CAP + 1));
    let code = |size: usize| first_code(&check_file(of(size).as_bytes()).expect_err("too long"));
    assert_eq!((code(CAP), code(CAP + 1)), ("cluster-id", "document-file"));
}

/// With `include_fs` a YAML text could name files to read. The image writes no YAML but by templates.
#[test]
fn no_yaml_includes_a_file() {
    for (flags, expected) in [
        (&[][..], "deserialize,serialize"),
        (&["--no-default-features", "--edges=normal"], "deserialize"),
    ] {
        let cargo = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--locked",
                "--offline",
                "--prefix",
                "none",
                "--format",
                "{p} features:{f}",
            ])
            .args(flags)
            .current_dir(root())
            .output()
            .expect("cargo");
        assert!(
            cargo.status.success(),
            "{}",
            String::from_utf8_lossy(&cargo.stderr)
        );
        let tree = String::from_utf8(cargo.stdout).expect("UTF-8");
        let reader = tree
            .lines()
            .find(|line| line.starts_with("serde-saphyr "))
            .expect("the reader of YAML");
        let features = reader
            .split_once("features:")
            .map(|(_, features)| features.trim_end_matches(" (*)"));
        assert_eq!(features, Some(expected), "{reader}");
    }
}
