//! Many peerings at once: what contradicts each other is found, and what does not is left alone.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test may fail the test")]
#![allow(clippy::indexing_slicing, reason = "a JSON value's missing field reads as null")]

// by their paths: beside a folder `fleet`, rustfmt would look for nested modules in there
#[path = "support/run.rs"]
mod run;
#[path = "support/terminal.rs"]
mod terminal;

#[path = "fleet/document.rs"]
mod document;
#[path = "fleet/folders.rs"]
mod folders;
#[path = "fleet/rules.rs"]
mod rules;
#[path = "fleet/thousand.rs"]
mod thousand;
