//! What installs Liqo's chart: each tool has the chart, its version and its values at other paths.

use crate::input::yaml::Node;

type Path = &'static [&'static str];

/// Where a tool has what.
pub(super) struct Form {
    charts: &'static [Path],
    version: Path,
    /// Values as a map.
    object: Path,
    /// Values as a text, which a map replaces.
    text: Path,
    /// Files of values; in a helmfile also maps.
    pub(super) files: Path,
    /// Single values: a list of names and values, or a map.
    set: Path,
    /// Values that are in a cluster or encrypted.
    pub(super) unread: Path,
}

/// (argo-cd `util/helm/cmd.go`, `template`: files, then `valuesObject` in place of `values`, then parameters)
const ARGO: Form = Form {
    charts: &[&["chart"], &["path"]],
    version: &["targetRevision"],
    object: &["helm", "valuesObject"],
    text: &["helm", "values"],
    files: &["helm", "valueFiles"],
    set: &["helm", "parameters"],
    unread: &["helm", "fileParameters"],
};

/// (helm-controller `api/v2/helmrelease_types.go`)
const FLUX: Form = Form {
    charts: &[&["chart", "spec", "chart"], &["chartRef", "name"]],
    version: &["chart", "spec", "version"],
    object: &["values"],
    text: &[],
    files: &["chart", "spec", "valuesFiles"],
    set: &[],
    unread: &["valuesFrom"],
};

/// (crossplane-contrib/provider-helm `apis/release/v1beta1/types.go`)
const CROSSPLANE: Form = Form {
    charts: &[&["chart", "name"], &["chart", "url"]],
    version: &["chart", "version"],
    object: &["values"],
    text: &[],
    files: &[],
    set: &["set"],
    unread: &["valuesFrom"],
};

/// (k3s-io/helm-controller `pkg/apis/helm.cattle.io/v1/types.go`)
const K3S: Form = Form {
    charts: &[&["chart"]],
    version: &["version"],
    object: &["values"],
    text: &["valuesContent"],
    files: &[],
    set: &["set"],
    unread: &["valuesSecrets"],
};

/// (helmfile `pkg/state/state.go`, `ReleaseSpec`)
const HELMFILE: Form = Form {
    charts: &[&["chart"]],
    version: &["version"],
    object: &[],
    text: &[],
    files: &["values"],
    set: &["set"],
    unread: &["secrets"],
};

/// A chart and its values.
pub(super) struct Release<'n> {
    node: &'n Node,
    pub(super) form: &'static Form,
}

/// The releases of Liqo's chart, or of one that has it as a dependency, in a document.
pub(super) fn releases(document: &Node) -> Vec<Release<'_>> {
    let kind = document.get("kind").and_then(Node::text).unwrap_or_default();
    let (place, form): (Path, _) = match kind {
        "Application" => (&["spec"], &ARGO),
        "ApplicationSet" => (&["spec", "template", "spec"], &ARGO),
        "HelmRelease" => (&["spec"], &FLUX),
        "Release" => (&["spec", "forProvider"], &CROSSPLANE),
        "HelmChart" | "HelmChartConfig" => (&["spec"], &K3S),
        _ => (&[], &HELMFILE),
    };
    let Some(spec) = document.at(place) else { return Vec::new() };
    let list = |key| spec.get(key).map_or(&[][..], Node::items).iter();
    let nodes: Vec<&Node> = match kind {
        "Application" | "ApplicationSet" => spec.get("source").into_iter().chain(list("sources")).collect(),
        "" => list("releases").collect(),
        _ => vec![spec],
    };
    let is_named = kind == "HelmChartConfig"
        && document.at(&["metadata", "name"]).and_then(Node::text).is_some_and(is_liqo);
    let releases = nodes.into_iter().map(|node| Release { node, form });
    releases.filter(|it| is_named || it.is_of_liqo()).collect()
}

/// `liqo`, `liqo/liqo`, `deployments/liqo`, `https://…/liqo-v1.2.0.tgz`
fn is_liqo(chart: &str) -> bool {
    let name = chart.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    name == "liqo" || name.strip_suffix(".tgz").is_some_and(|it| it.starts_with("liqo-"))
}

impl<'n> Release<'n> {
    /// What is at a path that its form has.
    pub(super) fn part(&self, path: Path) -> Option<&'n Node> {
        if path.is_empty() { None } else { self.node.at(path).filter(|it| !it.is_empty()) }
    }

    fn is_of_liqo(&self) -> bool {
        let charts = self.form.charts.iter().filter_map(|path| self.part(path)?.text());
        let below = self.object().and_then(|it| it.at(&["liqo", "ipam"])).is_some();
        charts.into_iter().any(is_liqo) || below
    }

    /// The path of a chart in its repository.
    pub(super) fn path(&self) -> Option<&'n str> {
        self.node.get("path").and_then(Node::text)
    }

    pub(super) fn version(&self) -> Option<&'n str> {
        self.part(self.form.version)?.text()
    }

    pub(super) fn object(&self) -> Option<&'n Node> {
        self.part(self.form.object)
    }

    pub(super) fn text(&self) -> Option<&'n Node> {
        self.part(self.form.text)
    }

    pub(super) fn files(&self) -> &'n [Node] {
        self.part(self.form.files).map_or(&[], Node::items)
    }

    /// Single values: the name, the value, and the place.
    pub(super) fn set(&self) -> Vec<(&'n str, &'n str, &'n Node)> {
        let Some(set) = self.part(self.form.set) else { return Vec::new() };
        let text = |node: &'n Node, key: &str| node.get(key).and_then(Node::text).unwrap_or_default();
        let listed = set.items().iter().map(|it| (text(it, "name"), text(it, "value"), it));
        let mapped =
            set.entries().iter().filter_map(|(key, value)| Some((key.text()?, value.text()?, value)));
        listed.chain(mapped).collect()
    }
}
