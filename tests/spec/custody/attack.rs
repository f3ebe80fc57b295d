//! The confused deputy: Mallory may push to a repository that this Argo CD renders, and copies a team's sealed files there.
//!
//! Argo CD lets every Application of every project name the plugin, and the plugin's identity opens the files. She controls
//! her repository, her Application's plugin section, and nothing else: `ARGOCD_APP_*` are set by the repo-server, and an
//! Application's own variables are always prefixed (argo-cd `reposerver/repository/repository.go`).

use super::team::{Needs, PATH, TOKEN, Team, document};
use crate::harness::{
    Checkout, KUBECONFIG, Outcome, REPO, ROLES, Run, documents, kubeconfig_payload, put, sealed,
    seed_payload, terms,
};
use serde_json::{Value, json};

const MALLORYS_REPO: &str = "https://git.example.org/mallory/things.git";

/// The terms that the team chose.
const TERMS: [&str; 8] = [
    "--project",
    "peering-consumer",
    "--project",
    "peering-provider",
    "--repo",
    REPO,
    "--path",
    PATH,
];

/// Terms that leave everything to the operator.
const ANY: [&str; 6] = ["--project", "*", "--repo", "*", "--path", "*"];

const POLICY: &str = "[{projects: [peering-consumer], repos: ['https://git.example.org/net/peerings.git'], paths: ['peerings/*']}]";

const BOTH: [Needs; 2] = [Needs::Seed, Needs::Kubeconfig];

fn teams(team: &Team) -> Run {
    team.own("peering-consumer", PATH)
}

/// Everything that Mallory can do with her Application, in her own repository and elsewhere.
fn mallorys(team: &Team) -> Vec<Run> {
    let copy = team.copied_to("copy");
    let same_path = team.copied_to(PATH);
    let hers = team.application(&copy, "mallory", MALLORYS_REPO, "copy");
    vec![
        hers.clone(),
        team.application(&same_path, "mallory", MALLORYS_REPO, PATH),
        // her project may read the team's repository as well
        team.own("mallory", PATH),
        // she may push to the team's project, from another repository
        team.application(&same_path, "peering-consumer", MALLORYS_REPO, PATH),
        // what an Application can say about itself
        hers.clone()
            .env("ARGOCD_ENV_ARGOCD_APP_PROJECT_NAME", "peering-consumer")
            .env("ARGOCD_ENV_ARGOCD_APP_SOURCE_REPO_URL", REPO)
            .env("ARGOCD_ENV_ARGOCD_APP_SOURCE_PATH", PATH)
            .env("ARGOCD_ENV_POLICY_FILE", "policy.yaml")
            .env("ARGOCD_ENV_LOCAL", "true"),
        hers.env("PARAM_ARGOCD_APP_PROJECT_NAME", "peering-consumer")
            .env("PARAM_LOCAL", "true"),
        // names and paths that look like the team's
        team.application(&copy, "peering-consumer ", MALLORYS_REPO, PATH),
        team.application(
            &copy,
            "mallory",
            MALLORYS_REPO,
            "copy/../peerings/rome-milan",
        ),
        team.application(
            &copy,
            "mallory",
            "https://git.example.org@evil.example/net/peerings.git",
            PATH,
        ),
        // an Argo CD before 3.0 does not say the project
        teams(team).without("ARGOCD_APP_PROJECT_NAME"),
    ]
}

fn holds_a_secret(outcome: &Outcome) -> bool {
    documents(outcome.stream())
        .iter()
        .any(|object| object["kind"] == "Secret")
}

/// Neither stream nor message has what was sealed.
#[track_caller]
fn stays_secret(run: &Run) {
    run.run()
        .fails(3, "denied")
        .silent_on(TOKEN)
        .silent_on("AGE-SECRET-KEY-1");
}

#[test]
fn the_terms_alone_refuse_her() {
    for needs in BOTH {
        let team = Team::new(needs, &TERMS);
        assert!(holds_a_secret(&teams(&team).run()), "the team gets its own");
        mallorys(&team).iter().for_each(stays_secret);
    }
}

#[test]
fn the_policy_alone_refuses_her() {
    for needs in BOTH {
        let team = Team::new(needs, &ANY);
        let policy = team.policy(POLICY);
        let with_policy = |run: Run| run.arg("--policy-file").arg(&policy);
        assert!(
            holds_a_secret(&with_policy(teams(&team)).run()),
            "the team gets its own"
        );
        for run in mallorys(&team) {
            let path = run
                .variable("ARGOCD_APP_SOURCE_PATH")
                .expect("a path")
                .to_string_lossy();
            if run.variable("ARGOCD_APP_PROJECT_NAME").is_some() && !path.contains("..") {
                assert!(holds_a_secret(&run.run()), "it is the policy that refuses");
            }
            stays_secret(&with_policy(run));
        }
    }
}

#[test]
fn a_policy_opens_nothing_that_the_terms_do_not() {
    for needs in BOTH {
        let team = Team::new(needs, &TERMS);
        let policy = team.policy("[{projects: ['*'], repos: ['*'], paths: ['*']}]");
        let with_policy = |run: Run| run.arg("--policy-file").arg(&policy);
        assert!(holds_a_secret(&with_policy(teams(&team)).run()));
        for run in mallorys(&team) {
            stays_secret(&with_policy(run));
        }
    }
}

/// She cannot change the terms, but she can use the files beside a document of her own.
#[test]
fn another_pair_of_clusters_is_refused() {
    for needs in BOTH {
        let team = Team::new(needs, &ANY);
        let copy = team.copied_to("copy");
        let document = document(needs).replace("clusterID: milan", "clusterID: evil");
        put(copy.join("peering.yaml"), document);
        let run = team.application(&copy, "mallory", MALLORYS_REPO, "copy");
        run.run().fails(3, "denied").says("rome/evil");
    }
}

#[test]
fn her_parameters_are_refused_by_name() {
    let team = Team::new(Needs::Seed, &TERMS);
    let copy = team.copied_to("copy");
    let parameters =
        r#"[{"name":"role","string":"consumer"},{"name":"identity-file","string":"/etc/x"}]"#;
    let run = team.application(&copy, "mallory", MALLORYS_REPO, "copy");
    run.env("ARGOCD_APP_PARAMETERS", parameters)
        .run()
        .fails(2, "parameter")
        .says("identity-file");
}

/// However she calls her project, her repository and her folder; more names are in `tests/authorise.json`.
#[test]
fn a_copied_folder_opens_nothing() {
    let checkout = Checkout::new();
    for role in ROLES {
        for (variable, value) in [
            ("ARGOCD_APP_PROJECT_NAME", "*"),
            (
                "ARGOCD_APP_PROJECT_NAME",
                "peering-consumer,peering-provider",
            ),
            (
                "ARGOCD_APP_SOURCE_REPO_URL",
                "https://evil.example/https://git.example.org/net/peerings.git",
            ),
            ("ARGOCD_APP_SOURCE_REPO_URL", "*"),
            ("ARGOCD_APP_SOURCE_PATH", "*"),
            ("ARGOCD_APP_SOURCE_PATH", "mine"),
        ] {
            let outcome = checkout.plugin(role).env(variable, value).run();
            outcome
                .fails(3, "denied")
                .says(".age may not be opened here")
                .says("do not allow");
            outcome
                .silent_on("peering-provider peering")
                .silent_on("bind");
        }
    }
}

/// Both clusters' projects are in the terms, and each may ask for its own role only.
#[test]
fn a_project_gets_its_own_side_only() {
    let terms = [
        "--project",
        "rome=consumer",
        "--project",
        "milan=provider",
        "--repo",
        REPO,
        "--path",
        PATH,
    ];
    let team = Team::new(Needs::Seed, &terms);
    for (project, role, allowed) in [
        ("rome", "consumer", true),
        ("milan", "provider", true),
        ("rome", "provider", false),
        ("milan", "consumer", false),
        ("rome=consumer", "consumer", false),
    ] {
        let parameters = format!(r#"[{{"name":"role","string":"{role}"}}]"#);
        let outcome = team
            .own(project, PATH)
            .env("ARGOCD_APP_PARAMETERS", &parameters)
            .run();
        if allowed {
            outcome.stream();
        } else {
            outcome
                .fails(3, "denied")
                .says(&format!("project=\"{project}\""))
                .says(&format!("role={role}"));
        }
    }
}

/// Whoever may set `targetRevision` to a pull request gets what the pull request says.
#[test]
fn a_revision_that_the_terms_do_not_name_is_refused() {
    const REVISION: &str = "ARGOCD_APP_SOURCE_TARGET_REVISION";
    let terms = [
        "--project",
        "net",
        "--repo",
        REPO,
        "--path",
        PATH,
        "--revision",
        "main",
    ];
    let team = Team::new(Needs::Seed, &terms);
    let application = team.own("net", PATH);
    application.run().stream();
    for other in [
        "refs/pull/7/head",
        "feature",
        "HEAD",
        "53ab3a3d9e1e4b1d8d6f8a4d2a6c1f0e9b7c5d3a",
        "",
    ] {
        application
            .clone()
            .env(REVISION, other)
            .run()
            .fails(3, "denied");
    }
    let policy =
        team.policy("[{projects: ['*'], repos: ['*'], paths: ['*'], revisions: [release]}]");
    application
        .arg("--policy-file")
        .arg(&policy)
        .run()
        .fails(3, "denied");
}

/// Whatever the file holds and whichever term denies: who is denied reads the same, all of it sent by the caller.
#[test]
fn who_is_denied_learns_nothing_of_the_file() {
    let read = |payload: &Value| {
        let checkout = Checkout::new();
        checkout.write("peering.seed.age", sealed(payload));
        let outcome = checkout
            .plugin("provider")
            .env("ARGOCD_APP_PROJECT_NAME", "mallory")
            .run();
        outcome
            .fails(3, "denied")
            .says("project=\"mallory\"")
            .stderr
            .clone()
    };
    let terms = terms();
    let denied = read(&seed_payload(&terms));
    let with = |term: &str, value: Value| {
        let mut terms = terms.clone();
        terms[term] = value;
        terms
    };
    for terms in [
        json!({
            "peerings": [{ "consumer": "rome", "provider": "milan" }],
            "projects": ["mallory"], "repos": ["*"], "paths": ["*"],
        }),
        with("projects", json!([])),
        with("projects", json!(["mallory=consumer"])),
        with("repos", json!(["https://git.example.org/other"])),
        with("paths", json!([])),
    ] {
        assert_eq!(read(&seed_payload(&terms)), denied, "{terms}");
        assert_eq!(
            read(&kubeconfig_payload(KUBECONFIG, &terms)),
            denied,
            "{terms}"
        );
    }
    let mut later = seed_payload(&terms);
    later["v"] = json!(7);
    let checkout = Checkout::new();
    checkout.write("peering.seed.age", sealed(&later));
    let later = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", "mallory")
        .run();
    later.fails(3, "sealed-payload").silent_on("version 7");
}
