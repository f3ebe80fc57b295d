//! What the checkout has, and Argo CD has not.

use super::clusters::{Clusters, time};
use crate::harness::machine::command;
use crate::harness::{Outcome, Text, committed, put};
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

/// A commit of these files, made so many seconds ago.
fn commit(root: &Path, file: &str, ago: i64) -> String {
    let git = |arguments: &[&str]| {
        let date = format!("@{} +0000", time(-ago).unix_duration().as_secs());
        let identity: Vec<&str> =
            "-c user.name=ada -c user.email=ada@example.org -c commit.gpgsign=false"
                .split(' ')
                .collect();
        let mut git = command("git");
        git.args(identity)
            .args(arguments)
            .current_dir(root)
            .env("GIT_COMMITTER_DATE", date);
        let output = git.output().expect("git");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout)
            .expect("text")
            .trim()
            .to_owned()
    };
    let path = root.join(file);
    put(path, ago.to_string());
    if !root.join(".git").exists() {
        git(&["init", "-q"]);
        git(&[
            "remote",
            "add",
            "origin",
            "https://git.example.org/net/peerings",
        ]);
    }
    git(&["add", "--all", file]);
    git(&["commit", "-q", "-m", "x"]);
    git(&["rev-parse", "HEAD"])
}

const OWN: &str = "peerings/consumer-provider/note";

/// A run where the consumer's Application is synced to a commit.
fn run_synced(temp: &TempDir, to: &str, wait: &'static str, more: &[&'static str]) -> Outcome {
    let mut clusters = Clusters::healthy();
    clusters.change(more);
    let wait = wait.split(' ').filter(|it| !it.is_empty());
    clusters.arguments.extend(wait);
    clusters.object("argocd", "Application", "provider-consumer")["status"]["sync"]["revision"] =
        json!(to);
    clusters.run_in(temp, "peerings/consumer-provider")
}

/// After a rotation's commit nothing that is on the clusters tells that it is missing.
#[test]
fn a_wait_is_for_the_checkouts_commit() {
    let temp = crate::harness::machine::folder();
    let (first, second) = (commit(temp.path(), OWN, 7200), commit(temp.path(), OWN, 60));
    commit(temp.path(), "peerings/turin/note", 50);
    let waited = |revision: &str, wait| run_synced(&temp, revision, wait, &[]);
    let outcome = waited(&first, "--wait 1s");
    outcome.ends(1);
    outcome.stderr.has(" s: not yet: sync\n");
    outcome
        .stdout
        .has("stops at Argo CD: the Application is not synced")
        .has(&format!(
            "it is at commit {}, and this checkout has {}",
            &first[..8],
            &second[..8]
        ));
    waited(&first, "").done();
    // Argo CD syncs nothing of an Application that it ignores
    let skipped = "= argocd Application/provider-consumer /metadata/annotations/argocd.argoproj.io~1skip-reconcile \"true\"";
    let outcome = run_synced(&temp, &first, "--wait 1s", &[skipped]);
    assert!(!outcome.stdout.contains("this checkout has"), "{outcome}");
    waited(&second, "--wait 1s").done();
    // of a commit that the clone does not have nothing is known
    waited("0123456789012345678901234567890123456789", "--wait 1s").done();
    // nor of what is no commit, whatever Git makes of it
    waited(&first[..12], "--wait 1s").done();
    let tag = ["tag", "a-tag-that-has-a-name-as-long-as-commits", &first];
    let status = command("git").args(tag).current_dir(&temp).status();
    assert!(status.expect("git").success());
    waited(tag[1], "--wait 1s").done();
    // merged as another commit
    commit(temp.path(), OWN, 7200);
    waited(&first, "--wait 1s").done();
    // somebody else's commit, which was not pulled
    let behind = ["update-ref", "HEAD", &first];
    let status = command("git").args(behind).current_dir(&temp).status();
    assert!(status.expect("git").success());
    waited(&second, "--wait 1s").done();
}

/// Who made the checkout chose its configuration, and the signatures of its commits.
#[test]
fn a_checkout_names_no_program_that_verifies_signatures() {
    let temp = crate::harness::machine::folder();
    let root = temp.path();
    let (first, second) = (commit(root, OWN, 7200), commit(root, OWN, 3610));
    let git = |script: &str| {
        let output = command("sh")
            .args(["-c", script])
            .current_dir(root)
            .output()
            .expect("sh");
        assert!(output.status.success(), "{output:?}");
    };
    git("printf '#!/bin/sh\\ntouch \"%s/was-run\"\\n' \"$PWD\" >verify && chmod +x verify");
    git("git config log.showSignature true && git config gpg.program \"$PWD/verify\"");
    let signature = "/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----";
    git(&format!(
        "git cat-file commit {second} | sed '{signature}' | git hash-object -t commit -w --stdin | xargs git update-ref HEAD"
    ));
    let outcome = run_synced(&temp, &first, "--wait 1s", &[]);
    outcome.ends(1);
    outcome.stdout.has("it is at commit");
    assert!(
        !root.join("was-run").exists(),
        "a program of the checkout was run"
    );
}

/// Liqo does not try again, and no status says it.
#[test]
fn a_signature_that_liqo_refuses_is_named() {
    let mut clusters = Clusters::of_document(&committed("examples/keys-exchange/peering.yaml"));
    for (context, id) in [("consumer", "pavia"), ("provider", "lodi")] {
        clusters.object(context, "ConfigMap", "")["data"]["CLUSTER_ID"] = json!(id);
    }
    let event = |reason: &str, name: &str| {
        json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": { "name": "x", "namespace": "liqo-tenant-pavia" },
            "involvedObject": { "kind": "Tenant", "name": name },
            "reason": reason, "message": "no", "lastTimestamp": time(-60).to_string(),
        })
    };
    let mut of_another = event("SignatureVerificationFailed", "turin");
    of_another["metadata"]["namespace"] = json!("liqo-tenant-turin");
    clusters.provider.push(of_another);
    clusters.doctor().omits("Liqo reported");
    clusters
        .provider
        .push(event("SignatureVerificationFailed", "pavia"));
    let outcome = clusters.doctor();
    let shown = outcome.stdout;
    shown
        .has("warning[tenant]: provider: Tenant liqo-tenant-pavia/pavia: at `20")
        .has("Liqo reported `SignatureVerificationFailed`")
        .has("authenticate consumer")
        .lacks("InvalidCSR");
    shown.has("annotate the Tenant");
}
