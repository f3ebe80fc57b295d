//! What ApplicationSets generate for the folders of a repository: judged as Applications are, or named with the reason.

use crate::harness::{Outcome, Repository, Run, Text, parts};

/// A set over this generator, whose Applications have these names, paths, roles and clusters.
struct Set<'t> {
    is_go: bool,
    generator: &'t str,
    name: &'t str,
    path: &'t str,
    role: &'t str,
    cluster: &'t str,
}

/// Both roles, by the folder `peerings/consumer-provider`.
const GO: Set<'static> = Set {
    is_go: true,
    generator: "matrix: { generators: [{ list: { elements: [{ role: consumer }, { role: provider }] } }, { git: { directories: [{ path: 'peerings/*' }] } }] }",
    name: "{{ .path.basename }}-{{ .role }}",
    path: "{{ .path.path }}",
    role: "{{ .role }}",
    cluster: "{{ .role }}",
};

/// The same without Go's templates.
const OLD: Set<'static> = Set {
    is_go: false,
    name: "{{path.basename}}-{{role}}",
    path: "{{path}}",
    role: "{{role}}",
    cluster: "{{ role }}",
    ..GO
};

/// The set of a part of `sets.txt`.
fn written<'t>(lines: &[&'t str]) -> Set<'t> {
    let mut set = if lines[0] == "go" { GO } else { OLD };
    for line in &lines[1..] {
        let (field, value) = line.split_once(' ').unwrap_or((line, ""));
        match field {
            "generator" => set.generator = value,
            "name" => set.name = value,
            "path" => set.path = value,
            "role" => set.role = value,
            "cluster" => set.cluster = value,
            _ => set.is_go = false,
        }
    }
    set
}

impl Set<'_> {
    fn text(&self) -> String {
        let Self { is_go, generator, name, path, role, cluster } = self;
        let quote = |text: &str| text.replace('\'', "''");
        let [name, path, role, cluster] = [name, path, role, cluster].map(|it| quote(it));
        format!(
            "apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{ name: s, namespace: argocd }}
spec:
  goTemplate: {is_go}
  goTemplateOptions: [missingkey=error]
  syncPolicy: {{ preserveResourcesOnDeletion: true, applicationsSync: create-update }}
  generators:
    - {generator}
  template:
    metadata:
      name: '{name}'
      annotations: {{ argocd.argoproj.io/manifest-generate-paths: . }}
    spec:
      project: peering
      source:
        repoURL: https://git.example.org/net/peerings.git
        targetRevision: refs/heads/main
        path: '{path}'
        plugin:
          name: argocd-peering
          parameters:
            - {{ name: role, string: '{role}' }}
            - {{ name: cluster, string: '{cluster}' }}
      destination: {{ name: '{cluster}', namespace: liqo-tenant }}
      syncPolicy:
        automated: {{ prune: true }}
        retry: {{ limit: 5, refresh: true }}
        syncOptions: [PrunePropagationPolicy=background]
"
        )
    }
}

fn validate(set: &str) -> Outcome {
    validate_with(set, &[])
}

fn validate_with(set: &str, flags: &[&str]) -> Outcome {
    let repository = Repository::new("peerings/consumer-provider");
    repository.write("set.yaml", set);
    Run::new(["validate", "."].iter().chain(flags).copied()).within(repository.root()).run()
}

#[test]
fn each_set_is_judged_or_named() {
    for part in parts(include_str!("sets.txt")) {
        let (verdict, words) = part[0].split_once(' ').unwrap_or((part[0], ""));
        let set = written(&part[1..]).text();
        let outcome = validate(&set);
        match verdict {
            "right" => outcome.silent_on("[application").silent_on("not ./set.yaml").done(),
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
    repository.write("set.yaml", GO.text());
    let run = |flags: &[&str]| repository.command(&[&["validate", "."], flags].concat()).run();
    repository.write("other/README.md", "");
    repository.write("peerings/.hidden/README.md", "");
    repository.write("peerings/README.md", "");
    run(&[]).silent_on("[application").done();
    repository.write("peerings/docs/README.md", "");
    let words = "note[application-setting]: no peering.yaml is at its `path` `peerings/docs`";
    run(&[]).says(words).says("exclude the folder in the set's generator").done();
    repository.commit();
    run(&["--from", "HEAD"]).says(words).done();
    repository.write(
        "set.yaml",
        GO.text().replace("'peerings/*' }", "'peerings/*' }, { path: peerings/docs, exclude: true }"),
    );
    run(&[]).silent_on("[application").done();
    // what it finds is above those of documents
    repository.write("set.yaml", GO.text().replace("'peerings/*' }", "'*' }"));
    run(&[]).says("no peering.yaml is at its `path` `peerings`").done();
}

/// What becomes of both sides when the set or a folder goes.
#[test]
fn what_a_set_deletes_is_noted() {
    let set = GO.text();
    for (from, to, words) in [
        (
            "preserveResourcesOnDeletion: true",
            "preserveResourcesOnDeletion: false",
            "its Applications get a finalizer",
        ),
        ("preserveResourcesOnDeletion: true, ", "", "its Applications get a finalizer"),
        ("applicationsSync: create-update", "applicationsSync: sync", "no longer generates is deleted"),
        (", applicationsSync: create-update", "", "no longer generates is deleted"),
        (
            "applicationsSync: create-update",
            "applicationsSync: create-delete",
            "no longer generates is deleted",
        ),
    ] {
        set.has(from);
        validate(&set.replace(from, to)).says("note[application-setting]").says(words);
    }
    let only = set.replace(", { role: provider }", "");
    let missing = "no Application with the role `provider` has this folder";
    validate(&only).says(missing);
    // the plugin can be in a generator's template alone
    let plugin = only.find("        plugin:\n").zip(only.find("      destination:")).expect("a plugin");
    let plugin = &only[plugin.0..plugin.1];
    let template = "template: { spec: { source: { plugin: { name: argocd-peering, parameters: [{ name: role, string: '{{ .role }}' }] } } } }";
    let moved = only.replace(plugin, "").replace("matrix: {", &format!("matrix: {{ {template},"));
    validate(&moved).says(missing);
}
