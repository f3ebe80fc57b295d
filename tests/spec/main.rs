//! What the program does, as one specification: a module for each room of `src`, in their order, and what holds of the
//! repository.
//!
//! `cargo test --locked` runs it all, `cargo test --locked --test spec rules::` one room. What is generated and committed is
//! rewritten by `UPDATE=1 cargo test --locked`; `git diff` then shows what a change does to it.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test panics, and so may its helpers"
)]
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "our files' endings are in lower case"
)]
#![allow(clippy::too_many_lines, reason = "a table of cases is data")]
#![allow(clippy::format_collect, reason = "the texts are short")]
#![cfg_attr(
    not(target_os = "linux"),
    allow(
        dead_code,
        unused_imports,
        reason = "some harness is for the files that only Linux has"
    )
)]
#![allow(
    clippy::indexing_slicing,
    reason = "a JSON value's missing field reads as null"
)]

/// What the tests share: one way to run the program, one to call the library, one set of folders, seals and examples.
mod harness;

/// What is generated and committed, and the one way to rewrite it.
mod generated;

/// The rules of the house.
mod house;

/// The cases of all rooms that are scripts.
mod cases;

/// The command line: help, usage, and the commands that the documentation shows.
mod cli {
    mod documentation;
    mod help;
    mod newcomer;
    pub(crate) mod readme;
    pub(crate) mod reference;
    mod sealing;
    mod shell;
    mod tutorial;
    mod ways;
}

/// What a run shows and where: exit codes, output, reports, the same bytes everywhere.
mod command {
    mod beside;
    mod determinism;
    pub(crate) mod doctor;
    /// What a change does to both clusters.
    pub(crate) mod diff {
        mod effects;
        pub(crate) mod hazards;
        mod live;
        pub(crate) mod markdown;
        mod states;
    }
    mod export;
    mod formats;
    pub(crate) mod graph;
    mod healthcheck;
    #[cfg(target_os = "linux")]
    mod hostile;
    pub(crate) mod import;
    mod init;
    mod init_reviewed;
    mod list;
    #[cfg(target_os = "linux")]
    mod memory;
    mod output;
    #[cfg(target_os = "linux")]
    mod output_full;
    mod paths;
    mod playground;
    #[cfg(target_os = "linux")]
    mod process;
    pub(crate) mod report;
    mod review {
        #[cfg(target_os = "linux")]
        mod action;
        mod pre_commit;
        mod runner;
    }
    mod revision;
    pub(crate) mod rights;
    pub(crate) mod validate;
}

/// The manifests: of each example byte for byte, and what holds of every stream.
mod stream {
    mod awkward;
    mod crds;
    mod delivery;
    mod emit;
    pub(crate) mod golden;
    pub(crate) mod guide;
    #[cfg(target_os = "linux")]
    mod largest;
    mod objects;
    mod peerings;
    mod reading;
    mod sides;
    mod teardown;
}

/// What the worst inputs cost.
mod bounds {
    mod answers;
    pub(crate) mod documents;
    mod fleet;
    mod instructions;
    mod memory;
}

/// Who can make a sealed file, who can have it opened, what a rotation changes, and what everyone else gets.
mod custody {
    mod certificates;
    mod commands;
    mod confirmed;
    mod damage;
    mod identities;
    mod issued;
    mod kubeconfigs;
    mod public;
    mod rotation;
    mod two_organisations;
    mod types;
}

/// What contradicts what.
mod judge {
    /// Many peerings at once: what contradicts each other is found, and what does not is left alone.
    mod claims {
        mod document;
        mod folders;
        mod many;
        mod rules;
    }
}

/// What no single field can be blamed for, in one peering.
mod rules {
    mod allowed;
    mod notes;
    mod values;
}

/// What a peering is, field by field of Liqo's own kinds.
mod peering {
    pub(crate) mod coverage;
    mod virtual_node;
}

/// What Argo CD passes to the plugin, and what the plugin answers.
mod argocd {
    mod contract;
    pub(crate) mod health;
    mod hydrator;
    mod install;
    mod parameters;
    mod projects;
    mod rules;
}

/// The fields of `peering.yaml`, and their JSON Schema.
mod document {
    mod fields;
    pub(crate) mod reference;
    pub(crate) mod schema;
}

/// The files of the folder: what is read, and what is not.
mod input {
    mod files;
    mod text;
}

/// What people see when something is wrong, and what they must never see.
mod diagnostic {
    mod leaks;
    mod mistakes;
    pub(crate) mod pages;
    pub(crate) mod screens;
    mod width;
    mod workflow_commands;
}
