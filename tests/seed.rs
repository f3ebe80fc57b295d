//! The life of sealed files, and those who should not have them: the real binary, under the variables that Argo CD sets.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test may fail the test")]
#![allow(clippy::indexing_slicing, reason = "a JSON value's missing field reads as null")]

#[path = "seed/attack.rs"]
mod attack;
#[path = "seed/documents.rs"]
mod documents;
#[path = "seed/keys.rs"]
mod keys;
#[path = "seed/life.rs"]
mod life;
#[path = "seed/policy.rs"]
mod policy;
#[path = "seed/process.rs"]
mod process;
#[path = "seed/rotation.rs"]
mod rotation;
#[path = "seed/secrets.rs"]
mod secrets;
#[path = "seed/team.rs"]
mod team;
