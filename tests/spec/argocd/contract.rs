//! The plugin's contract with Argo CD: run as argocd-cmp-server runs it, by what plugin.yaml says. What an Application says, and who
//! asks, is in `contract.cases`.

use crate::harness::argocd::plugin_arguments;
use crate::harness::{Checkout, ROLES, Text, edited};

/// Argo CD compares streams, so nothing that is different on another day, for another Application, in another
/// checkout or on another cluster may be in them.
#[test]
fn the_stream_depends_on_nothing_but_folder_and_role() {
    for role in ROLES {
        let first = Checkout::new().plugin(role).run();
        let other = Checkout::new()
            .plugin(role)
            .env("ARGOCD_APP_NAME", "another")
            .env("ARGOCD_APP_NAMESPACE", "elsewhere")
            .env("ARGOCD_APP_REVISION", "0".repeat(40))
            .env("ARGOCD_APP_REVISION_SHORT", "0000000")
            .env("ARGOCD_APP_REVISION_SHORT_8", "00000000")
            .env("ARGOCD_APP_SOURCE_TARGET_REVISION", "v1")
            .env("KUBE_VERSION", "1.28.0")
            .env("KUBE_API_VERSIONS", "v1")
            .env("TZ", "Asia/Tokyo")
            .env("LANG", "tr_TR.UTF-8")
            .env("LC_ALL", "tr_TR.UTF-8")
            .run();
        assert_eq!(first.stream(), other.stream(), "{role}");
        // the audit line names who asked
        assert_eq!(
            first.stderr,
            other.stderr.replace("revision=\"v1\"", "revision=\"main\""),
            "{role}"
        );
    }
}

/// cmp-server logs what a successful run writes to stderr: one line a sealed file, which file, on which terms, for whom.
#[test]
fn a_run_leaves_one_audit_line_a_sealed_file() {
    let checkout = Checkout::new();
    for (role, files) in [
        (
            "consumer",
            ["kubeconfig.age", "peering.seed.age"].as_slice(),
        ),
        ("provider", &["peering.seed.age"]),
    ] {
        let outcome = checkout.plugin(role).run();
        outcome.done();
        let lines: Vec<&str> = outcome.stderr.lines().collect();
        assert_eq!(lines.len(), files.len(), "{outcome}");
        for (line, file) in lines.iter().zip(files) {
            assert!(
                line.starts_with(&format!("opened {file} for project=\"peering-{role}\" ")),
                "{outcome}"
            );
            line.has("path=\"peerings/consumer-provider\"");
        }
        // a long URL, and a document with a pending field, make no longer log
        let long = format!("https://git.example.org/{}", "n".repeat(200));
        let run = checkout.plugin(role);
        let outcome = run.env("ARGOCD_APP_SOURCE_TARGET_REVISION", long).run();
        for line in outcome.stderr.lines() {
            assert!(line.chars().count() == 160 && line.ends_with('…'), "{line}");
        }
    }
    let pending = edited(
        "credential: { kubeconfig: { file: kubeconfig.age } }",
        "credential: pending",
    );
    let checkout = Checkout::of(pending);
    let outcome = checkout.plugin("consumer").run();
    outcome.silent_on("pending").stream();
    checkout.local("consumer").run().says("is `pending`");
}

#[test]
fn a_variable_that_is_not_text_says_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let wrong = OsStr::from_bytes(b"peering-consumer\xff");
    let checkout = Checkout::new();
    let run = checkout
        .plugin("consumer")
        .env("ARGOCD_APP_PROJECT_NAME", wrong);
    run.run().fails(3, "denied").says("project=? ");
    let run = checkout
        .plugin("consumer")
        .env("ARGOCD_APP_PARAMETERS", wrong);
    run.run().fails(2, "parameter");
}

/// `--local` opens whatever the identity opens, so a plugin.yaml that passes it would authorise nobody.
#[test]
fn a_local_run_is_not_argo_cds() {
    let checkout = Checkout::new();
    checkout.local("consumer").run().stream();
    for variable in
        "ARGOCD_APP_PROJECT_NAME ARGOCD_APP_NAME ARGOCD_APP_REVISION ARGOCD_APP_PARAMETERS"
            .split(' ')
    {
        for value in ["peering-consumer", ""] {
            let outcome = checkout.local("consumer").env(variable, value).run();
            outcome
                .fails(2, "flag")
                .says("--local: ")
                .says("ARGOCD_APP_");
        }
    }
    let mut arguments = plugin_arguments(&checkout.identity());
    arguments.push("--local".into());
    let mut run = checkout.plugin("consumer");
    run.arguments(arguments);
    run.env("ARGOCD_APP_PROJECT_NAME", "other")
        .run()
        .fails(2, "flag");
}
