//! What a change of Argo CD's own objects does: they decide what becomes of all others.

use crate::harness::{Repository, table};

const FOLDER: &str = "peerings/rome";
const APPLICATION: &str = "peerings/rome/application-consumer.yaml";

const CONSUMER: &str = "apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: rome-milan-consumer
  namespace: argocd
spec:
  project: peering-consumer
  source:
    repoURL: https://git.example.org/net/peerings.git
    targetRevision: refs/heads/main
    path: peerings/rome
    plugin:
      name: argocd-peering
      parameters: [{ name: role, string: consumer }]
  destination: { name: rome, namespace: liqo-tenant-milan }
  syncPolicy:
    automated: { prune: true, selfHeal: true }
    syncOptions: [PrunePropagationPolicy=background]
";

const PROJECT: &str = "apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: peering-consumer, namespace: argocd }
spec:
  sourceRepos: [https://git.example.org/net/peerings.git]
  destinations: [{ name: rome, namespace: liqo-tenant-milan }]
";

fn repository() -> Repository {
    let repository = Repository::new(FOLDER);
    repository.write(APPLICATION, CONSUMER);
    repository.write("apps/project.yaml", PROJECT);
    repository.commit();
    repository
}

/// An Application of a folder that `render` wrote is compared and judged as one with the plugin; one of another folder is not.
#[test]
fn a_rendered_application_is_compared_and_judged() {
    for (folder, is_seen) in
        [("rendered/consumer-provider/consumer", true), ("rendered/other/consumer", false)]
    {
        let repository = Repository::new(FOLDER);
        let plugin =
            "    plugin:\n      name: argocd-peering\n      parameters: [{ name: role, string: consumer }]\n";
        let text = CONSUMER.replace(plugin, "").replace("path: peerings/rome", &format!("path: {folder}"));
        assert!(!text.contains("plugin"));
        repository.write(&format!("{folder}/manifests.yaml"), "# a stream\n");
        repository.write("apps/consumer.yaml", text.replace("name: rome,", "name: consumer,"));
        repository.commit();
        repository.write("apps/consumer.yaml", &text);
        repository.commit();
        let shown = repository.diff(&[".", "--from", "HEAD~1", "--to", "HEAD"]).run().stdout;
        assert_eq!(shown.contains("spec.destination.name"), is_seen, "{shown}");
        assert_eq!(shown.contains("its destination is 'rome'"), is_seen, "{shown}");
        // one that leads elsewhere is still there
        repository.edit("apps/consumer.yaml", folder, "elsewhere");
        let moved = repository.diff(&["."]).run().stdout;
        assert_eq!(moved.contains("spec.source.path"), is_seen, "{moved}");
        assert!(!moved.contains("deletes the objects of an Application that goes"), "{moved}");
    }
}

/// Each setting by its worst class.
#[test]
fn each_setting_has_its_class() {
    for line in include_str!("applications.txt").lines().filter(|it| it.starts_with("setting ")) {
        let (row, words) = line.split_once(" => ").expect(line);
        let row = table::words(row);
        let [_, from, to, class] = &row[..] else { panic!("{line}") };
        let repository = repository();
        repository.edit(APPLICATION, from, to);
        for arguments in
            [&["peerings"][..], &["peerings", "--format", "markdown"], &["peerings", "--format", "json"]]
        {
            let outcome = repository.diff(arguments).run();
            assert_eq!(outcome.code, Some(1), "{to}: {outcome}");
            assert!(outcome.stdout.contains(words), "{to}, {arguments:?}: {outcome}");
        }
        let json = repository.diff(&["peerings", "--format", "json"]).run().json();
        assert_eq!(json["worst"], class.as_str(), "{to}");
        assert_eq!(json["changed"][0]["objects"][0]["kind"], "Application");
        assert!(json["changed"][0]["objects"][0].get("role").is_none(), "it is on no cluster of the peering");
        // both revisions of a commit give the same
        repository.commit();
        let outcome = repository.diff(&["peerings", "--from", "HEAD~1", "--to", "HEAD"]).run();
        assert!(outcome.stdout.contains(words), "{to}: {outcome}");
        let gate =
            repository.diff(&["peerings", "--from", "HEAD~1", "--to", "HEAD", "--fail-on", class]).run();
        assert_eq!(gate.code, Some(1), "{to}: {gate}");
    }
}

/// Argo CD prunes by the stream: another path of the same peering deletes nothing.
#[test]
fn a_path_to_the_same_peering_deletes_nothing() {
    const DELETES: &str = "Deletes data";
    let repository = repository();
    let moved = |to: &str| {
        let name = to.rsplit('/').next().expect("a name");
        std::fs::rename(repository.root().join(FOLDER), repository.root().join(to)).expect("moved");
        repository.edit(
            &format!("{to}/application-consumer.yaml"),
            "path: peerings/rome",
            &format!("path: {to}"),
        );
        let outcome = repository.diff(&["."]).run();
        outcome.prints("spec.source.path: peerings/rome →").prints(&format!("peerings/{name}\n"));
        outcome
    };
    let outcome = moved("peerings/oslo");
    assert!(!outcome.stdout.contains(DELETES), "{outcome}");
    outcome.prints("The same peering is rendered from there");
    // another source, and another peering in the new folder
    repository.edit("peerings/oslo/application-consumer.yaml", "refs/heads/main", "refs/heads/next");
    repository.diff(&["."]).run().prints(DELETES);
    repository.edit("peerings/oslo/application-consumer.yaml", "refs/heads/next", "refs/heads/main");
    repository.edit("peerings/oslo/peering.yaml", "clusterID: consumer", "clusterID: turin");
    repository.diff(&["."]).run().prints("Another folder is rendered");
    // a copy has its old folder still
    repository.edit("peerings/oslo/peering.yaml", "clusterID: turin", "clusterID: consumer");
    repository.copy_of_quickstart(FOLDER);
    repository.diff(&["."]).run().prints("Another folder is rendered");
}

/// What is in a rendered folder is not compared, so another one can have anything under the same name.
#[test]
fn a_rendered_folder_that_moves_can_delete() {
    let repository = Repository::new(FOLDER);
    let plugin =
        "    plugin:\n      name: argocd-peering\n      parameters: [{ name: role, string: consumer }]\n";
    let rendered = "path: rendered/consumer-provider/consumer";
    repository
        .write("apps/consumer.yaml", CONSUMER.replace(plugin, "").replace("path: peerings/rome", rendered));
    repository.commit();
    repository.edit("apps/consumer.yaml", "path: rendered/", "path: elsewhere/");
    repository.diff(&["."]).run().prints("spec.source.path").prints("Deletes data");
}

/// A set's own path, and the one of its generator, from which a name comes: Argo CD deletes the Application of the old name.
#[test]
fn a_path_in_a_generator_also_makes_names() {
    let set = "apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: consumers, namespace: argocd }
spec:
  goTemplate: true
  generators:
    - git: { repoURL: https://git.example.org/net/peerings.git, revision: main, directories: [{ path: peerings/rome }] }
  template:
    metadata: { name: 'c-{{ .path.basename }}' }
    spec:
      project: peering-consumer
      source: { repoURL: https://git.example.org/net/peerings.git, path: PATH, plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] } }
      destination: { name: consumer }
";
    for (path, moved, deletes) in [
        ("'{{ .path.path }}'", "directories: [{ path: peerings/rome", true),
        (
            "peerings/rome",
            "source: { repoURL: https://git.example.org/net/peerings.git, path: peerings/rome",
            false,
        ),
    ] {
        let repository = Repository::new(FOLDER);
        repository.write("apps/set.yaml", set.replace("PATH", path));
        repository.commit();
        let root = repository.root();
        std::fs::rename(root.join(FOLDER), root.join("peerings/eu")).expect("moved");
        repository.edit("apps/set.yaml", moved, &moved.replace("rome", "eu"));
        let outcome = repository.diff(&["."]).run();
        outcome.prints("peerings/rome → peerings/eu");
        assert_eq!(outcome.stdout.contains("Deletes data"), deletes, "{outcome}");
    }
}

/// In a folder that has no document, and of the whole checkout.
#[test]
fn a_project_is_compared_where_it_is() {
    let repository = repository();
    repository.edit("apps/project.yaml", "namespace: liqo-tenant-milan", "namespace: '*'");
    let outcome = repository.diff(&["."]).run();
    for words in [
        "apps\n",
        "~ Argo CD: AppProject argocd/peering-consumer",
        "The project permits other repositories",
        "Changes in 0 of 1 peering: 1 object changed. This widens rights.",
    ] {
        outcome.prints(words);
    }
}

#[test]
fn an_application_that_goes_takes_its_objects_with_it() {
    let repository = repository();
    repository.write(APPLICATION, "# nothing\n");
    let outcome = repository.diff(&["peerings", "--fail-on", "deletes-data"]).run();
    outcome.ends(1).prints("- Argo CD: Application argocd/rome-milan-consumer");
}

/// A comment, another order, quotes, another file: nothing that Argo CD sees.
#[test]
fn what_argo_cd_does_not_see_is_no_change() {
    let repository = repository();
    let moved = CONSUMER
        .replace("  project: peering-consumer\n", "")
        .replace("  destination:", "  project: \"peering-consumer\" # the same\n  destination:");
    repository.write(APPLICATION, "# moved\n");
    repository.write("peerings/rome/other.yaml", &moved);
    repository.diff(&["."]).run().done();
    // another tool's Application
    repository.write(
        "apps/other.yaml",
        CONSUMER.replace("name: argocd-peering", "name: other").replace("name: role", "name: side"),
    );
    repository.diff(&["."]).run().done();
}

/// What validate would report, as far as the commit brings it.
#[test]
fn what_a_commit_makes_wrong_is_a_note() {
    let repository = repository();
    let before = "`peerings/rome/application-consumer.yaml`: `its destination is";
    repository.edit(APPLICATION, "prune: true", "prune: false");
    let outcome = repository.diff(&["."]).run();
    outcome.prints("note: `peerings/rome/application-consumer.yaml`: `it does not prune`");
    assert!(!outcome.stdout.contains(before), "it was so before: {outcome}");
    repository.edit(APPLICATION, "destination: { name: rome,", "destination: { name: '``@all',");
    let outcome = repository.diff(&[".", "--format", "markdown"]).run();
    let words = "**Needs attention.** `peerings/rome/application-consumer.yaml`: `its destination is '''@all', and the consumer of the document is 'consumer'`";
    outcome.prints(words);
}

/// What nothing is known of is said of its file, in that file's folder.
#[test]
fn what_a_commit_has_not_judged_is_a_note() {
    let repository = repository();
    repository.edit(APPLICATION, "  project:", "  novel: 1\n  project:");
    let shown = repository.diff(&["."]).run();
    shown.prints("note: `peerings/rome/application-consumer.yaml`: `not judged: 'spec.novel': no such field of Argo CD's is known here`");
    assert!(shown.stdout.starts_with("peerings/rome\n"), "{shown}");
    // in another file it is the same
    repository.commit();
    repository.git(&["mv", APPLICATION, "apps/moved.yaml"]);
    repository.diff(&["."]).run().done();
}

/// What is not Argo CD's stops no comparison: not a file that git checks out with other bytes, and not the size of all of them.
#[test]
fn other_files_stop_no_comparison() {
    let repository = repository();
    repository.write(".gitattributes", "other/*.yaml eol=crlf\nother/secret.yaml filter=git-crypt\n");
    repository.write("other/values.yaml", "a: 1\n");
    repository.write("other/secret.yaml", "b: 2\n");
    for number in 0..22 {
        repository.write(&format!("large/{number}.yaml"), "#\n".repeat(3 << 19));
    }
    repository.commit();
    let diff = || repository.diff(&[".", "--from", "HEAD~1", "--to", "HEAD"]).run();
    diff().done();
    // one of Argo CD's is refused as a document is
    repository.write("other/values.yaml", CONSUMER);
    repository.commit();
    diff().fails(2, "flag").says("git checks other/values.yaml of `HEAD` out with other bytes");
}
