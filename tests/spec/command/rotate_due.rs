//! `seed rotate-due`: keys that are old by their `keyRotated` get a new generation, without an identity; and `list --ages`.

use crate::harness::{Outcome, ROLES, Repository, Run, Text, committed, demo_identity, today};
use std::fs;

const A: &str = "a/peering.yaml";

/// The quickstart in a repository, whose keys are both of a day.
fn dated(day: &str) -> Repository {
    let repository = Repository::new("a");
    for role in ROLES {
        let id = format!("    clusterID: {role}\n");
        repository.edit(A, &id, &format!("{id}    keyRotated: {day}\n"));
    }
    repository.commit();
    repository
}

fn rotate_due(repository: &Repository, words: &[&str]) -> Outcome {
    Run::new(["seed", "rotate-due"])
        .args(words.iter().copied())
        .within(repository.root())
        .env("PATH", std::env::var_os("PATH").expect("a PATH"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", repository.temp())
        .run()
}

/// The words `keyGeneration: …` of a document, in its order.
fn generations(repository: &Repository, file: &str) -> Vec<String> {
    let text = fs::read_to_string(repository.root().join(file)).expect(file);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("keyGeneration: "));
    lines.map(ToOwned::to_owned).collect()
}

fn text(repository: &Repository, file: &str) -> String {
    fs::read_to_string(repository.root().join(file)).expect(file)
}

#[test]
fn the_oldest_key_of_a_peering_gets_a_generation_and_nothing_else_changes() {
    let repository = dated("2020-01-02");
    let before = text(&repository, A);
    let outcome = rotate_due(&repository, &[".", "--older-than", "90d"]);
    let printed = outcome.done();
    printed.has("a/peering.yaml consumer consumer: generation 2, the key is of 2020-01-02");
    printed.has("The tunnel is down").has("Due later: 1.");
    let today = today();
    let rotated = format!("    keyGeneration: 2\n    keyRotated: \"{today}\"\n");
    assert_eq!(text(&repository, A), before.replacen("    keyRotated: 2020-01-02\n", &rotated, 1));
    repository.commit();
    // the other side is still old, and the one that was changed is not
    let outcome = rotate_due(&repository, &[".", "--older-than", "90d"]);
    outcome.done().has("provider provider: generation 2");
    assert_eq!(generations(&repository, A), ["2", "2"]);
    repository.commit();
    let outcome = rotate_due(&repository, &[".", "--older-than", "90d"]);
    assert_eq!(outcome.done(), "No key is due.\n");
    let listed = Run::new(["list", ".", "--ages"]).within(repository.root()).run();
    listed.ends(0).prints("KEYS SINCE").prints(&format!("{today}/{today}"));
    Run::new(["list", "."]).within(repository.root()).run().omits("SINCE").done();
}

/// A key of which no day is known, or one that is still to come, may be of any age.
#[test]
fn a_key_without_a_day_and_one_of_the_future_are_due() {
    let repository = Repository::new("a");
    let outcome = rotate_due(&repository, &[".", "--older-than", "9000w"]);
    outcome.done().has("generation 2, the key is of an unknown day");
    let listed = Run::new(["list", "a", "--ages", "--format", "json"]).within(repository.root()).run();
    let table = listed.ends(0).json();
    assert_eq!(table["peerings"][0]["consumer"]["keyRotated"], today());
    assert!(table["peerings"][0]["provider"]["keyRotated"].is_null(), "{table}");
    Run::new(["list", "a", "--ages"]).within(repository.root()).run().prints("/unknown").done();
    let repository = dated("9999-12-31");
    rotate_due(&repository, &[".", "--older-than", "90d"]).prints("the key is of an unknown day").done();
    assert_eq!(text(&repository, A).matches("9999-12-31").count(), 1);
}

#[test]
fn a_key_that_is_young_enough_stays() {
    let repository = dated("2020-01-02");
    let before = text(&repository, A);
    let outcome = rotate_due(&repository, &[".", "--older-than", "9000w"]);
    assert_eq!(outcome.done(), "No key is due.\n");
    assert_eq!(text(&repository, A), before);
}

#[test]
fn several_peerings_one_side_of_each_and_the_oldest_first() {
    let repository = dated("2020-03-02");
    repository.copy_of_quickstart("b");
    repository.edit("b/peering.yaml", "name: consumer-provider\n", "name: b\n");
    repository.edit("b/peering.yaml", "    clusterID: provider\n", "    clusterID: other\n");
    repository.commit();
    assert_eq!(rotate_due(&repository, &[".", "--older-than", "90d", "--at-most", "0"]).code, Some(2));
    for (at_most, changed) in [("1", [0, 1]), ("2", [1, 1]), ("9", [1, 1])] {
        let outcome = rotate_due(&repository, &[".", "--older-than", "90d", "--at-most", at_most]);
        outcome.done();
        let count =
            ["a", "b"].map(|folder| generations(&repository, &format!("{folder}/peering.yaml")).len());
        assert_eq!(count, changed, "--at-most {at_most}: {}", outcome.stdout);
        repository.git(&["checkout", "-q", "--", "."]);
    }
    let outcome = rotate_due(&repository, &["b", "--older-than", "90d", "--dry-run"]);
    outcome.prints("b/peering.yaml consumer consumer: generation 2").prints("Nothing was written.").done();
    assert_eq!(generations(&repository, "b/peering.yaml"), [""; 0]);
}

/// Sides whose new key a person has to bring somewhere are named, with the reason, and stay.
#[test]
fn what_needs_a_person_is_left_out_with_the_reason() {
    const KEY: &str = "hYbvNdUfs1+HRdiWKjT3VXW9MW9ODH/sQRWlA+dN/x4=";
    let external = format!("    publicKey: {KEY}\n    delivery: External\n");
    for (field, reason) in [
        (format!("    publicKey: {KEY}\n"), "its public key is written"),
        (external, "its public key is written"),
        ("    names: { keySecret: keys }\n".to_owned(), "its key Secret has a fixed name"),
        ("    names: { keySecret: keys }\n    delivery: External\n".to_owned(), "its delivery is External"),
        ("    keyGeneration: 4294967295\n".to_owned(), "the largest possible"),
    ] {
        let repository = dated("2020-01-02");
        repository.edit(A, "    clusterID: consumer\n", &format!("    clusterID: consumer\n{field}"));
        repository.commit();
        let before = text(&repository, A);
        let outcome = rotate_due(&repository, &["a", "--older-than", "90d", "--dry-run"]);
        let printed = outcome.done();
        let left_out = printed.split("Left out:\n").nth(1).expect("what is left out");
        assert!(
            left_out.contains("a/peering.yaml consumer consumer") && left_out.contains(reason),
            "{printed}"
        );
        printed.has("provider provider: generation 2");
        assert_eq!(text(&repository, A), before);
    }
    let repository = dated("2020-01-02");
    repository.edit(A, "\nspec:\n", "\nspec:\n  state: Drained\n");
    repository.commit();
    let outcome = rotate_due(&repository, &["a", "--older-than", "90d"]);
    assert!(
        outcome.done().starts_with("No key is due.") && outcome.stdout.matches("is drained").count() == 2,
        "{}",
        outcome.stdout
    );
}

#[test]
fn the_other_organisations_key_is_not_ours_to_change() {
    let repository = dated("2020-01-02");
    repository.edit(
        A,
        "    clusterID: provider\n",
        "    clusterID: provider\n    publicKey: hYbvNdUfs1+HRdiWKjT3VXW9MW9ODH/sQRWlA+dN/x4=\n",
    );
    repository.edit(A, "  seed: { file: peering.seed.age }", "  # no seed for both");
    repository.edit(
        A,
        "    clusterID: consumer\n",
        "    clusterID: consumer\n    seed: { file: peering.seed.age }\n",
    );
    repository.commit();
    let outcome = rotate_due(&repository, &["a", "--older-than", "90d"]);
    let printed = outcome.done();
    assert!(printed.starts_with("No key is due."), "{printed}");
    printed.has("its seed is not here").has("its public key is written");
}

/// As `import` writes it by default: Liqo made both keys.
#[test]
fn a_document_without_a_seed_says_how_it_gets_one() {
    let repository = dated("2020-01-02");
    let key = |role: &str, key: &str| {
        let id = format!("    clusterID: {role}\n");
        repository.edit(A, &id, &format!("{id}    delivery: External\n    publicKey: {key}\n"));
    };
    key("consumer", "8xKyBHqWjfsLwXi926MLxkNgg19bKgtW/Jg14Sd88x0=");
    key("provider", "DuIR8ocaKu+UwI4DkoG3n6gmvTf6AgR/QoTU+++cREM=");
    repository.edit(A, "  seed: { file: peering.seed.age }", "  # no seed");
    repository.commit();
    rotate_due(&repository, &["a", "--older-than", "90d"]).done().has("the document names no seed");
    let rotate = ["seed", "rotate", "a", "--role", "consumer", "--allow-dirty"];
    let outcome =
        Run::new(rotate).arg("--identity-file").arg(demo_identity("")).within(repository.root()).run();
    outcome.says("the document names no seed").says("name it in `spec.seed`");
    assert_eq!(outcome.code, Some(3), "{outcome}");
}

#[test]
fn other_changes_of_the_document_are_not_mixed_in() {
    let repository = dated("2020-01-02");
    repository.edit(A, "apiVersion:", "# a comment\napiVersion:");
    let outcome = rotate_due(&repository, &["a", "--older-than", "90d"]);
    outcome.ends(2);
    assert!(outcome.stderr.contains("--allow-dirty") && generations(&repository, A).is_empty(), "{outcome}");
    rotate_due(&repository, &["a", "--older-than", "90d", "--allow-dirty"]).done();
    assert_eq!(generations(&repository, A), ["2"]);
}

/// The script of docs/workflows/rotate.yaml, as a runner runs it: a branch and a pull request for each peering, with what it
/// does, and no second one while the first is open.
#[test]
fn the_pages_workflow_opens_one_pull_request_a_peering() {
    let repository = dated("2020-03-02");
    repository.git(&["mv", "a", "peerings"]);
    repository.commit();
    for name in ["a", "b c"] {
        let folder = format!("peerings/{name}");
        repository.copy_of_quickstart(&folder);
        let provider = format!("    clusterID: other{}\n", name.len());
        repository.edit(&format!("{folder}/peering.yaml"), "    clusterID: provider\n", &provider);
        repository.edit(
            &format!("{folder}/peering.yaml"),
            "name: consumer-provider\n",
            &format!("name: p{}\n", name.len()),
        );
    }
    repository.git(&["rm", "-q", "--cached", "-r", "peerings"]);
    for file in ["peering.yaml", "peering.seed.age", "kubeconfig.age"] {
        fs::remove_file(repository.root().join("peerings").join(file)).expect(file);
    }
    repository.commit();
    repository.git(&["init", "-q", "--bare", "../origin.git"]);
    repository.git(&["remote", "add", "origin", "../origin.git"]);
    let base = repository.git(&["rev-parse", "HEAD"]);
    for _ in 0..2 {
        workflow(&repository);
        repository.git(&["checkout", "-q", "--force", "main"]);
        assert_eq!(repository.git(&["rev-parse", "HEAD"]), base);
    }
    let opened = fs::read_to_string(repository.temp().join("pull-requests")).expect("pull requests");
    assert_eq!(opened.matches("A new key for ").count(), 2, "{opened}");
    opened.has("A new key for peerings/b c");
    assert!(opened.matches("**Interrupts traffic.**").count() >= 2, "{opened}");
    let branches = repository.git(&["ls-remote", "--heads", "origin"]);
    assert_eq!(branches.lines().count(), 2, "{branches}");
    for branch in branches.lines().filter_map(|line| line.split("refs/heads/").nth(1)) {
        let changed = repository.git(&["diff", "--stat", "main", branch]);
        changed.has("1 file changed, 2 insertions(+)");
    }
}

fn workflow(repository: &Repository) {
    let file = committed("docs/workflows/rotate.yaml");
    let (_, script) = file.split_once("        run: |\n").expect("the script");
    let gh = "#!/bin/sh\nshift 2\necho \"$@\" >> ../pull-requests\ncat ../body.md >> ../pull-requests\n";
    repository.write("../bin/gh", gh);
    let prepare = "chmod +x ../bin/gh && ln -sf \"$0\" ../bin/argocd-peering && PATH=$PWD/../bin:$PATH";
    let run = Run::new(["seed"]).within(repository.root()).through(&[
        "bash",
        "-euo",
        "pipefail",
        "-c",
        &format!("{prepare}\n{script}"),
    ]);
    let outcome = run
        .env("PATH", std::env::var_os("PATH").expect("a PATH"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", repository.temp())
        .run();
    outcome.ends(0);
}

/// What is named is read, dated and written, also under another name.
#[test]
fn only_the_document_that_is_named_is_rotated() {
    let repository = dated("2020-01-02");
    let path = |name: &str| repository.root().join("a").join(name);
    fs::copy(path("peering.yaml"), path("draft.yaml")).expect("a copy");
    repository.commit();
    let before = text(&repository, A);
    let outcome = rotate_due(&repository, &["a/draft.yaml", "--older-than", "90d"]);
    outcome.done().has("a/draft.yaml consumer consumer: generation 2, the key is of 2020-01-02");
    assert_eq!(text(&repository, A), before);
    assert_eq!(generations(&repository, "a/draft.yaml"), ["2"]);
}

/// One document that may not be changed keeps those before it as they are.
#[test]
fn all_are_raised_or_none() {
    let repository = dated("2020-01-02");
    repository.copy_of_quickstart("b");
    repository.commit();
    let others = text(&repository, "b/peering.yaml");
    repository.write(A, text(&repository, A) + "# a word\n");
    let words = [".", "--older-than", "90d", "--at-most", "5"];
    // that of `b` is of an unknown day, so it comes first
    rotate_due(&repository, &words)
        .fails(2, "flag")
        .says("a/peering.yaml has changes that are not committed");
    assert_eq!(text(&repository, "b/peering.yaml"), others);
    repository.commit();
    rotate_due(&repository, &words).done();
    for file in [A, "b/peering.yaml"] {
        assert_eq!(generations(&repository, file), ["2"], "{file}");
    }
}
