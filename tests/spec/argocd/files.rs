//! Argo CD's files as people write them beside a sound folder: a part is no whole, and what is not read is named.

use crate::command::validate::application;
use crate::harness::{Outcome, Repository, Run, committed, replaced};

const FOLDER: &str = "peerings/consumer-provider";

pub(super) fn repository() -> Repository {
    let repository = Repository::new(FOLDER);
    for role in ["consumer", "provider"] {
        repository.write(&format!("apps/{role}.yaml"), committed(&format!("argocd-app/{role}.yaml")));
    }
    repository
}

pub(super) fn validate(repository: &Repository) -> Outcome {
    Run::new(["validate", "."]).within(repository.root()).run()
}

#[test]
fn a_part_of_an_application_is_not_judged() {
    let repository = repository();
    validate(&repository).done();
    let whole = committed("argocd-app/consumer.yaml");
    let source = "  source:\n    path: x\n    plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }\n";
    let head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec:\n";
    for (text, why) in [
        (format!("{head}{source}"), "it has no `project`, so it is a part of one"),
        (format!("{head}  project: a\n{source}"), "it has no `destination`"),
        (format!("{head}  project: a\n  destination: {{ name: a }}\n{source}"), "it has no `repoURL`"),
        (
            replaced(&whole, "path: peerings/consumer-provider", "path: '{{ .Values.path }}'"),
            "it is a template of another tool",
        ),
        (replaced(&whole, "spec:\n", "spec: &spec\n"), "anchors"),
        (replaced(&whole, "kind: Application\n", "kind: Rollout\n"), "the kind `Rollout` is not judged"),
    ] {
        repository.write("overlay/patch.yaml", &text);
        validate(&repository).silent_on("[application").says("not ./overlay/patch.yaml").says(why).done();
    }
    // what only names something of Argo CD's is nothing of ours
    for text in [
        whole.replace("argocd-peering", "other").replace("name: role", "name: side"),
        committed("plugin.yaml"),
    ] {
        repository.write("overlay/patch.yaml", &text);
        validate(&repository).silent_on("[application").silent_on("overlay");
    }
}

#[test]
fn the_objects_of_a_list_are_judged() {
    let repository = repository();
    let application = application("consumer", "elsewhere", FOLDER).replace('\n', "\n    ");
    repository
        .write("apps/consumer.yaml", format!("apiVersion: v1\nkind: List\nitems:\n  - {application}\n"));
    validate(&repository).fails(1, "application").says("its destination is `elsewhere`");
}

/// As PowerShell writes files; Go's YAML reads it.
#[test]
fn a_file_in_utf_16_is_judged() {
    let repository = repository();
    let text = application("consumer", "elsewhere", FOLDER);
    for (mark, bytes) in
        [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
    {
        let wide: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect();
        repository.write("apps/consumer.yaml", wide);
        validate(&repository).fails(1, "application").says("its destination is `elsewhere`");
    }
}

/// An Argo CD for each environment has the same two Applications.
#[test]
fn two_folders_of_applications_are_two_argo_cds() {
    let repository = repository();
    for environment in ["production", "staging"] {
        for role in ["consumer", "provider"] {
            let text = replaced(
                &committed(&format!("argocd-app/{role}.yaml")),
                "targetRevision: refs/heads/main",
                &format!("targetRevision: refs/heads/{environment}"),
            );
            repository.write(&format!("env/{environment}/{role}.yaml"), text);
        }
    }
    for role in ["consumer", "provider"] {
        std::fs::remove_file(repository.root().join(format!("apps/{role}.yaml"))).expect("removed");
    }
    let outcome = validate(&repository);
    outcome.says("unless they are for two Argo CDs").silent_on("that of the other role is").done();
    // another name, and both own the same objects
    repository.edit("env/staging/consumer.yaml", "name: consumer-provider-consumer", "name: another");
    validate(&repository).fails(1, "application").says("has this folder and the role `consumer` too");
}

/// The same folder on another branch, for other clusters. For one cluster, or of one commit, they contradict each other.
#[test]
fn applications_of_another_environment_are_not_judged() {
    let repository = repository();
    let staging = |role: &str, revision: &str, cluster: &str| {
        let text = committed(&format!("argocd-app/{role}.yaml"));
        let text =
            replaced(&text, &format!("name: consumer-provider-{role}"), &format!("name: {role}-staging"));
        let text = replaced(&text, "refs/heads/main", &format!("refs/heads/{revision}"));
        let text = replaced(&text, &format!("\n    name: {role}\n"), &format!("\n    name: {cluster}\n"));
        repository.write(&format!("staging/{role}.yaml"), text);
    };
    staging("provider", "staging", "provider-2");
    staging("consumer", "staging", "consumer-2");
    validate(&repository)
        .says("`consumer-staging` of ./staging/consumer.yaml")
        .says("for another cluster, from `staging` of `")
        .done();
    staging("consumer", "staging", "consumer");
    validate(&repository).fails(1, "application").says("has this folder and the role `consumer` too");
    staging("consumer", "main", "consumer-2");
    validate(&repository).fails(1, "application").says("its destination is `consumer-2`");
    // `HEAD` is the default branch
    repository.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
    let text = std::fs::read_to_string(repository.root().join("staging/consumer.yaml")).expect("a file");
    for revision in ["HEAD", "\"\""] {
        repository.write("staging/consumer.yaml", replaced(&text, "refs/heads/main", revision));
        validate(&repository).fails(1, "application").says("its destination is `consumer-2`");
    }
}

/// Of several commits by URL the default branch is the one of this checkout: the order of the files says nothing of it. Whether a name
/// and a URL are of one cluster is not known.
#[test]
fn environments_by_url_are_told_apart() {
    let repository = repository();
    repository.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
    let consumer = committed("argocd-app/consumer.yaml");
    let to = |branch: &str, destination: &str| {
        let text = replaced(&consumer, "name: consumer-provider-consumer", &format!("name: {branch}"));
        let text = replaced(&text, "refs/heads/main", &format!("refs/heads/{branch}"));
        replaced(&text, "\n    name: consumer\n", &format!("\n    {destination}\n"))
    };
    let main = "server: https://203.0.113.9:6443";
    let dev = to("dev", "server: https://203.0.113.8:6443");
    for one in [to("main", main), to("main", "name: consumer")] {
        for [file, other] in
            [["apps/consumer.yaml", "apps/other.yaml"], ["apps/other.yaml", "apps/consumer.yaml"]]
        {
            repository.write(file, &one);
            repository.write(other, &dev);
            validate(&repository)
                .says(&format!("not `dev` of ./{other}: for a cluster by URL that is not known to be the same, from `dev`"))
                .done();
        }
    }
    for other in
        [to("dev", main), to("main", "server: https://203.0.113.8:6443").replace("name: main", "name: dev")]
    {
        repository.write("apps/consumer.yaml", to("main", main));
        repository.write("apps/other.yaml", other);
        validate(&repository).fails(1, "application").says("has this folder and the role `consumer` too");
    }
}

/// The plugin opens a sealed file only in the folder that its terms name, and a stream can be without one.
#[test]
fn another_spelling_is_wrong_where_a_sealed_file_is_opened() {
    let repository = Repository::new("peerings/rome");
    let path = "peerings/../peerings/rome";
    let write = |clusters: [&str; 2]| {
        for (role, cluster) in ["consumer", "provider"].into_iter().zip(clusters) {
            repository.write(&format!("apps/{role}.yaml"), application(role, cluster, path));
        }
    };
    write(["consumer", "provider"]);
    validate(&repository).fails(1, "application").says("is another spelling of a folder");
    let external = committed("examples/external/peering.yaml");
    repository.write("peerings/rome/peering.yaml", external);
    write(["naples", "bari"]);
    validate(&repository).says("is another spelling of a folder").done();
}

/// Each of two wrong Applications in one file is of its own peering.
#[test]
fn two_wrong_applications_of_one_file_are_counted() {
    let repository = Repository::new("peerings/one");
    repository.copy_of_quickstart("peerings/other");
    repository.edit("peerings/other/peering.yaml", "name: consumer-provider", "name: other");
    let texts = ["one", "other"].map(|folder| {
        application("consumer", "elsewhere", &format!("peerings/{folder}"))
            .replace("name: consumer-provider", &format!("name: {folder}"))
    });
    repository.write("apps.yaml", texts.join("---\n"));
    validate(&repository).fails(1, "application").says("in 2 of 2 peerings");
}

#[test]
fn a_destination_by_url_is_known_as_far_as_it_is() {
    let by_url = |role: &str, url: &str| {
        let text = committed(&format!("argocd-app/{role}.yaml"));
        replaced(&text, &format!("\n    name: {role}\n"), &format!("\n    server: {url}\n"))
    };
    let repository = repository();
    let url = "https://203.0.113.9:6443";
    for role in ["consumer", "provider"] {
        repository.write(&format!("apps/{role}.yaml"), by_url(role, url));
    }
    validate(&repository).fails(1, "application").says("and so is that of the other role");
    repository.write("apps/provider.yaml", committed("argocd-app/provider.yaml"));
    validate(&repository).done();
    let project = committed("argocd-app/project-consumer.yaml");
    repository.write("project.yaml", &project);
    let outcome = validate(&repository);
    outcome.done();
    // by name it goes to another cluster, or to this one
    outcome.silent_on("app-project").says("of it and an Application one names the cluster by URL");
    for (from, to, words) in [
        ("net/peerings.git", "net/other.git", "does not permit the repository"),
        ("kind: GatewayClient", "kind: Other", "does not permit the kind `GatewayClient`"),
    ] {
        repository.write("project.yaml", replaced(&project, from, to));
        validate(&repository).fails(1, "app-project").says(words);
    }
    let served = project.replace("- name: consumer\n", &format!("- server: {url}\n"));
    repository.write("project.yaml", &served);
    validate(&repository).done();
    repository.write("project.yaml", served.replace(url, "https://203.0.113.8:6443"));
    validate(&repository).fails(1, "app-project").says("on `https://203.0.113.9:6443`");
}

/// Whether such a pattern is what a stream needs is not known, and another entry of the list can be.
#[test]
fn a_project_with_a_pattern_that_is_not_evaluated_is_not_judged() {
    let repository = repository();
    let project = committed("argocd-app/project-consumer.yaml");
    for (from, to, list) in [
        ("- name: consumer\n", "- name: '{turin,x}'\n", "destinations"),
        ("- https://git.example.org/net/peerings.git", "- 'https://{a,b}.example.org/x'", "sourceRepos"),
        ("kind: GatewayClient", "kind: '[A-B]ecret'", "namespaceResourceWhitelist"),
        ("kind: Namespace\n", "kind: 'Name[sp]ace'\n", "clusterResourceWhitelist"),
    ] {
        let text = project.replace(from, to);
        assert_ne!(text, project, "{from}");
        repository.write("project.yaml", &text);
        let words =
            format!("not `peering-consumer` of ./project.yaml: a pattern of its `{list}` is not evaluated");
        validate(&repository).says(&words).silent_on("app-project").done();
    }
    repository.write(
        "project.yaml",
        replaced(
            &project,
            "kind: GatewayClient",
            "kind: '{Gate,x}'\n    - group: networking.liqo.io\n      kind: GatewayClient",
        ),
    );
    validate(&repository).silent_on("not evaluated").done();
}

/// An empty list permits nothing; of a list that is not written, another file can have it.
#[test]
fn a_project_can_have_an_empty_list_and_lack_one() {
    let repository = repository();
    let project = committed("argocd-app/project-consumer.yaml");
    let (rest, _) = project.split_once("  namespaceResourceWhitelist:\n").expect("a list");
    for (list, code) in [("[]", Some(1)), ("null", Some(0)), ("", Some(0))] {
        repository.write("project.yaml", format!("{rest}  namespaceResourceWhitelist: {list}\n"));
        let outcome = validate(&repository);
        assert_eq!(outcome.code, code, "{list}: {outcome}");
        let says = outcome.stderr.contains("does not permit the kind `GatewayClient`");
        assert_eq!(says, code == Some(1), "{list}: {outcome}");
    }
    repository.write("project.yaml", replaced(&project, "  sourceRepos:\n", "  sourceNamespaces:\n"));
    validate(&repository)
        .says("not `peering-consumer` of ./project.yaml: its `sourceRepos` are not written here")
        .done();
    // alone, and beside a whole one
    let part = replaced(&project, "  destinations:\n", "  others:\n");
    repository.write("project.yaml", &part);
    validate(&repository).says("not `peering-consumer`: its `destinations` are not written here").done();
    repository.write("whole.yaml", &project);
    validate(&repository).silent_on("are not written here").done();
    // and in the pull request that widens it
    repository.commit();
    repository.write("project.yaml", replaced(&part, "net/peerings.git", "**"));
    repository.diff(&[".", "--fail-on", "widens-rights"]).run().ends(1).prints("spec.sourceRepos");
}

/// Argo CD syncs nothing of an Application of which the project does not permit one source, whatever comes from it.
#[test]
fn each_source_has_to_be_permitted() {
    let repository = repository();
    repository.write("project.yaml", committed("argocd-app/project-consumer.yaml"));
    let consumer = committed("argocd-app/consumer.yaml");
    let (head, rest) = consumer.split_once("  source:\n    repoURL").expect("a source");
    let (source, tail) = rest.split_once("  destination:").expect("a destination");
    let source = source.replace("\n  ", "\n    ");
    for (other, is_permitted) in [
        ("repoURL: https://charts.example.org, chart: tools, targetRevision: 1.0.0", false),
        ("repoURL: https://git.example.org/net/values.git, targetRevision: main, ref: values", false),
        // its document is not here
        (
            "repoURL: https://git.example.org/net/values.git, targetRevision: main, path: other, plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }",
            false,
        ),
        ("repoURL: https://git.example.org/net/peerings.git, targetRevision: main, ref: values", true),
    ] {
        let sources = format!("  sources:\n    - {{ {other} }}\n    - repoURL{source}");
        repository.write("apps/consumer.yaml", format!("{head}{sources}  destination:{tail}"));
        let outcome = validate(&repository);
        let says = outcome.stderr.contains("does not permit the repository `https://");
        assert_eq!((says, outcome.code), (!is_permitted, Some(i32::from(!is_permitted))), "{outcome}");
    }
}

/// Files of the folder that Argo CD puts over an Application's source (argo-cd#17195): the role is theirs.
#[test]
fn what_a_folder_puts_over_a_source_is_judged() {
    const OVER: &str = "peerings/consumer-provider/.argocd-source-consumer-provider-consumer.yaml";
    let repository = repository();
    repository.commit();
    let parameters = "plugin: { parameters: [{ name: role, string: provider }] }\n";
    for (name, text, words) in [
        (OVER, parameters, "has this folder and the role `provider` too"),
        (
            OVER,
            "plugin: { parameters: [{ name: role, string: consumer }, { name: cluster, string: x }] }\n",
            "its parameter `cluster` is `x`",
        ),
        (
            OVER,
            "plugin: { parameters: [{ name: side, string: a }] }\n",
            "there is no plugin parameter `side`",
        ),
        (OVER, "helm: { values: a }\n", "beside `plugin` its source has `helm`"),
        (OVER, "plugin: { name: other }\n", "its plugin is `other`"),
        ("peerings/consumer-provider/.argocd-source.yaml", parameters, "the role `provider` too"),
        (
            "peerings/consumer-provider/.argocd-source-argocd_consumer-provider-consumer.yaml",
            parameters,
            "the role `provider` too",
        ),
    ] {
        repository.write(name, text);
        let outcome = validate(&repository);
        outcome.fails(1, "application").says(words);
        outcome.says("it is put over the source of the Application `consumer-provider-consumer`");
        // and in the pull request that brings it
        let diff = repository.diff(&["."]).run();
        assert!(diff.stdout.contains(&words.replace('`', "'")), "{diff}");
        std::fs::remove_file(repository.root().join(name)).expect("removed");
    }
    repository.write(OVER, "plugin: { parameters: [{ name: role, string: consumer }] }\n");
    validate(&repository).says("a commit to this folder alone can choose the side").done();
    repository.write(OVER, "plugin: &p { parameters: [] }\n");
    validate(&repository).says("this file was not read");
    // of another Application, and in another folder
    std::fs::remove_file(repository.root().join(OVER)).expect("removed");
    repository.write("peerings/consumer-provider/.argocd-source-other.yaml", parameters);
    repository.write("apps/.argocd-source.yaml", parameters);
    validate(&repository).silent_on("put over");
}

/// (argo-cd#12593)
#[test]
fn a_link_out_of_the_repository_stops_all_of_it() {
    use std::os::unix::fs::symlink;
    let repository = repository();
    let folder = repository.root().join(FOLDER);
    let link = |target: &str, name: &str| symlink(target, folder.join(name)).expect("a link");
    for target in ["/etc/hostname", "../../../x", "../../apps/../../x", "a/../../../../peerings"] {
        link(target, "host");
        validate(&repository).fails(1, "application").says("this symbolic link leads out of the repository");
        std::fs::remove_file(folder.join("host")).expect("removed");
    }
    for (at, target) in ["../../apps", "peering.yaml", "../consumer-provider/peering.yaml"].iter().enumerate()
    {
        link(target, &at.to_string());
    }
    validate(&repository).silent_on("symbolic link leads").done();
    // elsewhere it can be ignored by Git
    symlink("/nix/store/x", repository.root().join("result")).expect("a link");
    validate(&repository).says("if it is committed").done();
}

#[test]
fn an_application_is_in_a_namespace_of_its_project() {
    let repository = repository();
    let project = committed("argocd-app/project-consumer.yaml");
    let application = committed("argocd-app/consumer.yaml");
    for (namespace, namespaces, is_right) in [
        ("argocd", "", true),
        ("team-b", "", false),
        ("team-b", "  sourceNamespaces: [team-a]\n", false),
        ("team-b", "  sourceNamespaces: [team-a, 'team-*']\n", true),
        ("team-b", "  sourceNamespaces: ['/team-[ab]/']\n", true),
    ] {
        repository.write("project.yaml", replaced(&project, "spec:\n", &format!("spec:\n{namespaces}")));
        let moved = format!("\n  namespace: {namespace}\n");
        repository.write("apps/consumer.yaml", application.replacen("\n  namespace: argocd\n", &moved, 1));
        let outcome = validate(&repository);
        if is_right {
            outcome.done();
        } else {
            outcome.fails(1, "app-project").says("does not permit the namespace `team-b`");
            outcome.says("sourceNamespaces");
        }
    }
}
