//! The decision table, `tests/authorise.json`.

use super::{Denied, Grants, Use, authorise};
use crate::argocd::caller::{Caller, Environment};
use crate::custody::policy::Policy;
use crate::custody::terms::{Term, TermSubject, Terms};
use crate::peering::delivery::Delivery;
use crate::peering::values::{ClusterId, Role, Sides};
use crate::stream::kinds::KINDS;
use crate::stream::kinds::tests::plans;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/authorise.json"));

fn table() -> Value {
    serde_json::from_str(TABLE).expect("JSON")
}

/// What a row of facts is decided as: `allowed`, `policy`, or which term denies and how.
fn decided(facts: &Value) -> String {
    let terms = Terms::from_json(&serde_json::from_value(facts["bind"].clone()).expect("terms"))
        .expect("terms");
    let policy = facts["policy"].as_array().map(|allow| {
        let mut allow = allow.clone();
        // null takes a fact away; written down, it is a list of none
        allow
            .iter_mut()
            .filter_map(Value::as_object_mut)
            .for_each(|entry| entry.retain(|_, fact| !fact.is_null()));
        let policy =
            json!({ "apiVersion": "argocd-peering/v1alpha1", "kind": "Policy", "allow": allow });
        Policy::parse(&policy.to_string()).expect("a policy")
    });
    let id = |at: usize| -> ClusterId {
        facts["clusters"][at]
            .as_str()
            .expect("an ID")
            .parse()
            .expect("an ID")
    };
    let (consumer, provider) = (id(0), id(1));
    let caller = if facts["caller"] == "local" {
        Caller::Local
    } else {
        caller(&facts["caller"])
    };
    let role = facts["role"]
        .as_str()
        .and_then(Role::find)
        .unwrap_or(Role::Provider);
    let delivery = facts["delivery"].as_str().and_then(Delivery::find);
    let asked = Use {
        clusters: Sides {
            consumer: &consumer,
            provider: &provider,
        },
        role: Some(role),
        delivery,
        grants: Grants {
            namespaces: words(&facts["namespace"]),
            offloads: words(&facts["offloads"]),
            lets_in: words(&facts["letsIn"]),
            labels: words(&facts["labels"]),
            ..Grants::default()
        },
    };
    match authorise(&terms, policy.as_ref(), &asked, &caller) {
        Ok(()) => "allowed".into(),
        Err(Denied::Absent { term }) => format!("absent {term}"),
        Err(Denied::Unreported { term }) => format!("unsaid {term}"),
        Err(Denied::Other { term }) => format!("other {term}"),
        Err(Denied::Policy) => "policy".into(),
    }
}

/// A word, or several.
fn words(facts: &Value) -> BTreeSet<String> {
    let list = facts
        .as_array()
        .map_or(std::slice::from_ref(facts), Vec::as_slice);
    let words = list.iter().filter_map(Value::as_str);
    words.map(ToOwned::to_owned).collect()
}

/// By way of the variables that the repo-server sets.
fn caller(facts: &Value) -> Caller {
    let [project, repo, path, revision] = ["project", "repo", "path", "revision"]
        .map(|name| facts[name].as_str().unwrap_or_default());
    Caller::from_environment(&Environment::from([
        ("ARGOCD_APP_PROJECT_NAME", project),
        ("ARGOCD_APP_SOURCE_REPO_URL", repo),
        ("ARGOCD_APP_SOURCE_PATH", path),
        ("ARGOCD_APP_SOURCE_TARGET_REVISION", revision),
    ]))
}

/// An allow row with the row's one change.
fn changed(table: &Value, row: &Value) -> Value {
    let mut facts = table["allow"][row["from"].as_str().expect("a name")].clone();
    let change: &Map<String, Value> = row["changed"].as_object().expect("a change");
    assert_eq!(change.len(), 1, "one fact differs: {row}");
    for (pointer, value) in change {
        let fact = facts
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("no such fact: {row}"));
        assert_ne!(fact, value, "it differs: {row}");
        *fact = value.clone();
    }
    facts
}

#[test]
fn every_row() {
    let table = table();
    for (name, facts) in table["allow"].as_object().expect("rows") {
        assert_eq!(decided(facts), "allowed", "{name}");
    }
    for row in table["deny"].as_array().expect("rows") {
        assert_eq!(decided(&changed(&table, row)), row["denied"], "{row}");
    }
    for row in table["also"].as_array().expect("rows") {
        assert_eq!(decided(&changed(&table, row)), "allowed", "{row}");
    }
}

#[test]
fn every_way_to_deny_has_a_row() {
    let table = table();
    let rows = table["deny"].as_array().expect("rows");
    let denied = rows.iter().map(|row| row["denied"].as_str().expect("text"));
    let denied: BTreeSet<String> = denied.map(ToOwned::to_owned).collect();
    let ways = Term::ALL.iter().flat_map(|term| {
        let absent = term.denies_if_absent() && *term != Term::Clusters;
        let unsaid = term.subject() == TermSubject::Caller;
        let ways = [("absent", absent), ("unsaid", unsaid), ("other", true)].into_iter();
        ways.filter(|(_, is_way)| *is_way)
            .map(move |(how, _)| format!("{how} {term}"))
    });
    let ways: BTreeSet<String> = ways.chain(["policy".into()]).collect();
    let differ: Vec<_> = ways.symmetric_difference(&denied).collect();
    assert!(
        differ.is_empty(),
        "`deny` of tests/authorise.json lacks, or has for no term: {differ:?}"
    );
}

/// Which facts an object of each kind adds. A kind without a row fails, and so does one whose objects add something else.
#[test]
fn each_kind_adds_these_facts() {
    #[rustfmt::skip] // a table
    const ROWS: [(&str, &str); 21] = [
        ("Configuration", "namespaces"),
        ("ExternalSecret", "namespaces"),
        ("ForeignCluster", ""),
        ("GatewayClient", "namespaces"),
        ("GatewayServer", "namespaces"),
        ("Identity", "namespaces"),
        ("Namespace", "offloads"),
        ("NamespaceOffloading", "offloads"),
        ("PublicKey", "namespaces"),
        ("ResourceQuota", "namespaces"),
        ("ResourceSlice", "namespaces"),
        ("RoleBinding", "namespaces letsIn"),
        ("SealedSecret", "namespaces"),
        ("ServiceAccount", "namespaces"),
        ("Tenant", "namespaces letsIn"),
        ("VirtualNode", "namespaces"),
        ("credential", "namespaces"),
        ("keys", "namespaces"),
        ("nonce", "namespaces"),
        ("tenant Namespace", "namespaces"),
        ("token", "namespaces"),
    ];
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for plan in plans() {
        for manifest in &plan.manifests {
            let mut grants = Grants::default();
            grants.add(manifest);
            let facts = found.entry(manifest.kind().name).or_default();
            let lists = [
                ("namespaces", &grants.namespaces),
                ("offloads", &grants.offloads),
                ("letsIn", &grants.lets_in),
            ];
            for (fact, values) in lists {
                facts.extend((!values.is_empty()).then_some(fact));
            }
        }
    }
    let rows = ROWS.map(|(kind, facts)| (kind, facts.split_whitespace().collect()));
    assert_eq!(found, rows.into());
    let kinds: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert!(kinds.iter().eq(found.keys()), "{kinds:?}");
}
