//! Every field that is declared does something: it is in an example, and another value there is another stream.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::Index;
use serde_json::{Value, json};

use super::schema::nodes;
use crate::harness::{Peering, Sample, library, rows};

/// Where a field is: the document's number, and a JSON pointer in it.
type Place = (usize, String);

/// The JSON Schema as the program declares it, and the documents of the examples.
struct Fields {
    schema: Value,
    /// The words of all its fixed sets.
    words: Vec<String>,
    documents: Vec<Value>,
    /// What each of them gives as it is.
    streams: Vec<[String; 2]>,
    /// All places of a field, which is written as `Record.field`.
    places: BTreeMap<String, BTreeSet<Place>>,
}

impl Fields {
    fn read() -> Self {
        let mut documents: Vec<Value> = Peering::examples().iter().map(Peering::document).collect();
        // the smallest takes the least time
        documents.sort_by_key(|document| document.to_string().len());
        let streams = documents
            .iter()
            .map(|it| library::streams(&it.to_string()).expect("an example"));
        let streams = streams.collect();
        let schema = serde_json::from_str(&library::schema()).expect("JSON");
        let words = words(&schema);
        let mut fields = Self {
            schema,
            words,
            documents,
            streams,
            places: BTreeMap::new(),
        };
        for number in 0..fields.documents.len() {
            let (schema, document) = (fields.schema.clone(), fields.documents[number].clone());
            fields.visit("Document", &schema, &document, &(number, String::new()));
        }
        fields
    }

    /// Notes the fields of a value that a schema describes.
    fn visit(&mut self, record: &str, schema: &Value, value: &Value, place: &Place) {
        if let Some(name) = schema["$ref"].as_str() {
            let schema = self.schema.pointer(&name[1..]).expect(name).clone();
            self.visit(
                name.rsplit('/').next().expect("a name"),
                &schema,
                value,
                place,
            );
        }
        for alternative in schema["anyOf"].as_array().into_iter().flatten() {
            self.visit(record, alternative, value, place);
        }
        let below = |step: &str| {
            (
                place.0,
                format!("{}/{}", place.1, step.replace('~', "~0").replace('/', "~1")),
            )
        };
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    let (field, any) =
                        (&schema["properties"][key], &schema["additionalProperties"]);
                    if field.is_object() {
                        self.places
                            .entry(format!("{record}.{key}"))
                            .or_default()
                            .insert(below(key));
                        self.visit("", field, value, &below(key));
                    } else if any.is_object() {
                        self.visit("", any, value, &below(key));
                    }
                }
            }
            Value::Array(items) if schema["items"].is_object() => {
                for (index, item) in items.iter().enumerate() {
                    self.visit("", &schema["items"], item, &below(&index.to_string()));
                }
            }
            _ => {}
        }
    }

    /// All that are declared.
    fn declared(&self) -> BTreeSet<String> {
        let records = self.schema["$defs"].as_object().expect("records").iter();
        let records = records
            .map(|(name, schema)| (name.as_str(), schema))
            .chain([("Document", &self.schema)]);
        let names = |(record, schema): (&str, &Value)| -> Vec<String> {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields
                .map(|(field, _)| format!("{record}.{field}"))
                .collect()
        };
        records.flat_map(names).collect()
    }

    /// Whether another value of a field is another stream, somewhere.
    fn counts(&self, places: &BTreeSet<Place>) -> bool {
        places.iter().any(|(number, pointer)| {
            let document = &self.documents[*number];
            let changed = others(document, pointer, &self.words);
            let mut after = changed.filter_map(|it| library::streams(&it.to_string()).ok());
            after.any(|after| after != self.streams[*number])
        })
    }
}

/// The words of all fixed sets of a schema.
fn words(schema: &Value) -> Vec<String> {
    let sets = nodes(schema)
        .into_iter()
        .flat_map(|node| node["enum"].as_array().into_iter().flatten());
    let words: BTreeSet<&str> = sets.filter_map(Value::as_str).collect();
    words.into_iter().map(str::to_owned).collect()
}

/// The document with other values at a place, right or wrong, and without the field.
fn others(document: &Value, pointer: &str, words: &[String]) -> impl Iterator<Item = Value> {
    let (parent, key) = pointer.rsplit_once('/').expect("a field");
    let mut without = document.clone();
    let map = without
        .pointer_mut(parent)
        .and_then(Value::as_object_mut)
        .expect("a map");
    map.remove(&key.replace("~1", "/"));
    let values = changed(document.pointer(pointer).expect("a value"), words);
    let with = move |value| {
        let mut document = document.clone();
        *document.pointer_mut(pointer).expect("a value") = value;
        document
    };
    // one by one: the first that counts ends it
    [without].into_iter().chain(values.into_iter().map(with))
}

/// Other values, right and wrong ones.
fn changed(value: &Value, words: &[String]) -> Vec<Value> {
    match value {
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => vec![json!(number.as_i64().unwrap_or_default() + 1)],
        Value::String(text) => {
            let digit = text.find(|it: char| it.is_ascii_digit());
            let digit = digit.map(|at| {
                format!(
                    "{}{}{}",
                    &text[..at],
                    if &text[at..=at] == "1" { "2" } else { "1" },
                    &text[at + 1..]
                )
            });
            let longer = [format!("{text}x"), format!("x{text}"), format!("{text}/x")]
                .into_iter()
                .chain(digit);
            longer
                .chain(words.iter().cloned())
                .map(Value::from)
                .collect()
        }
        Value::Array(items) => (0..items.len())
            .flat_map(|index| within(value, index, words))
            .collect(),
        Value::Object(map) => map
            .keys()
            .flat_map(|key| within(value, key.as_str(), words))
            .collect(),
        Value::Null => Vec::new(),
    }
}

/// The list or map with other values at one place.
fn within(value: &Value, at: impl Index + Copy, words: &[String]) -> Vec<Value> {
    let with = |inner| {
        let mut value = value.clone();
        value[at] = inner;
        value
    };
    changed(&value[at], words).into_iter().map(with).collect()
}

#[test]
fn every_declared_field_is_in_an_example_and_counts() {
    let fields = Fields::read();
    let declared = fields.declared();
    assert!(declared.len() > 100, "{declared:?}");
    let (mut problems, mut sample) = (Vec::new(), Sample::new());
    let elsewhere = rows(include_str!("fields.txt"));
    for field in &declared {
        let exception = elsewhere.iter().find(|(name, _)| name == field);
        match (fields.places.get(field), exception) {
            (None, _) => problems.push(format!("{field}: no example has it")),
            (Some(places), None) if !fields.counts(places) => {
                problems.push(format!(
                    "{field}: declared, and no stream has it: pass it through, or render it"
                ));
            }
            // each other value of such a field is tried, which takes long
            (Some(places), Some((_, why)))
                if sample.takes() && fields.counts(&places.iter().take(1).cloned().collect()) =>
            {
                problems.push(format!(
                    "{field}: it is in a stream, so this is not true: {why}"
                ));
            }
            _ => {}
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
