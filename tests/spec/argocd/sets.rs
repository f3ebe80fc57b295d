//! What ApplicationSets generate for the folders of a repository: judged as Applications are, or named with the reason.

use crate::harness::repository::Repository;
use crate::harness::run::{Outcome, Run};

/// A set over this generator, whose Applications have these names, paths, roles and clusters.
struct Set<'g> {
    is_go: bool,
    generator: &'g str,
    name: &'static str,
    path: &'static str,
    role: &'static str,
    cluster: &'static str,
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
        retry: {{ refresh: true }}
        syncOptions: [PrunePropagationPolicy=background]
"
        )
    }

    fn validate(&self) -> Outcome {
        validate(&self.text())
    }
}

fn validate(set: &str) -> Outcome {
    let repository = Repository::new("peerings/consumer-provider");
    repository.write("set.yaml", set);
    Run::new(["validate", "."]).within(repository.root()).run()
}

const LISTED: &str = "list: { elements: [{ role: consumer, dir: consumer-provider }, { role: provider, dir: consumer-provider }] }";

#[test]
fn what_generators_make_is_known() {
    for set in [
        GO,
        OLD,
        Set { generator: LISTED, path: "peerings/{{ .dir }}", name: "{{ .dir }}-{{ .role }}", ..GO },
        Set { generator: LISTED, path: "peerings/{{dir}}", name: "{{dir}}-{{ role }}", ..OLD },
        Set {
            path: "peerings/{{ index .path.segments 1 }}",
            name: "{{ .path.basenameNormalized }}-{{ .role | lower }}",
            ..GO
        },
        Set { path: "{{path[0]}}/{{path[1]}}", name: "{{path.basenameNormalized}}-{{role}}", ..OLD },
        Set { cluster: "{{ if eq .role \"consumer\" }}consumer{{ else }}provider{{ end }}", ..GO },
        Set { cluster: "{{ ternary \"consumer\" \"provider\" (eq .role \"consumer\") }}", ..GO },
        Set { cluster: "{{ .role | replace \"q\" \"y\" }}", ..GO },
        Set { cluster: "{{- .role | default \"x\" | trimPrefix \"y\" -}}", ..GO },
        Set {
            cluster: "{{ printf \"%s\" .role }}",
            name: "{{ normalize .path.basename }}-{{ .role }}",
            ..GO
        },
        // the document says what its clusters are called
        Set {
            generator: "matrix: { generators: [{ git: { files: [{ path: 'peerings/*/peering.yaml' }] } }, { list: { elements: [{ role: consumer }, { role: provider }] } }] }",
            cluster: "{{ (index .spec .role).clusterID }}",
            ..GO
        },
        Set {
            generator: "merge: { mergeKeys: [role], generators: [{ list: { elements: [{ role: consumer, dir: x }, { role: provider, dir: consumer-provider }] } }, { list: { elements: [{ role: consumer, dir: consumer-provider }] } }] }",
            path: "peerings/{{ .dir }}",
            name: "{{ .dir }}-{{ .role }}",
            ..GO
        },
        // with Go's templates, what is empty takes no one's place
        Set {
            generator: "merge: { mergeKeys: [role], generators: [{ list: { elements: [{ role: consumer, dir: consumer-provider }, { role: provider, dir: consumer-provider }] } }, { list: { elements: [{ role: consumer, dir: '' }] } }] }",
            path: "peerings/{{ .dir }}",
            name: "{{ .dir }}-{{ .role }}",
            ..GO
        },
        Set {
            generator: "matrix: { generators: [{ git: { directories: [{ path: 'peerings/*' }, { path: peerings/x, exclude: true }], pathParamPrefix: at, values: { dir: '{{ .at.path.basename }}' } } }, { list: { elements: [{ role: consumer }, { role: provider }] } }] }",
            path: "{{ .at.path.path }}",
            name: "{{ .values.dir }}-{{ .role }}",
            ..GO
        },
        Set {
            generator: "list: { elementsYaml: '[{ role: consumer }, { role: provider }]' }",
            path: "peerings/consumer-provider",
            name: "a-{{ .role }}",
            ..GO
        },
    ] {
        let outcome = set.validate();
        outcome.done();
        outcome.silent_on("[application").silent_on("not ./set.yaml");
    }
}

/// Of a folder that it leaves out there is no Application, so the destination, which is wrong for the provider, is not judged.
#[test]
fn a_folder_that_is_excluded_has_no_application() {
    // Go's YAML reads all of these as `true`
    for exclude in ["true", "True", "yes", "on"] {
        let generator = format!(
            "matrix: {{ generators: [{{ git: {{ directories: [{{ path: 'peerings/*' }}, {{ path: peerings/consumer-provider, exclude: {exclude} }}] }} }}, {{ list: {{ elements: [{{ role: consumer }}, {{ role: provider }}] }} }}] }}"
        );
        let outcome = Set { generator: &generator, cluster: "consumer", ..GO }.validate();
        outcome.done();
        outcome.says("its generators find no folder that was checked").silent_on("[application");
    }
}

#[test]
fn what_argo_cd_or_the_plugin_refuses_is_an_error() {
    for (set, words) in [
        (Set { role: "consumr", ..GO }, "the plugin parameter `role` is `consumr`, which is not a role"),
        (Set { role: "", ..GO }, "the plugin parameter `role` is missing"),
        (Set { role: "{{ .side }}", ..GO }, "there is no value `side` for `.side`"),
        // of a folder the document is not read
        (Set { cluster: "{{ .kind }}", ..GO }, "there is no value `kind` for `.kind`"),
        (Set { role: "{{ index .path.segments 4 }}", ..GO }, "index out of range: 4"),
        (Set { path: "{{path}}", ..GO }, "with `goTemplate` it is `.path`"),
        (Set { role: "{{role}}", ..GO }, "with `goTemplate` it is `.role`"),
        (Set { role: "{{ if .role }}x", ..GO }, "an `if` has no `end`"),
        (Set { is_go: false, ..GO }, "write `goTemplate: true` into the set's `spec`"),
        (Set { path: "{{folder}}", ..OLD }, "the set leaves {{folder}} as it is"),
        (
            Set { cluster: "consumer", ..GO },
            "in the folder `peerings/consumer-provider` the provider's destination is `consumer`, and the provider of the document is `provider`",
        ),
        (Set { role: "consumer", ..GO }, "has this folder and the role `consumer` too"),
        (Set { name: "{{ .role }}_{{ .path.basename }}", ..GO }, "is not a name that Kubernetes accepts"),
        (Set { name: "one", ..GO }, "another Application is called `one` too"),
        (Set { path: "/{{ .path.path }}", ..GO }, "app path is absolute"),
        (
            Set { path: "x/{{ .path.path }}", ..GO },
            "its `path` is `x/peerings/consumer-provider`, and this folder is `peerings/consumer-provider`",
        ),
        (
            Set {
                generator: "matrix: { generators: [{ list: { elements: [{ role: Consumer }, { role: provider }] } }, { git: { directories: [{ path: 'peerings/*' }] } }] }",
                cluster: "provider",
                ..GO
            },
            "the plugin parameter `role` is `Consumer`, which is not a role",
        ),
        (
            Set { generator: "matrix: { generators: [{ list: { elements: [] } }] }", ..GO },
            "a matrix must have two generators",
        ),
        (
            Set { generator: "list: { elements: [{ role: 1 }] }", ..OLD },
            "each value of an element must be a string",
        ),
        (
            Set {
                generator: "{ list: { elements: [{ role: consumer }], template: { spec: { source: { plugin: { parameters: [{ name: role, string: x }] } } } } } }",
                path: "peerings/consumer-provider",
                name: "a",
                ..GO
            },
            "the plugin parameter `role` is `x`, which is not a role",
        ),
    ] {
        set.validate().fails(1, "application").says(words);
    }
}

#[test]
fn what_is_not_evaluated_is_named_with_the_reason() {
    let not = |set: Set<'_>, why: &str| {
        let outcome = set.validate();
        outcome.done();
        outcome.says(&format!("not ./set.yaml: {why}"));
        let repository = Repository::new("peerings/consumer-provider");
        repository.write("set.yaml", set.text());
        let strict = Run::new(["validate", ".", "--strict"]).within(repository.root()).run();
        strict.fails(1, "not-judged");
    };
    for kind in ["clusters", "scmProvider", "pullRequest", "plugin", "clusterDecisionResource"] {
        let generator = Box::leak(format!("{kind}: {{}}").into_boxed_str());
        not(Set { generator, ..GO }, &format!("its generator `{kind}` is not evaluated"));
    }
    let inner =
        "matrix: { generators: [{ clusters: {} }, { git: { directories: [{ path: 'peerings/*' }] } }] }";
    not(Set { generator: inner, ..GO }, "its generator `clusters` is not evaluated");
    not(
        Set { generator: "git: { files: [{ path: 'config/*.json' }] }", ..GO },
        "the pattern `config/*.json`",
    );
    not(
        Set { generator: "git: { files: [{ path: 'peerings/**/peering.yaml' }] }", ..GO },
        "the pattern `peerings/**/peering.yaml`",
    );
    not(
        Set { generator: "git: { directories: [{ path: 'peerings/[a-c]*' }] }", ..GO },
        "the pattern `peerings/[a-c]*`",
    );
    not(
        Set { generator: "git: { directories: [{ path: '/peerings/*' }] }", ..GO },
        "its generators find no folder that was checked",
    );
    not(
        Set { generator: "git: { directories: [{ path: 'peerings/*/*' }] }", ..GO },
        "its generators find no folder that was checked",
    );
    not(
        Set { generator: "list: { elementsYaml: '{{ .elements }}' }", ..GO },
        "the `elementsYaml` of its list",
    );
    not(
        Set {
            generator: "{ list: { elements: [{ role: consumer }] }, selector: { matchLabels: { a: b } } }",
            ..GO
        },
        "the `selector` of its generator",
    );
    not(Set { role: "{{ regexFind \"x\" .role }}", ..GO }, "`{{ regexFind \"x\" .role }}` is not evaluated");
    not(
        Set { role: "{{ range .path.segments }}{{ . }}{{ end }}", ..GO },
        "`{{ range .path.segments }}` is not evaluated",
    );
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
        assert!(set.contains(from), "{from}");
        validate(&set.replace(from, to)).says("note[application-setting]").says(words);
    }
    let only = set.replace(", { role: provider }", "");
    validate(&only).says("no Application with the role `provider` has this folder");
}
