//! Taking a peering down: what `state: Drained` and `protection` do to each object (`teardown/drained.txt`).

mod page;
mod variant;

use std::collections::BTreeSet;

use self::page::{Cell, DROPS, PROTECTED, Row, rows};
use self::variant::{Variant, variants};
use crate::harness::{
    Checkout, Id, ROLES, annotation, documents, edited, label, replaced, text_at,
};
use serde_json::Value;

/// What Liqo itself takes off a Namespace (liqo `namespaceoffloading-controller/lifecycle.go`).
const SCHEDULING: &str = "liqo.io/scheduling-enabled";

fn objects(variant: &Variant, role: &str) -> Vec<Value> {
    let objects = documents(&variant.peering.stream(role));
    assert!(
        !objects.is_empty(),
        "{}, {role}: an empty stream would prune everything",
        variant.name
    );
    objects
}

/// Which of the table's objects it is.
fn title(object: &Value) -> &'static str {
    match text_at(object, "/kind") {
        "Namespace" if label(object, "liqo.io/tenant-namespace").is_some() => {
            "the tenant namespace"
        }
        "Namespace" => "a workload namespace",
        "Secret" if object["type"] == "kubernetes.io/service-account-token" => {
            "the account's token"
        }
        "Secret" | "SealedSecret" | "ExternalSecret"
            if label(object, "liqo.io/identity-type").is_some() =>
        {
            "the credential"
        }
        "Secret" if label(object, "liqo.io/nonce").is_some() => "what the other cluster has signed",
        "Secret" | "SealedSecret" | "ExternalSecret" => "the gateway's keys",
        "PublicKey" => "the other gateway's key",
        "Configuration" => "the other cluster's networks",
        "GatewayServer" => "the gateway that listens",
        "GatewayClient" => "the gateway that dials",
        "ServiceAccount" => "the other cluster's account",
        "RoleBinding" => "the other cluster's rights",
        "Tenant" => "the other cluster's admission",
        "Identity" => "the credential, as Liqo's Identity",
        "ResourceSlice" => "a slice",
        "VirtualNode" => "a custom virtual node",
        "NamespaceOffloading" => "the namespace's offloading",
        "ForeignCluster" => "Liqo's summary of the other cluster",
        kind => panic!("drained.txt has no {kind}"),
    }
}

/// What brings a Secret goes as the Secret would.
fn in_place_of(kind: &str) -> &str {
    match kind {
        "SealedSecret" | "ExternalSecret" => "Secret",
        kind => kind,
    }
}

fn row_of<'r>(rows: &'r [Row], object: &Value) -> &'r Row {
    let title = title(object);
    rows.iter()
        .find(|row| row.title == title)
        .unwrap_or_else(|| panic!("no row `{title}` in the table"))
}

fn find<'o>(objects: &'o [Value], id: &Id) -> Option<&'o Value> {
    objects.iter().find(|object| Id::of(object) == *id)
}

fn wave(object: &Value) -> u8 {
    annotation(object, "argocd.argoproj.io/sync-wave")
        .and_then(|wave| wave.parse().ok())
        .expect("a wave")
}

#[test]
fn the_table_says_what_is_kept_and_what_is_gone() {
    let rows = rows();
    let mut seen = BTreeSet::new();
    for variant in variants() {
        let drained_variant = variant.with("state", "Drained");
        for role in ROLES {
            let column = if variant.is_bidirectional() {
                2
            } else {
                usize::from(role == "provider")
            };
            let (active, drained) = (
                objects(&variant.with("state", "Active"), role),
                objects(&drained_variant, role),
            );
            for object in &active {
                let (id, row) = (Id::of(object), row_of(&rows, object));
                let place = format!("{}, {role}, {id}", variant.name);
                assert_eq!(
                    row.kind,
                    in_place_of(&id.kind),
                    "{place}: the kind in the table's row `{}`",
                    row.title
                );
                variant.check_name(role, row, &id);
                let rest = find(&drained, &id);
                match &row.cells[column] {
                    Cell::Never => {
                        panic!("{place}: the table says that such a stream does not have it")
                    }
                    Cell::Gone => {
                        assert!(rest.is_none(), "{place}: the table says that it is gone");
                    }
                    Cell::Kept => {
                        assert_eq!(
                            rest,
                            Some(object),
                            "{place}: the table says that it is kept"
                        );
                    }
                    Cell::KeptWithout(key) => {
                        assert_eq!(key, SCHEDULING, "{place}");
                        let mut expected = object.clone();
                        without_label(&mut expected, key);
                        assert_eq!(rest, Some(&expected), "{place}: kept, without the label");
                        if label(object, key).is_some() {
                            seen.insert((SCHEDULING.to_owned(), column));
                        }
                    }
                }
                seen.insert((row.title.clone(), column));
            }
            for object in &drained {
                let id = Id::of(object);
                assert!(
                    find(&active, &id).is_some(),
                    "{}, {role}, {id}: only when drained",
                    variant.name
                );
            }
        }
    }
    for row in &rows {
        for (column, cell) in row.cells.iter().enumerate() {
            let shown = seen.contains(&(row.title.clone(), column));
            assert_eq!(
                shown,
                *cell != Cell::Never,
                "`{}`, column {column}: no example shows it",
                row.title
            );
        }
    }
    for column in [0, 2] {
        assert!(
            seen.contains(&(SCHEDULING.to_owned(), column)),
            "column {column}: no label was taken off"
        );
    }
}

fn without_label(object: &mut Value, key: &str) {
    let metadata = object["metadata"].as_object_mut().expect("metadata");
    let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut) else {
        return;
    };
    labels.remove(key);
    if labels.is_empty() {
        metadata.remove("labels");
    }
}

#[test]
fn in_one_direction_the_providers_stream_stays_byte_for_byte() {
    let mut compared = 0;
    for variant in variants()
        .into_iter()
        .filter(|variant| !variant.is_bidirectional())
    {
        let [active, drained] = ["Active", "Drained"]
            .map(|state| variant.with("state", state).peering.stream("provider"));
        assert!(
            active == drained,
            "{}: the provider's stream changes",
            variant.name
        );
        compared += 1;
    }
    assert!(
        compared > 5,
        "only {compared} examples are in one direction"
    );
}

#[test]
fn what_is_dropped_goes_in_the_order_of_the_table() {
    let order = DROPS;
    let mut dropped = 0;
    for variant in variants() {
        for role in ROLES {
            let drained = objects(&variant.with("state", "Drained"), role);
            let mut active = objects(&variant.with("state", "Active"), role);
            active.retain(|object| find(&drained, &Id::of(object)).is_none());
            dropped += active.len();
            // Argo CD prunes the highest wave first
            active.sort_by_key(|object| u8::MAX - wave(object));
            let step = |object: &Value| {
                let kind = in_place_of(text_at(object, "/kind"));
                let found = order.iter().position(|kinds| kinds.contains(&kind));
                found.unwrap_or_else(|| panic!("the table does not say when a {kind} is pruned"))
            };
            for pair in active.windows(2) {
                let (steps, waves) = (
                    (step(&pair[0]), step(&pair[1])),
                    (wave(&pair[0]), wave(&pair[1])),
                );
                assert_eq!(
                    steps.0 < steps.1,
                    waves.0 > waves.1,
                    "{}, {role}: {pair:?}",
                    variant.name
                );
                assert!(steps.0 <= steps.1, "{}, {role}: {pair:?}", variant.name);
            }
        }
    }
    assert!(dropped > 20, "only {dropped} objects were dropped");
}

/// What remains is whole: each object's namespace, each gateway's keys, each ServiceAccount.
#[test]
fn nothing_that_remains_needs_what_is_dropped() {
    for variant in variants() {
        for role in ROLES {
            let active = objects(&variant.with("state", "Active"), role);
            let drained = objects(&variant.with("state", "Drained"), role);
            let has = |objects: &[Value], kind: &str, namespace: &str, name: &str| {
                let is = |id: Id| {
                    (id.kind.as_str(), id.namespace.as_str(), id.name.as_str())
                        == (kind, namespace, name)
                };
                objects.iter().any(|object| is(Id::of(object)))
            };
            for object in &drained {
                let Id {
                    kind, namespace, ..
                } = Id::of(object);
                let mut needs = vec![("Namespace", "", namespace.as_str())];
                needs.extend(
                    object["spec"]["secretRef"]["name"]
                        .as_str()
                        .map(|it| ("Secret", namespace.as_str(), it)),
                );
                let account = annotation(object, "kubernetes.io/service-account.name");
                needs.extend(account.map(|it| ("ServiceAccount", namespace.as_str(), it)));
                let subjects = object["subjects"]
                    .as_array()
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                for subject in subjects
                    .iter()
                    .filter(|subject| subject["kind"] == "ServiceAccount")
                {
                    needs.push((
                        "ServiceAccount",
                        text_at(subject, "/namespace"),
                        text_at(subject, "/name"),
                    ));
                }
                for (needed, namespace, name) in needs {
                    let place = format!(
                        "{}, {role}: the {kind} needs the {needed} {name}",
                        variant.name
                    );
                    assert_eq!(
                        has(&drained, needed, namespace, name),
                        has(&active, needed, namespace, name),
                        "{place}"
                    );
                }
            }
            // what the other side still has to clean up with
            for kind in [
                "Tenant",
                "RoleBinding",
                "ServiceAccount",
                "GatewayServer",
                "GatewayClient",
            ] {
                let count =
                    |objects: &[Value]| objects.iter().filter(|it| it["kind"] == kind).count();
                assert_eq!(
                    count(&drained),
                    count(&active),
                    "{}, {role}: {kind}",
                    variant.name
                );
            }
        }
    }
}

#[test]
fn what_is_protected_is_asked_about_and_nothing_else() {
    let protected = PROTECTED;
    for variant in variants() {
        for state in ["Active", "Drained"] {
            for protection in ["confirm", "none"] {
                let variant = variant.with("state", state).with("protection", protection);
                for object in ROLES.iter().flat_map(|role| objects(&variant, role)) {
                    let options =
                        annotation(&object, "argocd.argoproj.io/sync-options").unwrap_or_default();
                    let asked = protection == "confirm"
                        && protected.iter().any(|kind| object["kind"] == **kind);
                    let place = format!(
                        "{}, {state}, {protection}, {}",
                        variant.name,
                        Id::of(&object)
                    );
                    assert_eq!(
                        options == "Prune=confirm,Delete=confirm",
                        asked,
                        "{place}: `{options}`"
                    );
                    assert!(
                        asked || !options.contains("confirm"),
                        "{place}: `{options}`"
                    );
                }
            }
        }
    }
}

/// The first commit prunes nothing that Argo CD would ask about, so it needs nobody at the keyboard.
#[test]
fn the_first_commit_asks_nothing() {
    let protected = PROTECTED;
    for row in rows()
        .iter()
        .filter(|row| protected.contains(&row.kind.as_str()))
    {
        assert!(!row.cells.contains(&Cell::Gone), "{}", row.title);
    }
}

/// The other word that is called so: it takes the provider's RoleBinding, and nothing of the consumer's.
#[test]
fn a_drained_tenant_loses_its_role_binding() {
    let [quickstart] = &variants()
        .into_iter()
        .filter(|it| it.name == "quickstart")
        .collect::<Vec<_>>()[..]
    else {
        panic!("there is one quickstart");
    };
    let thrown_out = quickstart.edited(|text| {
        text.replace(
            "\n  authentication:\n",
            "\n  authentication:\n    tenantCondition: Drained\n",
        )
    });
    assert_eq!(
        quickstart.peering.stream("consumer"),
        thrown_out.peering.stream("consumer")
    );
    let (before, after) = (
        objects(quickstart, "provider"),
        objects(&thrown_out, "provider"),
    );
    let gone: Vec<_> = before
        .iter()
        .map(Id::of)
        .filter(|id| find(&after, id).is_none())
        .collect();
    assert!(
        matches!(&gone[..], [id] if id.kind == "RoleBinding"),
        "{gone:?}"
    );
    assert_eq!(after.len() + 1, before.len());
}

/// The credential of a peering that is being taken down is not waited for.
#[test]
fn a_drained_peering_says_nothing_of_a_pending_credential() {
    let text = edited(
        "credential: { kubeconfig: { file: kubeconfig.age } }",
        "credential: pending",
    );
    for (state, is_noted) in [("Active", true), ("Drained", false)] {
        let checkout = Checkout::of(replaced(
            &text,
            "\nspec:\n",
            &format!("\nspec:\n  state: {state}\n"),
        ));
        let run = checkout
            .program(["generate", "--public", "--role", "consumer"])
            .run();
        run.stream();
        assert_eq!(
            run.stderr.contains("the credential is `pending`"),
            is_noted,
            "{state}: {run}"
        );
    }
}
