//! The values of a cluster's Liqo, as Helm reads them: of a file, or of an Application of Liqo's chart.

use super::refused;
use crate::command::error::Error;
use crate::diagnostic::{Source, Span, shown_name};
use crate::document::Located;
use crate::input::file::{self, Links, shown_path, utf8};
use crate::input::yaml::{Node, documents};
use std::fmt;
use std::path::Path;

/// An object of Kubernetes is smaller (etcd's `--max-request-bytes`, 1.5 MiB).
const FILE_CAP: u64 = 1 << 20;

/// The values of one cluster's Liqo.
pub(super) struct Values {
    pub(super) cluster: String,
    /// The file with them.
    pub(super) source: Source,
    /// The values themselves; none where an Application has parameters only.
    tree: Option<Node>,
    /// Where they stand, if their own places are those of another text.
    within: Option<Span>,
    /// What an Application overrides them with, in its order.
    parameters: Vec<Parameter>,
}

struct Parameter {
    name: String,
    said: Said,
}

/// What the values say of one thing, and where.
#[derive(Clone)]
pub(super) struct Said {
    pub(super) values: Vec<Located<String>>,
    pub(super) place: Span,
}

impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(|it| shown_name(&it.value)).collect();
        formatter.write_str(&values.join(", "))
    }
}

impl Values {
    pub(super) fn read(flag: &str) -> Result<Self, Error> {
        let (cluster, name) = flag
            .split_once('=')
            .ok_or_else(|| refused("write CLUSTER=FILE, with the cluster's ID".to_owned()))?;
        let path = Path::new(name);
        let bytes = file::read(path, FILE_CAP, Links::Refuse).map_err(file::named(path))?;
        let text = utf8(&bytes).map_err(file::named(path))?;
        let source = Source::new(&path.display().to_string(), text);
        let cluster = cluster.to_owned();
        let mut values = Self { cluster, source, tree: None, within: None, parameters: Vec::new() };
        let mut trees: Vec<Node> = documents(text).collect();
        let is_object = |tree: &Node| tree.get("apiVersion").is_some();
        let applications: Vec<_> = trees.iter().filter(|it| is_object(it)).filter_map(liqo_source).collect();
        if let [source] = applications.as_slice() {
            values.take_application(source);
        } else if trees.len() == 1 && !trees.iter().any(is_object) {
            values.tree = trees.pop();
        } else {
            let what = "is neither Helm values of Liqo nor an Application of Liqo's chart, or it has anchors or templates, which are not read";
            return Err(refused(format!("{} {what}", shown_path(path))));
        }
        values.check_id()?;
        Ok(values)
    }

    /// (argo-cd `util/helm/cmd.go`, `template`: parameters, then `valuesObject` in place of `values`)
    fn take_application(&mut self, source: &Node) {
        for parameter in source.at(&["helm", "parameters"]).map_or(&[][..], Node::items) {
            let text = |key: &str| parameter.get(key).and_then(Node::text).unwrap_or_default();
            let said = Said { values: items(text("value"), parameter.span), place: parameter.span };
            self.parameters.push(Parameter { name: text("name").to_owned(), said });
        }
        if let Some(tree) = source.at(&["helm", "valuesObject"]) {
            self.tree = Some(tree.clone());
        } else if let Some(inner) = source.at(&["helm", "values"]) {
            self.tree = documents(inner.text().unwrap_or_default()).next();
            self.within = Some(Span { start: inner.span.start, end: inner.span.start });
        }
    }

    /// What they say under a key, such as `ipam.podCIDR`; nothing where the chart's default counts.
    pub(super) fn said(&self, key: &str) -> Option<Said> {
        let mut said = self.written(key);
        for Parameter { name, said: over } in &self.parameters {
            if name == key {
                said = Some(over.clone());
            } else if let Some(index) = index_of(name, key) {
                let said = said.get_or_insert_with(|| Said { values: Vec::new(), place: over.place });
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

    /// What the values themselves have.
    fn written(&self, key: &str) -> Option<Said> {
        let keys: Vec<&str> = key.split('.').collect();
        let node = self.tree.as_ref()?.at(&keys)?;
        let value = |node: &Node| {
            let text = node.text()?;
            Some(Located::new(text.to_owned(), self.within.unwrap_or(node.span)))
        };
        let values = node.items().iter().chain([node]).filter_map(value).collect();
        Some(Said { values, place: self.within.unwrap_or(node.span) })
    }

    /// `values.yaml:12`
    pub(super) fn line(&self, place: Span) -> String {
        format!("{}:{}", self.source.name(), self.source.position(place.start).0)
    }

    /// (liqo `deployments/liqo/values.yaml`, `discovery.config.clusterID`)
    fn check_id(&self) -> Result<(), Error> {
        match self.said("discovery.config.clusterID") {
            Some(said) if !said.values.iter().all(|it| it.value == self.cluster) => {
                let (place, id) = (self.line(said.place), said.to_string());
                let cluster = shown_name(&self.cluster);
                Err(refused(format!("{place}: the cluster's ID is {id} there, and {cluster} in the flag")))
            }
            _ => Ok(()),
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

/// The source of an Application that is Liqo's chart.
fn liqo_source(application: &Node) -> Option<Node> {
    application.get("kind").and_then(Node::text).filter(|kind| *kind == "Application")?;
    let spec = application.get("spec")?;
    let mut sources = spec.get("source").into_iter().chain(spec.get("sources").map_or(&[][..], Node::items));
    let text = |source: &Node, key: &str| source.get(key).and_then(Node::text).unwrap_or_default().to_owned();
    let is_liqos = |source: &&Node| {
        text(source, "chart") == "liqo" || text(source, "path").ends_with("deployments/liqo")
    };
    sources.find(is_liqos).cloned()
}
