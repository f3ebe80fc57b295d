//! Who asks: what Argo CD says of the Application, and what an Application's author says of themselves.

use crate::harness::argocd::plugin_arguments;
use crate::harness::{Checkout, ROLES};

/// Argo CD before 3.0 says no project. Whether nobody said it or said nothing is the same.
#[test]
fn what_argo_cd_does_not_say_is_denied() {
    let checkout = Checkout::new();
    for (variable, unknown) in [
        ("ARGOCD_APP_PROJECT_NAME", "project=? "),
        ("ARGOCD_APP_SOURCE_REPO_URL", "repo=? "),
        ("ARGOCD_APP_SOURCE_PATH", "path=? "),
    ] {
        for role in ROLES {
            for run in [checkout.plugin(role).without(variable), checkout.plugin(role).env(variable, "")] {
                run.run().fails(3, "denied").says(unknown).says("since 3.0");
            }
        }
    }
}

#[test]
fn a_variable_that_is_not_text_says_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let wrong = OsStr::from_bytes(b"peering-consumer\xff");
    let checkout = Checkout::new();
    let run = checkout.plugin("consumer").env("ARGOCD_APP_PROJECT_NAME", wrong);
    run.run().fails(3, "denied").says("project=? ");
    let run = checkout.plugin("consumer").env("ARGOCD_APP_PARAMETERS", wrong);
    run.run().fails(2, "parameter");
}

/// `ARGOCD_ENV_…` and `PARAM_…` are the Application's author's. None of them may loosen anything or say who asks.
#[test]
fn an_applications_variables_change_nothing() {
    let checkout = Checkout::new();
    let wanted = checkout.plugin("consumer").run();
    let mut run = checkout.plugin("consumer");
    for name in
        ["IDENTITY_FILE", "LOCAL", "POLICY_FILE", "PROJECT", "KUBE_VERSION", "RUST_LOG", "RUST_BACKTRACE"]
    {
        for prefix in ["ARGOCD_ENV_", "PARAM_", "ARGOCD_PEERING_", "ARGOCD_ENV_ARGOCD_PEERING_", ""] {
            if (prefix, name) != ("", "KUBE_VERSION") {
                run = run.env(format!("{prefix}{name}"), "true");
            }
        }
    }
    let outcome = run.env("ARGOCD_ENV_ARGOCD_APP_PROJECT_NAME", "other").run();
    assert_eq!(outcome.stream(), wanted.stream());
    assert_eq!(outcome.stderr, wanted.stderr);
    let mut denied = checkout.plugin("consumer").env("ARGOCD_APP_PROJECT_NAME", "other");
    for name in
        ["ARGOCD_ENV_LOCAL", "ARGOCD_ENV_ARGOCD_APP_PROJECT_NAME", "PARAM_ARGOCD_APP_PROJECT_NAME", "LOCAL"]
    {
        denied = denied.env(name, "peering-consumer");
    }
    denied.run().fails(3, "denied").says("project=\"other\"");
}

/// `--local` opens whatever the identity opens, so a plugin.yaml that passes it would authorise nobody.
#[test]
fn a_local_run_is_not_argo_cds() {
    let checkout = Checkout::new();
    checkout.local("consumer").run().stream();
    for variable in
        ["ARGOCD_APP_PROJECT_NAME", "ARGOCD_APP_NAME", "ARGOCD_APP_REVISION", "ARGOCD_APP_PARAMETERS"]
    {
        for value in ["peering-consumer", ""] {
            let outcome = checkout.local("consumer").env(variable, value).run();
            outcome.fails(2, "flag").says("--local: ").says("ARGOCD_APP_");
        }
    }
    let mut arguments = plugin_arguments(&checkout.identity());
    arguments.push("--local".into());
    let mut run = checkout.plugin("consumer");
    run.arguments(arguments);
    run.env("ARGOCD_APP_PROJECT_NAME", "other").run().fails(2, "flag");
}
