//! The values that Liqo is installed with, against the documents: a cluster's ID and networks are written in both.

use super::applications::Place;
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{Code, Invalid, Paths, Problems, Rule, Severity, Span, shown_name};
use crate::input::file::{self, Links, shown_path, utf8};
use crate::input::yaml::{Node, documents};
use crate::peering::cluster::Cluster;
use crate::peering::values::Cidr;
use crate::peering::{Peering, Role};
use crate::rules;
use std::collections::BTreeSet;
use std::path::Path;

/// An object of Kubernetes is smaller (etcd's `--max-request-bytes`, 1.5 MiB).
const FILE_CAP: u64 = 1 << 20;

const FLAG: &str = "--liqo-values";

/// The values of one cluster's Liqo.
struct Values {
    cluster: String,
    /// As it was named.
    file: String,
    text: String,
    /// What overrides the values: a parameter of an Application, with its name.
    parameters: Vec<(String, Said)>,
    /// The first that has a value counts.
    layers: Vec<Layer>,
}

struct Layer {
    tree: Node,
    /// Where it stands, if its places are those of another text.
    within: Option<Span>,
}

/// What the values say of one thing, and where.
#[derive(Clone)]
struct Said {
    values: Vec<String>,
    place: Span,
}

/// What contradicts the values, each with the number of the document. A document's network that Liqo remaps, because it is
/// reserved, is a line.
///
/// # Errors
/// When a file cannot be read or is no such values, or no document has its cluster.
pub(super) fn check(
    flags: &[String],
    places: &[Place],
    streams: &mut Streams<'_>,
) -> Result<Vec<(usize, Invalid)>, Error> {
    let mut found = Vec::new();
    for flag in flags {
        let values = Values::read(flag)?;
        let mut is_named = false;
        for place in places {
            // a document that is wrong is reported
            let Ok(peering) = rules::read(&place.source) else { continue };
            for role in Role::BOTH {
                if peering.clusters.of(role).id.as_str() != values.cluster {
                    continue;
                }
                is_named = true;
                let problems = values.contradict(peering.clusters.of(role));
                values.note_remapped(&peering, role, streams);
                let (severity, source) = (Severity::Error, place.source.clone());
                let invalid = Invalid { severity, problems, source, paths: Paths::default() };
                found.extend((!invalid.problems.is_empty()).then_some((place.index, invalid)));
            }
        }
        if !is_named {
            return Err(refused(format!("no peering here has the cluster {}", shown_name(&values.cluster))));
        }
    }
    Ok(found)
}

fn refused(reason: String) -> Error {
    Error::Flag { flag: FLAG, reason }
}

impl Values {
    fn read(flag: &str) -> Result<Self, Error> {
        let (cluster, name) = flag
            .split_once('=')
            .ok_or_else(|| refused("write CLUSTER=FILE, with the cluster's ID".to_owned()))?;
        let path = Path::new(name);
        let bytes = file::read(path, FILE_CAP, Links::Refuse).map_err(file::named(path))?;
        let text = utf8(&bytes).map_err(file::named(path))?.to_owned();
        let mut values = Self {
            cluster: cluster.to_owned(),
            file: shown_path(path),
            parameters: Vec::new(),
            layers: Vec::new(),
            text,
        };
        let trees: Vec<Node> = documents(&values.text).collect();
        let is_object = |tree: &Node| tree.get("apiVersion").is_some();
        let applications: Vec<_> = trees.iter().filter(|it| is_object(it)).filter_map(liqo_source).collect();
        if let [helm] = applications.as_slice() {
            values.take_application(helm);
        } else if let [tree] = trees.as_slice()
            && !is_object(tree)
        {
            values.layers.push(Layer { tree: tree.clone(), within: None });
        } else {
            let what = "is neither Helm values of Liqo nor an Application of Liqo's chart";
            return Err(refused(format!("{} {what}", values.file)));
        }
        values.check_id()?;
        Ok(values)
    }

    /// (argo-cd `util/helm/cmd.go`, `template`: parameters, then `valuesObject` in place of `values`)
    fn take_application(&mut self, helm: &Node) {
        for parameter in helm.get("parameters").map_or(&[][..], Node::items) {
            let text = |key: &str| parameter.get(key).and_then(Node::text).unwrap_or_default().to_owned();
            self.parameters.push((text("name"), Said { values: vec![text("value")], place: parameter.span }));
        }
        if let Some(tree) = helm.get("valuesObject") {
            self.layers.push(Layer { tree: tree.clone(), within: None });
        } else if let Some(inner) = helm.get("values") {
            let text = inner.text().unwrap_or_default();
            let trees = documents(text).map(|tree| Layer { tree, within: Some(inner.span) });
            self.layers.extend(trees);
        }
    }

    /// What is said under these keys; nothing where the chart's default counts.
    fn said(&self, keys: &[&str]) -> Option<Said> {
        let name = keys.join(".");
        let parameter = self.parameters.iter().find(|(key, _)| *key == name).map(|(_, said)| said.clone());
        let of_layer = |layer: &Layer| {
            let node = layer.tree.at(keys)?;
            let items = node.items().iter().filter_map(Node::text).chain(node.text());
            let values: Vec<String> = items.filter(|it| !it.is_empty()).map(ToOwned::to_owned).collect();
            Some(Said { values, place: layer.within.unwrap_or(node.span) })
        };
        let said = parameter.or_else(|| self.layers.iter().find_map(of_layer))?;
        (!said.values.is_empty()).then_some(said)
    }

    /// `values.yaml:12`
    fn place(&self, span: Span) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        format!("{}:{}", self.file, before.matches('\n').count() + 1)
    }

    /// (liqo `deployments/liqo/values.yaml`, `discovery.config.clusterID`)
    fn check_id(&self) -> Result<(), Error> {
        match self.said(&["discovery", "config", "clusterID"]) {
            Some(said) if said.values != [self.cluster.as_str()] => {
                let (place, id) = (self.place(said.place), shown_name(&said.values.join(", ")));
                let cluster = shown_name(&self.cluster);
                Err(refused(format!("{place}: the cluster's ID is {id} there, and {cluster} in the flag")))
            }
            _ => Ok(()),
        }
    }

    /// (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`: `podCIDRs`, and `podCIDR` if that is empty)
    fn pods(&self) -> Option<(&'static str, Said)> {
        let several = self.said(&["ipam", "podCIDRs"]).map(|said| ("podCIDRs", said));
        several.or_else(|| Some(("podCIDR", self.said(&["ipam", "podCIDR"])?)))
    }

    fn contradict(&self, cluster: &Cluster) -> Problems {
        let mut problems = Problems::default();
        let written =
            cluster.pod_cidrs.as_ref().map(|it| (it.iter().map(ToString::to_string).collect(), it.span));
        self.compare(self.pods(), written, &mut problems);
        let external = self.said(&["ipam", "externalCIDR"]).map(|said| ("externalCIDR", said));
        let written = cluster.external_cidr.as_ref().map(|it| (BTreeSet::from([it.to_string()]), it.span));
        self.compare(external, written, &mut problems);
        for (reserved, place) in self.reserved() {
            if let Some(own) = cluster.external_cidr.as_ref().filter(|own| meet(own.value, reserved)) {
                let message =
                    format!("{}: Liqo reserves {reserved}, which has this `externalCIDR`", self.place(place));
                let help = "Liqo cannot have a network that is reserved: give the cluster another external CIDR, or take this one out of `ipam.reservedSubnets`";
                problems.push(Rule::new(Code::Disagreement, message).help(help).at(own.span));
            }
        }
        problems
    }

    fn compare(
        &self,
        said: Option<(&str, Said)>,
        written: Option<(BTreeSet<String>, Span)>,
        problems: &mut Problems,
    ) {
        let (Some((key, said)), Some((written, span))) = (said, written) else { return };
        if said.values.iter().collect::<BTreeSet<_>>() == written.iter().collect() {
            return;
        }
        let list = |values: &mut dyn Iterator<Item = &String>| {
            values.map(|it| shown_name(it)).collect::<Vec<_>>().join(", ")
        };
        let message = format!(
            "{}: Liqo's `ipam.{key}` is {}, and here it is {}",
            self.place(said.place),
            list(&mut said.values.iter()),
            list(&mut written.iter())
        );
        let help =
            "a cluster has the networks that its Liqo is installed with: correct the one that is wrong";
        problems.push(Rule::new(Code::Disagreement, message).help(help).at(span));
    }

    /// (liqo `deployments/liqo/values.yaml`, `ipam.reservedSubnets`)
    fn reserved(&self) -> Vec<(Cidr, Span)> {
        let said = self.said(&["ipam", "reservedSubnets"]);
        let cidrs = said.iter().flat_map(|it| it.values.iter().map(move |value| (value, it.place)));
        cidrs.filter_map(|(value, place)| Some((value.parse().ok()?, place))).collect()
    }

    /// Another cluster's network is exclusive, so one that is reserved here gets other addresses (liqo `pkg/utils/ipam/networks.go`,
    /// `NetworkIsExclusive`; `pkg/ipam/core/ipam.go`, `NetworkAcquireWithPrefix`).
    fn note_remapped(&self, peering: &Peering, role: Role, streams: &mut Streams<'_>) {
        let peer = peering.clusters.of(role.peer());
        let networks = peer.pod_cidrs.iter().flat_map(|it| it.iter()).chain(&peer.external_cidr);
        for network in networks {
            for (reserved, place) in self.reserved() {
                if meet(network.value, reserved) {
                    streams.note(&format!(
                        "note: {}: Liqo on {} reserves {reserved}, so it remaps {} of {}",
                        self.place(place),
                        shown_name(&self.cluster),
                        network.value,
                        peer.id.as_str()
                    ));
                }
            }
        }
    }
}

fn meet(one: Cidr, other: Cidr) -> bool {
    one.first() <= other.last() && other.first() <= one.last()
}

/// The `helm` of an Application's source that is Liqo's chart.
fn liqo_source(application: &Node) -> Option<Node> {
    application.get("kind").and_then(Node::text).filter(|kind| *kind == "Application")?;
    let spec = application.get("spec")?;
    let sources = spec.get("source").into_iter().chain(spec.get("sources").map_or(&[][..], Node::items));
    let text = |source: &Node, key: &str| source.get(key).and_then(Node::text).unwrap_or_default().to_owned();
    let is_liqos = |source: &&Node| {
        text(source, "chart") == "liqo" || text(source, "path").ends_with("deployments/liqo")
    };
    sources.into_iter().find(is_liqos)?.get("helm").cloned()
}
