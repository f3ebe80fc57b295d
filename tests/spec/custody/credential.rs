//! What is shown of a kubeconfig when it is sealed and inspected: whose it is, and what is likely wrong with it.

use super::team::{Needs, Team};
use crate::harness::{KUBECONFIG, Outcome, Text, committed, put};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

fn kubeconfig(cluster: &str, user: &str) -> String {
    KUBECONFIG
        .replace(":6443'", &format!(":6443'{cluster}"))
        .replace("token: abc", user)
}

/// A token with these claims; nobody has signed it.
fn token(claims: &str) -> String {
    let [head, claims] = ["{\"alg\":\"none\"}", claims].map(|part| URL_SAFE_NO_PAD.encode(part));
    format!("token: {head}.{claims}.c2lnbmF0dXJl")
}

fn seal(team: &Team, text: &str, flags: &str) -> Outcome {
    put(team.path("k.yaml"), text);
    let _ = fs::remove_file(team.folder().join("kubeconfig.age"));
    team.types(&format!(
        "seal kubeconfig ~/k.yaml --clusters rome,milan --recipient TO {flags}"
    ))
}

/// Sealed and inspected, both show the lines.
#[track_caller]
fn shows(user: &str, lines: &[&str], quiet: &[&str]) {
    let team = Team::new(Needs::Both, &[]);
    let sealed = seal(
        &team,
        &kubeconfig("", user),
        "--allow-expired --allow-other-user",
    );
    sealed.done();
    for shown in [&sealed.stderr, &team.inspected("kubeconfig.age")] {
        for line in lines {
            assert!(
                shown.lines().any(|shown| shown.starts_with(line)),
                "{line}: {shown}"
            );
        }
        for word in quiet {
            shown.lacks(word);
        }
    }
}

fn days_from_now(days: i64) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock")
        .as_secs();
    format!(
        "{}",
        i64::try_from(now).expect("a clock") + days * 24 * 60 * 60
    )
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
        &token(&format!(
            "{{\"sub\":\"rome\",\"exp\":{}}}",
            days_from_now(300)
        )),
        &["user: rome (token)", "groups: none", "expires: 20"],
        &["warning", "c2lnbmF0dXJl"],
    );
    shows(
        &token("{\"sub\":\"system:serviceaccount:liqo-tenant-rome:other\"}"),
        &[
            "user: system:serviceaccount:liqo-tenant-rome:other (token)",
            "expires: never: its token has no end",
            "warning: its user is `system:serviceaccount:liqo-tenant-rome:other`",
        ],
        &[],
    );
    // a fraction (RFC 7519, section 2), and a claim that nothing reads
    for claims in ["\"exp\":1.5e9", "\"exp\":1500000000.5,\"nbf\":[]"] {
        shows(
            &token(&format!("{{\"sub\":\"milan\",{claims}}}")),
            &[
                "user: milan (token)",
                "expires: 2017-07-14",
                "warning: its user is `milan`",
            ],
            &[],
        );
    }
    shows(
        "token: opaque",
        &["user: unknown (token)", "expires: it does not say"],
        &["warning", "opaque"],
    );
    // where nobody can read the end, the issuer's usual one is a fact
    for (token, line) in [
        (
            "sha256~Vq3eYp1X0mB7s",
            "tokens of OpenShift usually end after 24 hours",
        ),
        (
            "unused",
            "Tailscale's proxy knows its callers by their address",
        ),
        (
            "kubeconfig-u-x7k2p:b5wl",
            "tokens of Rancher usually end after 30 days, or 16 hours",
        ),
    ] {
        let line = format!("expires: it does not say; {line}");
        shows(
            &format!("token: {token}"),
            &[&line],
            &["warning", "sha256~Vq3", "b5wl"],
        );
    }
    shows(
        "username: rome, password: pass-canary-word",
        &["user: rome (password)"],
        &["warning", "pass-canary"],
    );
    shows(
        &token("{\"sub\":\"ro\\u001b[31mme\"}"),
        &["user: ro?[31mme"],
        &["\u{1b}"],
    );
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
        let quiet: &[&str] = if warning.is_empty() {
            &["warning"]
        } else {
            &[]
        };
        shows(&token(&claims), &[warning], quiet);
    }
}

#[test]
fn a_server_that_nothing_identifies_is_a_warning() {
    let team = Team::new(Needs::Both, &[]);
    let text = kubeconfig(", insecure-skip-tls-verify: true", "token: opaque");
    seal(&team, &text, "")
        .fails(3, "kubeconfig")
        .says("--insecure-skip-tls-verify");
    let sealed = seal(&team, &text, "--insecure-skip-tls-verify");
    sealed
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
        (
            "ServiceAccount",
            "rome-cp",
            "system:serviceaccount:liqo-tenant-rome:rome-cp",
            false,
        ),
        (
            "ServiceAccount",
            "rome-cp",
            "system:serviceaccount:default:rome-cp",
            true,
        ),
        ("User", "rome", "rome", false),
        ("User", "milan", "rome", true),
        ("Group", "admins", "rome", false),
    ] {
        let own = format!("subject: {{ kind: {kind}, name: {name} }}");
        team.write("peering.yaml", document.replace(subject, &own));
        let sealed = seal(
            &team,
            &kubeconfig("", &token(&format!("{{\"sub\":\"{user}\"}}"))),
            "",
        );
        if warned {
            sealed
                .fails(3, "kubeconfig")
                .says("so the provider gives it no rights");
            sealed.says("--allow-other-user");
        } else {
            sealed.done();
        }
    }
    // a client certificate says its groups, and a token does not
    let certificate = STANDARD.encode(committed("tests/certificates/client.crt"));
    let key = STANDARD.encode("-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n");
    let user = format!("client-certificate-data: {certificate}, client-key-data: {key}");
    for (group, code) in [("liqo.io", 0), ("admins", 3)] {
        let own = format!("subject: {{ kind: Group, name: {group} }}");
        team.write("peering.yaml", document.replace(subject, &own));
        let sealed = seal(&team, &kubeconfig("", &user), "");
        sealed.ends(code);
        if code != 0 {
            sealed.says("so the provider gives it no rights");
        }
    }
}

/// It makes a file that does nothing, which nobody wants but by a flag of its name.
#[test]
fn a_credential_that_has_expired_is_refused() {
    let team = Team::new(Needs::Both, &[]);
    let with = |claim: &str, days: i64| {
        kubeconfig(
            "",
            &token(&format!(
                "{{\"sub\":\"rome\",\"{claim}\":{}}}",
                days_from_now(days)
            )),
        )
    };
    let text = with("exp", -1);
    let expired = seal(&team, &text, "");
    expired
        .fails(3, "kubeconfig")
        .says("its credential expired on 20")
        .says("--allow-expired");
    seal(&team, &text, "--allow-other-user").fails(3, "kubeconfig");
    seal(&team, &text, "--allow-expired").done();
    // what lives an hour, such as a token of `kubectl create token`
    let soon: u64 = days_from_now(0).parse().expect("a time");
    let text = token(&format!("{{\"sub\":\"rome\",\"exp\":{}}}", soon + 3599));
    seal(&team, &kubeconfig("", &text), "")
        .fails(3, "kubeconfig")
        .says("its credential ends in 59 minutes");
    // clocks differ a little
    for (days, is_early) in [(-1, false), (0, false), (1, true)] {
        let text = with("nbf", days);
        let sealed = seal(&team, &text, "");
        if is_early {
            sealed
                .fails(3, "kubeconfig")
                .says("is valid from 20")
                .says("is in the future");
            seal(&team, &text, "--allow-expired").done();
        } else {
            sealed.done();
        }
    }
    let document = seal(&team, &team.document(), "");
    document
        .fails(3, "kubeconfig")
        .says("this is not a kubeconfig: its `kind` is `Peering`");
}

/// Go takes no server by a root that is out of time, and one root that is not is enough.
#[test]
fn an_authority_is_of_its_time() {
    let team = Team::new(Needs::Both, &[]);
    for (files, words, ends) in [
        (
            &["expired"][..],
            "its `certificate-authority-data` expired on 2020-01-01",
            true,
        ),
        (
            &["future"],
            "its `certificate-authority-data` is valid from 2100-01-01 on, which is in the future",
            false,
        ),
        (&["expired", "ec"], "", false),
        (&["future", "ec"], "", false),
    ] {
        let pem: String = files
            .iter()
            .map(|it| committed(&format!("tests/certificates/{it}.crt")))
            .collect();
        let cluster = format!(", certificate-authority-data: {}", STANDARD.encode(pem));
        let text = kubeconfig(&cluster, "token: opaque");
        if words.is_empty() {
            seal(&team, &text, "")
                .says("expires: it does not say\ncertificate authority expires: 21")
                .done();
        } else {
            seal(&team, &text, "")
                .fails(3, "kubeconfig")
                .says(words)
                .says("--allow-expired");
            seal(&team, &text, "--allow-expired")
                .says("certificate authority expires: 2")
                .done();
        }
        let identity = team.identity();
        let list = team.person(&[
            "list",
            ".",
            "--identity-file",
            &identity,
            "--expires-within",
            "30d",
        ]);
        assert_eq!(list.code, Some(i32::from(ends)), "{files:?}: {list}");
        let validate = team.person(&["validate", ".", "--identity-file", &identity]);
        assert_eq!(
            validate.everything().contains("certificate-authority-data"),
            !words.is_empty(),
            "{files:?}: {validate}"
        );
    }
}
