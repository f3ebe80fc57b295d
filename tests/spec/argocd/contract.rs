//! The plugin's contract with Argo CD: run as argocd-cmp-server runs it, by what plugin.yaml says.

use crate::harness::{Checkout, ROLES, Text, edited};

#[test]
fn both_roles_give_the_stream_of_a_local_run() {
    let checkout = Checkout::new();
    for role in ROLES {
        let (plugin, local) = (checkout.plugin(role).run(), checkout.local(role).run());
        assert_eq!(plugin.stream(), local.stream(), "{role}");
    }
}

#[test]
fn the_roles_give_different_streams() {
    let checkout = Checkout::new();
    let [consumer, provider] = ROLES.map(|role| checkout.plugin(role).run().stream().to_owned());
    assert!(consumer.contains("kind: \"GatewayClient\"") && !provider.contains("kind: \"GatewayClient\""));
    assert!(provider.contains("kind: \"GatewayServer\"") && !consumer.contains("kind: \"GatewayServer\""));
}

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
        assert_eq!(first.stderr, other.stderr.replace("revision=\"v1\"", "revision=\"main\""), "{role}");
    }
}

/// cmp-server logs what a successful run writes to stderr: one line a sealed file, which file, on which terms, for whom.
#[test]
fn a_run_leaves_one_audit_line_a_sealed_file() {
    let checkout = Checkout::new();
    for (role, files) in
        [("consumer", ["kubeconfig.age", "peering.seed.age"].as_slice()), ("provider", &["peering.seed.age"])]
    {
        let outcome = checkout.plugin(role).run();
        outcome.done();
        let lines: Vec<&str> = outcome.stderr.lines().collect();
        assert_eq!(lines.len(), files.len(), "{outcome}");
        for (line, file) in lines.iter().zip(files) {
            assert!(line.starts_with(&format!("opened {file} for project=\"peering-{role}\" ")), "{outcome}");
            line.has("path=\"peerings/consumer-provider\"");
            line.has(
                r#"clusters "consumer/provider" (either may be the consumer); projects "peering-consumer""#,
            );
        }
    }
}

/// Argo CD shows a failed plugin's stderr in the UI and keeps it in Redis and in the Application's status: if two runs of
/// the same commit differed by a letter, the status would change all the time.
#[test]
fn an_error_is_the_same_text_in_every_checkout() {
    let failure = || {
        let checkout = Checkout::of(edited("clusterID: consumer", "clusterID: Consumer"));
        let outcome = checkout.plugin("consumer").run();
        outcome.fails(1, "cluster-id");
        outcome.stderr
    };
    assert_eq!(failure(), failure());
}
