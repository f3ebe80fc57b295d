//! What the program does, told as one specification: a room of `src` each, and what holds of the repository.
//!
//! `cargo test --locked` runs it all, `cargo test --locked --test spec rules::` one room. What is generated and committed is
//! rewritten by `UPDATE=1 cargo test --locked`; `git diff` then shows what a change does to it.

#![allow(clippy::expect_used, clippy::panic, reason = "a failed test panics, and so may its helpers")]
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "our files' endings are in lower case")]
#![allow(clippy::indexing_slicing, reason = "a JSON value's missing field reads as null")]

/// What is generated and committed, and the one way to rewrite it.
mod generated;
/// What the tests share: one way to run the program, one to call the library, one set of folders, seals and examples.
mod harness;

/// What Argo CD says to the plugin, and what the plugin says to Argo CD.
mod argocd;
/// The command line: help, usage, and the commands that the documentation shows.
mod cli;
/// What a run shows and where: exit codes, output, reports, the same bytes everywhere.
mod command;
/// Who can make a sealed file, who can have it opened, what a rotation changes, and what everybody else gets.
mod custody;
/// What people see when something is wrong, and what they must never see.
mod diagnostic;
/// The fields of `peering.yaml`, and their JSON Schema.
mod document;
/// The rules of the house, as tests.
mod house;
/// The folder's files: what is read, and what is not.
mod input;
/// What a peering is, field by field of Liqo's own kinds.
mod peering;
/// What no single field can be blamed for, in one peering and between many.
mod rules;
/// The manifests: of each example byte for byte, and what holds of every stream.
mod stream;
