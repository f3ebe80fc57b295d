//! Custody, end to end: who can make a sealed file, who can have it opened, and what everybody else gets.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test may fail the test")]

mod support {
    pub(crate) mod checkout;
    pub(crate) mod run;
    pub(crate) mod seal;
}

mod custody {
    mod commands;
    mod damage;
    mod files;
    mod identities;
    mod kubeconfigs;
    mod payloads;
    mod recipients;
    mod terms;
}
