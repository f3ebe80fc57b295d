//! What Argo CD or the plugin refuses of an Application, and what is likely a mistake: given once, and asked in each command.

use crate::command::doctor::change::set_all;
use crate::command::doctor::clusters::Clusters;
use crate::harness::{Outcome, Repository, Run, Sample, committed, parts};

const FOLDER: &str = "peerings/consumer-provider";

/// A part of `rules.txt`: a rule, or `sound` or `unjudged`; what is written; and the changes of the consumer's Application.
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

/// What validate writes of Applications in files; and, if all commands are asked, doctor of the same alive, and diff of their commit.
fn ask(changes: &[&str], all: bool) -> Vec<(&'static str, Outcome)> {
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
        if all {
            repository.commit();
        }
    };
    write(&clusters);
    set_all(
        clusters.object("argocd", "Application", "provider-consumer"),
        changes,
    );
    // a row that changes nothing is a commit, too
    repository.write("README.md", "a change");
    write(&clusters);
    let mut asked = vec![(
        "validate",
        Run::new(["validate", "."]).within(repository.root()).run(),
    )];
    if all {
        asked.push((
            "diff",
            repository
                .diff(&[".", "--from", "HEAD~1", "--to", "HEAD"])
                .run(),
        ));
        asked.push(("doctor", clusters.doctor()));
    }
    asked
}

/// Without the marks of code, of which diff has none inside of others.
fn shown(outcome: &Outcome) -> String {
    format!("{}{}", outcome.stdout, outcome.stderr).replace('`', "'")
}

#[test]
fn each_rule_is_heard_in_each_command() {
    let mut sample = Sample::of_written();
    for Row { words, changes, .. } in rows()
        .iter()
        .filter(|row| !["sound", "unjudged"].contains(&row.rule))
    {
        for (command, outcome) in ask(changes, sample.takes()) {
            assert!(
                shown(&outcome).contains(&words.replace('`', "'")),
                "{command} does not write `{words}`: {outcome}"
            );
        }
    }
}

#[test]
fn what_no_judge_looks_at_is_said() {
    for Row {
        words: path,
        changes,
        ..
    } in rows_of("unjudged")
    {
        // of a live Application it is the sync that runs
        let unasked = if path == "operation" {
            ["diff", "doctor"]
        } else {
            ["diff", ""]
        };
        for (command, outcome) in ask(&changes, true)
            .into_iter()
            .filter(|it| !unasked.contains(&it.0))
        {
            assert!(
                shown(&outcome).contains(&format!("not '{path}' of ")),
                "{command}: {path}: {outcome}"
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
        .and_then(|(_, rest)| rest.split_once("= ["))
        .expect("the list");
    let (rules, _) = rules.split_once("];").expect("its end");
    for rule in rules.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        assert!(rows_of(rule).next().is_some(), "`{rule}` has no row");
    }
}

#[test]
fn what_is_sound_is_silent_in_each_command() {
    let mut sample = Sample::of_written();
    for Row { changes, .. } in rows_of("sound") {
        for (command, outcome) in ask(&changes, sample.takes()) {
            let shown = shown(&outcome);
            for code in ["[application", "[applications", "[sync-options", "apps/"] {
                assert!(!shown.contains(code), "{command}: {changes:?}: {outcome}");
            }
        }
    }
}
