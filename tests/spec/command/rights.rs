//! `rights`: what it prints for a cluster and for the projects; that each verb is needed, and that no other one is, is shown by
//! `tests/conformance/apiserver/rights_test.go`.

use super::validate::{peering, validate};
use crate::generated::{Made, RIGHTS};
use crate::harness::{Outcome, REPO, Run, Text, committed, document, put, replaced, root};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn rights(folder: &Path, words: &[&str]) -> Outcome {
    Run::new(["rights"]).args(words.iter().copied()).within(folder).run()
}

/// What is printed for the quickstart.
pub(crate) fn made() -> Vec<Made> {
    let prints = [
        ("consumer", ["--cluster", "consumer"]),
        ("provider", ["--cluster", "provider"]),
        ("projects", ["--repo", REPO]),
    ];
    let print = |(name, flag): (&str, [&str; 2])| {
        let text = rights(&root().join("examples"), &["quickstart", flag[0], flag[1]]).done().to_owned();
        Made { path: format!("tests/rights/{name}.yaml"), text }
    };
    prints.map(print).into()
}

#[test]
fn the_rights_of_the_quickstart_are_as_committed() {
    RIGHTS.is_current();
}

fn folder(edits: &[(&str, &str)]) -> TempDir {
    let temp = tempfile::tempdir().expect("a folder");
    let text = edits.iter().fold(document(), |text, (from, to)| replaced(&text, from, to));
    put(temp.path().join("peering.yaml"), text);
    temp
}

/// What drains has fewer objects, and Argo CD still deletes the others.
#[test]
fn a_drained_peering_keeps_its_rights() {
    let (active, drained) = (folder(&[]), folder(&[("spec:\n", "spec:\n  state: Drained\n")]));
    for cluster in ["consumer", "provider"] {
        let [one, other] =
            [&active, &drained].map(|it| rights(it.path(), &["--cluster", cluster]).done().to_owned());
        assert_eq!(one, other);
    }
}

/// The second commit of an exchange adds an Identity, and a project that was printed before it permits that.
#[test]
fn an_exchange_of_keys_has_its_rights_before_it_is_over() {
    let signed = committed("examples/keys-exchange/peering.yaml")
        .replace("    clusterID: pavia\n", "    clusterID: pavia\n    names: { keySecret: own-keys }\n")
        .replace("    clusterID: lodi\n", "    clusterID: lodi\n    names: { keySecret: own-keys }\n");
    let cut = |from: &str| {
        let (before, rest) = signed.split_once(from).expect(from);
        let (_, after) = rest.split_once("\n  offloading:").expect("the next part");
        format!("{before}\n  offloading:{after}")
    };
    let asked = cut("\n        authParams:");
    let pending = cut("\n      keysExchange:")
        .replace("    credential:\n", "    credential: { keysExchange: pending }\n");
    let [signed, asked, pending] = [signed.clone(), asked, pending].map(|text| {
        let temp = tempfile::tempdir().expect("a folder");
        put(temp.path().join("peering.yaml"), text);
        temp
    });
    for what in [["--cluster", "pavia"], ["--cluster", "lodi"], ["--repo", REPO]] {
        let [signed, asked, pending] =
            [&signed, &asked, &pending].map(|it| rights(it.path(), &what).done().to_owned());
        assert!(asked == signed && pending == signed, "{what:?}: {asked}{pending}");
    }
}

/// The hub has each spoke's namespace, in whatever order the folders are named.
#[test]
fn a_fleet_has_the_rights_of_all_its_peerings() {
    let fleet = root().join("examples/hub-and-spoke");
    let all = rights(&fleet, &[".", "--cluster", "hub"]).done().to_owned();
    for number in 1..=3 {
        all.has(&format!("  namespace: \"liqo-tenant-spoke-{number}\"\n"));
    }
    assert_eq!(all.matches("kind: ServiceAccount\nmetadata").count(), 1, "{all}");
    all.lacks("peering-consumer");
    let other = rights(&fleet, &["spoke-3", "spoke-1", "spoke-2", "--cluster", "hub"]);
    assert_eq!(all, other.done());
}

/// Between two commits: what one state has and the other has no more.
#[test]
fn two_states_have_the_rights_of_both() {
    let (old, new) = (folder(&[]), folder(&[("- { name: provider, class", "- { name: larger, class")]));
    let paths = [&old, &new].map(|it| it.path().to_string_lossy().into_owned());
    let both = rights(root(), &[&paths[0], &paths[1], "--cluster", "consumer"]).done().to_owned();
    both.has("      - \"larger\"\n      - \"provider\"\n");
}

/// A name that a rotation changes is not in a rule, and one that a document fixes is.
#[test]
fn a_fixed_name_of_the_keys_limits_the_rule() {
    let open = rights(folder(&[]).path(), &["--cluster", "provider"]).done().to_owned();
    let rule = "    resources: [secrets]\n    verbs: [get, patch, delete]\n";
    open.has(rule);
    let fixed = folder(&[("clusterID: provider\n", "clusterID: provider\n    names: { keySecret: keys }\n")]);
    let fixed = rights(fixed.path(), &["--cluster", "provider"]).done().to_owned();
    fixed.lacks(rule).lacks("Without names");
    fixed.has("    resources: [secrets]\n    resourceNames:\n      - \"keys\"\n");
}

/// Such a name of a RoleBinding would have given all of them.
#[test]
fn a_name_like_that_of_keys_opens_no_other_kind() {
    let named = ("clusterID: provider\n", "clusterID: provider\n    names: { roleBinding: gw-keys-x }\n");
    let text = rights(folder(&[named]).path(), &["--cluster", "provider"]).done().to_owned();
    let rule = "    resources: [rolebindings]\n    resourceNames:\n      - \"gw-keys-x\"\n";
    text.has(rule);
    assert_eq!(text.matches("Without names").count(), 1, "{text}");
}

/// A destination of a project is a pattern, and who applies it answers for every cluster that it matches.
#[test]
fn a_cluster_of_a_document_is_no_pattern_of_a_project() {
    for name in ["*", "!a", "{a,*}", "ro?e", "[a-z]"] {
        let edit = format!("clusterID: provider\n    argocdCluster: \"{name}\"\n");
        let temp = folder(&[("clusterID: provider\n", &edit)]);
        rights(temp.path(), &["--repo", REPO])
            .fails(1, "invalid-name")
            .says("an AppProject's destinations would read it as a pattern");
    }
}

/// Where Argo CD's own Secrets and accounts are, wherever that is.
#[test]
fn no_right_reaches_the_namespaces_of_argo_cd() {
    for (namespace, flags) in [
        ("argocd-peering", &[][..]),
        ("argocd-peering", &["--argocd-namespace", "gitops"]),
        ("gitops", &["--argocd-namespace", "gitops"]),
        ("liqo-tenant-argocd", &["--argocd-namespace", "liqo-tenant-argocd"]),
    ] {
        let edit = format!("clusterID: provider\n    tenantNamespace: {namespace}\n");
        let temp = folder(&[("clusterID: provider\n", &edit)]);
        for words in [["--cluster", "provider"], ["--repo", REPO]] {
            rights(temp.path(), &[&words[..], flags, &["--tenant-namespace", namespace]].concat())
                .fails(2, "flag")
                .says(&format!("namespace {namespace}, where Argo CD or its accounts are"));
        }
    }
    // those that Argo CD has by default are no tenant namespaces of a document
    for namespace in ["argocd", "openshift-gitops"] {
        let edit = format!("clusterID: provider\n    tenantNamespace: {namespace}\n");
        rights(folder(&[("clusterID: provider\n", &edit)]).path(), &["--repo", REPO])
            .fails(1, "reserved-namespace");
    }
    let elsewhere = folder(&[("name: demo\n", "name: shop\n")]);
    rights(elsewhere.path(), &["--repo", REPO]).says("rights outside of tenant namespaces: shop").done();
}

/// The account may read and delete the Secrets there, and a document chooses the namespace.
#[test]
fn a_tenant_namespace_of_another_name_is_named_by_a_flag() {
    for namespace in ["gitops", "cert-manager", "liqo-tenant"] {
        let edit = format!("clusterID: provider\n    tenantNamespace: {namespace}\n");
        let temp = folder(&[("clusterID: provider\n", &edit)]);
        for words in [["--cluster", "provider"], ["--repo", REPO]] {
            let other = ["--tenant-namespace", "other"];
            for flags in [&[][..], &other] {
                rights(temp.path(), &[&words[..], flags].concat())
                    .fails(2, "flag")
                    .says("--tenant-namespace: ")
                    .says(&format!("`--tenant-namespace {namespace}`"));
            }
            let named = ["--tenant-namespace", namespace];
            let text = rights(temp.path(), &[&words[..], &other, &named].concat()).done().to_owned();
            text.has(&format!("namespace: \"{namespace}\"\n"));
        }
        // not a namespace of this cluster
        rights(temp.path(), &["--cluster", "consumer"]).done();
    }
}

/// The projects are for Argo CD, and it looks for them in its own namespace only.
#[test]
fn the_projects_are_in_argo_cds_namespace() {
    let temp = folder(&[]);
    let of = |flags: &[&str]| rights(temp.path(), &[&["--repo", REPO], flags].concat()).done().to_owned();
    let (usual, other) = (of(&[]), of(&["--argocd-namespace", "openshift-gitops"]));
    assert_eq!(usual.replace("  namespace: argocd\n", "  namespace: openshift-gitops\n"), other);
    assert_ne!(usual, other);
    for wrong in ["", "Argo", "a\nb", "*"] {
        rights(temp.path(), &["--repo", REPO, "--argocd-namespace", wrong])
            .fails(2, "flag")
            .says("--argocd-namespace");
    }
}

/// `validate` looks at projects as Argo CD does.
#[test]
fn the_projects_permit_the_streams() {
    let examples = root().join("examples");
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a repository");
    peering(&root.path().join("peerings/rome-milan"), "rome-milan");
    let projects = rights(root.path(), &["peerings", "--repo", REPO]).done().to_owned();
    let file = root.path().join("projects.yaml");
    put(&file, &projects);
    validate(&root, ".").says("1 peering: nothing is wrong\n").silent_on("note").done();
    for (from, to) in [("kind: PublicKey", "kind: Other"), ("\"liqo-tenant-provider\"", "\"another\"")] {
        put(&file, projects.replace(from, to));
        validate(&root, ".").fails(1, "app-project");
    }
    projects.has("kind: Connection");
    rights(&examples, &["offloading-only", "--repo", REPO]).done().lacks("kind: Connection");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let temp = folder(&[]);
    rights(temp.path(), &["--cluster", "milan"])
        .fails(2, "flag")
        .says("no peering has the clusterID milan; the clusters of these are consumer, provider");
    for repo in ["*", "https://git.example.org/*", "!https://git.example.org/a", "a\nb"] {
        rights(temp.path(), &["--repo", repo]).fails(2, "flag").says("the URL of one repository is needed");
    }
    for (repo, words) in [
        ("", "it is empty"),
        ("https://me:hunter2@git.example.org/a", "leave the password out"),
        ("https://git.example.org/\u{202e}a", "it has an invisible character"),
        ("hunter2", "it is no URL of a Git repository"),
        (
            "https://ghp_hunter2hunter2hunter2hunter2hunter2@git.example.org/a",
            "leave out what looks like a token",
        ),
        ("x:ghp_hunter2hunter2hunter2hunter2hunter2", "leave out what looks like a token"),
    ] {
        let outcome = rights(temp.path(), &["--repo", repo]);
        outcome.fails(2, "flag").says(words).silent_on("hunter2");
        assert_eq!(outcome.stdout, "");
    }
    assert_eq!(rights(temp.path(), &[]).code, Some(2));
    assert_eq!(rights(temp.path(), &["--cluster", "provider", "--repo", REPO]).code, Some(2));
}

/// A document chooses names of namespaces, and who applies the rights sees those that look like someone else's.
#[test]
fn other_namespaces_are_noted() {
    let temp = folder(&[]);
    rights(temp.path(), &["--cluster", "consumer"]).says("rights outside of tenant namespaces: demo").done();
    rights(temp.path(), &["--cluster", "provider"]).silent_on("outside").done();
}
