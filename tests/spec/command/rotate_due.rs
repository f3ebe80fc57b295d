//! `seed rotate-due`: keys that are old by their `keyRotated` get a new generation, without an identity; and `list --ages`.

use crate::harness::{ROLES, Repository, Run, Text, committed};
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
        repository.edit(
            &format!("{folder}/peering.yaml"),
            "    clusterID: provider\n",
            &provider,
        );
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
    let opened =
        fs::read_to_string(repository.temp().join("pull-requests")).expect("pull requests");
    assert_eq!(opened.matches("A new key for ").count(), 2, "{opened}");
    opened.has("A new key for peerings/b c");
    assert!(
        opened.matches("**Interrupts traffic.**").count() >= 2,
        "{opened}"
    );
    let branches = repository.git(&["ls-remote", "--heads", "origin"]);
    assert_eq!(branches.lines().count(), 2, "{branches}");
    for branch in branches
        .lines()
        .filter_map(|line| line.split("refs/heads/").nth(1))
    {
        let changed = repository.git(&["diff", "--stat", "main", branch]);
        changed.has("1 file changed, 2 insertions(+)");
    }
}

fn workflow(repository: &Repository) {
    let file = committed("docs/workflows/rotate.yaml");
    let (_, script) = file.split_once("        run: |\n").expect("the script");
    let gh =
        "#!/bin/sh\nshift 2\necho \"$@\" >> ../pull-requests\ncat ../body.md >> ../pull-requests\n";
    repository.write("../bin/gh", gh);
    let prepare =
        "chmod +x ../bin/gh && ln -sf \"$0\" ../bin/argocd-peering && PATH=$PWD/../bin:$PATH";
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
