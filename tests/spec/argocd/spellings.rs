//! Argo CD's files as the world writes them, kind by kind, each beside a sound folder: what is wrong is an error or a note, what is not
//! read is named with the reason, and what is right is silent. `validate`, with `--strict` and without, and `diff` of the commit
//! that brings it.

use crate::harness::{Repository, Run, Sample, Text, committed};
use std::fs;

const FOLDER: &str = "peerings/consumer-provider";
const CONSUMER: &str = "apps/consumer.yaml";
const PROVIDER: &str = "apps/provider.yaml";
const OVER: &str = "peerings/consumer-provider/.argocd-source-consumer-provider-consumer.yaml";

/// What is to be reported, with these words.
enum Verdict {
    /// By `validate` and by `diff`.
    Wrong(&'static str),
    /// By `validate`, of what `diff` does not compare.
    Beside(&'static str),
    /// A note, which `--strict` makes an error.
    Noted(&'static str),
    /// Not judged: with `--strict` an error.
    Named(&'static str),
    Right,
}
use Verdict::{Beside, Named, Noted, Right, Wrong};

/// What it is, the change of the sound repository, and what is reported.
type Row = (&'static str, fn(&Repository), Verdict);

/// Both roles by one ApplicationSet over a list.
const SET: &str = "apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: s, namespace: argocd }
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  syncPolicy: { preserveResourcesOnDeletion: true, applicationsSync: create-update }
  generators:
    - list: { elements: [{ role: consumer, cluster: consumer }, { role: provider, cluster: provider }] }
  template:
    metadata: { name: '{{ .role }}-x', annotations: { argocd.argoproj.io/manifest-generate-paths: . } }
    spec:
      project: 'peering-{{ .role }}'
      source:
        repoURL: https://git.example.org/net/peerings.git
        targetRevision: refs/heads/main
        path: peerings/consumer-provider
        plugin: { name: argocd-peering, parameters: [{ name: role, string: '{{ .role }}' }] }
      destination: { name: '{{ .cluster }}', namespace: liqo-tenant }
      syncPolicy: { automated: { prune: true }, retry: { limit: 5, refresh: true }, syncOptions: [PrunePropagationPolicy=background] }
";

/// It permits too little.
const PROJECT: &str = "apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: peering-consumer, namespace: argocd }
spec: { sourceRepos: [https://git.example.org/other.git], destinations: [{ name: consumer, namespace: '*' }], clusterResourceWhitelist: [{ group: '*', kind: '*' }] }
";

const LIST: &str =
    "list: { elements: [{ role: consumer, cluster: consumer }, { role: provider, cluster: provider }] }";

/// Each Application in a folder of its own, with this destination.
fn own(it: &Repository, destination: &str) {
    for (role, file) in [("consumer", CONSUMER), ("provider", PROVIDER)] {
        let text = changed(&written(role), &format!("    name: {role}\n"), &format!("    {destination}\n"));
        remove(it, file);
        it.write(&format!("argo/{role}/{role}.yaml"), text);
    }
}

fn repository() -> Repository {
    let repository = Repository::new(FOLDER);
    for role in ["consumer", "provider"] {
        repository.write(&format!("apps/{role}.yaml"), written(role));
    }
    repository.commit();
    repository
}

/// The Application of a role, without its comments.
fn written(role: &str) -> String {
    let text = committed(&format!("argocd-app/{role}.yaml"));
    text.lines().filter(|line| !line.trim_start().starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// A text with a change of the first such place.
fn changed(text: &str, from: &str, to: &str) -> String {
    text.has(from);
    text.replacen(from, to, 1)
}

/// The consumer's Application with a change.
fn consumer(repository: &Repository, from: &str, to: &str) {
    repository.write(CONSUMER, changed(&written("consumer"), from, to));
}

/// The consumer's Application, to the provider's cluster.
fn elsewhere() -> String {
    changed(&written("consumer"), "\n    name: consumer\n", "\n    name: provider\n")
}

fn remove(repository: &Repository, file: &str) {
    std::fs::remove_file(repository.root().join(file)).expect(file);
}

/// Makes the checkout a worktree of another one.
fn apart(repository: &Repository) {
    let (git, main) = (repository.root().join(".git"), repository.temp().join("main.git"));
    let own = main.join("worktrees/x");
    fs::rename(&git, &main).expect("moved");
    fs::create_dir_all(&own).expect("a folder");
    for file in ["HEAD", "index"] {
        fs::copy(main.join(file), own.join(file)).expect("copied");
    }
    fs::write(own.join("commondir"), "../..\n").expect("written");
    fs::write(own.join("gitdir"), git.display().to_string()).expect("written");
    fs::write(&git, format!("gitdir: {}\n", own.display())).expect("written");
}

/// The set with changes, in place of the two Applications.
fn set(repository: &Repository, changes: &[(&str, &str)]) {
    remove(repository, CONSUMER);
    remove(repository, PROVIDER);
    let change = |text: String, (from, to): &(&str, &str)| {
        text.has(from);
        text.replace(from, to)
    };
    repository.write("set.yaml", changes.iter().fold(SET.to_owned(), change));
}

/// The set over another generator, with folders in its path.
fn generated(repository: &Repository, generator: &str) {
    set(repository, &[(LIST, generator), ("path: peerings/consumer-provider", "path: '{{ .path.path }}'")]);
}

/// A matrix of folders that this generator finds, and both roles.
fn folders(repository: &Repository, git: &str) {
    generated(repository, &format!("matrix: {{ generators: [{{ git: {git} }}, {{ {LIST} }}] }}"));
}

const ELSEWHERE: &str = "and the consumer of the document is `consumer`";
const PATCH: &str = "it is a part of one, as a patch is";
const NAMED: &str = "it names the plugin elsewhere than in the source of an Application";
const KUSTOMIZED: &str = "what it makes of Applications is not judged";

#[rustfmt::skip] // a table
const ROWS: &[Row] = &[
    ("sound Applications", |_| {}, Right),
    ("a sound set", |it| set(it, &[]), Right),
    // what is not known
    ("a patch names the plugin", |it| set(it, &[("        plugin: { name: argocd-peering, parameters: [{ name: role, string: '{{ .role }}' }] }\n", ""), ("  template:\n", "  templatePatch: |\n    spec:\n      source:\n        plugin: { name: argocd-peering, parameters: [{ name: role, string: consumr }] }\n  template:\n")]), Named("its `templatePatch` is not evaluated")),
    ("a patch of the sync policy", |it| set(it, &[("  template:\n", "  templatePatch: |\n    spec: { syncPolicy: { automated: { prune: false } } }\n  template:\n")]), Named("its `templatePatch` is not evaluated")),
    ("a patch in JSON", |it| set(it, &[("        plugin: { name: argocd-peering, parameters: [{ name: role, string: '{{ .role }}' }] }\n", ""), ("  template:\n", "  templatePatch: '{\"spec\":{\"source\":{\"plugin\":{\"name\":\"argocd-peering\"}}}}'\n  template:\n")]), Named("its `templatePatch` is not evaluated")),
    ("clusters", |it| set(it, &[(LIST, "clusters: { selector: { matchLabels: { a: b } } }")]), Named("its generator `clusters` is not evaluated")),
    ("pull requests, nested", |it| set(it, &[(LIST, "matrix: { generators: [{ pullRequest: { github: { owner: a, repo: b } } }, { list: { elements: [] } }] }")]), Named("its generator `pullRequest` is not evaluated")),
    ("a selector", |it| set(it, &[(LIST, &format!("{LIST}\n      selector: {{ matchLabels: {{ role: consumer }} }}"))]), Named("the `selector` of its generator")),
    ("no generator", |it| set(it, &[(&format!("\n    - {LIST}"), " []")]), Named("its generators find no folder")),
    ("an empty list", |it| set(it, &[(LIST, "list: { elements: [] }")]), Named("its generators find no folder")),
    ("files of another name", |it| generated(it, "git: { repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, files: [{ path: 'config/*.json' }] }"), Named("the pattern `config/*.json`")),
    ("folders of another repository", |it| folders(it, "{ repoURL: 'https://git.example.org/other/repo.git', revision: HEAD, directories: [{ path: 'peerings/*' }] }"), Noted("its Git generator reads another repository than its Applications")),
    ("folders of another branch", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: next, directories: [{ path: 'peerings/*' }] }"), Noted("its Git generator reads another revision than its Applications")),
    ("two branches, each with its Applications", |it| generated(it, &format!("matrix: {{ generators: [{{ git: {{ repoURL: 'https://git.example.org/net/peerings.git', revision: main, directories: [{{ path: 'peerings/*' }}] }} }}, {{ {LIST} }}] }}\n    - git: {{ repoURL: 'https://git.example.org/net/staging.git', revision: staging, directories: [{{ path: 'staging/*' }}], template: {{ metadata: {{}}, spec: {{ project: '', source: {{ repoURL: 'https://git.example.org/net/staging.git', targetRevision: staging }}, destination: {{}} }} }} }}")), Right),
    ("folders of this repository by SSH", |it| folders(it, "{ repoURL: 'git@git.example.org:net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/*' }] }"), Noted("its Git generator reads another repository")),
    ("folders of this repository without its ending", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings', revision: HEAD, directories: [{ path: 'peerings/*' }] }"), Right),
    ("folders with a slash at the end", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/*/' }] }"), Named("its generators find no folder")),
    ("folders of another depth", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: '*' }] }"), Wrong("another Application is called `consumer-x` too")),
    ("any depth", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, files: [{ path: '**/peering.yaml' }] }"), Right),
    ("a value of Go's `with`", |it| set(it, &[("string: '{{ .role }}'", "string: '{{ with .role }}{{ . }}{{ end }}'")]), Named("`{{ with .role }}` is not evaluated")),
    ("a set in a chart", |it| set(it, &[("{{ .role }}", "{{ `{{ .role }}` }}")]), Named("is not evaluated")),
    ("a version that there is not", |it| set(it, &[("v1alpha1", "v1beta1")]), Named("Argo CD has no version `argoproj.io/v1beta1`")),
    ("an Application of such a version", |it| consumer(it, "argoproj.io/v1alpha1", "argoproj.io/v1alpha2"), Named("Argo CD has no version `argoproj.io/v1alpha2`")),
    ("in a ConfigMap", |it| it.write("cm.yaml", format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a }}\ndata:\n  app.yaml: |\n    {}\n", written("consumer").replace('\n', "\n    "))), Named(NAMED)),
    ("in values of a chart", |it| it.write("values.yaml", "applications:\n  a:\n    source: { plugin: { name: argocd-peering, parameters: [{ name: role, string: consumr }] } }\n"), Named(NAMED)),
    ("in values of an Application of a chart", |it| it.write("apps.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec:\n  project: p\n  destination: { name: in-cluster }\n  source:\n    repoURL: https://charts.example.org\n    chart: apps\n    targetRevision: 2.0.0\n    helm: { valuesObject: { a: { source: { plugin: { name: argocd-peering } } } } }\n"), Named(NAMED)),
    ("in values as a text", |it| it.write("apps.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec:\n  project: p\n  destination: { name: in-cluster }\n  source:\n    repoURL: https://charts.example.org\n    chart: apps\n    targetRevision: 2.0.0\n    helm:\n      values: |\n        source:\n          plugin: { name: argocd-peering }\n"), Named(NAMED)),
    ("another kind", |it| it.write("rollout.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: { name: a }\nspec: { source: { plugin: { name: argocd-peering } } }\n"), Named("the kind `Workflow` is not judged")),
    ("Latin-1", |it| it.write("apps/both.yaml", [b"# caf\xe9\n".as_slice(), elsewhere().as_bytes()].concat()), Named("it is not UTF-8")),
    ("Latin-1 in values of a chart", |it| it.write("values.yaml", b"# caf\xe9\nsource: { plugin: { name: argocd-peering } }\n".as_slice()), Named("it is not UTF-8")),
    ("anchors", |it| it.write("both.yaml", elsewhere().replace("project: ", "project: &p ")), Named("anchors and aliases are not taken")),
    ("a chart's template", |it| it.write("chart/templates/app.yaml", format!("{{{{- if .Values.on }}}}\n{}{{{{- end }}}}\n", elsewhere())), Named("not YAML")),
    ("Jinja", |it| consumer(it, "string: consumer\n", "string: \"{% raw %}consumer{% endraw %}\"\n"), Named("it is a template of another tool")),
    ("envsubst", |it| consumer(it, "\n    name: consumer\n", "\n    name: ${CLUSTER}\n"), Named("it is a template of another tool")),
    ("a role of a chart", |it| consumer(it, "string: consumer\n", "string: '{{ .Values.role }}'\n"), Named("it is a template of another tool")),
    ("two in one stream of JSON", |it| it.write("application.json", "{\"apiVersion\":\"argoproj.io/v1alpha1\",\"kind\":\"Application\"}\n{\"spec\":{\"source\":{\"plugin\":{\"name\":\"argocd-peering\"}}}}"), Noted("a part of this file was not read")),
    // in other clothes
    ("JSON", |it| it.write(CONSUMER, serde_json::to_string(&crate::harness::argocd::yaml("argocd-app/consumer.yaml")).expect("JSON").replace("\"name\":\"consumer\",\"namespace\"", "\"name\":\"provider\",\"namespace\"")), Wrong(ELSEWHERE)),
    ("ends of lines as Windows has them", |it| it.write(CONSUMER, elsewhere().replace('\n', "\r\n")), Wrong(ELSEWHERE)),
    ("a byte order mark", |it| it.write(CONSUMER, format!("\u{feff}{}", elsewhere())), Wrong(ELSEWHERE)),
    ("after a part that is not YAML", |it| it.write(CONSUMER, format!("a: [\n---\n{}", elsewhere())), Wrong(ELSEWHERE)),
    ("an ApplicationList", |it| it.write(CONSUMER, format!("apiVersion: argoproj.io/v1alpha1\nkind: ApplicationList\nitems:\n  - {}\n", elsewhere().replace('\n', "\n    "))), Wrong(ELSEWHERE)),
    ("a set in a List", |it| { set(it, &[("role: provider, cluster: provider", "role: provider, cluster: consumer")]); let text = std::fs::read_to_string(it.root().join("set.yaml")).expect("a set"); it.write("set.yaml", format!("apiVersion: v1\nkind: List\nitems:\n  - {}\n", text.replace('\n', "\n    "))); }, Wrong("and the provider of the document is `provider`")),
    ("in a chart without templates", |it| { remove(it, CONSUMER); it.write("chart/templates/app.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    // what Argo CD or the API server refuses
    ("an option that Go does not have", |it| set(it, &[("missingkey=error", "missingkey=errors")]), Wrong("Go's templates have no option `missingkey=errors`")),
    ("goTemplate as a text", |it| set(it, &[("goTemplate: true", "goTemplate: \"true\"")]), Wrong("the set leaves {{ .role }}-x as it is")),
    ("goTemplate in YAML 1.1", |it| set(it, &[("goTemplate: true", "goTemplate: yes")]), Right),
    ("a plugin of another name in a set", |it| set(it, &[("name: argocd-peering", "name: liqo-peering")]), Wrong("its plugin is `liqo-peering`")),
    ("a plugin without a name in a set", |it| set(it, &[("name: argocd-peering, ", "")]), Noted("its plugin has no name")),
    ("a variable that is not the role", |it| set(it, &[("parameters: [{ name: role, string: '{{ .role }}' }]", "env: [{ name: ROL, value: '{{ .role }}' }]")]), Wrong("the plugin parameter `role` is missing")),
    ("a role that an element misspells", |it| set(it, &[("role: provider,", "role: Provider,")]), Wrong("is `Provider`, which is not a role")),
    ("a merge to one cluster", |it| set(it, &[(LIST, &format!("merge: {{ mergeKeys: [role], generators: [{{ {LIST} }}, {{ list: {{ elements: [{{ role: provider, cluster: consumer }}] }} }}] }}"))]), Wrong("and the provider of the document is `provider`")),
    ("two generators to one cluster", |it| set(it, &[(LIST, "list: { elements: [{ role: consumer, cluster: consumer }] }\n    - list: { elements: [{ role: provider, cluster: consumer }] }")]), Wrong("and the provider of the document is `provider`")),
    ("a template of a matrix", |it| set(it, &[(LIST, &format!("matrix: {{ generators: [{{ list: {{ elements: [{{ a: b }}] }} }}, {{ {LIST} }}], template: {{ metadata: {{}}, spec: {{ project: '', source: {{ repoURL: '' }}, destination: {{ name: nowhere }} }} }} }}"))]), Wrong("destination is `nowhere`")),
    ("a template inside of a matrix counts for nothing", |it| set(it, &[(LIST, &format!("matrix: {{ generators: [{{ list: {{ elements: [{{ a: b }}], template: {{ metadata: {{}}, spec: {{ project: default, source: {{ repoURL: '' }}, destination: {{ name: nowhere }} }} }} }} }}, {{ {LIST} }}] }}"))]), Right),
    ("sources with a ref in a set", |it| set(it, &[("      source:\n        repoURL", "      sources:\n      - { repoURL: 'https://git.example.org/net/values.git', ref: values }\n      - repoURL"), ("string: '{{ .role }}'", "string: consumr")]), Wrong("is `consumr`, which is not a role")),
    ("one URL for both", |it| set(it, &[("name: '{{ .cluster }}'", "server: https://kubernetes.default.svc")]), Wrong("and so is that of the other role")),
    ("a hidden folder", |it| { remove(it, CONSUMER); it.write(".argocd/consumer.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    ("a hidden file", |it| { remove(it, CONSUMER); it.write("apps/.consumer.yaml", elsewhere()); }, Wrong(ELSEWHERE)),
    ("an Argo CD in each cluster, by its URL", |it| { own(it, "server: https://kubernetes.default.svc"); }, Noted("give this one a cluster Secret with `server: https://kubernetes.default.svc` and `name: provider`")),
    ("an Argo CD in each cluster, by its own name", |it| { own(it, "name: in-cluster"); }, Beside("give this one a cluster Secret with `server: https://kubernetes.default.svc` and `name: consumer`")),
    ("no repository", |it| consumer(it, "repoURL: https://git.example.org/net/peerings.git", "repoURL: \"\""), Wrong("its source has no `repoURL`")),
    ("an empty path", |it| consumer(it, "path: peerings/consumer-provider", "path: \"\""), Wrong("its source has no `path`")),
    ("an empty project is default", |it| consumer(it, "project: peering-consumer", "project: \"\""), Noted("its project is `default`")),
    ("an Application without a name", |it| consumer(it, "  name: consumer-provider-consumer\n", ""), Named("it has no `name`")),
    ("an Application whose name is generated", |it| consumer(it, "  name: consumer-provider-consumer\n", "  generateName: a-\n"), Right),
    ("parameters that are a map", |it| consumer(it, "      parameters:\n        - name: role\n          string: consumer\n        - name: cluster\n          string: consumer\n", "      parameters: { role: consumer }\n"), Wrong("its `plugin.parameters` are not a list of `name` and `string`")),
    ("a parameter's `value`", |it| consumer(it, "string: consumer\n        - name: cluster", "value: consumer\n        - name: cluster"), Wrong("the plugin parameter `role` is missing")),
    ("prune as a text", |it| consumer(it, "prune: true", "prune: \"true\""), Noted("it does not prune")),
    ("prune in YAML 1.1", |it| consumer(it, "prune: true", "prune: yes"), Right),
    ("prune in capitals", |it| consumer(it, "prune: true", "prune: True"), Right),
    // a part is no whole
    // more of each kind, as people write them
    ("a config map that holds an Application", |it| it.write("cm.yaml", format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a }}\ndata:\n  app.yaml: |\n    {}\n", elsewhere().replace('\n', "\n    "))), Named(NAMED)),
    ("a matrix whose second generator uses the first", |it| generated(it, "matrix: { generators: [{ list: { elements: [{ dir: consumer-provider, role: consumer, cluster: consumer }, { dir: consumer-provider, role: provider, cluster: consumer }] } }, { git: { repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/{{ .dir }}' }] } }] }"), Wrong("and the provider of the document is `provider`")),
    ("an excluded folder", |it| folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/*' }, { path: 'peerings/consumer-*', exclude: true }] }"), Named("its generators find no folder")),
    ("a hydrator that says nothing", |it| consumer(it, "  source:\n", "  sourceHydrator:\n  source:\n"), Right),
    ("two plugins in `sources`", |it| consumer(it, "  source:\n", "  sources:\n  - repoURL: https://git.example.org/net/peerings.git\n    targetRevision: refs/heads/main\n    path: peerings/consumer-provider\n    plugin: { name: argocd-peering, parameters: [{ name: role, string: provider }] }\n  source:\n"), Wrong("`sources` is set, so Argo CD does not read the `source`")),
    ("a role with a space", |it| consumer(it, "string: consumer\n        - name: cluster", "string: 'consumer '\n        - name: cluster"), Wrong("is `consumer `, which is not a role")),
    ("a role in capitals", |it| consumer(it, "string: consumer\n        - name: cluster", "string: CONSUMER\n        - name: cluster"), Wrong("is `CONSUMER`, which is not a role")),
    ("a role as an array", |it| consumer(it, "string: consumer\n        - name: cluster", "array: [consumer]\n        - name: cluster"), Wrong("the plugin parameter `role`")),
    ("a path with a dot before it", |it| consumer(it, "path: peerings/consumer-provider", "path: ./peerings/consumer-provider/"), Right),
    ("a path with two slashes", |it| consumer(it, "path: peerings/consumer-provider", "path: peerings//consumer-provider"), Wrong("is another spelling of a folder")),
    ("a path up and down again", |it| consumer(it, "path: peerings/consumer-provider", "path: peerings/../peerings/consumer-provider"), Wrong("is another spelling of a folder")),
    ("a path up and down again, and another cluster", |it| it.write(CONSUMER, changed(&elsewhere(), "path: peerings/consumer-provider", "path: peerings/../peerings/consumer-provider")), Wrong(ELSEWHERE)),
    ("a path out and in again", |it| consumer(it, "path: peerings/consumer-provider", "path: ../peerings/consumer-provider"), Wrong("is outside of the repository")),
    ("Windows' ends of lines", |it| it.write(CONSUMER, elsewhere().replace('\n', "\r\n")), Wrong(ELSEWHERE)),
    ("tabs after a value", |it| consumer(it, "prune: true", "prune: true\t"), Right),
    ("a document end", |it| it.write(CONSUMER, format!("{}...\n", elsewhere())), Wrong(ELSEWHERE)),
    ("an old API version", |it| consumer(it, "argoproj.io/v1alpha1", "argoproj.io/v1beta1"), Named("")),
    ("a destination URL with a slash", |it| { consumer(it, "    name: consumer\n", "    server: https://192.0.2.9:6443/\n"); it.write(PROVIDER, changed(&written("provider"), "    name: provider\n", "    server: https://192.0.2.9:6443\n")); }, Wrong("and so is that of the other role")),
    ("annotations of another folder", |it| consumer(it, "manifest-generate-paths: .", "manifest-generate-paths: /peerings/other"), Noted("which is not its folder")),
    ("one hook for both", |it| consumer(it, "prune: true", "prune: true\n      allowEmpty: true"), Noted("an empty stream would delete everything")),
    ("a foreground propagation", |it| consumer(it, "PrunePropagationPolicy=background", "PrunePropagationPolicy=foreground"), Noted("it does not prune in the background")),
    ("a sealed file of another folder by a link", |it| { remove(it, "peerings/consumer-provider/kubeconfig.age"); std::os::unix::fs::symlink("peering.seed.age", it.root().join("peerings/consumer-provider/kubeconfig.age")).expect("a link"); }, Beside("links in a repository are not followed")),
    ("an empty sealed file", |it| it.write("peerings/consumer-provider/kubeconfig.age", ""), Beside("kubeconfig.age")),
    ("a patch of the destination", |it| { it.write("overlay/patch.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: consumer-provider-consumer }\nspec: { destination: { name: provider } }\n"); it.write("overlay/kustomization.yaml", "resources: [../apps/consumer.yaml]\npatches: [{ path: patch.yaml }]\n"); }, Named(KUSTOMIZED)),
    ("a JSON patch", |it| it.write("overlay/kustomization.yaml", "resources: [../apps]\npatches:\n- target: { kind: Application }\n  patch: |-\n    - { op: replace, path: /spec/source/plugin/parameters/0/string, value: provider }\n"), Named(KUSTOMIZED)),
    ("a prefix of names", |it| it.write("overlay/kustomization.yml", "resources: [../apps/consumer.yaml]\nnamePrefix: staging-\n"), Named(KUSTOMIZED)),
    ("a patch in the kustomization", |it| it.write("overlay/kustomization.yaml", "resources: [../apps/consumer.yaml]\npatches:\n- patch: |-\n    apiVersion: argoproj.io/v1alpha1\n    kind: Application\n    metadata: { name: consumer-provider-consumer }\n    spec: { source: { plugin: { name: argocd-peering, parameters: [{ name: role, string: provider }] } } }\n"), Named(KUSTOMIZED)),
    ("a kustomization without an ending", |it| it.write("overlay/Kustomization", "resources: [../apps/consumer.yaml]\nnamePrefix: staging-\n"), Named(KUSTOMIZED)),
    ("a kustomization that changes nothing", |it| it.write("apps/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [consumer.yaml, provider.yaml]\n"), Right),
    ("a kustomization of other things", |it| { it.write("other/kustomization.yaml", "resources: [a.yaml]\nnamePrefix: a-\n"); it.write("other/a.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n"); }, Right),
    ("an overlay of an overlay", |it| { it.write("common/kustomization.yaml", "resources: [../base]\n"); it.write("base/kustomization.yaml", "resources: [../apps/consumer.yaml]\n"); it.write("prod/kustomization.yaml", "resources: [../common]\nnamePrefix: a-\n"); }, Named(KUSTOMIZED)),
    ("an overlay of other things beside Applications", |it| { it.write("apps/kustomization.yaml", "resources: [../other]\nnamePrefix: a-\n"); it.write("other/kustomization.yaml", "resources: [a.yaml]\n"); }, Right),
    ("a project that an overlay patches", |it| { it.write("projects/project.yaml", PROJECT); it.write("base/kustomization.yaml", "resources: [../projects/project.yaml]\n"); it.write("prod/kustomization.yaml", "resources: [../base]\npatches: [{ path: patch.yaml }]\n"); }, Named("what a kustomization makes of it is not judged")),
    ("a project that gets a namespace", |it| { it.write("projects/project.yaml", PROJECT); it.write("projects/kustomization.yaml", "resources: [project.yaml]\nnamespace: argocd\n"); }, Wrong("does not permit the repository")),
    // since Argo CD 3.4
    ("values of a matrix's second generator", |it| set(it, &[(LIST, &format!("matrix: {{ generators: [{{ {LIST} }}, {{ git: {{ repoURL: 'https://git.example.org/net/peerings.git', revision: refs/heads/main, directories: [{{ path: 'peerings/*' }}], values: {{ dir: '{{{{ .path.path }}}}', role: '{{{{ .role }}}}' }} }} }}] }}")), ("path: peerings/consumer-provider", "path: '{{ .values.dir }}'"), ("name: '{{ .role }}-x'", "name: '{{ .values.role }}-x'")]), Right),
    ("a merge whose second generator has one key twice", |it| set(it, &[(LIST, &format!("merge: {{ mergeKeys: [role], generators: [{{ {LIST} }}, {{ list: {{ elements: [{{ role: consumer, a: x }}, {{ role: consumer, a: y }}] }} }}] }}"))]), Wrong("are the same for two of one generator")),
    ("two kinds of one generator in a matrix", |it| set(it, &[(LIST, &format!("matrix: {{ generators: [{{ {LIST} }}, {{ list: {{ elements: [{{ a: b }}] }}, git: {{ repoURL: 'https://git.example.org/net/peerings.git', revision: refs/heads/main, directories: [{{ path: 'peerings/*' }}] }} }}] }}"))]), Wrong("must be of one kind")),
    ("types of a source with nothing in them", |it| consumer(it, "    plugin:\n", "    directory: { recurse: false, jsonnet: {} }\n    helm: {}\n    kustomize: { images: [] }\n    plugin:\n"), Right),
    ("a type with something in it", |it| consumer(it, "    plugin:\n", "    directory: { include: '*' }\n    plugin:\n"), Wrong("beside `plugin` its source has `directory`")),
    ("such a type that is put over the source", |it| it.write(OVER, "directory: {}\n"), Wrong("beside `plugin` its source has `directory`")),
    ("a patch without a destination", |it| it.write("overlay/patch.yaml", changed(&written("consumer"), "  destination:\n    name: consumer\n    namespace: liqo-tenant-provider\n", "")), Named(PATCH)),
    // put over the source
    ("the plugin is taken away", |it| it.write(OVER, "plugin: null\n"), Wrong("does not read the `source` that names the plugin")),
    ("not UTF-8", |it| it.write(OVER, b"# \xe9\nplugin: { parameters: [{ name: role, string: provider }] }\n"), Named("it is not UTF-8")),
    ("a link", |it| { it.write("x.yaml", "plugin: { parameters: [{ name: role, string: provider }] }\n"); std::os::unix::fs::symlink("../../x.yaml", it.root().join(OVER)).expect("a link"); }, Noted("this file was not read")),
    ("a variable beside the parameter", |it| it.write(OVER, "plugin: { env: [{ name: ROLE, value: provider }] }\n"), Noted("a commit to this folder alone can choose the side")),
    ("a link out of the repository in a hidden folder", |it| { it.write(".github/x", ""); std::os::unix::fs::symlink("/etc/hostname", it.root().join(".github/host")).expect("a link"); }, Noted("this symbolic link leads out of the repository")),
    // ignored, copied, unused
    ("ignored in this clone only", |it| { it.write(".git/info/exclude", "*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Beside("line 1 of .git/info/exclude has Git pass over it")),
    ("committed all the same", |it| it.write(".gitignore", "*.age\n"), Right),
    ("the same, and an index of version 4", |it| { it.write(".gitignore", "*.age\n"); it.git(&["update-index", "--index-version", "4"]); }, Right),
    ("ignored, and an index of version 4", |it| { it.write(".gitignore", "*.age\n"); it.git(&["update-index", "--index-version", "4"]); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Beside("`kubeconfig.age` is not committed")),
    ("committed all the same, in a worktree", |it| { it.write(".gitignore", "*.age\n"); apart(it); }, Right),
    ("ignored in the clone of a worktree", |it| { it.write(".git/info/exclude", "*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); apart(it); }, Beside("`kubeconfig.age` is not committed")),
    ("Git LFS", |it| it.write(".gitattributes", "*.age filter=lfs diff=lfs merge=lfs -text\n"), Noted("line 1 of .gitattributes has Git commit `kubeconfig.age` through a filter")),
    ("git-crypt of the documents", |it| it.write(".gitattributes", "peerings/** filter=git-crypt diff=git-crypt\n"), Noted("has Git commit `peering.yaml` through a filter")),
    ("Git LFS of other files", |it| it.write(".gitattributes", "*.png filter=lfs\n*.age -filter\n"), Right),
    ("another branch than the remote's", |it| { it.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n"); }, Noted("and the default branch of `origin` is `trunk`")),
    ("the remote's branch", |it| { it.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n"); }, Right),
    ("folders of `HEAD`, which is another branch", |it| { it.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n"); folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/*' }] }"); }, Noted("its Git generator reads another revision than its Applications")),
    ("folders of `HEAD`, which is the branch", |it| { it.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n"); folders(it, "{ repoURL: 'https://git.example.org/net/peerings.git', revision: HEAD, directories: [{ path: 'peerings/*' }] }"); }, Right),
    ("a commit, not a branch", |it| { it.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n"); set(it, &[("refs/heads/main", "c0ffee1")]); }, Right),
    ("a project without the repository", |it| it.write("apps/project.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: { name: peering-consumer, namespace: argocd }\nspec: { sourceRepos: [https://git.example.org/net/other.git], destinations: [{ server: '*', namespace: '*' }] }\n"), Beside("add `- https://git.example.org/net/peerings.git` to its `sourceRepos`")),
    ("the document is ignored", |it| { it.write(".gitignore", "peering.yaml\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/peering.yaml"]); }, Beside("`peering.yaml` is not committed")),
    ("a byte order mark before a pattern", |it| { it.write(".gitignore", "\u{feff}*.age\n"); it.git(&["rm", "-q", "--cached", "peerings/consumer-provider/kubeconfig.age"]); }, Beside("line 1 of .gitignore has Git pass over it")),
    ("a folder is ignored", |it| { it.write(".gitignore", "peerings/\n"); it.git(&["rm", "-rq", "--cached", "peerings"]); }, Beside("remove that line: what is in a folder that Git passes over cannot be taken in again")),
    ("a manifest in JSON", |it| it.write("peerings/consumer-provider/ns.json", "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"demo\"}}"), Noted("do not apply this manifest")),
    ("a manifest in one line", |it| it.write("peerings/consumer-provider/ns.yaml", "{ apiVersion: v1, kind: Namespace, metadata: { name: demo } }\n"), Noted("do not apply this manifest")),
    ("a document of a similar name", |it| it.write("peerings/consumer-provider/peering.yml", "a: b\n"), Noted("the plugin reads only that one")),
    ("a PGP message", |it| it.write("peerings/consumer-provider/peering.seed.age", "-----BEGIN PGP MESSAGE-----\n"), Beside("it is a file of OpenPGP")),
    ("a file of SOPS", |it| it.write("peerings/consumer-provider/peering.seed.age", "{\"data\":\"ENC[AES256_GCM,data:a]\"}"), Beside("it is a file of SOPS")),
    ("a SealedSecret", |it| it.write("peerings/consumer-provider/peering.seed.age", "kind: SealedSecret\n"), Beside("it is a file of sealed-secrets")),
    ("a merge conflict", |it| { let text = std::fs::read_to_string(it.root().join("peerings/consumer-provider/peering.seed.age")).expect("a file"); it.write("peerings/consumer-provider/peering.seed.age", format!("<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> a\n")); }, Beside("it has the marks of a merge conflict")),
];

#[test]
fn what_people_write_is_judged_or_named() {
    let mut sample = Sample::new();
    let wrong: Vec<String> = ROWS.iter().filter(|_| sample.takes()).filter_map(try_row).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}

/// What is reported otherwise.
fn try_row((what, change, verdict): &Row) -> Option<String> {
    let repository = repository();
    change(&repository);
    let validate = |flags: &[&str]| {
        let arguments = ["validate", "."].iter().chain(flags);
        Run::new(arguments.copied()).within(repository.root()).run()
    };
    let (plain, strict) = (validate(&[]), validate(&["--strict"]));
    let has = |words: &str| plain.stderr.contains(words) && strict.stderr.contains(words);
    let codes = (plain.code, strict.code);
    let is_told = match verdict {
        Wrong(words) | Beside(words) => codes == (Some(1), Some(1)) && has(words),
        Noted(words) => codes == (Some(0), Some(1)) && has(words),
        Named(words) => {
            codes == (Some(0), Some(1)) && has(words) && strict.stderr.contains("error[not-judged]")
        }
        // the quickstart has values of the examples, which are notes
        Right => {
            plain.code == Some(0)
                && !["[application", "[unused", "not ./"].iter().any(|it| plain.stderr.contains(it))
        }
    };
    if !is_told {
        return Some(format!("{what}:\n{plain}\n{strict}"));
    }
    let (Wrong(words) | Named(words)) = verdict else { return None };
    let diff = repository.diff(&["."]).run();
    let is_told = diff.stdout.contains(&words.replace('`', "'"));
    (!is_told).then(|| format!("{what}: diff does not write `{words}`: {diff}{}", diff.stdout))
}
