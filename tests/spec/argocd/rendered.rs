//! Applications of folders that `render` wrote, which have no plugin: what is judged of them, in files and alive.

use crate::command::doctor::change::set_all;
use crate::command::doctor::clusters::Clusters;
use crate::command::render::Place;
use crate::command::validate::application;
use crate::harness::{Run, lines, parts, put, words};
use serde_json::{Value, json};
use std::fs;

/// The parts of `rendered.txt`: how each begins, the rest of that line, and the changes.
fn rows() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let row = |part: Vec<&'static str>| {
        let (first, words) = part[0].split_once(' ').unwrap_or((part[0], ""));
        let is_row = if words.is_empty() {
            ["found", "lost"]
        } else {
            ["validate", "doctor"]
        }
        .contains(&first);
        assert!(
            is_row || (first == "both" && !words.is_empty()),
            "no row: {part:?}"
        );
        (first, words, part[1..].to_vec())
    };
    parts(include_str!("rendered.txt"))
        .into_iter()
        .map(row)
        .collect()
}

/// With these changes of an Application of a peering.
fn change(it: &mut Value, changes: &[&str], name: &str) {
    let changes: Vec<String> = changes
        .iter()
        .map(|line| line.replace("NAME", name))
        .collect();
    set_all(it, &changes.iter().map(String::as_str).collect::<Vec<_>>());
}

/// As argocd-app has it, with the folder of manifests for its source.
fn plain(mut it: Value, role: &str, name: &str) -> Value {
    let source = &mut it["spec"]["source"];
    source.as_object_mut().expect("an object").remove("plugin");
    source["path"] = json!(format!("rendered/{name}/{role}"));
    it
}

/// What each command writes of an Application that is changed.
fn ask(changes: &[&str], command: &str) -> String {
    let shown = if command == "doctor" {
        doctor(changes)
    } else {
        validate(changes)
    };
    shown.replace('`', "'")
}

fn validate(changes: &[&str]) -> String {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    for role in ["consumer", "provider"] {
        let cluster = if role == "consumer" {
            "brescia"
        } else {
            "bergamo"
        };
        let text = application(role, cluster, "x");
        let mut it = plain(
            crate::harness::objects::documents(&text).remove(0),
            role,
            "sealed-secret",
        );
        if role == "consumer" {
            change(&mut it, changes, "sealed-secret");
        }
        put(place.path(&format!("{role}.json")), it.to_string());
    }
    let outcome = Run::new(["validate", "."]).within(place.path("")).run();
    outcome.stdout + &outcome.stderr
}

fn doctor(changes: &[&str]) -> String {
    let (mut clusters, temp) = (Clusters::healthy(), tempfile::tempdir().expect("a folder"));
    fs::create_dir(temp.path().join(".git")).expect("a folder");
    for role in ["consumer", "provider"] {
        let folder = temp.path().join("rendered/consumer-provider").join(role);
        let head = format!(
            "# argocd-peering render: consumer-provider {role}, from sha256:a, text sha256:b\n"
        );
        put(folder.join("manifests.yaml"), head);
        let it = clusters.object("argocd", "Application", &format!("provider-{role}"));
        *it = plain(it.clone(), role, "consumer-provider");
        if role == "consumer" {
            change(it, changes, "consumer-provider");
        }
    }
    let outcome = clusters.run_in(&temp, "peerings/consumer-provider");
    outcome.stdout + &outcome.stderr
}

#[test]
fn each_rule_of_a_rendered_application_is_heard() {
    for (who, words, changes) in rows().iter().filter(|(_, words, _)| !words.is_empty()) {
        for command in ["validate", "doctor"]
            .iter()
            .filter(|command| ["both", **command].contains(who))
        {
            let shown = ask(changes, command);
            assert!(
                shown.contains(&words.replace('`', "'")),
                "{command} does not write `{words}`: {shown}"
            );
        }
    }
}

/// Nothing is said of the plugin and of its parameters.
#[test]
fn a_sound_one_is_found_and_silent() {
    for (found, _, changes) in rows().iter().filter(|(_, words, _)| words.is_empty()) {
        let is_found = *found == "found";
        let (checked, live) = (ask(changes, "validate"), ask(changes, "doctor"));
        let is_missing = checked.contains("no Application with the role 'consumer'");
        assert_eq!(is_missing, !is_found, "{changes:?}: {checked}");
        assert_eq!(
            live.contains("no Application"),
            !is_found,
            "{changes:?}: {live}"
        );
        if is_found {
            for code in ["[application", "[sync-options"] {
                assert!(
                    !checked.contains(code) && !live.contains(code),
                    "{changes:?}: {checked}{live}"
                );
            }
        }
    }
}

/// What a set makes of rendered folders is judged, or said; of other folders it is nobody's concern.
#[test]
fn a_set_of_rendered_folders_is_judged_or_said() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    let destination = "is `a`, and the consumer of the document is `brescia`";
    let said = "not ./set.yaml: what it makes of folders that `render` wrote is not judged";
    for (generators, path, words) in [
        (
            "git: { directories: [{ path: 'rendered/*/*' }] }",
            "{{ .path.path }}",
            destination,
        ),
        (
            "git: { directories: [{ path: 'rendered/*/*' }] }",
            "./{{ .path.path }}/",
            destination,
        ),
        (
            "list: { elements: [{ role: consumer }] }",
            "rendered/sealed-secret/{{ .role }}",
            destination,
        ),
        (
            "git: { directories: [{ path: 'apps/*' }] }",
            "{{ .path.path }}",
            "",
        ),
        (
            "git: { directories: [{ path: 'rendered/other/*' }] }",
            "{{ .path.path }}",
            "",
        ),
        (
            "git: { files: [{ path: 'rendered/*/*/manifests.yaml' }] }",
            "{{ .path.path }}",
            said,
        ),
        ("clusters: {}", "rendered/{{ .name }}/consumer", said),
        ("clusters: {}", "rendered/sealed-secret/consumer", said),
        ("clusters: {}", "apps/{{ .name }}", ""),
        ("clusters: {}", "apps", ""),
    ] {
        let set = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{ name: a }}\nspec:\n  goTemplate: true\n  generators: [{{ {generators} }}]\n  template:\n    metadata: {{ name: a }}\n    spec:\n      project: a\n      source: {{ repoURL: 'https://git.example.org/a', path: '{path}' }}\n      destination: {{ name: a }}\n"
        );
        fs::write(place.path("set.yaml"), set).expect("written");
        let outcome = Run::new(["validate", "."]).within(place.path("")).run();
        outcome.says(words);
        assert_eq!(
            outcome.stderr.contains("set.yaml"),
            !words.is_empty(),
            "{path}: {outcome}"
        );
    }
}

/// A file is the stream of one side: for one cluster, and once.
#[test]
fn a_parent_that_takes_rendered_files_is_judged() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    for row in lines(include_str!("taken.txt")).map(words) {
        let [path, directory, others, words] = &row[..] else {
            panic!("{row:?}")
        };
        for (role, cluster) in [("consumer", "brescia"), ("provider", "bergamo")] {
            let text = application(role, cluster, "x");
            let it = plain(
                crate::harness::objects::documents(&text).remove(0),
                role,
                "sealed-secret",
            );
            put(
                place.path(&format!("{role}.json")),
                if others == "beside" {
                    it.to_string()
                } else {
                    String::new()
                },
            );
        }
        let url = application("consumer", "brescia", "x");
        let url = url
            .lines()
            .find_map(|it| it.trim().strip_prefix("repoURL: "))
            .expect("a URL")
            .to_owned();
        let wide = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: wide, namespace: argocd }}\nspec:\n  project: a\n  source: {{ repoURL: '{url}', path: '{}', directory: {directory} }}\n  destination: {{ name: brescia }}\n",
            path.replace("NAME", "sealed-secret")
        );
        put(place.path("wide.yaml"), wide);
        let outcome = Run::new(["validate", "."]).within(place.path("")).run();
        outcome.says(&words.replace("NAME", "sealed-secret"));
        let is_said =
            outcome.stderr.contains("it takes `") || outcome.stderr.contains("leave out `");
        assert_eq!(
            is_said || outcome.stderr.contains("leaves out `"),
            !words.is_empty(),
            "{path}: {outcome}"
        );
    }
}

/// A checkout that has other files there, or none, is no reason to take an Application for one of this peering.
#[test]
fn only_what_render_wrote_is_found_alive() {
    let shown = |head: &str| {
        let (mut clusters, temp) = (Clusters::healthy(), tempfile::tempdir().expect("a folder"));
        fs::create_dir(temp.path().join(".git")).expect("a folder");
        let folder = temp.path().join("rendered/consumer-provider/consumer");
        fs::create_dir_all(&folder).expect("a folder");
        if !head.is_empty() {
            put(folder.join("manifests.yaml"), head);
        }
        let it = clusters.object("argocd", "Application", "provider-consumer");
        *it = plain(it.clone(), "consumer", "consumer-provider");
        clusters.run_in(&temp, "peerings/consumer-provider").stdout
    };
    let words = "no Application has this folder and the role `consumer`";
    let head =
        "# argocd-peering render: consumer-provider consumer, from sha256:a, text sha256:b\n";
    assert!(!shown(head).contains(words));
    for head in [
        "",
        "kind: ConfigMap\n",
        &head.replace("consumer,", "provider,"),
        &head.replace("-provider", ""),
    ] {
        assert!(shown(head).contains(words), "{head}");
    }
}
