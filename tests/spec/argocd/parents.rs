//! Parent Applications whose folder has a peering in it (argo-cd#11583): as they are written, and as an ApplicationSet makes them.

use crate::harness::{Outcome, Repository, Run, committed, lines, words};

const HERE: &str = "https://git.example.org/net/peerings";

fn repository() -> Repository {
    let repository = Repository::new("peerings/consumer-provider");
    for role in ["consumer", "provider"] {
        repository.write(
            &format!("apps/{role}.yaml"),
            committed(&format!("argocd-app/{role}.yaml")),
        );
    }
    repository
}

fn validate(repository: &Repository) -> Outcome {
    Run::new(["validate", "."]).within(repository.root()).run()
}

/// The rows of a kind in `parents.txt`.
fn rows(kind: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = lines(include_str!("parents.txt")).map(words);
    let rows = rows.inspect(|row| {
        assert!(
            ["taken", "none", "sources"].contains(&&*row[0]),
            "no row: {row:?}"
        );
    });
    rows.filter(move |row| row[0] == kind)
}

#[test]
fn a_parent_that_takes_a_document_for_a_manifest() {
    let repository = repository();
    let parent = |path: &str, directory: &str, url: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: parent, namespace: argocd }}\nspec:\n  project: admin\n  source: {{ repoURL: '{url}', path: '{path}', targetRevision: main{directory} }}\n  destination: {{ name: in-cluster, namespace: argocd }}\n"
        )
    };
    for row in rows("taken") {
        let [_, path, directory, taken] = &row[..] else {
            panic!("{row:?}")
        };
        repository.write("parent.yaml", parent(path, directory, HERE));
        let outcome = validate(&repository);
        outcome
            .fails(1, "application")
            .says(&format!("it takes `{taken}` for a manifest"));
        assert_eq!(
            outcome
                .stderr
                .contains("directory: { recurse: true, include"),
            taken != "peering.yaml"
        );
    }
    for row in rows("none") {
        let [_, path, directory, url] = &row[..] else {
            panic!("{row:?}")
        };
        let url = &url.replace("HERE", HERE);
        repository.write("parent.yaml", parent(path, directory, url));
        validate(&repository).silent_on("[application").done();
    }
    // what is not evaluated is neither right nor wrong
    let deep = "{a,b}".repeat(20);
    for pattern in [
        "**/[o-q]eering.yaml",
        "{*/{peering,x}.yaml,y}",
        "**/\\peering.yaml",
        &deep,
    ] {
        for field in ["include", "exclude"] {
            let directory = format!(", directory: {{ recurse: true, {field}: '{pattern}' }}");
            repository.write("parent.yaml", parent("peerings", &directory, HERE));
            let outcome = validate(&repository);
            outcome.done();
            outcome.says(
                "note[application-setting]: it may take `consumer-provider/peering.yaml` for a manifest",
            );
        }
    }
    repository.write(
        "parent.yaml",
        parent("peerings", ", directory: { recurse: true }", HERE),
    );
    // a file that Argo CD passes over
    let document = "peerings/consumer-provider/peering.yaml";
    let text = committed("examples/quickstart/peering.yaml");
    repository.write(document, format!("# +argocd:skip-file-rendering\n{text}"));
    validate(&repository).silent_on("for a manifest");
    repository.write(
        "marked.yaml",
        format!(
            "# +argocd:skip-file-rendering\n{}",
            parent("apps", "", HERE)
        ),
    );
    validate(&repository).says(
        "marked.yaml: it has `+argocd:skip-file-rendering`: an Application of Applications does not create what it declares",
    );
    // nor is an Application in one counted as judged
    let consumer = committed("argocd-app/consumer.yaml");
    let judged = || {
        Run::new(["validate", ".", "--format", "json"])
            .within(repository.root())
            .run()
    };
    judged().prints("\"kind\": \"Application\",\n      \"judged\": 2");
    repository.write(
        "apps/consumer.yaml",
        format!("# +argocd:skip-file-rendering\n{consumer}"),
    );
    judged().prints("\"kind\": \"Application\",\n      \"judged\": 1");
    // or a project, or a set
    let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  generators: [{ git: { directories: [{ path: peerings/consumer-provider }] } }]\n  template: { spec: { source: { plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] } }, destination: { name: consumer } } }\n";
    let project = committed("argocd-app/project-consumer.yaml");
    for (kind, text) in [("AppProject", project.as_str()), ("ApplicationSet", set)] {
        let counted = format!("\"kind\": \"{kind}\",\n      \"judged\": 1");
        repository.write("other.yaml", text);
        judged().prints(&counted);
        repository.write(
            "other.yaml",
            format!("# +argocd:skip-file-rendering\n{text}"),
        );
        judged().omits(&counted);
    }
    repository.write("other.yaml", "");
    repository.write("apps/consumer.yaml", consumer);
    repository.write("marked.yaml", "");
    // JSON has no comments
    repository.write("peerings/peering.schema.json", "{}");
    validate(&repository)
        .says("it takes `peering.schema.json` for a manifest")
        .says("or keep the schema above the folder")
        .silent_on("skip-file-rendering");
    std::fs::remove_file(repository.root().join("peerings/peering.schema.json")).expect("removed");
    repository.write(document, text);
    validate(&repository)
        .says("for a manifest")
        .says("`# +argocd:skip-file-rendering` into that peering.yaml");
    // a `directory` with something in it comes before a kustomization
    repository.write("peerings/kustomization.yaml", "resources: []\n");
    validate(&repository)
        .fails(1, "application")
        .says("for a manifest");
    repository.write(
        "peerings/consumer-provider/kustomization.yaml",
        "resources: []\n",
    );
    repository.write(
        "parent.yaml",
        parent("peerings/consumer-provider", "", HERE),
    );
    validate(&repository).done();
}

/// A set whose Applications are parents: its generators, and the path and the rest of the source in its template.
fn set(generators: &str, path: &str, directory: &str, url: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{ name: parents, namespace: argocd }}\nspec:\n  goTemplate: true\n  generators: [{{ {generators} }}]\n  template:\n    metadata: {{ name: '{{{{ .name }}}}' }}\n    spec:\n      project: admin\n      source: {{ repoURL: '{url}', path: '{path}', targetRevision: main{directory} }}\n      destination: {{ name: in-cluster, namespace: argocd }}\n"
    )
}

const CLUSTERS: &str = "clusters: {}";

/// Whether its generators can be evaluated, or have no part in the path.
#[test]
fn a_parent_that_a_set_makes_is_judged_as_a_written_one() {
    let repository = repository();
    let sets = |path: &str, directory: &str, url: &str| {
        let list = format!(
            "list: {{ elements: [{{ name: a, path: apps }}, {{ name: b, path: '{path}' }}] }}"
        );
        [
            set(&list, "{{ .path }}", directory, url),
            set(CLUSTERS, path, directory, url),
        ]
    };
    for row in rows("taken") {
        let [_, path, directory, taken] = &row[..] else {
            panic!("{row:?}")
        };
        let words = [
            format!("in the folder `{path}` it takes `{taken}`"),
            format!(": it takes `{taken}`"),
        ];
        for (set, words) in sets(path, directory, HERE).iter().zip(&words) {
            repository.write("parents.yaml", set);
            validate(&repository).fails(1, "application").says(words);
        }
    }
    for row in rows("none") {
        let [_, path, directory, url] = &row[..] else {
            panic!("{row:?}")
        };
        for set in sets(path, directory, &url.replace("HERE", HERE)) {
            repository.write("parents.yaml", set);
            validate(&repository)
                .silent_on("[application")
                .silent_on("parents.yaml")
                .done();
        }
    }
}

/// Argo CD applies each source of a list, and then not `source` (argo-cd `docs/user-guide/multiple_sources.md`).
#[test]
fn each_source_of_a_parent_is_judged() {
    let repository = repository();
    for row in rows("sources") {
        let list = row[1].replace(
            "{ ",
            &format!("{{ repoURL: '{HERE}', targetRevision: main, "),
        );
        let other = format!("source: {{ repoURL: '{HERE}', path: peerings/consumer-provider }}");
        let of_set = set(CLUSTERS, "apps", "", HERE);
        let (head, tail) = of_set.split_once("source:").expect("a source");
        let (_, tail) = tail.split_once('\n').expect("more lines");
        let of_set = format!("{head}sources: [{list}]\n      {other}\n{tail}");
        let written = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: parent, namespace: argocd }}\nspec:\n  project: admin\n  destination: {{ name: in-cluster, namespace: argocd }}\n  sources: [{list}]\n  {other}\n"
        );
        for text in [of_set, written] {
            repository.write("parents.yaml", &text);
            let outcome = validate(&repository);
            match row.get(2) {
                Some(taken) => outcome
                    .fails(1, "application")
                    .says(&format!("it takes `{taken}` for a manifest")),
                None => outcome.silent_on("[application").silent_on("parents.yaml"),
            };
        }
    }
}

/// A Git generator also finds a folder that only has peerings below it.
#[test]
fn a_generator_finds_the_folder_of_folders() {
    let repository = repository();
    let recurses = ", directory: { recurse: true }";
    for (pattern, directory, words) in [
        (
            "*",
            recurses,
            "in the folder `peerings` it takes `consumer-provider/peering.yaml`",
        ),
        (
            "*/*",
            "",
            "in the folder `peerings/consumer-provider` it takes `peering.yaml`",
        ),
    ] {
        let git = format!("git: {{ directories: [{{ path: '{pattern}' }}] }}");
        repository.write(
            "parents.yaml",
            set(&git, "{{ .path.path }}", directory, HERE),
        );
        validate(&repository).fails(1, "application").says(words);
    }
    let git = "git: { directories: [{ path: '*' }, { path: peerings, exclude: true }] }";
    repository.write("parents.yaml", set(git, "{{ .path.path }}", recurses, HERE));
    validate(&repository).silent_on("parents.yaml").done();
}

/// What can be of these folders and this repository; most sets of a repository are of other programs.
#[test]
fn a_parent_that_is_not_known_is_named() {
    let repository = repository();
    let recurses = ", directory: { recurse: true }";
    let patched = |set: String, patch: &str| format!("{set}  templatePatch: '{patch}'\n");
    let other = "https://git.example.org/other/repository";
    let unknown = "its generator `clusters` is not evaluated";
    let many = format!(
        "list: {{ elementsYaml: '[{}]' }}",
        "{path: peerings},".repeat(2_000)
    );
    let many = format!("matrix: {{ generators: [{{ {many} }}, {{ {many} }}] }}");
    for (set, words) in [
        (set(CLUSTERS, "{{ .name }}", recurses, HERE), unknown),
        (set(CLUSTERS, "peer{{ .name }}", recurses, HERE), unknown),
        (set(CLUSTERS, "peerings/{{ .name }}", "", HERE), unknown),
        (
            set(
                CLUSTERS,
                "peerings",
                ", directory: { recurse: true, include: '{{ .name }}' }",
                HERE,
            ),
            unknown,
        ),
        (set(CLUSTERS, "peerings", recurses, "{{ .url }}"), unknown),
        (
            patched(
                set(CLUSTERS, "apps", "", HERE),
                "{ spec: { source: { path: a } } }",
            ),
            "its `templatePatch` is not evaluated",
        ),
        (
            set(&many, "{{ .path }}", recurses, HERE),
            "it makes more than a run compares",
        ),
    ] {
        repository.write("parents.yaml", set);
        validate(&repository)
            .says(&format!("not ./parents.yaml: {words}"))
            .silent_on("[application")
            .done();
        // nobody has asked for what is no source of this plugin
        Run::new(["validate", ".", "--strict"])
            .within(repository.root())
            .run()
            .silent_on("not-judged");
    }
    for set in [
        set(CLUSTERS, "apps/{{ .name }}", recurses, HERE),
        set(CLUSTERS, "{{ .name }}", recurses, other),
        set(
            CLUSTERS,
            "peerings/consumer-provider/x{{ .name }}",
            recurses,
            HERE,
        ),
        patched(set(CLUSTERS, "apps", "", HERE), "{ spec: { project: a } }"),
        set(CLUSTERS, "{{ .name }}", ", plugin: { name: other }", HERE),
    ] {
        repository.write("parents.yaml", set);
        validate(&repository).silent_on("parents.yaml").done();
    }
}
