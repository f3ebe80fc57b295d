//! What endangers is told apart from what does not, once, and a pull request can be gated by it.

use crate::harness::{
    Outcome, Repository, Schema, Terminal, Text, committed, demo_identity, document, documents, seal,
};
use serde_json::{Value, json};
use std::fs;

/// Of what a change does, the least first.
pub(crate) const CLASSES: [&str; 6] = [
    "harmless",
    "needs-attention",
    "widens-rights",
    "loses-protection",
    "interrupts-traffic",
    "deletes-data",
];

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

fn repository() -> Repository {
    Repository::new(FOLDER)
}

/// The seed of the quickstart, sealed once more: other bytes, the same secret.
fn resealed(repository: &Repository, folder: &str) -> Vec<u8> {
    let sealed = fs::read(repository.root().join(folder).join("peering.seed.age")).expect("a seed");
    let payload: Value = serde_json::from_str(&seal::opened(&sealed, &seal::demo())).expect("JSON");
    seal::sealed_for(&seal::demo(), &payload)
}

fn diff(repository: &Repository, arguments: &[&str]) -> Outcome {
    repository.diff(&[&["peerings"], arguments].concat()).run()
}

#[test]
fn the_lost_protection() {
    let repository = repository();
    repository.edit(DOCUMENT, "  liqoVersion:", "  protection: none\n  liqoVersion:");
    let outcome = diff(&repository, &[]);
    let words = "  Loses protection (5 changes). Argo CD will no longer ask before it deletes this object.\n";
    outcome.prints(words);
    assert_eq!(outcome.stdout.matches("Loses protection, as above.").count(), 4, "{outcome}");
    assert!(outcome.stdout.ends_with("5 objects changed. This loses protection.\n"), "{outcome}");
    // and back
    repository.commit();
    repository.edit(DOCUMENT, "  protection: none\n", "");
    let outcome = diff(&repository, &["--fail-on", "needs-attention"]);
    outcome.ends(0).prints("asks before it deletes the object from now on");
}

#[test]
fn the_undrained_removal() {
    let repository = repository();
    fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    let outcome = diff(&repository, &["--fail-on", "deletes-data"]);
    outcome.ends(1).prints("  Deletes data. This peering was not drained. First commit `state: Drained`");
    // as docs/teardown.md says
    repository.git(&["checkout", "-q", "."]);
    repository.edit(DOCUMENT, "  liqoVersion:", "  state: Drained\n  liqoVersion:");
    repository.commit();
    fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    let outcome = diff(&repository, &[]);
    outcome.omits("was not drained").prints("  note: Removing the folder deletes nothing yet.");
    outcome.prints("It has nothing here after the drain.").omits("its deletions wait");
    // a workload's Namespace goes with its pods; without one, nobody's data goes
    repository.git(&["checkout", "-q", "."]);
    repository.edit(DOCUMENT, "        create: true\n", "");
    repository.commit();
    fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    diff(&repository, &["--fail-on", "deletes-data"]).ends(0);
}

/// Pods and volumes are elsewhere only through an offloading.
#[test]
fn a_peering_without_offloading_needs_no_drain() {
    let repository = repository();
    let text = document();
    let (without, _) = text.split_once("  offloading:\n").expect("an offloading");
    repository.write(DOCUMENT, without);
    repository.commit();
    fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    let outcome = diff(&repository, &[]);
    outcome.omits("was not drained").prints("  note: Removing the folder deletes nothing yet.");
}

/// Both sides' keys come from both cluster IDs (docs/project/derivation.md). On the side of the cluster that keeps its own, the
/// objects have the same names, and only the difference says that the tunnel drops.
#[test]
fn another_cluster_id_is_another_key() {
    for (other, named) in [("provider", "consumer"), ("consumer", "provider")] {
        let repository = repository();
        repository.edit(DOCUMENT, &format!("clusterID: {other}\n"), "clusterID: turin\n");
        let outcome = diff(&repository, &["--fail-on", "interrupts-traffic"]);
        outcome.ends(1);
        for kind in ["Secret", "PublicKey"] {
            let key = format!(": {kind} liqo-tenant-{named}/gw-");
            let mut lines =
                outcome.stdout.lines().skip_while(|line| !(line.starts_with('~') && line.contains(&key)));
            assert!(lines.next().is_some(), "{kind} of {named}: {outcome}\n{}", outcome.stdout);
            assert_eq!(lines.next(), Some(format!("    clusterID: {other} → turin").as_str()), "{outcome}");
            assert!(lines.next().is_some_and(|line| line.starts_with("  Interrupts traffic.")), "{outcome}");
        }
    }
}

#[test]
fn the_reseal_of_twenty() {
    let repository = repository();
    let folders: Vec<String> = (0..20).map(|number| format!("peerings/f{number:02}")).collect();
    for (number, folder) in folders.iter().enumerate() {
        repository.copy_of_quickstart(folder);
        repository.edit(
            &format!("{folder}/peering.yaml"),
            "clusterID: consumer",
            &format!("clusterID: c{number}"),
        );
    }
    repository.commit();
    for folder in &folders {
        repository.write(&format!("{folder}/peering.seed.age"), resealed(&repository, folder));
    }
    let outcome = diff(&repository, &["--fail-on", "widens-rights"]);
    assert_eq!(outcome.code, Some(0), "nothing endangers: {outcome}");
    let text = "f00, f01, f02, f03, f04 and 15 more\n  Needs attention. `peering.seed.age` was sealed again. If it holds another seed, \
                the gateways get other keys, and the tunnel is down from the first sync to the second. The same secret changes \
                nothing: `--identity-file` tells which.\n\nChanges in 20 of 21 peerings: sealed files only. This needs attention.\n21 peerings judged; not \
                the secrets of 20 sealed files: no identity opens both states of them\n";
    assert_eq!(outcome.stdout, text);
    let markdown = diff(&repository, &["--format", "markdown"]).stdout;
    assert!(markdown.matches("was sealed again").count() == 1 && markdown.contains("`f19`"), "{markdown}");
    // an identity knows
    let identity = demo_identity("").display().to_string();
    let outcome = diff(&repository, &["--identity-file", &identity]);
    assert_eq!(outcome.done(), "No object changes in 21 peerings.\n");
    let other = seal::sealed(&seal::seed_payload(&seal::terms()));
    repository.write("peerings/f00/peering.seed.age", other);
    let outcome = diff(&repository, &["--identity-file", &identity, "--fail-on", "interrupts-traffic"]);
    outcome.ends(1).prints("peering.seed.age holds another secret").prints("This interrupts traffic.\n");
    // one that opens neither knows as little as none
    let (_, text) = seal::identity();
    repository.write("../identity.txt", text);
    let stranger = repository.temp().join("identity.txt").display().to_string();
    diff(&repository, &["--identity-file", &stranger]).prints("was sealed again");
    diff(&repository, &["--identity-file", "nowhere"]).fails(3, "identity").says("check --identity-file");
}

/// Whoever can push can replace a file by one with the same secret on other terms.
#[test]
fn terms_that_allow_more_widen_rights() {
    let identity = demo_identity("").display().to_string();
    for (field, value, is_wider) in [
        ("projects", json!(["*"]), true),
        ("projects", json!(["peering-consumer", "peering-provider", "other"]), true),
        ("projects", json!(["peering-consumer"]), false),
        ("repos", json!(["https://git.example.org/net/other"]), true),
        ("revisions", json!(["main"]), false),
    ] {
        let repository = repository();
        let sealed = fs::read(repository.root().join(FOLDER).join("peering.seed.age")).expect("a seed");
        let mut payload: Value = serde_json::from_str(&seal::opened(&sealed, &seal::demo())).expect("JSON");
        payload["bind"][field] = value.clone();
        repository.write("peerings/rome/peering.seed.age", seal::sealed_for(&seal::demo(), &payload));
        let outcome = diff(&repository, &["--identity-file", &identity, "--fail-on", "widens-rights"]);
        assert_eq!(outcome.code, Some(i32::from(is_wider)), "{field}: {value}: {outcome}");
        let words = "  Widens rights. The terms of `peering.seed.age` allow a use";
        assert_eq!(outcome.stdout.contains(words), is_wider, "{field}: {value}: {outcome}");
        // from the terms that allow, anyone would learn where the file opens
        outcome.everything().lacks("git.example.org");
    }
}

/// The terms of a secret are compared, whatever its file is called.
#[test]
fn terms_that_allow_more_widen_rights_under_another_name_too() {
    let identity = demo_identity("").display().to_string();
    for (projects, is_wider) in [(json!(["*"]), true), (json!(["peering-consumer"]), false)] {
        let repository = repository();
        let sealed = fs::read(repository.root().join(FOLDER).join("peering.seed.age")).expect("a seed");
        let mut payload: Value = serde_json::from_str(&seal::opened(&sealed, &seal::demo())).expect("JSON");
        payload["bind"]["projects"] = projects.clone();
        repository.write("peerings/rome/other.age", seal::sealed_for(&seal::demo(), &payload));
        fs::remove_file(repository.root().join(FOLDER).join("peering.seed.age")).expect("removed");
        repository.edit(DOCUMENT, "peering.seed.age", "other.age");
        let outcome = diff(&repository, &["--identity-file", &identity, "--fail-on", "widens-rights"]);
        assert_eq!(outcome.code, Some(i32::from(is_wider)), "{projects}: {outcome}");
        let words = "  Widens rights. The terms of `other.age` allow a use";
        assert_eq!(outcome.stdout.contains(words), is_wider, "{projects}: {outcome}");
    }
}

/// A gateway with two changes: the one restarts it, and the other one alone would not.
#[test]
fn what_one_change_leaves_alone_is_not_said_beside_another() {
    let repository = repository();
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    assert!(diff(&repository, &[]).stdout.contains("  The gateway does not restart.\n"));
    repository.edit(DOCUMENT, "port: 51840", "port: 51841");
    diff(&repository, &[]).prints("The gateway restarts on another port").omits("does not restart");
}

#[test]
fn the_renamed_folder_keeps_its_terms() {
    let repository = repository();
    fs::rename(repository.root().join(FOLDER), repository.root().join("peerings/turin")).expect("renamed");
    let outcome = diff(&repository, &[]);
    outcome.ends(1).prints("Needs attention. The folder moved here from `rome`");
    outcome.prints("`argocd-peering reseal peerings/turin --identity-file FILE");
    outcome.prints(" --path peerings/turin`");
    // the files have other names in the new folder, and the same terms
    for (name, other) in [("peering.seed.age", "s.age"), ("kubeconfig.age", "k.age")] {
        let folder = repository.root().join("peerings/turin");
        fs::rename(folder.join(name), folder.join(other)).expect("renamed");
        repository.edit("peerings/turin/peering.yaml", name, other);
    }
    diff(&repository, &[]).ends(1).prints("The folder moved here from `rome`, and `k.age` is the same file");
    // a name that a shell reads in another way is one word
    fs::rename(repository.root().join("peerings/turin"), repository.root().join("peerings/$(id)"))
        .expect("renamed");
    diff(&repository, &[])
        .prints("reseal 'peerings/$(id)' --identity-file")
        .prints(" --path 'peerings/$(id)'`");
}

/// Each change, the worst class that it has, and whether a gate of each class lets it pass.
#[test]
fn a_gate_goes_by_the_class() {
    for (from, to, worst) in [
        ("        create: true\n", "", "deletes-data"),
        ("nodePort: 32750", "nodePort: 32751", "interrupts-traffic"),
        ("  liqoVersion:", "  protection: none\n  liqoVersion:", "loses-protection"),
        ("name: myuser", "name: another", "widens-rights"),
        ("DefaultName", "EnforceSameName", "needs-attention"),
        ("memory: 1Gi", "memory: 2Gi", "harmless"),
    ] {
        let repository = repository();
        repository.edit(DOCUMENT, from, to);
        let report = diff(&repository, &["--format", "json"]);
        let report = report.json();
        assert_eq!(report["worst"], worst, "{from}: {report:#}");
        for (rank, class) in CLASSES.iter().enumerate() {
            let outcome = diff(&repository, &["--fail-on", class]);
            let is_bad = CLASSES.iter().position(|it| *it == worst) >= Some(rank);
            assert_eq!(outcome.code, Some(i32::from(is_bad)), "{from}, {class}: {outcome}");
        }
    }
    let repository = repository();
    assert_eq!(diff(&repository, &["--fail-on", "harmless"]).code, Some(0), "nothing changes");
    diff(&repository, &["--fail-on", "dangerous"]).ends(2);
}

#[test]
fn the_report_for_programs_has_its_form() {
    let schema = Schema::at("docs/diff.schema.json");
    let repository = repository();
    repository.copy_of_quickstart("peerings/a");
    repository.edit("peerings/a/peering.yaml", "clusterID: consumer", "clusterID: a");
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    repository.edit(DOCUMENT, "        create: true\n", "");
    let outcome = diff(&repository, &["--format", "json"]);
    outcome.ends(1);
    let report = outcome.json();
    schema.takes(&report);
    let objects = report["changed"][1]["objects"].as_array().expect("objects");
    let server = objects.iter().find(|it| it["kind"] == "GatewayServer").expect("a server");
    assert_eq!(server["fields"][0]["path"], "spec.endpoint.nodePort");
    assert_eq!(
        (&server["fields"][0]["from"], &server["fields"][0]["to"]),
        (&"32750".into(), &"32751".into())
    );
    assert_eq!(server["effects"][0]["class"], "interrupts-traffic");
    let mut wrong = report.clone();
    wrong["peerings"] = "1".into();
    assert!(!schema.is_valid(&wrong));
    // no secret's place in it either
    let key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
    repository.edit(
        DOCUMENT,
        "  liqoVersion:",
        &format!("  commonMetadata: {{ annotations: {{ a: \"{key}\" }} }}\n  liqoVersion:"),
    );
    assert!(!diff(&repository, &["--format", "json"]).stdout.contains(&key[..20]));
}

/// On a terminal, and nowhere else.
#[test]
fn colours_are_for_a_terminal() {
    let repository = repository();
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    assert!(!diff(&repository, &[]).stdout.contains('\u{1b}'));
    let run = |variables: &[(&str, &str)]| {
        let path = std::env::var("PATH").expect("PATH");
        let variables = [&[("PATH", path.as_str()), ("TERM", "xterm")], variables].concat();
        Terminal::of(80).whole().run(&["diff", "peerings"], &repository.root(), &variables).shown
    };
    assert!(run(&[]).contains("\u{1b}[33m~ "), "{}", run(&[]));
    assert!(!run(&[("NO_COLOR", "1")]).contains("\u{1b}[33m"));
}

/// No line of an object says that nothing happens beside one that says what does.
#[test]
fn two_lines_of_one_object_do_not_contradict_each_other() {
    let repository = repository();
    repository.edit(DOCUMENT, "mtu: 1340", "mtu: 1400");
    repository.edit(
        DOCUMENT,
        "clusterID: consumer\n",
        "clusterID: consumer\n    metadata: { gateway: { labels: { a: b } } }\n",
    );
    let outcome = diff(&repository, &[]);
    let head = outcome.stdout.find("~ consumer: GatewayClient").expect("the client");
    let block = outcome.stdout[head..].split("\n~ ").next().expect("a block");
    block.has("metadata.labels.a").has("Interrupts traffic").lacks("does not go by it");
    assert_eq!(documents(&document()).len(), 1);
}

/// The script of docs/workflows/review.yaml, as a runner runs it.
fn workflow(repository: &Repository) -> Outcome {
    let file = committed("docs/workflows/review.yaml");
    let (_, script) = file.split_once("        run: |\n").expect("the script");
    let [base, head] = ["HEAD~1", "HEAD"].map(|revision| repository.git(&["rev-parse", revision]));
    let run = repository.diff(&[]).through(&["sh", "-c", &format!("mkdir -p ../bin && ln -sf \"$0\" ../bin/argocd-peering && PATH=$PWD/../bin:$PATH && set -e\n{script}")]);
    let summary = repository.temp().join("summary").display().to_string();
    run.env("BASE", base).env("HEAD", head).env("GITHUB_STEP_SUMMARY", summary).run()
}

#[test]
fn the_pages_workflow_is_red_for_what_endangers() {
    for (from, to, code) in [
        ("memory: 1Gi", "memory: 2Gi", 0),
        ("name: myuser", "name: another", 0),
        ("  liqoVersion:", "  protection: none\n  liqoVersion:", 1),
        ("nodePort: 32750", "nodePort: 32751", 1),
    ] {
        let repository = repository();
        repository.edit(DOCUMENT, from, to);
        repository.commit();
        let outcome = workflow(&repository);
        assert_eq!(outcome.code, Some(code), "{from}: {outcome}");
        let summary = fs::read_to_string(repository.temp().join("summary")).expect("the summary");
        assert!(summary.starts_with("**Changes in 1 of 1 peering"), "{summary}");
    }
}

/// What other programs make of a label or an annotation is no harmless change, and `--fail-on` sees it.
#[test]
fn metadata_that_controllers_go_by_needs_attention() {
    let namespace =
        |text: &str| format!("clusterID: consumer\n    metadata: {{ tenantNamespace: {text} }}\n");
    for (written, words, worst) in [
        (
            namespace("{ labels: { argocd.argoproj.io/managed-by: mallory } }"),
            "Widens rights. The Argo CD of the namespace",
            "widens-rights",
        ),
        (
            namespace("{ labels: { team: net } }"),
            "Needs attention. Controllers and policies choose",
            "needs-attention",
        ),
        (
            namespace("{ annotations: { linkerd.io/inject: enabled } }"),
            "Needs attention. Controllers and policies choose",
            "needs-attention",
        ),
    ] {
        let repository = repository();
        repository.edit(DOCUMENT, "clusterID: consumer\n", &written);
        diff(&repository, &["--fail-on", worst]).ends(1).prints(words);
    }
    let repository = repository();
    let annotated = "nodePort: 32750 }\n      serviceAnnotations: { external-dns.alpha.kubernetes.io/hostname: www.example.org }";
    repository.edit(DOCUMENT, "liqoVersion: \"1.0\"", "liqoVersion: \"1.2\"");
    repository.edit(DOCUMENT, "nodePort: 32750 }", annotated);
    let outcome = diff(&repository, &["--fail-on", "needs-attention"]);
    outcome.ends(1).prints("external-dns publishes the host names");
}
