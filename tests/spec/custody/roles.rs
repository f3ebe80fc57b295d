//! Terms name peerings: which cluster is the consumer counts, because it decides whose private key a role gets. Someone with
//! push access writes the document, and so chooses which cluster it calls the consumer.

use super::team::{Needs, PATH, Team, document};
use crate::harness::{Checkout, Outcome, REPO, Run, Text, sealed, seed_payload};
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

/// A file whose terms have a form from before 0.1.0: no order of the clusters, or projects without a side.
#[test]
fn terms_of_an_earlier_form_are_refused_with_what_to_do() {
    for bind in [
        json!({ "clusters": [["consumer", "provider"]], "projects": ["*"], "repos": ["*"], "paths": ["*"] }),
        json!({ "allow": [{
            "peerings": [{ "consumer": "consumer", "provider": "provider" }],
            "projects": ["peering-consumer"], "repos": ["*"], "paths": ["*"],
        }] }),
    ] {
        let checkout = Checkout::new();
        let mut payload = seed_payload(&json!({}));
        payload["bind"] = bind;
        checkout.write("peering.seed.age", sealed(&payload));
        for run in [checkout.plugin("consumer"), checkout.local("provider")] {
            let refused = run.run();
            refused
                .fails(3, "sealed-payload")
                .says("its terms do not have the form that this version reads");
            refused.says("`seed import`").says("age --decrypt");
        }
    }
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
    outcome.says("\"n\\u{435}t=rome\"").done();
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        sealed(&seed_payload(
            &json!({ "peerings": [{ "consumer": "consumer", "provider": "provider" }] }),
        )),
    );
    let denied = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", "n\u{435}t")
        .run();
    denied.fails(3, "denied").says("project=\"n\\u{435}t\"");
}

/// A payload letter by letter, and what it opens.
#[test]
fn a_sealed_file_keeps_its_meaning() {
    let seed = crate::harness::seal::SEED;
    let allowed = r#""repos":["https://git.example.org/net/peerings"],"paths":["peerings/consumer-provider"]"#;
    let any = r#""projects":["*=consumer","*=provider"]"#;
    let peering = r#""peerings":[{"consumer":"consumer","provider":"provider"}]"#;
    let kubeconfig = serde_json::to_string(crate::harness::peering::KUBECONFIG).expect("JSON");
    // what the terms have beside the peering; then whether the consumer's project, the provider's, and a person's run get it
    for (terms, opens) in [
        (String::new(), [false, false, true]),
        (
            r#","projects":[],"repos":[],"paths":[]"#.to_owned(),
            [false, false, true],
        ),
        (
            format!(
                r#","projects":["peering-consumer=consumer","peering-provider=provider"],{allowed}"#
            ),
            [true, true, true],
        ),
        (
            format!(r#","projects":["peering-consumer=consumer"],{allowed}"#),
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
            format!(r#",{any},{allowed},"revisions":["main"]"#),
            [true, true, true],
        ),
        (
            format!(r#",{any},{allowed},"revisions":["v1"]"#),
            [false, false, true],
        ),
        (
            format!(r#",{any},{allowed},"delivery":["Secret"]"#),
            [true, true, true],
        ),
        (
            format!(r#",{any},{allowed},"delivery":["SealedSecret","External"]"#),
            [false, false, false],
        ),
    ] {
        let bind = format!(r#"{{"allow":[{{{peering}{terms}}}]}}"#);
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
}

/// A label by which a controller gives rights: the operator's policy allows it, or the terms where there is no policy.
#[test]
fn a_label_of_another_controller_is_listed() {
    for (key, domain) in [
        (
            "argocd.argoproj.io/managed-by",
            "argocd.argoproj.io/managed-by",
        ),
        ("field.cattle.io/projectId", "field.cattle.io"),
        ("istio-injection", "istio-injection"),
    ] {
        let labelled = |text: &str| {
            let metadata =
                format!("metadata: {{ tenantNamespace: {{ labels: {{ {key}: gitops }} }} }}");
            let edited = format!("clusterID: rome\n    {metadata}");
            text.replace("clusterID: rome", &edited)
        };
        let side = format!("{domain}=rome");
        let terms = [&TERMS[..], &["--label-domain", &side]].concat();
        let [without, with] = [&TERMS[..], &terms].map(|terms| Team::new(Needs::Both, terms));
        for team in [&without, &with] {
            team.write("peering.yaml", labelled(&document(Needs::Both)));
            // the label is on one side only
            asking(team.own("p-milan", PATH), "provider").stream();
        }
        let stream = asking(with.own("p-rome", PATH), "consumer").stdout;
        stream.has(&format!(r#""{key}": "gitops""#));
        with.types(LOCAL).done();
        with.types("validate . --identity-file ID").done();
        let refused = [
            asking(without.own("p-rome", PATH), "consumer"),
            without.types(LOCAL),
        ];
        for refused in refused {
            refused
                .fails(3, "denied")
                .says(&format!("label or annotation `{key}`"));
            refused.says(&format!("--label-domain {domain}"));
        }
        for flags in ["", " --identity-file ID"] {
            let refused = without.types(&format!("validate .{flags}"));
            refused.fails(1, "denied").says(key);
        }
        let policy = |listed: &str| {
            with.policy(&format!(
                "[{{projects: ['*'], repos: ['*'], paths: ['*']{listed}}}]"
            ))
        };
        let by_policy = |team: &Team, policy: &Path| {
            let run = team.own("p-rome", PATH);
            asking(run.arg("--policy-file").arg(policy), "consumer")
        };
        // where there is a policy, it decides
        by_policy(&without, &policy(&format!(", labelDomains: ['{domain}']"))).stream();
        for other in ["", ", labelDomains: [elsewhere.test]", ", labelDomains: []"] {
            let refused = by_policy(&with, &policy(other));
            refused
                .fails(3, "denied")
                .says(&format!("`labelDomains: [{domain}]`"));
        }
    }
}

/// A drained peering opens no file, and the terms of the file that it names still count.
#[test]
fn a_label_of_a_drained_peering_is_that_of_its_terms() {
    let terms = [&TERMS[..], &["--label-domain", "cattle.io"]].concat();
    for (terms, code) in [(&terms[..], 0), (&TERMS[..], 3)] {
        let team = Team::new(Needs::Kubeconfig, terms);
        let metadata = "clusterID: rome\n    metadata: { tenantNamespace: { labels: { field.cattle.io/projectId: a } } }";
        let active = document(Needs::Kubeconfig).replace("clusterID: rome", metadata);
        let drained = active.replace("spec:\n", "spec:\n  state: Drained\n");
        for text in [active, drained] {
            team.write("peering.yaml", text);
            let run = asking(team.own("p-rome", PATH), "consumer");
            run.ends(code);
            // whoever opens a file is named
            run.says(["opened kubeconfig.age", "error[denied]"][usize::from(code > 0)]);
            team.types(LOCAL).ends(code);
        }
    }
}

/// A stream without a sealed file has no terms, so only a policy allows such a label. On a Namespace of workloads `validate` knows no
/// better, and says so.
#[test]
fn a_label_of_a_stream_without_sealed_files_needs_a_policy() {
    let checkout = Checkout::new();
    let document = checkout.read("peering.yaml");
    let metadata = "        create: true\n        namespaceMetadata: { labels: { field.cattle.io/projectId: p } }";
    let labelled = document.replace("        create: true", metadata);
    assert_ne!(labelled, document);
    checkout.write("peering.yaml", &labelled);
    let named = checkout.program(["validate", "."]).run();
    named.done();
    named.says("field.cattle.io/projectId").says("no identity");
    checkout.local("consumer").run().fails(3, "denied");
    let external = document
        .replace("    clusterID: consumer", "    clusterID: consumer\n    delivery: External\n    names: { keySecret: gateway-keys }\n    metadata: { tenantNamespace: { labels: { a.test/x: team } } }");
    checkout.write("peering.yaml", external);
    let refused = checkout.local("consumer").run();
    refused.fails(3, "denied").says("`a.test/x`");
}
