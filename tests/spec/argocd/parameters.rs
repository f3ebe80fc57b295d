//! Parameters that are not what Argo CD writes, and the page that has all of them; roles are in `parameters.cases`.

use std::collections::BTreeSet;

use crate::harness::argocd::{words, yaml};
use crate::harness::{Checkout, Outcome, committed, files_below, read, root, rows};

/// A consumer's run with these parameters.
fn with(json: &str) -> Outcome {
    Checkout::new()
        .plugin("consumer")
        .env("ARGOCD_APP_PARAMETERS", json)
        .run()
}

const MALFORMED: &str = "ARGOCD_APP_PARAMETERS is not Argo CD's JSON";

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
        .says("use `role` or `cluster`");
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
