//! The values of a cluster's Liqo, as Helm reads them: of files, or of what installs Liqo's chart.

use super::refused;
use super::release::{Release, releases};
use crate::command::error::Error;
use crate::diagnostic::{Diagnostic, Source, Span, quoted, shown_name};
use crate::document::Located;
use crate::input::file::{self, Links, shown_path, utf8};
use crate::input::yaml::{Node, read_values};
use crate::peering::values::LiqoVersion;
use std::fmt;
use std::path::{Path, PathBuf};

/// An object of Kubernetes is smaller (etcd's `--max-request-bytes`, 1.5 MiB).
const FILE_CAP: u64 = 1 << 20;

/// The keys that are read.
const READ: [&str; 9] = [
    "discovery.config.clusterID",
    "ipam.podCIDRs",
    "ipam.podCIDR",
    "ipam.externalCIDR",
    "ipam.internalCIDR",
    "ipam.serviceCIDR",
    "ipam.reservedSubnets",
    "ipam.pools",
    "apiServer.address",
];

/// The values of one cluster's Liqo.
pub(super) struct Values {
    pub(super) cluster: String,
    /// The files with them, in Helm's order: a later one overrides.
    layers: Vec<Layer>,
    /// What is set one by one, over all files.
    parameters: Vec<(String, Said)>,
    /// The chart's, if what installs it has one.
    pub(super) version: Option<LiqoVersion>,
    /// What a message about all of them names.
    pub(super) source: Source,
}

struct Layer {
    source: Source,
    tree: Node,
    /// Where they are, if their own places are those of another text.
    within: Option<Span>,
}

/// What the values have of one thing, and where.
#[derive(Clone)]
pub(super) struct Said {
    pub(super) values: Vec<Located<String>>,
    pub(super) place: Span,
    pub(super) source: Source,
}

impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(|it| shown_name(&it.value)).collect();
        formatter.write_str(&values.join(", "))
    }
}

impl Values {
    pub(super) fn read(cluster: &str, names: &[&str]) -> Result<Self, Error> {
        let (cluster, source) = (cluster.to_owned(), Source::new("", ""));
        let mut values = Self { cluster, layers: Vec::new(), parameters: Vec::new(), version: None, source };
        for name in names {
            values.add(Path::new(name))?;
        }
        values.check_id()?;
        values.check_templates()?;
        values.check_places()?;
        Ok(values)
    }

    fn add(&mut self, path: &Path) -> Result<(), Error> {
        let (source, mut trees) = read(path)?;
        self.source = source.clone();
        let found: Vec<Release<'_>> =
            trees.iter().filter_map(|it| it.as_ref().ok()).flat_map(releases).collect();
        let is_object = |tree: &Node| tree.get("apiVersion").is_some() || tree.get("releases").is_some();
        match found.as_slice() {
            [release] => self.take(release, path, &source),
            [] if trees.len() == 1 && !trees.iter().flatten().any(is_object) => match trees.pop() {
                Some(Ok(tree)) => {
                    self.push(source, tree, None);
                    Ok(())
                }
                Some(Err(problem)) => {
                    let (line, _) = source.position(problem.primary.span.start);
                    Err(refused(format!("{}:{line}: {}", shown_path(path), problem.message)))
                }
                None => Ok(()),
            },
            [] => Err(refused(format!(
                "{} is neither Helm values of Liqo nor an Application of Liqo's chart, nor an ApplicationSet, a HelmRelease, a Release, a HelmChart or a helmfile with it",
                shown_path(path)
            ))),
            several => Err(refused(format!(
                "{} installs Liqo {} times: name a file for one cluster",
                shown_path(path),
                several.len()
            ))),
        }
    }

    fn take(&mut self, release: &Release<'_>, path: &Path, source: &Source) -> Result<(), Error> {
        let form = release.form;
        if let Some(node) = release.part(form.unread) {
            let (place, field) = (line(source, node.span), form.unread.last().unwrap_or(&""));
            return Err(refused(format!(
                "{place}: `{field}` is not in Git, so it is not read: write the values into a file, and name that"
            )));
        }
        self.version = release.version().and_then(|it| it.parse().ok());
        for item in release.files() {
            let Some(name) = item.text() else {
                self.push(source.clone(), item.clone(), None);
                continue;
            };
            let found = found(release, path, name).ok_or_else(|| {
                let (place, field) = (line(source, item.span), form.files.last().unwrap_or(&""));
                refused(format!(
                    "{place}: `{field}` names {}, which is not in this checkout: name the file with the values",
                    quoted(name)
                ))
            })?;
            let (source, trees) = read(&found)?;
            for tree in trees.into_iter().flatten() {
                self.push(source.clone(), tree, None);
            }
        }
        if let Some(tree) = release.object() {
            self.push(source.clone(), tree.clone(), None);
        } else if let Some(inner) = release.text() {
            let place = Span { start: inner.span.start, end: inner.span.start };
            for tree in read_values(inner.text().unwrap_or_default()).flatten() {
                self.push(source.clone(), tree, Some(place));
            }
        }
        for (name, value, node) in release.set() {
            let said = Said { values: items(value, node.span), place: node.span, source: source.clone() };
            // of a chart that has Liqo's as a dependency
            let name = name.strip_prefix("liqo.").unwrap_or(name).replace("\\.", ".");
            self.parameters.push((name, said));
        }
        Ok(())
    }

    /// What a tool fills in later is not known here.
    fn check_templates(&self) -> Result<(), Error> {
        let is_template = |it: &Located<String>| it.value.contains("{{") || it.value.contains("${");
        for said in READ.iter().filter_map(|key| self.said(key)) {
            if let Some(it) = said.values.iter().find(|it| is_template(it)) {
                let place = said.line(it.span);
                return Err(refused(format!(
                    "{place}: {} is a template: render it first, and name the result",
                    quoted(&it.value)
                )));
            }
        }
        Ok(())
    }

    /// A key that is not where Liqo's chart reads it, if the right one has no value: others may have their own use.
    fn check_places(&self) -> Result<(), Error> {
        for layer in &self.layers {
            let mut found = Vec::new();
            collect_misplaced(&layer.tree, &mut Vec::new(), &mut found);
            let wrong = found.into_iter().find_map(|(path, span)| {
                let right = right_place(&path)?;
                self.said(right).is_none().then_some((path.join("."), span, right))
            });
            if let Some((key, span, right)) = wrong {
                let place = line(&layer.source, layer.within.unwrap_or(span));
                return Err(refused(format!(
                    "{place}: {} is nothing to Liqo 1.x: write `{right}`",
                    quoted(&key)
                )));
            }
        }
        let pods = ["ipam.podCIDRs", "ipam.podCIDR"];
        if pods.iter().any(|key| self.said(key).is_some()) {
            return Ok(());
        }
        let name = self.source.name();
        Err(refused(format!(
            "{name} sets neither `ipam.podCIDRs` nor `ipam.podCIDR`, and Liqo 1.x needs one: name the file that has it"
        )))
    }

    /// Adds a file's values. A chart that has Liqo's as a dependency has them below its name (Helm `pkg/chartutil/values.go`).
    fn push(&mut self, source: Source, tree: Node, within: Option<Span>) {
        let below = tree
            .get("liqo")
            .filter(|it| tree.get("ipam").is_none() && it.get("ipam").or(it.get("discovery")).is_some());
        let tree = below.cloned().unwrap_or(tree);
        self.layers.push(Layer { source, tree, within });
    }

    /// What they have under a key, such as `ipam.podCIDR`; nothing where the chart's default counts.
    pub(super) fn said(&self, key: &str) -> Option<Said> {
        let mut said = self.layers.iter().rev().find_map(|layer| layer.said(key));
        for (name, over) in &self.parameters {
            if name == key {
                said = Some(over.clone());
            } else if let Some(index) = index_of(name, key) {
                let said = said.get_or_insert_with(|| Said { values: Vec::new(), ..over.clone() });
                let Some(item) = over.values.first().cloned() else { continue };
                match said.values.get_mut(index) {
                    Some(old) => *old = item,
                    None => said.values.push(item),
                }
            }
        }
        let mut said = said?;
        said.values.retain(|value| !value.is_empty());
        (!said.values.is_empty()).then_some(said)
    }

    /// (liqo `deployments/liqo/values.yaml`, `discovery.config.clusterID`)
    fn check_id(&self) -> Result<(), Error> {
        match self.said("discovery.config.clusterID") {
            Some(said) if !said.values.iter().all(|it| it.value == self.cluster) => {
                let (place, id) = (said.line(said.place), said.to_string());
                let cluster = shown_name(&self.cluster);
                Err(refused(format!("{place}: the cluster's ID is {id} there, and {cluster} in the flag")))
            }
            _ => Ok(()),
        }
    }
}

impl Said {
    /// `values.yaml:12`
    pub(super) fn line(&self, place: Span) -> String {
        line(&self.source, place)
    }
}

impl Layer {
    /// What this file has under a key: also nothing, which replaces what another one has.
    fn said(&self, key: &str) -> Option<Said> {
        let node = key.split('.').try_fold(&self.tree, |node, key| merged(node, key))?;
        let text = |node: &Node| {
            let text = node.text().filter(|_| !node.is_empty())?.to_owned();
            Some(Located::new(text, self.within.unwrap_or(node.span)))
        };
        let values = node.items().iter().chain([node]).filter_map(text).collect();
        Some(Said { values, place: self.within.unwrap_or(node.span), source: self.source.clone() })
    }
}

/// The value of a key, also of a map that is merged in (YAML 1.1, `tag:yaml.org,2002:merge`).
fn merged<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let of_merged = || {
        let merge = node.get("<<")?;
        merge.items().iter().chain([merge]).find_map(|it| it.get(key))
    };
    node.get(key).or_else(of_merged)
}

fn line(source: &Source, place: Span) -> String {
    format!("{}:{}", source.name(), source.position(place.start).0)
}

/// A file's documents, each as far as it can be read.
type Trees = Vec<Result<Node, Box<Diagnostic>>>;

fn read(path: &Path) -> Result<(Source, Trees), Error> {
    let bytes = file::read(path, FILE_CAP, Links::Refuse).map_err(file::named(path))?;
    let text = utf8(&bytes).map_err(file::named(path))?;
    Ok((Source::new(&path.display().to_string(), text), read_values(text).collect()))
}

/// A file of values, if it is in the repository of the file that names it. `$values/…` and `/…` begin at its top, where the
/// repository of the reference is this one.
fn found(release: &Release<'_>, path: &Path, name: &str) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let beside = path.parent()?;
    let top = file::repository(&path).unwrap_or(beside);
    let of_top = name.strip_prefix('/').or_else(|| name.strip_prefix('$')?.split_once('/').map(|it| it.1));
    let file = match (of_top, release.path()) {
        (Some(rest), _) => top.join(rest),
        (None, Some(chart)) => top.join(chart).join(name),
        (None, None) => beside.join(name),
    };
    // of a checkout only what is in it is read
    file.canonicalize().ok().filter(|it| it.starts_with(top) && it.is_file())
}

/// Where Liqo 1.x reads what is at a path, if that is another one: networks are below `ipam` only; before 1.0 they and the cluster's
/// ID had other names (liqo v0.10.3 `deployments/liqo/values.yaml`, `networkManager.config`, `discovery.config`).
fn right_place(path: &[String]) -> Option<&'static str> {
    let [above @ .., last] = path else { return None };
    let is_discovery = above.iter().map(String::as_str).eq(["discovery", "config"]);
    let right = match last.as_str() {
        "podCIDR" | "podCIDRs" => "ipam.podCIDR",
        "serviceCIDR" => "ipam.serviceCIDR",
        "externalCIDR" => "ipam.externalCIDR",
        "internalCIDR" => "ipam.internalCIDR",
        "reservedSubnets" => "ipam.reservedSubnets",
        "additionalPools" => "ipam.pools",
        "clusterIDOverride" | "clusterName" if is_discovery => "discovery.config.clusterID",
        _ => return None,
    };
    let is_there = above.iter().map(String::as_str).eq(["ipam"]) && last != "additionalPools";
    (!is_there).then_some(right)
}

/// Every key with its path, as deep as the document is.
fn collect_misplaced(node: &Node, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, Span)>) {
    for (key, value) in node.entries() {
        path.extend(key.text().map(ToOwned::to_owned));
        if right_place(path).is_some() {
            found.push((path.clone(), key.span));
        }
        collect_misplaced(value, path, found);
        if key.text().is_some() {
            path.pop();
        }
    }
}

/// The items of a parameter's value: several in braces (Helm `pkg/strvals/parser.go`; argo-cd `util/helm/cmd.go`,
/// `cleanSetParameters`, which leaves only the commas in braces).
fn items(value: &str, place: Span) -> Vec<Located<String>> {
    let list = value.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let items = list.map_or_else(|| vec![value], |it| it.split(',').map(str::trim).collect());
    items.into_iter().map(|it| Located::new(it.to_owned(), place)).collect()
}

/// Which item of a list a parameter such as `ipam.podCIDRs[0]` sets.
fn index_of(name: &str, key: &str) -> Option<usize> {
    name.strip_prefix(key)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}
