//! What `validate` sees around a document: the files beside it, and the Applications that lead to it.

use crate::harness::{
    Checkout, Outcome, REPO, ROLES, Run, committed, copy_of, demo_identity, document, put, quickstart,
    replaced, seal,
};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// A repository with one peering of one's own, as `init` writes it.
pub(crate) fn repository() -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a repository");
    peering(&root.path().join("peerings/rome-milan"), "rome-milan");
    root
}

pub(crate) fn peering(folder: &Path, name: &str) {
    let text = document()
        .replace("172.16.183.16", "172.20.0.16")
        .replace("myuser", "rome")
        .replace("# yaml-language-server: $schema=../../docs/peering.schema.json\n", "");
    copy_of(&quickstart(), folder);
    put(folder.join("peering.yaml"), text);
    applications(folder, &format!("peerings/{name}"));
}

/// Both Applications of a path, in a folder.
fn applications(folder: &Path, path: &str) {
    for role in ROLES {
        put(folder.join(format!("application-{role}.yaml")), application(role, role, path));
    }
}

pub(crate) fn application(role: &str, cluster: &str, path: &str) -> String {
    let other = if role == "consumer" { "provider" } else { "consumer" };
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: rome-milan-{role}\n  annotations:\n    \
         argocd.argoproj.io/manifest-generate-paths: .\nspec:\n  project: peering-{role}\n  source:\n    repoURL: {REPO}\n    \
         targetRevision: refs/heads/main\n    path: {path}\n    plugin:\n      name: argocd-peering\n      parameters:\n        \
         - {{ name: role, string: {role} }}\n        - {{ name: cluster, string: {cluster} }}\n  destination:\n    name: {cluster}\n    \
         namespace: liqo-tenant-{other}\n  \
         syncPolicy: {{ automated: {{ prune: true }}, retry: {{ limit: 5, refresh: true }}, syncOptions: [PrunePropagationPolicy=background] }}\n"
    )
}

pub(crate) fn validate(root: &TempDir, path: &str) -> Outcome {
    Run::new(["validate", path]).within(root.path()).run()
}

/// What Argo CD takes is green without a word.
#[test]
fn a_sound_folder_is_quiet() {
    let root = repository();
    for path in [".", "peerings", "peerings/rome-milan", "peerings/rome-milan/peering.yaml"] {
        validate(&root, path).says("1 peering: nothing is wrong\n").silent_on("note").done();
    }
    Run::new(["validate", "examples/network-only"])
        .within(crate::harness::root())
        .run()
        .says("the terms of 1 sealed file:");
}

#[test]
fn the_renamed_folder() {
    let root = repository();
    let folder = root.path().join("peerings");
    fs::rename(folder.join("rome-milan"), folder.join("rome-turin")).expect("renamed");
    let outcome = validate(&root, "peerings");
    outcome.fails(1, "application");
    outcome.says("its `path` is `peerings/rome-milan`, and this folder is `peerings/rome-turin`");
    outcome.says("--path peerings/rome-turin").says("2 problems");
    // the document alone is as good as before, and so it is where no repository says what its name is
    fs::remove_dir(root.path().join(".git")).expect("no repository");
    validate(&root, "peerings").done();
}

/// A link leads anywhere, and who can push makes it.
#[test]
fn no_link_is_followed() {
    let root = repository();
    let outside = tempfile::tempdir().expect("a folder");
    fs::copy(demo_identity(""), outside.path().join("identity.txt")).expect("copied");
    put(outside.path().join("app.yaml"), application("server", "rome", "peerings/rome-milan"));
    let folder = root.path().join("peerings/rome-milan");
    symlink(outside.path().join("identity.txt"), folder.join("identity.txt")).expect("a link");
    symlink(outside.path(), folder.join("more")).expect("a link");
    symlink(outside.path().join("app.yaml"), folder.join("app.yaml")).expect("a link");
    symlink(outside.path(), root.path().join("apps")).expect("a link");
    let outcome = validate(&root, ".");
    outcome.fails(1, "application").says("3 problems and 1 note");
    outcome.says("this symbolic link leads out of the repository").silent_on("plaintext-secret");
    outcome.silent_on("`server`");
}

/// Other tools' files are left in peace.
#[test]
fn what_is_not_argo_cds_is_not_judged() {
    let root = repository();
    let folder = root.path().join("peerings/rome-milan");
    for (name, text) in [
        ("template.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {{ .Values.spec }}\n"),
        (
            "other.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: { source: { path: x } }\n",
        ),
        ("anchors.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: &k Application\nspec: *k\n"),
        ("deep.json", &"[".repeat(100_000)),
    ] {
        put(folder.join(name), text);
    }
    validate(&root, ".").done();
}

/// A file that two paths lead to is one, and its Application has no twin.
#[test]
fn paths_that_lead_to_one_file() {
    let root = repository();
    let folder = "peerings/rome-milan";
    let (file, again) = (format!("{folder}/peering.yaml"), format!("./{folder}/peering.yaml"));
    for paths in
        [["peerings", folder], [&file, folder], [&file, &again], [".", "./peerings"], ["./peerings", folder]]
    {
        let outcome = Run::new(["validate"]).args(paths).within(root.path()).run();
        outcome.says("1 peering: nothing is wrong\n").silent_on("note").silent_on("no peering").done();
    }
}

/// Many Applications in one file are looked at, and what is too large to be read is not passed over in silence.
#[test]
fn large_files_are_told() {
    let root = repository();
    let path = root.path().join("applications.yaml");
    let wrong = format!("---\n{}", application("server", "rome", "x"));
    put(&path, wrong.repeat((5 << 18) / wrong.len()));
    validate(&root, ".").fails(1, "application").says("`server`, which is not a role");
    let file = fs::File::create(&path).expect("a file");
    file.set_len((4 << 20) + 1).expect("a length");
    let outcome = validate(&root, ".");
    outcome.says("; not ./applications.yaml: it has more than 4 MiB").says("nothing is wrong").done();
}

/// Other tools' manifests do not count against the Applications.
#[test]
fn other_manifests_have_no_bound() {
    let root = repository();
    for number in 0..65 {
        let file = fs::File::create(root.path().join(format!("other-{number}.yaml"))).expect("a file");
        file.set_len(1 << 20).expect("a length");
    }
    validate(&root, ".").done();
}

#[test]
fn an_empty_tree_is_no_error() {
    let root = repository();
    fs::remove_dir_all(root.path().join("peerings/rome-milan")).expect("removed");
    validate(&root, "peerings").says("no peering below peerings\n").silent_on("nothing is wrong").done();
    let report = Run::new(["validate", "--format", "json", "peerings"]).within(root.path()).run();
    report.prints("\"peerings\": 0").done();
    validate(&root, "peering").fails(1, "document-file");
}

#[test]
fn a_name_that_is_nearly_right() {
    let root = repository();
    let folder = root.path().join("peerings/rome-milan");
    fs::rename(folder.join("peering.yaml"), folder.join("peering.yml")).expect("renamed");
    validate(&root, "peerings")
        .fails(1, "document-file")
        .silent_on("note")
        .says("peering.yml is there: rename it to peering.yaml");
    let checkout = Checkout::new();
    fs::rename(checkout.folder().join("peering.yaml"), checkout.folder().join("Peering.yaml"))
        .expect("renamed");
    checkout.plugin("consumer").run().fails(3, "document-file").says("Peering.yaml is there: rename it");
}

/// Both projects of the documentation permit what the quickstart's streams have, and no second namespace.
#[test]
fn a_second_namespace_needs_the_project() {
    let root = repository();
    for role in ["consumer", "provider"] {
        let file = format!("project-{role}.yaml");
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("argocd-app").join(&file);
        fs::copy(from, root.path().join(&file)).expect("copied");
    }
    validate(&root, ".").done();
    let path = root.path().join("peerings/rome-milan/peering.yaml");
    let text = fs::read_to_string(&path).expect("a document");
    let more = text.replace(
        "      - name: demo\n",
        "      - name: shop\n        clusters: thisPeer\n      - name: demo\n",
    );
    assert_ne!(text, more);
    put(&path, more);
    let outcome = validate(&root, ".");
    outcome.fails(1, "app-project").says("--> ./project-consumer.yaml:");
    outcome.says("add `- { name: consumer, namespace: shop }` to its `destinations`");
}

/// The Application's own destination is the stream's too.
#[test]
fn a_missing_destination_is_reported_once() {
    let root = repository();
    let project = committed("argocd-app/project-consumer.yaml");
    let narrow = project.replacen("namespace: \"liqo-tenant-*\"", "namespace: other", 1);
    assert_ne!(narrow, project);
    put(root.path().join("project.yaml"), narrow);
    let outcome = validate(&root, ".");
    outcome.fails(1, "app-project").says("namespace: liqo-tenant-provider");
    assert_eq!(outcome.stderr.matches("error[app-project]").count(), 1, "{outcome}");
}

/// A patch has a part of a project, and two Argo CDs can have two projects of one name.
#[test]
fn what_is_not_all_of_a_project_is_not_judged() {
    let root = repository();
    let project = committed("argocd-app/project-consumer.yaml");
    let lacks = project.replace("kind: GatewayClient", "kind: Other");
    assert_ne!(lacks, project);
    put(root.path().join("project.yaml"), &lacks);
    validate(&root, ".").fails(1, "app-project").says("GatewayClient");
    put(root.path().join("other.yaml"), &project);
    validate(&root, ".").done();
    fs::remove_file(root.path().join("other.yaml")).expect("removed");
    let patch = "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: { name: peering-consumer }\nspec: { syncWindows: [] }\n";
    put(root.path().join("project.yaml"), patch);
    validate(&root, ".").done();
}

/// A set that is for one side is judged as that side's.
#[test]
fn a_set_of_one_role() {
    let root = repository();
    let folders = root.path().join("peerings");
    fs::create_dir(folders.join("consumer")).expect("a folder");
    fs::rename(folders.join("rome-milan"), folders.join("consumer/provider")).expect("renamed");
    for role in ["consumer", "provider"] {
        fs::remove_file(folders.join(format!("consumer/provider/application-{role}.yaml"))).expect("removed");
    }
    let set =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("argocd-app/applicationset.yaml"))
            .expect("a set");
    let segment = "{{ index .path.segments (ternary 1 2 (eq .role \"consumer\")) }}";
    let of_consumer = set.replace(segment, "{{ index .path.segments 1 }}");
    let role = "string: '{{ .role }}'";
    assert!(of_consumer != set && set.contains(role));
    let listed = replaced(&of_consumer, "                - role: provider\n", "");
    for (set, is_right) in [
        (listed.replace(role, "string: consumer"), true),
        (listed.replace(role, "string: provider"), false),
        (listed, true),
        // with a class of path.Match it is not known which folders the set has
        (of_consumer.replace("path: peerings/*/*", "path: peerings/[x-z]*/*"), true),
        (of_consumer, false),
        (set, true),
    ] {
        put(root.path().join("set.yaml"), set);
        let outcome = validate(&root, ".");
        if is_right {
            outcome.done();
        } else {
            outcome.fails(1, "application").says("the provider's destination is `consumer`");
        }
    }
}

/// Wherever the two are.
#[test]
fn two_applications_of_one_name() {
    let root = repository();
    let (one, other) = ("peerings/rome-milan/application-consumer.yaml", "peerings/other/application.yaml");
    let text = fs::read_to_string(root.path().join(one)).expect("an Application");
    fs::create_dir(root.path().join("peerings/other")).expect("a folder");
    put(root.path().join(other), text.replace("role, string: consumer", "role, string: provider"));
    // each file can be for an Argo CD of its own
    let outcome = validate(&root, ".");
    outcome.says("note[application-setting]: another Application is called `rome-milan-consumer` too");
    outcome.says(one).says(other).says("unless they are for two Argo CDs, rename one");
    let both = format!("{text}---\n{}", text.replace("role, string: consumer", "role, string: provider"));
    put(root.path().join(one), both);
    fs::remove_file(root.path().join(other)).expect("removed");
    let outcome = validate(&root, ".");
    outcome.fails(1, "application");
    outcome.says("error[application]: another Application is called `rome-milan-consumer` too");
    outcome.says("Argo CD prunes the objects of that one");
    // the name of a template is not known
    let template = text.replace("name: rome-milan-consumer", "name: '{{ .Release.Name }}'");
    let of_provider = template.replace("role, string: consumer", "role, string: provider");
    put(root.path().join(one), template);
    put(root.path().join(other), of_provider);
    validate(&root, ".").silent_on("is called");
    put(root.path().join(one), &text);
    // of two namespaces they are two objects
    let elsewhere =
        text.replace("  name: rome-milan-consumer\n", "  name: rome-milan-consumer\n  namespace: other\n");
    assert_ne!(elsewhere, text);
    put(root.path().join(other), elsewhere);
    validate(&root, ".").fails(1, "application").silent_on("is called").says("has this folder and the role");
}

/// As `init` writes the terms: one folder, two projects, a branch.
fn opened(root: &TempDir) -> Outcome {
    let identity = demo_identity("");
    Run::new(["validate", "peerings", "--identity-file"]).arg(identity).within(root.path()).run()
}

/// The quickstart's files, which open in `peerings/consumer-provider`.
fn quickstart_repository() -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a repository");
    let folder = root.path().join("peerings/consumer-provider");
    copy_of(&quickstart(), &folder);
    applications(&folder, "peerings/consumer-provider");
    root
}

/// The files beside it would be those of the working directory, whatever the document is.
#[test]
fn a_document_from_standard_input_opens_nothing() {
    let run = Run::new(["validate", "-", "--identity-file"]).arg(demo_identity(""));
    run.run().fails(2, "flag").says("the folder of standard input");
}

#[test]
fn what_argo_cd_will_open_is_known_before_the_push() {
    let root = quickstart_repository();
    opened(&root).done();
    let folder = root.path().join("peerings/consumer-provider");
    for (file, from, to, words) in [
        ("application-consumer.yaml", "peering-consumer", "default", "its terms allow the projects"),
        ("application-provider.yaml", REPO, "https://git.example.org/other.git", "its terms allow the repos"),
    ] {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect(file);
        put(&path, text.replace(&format!(": {from}\n"), &format!(": {to}\n")));
        opened(&root).fails(1, "denied").says(words).says("argocd-peering reseal").silent_on("AGE-SECRET");
        put(&path, text);
    }
    // a folder with its Applications that is renamed as a whole
    fs::rename(&folder, root.path().join("peerings/turin")).expect("renamed");
    for role in ["consumer", "provider"] {
        let path = root.path().join(format!("peerings/turin/application-{role}.yaml"));
        put(path, application(role, role, "peerings/turin"));
    }
    validate(&root, "peerings").done();
    opened(&root).fails(1, "denied").says("Argo CD will report `peerings/turin`").says("allow the paths");
    // and a person's own stream says the same, and is the same
    let run = Run::new(["generate", "peerings/turin", "--local", "--role", "consumer", "--identity-file"]);
    let local = run.arg(demo_identity("")).within(root.path()).run();
    local.says("note: Argo CD would refuse peering.seed.age here: its terms allow the paths").done();
}

/// One entry has the Application's project, the other one the document's delivery: a person opens the file, and Argo CD will not.
#[test]
fn an_entry_that_allows_the_delivery_must_allow_the_caller() {
    let root = quickstart_repository();
    let file = root.path().join("peerings/consumer-provider/peering.seed.age");
    let write = |of_the_project: &str, of_another: &str| {
        let with = |delivery: &str, projects: Value| {
            let mut entry = seal::terms();
            entry["delivery"] = json!([delivery]);
            entry["projects"] = projects;
            entry
        };
        let project = with(of_the_project, seal::terms()["projects"].clone());
        let another = with(of_another, json!(["other"]));
        let payload = seal::seed_payload(&json!({ "allow": [project, another] }));
        put(&file, seal::sealed(&payload));
        opened(&root)
    };
    write("Secret", "SealedSecret").done();
    let refused = write("SealedSecret", "Secret");
    refused.fails(1, "denied").says("its terms allow the delivery").says("Argo CD will report `Secret`");
}

#[test]
fn an_identity_that_opens_nothing_is_an_error() {
    let root = quickstart_repository();
    let (_, text) = crate::harness::seal::identity();
    put(root.path().join("identity.txt"), text);
    let run = Run::new(["validate", "peerings", "--identity-file", "identity.txt"]).within(root.path());
    let outcome = run.run();
    outcome.fails(1, "sealed-payload").says("none of the identities opens it");
    // of many folders it is this one
    outcome.says("peerings/consumer-provider/");
}

/// Both sides have the seed, and one of them a kubeconfig.
#[test]
fn what_is_wrong_with_a_seed_is_said_once() {
    let root = quickstart_repository();
    let folder = root.path().join("peerings/turin");
    fs::rename(root.path().join("peerings/consumer-provider"), &folder).expect("renamed");
    for role in ["consumer", "provider"] {
        fs::remove_file(folder.join(format!("application-{role}.yaml"))).expect("removed");
    }
    let outcome = opened(&root);
    outcome.fails(1, "denied").says("2 problems");
    assert_eq!(outcome.stderr.matches("peering.seed.age: Argo CD will refuse it").count(), 1, "{outcome}");
}

/// Of a set as of Applications, as far as its template is known.
#[test]
fn what_argo_cd_will_open_for_a_set_is_known() {
    let root = quickstart_repository();
    for role in ["consumer", "provider"] {
        let file = format!("peerings/consumer-provider/application-{role}.yaml");
        fs::remove_file(root.path().join(file)).expect("removed");
    }
    let set = committed("argocd-app/applicationset.yaml")
        .replace("peerings/*/*", "peerings/*")
        .replace("{{ index .path.segments 1 }}-{{ index .path.segments 2 }}", "{{ .path.basename }}")
        .replace("{{ index .path.segments (ternary 1 2 (eq .role \"consumer\")) }}", "{{ .role }}")
        .replace(
            "liqo-tenant-{{ index .path.segments (ternary 2 1 (eq .role \"consumer\")) }}",
            "liqo-tenant",
        );
    let write = |text: String| fs::write(root.path().join("peerings/set.yaml"), text).expect("written");
    write(set.clone());
    opened(&root).silent_on("cannot be evaluated").done();
    let revision = "targetRevision: refs/heads/main";
    for (from, to, words) in [
        ("project: 'peering-{{ .role }}'", "project: 'other-{{ .role }}'", "report `other-consumer`"),
        (
            &format!("      source:\n        repoURL: {REPO}"),
            "      source:\n        repoURL: https://git.example.org/other.git",
            "the repos",
        ),
        ("path: '{{ .path.path }}'", "path: 'x/{{ .path.path }}'", "report `x/peerings/consumer-provider`"),
    ] {
        write(replaced(&set, from, to));
        opened(&root).fails(1, "denied").says(words);
    }
    for (from, to, why) in [
        (revision, "targetRevision: '{{ .role | trunc 3 }}'", "`{{ .role | trunc 3 }}` is not evaluated"),
        (
            "  template:\n",
            "  templatePatch: 'spec: {}'\n  template:\n",
            "its `templatePatch` is not evaluated",
        ),
        (
            "              directories:\n",
            "              files:\n",
            "the pattern `peerings/*` of its generator",
        ),
    ] {
        write(replaced(&set, from, to));
        opened(&root).says(&format!("not peerings/set.yaml: {why}")).done();
    }
    // what Argo CD refuses
    for (from, to) in [
        (revision, "targetRevision: '{{ .branch }}'"),
        ("string: '{{ .role }}'\n            # The", "string: '{{ .side }}'\n            # The"),
    ] {
        write(replaced(&set, from, to));
        opened(&root)
            .fails(1, "application")
            .says("Argo CD generates no Application of it: there is no value");
    }
}

/// Each organisation's Argo CD has the Application of its side.
#[test]
fn a_half_is_compared_as_one() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("peerings/two-organisations");
    fs::create_dir(root.path().join(".git")).expect("a repository");
    fs::create_dir_all(&folder).expect("a folder");
    for name in ["peering.yaml", "consumer.seed.age", "kubeconfig.age"] {
        let from = crate::harness::root().join("examples/two-organisations/consumer").join(name);
        fs::copy(from, folder.join(name)).expect(name);
    }
    let validate = || {
        let run = Run::new(["validate", "peerings", "--identity-file"]).arg(demo_identity("consumer-"));
        run.within(root.path()).run()
    };
    validate().done();
    // the other side's Application cannot render here
    let text = application("provider", "sassari", "peerings/two-organisations");
    put(folder.join("application.yaml"), text);
    validate().fails(1, "seed-elsewhere").says("the provider's seed is not in this folder").says("1 problem");
}
