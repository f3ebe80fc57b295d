//! The document's text: its encoding, its line ends and its size.

use crate::harness::Sample;
use crate::harness::corpus::{self, GOOD};
use crate::harness::library::{Look, check_file, first_code};

/// A byte-order mark and the line ends of another system are nobody's mistake.
#[test]
fn a_byte_order_mark_and_carriage_returns_change_nothing() {
    let forms = |text: &str| {
        [("\u{feff}", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")]
            .map(|(mark, line_end)| format!("{mark}{}", text.replace('\n', line_end)))
    };
    assert!(forms(GOOD).iter().all(|form| check_file(form.as_bytes()).is_ok()));
    let mut sample = Sample::new();
    let cases = corpus::shown().into_iter().filter(|case| !case.is_fleet() && !case.is_note());
    for case in cases.filter(|_| sample.takes()) {
        let screen = case.error().screen(Look::PLAIN);
        for form in forms(case.text()) {
            let error = check_file(form.as_bytes()).expect_err(&case.name);
            assert_eq!(error.screen(Look::PLAIN), screen, "{}: {:?}", case.name, form.get(..9));
        }
    }
}

/// What is no text, or more of it than is read, is the file's fault and not the document's.
#[test]
fn what_is_not_read_is_no_document() {
    let latin_1: Vec<u8> = GOOD.replace("rome-milan", "zürich-köln").chars().map(|c| c as u8).collect();
    let utf_16: Vec<u8> = GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let large = format!("{GOOD}# {}\n", "x".repeat(64 * 1024));
    for (what, bytes) in [
        ("Latin-1", latin_1),
        ("UTF-16 with its mark", [vec![0xff, 0xfe], utf_16].concat()),
        ("64 KiB", large.into()),
    ] {
        let error = check_file(&bytes).expect_err(what);
        assert_eq!(error.code(), "document-file", "{what}");
        assert_eq!(error.exit_code(), 1, "{what}");
    }
}

/// The cap is one of the file, not of a value: up to it a single scalar is read, and refused for what it is.
#[test]
fn one_scalar_may_fill_the_file() {
    const CAP: usize = 64 * 1024;
    let of = |size: usize| {
        let rest = GOOD.len() - "rome".len();
        GOOD.replacen("clusterID: rome", &format!("clusterID: {}", "x".repeat(size - rest)), 1)
    };
    assert_eq!((of(CAP).len(), of(CAP + 1).len()), (CAP, CAP + 1));
    assert_eq!(first_code(&check_file(of(CAP).as_bytes()).expect_err("too long a name")), "cluster-id");
    assert_eq!(
        first_code(&check_file(of(CAP + 1).as_bytes()).expect_err("too long a file")),
        "document-file"
    );
}
