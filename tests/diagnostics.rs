//! What people see when something is wrong: every code has an example here, and the exact screen beside it.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test --test diagnostics` rewrites the screens; `git diff` then shows what a change
//! does to them.

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/run_errors.rs"]
mod run_errors;
#[path = "support/snapshot.rs"]
mod snapshot;

use argocd_peering::error::Error;
use corpus::{FOLDER, first_code};
use snapshot::Snapshots;

/// The screens of failed runs.
const RUN: &str = "tests/diagnostics/run";

#[test]
fn the_good_document_is_good() {
    assert!(corpus::check(corpus::GOOD.as_bytes()).is_ok());
}

#[test]
fn every_screen_is_as_expected() {
    let mut snapshots = Snapshots::default();
    let mut misnamed = Vec::new();
    for case in corpus::committed().into_iter().chain(corpus::generated()) {
        let error = case.error();
        if case.code().is_none_or(|code| code.name() != first_code(&error)) {
            misnamed.push(format!("{}: its first code is another\n{}", case.name, error.screen(false)));
        }
        snapshots.check(format!("{FOLDER}/{}.screen", case.name), &error.screen(false));
    }
    assert!(misnamed.is_empty(), "{}", misnamed.join("\n"));
    snapshots.finish(FOLDER, "screen");
}

#[test]
fn every_run_error_has_a_screen() {
    let mut snapshots = Snapshots::default();
    let failures = run_errors::all();
    for failure in &failures {
        snapshots.check(format!("{RUN}/{}.screen", failure.name), &failure.error.screen(false));
    }
    for code in Error::CODES {
        let of_code = |failure: &&run_errors::Failure| failure.error.code() == *code;
        assert!(failures.iter().any(|failure| of_code(&failure)), "`{code}` has no screen");
    }
    snapshots.finish(RUN, "screen");
}
