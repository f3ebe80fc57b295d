//! `explain`: prints the page of a code, or of a field of `peering.yaml` from the schema, or the list of all codes.
//!
//! A page's address is stable, because its code is: a file of the repository, and a page of the site that `.ci/site.py` builds. No host is
//! named, since a fork has another one.

use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Code, Page, nearest, one_of, quoted};
use crate::object::live::Check;
use crate::peering::schema_text;
use clap::Args;
use serde_json::{Map, Value};

/// Explain an error's code or a field of peering.yaml
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering explain cidr-host-bits
  argocd-peering explain spec.networking")]
pub struct Explain {
    /// The code in brackets after `error`, or a field of peering.yaml; without it all codes are listed
    pub code: Option<String>,
}

pub(crate) fn explain(arguments: &Explain, streams: &mut Streams<'_>) -> Result {
    let text = match &arguments.code {
        Some(name) => {
            let page = if is_path(name) {
                page_of_field(name)
            } else {
                page(name)
            };
            page.map_err(|reason| Error::flag("CODE", reason))?
        }
        None => list(),
    };
    streams.print(&text)
}

/// All pages: first those of a document's errors, then those of a run's errors, then those of `doctor`'s checks.
fn pages() -> impl Iterator<Item = Page> {
    let documents = Code::ALL.iter().map(|code| code.page());
    documents
        .chain(Error::PAGES.iter().copied())
        .chain(checks())
}

#[cfg(feature = "workstation")]
fn checks() -> impl Iterator<Item = Page> {
    Check::ALL.iter().map(|check| check.page())
}

#[cfg(not(feature = "workstation"))]
fn checks() -> impl Iterator<Item = Page> {
    std::iter::empty()
}

/// The folder of a page, in the repository and in the site.
fn place(name: &str) -> (&'static str, &'static str) {
    if checks().any(|check| check.name == name) {
        ("src/object/live/checks", "checks")
    } else {
        ("src/diagnostic/codes", "codes")
    }
}

/// The words that a shell completes: each code and each field.
pub(super) fn words() -> Vec<String> {
    pages()
        .map(|page| page.name.to_owned())
        .chain(paths())
        .collect()
}

/// The page of a code, and its address. The error names the nearest code, or says where all codes are listed.
fn page(code: &str) -> Result<String, String> {
    // the code as it is printed, or copied together with its level and brackets
    let word = ["error", "warning", "note"]
        .into_iter()
        .find_map(|word| code.strip_prefix(word)?.strip_prefix('['));
    let bare = word.unwrap_or(code).trim_matches(['[', ']', ':']);
    if let Some(Page { name, text }) = pages().find(|page| page.name == bare) {
        let (folder, site) = place(name);
        return Ok(format!(
            "{text}\nThis page: {folder}/{name}.md of the repository, {site}/{name}.html of the site\n"
        ));
    }
    let codes: Vec<&str> = pages().map(|page| page.name).collect();
    let advice = match (nearest(bare, &codes), nearest_path(bare)) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some(path)) => format!("did you mean the field `{path}`?"),
        (None, None) => "`argocd-peering explain` lists all of them".to_owned(),
    };
    Err(format!("there is no code {}; {advice}", quoted(code)))
}

/// The list of codes, each on a line with its page's title.
fn list() -> String {
    let width = pages()
        .map(|page| page.name.len())
        .max()
        .unwrap_or_default();
    let lines: Vec<String> = pages()
        .map(|page| format!("{:width$}  {}\n", page.name, page.title()))
        .collect();
    lines.concat()
}

/// Whether a name is a field's path and not a code: `spec`, `metadata.name`.
fn is_path(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    ["apiVersion", "kind", "metadata", "spec"].contains(&first)
}

/// The description of a field, and the fields below it. The error names the nearest field.
fn page_of_field(path: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(&schema_text()).unwrap_or_default();
    let mut node = Node {
        schema: &schema,
        value: &schema,
    };
    let mut place = String::new();
    let mut description = "";
    for part in path.split('.') {
        // an item of a list: `podCIDRs[0]`, `podCIDRs[]`
        let name = part.split('[').next().unwrap_or_default();
        let fields = node.fields();
        let Some(value) = fields.iter().find_map(|map| map.get(name)) else {
            return Err(unknown(name, &place, &fields));
        };
        description = value["description"].as_str().unwrap_or_default();
        node = Node {
            schema: &schema,
            value,
        };
        place = if place.is_empty() {
            name.to_owned()
        } else {
            format!("{place}.{name}")
        };
    }
    let mut page = format!("# {place}\n\n{description}\n\nValue: {}\n", node.kind());
    let maps = node.maps();
    if !maps.is_empty() {
        page += "\nFields:\n";
    }
    for map in maps {
        let required = map["required"].as_array().map_or(&[][..], Vec::as_slice);
        for (name, field) in map["properties"].as_object().into_iter().flatten() {
            let value = Node {
                schema: &schema,
                value: field,
            }
            .kind();
            let must = if required.iter().any(|it| it == name) {
                ", required"
            } else {
                ""
            };
            let text = field["description"].as_str().unwrap_or_default();
            page += &format!("  {name} ({value}{must})\n      {text}\n");
        }
    }
    Ok(page + "\nAll fields: docs/document.md of the repository, document.html of the site\n")
}

/// The paths of all fields, as a user writes them, in the schema's order.
fn paths() -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema_text()).unwrap_or_default();
    let mut paths = Vec::new();
    collect_paths(
        Node {
            schema: &schema,
            value: &schema,
        },
        "",
        &mut paths,
    );
    paths
}

/// The field whose name is nearest to the last part of this path.
fn nearest_path(end: &str) -> Option<String> {
    let paths = paths();
    let names: Vec<&str> = paths
        .iter()
        .filter_map(|path| path.rsplit('.').next())
        .collect();
    let near = end
        .rsplit('.')
        .next()
        .and_then(|name| nearest(name, &names));
    let mut ends = std::iter::once(end)
        .chain(near)
        .map(|end| format!(".{end}"));
    ends.find_map(|end| paths.iter().find(|path| path.ends_with(&end)))
        .cloned()
}

fn collect_paths(node: Node<'_>, place: &str, paths: &mut Vec<String>) {
    for (name, value) in node.fields().into_iter().flatten() {
        let path = if place.is_empty() {
            name.clone()
        } else {
            format!("{place}.{name}")
        };
        // the alternatives of one value share fields
        if !paths.contains(&path) {
            paths.push(path.clone());
            collect_paths(node.with(value), &path, paths);
        }
    }
}

fn unknown(name: &str, place: &str, fields: &[&Map<String, Value>]) -> String {
    let place = if place.is_empty() {
        String::new()
    } else {
        format!(" in `{place}`")
    };
    let names: Vec<&str> = fields
        .iter()
        .flat_map(|map| map.keys())
        .map(String::as_str)
        .collect();
    let advice = match (nearest(name, &names), names.as_slice()) {
        (Some(near), _) => format!("; did you mean `{near}`?"),
        (None, []) => ", which has no fields".to_owned(),
        (None, names) => format!("; there are {}", one_of(names)),
    };
    format!("there is no field {}{place}{advice}", quoted(name))
}

/// A node of the schema, and the whole schema, which its references point into.
#[derive(Clone, Copy)]
struct Node<'s> {
    schema: &'s Value,
    value: &'s Value,
}

impl<'s> Node<'s> {
    /// Another value of the same schema.
    const fn with(self, value: &'s Value) -> Self {
        Self { value, ..self }
    }

    /// The forms that the value can have: itself, the target of its reference, each alternative; for a list, its items.
    fn branches(self) -> Vec<&'s Value> {
        let value = self.value;
        if let Some(name) = value["$ref"]
            .as_str()
            .and_then(|it| it.strip_prefix("#/$defs/"))
        {
            return self.schema["$defs"]
                .get(name)
                .map(|it| self.with(it).branches())
                .unwrap_or_default();
        }
        if let Some(branches) = value["anyOf"].as_array() {
            return branches
                .iter()
                .flat_map(|it| self.with(it).branches())
                .collect();
        }
        if value["items"].is_object() {
            return self.with(&value["items"]).branches();
        }
        vec![value]
    }

    /// The forms that have fields.
    fn maps(self) -> Vec<&'s Value> {
        self.branches()
            .into_iter()
            .filter(|it| {
                it["properties"]
                    .as_object()
                    .is_some_and(|it| !it.is_empty())
            })
            .collect()
    }

    fn fields(self) -> Vec<&'s Map<String, Value>> {
        self.maps()
            .into_iter()
            .filter_map(|it| it["properties"].as_object())
            .collect()
    }

    /// The accepted values in a few words.
    fn kind(self) -> String {
        let list = if self.value["items"].is_object() {
            "list of "
        } else {
            ""
        };
        let mut kinds: Vec<String> = Vec::new();
        for branch in self.branches() {
            let kind = match (
                branch["enum"].as_array(),
                branch["const"].as_str(),
                branch["type"].as_str(),
            ) {
                (Some(words), ..) => words
                    .iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join(" | "),
                (_, Some(word), _) => word.to_owned(),
                (.., Some("object")) => "map".to_owned(),
                (.., Some(kind)) => kind.to_owned(),
                _ => "value".to_owned(),
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        format!("{list}{}", kinds.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::{list, page, pages};
    use std::collections::BTreeSet;

    #[test]
    fn no_code_has_two_meanings() {
        let codes: BTreeSet<&str> = pages().map(|page| page.name).collect();
        assert_eq!(
            codes.len(),
            pages().count(),
            "a code is both a diagnostic's and an error's"
        );
    }

    #[test]
    fn a_code_is_found_as_it_is_copied() {
        for copied in ["cidr", "[cidr]", "error[cidr]", "error[cidr]:"] {
            assert!(
                page(copied).is_ok_and(|page| page.starts_with("# cidr: ")),
                "{copied}"
            );
        }
        let slip = page("cidr-hostbits").expect_err("no code");
        assert_eq!(
            slip,
            "there is no code `cidr-hostbits`; did you mean `cidr-host-bits`?"
        );
        let other = page("bananas").expect_err("no code");
        assert_eq!(
            other,
            "there is no code `bananas`; `argocd-peering explain` lists all of them"
        );
    }

    #[test]
    fn the_list_has_one_narrow_line_a_code() {
        assert_eq!(list().lines().count(), pages().count());
        assert!(list().starts_with("syntax "), "{}", list());
        let long: Vec<String> = list()
            .lines()
            .filter(|line| line.chars().count() > 90)
            .map(ToOwned::to_owned)
            .collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
