//! The values of a cluster's Liqo, as Helm reads them: from files of values, or from the object that installs Liqo's chart.

mod key;
mod release;

use super::StateError;
use crate::diagnostic::{Diagnostic, Source, Span, quoted, shown_name};
use crate::document::Located;
use crate::input::file::{self, Links, shown_path, utf8};
use crate::input::yaml::{Node, boolean, read_values};
use crate::peering::values::{Cidr, LiqoVersion};
use ipnet::Ipv4Net;
use key::{READ, SWITCHES, collect_misplaced};
use release::{Release, releases};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

const FLAG: &str = "--liqo-values";

/// More than an object of Kubernetes has (etcd's `--max-request-bytes`, 1.5 MiB).
const FILE_CAP: u64 = 1 << 20;

/// How many files of values one release may name, and how many bytes all files of a cluster may have. Each file is kept with its lines.
const FILES_MAX: usize = 32;
const BYTES_MAX: usize = 4 << 20;

/// The marks of values that other tools fill in: Helm and Jinja, envsubst and Flux, kustomize, ERB, Argo CD's vault plugin, and Argo CD's
/// own environment.
const TEMPLATES: [&str; 7] = ["{{", "{%", "${", "$(", "<%", "<path:", "$ARGOCD_"];

/// The values of one cluster's Liqo.
pub(crate) struct Values {
    pub(crate) cluster: String,
    /// The files with values, in Helm's order: a later one overrides earlier ones.
    layers: Vec<Layer>,
    /// Single values, which override all files.
    parameters: Vec<(String, Said)>,
    /// The version of the chart, if the installing object has one.
    version: Option<LiqoVersion>,
    /// The source that a message about all values names.
    pub(crate) source: Source,
    /// How many bytes were read.
    bytes: usize,
}

struct Layer {
    source: Source,
    tree: Node,
    /// The place in the installing object, if the values are a text inside of it.
    within: Option<Span>,
}

/// What the values set for a key, and where.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) values: Vec<Located<String>>,
    pub(crate) place: Span,
    pub(crate) source: Source,
}

impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(|it| shown_name(&it.value)).collect();
        formatter.write_str(&values.join(", "))
    }
}

/// The error of the flag `--liqo-values`.
pub(crate) fn refused(reason: String) -> StateError {
    StateError::flag(FLAG, reason)
}

/// The same error for a place in a file.
fn refused_at(source: &Source, place: Span, why: &str) -> StateError {
    refused(format!("{}: {why}", line(source, place)))
}

impl Values {
    /// The values of each cluster that the flags name, as `CLUSTER=FILE`.
    ///
    /// # Errors
    /// When a file cannot be read, has no values of Liqo, or has values that Liqo or this program refuses.
    pub(crate) fn of_flags(flags: &[String]) -> Result<Vec<Self>, StateError> {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for flag in flags {
            let (cluster, name) = flag
                .split_once('=')
                .ok_or_else(|| refused("write CLUSTER=FILE, with the cluster's ID".to_owned()))?;
            files.entry(cluster).or_default().push(name);
        }
        files
            .into_iter()
            .map(|(cluster, names)| Self::read(cluster, &names))
            .collect()
    }

    fn read(cluster: &str, names: &[&str]) -> Result<Self, StateError> {
        let (cluster, source) = (cluster.to_owned(), Source::new("", ""));
        let (layers, parameters) = (Vec::new(), Vec::new());
        let mut values = Self {
            cluster,
            layers,
            parameters,
            version: None,
            source,
            bytes: 0,
        };
        for name in names {
            values.add(Path::new(name))?;
        }
        values.check_rendered()?;
        values.check_id()?;
        values.check_places()?;
        values.check_networks()?;
        Ok(values)
    }

    fn add(&mut self, path: &Path) -> Result<(), StateError> {
        let (source, mut trees) = self.read_file(path)?;
        self.source = source.clone();
        let mut found = releases(trees.iter().flatten());
        // the values of a HelmChartConfig override those of its chart
        found.sort_by_key(Release::is_config);
        let has_object = trees
            .iter()
            .flatten()
            .any(|it| it.get("apiVersion").is_some());
        match found.as_slice() {
            [] if trees.len() == 1 && !has_object => trees
                .pop()
                .into_iter()
                .try_for_each(|tree| self.lay(&source, tree, None)),
            [] => Err(refused(format!(
                "{} is neither Helm values of Liqo nor an Application of Liqo's chart, nor an ApplicationSet, a HelmRelease, a Release, a HelmChart, a Kustomization, a helmfile or a fleet.yaml with it",
                shown_path(path)
            ))),
            all if all.iter().filter(|it| !it.is_config()).count() < 2 => all
                .iter()
                .try_for_each(|release| self.take(release, path, &source)),
            several => Err(refused(format!(
                "{} installs Liqo {} times: name a file for one cluster",
                shown_path(path),
                several.len()
            ))),
        }
    }

    fn take(
        &mut self,
        release: &Release<'_>,
        path: &Path,
        source: &Source,
    ) -> Result<(), StateError> {
        if let Some((field, node)) = release.unread() {
            let why = format!("`{field}` is not read: write the values into a file, and name that");
            return Err(refused_at(source, node.span, &why));
        }
        let form = release.form;
        self.version = self
            .version
            .or_else(|| release.part(form.version)?.text()?.parse().ok());
        let files = release.files();
        if let Some(first) = files.first().filter(|_| files.len() > FILES_MAX) {
            let why = format!("more than {FILES_MAX} files of values");
            return Err(refused_at(source, first.span, &why));
        }
        // Helm begins with the chart's own values (helm `pkg/chartutil/coalesce.go`)
        if let Some(own) = release
            .is_chart_here()
            .then(|| found(release, path, "values.yaml"))
            .flatten()
        {
            self.lay_file(&own)?;
        }
        for item in files {
            let Some(name) = item.text() else {
                self.lay(source, Ok(item.clone()), None)?;
                continue;
            };
            let Some(found) = found(release, path, name) else {
                let (field, name) = (form.files.last().unwrap_or(&""), quoted(name));
                let help = "name the file with the values";
                let why = format!("`{field}` names {name}, which is not in this checkout: {help}");
                return Err(refused_at(source, item.span, &why));
            };
            self.lay_file(&found)?;
        }
        if let Some(tree) = release.part(form.object) {
            self.lay(source, Ok(tree.clone()), None)?;
        } else if let Some(inner) = release.part(form.text) {
            let place = Span {
                start: inner.span.start,
                end: inner.span.start,
            };
            let mut trees = read_values(inner.text().unwrap_or_default());
            trees.try_for_each(|tree| self.lay(source, tree, Some(place)))?;
        }
        for (name, values, node) in release.set() {
            let values = values
                .into_iter()
                .flat_map(|it| items(it, node.span))
                .collect();
            let said = Said {
                values,
                place: node.span,
                source: source.clone(),
            };
            // the values of a chart that has Liqo's as a dependency
            let below = name.split_once('.').map(|it| it.1);
            let below = below.filter(|rest| {
                READ.iter().any(|it| rest.starts_with(it)) || SWITCHES.contains(rest)
            });
            self.parameters
                .push((below.unwrap_or(name).replace("\\.", "."), said));
        }
        Ok(())
    }

    fn lay_file(&mut self, path: &Path) -> Result<(), StateError> {
        let (source, trees) = self.read_file(path)?;
        trees
            .into_iter()
            .try_for_each(|tree| self.lay(&source, tree, None))
    }

    /// The documents of a file.
    fn read_file(&mut self, path: &Path) -> Result<(Source, Vec<Tree>), StateError> {
        let bytes = file::read(path, FILE_CAP, Links::Refuse).map_err(file::named(path))?;
        self.bytes += bytes.len();
        if self.bytes > BYTES_MAX {
            let name = path.display();
            return Err(refused(format!(
                "{name}: the files of values have more than {} MiB",
                BYTES_MAX >> 20
            )));
        }
        let text = utf8(&bytes).map_err(file::named(path))?;
        Ok((
            Source::new(&path.display().to_string(), text),
            read_values(text).collect(),
        ))
    }

    /// Refuses values that another tool fills in later, or decrypts: they are not known here.
    fn check_rendered(&self) -> Result<(), StateError> {
        for said in READ
            .iter()
            .chain(&SWITCHES)
            .chain(&["tag"])
            .filter_map(|key| self.said(key))
        {
            for it in &said.values {
                let why = match &it.value {
                    text if text.starts_with("ENC[") => {
                        "encrypted by SOPS: name the file that `sops decrypt` prints"
                    }
                    text if TEMPLATES.iter().any(|mark| text.contains(mark)) => {
                        "a template: render it first, and name the result"
                    }
                    _ => continue,
                };
                return Err(refused_at(
                    &said.source,
                    it.span,
                    &format!("{} is {why}", quoted(&it.value)),
                ));
            }
        }
        Ok(())
    }

    /// Refuses a value that is not a network: it would be compared with nothing.
    fn check_networks(&self) -> Result<(), StateError> {
        for key in READ.iter().filter(|key| key.starts_with("ipam.")) {
            let Some(said) = self.said(key) else { continue };
            for it in &said.values {
                // for a cluster's own networks, this program refuses more than Liqo does for reserved ones
                let is_reserved = *key == "ipam.reservedSubnets"
                    && it.value.parse::<Ipv4Net>().is_ok_and(|it| it == it.trunc());
                if let Err(rule) = it.value.parse::<Cidr>()
                    && !is_reserved
                {
                    let help = rule.help.map_or_else(String::new, |it| format!("; {it}"));
                    let why = format!("`{key}`: {}{help}", rule.message);
                    return Err(refused_at(&said.source, it.span, &why));
                }
            }
        }
        Ok(())
    }

    /// Refuses a key that is not where Liqo's chart reads it, if the right key has no value. Otherwise the key may have another purpose.
    fn check_places(&self) -> Result<(), StateError> {
        for layer in &self.layers {
            let mut found = Vec::new();
            collect_misplaced(&layer.tree, &mut Vec::new(), &mut found);
            if let Some((key, span, right)) = found.into_iter().find(|it| self.said(it.2).is_none())
            {
                let why = format!("{} is nothing to Liqo 1.x: write `{right}`", quoted(&key));
                return Err(refused_at(
                    &layer.source,
                    layer.within.unwrap_or(span),
                    &why,
                ));
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

    /// Adds a file's values over the others. A chart that has Liqo's as a dependency has Liqo's values below its name
    /// (Helm `pkg/chartutil/values.go`).
    fn lay(&mut self, source: &Source, tree: Tree, within: Option<Span>) -> Result<(), StateError> {
        let tree = tree.map_err(|problem| {
            refused_at(
                source,
                within.unwrap_or(problem.primary.span),
                &problem.message,
            )
        })?;
        let parts = if is_liqos(&tree) {
            &[][..]
        } else {
            tree.entries()
        };
        let parts: Vec<_> = parts.iter().filter(|(_, part)| is_liqos(part)).collect();
        let named = parts.iter().find(|(key, _)| key.text() == Some("liqo"));
        let only = parts.first().filter(|_| parts.len() == 1);
        let tree = named.or(only).map(|it| it.1.clone()).unwrap_or(tree);
        self.layers.push(Layer {
            source: source.clone(),
            tree,
            within,
        });
        Ok(())
    }

    /// What the values set for a key, such as `ipam.podCIDR`; `None` where the chart's default counts.
    pub(crate) fn said(&self, key: &str) -> Option<Said> {
        let mut said = self.layers.iter().rev().find_map(|layer| layer.said(key));
        for (name, over) in &self.parameters {
            if name == key {
                said = Some(over.clone());
            } else if let Some(index) = index_of(name, key) {
                let said = said.get_or_insert_with(|| Said {
                    values: Vec::new(),
                    ..over.clone()
                });
                let Some(item) = over.values.first().cloned() else {
                    continue;
                };
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

    /// The value of a switch (YAML 1.1, as Helm reads it).
    pub(crate) fn is_on(&self, key: &str) -> Option<bool> {
        boolean(&self.said(key)?.values.first()?.value)
    }

    /// The version of Liqo's images: that of the tag, else the chart's (liqo `deployments/liqo/templates/_helpers.tpl`, `liqo.version`).
    pub(crate) fn installed(&self) -> Option<LiqoVersion> {
        // from a tag that is not a version, nothing is known
        self.said("tag")
            .map_or(self.version, |it| it.values.first()?.value.parse().ok())
    }

    /// (liqo `deployments/liqo/values.yaml`, `discovery.config.clusterID`)
    fn check_id(&self) -> Result<(), StateError> {
        match self.said("discovery.config.clusterID") {
            Some(said) if !said.values.iter().all(|it| it.value == self.cluster) => {
                let cluster = shown_name(&self.cluster);
                let why = format!("the cluster's ID is {said} there, and {cluster} in the flag");
                Err(refused_at(&said.source, said.place, &why))
            }
            _ => Ok(()),
        }
    }
}

impl Layer {
    /// What this file sets for a key. An empty value counts too: it replaces another file's.
    fn said(&self, key: &str) -> Option<Said> {
        let node = under(&self.tree, key)?;
        let texts = node
            .items()
            .iter()
            .chain([node])
            .filter(|it| !it.is_empty());
        let values = texts.filter_map(|it| {
            Some(Located::new(
                it.text()?.to_owned(),
                self.within.unwrap_or(it.span),
            ))
        });
        let (values, place) = (values.collect(), self.within.unwrap_or(node.span));
        Some(Said {
            values,
            place,
            source: self.source.clone(),
        })
    }
}

/// Whether values are Liqo's: they have at least one of the keys in [`READ`].
fn is_liqos(tree: &Node) -> bool {
    READ.iter().any(|key| under(tree, key).is_some())
}

/// The node at a key with dots.
fn under<'n>(tree: &'n Node, key: &str) -> Option<&'n Node> {
    key.split('.').try_fold(tree, Node::get)
}

/// The file and the line of a place: `values.yaml:12`.
pub(crate) fn line(source: &Source, place: Span) -> String {
    format!("{}:{}", source.name(), source.position(place.start).0)
}

/// A document, if it can be read.
type Tree = Result<Node, Box<Diagnostic>>;

/// The path of a file of values, if it is in the repository of the file that names it. `$values/…` and `/…` begin at the repository's root,
/// if the reference is to this repository.
fn found(release: &Release<'_>, path: &Path, name: &str) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let beside = path.parent()?;
    let top = file::repository(&path).unwrap_or(beside);
    let of_top = name
        .strip_prefix('/')
        .or_else(|| name.strip_prefix('$')?.split_once('/').map(|it| it.1));
    let file = match of_top {
        Some(rest) => top.join(rest),
        None => release.folder(&path, top)?.join(name),
    };
    // only files inside of the checkout are read
    let file = file.canonicalize().ok()?;
    let is_git = file
        .strip_prefix(top)
        .ok()?
        .components()
        .any(|part| part.as_os_str() == ".git");
    (!is_git && file.is_file()).then_some(file)
}

/// The items of a parameter's value: several in braces (Helm `pkg/strvals/parser.go`; argo-cd `util/helm/cmd.go`,
/// `cleanSetParameters`, which leaves only the commas in braces).
fn items(value: &str, place: Span) -> Vec<Located<String>> {
    let list = value.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let items = list.map_or_else(|| vec![value], |it| it.split(',').map(str::trim).collect());
    items
        .into_iter()
        .map(|it| Located::new(it.to_owned(), place))
        .collect()
}

/// The index of the list's item that a parameter such as `ipam.podCIDRs[0]` sets.
fn index_of(name: &str, key: &str) -> Option<usize> {
    name.strip_prefix(key)?
        .strip_prefix('[')?
        .strip_suffix(']')?
        .parse()
        .ok()
}
