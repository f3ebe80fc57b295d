//! Terms name peerings: which cluster is the consumer counts, because it decides whose private key a role gets. Someone with
//! push access writes the document, and so chooses which cluster it calls the consumer.

use super::team::{Needs, PATH, Team, document};
use crate::harness::{Checkout, Outcome, REPO, Run, Text, documents, sealed, seed_payload};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const TERMS: [&str; 8] = [
    "--project",
    "p-rome=consumer",
    "--project",
    "p-milan=provider",
    "--repo",
    REPO,
    "--path",
    PATH,
];

/// A person's run.
const LOCAL: &str = "generate --local --role consumer --identity-file ID";

fn asking(run: Run, role: &str) -> Outcome {
    run.env(
        "ARGOCD_APP_PARAMETERS",
        format!(r#"[{{"name":"role","string":"{role}"}}]"#),
    )
    .run()
}

/// The team's document with the clusters in each other's place.
fn swapped(needs: Needs) -> String {
    let text = document(needs)
        .replace("clusterID: rome", "clusterID: ROME")
        .replace("clusterID: milan", "clusterID: rome");
    text.replace("clusterID: ROME", "clusterID: milan")
}

/// Terms as they were before they had roles: a pair of clusters, and projects with a role.
fn old_terms() -> Value {
    json!({
        "clusters": [["milan", "rome"]],
        "projects": ["p-rome=consumer", "p-milan=provider"],
        "repos": [REPO],
        "paths": [PATH],
    })
}

/// A team whose seed has such terms.
fn old_team() -> Team {
    let team = Team::new(Needs::Seed, &TERMS);
    let identity = fs::read_to_string(team.identity()).expect("the identity");
    let identity = identity
        .lines()
        .find(|line| line.starts_with("AGE-"))
        .expect("a line")
        .parse()
        .expect("it");
    team.write(
        "peering.seed.age",
        crate::harness::seal::sealed_for(&identity, &seed_payload(&old_terms())),
    );
    team
}

fn private_key(outcome: &Outcome) -> String {
    let objects = documents(outcome.stream());
    let secret = objects
        .iter()
        .find(|object| object["kind"] == "Secret")
        .expect("a Secret");
    secret["data"]["privateKey"]
        .as_str()
        .expect("a key")
        .to_owned()
}

/// She swaps the clusters, and the project of the consumer would get the other cluster's private key.
#[test]
fn a_document_that_swaps_the_clusters_gets_no_key() {
    let team = Team::new(Needs::Seed, &TERMS);
    asking(team.own("p-rome", PATH), "consumer").stream();
    team.write("peering.yaml", swapped(Needs::Seed));
    for (project, role) in [
        ("p-rome", "consumer"),
        ("p-milan", "provider"),
        ("p-rome", "provider"),
    ] {
        asking(team.own(project, PATH), role).fails(3, "denied");
    }
    team.types(LOCAL).fails(3, "denied");
}

/// In a flag such a word is a role, in a sealed file it is a cluster.
#[test]
fn clusters_with_the_names_of_the_other_roles_keep_their_sides() {
    let team = Team::new(Needs::Seed, &TERMS);
    team.write(
        "peering.yaml",
        document(Needs::Seed)
            .replace("clusterID: rome", "clusterID: provider")
            .replace("clusterID: milan", "clusterID: consumer"),
    );
    team.confirms(&format!(
        "seed new new.age --recipient TO {}",
        TERMS.join(" ")
    ))
    .done();
    let sealed_new = team.inspected("new.age");
    for part in [
        r#"clusters: "provider" (consumer) "consumer" (provider)"#,
        r#"projects: "p-rome=provider" "p-milan=consumer""#,
        r#"namespaces: "liqo-tenant-consumer=provider" "liqo-tenant-provider=consumer""#,
    ] {
        sealed_new.has(part);
    }
    let reseal = "reseal new.age --identity-file ID --recipient TO";
    team.confirms(reseal).done();
    assert_eq!(team.inspected("new.age"), sealed_new);
    // the other cluster's project is not inherited
    let of_oslo = team.confirms(&format!("{reseal} -o oslo.age --clusters provider,oslo"));
    of_oslo
        .says(r#""p-rome=provider""#)
        .silent_on("p-milan")
        .done();
    fs::rename(
        team.folder().join("new.age"),
        team.folder().join("peering.seed.age"),
    )
    .expect("renamed");
    asking(team.own("p-rome", PATH), "consumer").stream();
    asking(team.own("p-milan", PATH), "provider").stream();
    asking(team.own("p-milan", PATH), "consumer").fails(3, "denied");
}

/// What is sealed keeps its meaning: either cluster may be the consumer, and the output says so. A policy that names peerings
/// stops the swap, and so does one that requires such terms.
#[test]
fn older_terms_allow_both_and_a_policy_can_refuse_that() {
    let team = old_team();
    let before = private_key(&asking(team.own("p-milan", PATH), "provider"));
    let policy = |allow: &str| team.policy(allow);
    let bound = "[{projects: [p-rome=rome, p-milan=milan], repos: ['*'], paths: ['*'], peerings: [{consumer: rome, provider: milan}]}]";
    let with = |run: Run, policy: &Path| run.arg("--policy-file").arg(policy);
    asking(with(team.own("p-milan", PATH), &policy(bound)), "provider").stream();
    team.write("peering.yaml", swapped(Needs::Seed));
    let outcome = asking(team.own("p-rome", PATH), "consumer");
    assert_eq!(
        private_key(&outcome),
        before,
        "the consumer's project gets the other cluster's key"
    );
    asking(with(team.own("p-rome", PATH), &policy(bound)), "consumer").fails(3, "denied");
    let requires = "[{projects: ['*'], repos: ['*'], paths: ['*']}]\nrequirePeerings: true";
    asking(
        with(team.own("p-rome", PATH), &policy(requires)),
        "consumer",
    )
    .fails(3, "denied");
    team.inspected("peering.seed.age")
        .has("clusters: \"milan/rome\" (either may be the consumer)\n");
}

/// The document beside the file says which cluster is the consumer, and a person confirms it.
#[test]
fn a_file_that_is_sealed_again_names_its_peering() {
    let team = old_team();
    let key = private_key(&asking(team.own("p-milan", PATH), "provider"));
    let reseal = "reseal peering.seed.age --identity-file ID --recipient TO";
    let shown = team.confirms(reseal);
    shown.done();
    for line in [
        "clusters \"rome\" (consumer) \"milan\" (provider)",
        "projects \"p-rome=rome\" \"p-milan=milan\"",
        "namespaces \"liqo-tenant-milan=rome\" \"liqo-tenant-rome=milan\"",
    ] {
        shown.says(line);
    }
    assert_eq!(
        private_key(&asking(team.own("p-milan", PATH), "provider")),
        key
    );
    team.write("peering.yaml", swapped(Needs::Seed));
    asking(team.own("p-rome", PATH), "consumer").fails(3, "denied");
    // without a document it stays as it was, and that is shown
    let team = old_team();
    fs::remove_file(team.folder().join("peering.yaml")).expect("the document");
    team.confirms(reseal)
        .says("(either may be the consumer)")
        .done();
}

/// One seed for two peerings: each folder, project and peering belong together.
#[test]
fn a_seed_of_two_peerings_gives_neither_the_others_keys() {
    let clusters = "--recipient TO --clusters rome,milan --clusters turin,milan";
    let projects = format!(
        "--project p-rome=rome --project p-turin=turin --project p-milan=milan --repo {REPO}"
    );
    let paths = "--path rome,milan=peerings/rome-milan --path turin,milan=peerings/turin-milan";
    let team = Team::new(Needs::Kubeconfig, &TERMS);
    team.types(&format!(
        "seed new peering.seed.age {clusters} {projects} {paths}"
    ))
    .done();
    team.write("peering.yaml", document(Needs::Seed));
    asking(team.own("p-rome", PATH), "consumer").stream();
    asking(team.own("p-turin", PATH), "consumer").fails(3, "denied");
    // the document of the other peering in this folder
    team.write(
        "peering.yaml",
        document(Needs::Seed).replace("clusterID: rome", "clusterID: turin"),
    );
    for project in ["p-rome", "p-turin", "p-milan"] {
        asking(team.own(project, PATH), "consumer").fails(3, "denied");
    }
    asking(team.own("p-turin", "peerings/turin-milan"), "consumer").stream();
    // and so it is when one is taken out of the file
    let turin = "reseal peering.seed.age -o turin.age --identity-file ID --recipient TO --clusters turin,milan";
    team.confirms(turin)
        .says(r#"paths "peerings/turin-milan""#)
        .done();
    // which folder is whose must be written
    for (flags, flag, words) in [
        (
            format!("{projects} --path {PATH}"),
            "--path",
            "such as `rome,milan=peerings/rome-milan`",
        ),
        (
            format!("{projects} --path rome,naples=x"),
            "--path",
            "names no cluster or peering of rome,milan turin,milan",
        ),
        (
            "--project p=naples".to_owned(),
            "--project",
            "names no cluster or peering",
        ),
    ] {
        let wrong = team.types(&format!("seed new x.age {clusters} {flags}"));
        wrong.fails(2, "flag").says(flag).says(words);
    }
}

/// The namespace in which a Secret is created: one that a pusher chooses could be another team's.
#[test]
fn a_secret_is_created_in_the_namespaces_of_the_terms() {
    let terms = [
        &TERMS[..],
        &[
            "--secret-namespace",
            "liqo-tenant-milan=rome",
            "--secret-namespace",
            "liqo-tenant-rome=milan",
        ],
    ]
    .concat();
    let team = Team::new(Needs::Both, &terms);
    asking(team.own("p-rome", PATH), "consumer").stream();
    asking(team.own("p-milan", PATH), "provider").stream();
    for namespace in ["team-evil", "another-team"] {
        let own = format!("clusterID: rome\n    tenantNamespace: {namespace}");
        team.write(
            "peering.yaml",
            document(Needs::Both).replace("clusterID: rome", &own),
        );
        asking(team.own("p-rome", PATH), "consumer")
            .fails(3, "denied")
            .silent_on("liqo-tenant-milan");
        let refused = team.types(LOCAL);
        refused
            .fails(3, "delivery-denied")
            .says(&format!("do not allow the namespace `{namespace}`"));
        refused
            .says("set `tenantNamespace` of `spec.consumer`")
            .says("--secret-namespace");
        let refused = team.types("validate . --identity-file ID");
        refused
            .fails(1, "delivery-denied")
            .says(&format!("do not allow the namespace `{namespace}`"));
        // the public keys are not about a namespace
        team.types("keys --identity-file ID").done();
    }
}

/// A letter of another script that looks like one of ours is not shown as one.
#[test]
fn a_confusable_letter_is_shown_as_what_it_is() {
    let team = Team::new(Needs::Seed, &TERMS);
    let terms = format!("--project n\u{435}t --repo {REPO} --path {PATH}");
    let outcome = team.types(&format!(
        "seed new x.age --clusters rome,milan --recipient TO {terms}"
    ));
    outcome.says("\"n\\u{435}t\"").done();
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        sealed(&seed_payload(
            &json!({ "clusters": [["consumer", "provider"]] }),
        )),
    );
    let denied = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", "n\u{435}t")
        .run();
    denied.fails(3, "denied").says("project=\"n\\u{435}t\"");
}

/// A payload as the releases before sealed it, letter by letter, and what it opens.
#[test]
fn older_files_open_as_they_did() {
    let seed = crate::harness::seal::SEED;
    let allowed = r#""repos":["https://git.example.org/net/peerings"],"paths":["peerings/consumer-provider"]"#;
    let clusters = r#""clusters":[["consumer","provider"]]"#;
    let kubeconfig = serde_json::to_string(crate::harness::peering::KUBECONFIG).expect("JSON");
    // what the terms have beside the clusters; then whether the consumer's project, the provider's, and a person's run get it
    for (terms, opens) in [
        (String::new(), [false, false, true]),
        (
            r#","projects":[],"repos":[],"paths":[]"#.to_owned(),
            [false, false, true],
        ),
        (
            format!(r#","projects":["peering-consumer","peering-provider"],{allowed}"#),
            [true, true, true],
        ),
        (
            format!(r#","projects":["peering-consumer"],{allowed}"#),
            [true, false, true],
        ),
        (
            format!(r#","projects":["*=consumer"],{allowed}"#),
            [true, false, true],
        ),
        (
            format!(
                r#","projects":["peering-consumer=provider","peering-provider=provider"],{allowed}"#
            ),
            [false, true, true],
        ),
        (
            format!(r#","projects":["*"],{allowed},"revisions":["main"]"#),
            [true, true, true],
        ),
        (
            format!(r#","projects":["*"],{allowed},"revisions":["v1"]"#),
            [false, false, true],
        ),
        (
            format!(r#","projects":["*"],{allowed},"delivery":["Secret"]"#),
            [true, true, true],
        ),
        (
            format!(r#","projects":["*"],{allowed},"delivery":["SealedSecret","External"]"#),
            [false, false, false],
        ),
    ] {
        let bind = format!("{{{clusters}{terms}}}");
        let checkout = Checkout::new();
        let payload = |text: String| -> Value { serde_json::from_str(&text).expect("JSON") };
        checkout.write(
            "peering.seed.age",
            sealed(&payload(format!(
                r#"{{"v":1,"type":"seed","seed":"{seed}","bind":{bind}}}"#
            ))),
        );
        let credential =
            format!(r#"{{"v":1,"type":"kubeconfig","kubeconfig":{kubeconfig},"bind":{bind}}}"#);
        checkout.write("kubeconfig.age", sealed(&payload(credential)));
        let runs = [
            checkout.plugin("consumer"),
            checkout.plugin("provider"),
            checkout.local("consumer"),
        ];
        assert_eq!(runs.map(|run| run.run().code == Some(0)), opens, "{bind}");
    }
    // the file of the quickstart is such a file
    Checkout::new().plugin("consumer").run().stream();
}

/// A label of a Namespace that gives another Argo CD all rights there, on its Secrets too.
#[test]
fn an_argo_cd_gets_rights_in_a_namespace_by_the_operator_only() {
    let labelled = |text: &str| {
        let metadata =
            "metadata: { tenantNamespace: { labels: { argocd.argoproj.io/managed-by: gitops } } }";
        text.replace(
            "clusterID: rome",
            &format!("clusterID: rome\n    {metadata}"),
        )
    };
    let terms = [&TERMS[..], &["--managed-by", "gitops=rome"]].concat();
    let (before, after) = (
        Team::new(Needs::Both, &TERMS),
        Team::new(Needs::Both, &terms),
    );
    for team in [&before, &after] {
        team.write("peering.yaml", labelled(&document(Needs::Both)));
        // the label is on one side only
        asking(team.own("p-milan", PATH), "provider").stream();
        // without a policy the terms of a file prove nothing: anyone can seal one
        asking(team.own("p-rome", PATH), "consumer").fails(3, "denied");
    }
    let policy = |managers: &str| {
        after.policy(&format!(
            "[{{projects: ['*'], repos: ['*'], paths: ['*'], managedBy: [{managers}]}}]"
        ))
    };
    let by_policy = |team: &Team, policy: &std::path::Path| {
        asking(
            team.own("p-rome", PATH).arg("--policy-file").arg(policy),
            "consumer",
        )
    };
    by_policy(&before, &policy("gitops")).fails(3, "denied");
    let stream = by_policy(&after, &policy("gitops")).stdout;
    stream.has(r#""argocd.argoproj.io/managed-by": "gitops""#);
    for other in ["", "elsewhere"] {
        by_policy(&after, &policy(other)).fails(3, "denied");
    }
    after.types(LOCAL).done();
    let refused = before.types(LOCAL);
    refused
        .fails(3, "delivery-denied")
        .says("do not allow the argocd.argoproj.io/managed-by `gitops`");
    refused
        .says("remove the label from the consumer's Namespaces")
        .says("--managed-by");
}
