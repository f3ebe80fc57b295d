//! What Argo CD or the plugin refuses of an Application, and what is likely a mistake: given once, and asked in each command.

use crate::command::doctor::change::set_all;
use crate::command::doctor::clusters::Clusters;
use crate::harness::{Outcome, Repository, Run, committed, parts};

const FOLDER: &str = "peerings/consumer-provider";

/// A part of `rules.txt`: a rule, or `sound`; what is written; and the changes of the consumer's Application.
struct Row {
    rule: &'static str,
    words: &'static str,
    changes: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let row = |part: Vec<&'static str>| {
        let (rule, words) = part[0].split_once(' ').unwrap_or((part[0], ""));
        assert!((rule == "sound") == words.is_empty(), "no row: {part:?}");
        Row {
            rule,
            words,
            changes: part[1..].to_vec(),
        }
    };
    parts(include_str!("rules.txt"))
        .into_iter()
        .map(row)
        .collect()
}

/// The rows of one rule.
fn rows_of(rule: &str) -> impl Iterator<Item = Row> {
    rows().into_iter().filter(move |row| row.rule == rule)
}

/// What validate writes of Applications in files; and, if all commands are asked, doctor of the same alive.
fn ask(changes: &[&str]) -> [(&'static str, Outcome); 2] {
    let mut clusters = Clusters::healthy();
    let repository = Repository::empty();
    repository.copy_of_quickstart(FOLDER);
    let write = |clusters: &Clusters| {
        let applications = clusters
            .argocd
            .iter()
            .filter(|it| it["kind"] == "Application");
        for (number, application) in applications.enumerate() {
            let mut application = application.clone();
            application
                .as_object_mut()
                .expect("an object")
                .remove("status");
            repository.write(&format!("apps/{number}.json"), application.to_string());
        }
    };
    set_all(
        clusters.object("argocd", "Application", "provider-consumer"),
        changes,
    );
    write(&clusters);
    let validate = Run::new(["validate", "."]).within(repository.root());
    [("validate", validate.run()), ("doctor", clusters.doctor())]
}

fn shown(outcome: &Outcome) -> String {
    format!("{}{}", outcome.stdout, outcome.stderr)
}

#[test]
fn each_rule_is_heard_in_each_command() {
    for Row { words, changes, .. } in rows().iter().filter(|row| row.rule != "sound") {
        for (command, outcome) in ask(changes) {
            assert!(
                shown(&outcome).contains(words),
                "{command} does not write `{words}`; `doctor` judges only what doctor/snapshots.rs reads: {outcome}"
            );
        }
    }
}

/// A rule without a row would be heard in no command that anyone has tried.
#[test]
fn each_rule_has_a_row() {
    let text = committed("src/judge/applications/application_rules.rs");
    let (_, rules) = text
        .split_once("const RULES")
        .and_then(|(_, rest)| rest.split_once('='))
        .and_then(|(_, rest)| rest.split_once('['))
        .expect("the list");
    let (rules, _) = rules.split_once(']').expect("its end");
    for rule in rules.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        assert!(rows_of(rule).next().is_some(), "`{rule}` has no row");
    }
}

#[test]
fn what_is_sound_is_silent_in_each_command() {
    for Row { changes, .. } in rows_of("sound") {
        for (command, outcome) in ask(&changes) {
            let shown = shown(&outcome);
            for code in ["[application", "[applications", "[sync-options", "apps/"] {
                assert!(!shown.contains(code), "{command}: {changes:?}: {outcome}");
            }
        }
    }
}
