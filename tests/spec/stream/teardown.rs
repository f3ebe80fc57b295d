//! Taking a peering down: what `state: Drained` and `protection` do to each object (`teardown/drained.txt`).

mod page;
mod variant;

use std::collections::BTreeSet;

use self::page::{Cell, PROTECTED, Row, rows};
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
        "ResourceQuota" => "the deletion's guard",
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
