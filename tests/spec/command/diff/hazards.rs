//! A pull request can be gated by what endangers; what does is in `hazards.cases`.

use crate::harness::{
    KUBECONFIG, Outcome, Repository, Schema, Terminal, Text, committed, demo_identity, seal,
};
use age::armor::Format;
use serde_json::{Value, json};
use std::fs;

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

fn repository() -> Repository {
    Repository::new(FOLDER)
}

/// The seed of the quickstart, sealed once more: other bytes, the same secret.
fn resealed(repository: &Repository, folder: &str) -> Vec<u8> {
    let sealed = fs::read(repository.root().join(folder).join("peering.seed.age")).expect("a seed");
    let payload: Value = serde_json::from_str(&seal::opened(&sealed, &seal::demo())).expect("JSON");
    seal::sealed_for(&seal::demo(), &payload)
}

fn diff(repository: &Repository, arguments: &[&str]) -> Outcome {
    repository.diff(&[&["peerings"], arguments].concat()).run()
}

#[test]
fn the_reseal_of_twenty() {
    let repository = repository();
    let folders: Vec<String> = (0..20)
        .map(|number| format!("peerings/f{number:02}"))
        .collect();
    for (number, folder) in folders.iter().enumerate() {
        repository.copy_of_quickstart(folder);
        repository.edit(
            &format!("{folder}/peering.yaml"),
            "clusterID: consumer",
            &format!("clusterID: c{number}"),
        );
    }
    repository.commit();
    for folder in &folders {
        repository.write(
            &format!("{folder}/peering.seed.age"),
            resealed(&repository, folder),
        );
    }
    let outcome = diff(&repository, &["--fail-on", "widens-rights"]);
    assert_eq!(outcome.code, Some(0), "nothing endangers: {outcome}");
    let text = "f00, f01, f02, f03, f04 and 15 more\n  Needs attention. `peering.seed.age` was sealed again. If it holds another seed, \
                the tunnel is down until both sides sync. `--identity-file` tells whether the secret changed.\n\nChanges in 20 of 21 peerings: sealed files only. This needs attention.\n21 peerings judged; not \
                the secrets of 20 sealed files: no identity opens both states of them\n";
    assert_eq!(outcome.stdout, text);
    let markdown = diff(&repository, &["--format", "markdown"]).stdout;
    assert!(
        markdown.matches("was sealed again").count() == 1 && markdown.contains("`f19`"),
        "{markdown}"
    );
    // an identity knows
    let identity = demo_identity("").display().to_string();
    let outcome = diff(&repository, &["--identity-file", &identity]);
    assert_eq!(outcome.done(), "No object changes in 21 peerings.\n");
    let other = seal::sealed(&seal::seed_payload(&seal::terms()));
    repository.write("peerings/f00/peering.seed.age", other);
    let outcome = diff(
        &repository,
        &[
            "--identity-file",
            &identity,
            "--fail-on",
            "interrupts-traffic",
        ],
    );
    outcome
        .ends(1)
        .prints("peering.seed.age holds another secret")
        .prints("This interrupts traffic.\n");
    let other = seal::sealed(&seal::kubeconfig_payload(KUBECONFIG, &seal::terms()));
    repository.write("peerings/f00/kubeconfig.age", other);
    diff(&repository, &["--identity-file", &identity])
        .prints("kubeconfig.age holds another credential, for the server https://");
    // one that opens neither knows as little as none
    let (_, text) = seal::identity();
    repository.write("../identity.txt", text);
    let stranger = repository.temp().join("identity.txt").display().to_string();
    diff(&repository, &["--identity-file", &stranger]).prints("was sealed again");
    diff(&repository, &["--identity-file", "nowhere"])
        .fails(3, "identity")
        .says("check --identity-file");
}

/// What somebody sees who can open the files, and is red for more rights.
fn rights_of(repository: &Repository) -> Outcome {
    let identity = demo_identity("").display().to_string();
    let flags = ["--identity-file", &identity, "--fail-on", "widens-rights"];
    diff(repository, &flags)
}

/// Whoever can push can replace a file by one with the same secret on other terms, whatever the file is called.
#[test]
fn terms_that_allow_more_widen_rights() {
    let both = json!([
        "peering-consumer=consumer",
        "peering-provider=provider",
        "other=consumer"
    ]);
    let (all, one) = (json!(["*=consumer"]), json!(["peering-consumer=consumer"]));
    let other = json!(["https://git.example.org/net/other"]);
    let [seed, new] = ["peering.seed.age", "other.age"];
    for (name, field, value, is_wider) in [
        (seed, "projects", &all, true),
        (seed, "projects", &both, true),
        (seed, "projects", &one, false),
        (seed, "repos", &other, true),
        (seed, "revisions", &json!(["main"]), false),
        (new, "projects", &all, true),
        (new, "projects", &one, false),
    ] {
        let repository = repository();
        let file = repository.root().join(FOLDER).join(seed);
        let sealed = fs::read(&file).expect("a seed");
        let mut payload: Value =
            serde_json::from_str(&seal::opened(&sealed, &seal::demo())).expect("JSON");
        payload["bind"][field] = value.clone();
        fs::remove_file(file).expect("removed");
        repository.write(&format!("{FOLDER}/{name}"), seal::sealed(&payload));
        repository.edit(DOCUMENT, seed, name);
        let outcome = rights_of(&repository);
        let words = format!("  Widens rights. The terms of `{name}` allow a new use");
        let is_red = (outcome.code, outcome.stdout.contains(&words));
        let expected = (Some(i32::from(is_wider)), is_wider);
        assert_eq!(is_red, expected, "{name}, {field}: {value}: {outcome}");
        // from the terms that allow, anyone would learn where the file opens
        outcome.everything().lacks("git.example.org");
    }
}

/// The header of a sealed file says how many can open it, also where the secret and its terms are the same.
#[test]
fn another_recipient_widens_rights() {
    for (before, after, code, words) in [
        (
            1,
            2,
            1,
            "  Widens rights. `peering.seed.age` is sealed for 2 recipients, and was for 1",
        ),
        (
            2,
            1,
            0,
            "  Needs attention. `peering.seed.age` is sealed for 1 recipient, and was for 2",
        ),
        (2, 2, 0, "No object changes"),
    ] {
        let repository = repository();
        let seed = format!("{FOLDER}/peering.seed.age");
        let sealed = fs::read(repository.root().join(&seed)).expect("a seed");
        let payload = seal::opened(&sealed, &seal::demo());
        let all = [&seal::demo(), &seal::identity().0];
        let to = |count| seal::age_file(&all[..count], payload.as_bytes(), Format::AsciiArmor);
        repository.write(&seed, to(before));
        repository.commit();
        repository.write(&seed, to(after));
        rights_of(&repository).ends(code).prints(words);
    }
}

#[test]
fn the_report_for_programs_has_its_form() {
    let schema = Schema::at("docs/diff.schema.json");
    let repository = repository();
    repository.copy_of_quickstart("peerings/a");
    repository.edit(
        "peerings/a/peering.yaml",
        "clusterID: consumer",
        "clusterID: a",
    );
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    repository.edit(DOCUMENT, "        create: true\n", "");
    let outcome = diff(&repository, &["--format", "json"]);
    outcome.ends(1);
    let report = outcome.json();
    schema.takes(&report);
    let objects = report["changed"][1]["objects"].as_array().expect("objects");
    let server = objects
        .iter()
        .find(|it| it["kind"] == "GatewayServer")
        .expect("a server");
    assert_eq!(server["fields"][0]["path"], "spec.endpoint.nodePort");
    assert_eq!(
        (&server["fields"][0]["from"], &server["fields"][0]["to"]),
        (&"32750".into(), &"32751".into())
    );
    assert_eq!(server["effects"][0]["class"], "interrupts-traffic");
    let mut wrong = report.clone();
    wrong["peerings"] = "1".into();
    assert!(!schema.is_valid(&wrong));
    // no secret's place in it either
    let key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
    repository.edit(
        DOCUMENT,
        "  liqoVersion:",
        &format!("  commonMetadata: {{ annotations: {{ a: \"{key}\" }} }}\n  liqoVersion:"),
    );
    assert!(
        !diff(&repository, &["--format", "json"])
            .stdout
            .contains(&key[..20])
    );
}

/// On a terminal, and nowhere else.
#[test]
fn colours_are_for_a_terminal() {
    let repository = repository();
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    let labels = "metadata: { tenantNamespace: { labels: { team: net } } }";
    let side = "clusterID: consumer\n";
    repository.edit(DOCUMENT, side, &format!("{side}    {labels}\n"));
    assert!(!diff(&repository, &[]).stdout.contains('\u{1b}'));
    let run = |variables: &[(&str, &str)]| {
        let path = std::env::var("PATH").expect("PATH");
        let variables = [&[("PATH", path.as_str()), ("TERM", "xterm")], variables].concat();
        Terminal::of(80)
            .whole()
            .run(&["diff", "peerings"], &repository.root(), &variables)
            .shown
    };
    let shown = run(&[]);
    for words in ["33m~ ", "31mInterrupts", "33mNeeds attention."] {
        assert!(shown.contains(&format!("\u{1b}[{words}")), "{shown}");
    }
    assert!(!run(&[("NO_COLOR", "1")]).contains("\u{1b}[33m"));
}

/// The script of docs/workflows/review.yaml, as a runner runs it.
fn workflow(repository: &Repository) -> Outcome {
    let file = committed("docs/workflows/review.yaml");
    let (_, script) = file.split_once("        run: |\n").expect("the script");
    let [base, head] = ["HEAD~1", "HEAD"].map(|revision| repository.git(&["rev-parse", revision]));
    let run = repository.diff(&[]).through(&["sh", "-c", &format!("mkdir -p ../bin && ln -sf \"$0\" ../bin/argocd-peering && PATH=$PWD/../bin:$PATH && set -e\n{script}")]);
    let temp = repository.temp();
    let run = run
        .env("GITHUB_STEP_SUMMARY", temp.join("summary"))
        .env("RUNNER_TEMP", temp);
    run.env("BASE", base).env("HEAD", head).run()
}

#[test]
fn the_pages_workflow_is_red_for_what_endangers_or_gives_rights() {
    for (from, to, code) in [
        ("memory: 1Gi", "memory: 2Gi", 0),
        ("name: myuser", "name: another", 1),
        ("  liqoVersion:", "  protection: none\n  liqoVersion:", 1),
        ("nodePort: 32750", "nodePort: 32751", 1),
    ] {
        let repository = repository();
        repository.edit(DOCUMENT, from, to);
        repository.commit();
        let outcome = workflow(&repository);
        assert_eq!(outcome.code, Some(code), "{from}: {outcome}");
        let summary = fs::read_to_string(repository.temp().join("summary")).expect("the summary");
        assert!(
            summary.starts_with("**Changes in 1 of 1 peering"),
            "{summary}"
        );
    }
}
