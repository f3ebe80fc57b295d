//! `list`: a line for each peering, in an order that people expect, and when its credentials end.

use crate::harness::team::{Needs, Team};
use crate::harness::{Outcome, Run, Schema, Text, age_file, put, replaced, root};
use age::armor::Format;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

fn run(folder: &Path, words: &[&str]) -> Outcome {
    Run::new(words.iter().copied()).within(folder).run()
}

#[test]
fn a_line_a_peering() {
    let outcome = run(
        &root().join("examples"),
        &["list", "hub-and-spoke", "external", "offloading-only"],
    );
    assert_eq!(
        outcome.done(),
        "\
NAME             CONSUMER → PROVIDER  STATE   LIQO  GATEWAY                       KEYS  DELIVERY
external         naples → bari        Active  1.0   provider 172.16.183.16:30742  1/1   External/External
hub-spoke-1      spoke-1 → hub        Active  1.0   provider 172.16.183.16:30001  1/1   Secret/Secret
hub-spoke-2      spoke-2 → hub        Active  1.0   provider 172.16.183.16:30002  1/1   Secret/Secret
hub-spoke-3      spoke-3 → hub        Active  1.0   provider 172.16.183.16:30003  1/1   Secret/Secret
offloading-only  trento → bolzano     Active  1.0   none                          1/1   Secret/Secret
"
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn the_report_has_the_form_that_the_schema_says() {
    let schema = Schema::at("docs/list.schema.json");
    let identity = root()
        .join("examples/identities/demo-identity.txt")
        .display()
        .to_string();
    for more in [&[][..], &["--identity-file", &identity]] {
        let words =
            "list sealed-secret quickstart network-only liqo-identity everything --format json";
        let words: Vec<&str> = words.split(' ').chain(more.iter().copied()).collect();
        let report = run(&root().join("examples"), &words).ends(0).json();
        schema.takes(&report);
        let everything = &report["peerings"][0];
        assert_eq!(everything["consumer"]["keyGeneration"], 2);
        assert_eq!(everything["provider"]["delivery"], "SealedSecret");
        assert_eq!(everything["gateway"]["port"], 51821);
        let sealed = report["peerings"][4]["ends"].as_array().expect("ends");
        assert_eq!(
            sealed.len(),
            if more.is_empty() { 0 } else { 4 },
            "{sealed:?}"
        );
    }
}

/// A token that ends in so many days.
fn ending(team: &Team, days: i64) {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock")
        .as_secs();
    let end = i64::try_from(now).expect("a clock") + days * 24 * 60 * 60;
    let part = |json: String| URL_SAFE_NO_PAD.encode(json);
    let token = format!(
        "{}.{}.c2lnbmF0dXJl",
        part("{\"alg\":\"none\"}".into()),
        part(format!("{{\"sub\":\"rome\",\"exp\":{end}}}"))
    );
    with_token(team, &token);
}

fn with_token(team: &Team, token: &str) {
    let kubeconfig = fs::read_to_string(team.path("kubeconfig")).expect("it");
    let file = team.path("k.yaml");
    put(
        &file,
        replaced(&kubeconfig, "canary-Token-of-rome-0123456789", token),
    );
    let _ = fs::remove_file(team.folder().join("kubeconfig.age"));
    let seal = [
        "seal",
        "kubeconfig",
        &file.display().to_string(),
        "--clusters",
        "rome,milan",
        "--allow-expired",
    ];
    team.person(&[&seal[..], &["--recipient", &team.recipient]].concat())
        .done();
}

#[test]
fn a_job_sees_what_ends_soon() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity();
    let list =
        |more: &[&str]| team.person(&[&["list", ".", "--identity-file", &identity], more].concat());
    // a token that does not say when it ends
    list(&["--expires-within", "9999w"]).done();
    assert!(list(&[]).done().contains("kubeconfig.age does not say"));
    for (token, within, code, words) in [
        (
            "sha256~Vq3eYp1X0mB7s",
            "1d",
            1,
            "does not say; tokens of OpenShift usually end after 24 hours",
        ),
        (
            "sha256~Vq3eYp1X0mB7s",
            "0d",
            0,
            "does not say; tokens of OpenShift",
        ),
        (
            "e30.e30.c2lnbmF0dXJl",
            "9999w",
            0,
            "never: its token has no end",
        ),
    ] {
        with_token(&team, token);
        let outcome = list(&["--expires-within", within]);
        assert_eq!(outcome.code, Some(code), "{token} {within}: {outcome}");
        outcome.prints(&format!("kubeconfig.age {words}"));
    }
    for (days, within, soon) in [
        (20, "30d", true),
        (20, "3w", true),
        (20, "2w", false),
        (20, "0d", false),
        (40, "30d", false),
        (-300, "0d", true),
    ] {
        ending(&team, days);
        let outcome = list(&["--expires-within", within]);
        assert_eq!(
            outcome.code,
            Some(i32::from(soon)),
            "{days} {within}: {outcome}"
        );
        outcome.prints("kubeconfig.age 20");
        assert_eq!(
            outcome
                .stderr
                .contains("1 credential or certificate ends within"),
            soon,
            "{outcome}"
        );
        outcome.everything().lacks("c2lnbmF0dXJl");
    }
    for wrong in ["30", "d", "-1d", "30m", "1.5d", "99999d", ""] {
        assert_eq!(
            list(&[&format!("--expires-within={wrong}")]).code,
            Some(2),
            "{wrong}"
        );
    }
    team.person(&["list", ".", "--expires-within", "30d"])
        .fails(3, "identity")
        .says("--identity-file");
}

/// Who is about to push sees it as well.
#[test]
fn validate_notes_what_ends_soon() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity();
    let validate = || team.person(&["validate", ".", "--identity-file", &identity]);
    let note = "note: ./kubeconfig.age: it expires on 20";
    validate().silent_on(note).done();
    for (days, is_soon) in [(20, true), (40, false)] {
        ending(&team, days);
        let outcome = validate();
        outcome.done();
        assert_eq!(outcome.stderr.contains(note), is_soon, "{days}: {outcome}");
    }
    ending(&team, -300);
    validate()
        .fails(1, "kubeconfig")
        .says("its credential expired on 20");
}

/// A table with a hole would say that all is well.
#[test]
fn what_cannot_be_read_is_an_error() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity();
    let list = ["list", ".", "--identity-file", &identity];
    team.person(&list).done();
    let sealed = fs::read(team.folder().join("kubeconfig.age")).expect("it");
    let seed = fs::read(team.folder().join("peering.seed.age")).expect("it");
    for (content, words) in [
        (&b"plain"[..], "error[sealed-payload]: "),
        (&seed, "error[sealed-payload]: "),
    ] {
        team.write("kubeconfig.age", content);
        let outcome = team.person(&list);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(1), ""),
            "{outcome}"
        );
        outcome.says(words).says("kubeconfig.age");
    }
    let path = team.folder().join("kubeconfig.age");
    fs::remove_file(&path).expect("removed");
    team.person(&list)
        .says("kubeconfig.age: there is no such file");
    // a link out of the checkout is not followed
    put(team.path("elsewhere.age"), &sealed);
    std::os::unix::fs::symlink(team.path("elsewhere.age"), &path).expect("a link");
    team.person(&list)
        .says("links in a repository are not followed");
    team.write("peering.yaml", "kind: Peering\n");
    let outcome = team.person(&["list", "."]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), ""),
        "{outcome}"
    );
    outcome.says("error[missing-field]");
}

/// A seed is read as `generate` reads it.
#[test]
fn a_text_that_is_no_seed_is_an_error() {
    let team = Team::new(Needs::Seed, &[]);
    let identity = team.identity();
    let text = fs::read_to_string(&identity).expect("it");
    let own = text
        .lines()
        .find(|line| line.starts_with("AGE-SECRET-KEY-1"))
        .expect("a line");
    let own = own.parse().expect("an identity");
    team.write(
        "peering.seed.age",
        age_file(&[&own], b"x", Format::AsciiArmor),
    );
    let outcome = team.person(&["list", ".", "--identity-file", &identity]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), ""),
        "{outcome}"
    );
    outcome.says("error[sealed-payload]: ./peering.seed.age");
}
