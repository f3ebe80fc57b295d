//! The confused deputy: Mallory may push to a repository that this Argo CD renders, and copies a team's sealed files there.
//!
//! Argo CD lets every Application of every project name the plugin, and the plugin's identity opens the files. She controls
//! her repository, her Application's plugin section, and nothing else: `ARGOCD_APP_*` are set by the repo-server, and an
//! Application's own variables are always prefixed (argo-cd `reposerver/repository/repository.go`).

use super::team::{Application, Needs, PATH, REPO, TOKEN, Team, done, objects, refused};
use std::fs;

const MALLORYS_REPO: &str = "https://git.example.org/mallory/things.git";

/// The terms that the team chose.
const TERMS: [&str; 8] =
    ["--project", "peering-consumer", "--project", "peering-provider", "--repo", REPO, "--path", PATH];

/// Terms that leave everything to the operator.
const ANY: [&str; 6] = ["--project", "*", "--repo", "*", "--path", "*"];

const POLICY: &str = "[{projects: [peering-consumer], repos: ['https://git.example.org/net/peerings.git'], paths: ['peerings/*']}]";

const BOTH: [Needs; 2] = [Needs::Seed, Needs::Kubeconfig];

fn teams(team: &Team) -> Application {
    Application::new(&team.folder(), "peering-consumer", REPO, PATH)
}

/// Everything that Mallory can do with her Application, in her own repository and elsewhere.
fn mallorys(team: &Team) -> Vec<Application> {
    let copy = team.copied_to("copy");
    let same_path = team.copied_to(PATH);
    let hers = Application::new(&copy, "mallory", MALLORYS_REPO, "copy");
    vec![
        hers.clone(),
        Application::new(&same_path, "mallory", MALLORYS_REPO, PATH),
        // her project may read the team's repository as well
        Application::new(&team.folder(), "mallory", REPO, PATH),
        // she may push to the team's project, from another repository
        Application::new(&same_path, "peering-consumer", MALLORYS_REPO, PATH),
        // what an Application can say about itself
        hers.clone()
            .with("ARGOCD_ENV_ARGOCD_APP_PROJECT_NAME", "peering-consumer")
            .with("ARGOCD_ENV_ARGOCD_APP_SOURCE_REPO_URL", REPO)
            .with("ARGOCD_ENV_ARGOCD_APP_SOURCE_PATH", PATH)
            .with("ARGOCD_ENV_POLICY_FILE", "policy.yaml")
            .with("ARGOCD_ENV_LOCAL", "true"),
        hers.clone().with("PARAM_ARGOCD_APP_PROJECT_NAME", "peering-consumer").with("PARAM_LOCAL", "true"),
        // names and paths that look like the team's
        Application::new(&copy, "peering-consumer ", MALLORYS_REPO, PATH),
        Application::new(&copy, "mallory", MALLORYS_REPO, "copy/../peerings/rome-milan"),
        Application::new(&copy, "mallory", "https://git.example.org@evil.example/net/peerings.git", PATH),
        // an Argo CD before 3.0 does not say the project
        teams(team).without("ARGOCD_APP_PROJECT_NAME"),
    ]
}

fn holds_a_secret(stream: &str) -> bool {
    objects(stream).iter().any(|object| object["kind"] == "Secret")
}

/// Neither stream nor message has what was sealed.
fn stays_secret(team: &Team, application: &Application, policy: Option<&std::path::Path>) {
    let output = team.plugin(application, policy);
    let error = refused(&output, 3, "denied");
    assert!(!error.contains(TOKEN) && !error.contains("AGE-SECRET-KEY-1"), "{error}");
}

#[test]
fn the_terms_alone_refuse_her() {
    for needs in BOTH {
        let team = Team::new(needs, &TERMS);
        assert!(holds_a_secret(&done(&team.plugin(&teams(&team), None))), "the team gets its own");
        for application in mallorys(&team) {
            stays_secret(&team, &application, None);
        }
    }
}

#[test]
fn the_policy_alone_refuses_her() {
    for needs in BOTH {
        let team = Team::new(needs, &ANY);
        let policy = team.policy(POLICY);
        assert!(holds_a_secret(&done(&team.plugin(&teams(&team), Some(&policy)))), "the team gets its own");
        for application in mallorys(&team) {
            if application.variables.contains_key("ARGOCD_APP_PROJECT_NAME") {
                let without = team.plugin(&application, None);
                let dots = application.variables["ARGOCD_APP_SOURCE_PATH"].contains("..");
                assert!(dots || holds_a_secret(&done(&without)), "it is the policy that refuses");
            }
            stays_secret(&team, &application, Some(&policy));
        }
    }
}

#[test]
fn a_policy_opens_nothing_that_the_terms_do_not() {
    for needs in BOTH {
        let team = Team::new(needs, &TERMS);
        let policy = team.policy("[{projects: ['*'], repos: ['*'], paths: ['*']}]");
        assert!(holds_a_secret(&done(&team.plugin(&teams(&team), Some(&policy)))));
        for application in mallorys(&team) {
            stays_secret(&team, &application, Some(&policy));
        }
    }
}

/// She cannot change the terms, but she can use the files beside a document of her own.
#[test]
fn another_pair_of_clusters_is_refused() {
    for needs in BOTH {
        let team = Team::new(needs, &ANY);
        let copy = team.copied_to("copy");
        let document = super::team::document(needs).replace("clusterID: milan", "clusterID: evil");
        fs::write(copy.join("peering.yaml"), document).expect("written");
        let application = Application::new(&copy, "mallory", MALLORYS_REPO, "copy");
        let error = refused(&team.plugin(&application, None), 3, "denied");
        assert!(error.contains("evil/rome"), "{error}");
    }
}

#[test]
fn her_parameters_are_refused_by_name() {
    let team = Team::new(Needs::Seed, &TERMS);
    let copy = team.copied_to("copy");
    let parameters = r#"[{"name":"role","string":"consumer"},{"name":"identity-file","string":"/etc/x"}]"#;
    let application =
        Application::new(&copy, "mallory", MALLORYS_REPO, "copy").with("ARGOCD_APP_PARAMETERS", parameters);
    assert!(refused(&team.plugin(&application, None), 2, "parameter").contains("identity-file"));
}

/// The Source Hydrator would commit the output; it says no cluster version.
#[test]
fn nothing_is_opened_for_the_hydrator() {
    for needs in BOTH {
        let team = Team::new(needs, &TERMS);
        for application in [teams(&team).with("KUBE_VERSION", ""), teams(&team).without("KUBE_VERSION")] {
            refused(&team.plugin(&application, None), 3, "hydration");
        }
    }
}

/// Both clusters' projects are in the terms, and each may ask for its own role only.
#[test]
fn a_project_gets_its_own_side_only() {
    let terms = ["--project", "rome=consumer", "--project", "milan=provider", "--repo", REPO, "--path", PATH];
    let team = Team::new(Needs::Seed, &terms);
    for (project, role, allowed) in [
        ("rome", "consumer", true),
        ("milan", "provider", true),
        ("rome", "provider", false),
        ("milan", "consumer", false),
        ("rome=consumer", "consumer", false),
    ] {
        let parameters = format!(r#"[{{"name":"role","string":"{role}"}}]"#);
        let application = Application::new(&team.folder(), project, REPO, PATH);
        let output = team.plugin(&application.with("ARGOCD_APP_PARAMETERS", &parameters), None);
        if allowed {
            done(&output);
        } else {
            let error = refused(&output, 3, "denied");
            assert!(error.contains(&format!("`{project}` as {role} among the projects")), "{error}");
        }
    }
}

/// Whoever may set `targetRevision` to a pull request gets what the pull request says.
#[test]
fn a_revision_that_the_terms_do_not_name_is_refused() {
    let terms = ["--project", "net", "--repo", REPO, "--path", PATH, "--revision", "main"];
    let team = Team::new(Needs::Seed, &terms);
    let application = Application::new(&team.folder(), "net", REPO, PATH);
    done(&team.plugin(&application, None));
    const REVISION: &str = "ARGOCD_APP_SOURCE_TARGET_REVISION";
    for other in ["refs/pull/7/head", "feature", "HEAD", "53ab3a3d9e1e4b1d8d6f8a4d2a6c1f0e9b7c5d3a", ""] {
        refused(&team.plugin(&application.clone().with(REVISION, other), None), 3, "denied");
    }
    let policy = team.policy("[{projects: ['*'], repos: ['*'], paths: ['*'], revisions: [release]}]");
    refused(&team.plugin(&application, Some(&policy)), 3, "denied");
}
