//! What is shown of a kubeconfig when it is sealed and inspected: whose it is, and what is likely wrong with it.

use super::team::{Needs, Team};
use crate::harness::{Outcome, Text, committed, put};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

fn kubeconfig(cluster: &str, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{{name: k, cluster: {{server: 'https://192.0.2.1:6443'{cluster}}}}}]\ncontexts: [{{name: c, context: {{cluster: k, user: u}}}}]\nusers: [{{name: u, user: {{{user}}}}}]\n"
    )
}

/// A token with these claims; nobody has signed it.
fn token(claims: &str) -> String {
    let [head, claims] = ["{\"alg\":\"none\"}", claims].map(|part| URL_SAFE_NO_PAD.encode(part));
    format!("token: {head}.{claims}.c2lnbmF0dXJl")
}

fn seal(team: &Team, text: &str, flags: &[&str]) -> Outcome {
    let file = team.path("k.yaml");
    put(&file, text);
    let _ = fs::remove_file(team.folder().join("kubeconfig.age"));
    let seal = ["seal", "kubeconfig", &file.display().to_string(), "--clusters", "rome,milan"];
    team.person(&[&seal[..], &["--recipient", &team.recipient], flags].concat())
}

/// Sealed and inspected, both show the lines.
#[track_caller]
fn shows(user: &str, lines: &[&str], quiet: &[&str]) {
    let team = Team::new(Needs::Both, &[]);
    let sealed = seal(&team, &kubeconfig("", user), &["--allow-expired", "--allow-other-user"]);
    sealed.done();
    let inspected = team.person(&["inspect", "kubeconfig.age", "--identity-file", &team.identity()]);
    inspected.done();
    for shown in [&sealed.stderr, &inspected.stdout] {
        for line in lines {
            assert!(shown.lines().any(|shown| shown.starts_with(line)), "{line}: {shown}");
        }
        for word in quiet {
            shown.lacks(word);
        }
    }
}

fn days_from_now(days: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_secs();
    format!("{}", i64::try_from(now).expect("a clock") + days * 24 * 60 * 60)
}

#[test]
fn a_client_certificate_has_a_user_groups_and_an_end() {
    let certificate = STANDARD.encode(committed("tests/certificates/client.crt"));
    let key = STANDARD.encode("-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n");
    shows(
        &format!("client-certificate-data: {certificate}, client-key-data: {key}"),
        &[
            "server: https://192.0.2.1:6443",
            "user: liqo-peer-user-rome-x7k2p (client certificate)",
            "groups: liqo.io",
            "expires: 2126-10-29",
            "warning: `liqoctl generate peering-user` made this user",
            "warning: its user is `liqo-peer-user-rome-x7k2p`, and the document's `subject` is the User `rome`",
        ],
        &["canary", &key],
    );
}

#[test]
fn a_token_is_read_as_far_as_it_is_public() {
    shows(
        &token(&format!("{{\"sub\":\"rome\",\"exp\":{}}}", days_from_now(300))),
        &["user: rome (token)", "groups: none", "expires: 20"],
        &["warning", "c2lnbmF0dXJl"],
    );
    shows(
        &token("{\"sub\":\"system:serviceaccount:liqo-tenant-rome:other\"}"),
        &[
            "user: system:serviceaccount:liqo-tenant-rome:other (token)",
            "expires: it does not say",
            "warning: its user is `system:serviceaccount:liqo-tenant-rome:other`",
        ],
        &[],
    );
    shows("token: opaque", &["user: unknown (token)", "expires: it does not say"], &["warning", "opaque"]);
    shows(
        "username: rome, password: pass-canary-word",
        &["user: rome (password)"],
        &["warning", "pass-canary"],
    );
    shows(&token("{\"sub\":\"ro\\u001b[31mme\"}"), &["user: ro?[31mme"], &["\u{1b}"]);
}

#[test]
fn an_end_that_is_near_is_a_warning() {
    for (days, warning) in [
        (-1, "warning: its credential expired on 20"),
        (29, "warning: it expires on 20"),
        (31, ""),
        (400_000_000, ""),
    ] {
        let claims = format!("{{\"sub\":\"rome\",\"exp\":{}}}", days_from_now(days));
        let quiet: &[&str] = if warning.is_empty() { &["warning"] } else { &[] };
        shows(&token(&claims), &[warning], quiet);
    }
}

#[test]
fn a_server_that_nothing_identifies_is_a_warning() {
    let team = Team::new(Needs::Both, &[]);
    let text = kubeconfig(", insecure-skip-tls-verify: true", "token: opaque");
    seal(&team, &text, &[]).fails(3, "kubeconfig").says("--insecure-skip-tls-verify");
    seal(&team, &text, &["--insecure-skip-tls-verify"])
        .says("warning: `insecure-skip-tls-verify: true`")
        .done();
}

/// Who the provider's RoleBinding lets in: the service account is one of the provider's tenant namespace.
#[test]
fn the_subject_of_the_document_counts() {
    let team = Team::new(Needs::Both, &[]);
    let subject = "subject: { kind: User, name: rome }";
    let document = team.document();
    document.has(subject);
    for (kind, name, user, warned) in [
        ("ServiceAccount", "rome-cp", "system:serviceaccount:liqo-tenant-rome:rome-cp", false),
        ("ServiceAccount", "rome-cp", "system:serviceaccount:default:rome-cp", true),
        ("User", "rome", "rome", false),
        ("User", "milan", "rome", true),
        ("Group", "admins", "rome", false),
    ] {
        team.write(
            "peering.yaml",
            document.replace(subject, &format!("subject: {{ kind: {kind}, name: {name} }}")),
        );
        let sealed = seal(&team, &kubeconfig("", &token(&format!("{{\"sub\":\"{user}\"}}"))), &[]);
        if warned {
            sealed.fails(3, "kubeconfig").says("so the provider gives it no rights");
            sealed.says("--allow-other-user");
        } else {
            sealed.done();
        }
    }
}

/// It makes a file that does nothing, which nobody wants but by a flag of its name.
#[test]
fn a_credential_that_has_expired_is_refused() {
    let team = Team::new(Needs::Both, &[]);
    let claims = format!("{{\"sub\":\"rome\",\"exp\":{}}}", days_from_now(-1));
    let text = kubeconfig("", &token(&claims));
    seal(&team, &text, &[])
        .fails(3, "kubeconfig")
        .says("its credential expired on 20")
        .says("--allow-expired");
    seal(&team, &text, &["--allow-other-user"]).fails(3, "kubeconfig");
    seal(&team, &text, &["--allow-expired"]).done();
    // clocks differ a little
    for (days, is_early) in [(-1, false), (0, false), (1, true)] {
        let claims = format!("{{\"sub\":\"rome\",\"nbf\":{}}}", days_from_now(days));
        let text = kubeconfig("", &token(&claims));
        let sealed = seal(&team, &text, &[]);
        if is_early {
            sealed.fails(3, "kubeconfig").says("its credential counts from 20").says("which is not yet");
            seal(&team, &text, &["--allow-expired"]).done();
        } else {
            sealed.done();
        }
    }
    seal(&team, &team.document(), &[])
        .fails(3, "kubeconfig")
        .says("this is not a kubeconfig: its `kind` is `Peering`");
}
