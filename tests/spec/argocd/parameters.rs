//! The role, as an Application's author says it or fails to.

use std::collections::BTreeSet;

use crate::harness::argocd::{words, yaml};
use crate::harness::{Checkout, Outcome, ROLES, committed, edited, files_below, read, root, rows};

/// A consumer's run with these parameters.
fn with(json: &str) -> Outcome {
    Checkout::new()
        .plugin("consumer")
        .env("ARGOCD_APP_PARAMETERS", json)
        .run()
}

const MALFORMED: &str = "ARGOCD_APP_PARAMETERS is not the JSON";

#[test]
fn what_is_no_role_is_named() {
    let rows = rows(include_str!("parameters.txt"));
    for (json, words) in rows
        .into_iter()
        .chain([("[".repeat(100_000).as_str(), MALFORMED)])
    {
        let outcome = with(json);
        assert!(outcome.stderr.contains(words), "{json:.80}: {outcome}");
        outcome.fails(2, "parameter");
    }
    let run = Checkout::new()
        .plugin("consumer")
        .without("ARGOCD_APP_PARAMETERS");
    run.run()
        .fails(2, "parameter")
        .says("`role` is missing")
        .says("consumer")
        .says("provider");
}

/// What Argo CD calls the destination, which it does not report. An ApplicationSet takes it from the folder's name.
#[test]
fn a_stream_for_another_cluster_is_refused() {
    let asks = |checkout: &Checkout, role: &str, cluster: &str| {
        let json = serde_json::json!([{ "name": "cluster", "string": cluster }, { "name": "role", "string": role }]);
        checkout
            .plugin(role)
            .env("ARGOCD_APP_PARAMETERS", json.to_string())
            .run()
    };
    let checkout = Checkout::new();
    for role in ROLES {
        // the quickstart's clusters are called like the roles, in Argo CD as well
        assert_eq!(
            asks(&checkout, role, role).stream(),
            checkout.plugin(role).run().stream()
        );
        asks(&checkout, role, "").stream();
    }
    let outcome = asks(&checkout, "provider", "consumer");
    outcome
        .fails(2, "parameter")
        .says("`cluster` is `consumer`");
    outcome.says("provider of the document is `provider`");
    asks(&checkout, "consumer", "Consumer")
        .fails(2, "parameter")
        .says("`Consumer`");
    let named = "clusterID: consumer\n    argocdCluster: in-cluster\n";
    checkout.write("peering.yaml", edited("clusterID: consumer\n", named));
    asks(&checkout, "consumer", "in-cluster").stream();
    asks(&checkout, "consumer", "consumer")
        .fails(2, "parameter")
        .says("is `in-cluster`");
}

/// A parameter that does nothing is a slip, and one that would loosen something must not exist.
#[test]
fn unknown_parameters_are_refused() {
    for name in [
        "rolle",
        "Role",
        "role ",
        "identity-file",
        "identity_file",
        "local",
        "public",
        "policy-file",
    ] {
        let json = serde_json::json!([
            { "name": "role", "string": "consumer" },
            { "name": name, "string": "true" },
        ]);
        let outcome = with(&json.to_string());
        outcome
            .fails(2, "parameter")
            .says(&format!("no plugin parameter `{name}`"));
        outcome.says("are `role` and `cluster`");
    }
}

/// A later Argo CD may say more of a parameter.
#[test]
fn unknown_fields_of_a_parameter_are_passed_over() {
    with(r#"[{"name":"role","string":"consumer","secret":false,"array":null}]"#).stream();
}

#[test]
fn a_parameter_bomb_is_refused_fast() {
    let many = format!(
        "[{}]",
        vec![r#"{"name":"x","string":"y"}"#; 4_000].join(",")
    );
    let outcome = with(&many);
    outcome
        .fails(2, "parameter")
        .says("no plugin parameter `x`");
    assert!(outcome.took.as_secs() < 5, "{:?}", outcome.took);
}

#[test]
fn the_plugins_variable_comes_last() {
    let checkout = Checkout::new();
    for role in ROLES {
        let wanted = checkout.plugin(role).run();
        let parameters = ["null", "[]", "", r#"[{"name":"role","string":""}]"#];
        let said = parameters.map(|json| checkout.plugin(role).env("ARGOCD_APP_PARAMETERS", json));
        let unsaid = checkout.plugin(role).without("ARGOCD_APP_PARAMETERS");
        for run in said.into_iter().chain([unsaid]) {
            let outcome = run.env("ARGOCD_ENV_ROLE", role).without("PARAM_ROLE").run();
            assert_eq!(outcome.stream(), wanted.stream(), "{outcome}");
        }
    }
    let contradicted = checkout
        .plugin("consumer")
        .env("ARGOCD_ENV_ROLE", "provider")
        .run();
    assert_eq!(
        contradicted.stream(),
        checkout.plugin("consumer").run().stream()
    );
}

#[test]
fn a_wrong_word_in_the_variable_is_an_error_too() {
    let run = || {
        Checkout::new()
            .plugin("consumer")
            .env("ARGOCD_APP_PARAMETERS", "null")
    };
    run()
        .env("ARGOCD_ENV_ROLE", "both")
        .run()
        .fails(2, "parameter")
        .says("variable `ROLE`")
        .says("`both`");
    run()
        .env("ARGOCD_ENV_ROLE", "")
        .run()
        .fails(2, "parameter")
        .says("`role` is missing");
}

/// `PARAM_…` is the lossy form: two parameters can be one variable.
#[test]
fn the_shells_form_of_a_parameter_is_not_read() {
    let checkout = Checkout::new();
    let contradicted = checkout
        .plugin("consumer")
        .env("PARAM_ROLE", "provider")
        .run();
    assert_eq!(
        contradicted.stream(),
        checkout.plugin("consumer").run().stream()
    );
    let alone = checkout
        .plugin("consumer")
        .env("ARGOCD_APP_PARAMETERS", "null")
        .run();
    alone.fails(2, "parameter").says("`role` is missing");
}

#[test]
fn the_flag_wins() {
    let checkout = Checkout::new();
    let said = checkout.plugin("provider").arg("--role").arg("provider");
    let flipped = said
        .env(
            "ARGOCD_APP_PARAMETERS",
            r#"[{"name":"role","string":"consumer"}]"#,
        )
        .run();
    assert_eq!(flipped.stream(), checkout.plugin("provider").run().stream());
}

/// One letter in an Application turns the sides around; the terms give each project one side.
#[test]
fn a_flipped_role_is_stopped_by_the_terms() {
    let checkout = Checkout::new();
    let run = checkout.plugin("provider").env(
        "ARGOCD_APP_PARAMETERS",
        r#"[{"name":"role","string":"consumer"}]"#,
    );
    run.run()
        .fails(3, "denied")
        .says("peering.seed.age")
        .says("project=\"peering-provider\"");
}

/// The first cells of the tables below a heading of argocd-app/README.md.
fn documented(heading: &str) -> BTreeSet<String> {
    let page = committed("argocd-app/README.md");
    let (_, section) = page
        .split_once(&format!("\n## {heading}\n"))
        .expect("a heading");
    let section = section.split("\n## ").next().expect("its end");
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.map(|(name, _)| name.to_owned()).collect()
}

fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(ToOwned::to_owned).into()
}

/// The page has what the program takes and reads, and nothing else.
#[test]
fn the_page_has_every_parameter_argument_and_variable() {
    let outcome = with(r#"[{"name":"namespace","string":"x"}]"#);
    outcome
        .fails(2, "parameter")
        .says("the plugin parameters are `role` and `cluster`");
    assert_eq!(documented("In the Application"), names(["role", "cluster"]));

    let plugin = yaml("plugin.yaml");
    let set = words(&plugin, "/spec/generate/args")
        .into_iter()
        .filter(|it| it.starts_with("--"));
    let set: BTreeSet<String> = set.chain(["--policy-file".to_owned()]).collect();
    assert_eq!(
        documented("In plugin.yaml"),
        set,
        "the policy is in a comment there"
    );

    let code: String = files_below(&root().join("src"), ".rs")
        .iter()
        .map(|file| read(file))
        .collect();
    let is_name = |it: &&str| it.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let quoted = code.split('"').filter(is_name);
    let read: BTreeSet<String> = quoted
        .filter(|it| {
            *it == "KUBE_VERSION" || it.starts_with("ARGOCD_APP_") && it.len() > "ARGOCD_APP_".len()
        })
        .map(ToOwned::to_owned)
        .collect();
    assert_eq!(documented("What Argo CD sets"), read);
}
