//! The parameters that generators make: lists, folders and documents of the repository, and their combinations. All other generators need
//! another system, and are not evaluated.

use super::{Folders, Unevaluated, bytes, of_gits};
use crate::argocd::is_true;
use crate::argocd::project::is_known;
use crate::argocd::template::{Language, Parameters, normalized, printed};
use crate::diagnostic::{Span, quoted};
use crate::input::folder::DOCUMENT;
use crate::input::yaml::{Node, Value, as_yaml_1_1, documents};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The state of an evaluation: the template language, and the folders.
pub(super) struct Generators<'f> {
    pub(super) language: Language,
    pub(super) folders: &'f mut dyn Folders,
}

type Made = Result<Vec<Parameters>, Unevaluated>;

impl Generators<'_> {
    /// The parameters of each Application of a generator.
    pub(super) fn parameters(&mut self, generator: &Node) -> Made {
        self.parameters_for(generator, &Parameters::new())
    }

    /// The parameters of a generator that itself gets parameters from another one (argo-cd
    /// `applicationset/generators/generator_spec_processor.go`, `Transform`).
    fn parameters_for(&mut self, generator: &Node, given: &Parameters) -> Made {
        let interpolated;
        let generator = if given.is_empty() {
            generator
        } else if self.language.is_go && fills_values(generator) {
            return Err(unknown(
                "the `values` of a Git generator in a matrix are not evaluated",
            ));
        } else {
            self.spend(bytes(generator) / 128)?;
            interpolated = self.language.render_node(generator, given)?;
            &interpolated
        };
        if generator.get("selector").is_some_and(|it| !it.is_empty()) {
            return Err(unknown("the `selector` of its generator is not evaluated"));
        }
        let mut all = Vec::new();
        for (kind, it) in generator.entries() {
            let inner = it.items_of("generators");
            all.extend(match kind.text().unwrap_or_default() {
                "list" => self.list(it)?,
                "git" => self.git(it)?,
                "matrix" => self.matrix(it.span, inner)?,
                "merge" => self.merge(it, inner)?,
                other => {
                    return Err(unknown(&format!(
                        "its generator {} is not evaluated",
                        quoted(other)
                    )));
                }
            });
        }
        Ok(all)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Unevaluated> {
        self.folders.spend(steps).ok_or(Unevaluated::TooMuch)
    }

    /// (`list.go`, `GenerateParams`)
    fn list(&self, list: &Node) -> Made {
        let text = list.text_of("elementsYaml").unwrap_or_default();
        if text.contains("{{") {
            return Err(unknown("the `elementsYaml` of its list is not evaluated"));
        }
        let mut all = Vec::new();
        for element in list.items_of("elements") {
            let Json::Object(fields) = typed(element) else {
                return refused(element.span, "an element of its list is no map");
            };
            if self.language.is_go {
                all.push(fields);
                continue;
            }
            let mut flat = Parameters::new();
            for (name, value) in fields {
                match value {
                    Json::Object(values) if name == "values" => {
                        flat.extend(
                            values
                                .into_iter()
                                .map(|(name, it)| (format!("values.{name}"), it)),
                        );
                    }
                    Json::String(_) => drop(flat.insert(name, value)),
                    _ => {
                        let why = "without `goTemplate`, each value of an element must be a string";
                        return refused(element.span, why);
                    }
                }
            }
            all.push(flat);
        }
        let of_text =
            documents(text).flat_map(|it| it.items().iter().map(typed).collect::<Vec<_>>());
        all.extend(of_text.filter_map(|it| {
            if let Json::Object(fields) = it {
                Some(fields)
            } else {
                None
            }
        }));
        Ok(all)
    }

    /// (`git.go`, `filterApps`, `generateParamsFromApps`, `generateParamsFromGitFile`)
    fn git(&mut self, git: &Node) -> Made {
        let is_file = git.items_of("directories").is_empty();
        let (mut found, mut excluded) = (Vec::new(), Vec::new());
        for item in git.items_of(if is_file { "files" } else { "directories" }) {
            let pattern = item.text_of("path").unwrap_or_default();
            let of_folder = if is_file {
                pattern
                    .strip_suffix(DOCUMENT)
                    .and_then(|it| it.strip_suffix('/'))
            } else {
                Some(pattern)
            };
            // a `:` begins Git's pathspec magic, which is not evaluated
            let of_folder = of_folder
                .filter(|it: &&str| is_known(&[it]) && !it.starts_with(':'))
                .ok_or_else(|| {
                    unknown(&format!(
                        "the pattern {} of its generator is not evaluated",
                        quoted(pattern)
                    ))
                })?;
            let is_excluded = item.get("exclude").is_some_and(is_true);
            let list = if is_excluded {
                &mut excluded
            } else {
                &mut found
            };
            let of_pattern = if is_file {
                self.folders.find_of_files(of_folder)
            } else {
                self.folders.find(of_folder)
            };
            list.extend(of_pattern.ok_or(Unevaluated::TooMuch)?);
        }
        found.sort();
        found.dedup();
        found.retain(|folder| !excluded.contains(folder));
        found
            .iter()
            .map(|folder| self.of_folder(git, folder, is_file))
            .collect()
    }

    /// The parameters of a Git generator for a folder, and for its document if it searches for files.
    fn of_folder(
        &mut self,
        git: &Node,
        folder: &str,
        is_file: bool,
    ) -> Result<Parameters, Unevaluated> {
        let text = self
            .folders
            .document(folder)
            .filter(|_| is_file)
            .unwrap_or_default();
        let (document, bytes) = (documents(text).next(), text.len());
        self.spend(bytes / 128)?;
        let prefix = git.text_of("pathParamPrefix").filter(|it| !it.is_empty());
        let mut parameters = of_path(folder, is_file, prefix, self.language);
        if let Some(Json::Object(fields)) = document.as_ref().map(typed) {
            // `path` is always the folder, whatever the document has
            parameters = self.flat(fields).into_iter().chain(parameters).collect();
        }
        if let Some(values) = git.get("values").filter(|it| it.is_map()) {
            let mut made = Parameters::new();
            for (name, value) in values.entries() {
                let value = self.language.render_node(value, &parameters)?;
                made.insert(
                    name.text().unwrap_or_default().to_owned(),
                    value.text().into(),
                );
            }
            parameters.extend(self.flat(Parameters::from_iter([(
                "values".to_owned(),
                Json::Object(made),
            )])));
        }
        Ok(parameters)
    }

    /// In the older template language, names have one level.
    fn flat(&self, fields: Parameters) -> Parameters {
        if self.language.is_go {
            fields
        } else {
            flattened(fields)
        }
    }

    /// (`matrix.go`, `GenerateParams`)
    fn matrix(&mut self, span: Span, generators: &[Node]) -> Made {
        let [first, second] = generators else {
            return refused(span, "a matrix must have two generators");
        };
        let mut all = Vec::new();
        for one in self.inner(first, &Parameters::new())? {
            let of_one = weight(one.values());
            for mut both in self.inner(second, &one)? {
                self.spend(1 + (of_one + weight(both.values())) / 128)?;
                for (name, value) in one.clone() {
                    match both.get_mut(&name) {
                        Some(other) if self.language.is_go => overlay(other, value),
                        Some(other) if *other != value => {
                            let why =
                                format!("both generators of its matrix have {}", quoted(&name));
                            return refused(span, &why);
                        }
                        _ => drop(both.insert(name, value)),
                    }
                }
                all.push(both);
            }
        }
        Ok(all)
    }

    /// (`merge.go`, `GenerateParams`)
    fn merge(&mut self, merge: &Node, generators: &[Node]) -> Made {
        let keys: Vec<&str> = merge
            .items_of("mergeKeys")
            .iter()
            .filter_map(Node::text)
            .collect();
        let [first, others @ ..] = generators else {
            return refused(merge.span, "a merge must have two generators");
        };
        if keys.is_empty() || others.is_empty() {
            return refused(
                merge.span,
                "a merge must have two generators and `mergeKeys`",
            );
        }
        let mut all = self.by_keys(merge.span, first, &keys)?;
        for generator in others {
            for (key, it) in self.by_keys(merge.span, generator, &keys)? {
                let Some(base) = all.get_mut(&key) else {
                    continue;
                };
                for (name, value) in it {
                    match base.get_mut(&name).filter(|_| self.language.is_go) {
                        Some(other) => overlay(other, value),
                        None => drop(base.insert(name, value)),
                    }
                }
            }
        }
        Ok(all.into_values().collect())
    }

    /// (`merge.go`, `getParamSetsByMergeKey`)
    fn by_keys(
        &mut self,
        span: Span,
        generator: &Node,
        keys: &[&str],
    ) -> Result<BTreeMap<Vec<String>, Parameters>, Unevaluated> {
        let mut all = BTreeMap::new();
        for it in self.inner(generator, &Parameters::new())? {
            if all.insert(merge_key(&it, keys), it).is_some() {
                return refused(
                    span,
                    "the `mergeKeys` of its merge are the same for two of one generator",
                );
            }
        }
        Ok(all)
    }

    /// The parameters of a generator in another one (`matrix.go`, `merge.go`, `getParams`).
    fn inner(&mut self, generator: &Node, given: &Parameters) -> Made {
        let kinds = generator
            .entries()
            .iter()
            .filter(|(key, it)| key.text() != Some("selector") && !it.is_empty());
        if kinds.count() != 1 {
            return refused(
                generator.span,
                "each generator in a matrix or a merge must be of one kind",
            );
        }
        self.parameters_for(generator, given)
    }
}

/// Whether a Git generator fills `values`. Since Argo CD 3.4 its own parameters are used there too, if it gets parameters from another
/// generator (argo-cd `applicationset/utils/utils.go`, RenderGeneratorParams).
fn fills_values(generator: &Node) -> bool {
    let mut values = Vec::new();
    of_gits(generator, "values", &mut values);
    values
        .iter()
        .flat_map(|it| it.entries())
        .any(|(_, it)| it.text().is_some_and(|it| it.contains("{{")))
}

/// The values by which sets of parameters are merged.
fn merge_key(parameters: &Parameters, keys: &[&str]) -> Vec<String> {
    keys.iter()
        .map(|key| {
            parameters
                .get(*key)
                .cloned()
                .unwrap_or_default()
                .to_string()
        })
        .collect()
}

fn unknown(why: &str) -> Unevaluated {
    Unevaluated::Unknown(why.to_owned())
}

fn refused<T>(span: Span, why: &str) -> Result<T, Unevaluated> {
    Err(Unevaluated::Refused(span, why.to_owned()))
}

/// The parameters of a Git generator about a folder's path.
fn of_path(folder: &str, is_file: bool, prefix: Option<&str>, language: Language) -> Parameters {
    let segments: Vec<&str> = folder.split('/').collect();
    let base = segments.last().copied().unwrap_or_default();
    let mut path = Parameters::from_iter([
        ("basename".to_owned(), base.into()),
        ("basenameNormalized".to_owned(), normalized(base).into()),
    ]);
    if is_file {
        path.extend(
            ["filename", "filenameNormalized"].map(|name| (name.to_owned(), DOCUMENT.into())),
        );
    }
    if language.is_go {
        path.insert("path".into(), folder.into());
        path.insert("segments".into(), segments.into());
        let path = json!({ "path": path });
        let whole = prefix.map_or_else(|| path.clone(), |prefix| json!({ prefix: path }));
        return if let Json::Object(whole) = whole {
            whole
        } else {
            Parameters::new()
        };
    }
    let name = prefix.map_or_else(|| "path".to_owned(), |prefix| format!("{prefix}.path"));
    let flat = path
        .into_iter()
        .map(|(part, value)| (format!("{name}.{part}"), value));
    let numbered = segments
        .iter()
        .enumerate()
        .map(|(at, segment)| (format!("{name}[{at}]"), (*segment).into()));
    flat.chain(numbered)
        .chain([(name.clone(), folder.into())])
        .collect()
}

/// How many bytes of memory the values take, with most names.
fn weight<'v>(values: impl Iterator<Item = &'v Json>) -> usize {
    values
        .map(|value| match value {
            Json::String(text) => 64 + text.len(),
            Json::Array(items) => 64 + weight(items.iter()),
            Json::Object(fields) => 64 + weight(fields.values()),
            _ => 64,
        })
        .sum()
}

/// Puts a value over another one, field by field, unless it is empty (dario.cat/mergo, WithOverride).
fn overlay(under: &mut Json, over: Json) {
    match (under, over) {
        (Json::Object(under), Json::Object(over)) => {
            for (name, value) in over {
                match under.get_mut(&name) {
                    Some(other) => overlay(other, value),
                    None => drop(under.insert(name, value)),
                }
            }
        }
        (_, Json::Null) => {}
        (_, Json::String(text)) if text.is_empty() => {}
        (under, over) => *under = over,
    }
}

/// (github.com/jeremywohl/flatten, DotStyle)
fn flattened(fields: Parameters) -> Parameters {
    let mut flat = Parameters::new();
    for (name, value) in fields {
        let parts: Parameters = match value {
            Json::Object(fields) => fields,
            Json::Array(items) => items
                .into_iter()
                .enumerate()
                .map(|(at, it)| (at.to_string(), it))
                .collect(),
            value => {
                let text = if value.is_null() {
                    "<nil>".to_owned()
                } else {
                    printed(&value)
                };
                flat.insert(name, text.into());
                continue;
            }
        };
        flat.extend(
            flattened(parts)
                .into_iter()
                .map(|(part, value)| (format!("{name}.{part}"), value)),
        );
    }
    flat
}

/// A node as JSON.
fn typed(node: &Node) -> Json {
    match &node.value {
        Value::Empty => Json::Null,
        Value::Quoted(text) => text.as_str().into(),
        Value::Plain(text) => as_yaml_1_1(text),
        Value::List(items) => items.iter().map(typed).collect(),
        Value::Map(entries) => entries
            .iter()
            .filter_map(|(key, value)| Some((key.text()?.to_owned(), typed(value))))
            .collect(),
    }
}
