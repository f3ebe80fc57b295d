//! The operator's files: where they may stand, and what is not taken for a policy.

use super::team::{Needs, PATH, TERMS, Team};
use crate::harness::library::Policy;
use crate::harness::{Outcome, Run, committed, machine, put};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const ANY: &str = "[{projects: ['*'], repos: ['*'], paths: ['*']}]";

fn team() -> (Team, Run) {
    let team = Team::new(Needs::Seed, &TERMS);
    let application = team.own("net", PATH);
    (team, application)
}

fn with_policy(application: &Run, policy: &Path) -> Outcome {
    application.clone().arg("--policy-file").arg(policy).run()
}

fn writable_for_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o666)).expect("set");
}

#[test]
fn a_policy_that_cannot_be_taken_opens_nothing() {
    let (team, application) = team();
    let policy = team.policy(ANY);
    with_policy(&application, &policy).done();
    let says = |words: &str| {
        with_policy(&application, &policy)
            .fails(3, "policy")
            .says(words)
            .says("help: ");
    };
    team.policy("[{projects: ['*'], repos: ['*'], paths: ['*'], namespace: [x]}]");
    says("line 3: unknown field");
    team.policy("[{projects: ['net-*'], repos: ['*'], paths: ['*']}]");
    says("entry 1 of `allow`, `projects`");
    put(&policy, "apiVersion: v1\nkind: ConfigMap\nallow: []\n");
    says("kind: Policy");
    put(&policy, "#".repeat(64 * 1024 + 1));
    says("larger than 65536 bytes");
    put(&policy, "");
    says("not valid YAML");
    team.policy(ANY);
    writable_for_all(&policy);
    says("writable by everyone");
    fs::remove_file(&policy).expect("removed");
    says("there is no such file");
    fs::create_dir(&policy).expect("a folder");
    says("not a regular file");
    fs::remove_dir(&policy).expect("removed");
    machine::fifo(&policy);
    says("not a regular file");
    fs::remove_file(&policy).expect("removed");
    // as a mounted ConfigMap has it: a link to a link
    let data = policy.with_file_name("..data");
    let behind = policy.with_file_name("behind.yaml");
    put(
        &behind,
        format!("apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow: {ANY}\n"),
    );
    std::os::unix::fs::symlink("behind.yaml", &data).expect("a link");
    std::os::unix::fs::symlink("..data", &policy).expect("a link");
    with_policy(&application, &policy).done();
    writable_for_all(&behind);
    says("writable by everyone");
}

#[test]
fn whoever_can_push_does_not_decide() {
    let (team, application) = team();
    let text = fs::read_to_string(team.policy(ANY)).expect("read");
    let root = team.root();
    for place in [
        team.folder().join("policy.yaml"),
        root.join("policy.yaml"),
        root.join("peerings/policy.yaml"),
    ] {
        put(&place, &text);
        with_policy(&application, &place)
            .fails(3, "policy")
            .says("inside the repository");
    }
}

#[test]
fn an_identity_that_others_can_change_is_refused() {
    let (team, application) = team();
    application.run().done();
    writable_for_all(Path::new(&team.identity()));
    application
        .run()
        .fails(3, "identity")
        .says("writable by everyone");
    // a person's own machine is a person's own business
    team.types("generate --local --role provider --identity-file ID")
        .done();
}

#[test]
fn a_policy_is_for_argo_cd() {
    let (team, _) = team();
    team.policy(ANY);
    for other in ["--local", "--public"] {
        team.types(&format!(
            "generate --role consumer --policy-file ~/identity/policy.yaml {other}"
        ))
        .ends(2);
    }
}

#[test]
fn the_policy_of_the_documentation_is_one() {
    let text = committed("docs/custody.md");
    let example = text
        .split("```yaml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    Policy::parse(example).expect("a policy");
}
