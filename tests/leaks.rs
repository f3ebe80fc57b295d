//! No secret is shown, wherever it was put.
//!
//! Argo CD keeps a plugin's stderr in the Application's status, in Redis, in its log and on its screen. So canaries are put
//! wherever a secret belongs or could be pasted by mistake, every error that can be reached is driven, and what was
//! printed is searched for them: for any twelve characters in a row.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test may fail the test")]

mod support {
    pub(crate) mod canary;
    pub(crate) mod checkout;
    pub(crate) mod corpus;
    pub(crate) mod run;
    pub(crate) mod run_errors;
    pub(crate) mod seal;
}

mod canaries {
    mod arguments;
    mod commands;
    mod exhaustive;
    mod forms;
    mod harness;
    mod kubeconfigs;
    mod pasted;
    mod places;
    mod public;
    mod sealed;
    mod sweep;
    mod urls;
}
