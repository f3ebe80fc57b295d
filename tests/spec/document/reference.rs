//! `docs/document.md`: every field of `peering.yaml`. Its words are the schema's, and so those of the code; where a field
//! ends up is what `tests/coverage` says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::generated::Made;
use crate::harness::committed;
use crate::peering::coverage::table::{Kinds, meant};

const PAGE: &str = "docs/document.md";

const INTRODUCTION: &str = "\
<!-- Made from docs/peering.schema.json and tests/coverage by `UPDATE=1 cargo test --locked` -->

# Every field of peering.yaml

This page has every field of `peering.yaml`: its values, its meaning, and the object of Liqo that gets it. Fields that are not
marked as required can be left out. Every field works with Liqo 1.0 and newer, unless its line names a release.

`[]` is each item of a list. `spec.reverse.authentication` and `spec.reverse.offloading` take the fields of
`spec.authentication` and `spec.offloading`, for the other direction. The texts are those of the
[JSON Schema](peering.schema.json). With it, an editor completes and checks the file while you type: the first line of
[each example](../examples/README.md) shows how. [`everything`](../examples/everything/peering.yaml) is a document with
every field, and [Every field of Liqo's CRDs](project/coverage.md) is this page in the other direction.

";

/// A map of the document.
struct Section<'s> {
    /// The schema's name for it.
    name: Option<&'s str>,
    /// Where it is, for the first time.
    place: String,
    /// Where else.
    also: Vec<String>,
    node: &'s Value,
}

struct Reference<'s> {
    schema: &'s Value,
    sections: Vec<Section<'s>>,
    /// Kind and field, by the place that they come from.
    targets: BTreeMap<String, BTreeSet<(String, String)>>,
}

/// The page.
pub(crate) fn made() -> Vec<Made> {
    let schema: Value = serde_json::from_str(&committed("docs/peering.schema.json")).expect("JSON");
    let mut reference = Reference {
        schema: &schema,
        sections: Vec::new(),
        targets: targets(),
    };
    // a definition's section is at the place that is nearest to the top
    let mut next = VecDeque::from([(String::new(), &schema)]);
    while let Some((place, node)) = next.pop_front() {
        reference.visit(place, node, &mut next);
    }
    reference
        .sections
        .sort_by(|one, other| one.place.split('.').cmp(other.place.split('.')));
    vec![Made {
        path: PAGE.to_owned(),
        text: reference.text(),
    }]
}

/// Where the values of each place end up.
fn targets() -> BTreeMap<String, BTreeSet<(String, String)>> {
    let mut targets: BTreeMap<String, BTreeSet<_>> = BTreeMap::new();
    for kind in Kinds::read().tables() {
        for row in &kind.rows {
            for place in row.places().iter().flat_map(|place| meant(place)) {
                let place = place.trim_end_matches(['[', ']', '*', '.']).to_owned();
                targets
                    .entry(place)
                    .or_default()
                    .insert((kind.name.clone(), row.field.clone()));
            }
        }
    }
    targets
}

impl<'s> Reference<'s> {
    /// A map, if there is one at this place. What is in it comes next.
    fn visit(&mut self, place: String, node: &'s Value, next: &mut VecDeque<(String, &'s Value)>) {
        next.extend(
            node["anyOf"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|branch| (place.clone(), branch)),
        );
        if node["items"].is_object() {
            next.push_back((format!("{place}[]"), &node["items"]));
        }
        let name = definition(node);
        let node = name.map_or(node, |name| &self.schema["$defs"][name]);
        if !node["properties"].is_object() {
            return;
        }
        if let Some(name) = name
            && let Some(known) = self.sections.iter_mut().find(|it| it.name == Some(name))
        {
            known.also.push(place);
            return;
        }
        next.extend(fields(node).map(|(name, field)| (below(&place, name), field)));
        self.sections.push(Section {
            name,
            place,
            also: Vec::new(),
            node,
        });
    }

    fn text(&self) -> String {
        let mut text = INTRODUCTION.to_owned();
        for section in &self.sections {
            let depth = section.place.matches('.').count();
            let name = section.place.rsplit('.').next().expect("a name");
            let title = if name.is_empty() {
                title("")
            } else {
                format!("`{name}`")
            };
            let _ = writeln!(
                text,
                "{}- [{title}](#{})",
                "  ".repeat(depth),
                anchor(&section.place)
            );
        }
        for section in &self.sections {
            text += &self.section(section);
        }
        text
    }

    fn section(
        &self,
        Section {
            place, also, node, ..
        }: &Section<'_>,
    ) -> String {
        let mut text = format!("\n## {}\n\n", title(place));
        text += node["description"]
            .as_str()
            .expect("a map has a description");
        if !also.is_empty() {
            text += &format!(" Also at {}.", listed(&together(also), "and"));
        }
        text += "\n";
        if fields(node).next().is_none() {
            return text;
        }
        text += "\n| field | value | meaning |\n| --- | --- | --- |\n";
        let required = |name: &str| {
            node["required"]
                .as_array()
                .is_some_and(|it| it.iter().any(|it| it == name))
        };
        for wanted in [true, false] {
            for (name, field) in fields(node).filter(|(name, _)| required(name) == wanted) {
                let place = below(place, name);
                let value = self.value(&place, field) + if wanted { "; **required**" } else { "" };
                let _ = writeln!(
                    text,
                    "| `{name}` | {value} | {} |",
                    self.meaning(&place, field)
                );
            }
        }
        text
    }

    /// What may be written.
    fn value(&self, place: &str, node: &Value) -> String {
        if let Some(name) = definition(node) {
            let section = self
                .sections
                .iter()
                .find(|it| it.name == Some(name))
                .expect("it was visited");
            return format!("[map](#{})", anchor(&section.place));
        }
        if let Some(branches) = node["anyOf"].as_array() {
            let values: Vec<String> = branches
                .iter()
                .map(|branch| self.value(place, branch))
                .collect();
            return values.join(" or ");
        }
        if let Some(words) = node["enum"].as_array() {
            return listed(&words.iter().map(code).collect::<Vec<_>>(), "or");
        }
        if let Some(constant) = node.get("const") {
            return code(constant);
        }
        let limit = |name: &str| node[name].as_u64().filter(|limit| *limit < 1_000_000);
        match node["type"].as_str() {
            Some("array") => format!(
                "list of {}",
                self.value(&format!("{place}[]"), &node["items"])
            ),
            Some("object") if node["properties"].is_object() => {
                format!("[map](#{})", anchor(place))
            }
            Some("object") => {
                let values = &node["additionalProperties"];
                format!("map of names to {}", self.value(place, values)) + &such_as(values)
            }
            Some("boolean") => "`true` or `false`".to_owned(),
            Some("integer") => match (limit("minimum"), limit("maximum")) {
                (Some(least), Some(most)) => format!("number, {least} to {most}"),
                (Some(least), None) => format!("number, from {least}"),
                limits => panic!("{place}: {limits:?}"),
            },
            Some(kind @ ("string" | "number")) => {
                let kind = if kind == "string" { "text" } else { "number" };
                // 253 is Kubernetes' own limit of a name
                let most = limit("maxLength").filter(|most| *most < 253);
                let most = most.map(|most| format!(", at most {most} characters"));
                format!("{kind}{}{}", most.unwrap_or_default(), such_as(node))
            }
            other => panic!("{place}: {other:?}"),
        }
    }

    /// What the code says of it, and where it ends up.
    fn meaning(&self, place: &str, node: &Value) -> String {
        let mut text = node["description"]
            .as_str()
            .expect("a field has a description")
            .to_owned();
        if !text.ends_with('.') {
            text += ".";
        }
        if let Some(default) = node.get("default").filter(|_| !text.contains("Default: ")) {
            text += &format!(" Default: {}.", code(default));
        }
        if let Some(targets) = self.targets.get(place) {
            let kinds: BTreeSet<&String> = targets.iter().map(|(kind, _)| kind).collect();
            // a label of every object
            if kinds.len() <= 3 {
                let target = |(kind, field): &(String, String)| {
                    format!(
                        "[{kind}](project/coverage.md#{}) `{field}`",
                        kind.to_lowercase()
                    )
                };
                text += &format!(
                    " → {}",
                    targets.iter().map(target).collect::<Vec<_>>().join(", ")
                );
            }
        }
        text
    }
}

/// The name that a node refers to.
fn definition(node: &Value) -> Option<&str> {
    node["$ref"].as_str()?.strip_prefix("#/$defs/")
}

fn fields(node: &Value) -> impl Iterator<Item = (&String, &Value)> {
    node["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::iter)
}

fn below(place: &str, name: &str) -> String {
    if place.is_empty() {
        name.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

/// Places; of many in one map, the map.
fn together(places: &[String]) -> Vec<String> {
    let parent = |place: &str| place.rsplit_once('.').map(|(parent, _)| parent.to_owned());
    let mut found: Vec<String> = Vec::new();
    for place in places {
        let siblings = places
            .iter()
            .filter(|it| parent(it) == parent(place))
            .count();
        let shown = match parent(place).filter(|_| siblings > 2) {
            Some(parent) => format!("the fields of `{parent}`"),
            None => format!("`{place}`"),
        };
        if !found.contains(&shown) {
            found.push(shown);
        }
    }
    found
}

/// Of the whole document, or of a place.
fn title(place: &str) -> String {
    if place.is_empty() {
        "The document".to_owned()
    } else {
        format!("`{place}`")
    }
}

/// As GitHub and mdBook make it of a heading.
fn anchor(place: &str) -> String {
    let title = title(place).to_lowercase().replace(' ', "-");
    title
        .chars()
        .filter(|it| it.is_alphanumeric() || "-_".contains(*it))
        .collect()
}

fn code(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| format!("`{value}`"), |text| format!("`{text}`"))
}

fn such_as(node: &Value) -> String {
    let examples: Vec<String> = node["examples"]
        .as_array()
        .into_iter()
        .flatten()
        .map(code)
        .collect();
    if examples.is_empty() {
        String::new()
    } else {
        format!(", such as {}", listed(&examples, "or"))
    }
}

/// `a`, `b` or `c`
fn listed(words: &[String], conjunction: &str) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A release that a field needs is in the field's own text; Liqo's CRDs say which.
#[test]
fn a_field_that_older_releases_lack_names_the_release() {
    let page = committed(PAGE);
    let mut checked = 0;
    for kind in Kinds::read().tables() {
        for row in kind
            .rows
            .iter()
            .filter(|row| row.is_emitted() && row.since != "v1.0.0")
        {
            let minor = row
                .since
                .trim_start_matches('v')
                .rsplit_once('.')
                .expect("a patch")
                .0;
            for place in row.places() {
                let name = place
                    .trim_end_matches(['[', ']', '*', '.'])
                    .rsplit('.')
                    .next()
                    .expect("a name");
                let line = page
                    .lines()
                    .find(|line| line.starts_with(&format!("| `{name}` ")));
                assert!(
                    line.is_some_and(|it| it.contains(&format!("Liqo {minor} or later"))),
                    "{name}: {line:?}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "Liqo 1.2 has new fields");
}
