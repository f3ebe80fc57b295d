//! `rights`: what it prints for a cluster and for the projects; that each verb is needed, and that no other one is, is shown by
//! `tests/conformance/apiserver/rights_test.go`.

use crate::generated::{Made, RIGHTS};
use crate::harness::{Id, Outcome, Peering, REPO, ROLES, Run, committed, documents, put, root};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn rights(folder: &Path, words: &[&str]) -> Outcome {
    Run::new(["rights"])
        .args(words.iter().copied())
        .within(folder)
        .run()
}

/// What is printed for the quickstart.
pub(crate) fn made() -> Vec<Made> {
    let prints = [
        ("consumer", ["--cluster", "consumer"]),
        ("provider", ["--cluster", "provider"]),
        ("projects", ["--repo", REPO]),
    ];
    let print = |(name, flag): (&str, [&str; 2])| {
        let text = rights(&root().join("examples"), &["quickstart", flag[0], flag[1]])
            .done()
            .to_owned();
        Made {
            path: format!("tests/rights/{name}.yaml"),
            text,
        }
    };
    prints.map(print).into()
}

#[test]
fn the_rights_of_the_quickstart_are_as_committed() {
    RIGHTS.is_current();
}

/// Whether a project has an entry with these values in a list.
fn has_entry(project: &Value, list: &str, entry: &Value) -> bool {
    let entries = project["spec"][list].as_array().expect(list);
    let fields = entry.as_object().expect("an entry");
    entries
        .iter()
        .any(|it| fields.iter().all(|(name, value)| it[name] == *value))
}

/// Argo CD refuses an object whose kind or namespace its project does not have.
#[test]
fn the_projects_permit_each_object_of_the_streams() {
    let mut count = 0;
    for example in Peering::examples() {
        let document = fs::read_to_string(example.folder.join("peering.yaml")).expect("a document");
        let mut own = Vec::new();
        for line in document.lines() {
            if let Some((_, name)) = line.split_once("    tenantNamespace: peering-") {
                let peer = name.split(' ').next().unwrap_or(name);
                own.push(format!("peering-{peer}"));
            }
        }
        let names = own.iter().flat_map(|it| ["--tenant-namespace", it]);
        let words: Vec<&str> = [".", "--repo", REPO].into_iter().chain(names).collect();
        let projects = rights(&example.folder, &words);
        let projects = documents(projects.done());
        for role in ROLES {
            let name = format!("peering-{role}");
            let mut of_role = projects.iter().filter(|it| it["metadata"]["name"] == name);
            let project = of_role.next().expect("a project");
            for Id {
                group,
                kind,
                namespace,
                name,
            } in example.golden(role).1.iter().map(Id::of)
            {
                let what = format!("{}: {role}: {kind} {namespace}/{name}", example.name);
                let entry = json!({ "group": group, "kind": kind });
                if namespace.is_empty() {
                    let entry = json!({ "group": group, "kind": kind, "name": name });
                    assert!(
                        has_entry(project, "clusterResourceWhitelist", &entry),
                        "{what}"
                    );
                } else {
                    assert!(
                        has_entry(project, "namespaceResourceWhitelist", &entry),
                        "{what}"
                    );
                    let entry = json!({ "namespace": namespace });
                    assert!(has_entry(project, "destinations", &entry), "{what}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count} objects");
}

/// The second commit of an exchange adds an Identity, and a project that was printed before it permits that.
#[test]
fn an_exchange_of_keys_has_its_rights_before_it_is_over() {
    let signed = committed("examples/keys-exchange/peering.yaml")
        .replace(
            "    clusterID: pavia\n",
            "    clusterID: pavia\n    names: { keySecret: own-keys }\n",
        )
        .replace(
            "    clusterID: lodi\n",
            "    clusterID: lodi\n    names: { keySecret: own-keys }\n",
        );
    let cut = |from: &str| {
        let (before, rest) = signed.split_once(from).expect(from);
        let (_, after) = rest.split_once("\n  offloading:").expect("the next part");
        format!("{before}\n  offloading:{after}")
    };
    let asked = cut("\n        authParams:");
    let pending = cut("\n      keysExchange:").replace(
        "    credential:\n",
        "    credential: { keysExchange: pending }\n",
    );
    let [signed, asked, pending] = [signed.clone(), asked, pending].map(|text| {
        let temp = crate::harness::machine::folder();
        put(temp.path().join("peering.yaml"), text);
        temp
    });
    for what in [
        ["--cluster", "pavia"],
        ["--cluster", "lodi"],
        ["--repo", REPO],
    ] {
        let [signed, asked, pending] =
            [&signed, &asked, &pending].map(|it| rights(it.path(), &what).done().to_owned());
        assert!(
            asked == signed && pending == signed,
            "{what:?}: {asked}{pending}"
        );
    }
}
