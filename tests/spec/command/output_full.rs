//! An output that takes nothing: Linux has `/dev/full` (full(4)).

use super::output::{bad, good, not_written, stays_1};
use crate::harness::Run;

#[test]
fn a_full_disk_is_an_error() {
    not_written(&good().into_full().run(), "cannot be written");
    for flag in ["--help", "--version"] {
        not_written(
            &Run::new([flag]).into_full().run(),
            "the output cannot be written",
        );
    }
}

#[test]
fn a_wrong_document_stays_1_on_a_full_disk() {
    stays_1(&bad().into_full());
}
