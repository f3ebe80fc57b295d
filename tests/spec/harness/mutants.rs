//! Documents with one change each.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A document with one change.
pub(crate) struct Mutant {
    /// Where, and what stands there now.
    pub(crate) what: String,
    pub(crate) document: Value,
}

/// Those single changes of the documents that are taken, each field in the smallest one that has it: that takes the least time.
pub(crate) fn of_all(mut documents: Vec<Value>, mut is_taken: impl FnMut() -> bool) -> Vec<Mutant> {
    documents.sort_by_key(|document| document.to_string().len());
    let mut seen = BTreeSet::new();
    documents
        .iter()
        .flat_map(|document| of(document, &mut seen, &mut is_taken))
        .collect()
}

/// What is found of each, in their order; on all cores.
pub(crate) fn each<T: Send>(mutants: &[Mutant], find: impl Fn(&Mutant) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let find = &find;
        let parts = mutants.chunks(mutants.len().div_ceil(threads));
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(find).collect::<Vec<T>>()))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker"))
            .collect()
    })
}

/// All single changes of a document. A field that was `seen`, in this document or another, is left as it is.
fn of(
    document: &Value,
    seen: &mut BTreeSet<String>,
    is_taken: &mut impl FnMut() -> bool,
) -> Vec<Mutant> {
    let mut places = Vec::new();
    walk(
        document,
        &mut String::new(),
        &mut String::new(),
        &mut places,
    );
    let mut mutants = Vec::new();
    for (pointer, field) in places {
        if !seen.insert(field.clone()) {
            continue;
        }
        let old = document.pointer(&pointer).expect("it was there");
        for new in changes(old).into_iter().filter(|_| is_taken()) {
            let mut document = document.clone();
            let what = format!("{pointer}: {new}");
            *document.pointer_mut(&pointer).expect("it was there") = new;
            mutants.push(Mutant { what, document });
        }
    }
    mutants
}

/// Every place as a JSON pointer, and the field that it is: the same for all items of a list.
fn walk(
    value: &Value,
    pointer: &mut String,
    field: &mut String,
    places: &mut Vec<(String, String)>,
) {
    places.push((pointer.clone(), field.clone()));
    let mut inner = |step: &str, name: &str, value: &Value| {
        let (before, length) = (pointer.len(), field.len());
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        field.push('.');
        field.push_str(name);
        walk(value, pointer, field, places);
        pointer.truncate(before);
        field.truncate(length);
    };
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| inner(&at.to_string(), "[]", item));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| inner(key, key, value)),
        _ => {}
    }
}

/// What may stand in the place of a value.
fn changes(old: &Value) -> Vec<Value> {
    let mut changes = match old {
        Value::Object(map) => of_map(map),
        Value::Array(items) => of_list(items),
        _ => Vec::new(),
    };
    changes.extend([
        json!(null),
        json!([]),
        json!({}),
        json!([old]),
        json!({ "x": old }),
    ]);
    if old.is_object() || old.is_array() {
        // one of each kind tells what stands there
        changes.extend([json!("x"), json!("all"), json!(1), json!(1.5), json!(true)]);
    } else {
        changes.extend(scalars());
    }
    changes.retain(|new| new != old);
    changes
}

/// Without each of its fields, with another one, and with each field under another name.
fn of_map(map: &Map<String, Value>) -> Vec<Value> {
    let mut changes = Vec::new();
    let with = |key: &str, value: &Value| {
        let mut map = map.clone();
        map.insert(key.to_owned(), value.clone());
        Value::Object(map)
    };
    for (key, value) in map {
        let mut without = map.clone();
        without.remove(key);
        changes.push(Value::Object(without.clone()));
        for name in [key.to_uppercase(), format!("{key}x")] {
            let mut renamed = without.clone();
            renamed.insert(name, value.clone());
            changes.push(Value::Object(renamed));
        }
    }
    for key in [
        "zeta",
        "",
        "a/b/c",
        "example.org/team",
        "Example.org/team",
        "pods",
        "metadata",
    ] {
        changes.push(with(key, &json!("1")));
    }
    changes.push(with("zeta", &json!({})));
    changes
}

/// With an item less, twice, and with items of other kinds.
fn of_list(items: &[Value]) -> Vec<Value> {
    let and = |item: Value| Value::Array(items.iter().cloned().chain([item]).collect());
    let mut changes = vec![
        and(json!(null)),
        and(json!(1)),
        and(json!("x")),
        and(json!({})),
        and(json!([])),
    ];
    changes.extend(items.first().map(|first| and(first.clone())));
    changes.extend(items.split_last().map(|(_, rest)| json!(rest)));
    changes
}

/// One of each kind that some field takes, and what is next to it and wrong.
fn scalars() -> Vec<Value> {
    let long = "x".repeat(2000);
    let numbers = json!([
        0,
        -1,
        1.5,
        1.0,
        576,
        8921,
        30742,
        65536,
        4_294_967_296_u64,
        u64::MAX,
        true
    ]);
    let plain = "x X x.y x_y -x é on 12 1.2 v1.2.3 10.42.0.0/16 10.42.3.0/16 10.42.0.0/33 fd00::/8 172.16.0.1 \
         gateway.example.org https://172.16.0.1:6443 http://a@b file.age ../file.age 500m +1 1E3 0 .5 1K \
         -1 example.org/team nn4t1zIhnn4t1zIhnn4t1zIhnn4t1zIhnn4t1zIhn4Q= LS0tLS1CRUdJTg== Drained all \
         pending NodePort ExternalName provider In Local";
    let odd = ["", " ", "a b", "a\nb", "\u{1}"];
    let sizes = [52, 61, 64, 254, 256, 2000].map(|size| Value::from(&long[..size]));
    let texts = plain.split(' ').chain(odd).map(Value::from);
    numbers
        .as_array()
        .expect("a list")
        .iter()
        .cloned()
        .chain(texts)
        .chain(sizes)
        .collect()
}
