//! What ApplicationSets generate for the folders of a repository: judged as Applications are, or named with the reason.

use crate::harness::{Outcome, Repository, Run, Text, parts};

/// A set whose fields are in angle brackets.
const SET: &str = "apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: s, namespace: argocd }
spec:
  goTemplate: <go>
  goTemplateOptions: [missingkey=error]
  syncPolicy: { preserveResourcesOnDeletion: true, applicationsSync: create-update }
  generators:
    - <generator>
  template:
    metadata:
      name: '<name>'
      annotations: { argocd.argoproj.io/manifest-generate-paths: . }
    spec:
      project: peering
      source:
        repoURL: https://git.example.org/net/peerings.git
        targetRevision: refs/heads/main
        path: '<path>'
        plugin:
          name: argocd-peering
          parameters:
            - { name: role, string: '<role>' }
            - { name: cluster, string: '<cluster>' }
      destination: { name: '<cluster>', namespace: liqo-tenant }
      syncPolicy:
        automated: { prune: true }
        retry: { limit: 5, refresh: true }
        syncOptions: [PrunePropagationPolicy=background]";

/// The fields of `SET`.
type Fields = [(&'static str, &'static str); 6];

/// Both roles, by the folder `peerings/consumer-provider`.
const GO: Fields = [
    (
        "generator",
        "matrix: { generators: [{ list: { elements: [{ role: consumer }, { role: provider }] } }, { git: { directories: [{ path: 'peerings/*' }] } }] }",
    ),
    ("go", "true"),
    ("name", "{{ .path.basename }}-{{ .role }}"),
    ("path", "{{ .path.path }}"),
    ("role", "{{ .role }}"),
    ("cluster", "{{ .role }}"),
];

/// The same without Go's templates.
const OLD: Fields = [
    GO[0],
    ("go", "false"),
    ("name", "{{path.basename}}-{{role}}"),
    ("path", "{{path}}"),
    ("role", "{{role}}"),
    ("cluster", "{{ role }}"),
];

/// A set with these fields, and with those of `GO` or `OLD`; the first one counts.
fn set(fields: &[&'static str], others: Fields) -> String {
    let fields = fields
        .iter()
        .map(|line| line.split_once(' ').unwrap_or((line, "")));
    fields
        .chain(others)
        .fold(SET.to_owned(), |text, (field, value)| {
            text.replace(&format!("<{field}>"), value)
        })
}

fn validate(set: &str) -> Outcome {
    validate_with(set, &[])
}

fn validate_with(set: &str, flags: &[&str]) -> Outcome {
    let repository = Repository::empty();
    repository.copy_of_quickstart("peerings/consumer-provider");
    repository.write("set.yaml", set);
    Run::new(["validate", "."].iter().chain(flags).copied())
        .within(repository.root())
        .run()
}

#[test]
fn each_set_is_judged_or_named() {
    for part in parts(include_str!("sets.txt")) {
        let (verdict, words) = part[0].split_once(' ').unwrap_or((part[0], ""));
        let set = set(&part[2..], if part[1] == "go" { GO } else { OLD });
        let outcome = validate(&set);
        match verdict {
            "right" => outcome
                .silent_on("[application")
                .silent_on("not ./set.yaml")
                .done(),
            "unfound" => outcome.says(words).silent_on("[application").done(),
            "wrong" => &outcome.fails(1, "application").says(words).stdout,
            _ => {
                validate_with(&set, &["--strict"]).fails(1, "not-judged");
                outcome.says(&format!("not ./set.yaml: {words}")).done()
            }
        };
    }
}

/// Argo CD makes Applications of these too, and each fails.
#[test]
fn a_folder_without_a_document_is_noted() {
    let repository = Repository::new("peerings/consumer-provider");
    repository.write("set.yaml", set(&[], GO));
    let run = |flags: &[&str]| {
        repository
            .command(&[&["validate", "."], flags].concat())
            .run()
    };
    repository.write("other/README.md", "");
    repository.write("peerings/.hidden/README.md", "");
    repository.write("peerings/README.md", "");
    run(&[]).silent_on("[application").done();
    repository.write("peerings/docs/README.md", "");
    let words = "note[application-setting]: no peering.yaml is at its `path` `peerings/docs`";
    run(&[])
        .says(words)
        .says("exclude the folder in the set's generator")
        .done();
    repository.commit();
    run(&["--from", "HEAD"]).says(words).done();
    repository.write(
        "set.yaml",
        set(&[], GO).replace(
            "'peerings/*' }",
            "'peerings/*' }, { path: peerings/docs, exclude: true }",
        ),
    );
    run(&[]).silent_on("[application").done();
    // what it finds is above those of documents
    repository.write("set.yaml", set(&[], GO).replace("'peerings/*' }", "'*' }"));
    run(&[])
        .says("no peering.yaml is at its `path` `peerings`")
        .done();
}

/// What becomes of both sides when the set or a folder goes.
#[test]
fn what_a_set_deletes_is_noted() {
    let set = set(&[], GO);
    for (from, to, words) in [
        (
            "preserveResourcesOnDeletion: true",
            "preserveResourcesOnDeletion: false",
            "its Applications get a finalizer",
        ),
        (
            "preserveResourcesOnDeletion: true, ",
            "",
            "its Applications get a finalizer",
        ),
        (
            "applicationsSync: create-update",
            "applicationsSync: sync",
            "no longer generates is deleted",
        ),
        (
            ", applicationsSync: create-update",
            "",
            "no longer generates is deleted",
        ),
        (
            "applicationsSync: create-update",
            "applicationsSync: create-delete",
            "no longer generates is deleted",
        ),
    ] {
        set.has(from);
        validate(&set.replace(from, to))
            .says("note[application-setting]")
            .says(words);
    }
    let only = set.replace(", { role: provider }", "");
    let missing = "no Application with the role `provider` has this folder";
    validate(&only).says(missing);
    // the plugin can be in a generator's template alone
    let plugin = only
        .find("        plugin:\n")
        .zip(only.find("      destination:"))
        .expect("a plugin");
    let plugin = &only[plugin.0..plugin.1];
    let template = "template: { spec: { source: { plugin: { name: argocd-peering, parameters: [{ name: role, string: '{{ .role }}' }] } } } }";
    let moved = only
        .replace(plugin, "")
        .replace("matrix: {", &format!("matrix: {{ {template},"));
    validate(&moved).says(missing);
}
