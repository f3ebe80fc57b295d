//! The operator's files: where they may stand, and what is not taken for a policy.

use super::team::{Application, Needs, PATH, REPO, Team, done, refused};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];
const ANY: &str = "[{projects: ['*'], repos: ['*'], paths: ['*']}]";

fn team() -> (Team, Application) {
    let team = Team::new(Needs::Seed, &TERMS);
    let application = Application::new(&team.folder(), "net", REPO, PATH);
    (team, application)
}

fn writable_for_all(path: &std::path::Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o666)).expect("set");
}

#[test]
fn a_policy_that_cannot_be_taken_opens_nothing() {
    let (team, application) = team();
    let policy = team.policy(ANY);
    done(&team.plugin(&application, Some(&policy)));
    let says = |words: &str| {
        let error = refused(&team.plugin(&application, Some(&policy)), 3, "policy");
        assert!(error.contains(words) && error.contains("help: "), "{error}");
    };
    team.policy("[{projects: ['*'], repos: ['*'], paths: ['*'], namespaces: [x]}]");
    says("line 3: unknown field");
    team.policy("[{projects: ['net-*'], repos: ['*'], paths: ['*']}]");
    says("entry 1 of `allow`, `projects`");
    fs::write(&policy, "apiVersion: v1\nkind: ConfigMap\nallow: []\n").expect("written");
    says("kind: Policy");
    fs::write(&policy, "#".repeat(64 * 1024 + 1)).expect("written");
    says("larger than 65536 bytes");
    fs::write(&policy, "").expect("written");
    says("not valid YAML");
    team.policy(ANY);
    writable_for_all(&policy);
    says("writable by everyone");
    fs::remove_file(&policy).expect("removed");
    says("there is no such file");
    fs::create_dir(&policy).expect("a folder");
    says("not a regular file");
    fs::remove_dir(&policy).expect("removed");
    rustix::fs::mknodat(rustix::fs::CWD, &policy, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .expect("a FIFO");
    says("not a regular file");
    fs::remove_file(&policy).expect("removed");
    // as a mounted ConfigMap has it: a link to a link
    let data = policy.with_file_name("..data");
    let behind = policy.with_file_name("behind.yaml");
    fs::write(&behind, format!("apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow: {ANY}\n"))
        .expect("written");
    std::os::unix::fs::symlink("behind.yaml", &data).expect("a link");
    std::os::unix::fs::symlink("..data", &policy).expect("a link");
    done(&team.plugin(&application, Some(&policy)));
    writable_for_all(&behind);
    says("writable by everyone");
}

#[test]
fn whoever_can_push_does_not_decide() {
    let (team, application) = team();
    let text = fs::read_to_string(team.policy(ANY)).expect("read");
    let root = team.path("checkout-of-the-team");
    for place in
        [team.folder().join("policy.yaml"), root.join("policy.yaml"), root.join("peerings/policy.yaml")]
    {
        fs::write(&place, &text).expect("written");
        let error = refused(&team.plugin(&application, Some(&place)), 3, "policy");
        assert!(error.contains("inside the repository"), "{error}");
    }
}

#[test]
fn an_identity_that_others_can_change_is_refused() {
    let (team, application) = team();
    done(&team.plugin(&application, None));
    writable_for_all(&team.identity());
    let error = refused(&team.plugin(&application, None), 3, "identity");
    assert!(error.contains("writable by everyone"), "{error}");
    // a person's own machine is a person's own business
    let identity = team.identity().display().to_string();
    done(&team.person(&["generate", "--local", "--role", "provider", "--identity-file", &identity]));
}

#[test]
fn a_policy_is_for_argo_cd() {
    let (team, _) = team();
    let policy = team.policy(ANY).display().to_string();
    for other in ["--local", "--public"] {
        let output = team.person(&["generate", "--role", "consumer", "--policy-file", &policy, other]);
        assert_eq!(output.status.code(), Some(2));
    }
}
