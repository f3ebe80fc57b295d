//! The objects that install Liqo's chart. Each tool has the chart, its version and its values at other paths.

use crate::input::yaml::Node;
use std::path::{self, PathBuf};

type Path = &'static [&'static str];

/// The paths of a tool's object.
pub(super) struct Form {
    kind: &'static str,
    /// The releases: a map, or a list of them.
    places: &'static [Path],
    charts: &'static [Path],
    pub(super) version: Path,
    /// Values as a map.
    pub(super) object: Path,
    /// Values as a text, which are ignored if there is a map.
    pub(super) text: Path,
    /// Files of values; a helmfile can also have maps there.
    pub(super) files: Path,
    /// The base of the files' names.
    from: From,
    /// Single values: a list of names and values, or a map.
    set: Path,
    /// Values in a cluster, encrypted values, or values that are made later. The last path is from the document.
    unread: &'static [Path],
}

/// The base of the name of a file of values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// The chart, which may be in this repository.
    Chart,
    Repository,
    Folder,
}

const FILE: Form = Form {
    kind: "",
    places: &[&["spec"]],
    charts: &[&["chart"]],
    version: &["version"],
    object: &["values"],
    text: &[],
    files: &[],
    from: From::Folder,
    set: &[],
    unread: &[],
};

/// (argo-cd `util/helm/cmd.go`, `template`: files, then `valuesObject` in place of `values`, then parameters)
#[rustfmt::skip] // a table
const ARGO: Form = Form {
    kind: "Application", places: &[&["spec", "source"], &["spec", "sources"], &["spec", "sourceHydrator", "drySource"]],
    charts: &[&["chart"], &["path"]], version: &["targetRevision"], object: &["helm", "valuesObject"], text: &["helm", "values"],
    files: &["helm", "valueFiles"], from: From::Chart, set: &["helm", "parameters"], unread: &[&["helm", "fileParameters"]],
};

/// (k3s-io/helm-controller `pkg/apis/helm.cattle.io/v1/types.go`)
#[rustfmt::skip] // a table
const K3S: Form = Form {
    kind: "HelmChart", charts: &[&["chart"], &["chartContent"]], text: &["valuesContent"], set: &["set"], unread: &[&["valuesSecrets"]], ..FILE
};

#[rustfmt::skip] // a table
static FORMS: &[Form] = &[
    ARGO,
    Form { kind: "ApplicationSet", places: &[&["spec", "template", "spec", "source"], &["spec", "template", "spec", "sources"]], ..ARGO },
    // helm-controller api/v2/helmrelease_types.go
    Form { kind: "HelmRelease", charts: &[&["chart", "spec", "chart"], &["chartRef", "name"]], version: &["chart", "spec", "version"],
        files: &["chart", "spec", "valuesFiles"], from: From::Repository, unread: &[&["valuesFrom"], &["chart", "spec", "valuesFile"]], ..FILE },
    // crossplane-contrib/provider-helm apis/release/v1beta1/types.go
    Form { kind: "Release", places: &[&["spec", "forProvider"]], charts: &[&["chart", "name"], &["chart", "url"]],
        version: &["chart", "version"], set: &["set"], unread: &[&["valuesFrom"]], ..FILE },
    K3S,
    Form { kind: CONFIG, ..K3S },
    // kustomize api/types/helmchartargs.go
    Form { kind: "Kustomization", places: &[&["helmCharts"]], charts: &[&["name"]], object: &["valuesInline"],
        unread: &[&["valuesFile"], &["additionalValuesFiles"]], ..FILE },
    // helmfile pkg/state/state.go, ReleaseSpec
    Form { places: &[&["releases"]], object: &[], files: &["values"], set: &["set"], unread: &[&["secrets"], &["setString"]], ..FILE },
    // rancher/fleet pkg/apis/fleet.cattle.io/v1alpha1/bundledeployment_types.go, HelmOptions
    Form { places: &[&["helm"]], files: &["valuesFiles"], unread: &[&["valuesFrom"], &["templateValues"]], ..FILE },
];

/// An object without a chart: its values override those of the HelmChart with the same name.
const CONFIG: &str = "HelmChartConfig";

/// The patch that an ApplicationSet puts over its template.
const PATCH: Path = &["spec", "templatePatch"];

/// A chart and its values.
pub(super) struct Release<'n> {
    document: &'n Node,
    node: &'n Node,
    pub(super) form: &'static Form,
}

/// The releases of Liqo's chart in some documents. If there is none, the only release of another chart, which may have
/// Liqo's as a dependency.
pub(super) fn releases<'n>(documents: impl Iterator<Item = &'n Node>) -> Vec<Release<'n>> {
    let mut found: Vec<Release<'n>> = documents.flat_map(in_document).collect();
    if found.iter().any(Release::is_of_liqo) {
        found.retain(Release::is_of_liqo);
    }
    found
}

fn in_document(document: &Node) -> Vec<Release<'_>> {
    let kind = document.text_of("kind").unwrap_or_default();
    if kind == "List" {
        return document
            .items_of("items")
            .iter()
            .flat_map(in_document)
            .collect();
    }
    let forms = FORMS.iter().filter(|it| it.kind == kind);
    let releases = forms.flat_map(|form| {
        let places = form.places.iter().filter_map(|place| document.at(place));
        let nodes = places.flat_map(|it| {
            if it.items().is_empty() {
                std::slice::from_ref(it)
            } else {
                it.items()
            }
        });
        nodes.map(move |node| Release {
            document,
            node,
            form,
        })
    });
    releases
        .filter(|it| it.is_config() || it.charts().next().is_some())
        .collect()
}

/// `liqo`, `liqo/liqo`, `deployments/liqo`, `https://…/liqo-v1.2.0.tgz`
fn is_liqo(chart: &str) -> bool {
    let name = chart
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    name == "liqo"
        || name
            .strip_suffix(".tgz")
            .is_some_and(|it| it.starts_with("liqo-"))
}

impl<'n> Release<'n> {
    /// The node at a path of the form, if it is not empty.
    pub(super) fn part(&self, path: Path) -> Option<&'n Node> {
        let part = self
            .node
            .at(path)
            .filter(|it| !path.is_empty() && !it.is_empty())?;
        (part.text().is_some() || !part.items().is_empty() || !part.entries().is_empty())
            .then_some(part)
    }

    fn charts(&self) -> impl Iterator<Item = &'n str> {
        self.form
            .charts
            .iter()
            .filter_map(|path| self.part(path)?.text())
    }

    pub(super) fn is_config(&self) -> bool {
        self.form.kind == CONFIG
    }

    fn is_of_liqo(&self) -> bool {
        let named = self
            .document
            .at(&["metadata", "name"])
            .filter(|_| self.is_config());
        self.charts().chain(named.and_then(Node::text)).any(is_liqo)
    }

    pub(super) fn files(&self) -> &'n [Node] {
        self.part(self.form.files).map_or(&[], Node::items)
    }

    /// Whether the chart is a folder of a repository, as far as the form shows it.
    pub(super) fn is_chart_here(&self) -> bool {
        self.form.from == From::Chart && self.node.get("path").is_some()
    }

    /// The folder to which a file's name is relative, if it is in the repository.
    pub(super) fn folder(&self, file: &path::Path, top: &path::Path) -> Option<PathBuf> {
        match self.form.from {
            From::Chart => self.node.text_of("path").map(|path| top.join(path)),
            From::Repository => Some(top.to_owned()),
            From::Folder => file.parent().map(ToOwned::to_owned),
        }
    }

    /// Values that are not read, with the name of their field.
    pub(super) fn unread(&self) -> Option<(&'static str, &'n Node)> {
        let patch = self.document.at(PATCH).filter(|it| !it.is_empty());
        let from = self
            .set_items()
            .iter()
            .find_map(|it| it.get("valueFrom").or(it.get("file")));
        let mut parts = self
            .form
            .unread
            .iter()
            .filter_map(|path| Some((*path.last()?, self.part(path)?)));
        parts
            .next()
            .or(patch.map(|it| ("templatePatch", it)))
            .or(from.map(|it| ("valueFrom", it)))
    }

    fn set_items(&self) -> &'n [Node] {
        self.part(self.form.set).map_or(&[], Node::items)
    }

    /// Single values: the name, the values, and the place.
    pub(super) fn set(&self) -> Vec<(&'n str, Vec<&'n str>, &'n Node)> {
        let listed = self.set_items().iter().map(|it| {
            let values = it.items_of("values").iter().filter_map(Node::text);
            let values = it.text_of("value").into_iter().chain(values).collect();
            (it.text_of("name").unwrap_or_default(), values, it)
        });
        let mapped = self
            .part(self.form.set)
            .map_or(&[][..], Node::entries)
            .iter();
        listed
            .chain(
                mapped.filter_map(|(key, value)| Some((key.text()?, vec![value.text()?], value))),
            )
            .collect()
    }
}
