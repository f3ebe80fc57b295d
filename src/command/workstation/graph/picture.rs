//! The drawing as SVG: dagre says where everything is, from left to right, and the crate `svg` writes and escapes it. It has no
//! script and no link, and its colours follow the reader's light or dark mode.

use super::{Fleet, Link};
use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Point, RankDir};
use std::collections::BTreeMap;
use svg::Document;
use svg::node::element::{Definitions, Group, Marker, Path, Rectangle, Style, Text, Title};

/// Of the letters, in a font in which all are alike, so that a box can be as wide as its text.
const WIDTH: f64 = 7.9;
const HEIGHT: f64 = 17.0;
const PADDING: f64 = 12.0;
const MARGIN: f64 = 24.0;
/// Between two arrows at one box.
const PORT: f64 = 15.0;

const STYLE: &str = "
.page { fill: #ffffff }
text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; text-anchor: middle; fill: #1f2328 }
.id { font-weight: bold }
.link text { fill: #424a53; font-size: 12px }
.cluster rect { fill: #ddf4ff; stroke: #0969da }
.link path { fill: none; stroke: #6e7781; stroke-width: 1.5 }
.drained { stroke-dasharray: 5 4 }
marker path { fill: #6e7781 }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117 }
text { fill: #e6edf3 }
.link text { fill: #b1bac4 }
.cluster rect { fill: #0c2d6b; stroke: #58a6ff }
.link path { stroke: #8b949e }
marker path { fill: #8b949e }
}
";

pub(super) fn svg(fleet: &Fleet) -> String {
    let graph = lay_out(fleet);
    let ports = Ports::of(fleet, &graph);
    let (mut right, mut bottom) = (0.0_f64, 0.0_f64);
    let mut grow = |x: f64, y: f64, width: f64, height: f64| {
        (right, bottom) = (right.max(x + width / 2.0), bottom.max(y + height / 2.0));
    };
    let (mut arrows, mut labels) = (Group::new().set("class", "link"), Group::new().set("class", "link"));
    for (index, link) in fleet.links.iter().enumerate() {
        let Some(edge) = edge(&graph, link, index) else { continue };
        let (x, y) = (edge.x.unwrap_or_default(), edge.y.unwrap_or_default());
        grow(x, y, edge.width, edge.height);
        let path = Path::new().set("d", curve(&ports.path(index, edge))).set("marker-end", "url(#end)");
        let path = if link.both { path.set("marker-start", "url(#start)") } else { path };
        arrows = arrows.add(if link.drained { path.set("class", "drained") } else { path });
        // no line goes through a text
        let (width, height) = size(link.lines.iter());
        let page = rectangle(x, y, width + PADDING, height).set("class", "page");
        labels = labels.add(page).add(lines(link.lines.iter(), x, y, ""));
    }
    let mut clusters = Group::new().set("class", "cluster");
    for (id, networks) in fleet.in_order() {
        let Some(node) = graph.node(id) else { continue };
        let (x, y) = (node.x.unwrap_or_default(), node.y.unwrap_or_default());
        grow(x, y, node.width, node.height);
        let texts = lines(std::iter::once(id).chain(networks), x, y, "id");
        clusters = clusters.add(rectangle(x, y, node.width, node.height).set("rx", 6)).add(texts);
    }
    let (width, height) = ((right + MARGIN).ceil(), (bottom + MARGIN).ceil());
    let markers = Definitions::new().add(marker("end", "M0,0 L9,4.5 L0,9 z", 8)).add(marker(
        "start",
        "M9,0 L0,4.5 L9,9 z",
        1,
    ));
    let document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("role", "img")
        .add(Title::new("Peerings"))
        .add(Style::new(STYLE))
        .add(markers)
        .add(Rectangle::new().set("class", "page").set("width", width).set("height", height))
        .add(arrows)
        .add(labels)
        .add(clusters);
    format!("{document}\n")
}

type Placed = Graph<NodeLabel, EdgeLabel>;

/// Every cluster and every label at its place. A cluster with many peerings is as high as their arrows need.
fn lay_out(fleet: &Fleet) -> Placed {
    let mut graph = Placed::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
    // arrows that meet at one box need space to do so
    let mut highest = 0.0_f64;
    for (id, networks) in fleet.in_order() {
        let (width, height) = size(std::iter::once(id).chain(networks));
        let degree = fleet.links.iter().filter(|it| it.consumer == *id || it.provider == *id).count();
        let arrows = u32::try_from(degree).map_or(0.0, f64::from) * PORT;
        highest = highest.max(arrows);
        let (width, height) = (width + 2.0 * PADDING, (height + 2.0 * PADDING).max(arrows + PADDING));
        graph.set_node(id, Some(NodeLabel { width, height, ..NodeLabel::default() }));
    }
    // all as wide as the widest, so that each arrow goes on from there
    let width = fleet.links.iter().map(|link| size(link.lines.iter()).0).fold(0.0, f64::max) + 2.0 * PADDING;
    for (index, link) in fleet.links.iter().enumerate() {
        let (_, height) = size(link.lines.iter());
        let label = EdgeLabel { width, height, labelpos: LabelPos::Center, ..EdgeLabel::default() };
        graph.set_edge(&link.consumer, &link.provider, Some(label), Some(&index.to_string()));
    }
    let options = LayoutOptions {
        rankdir: RankDir::LR,
        nodesep: 22.0,
        edgesep: 14.0,
        ranksep: (60.0 + highest).min(400.0),
        marginx: MARGIN,
        marginy: MARGIN,
        // clusters stay in the order of their IDs where nothing speaks for another
        tie_keep_first: true,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    graph
}

fn edge<'g>(graph: &'g Placed, link: &Link, index: usize) -> Option<&'g EdgeLabel> {
    graph.edge(&link.consumer, &link.provider, Some(&index.to_string()))
}

/// Where an arrow begins and ends, by its number: at the side of a box, each at its own place, so that they do not cross.
struct Ports(BTreeMap<(usize, bool), Point>);

impl Ports {
    fn of(fleet: &Fleet, graph: &Placed) -> Self {
        // by box and side: the arrows' other ends, from the top to the bottom
        let mut sides = BTreeMap::<(&str, bool), Vec<_>>::new();
        let x = |id: &str| graph.node(id).and_then(|node| node.x).unwrap_or_default();
        for (index, link) in fleet.links.iter().enumerate() {
            let Some(edge) = edge(graph, link, index) else { continue };
            let [_, inner @ .., _] = edge.points.as_slice() else { continue };
            let forward = x(&link.consumer) < x(&link.provider);
            for (id, is_start, near) in
                [(&link.consumer, true, inner.first()), (&link.provider, false, inner.last())]
            {
                let y = near.map_or_else(|| edge.y.unwrap_or_default(), |point| point.y);
                sides.entry((id, is_start == forward)).or_default().push((y, index, is_start));
            }
        }
        let mut ports = BTreeMap::new();
        for ((id, is_right), mut ends) in sides {
            let Some(node) = graph.node(id) else { continue };
            ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let half = if is_right { node.width / 2.0 } else { -node.width / 2.0 };
            let mut y = node.y.unwrap_or_default() + PORT / 2.0;
            y -= u32::try_from(ends.len()).map_or(0.0, f64::from) * PORT / 2.0;
            for (_, index, is_start) in ends {
                ports.insert((index, is_start), Point::new(node.x.unwrap_or_default() + half, y));
                y += PORT;
            }
        }
        Self(ports)
    }

    /// The places that an arrow passes: the sides of its label are two of them.
    fn path(&self, index: usize, edge: &EdgeLabel) -> Vec<Point> {
        let end = |is_start| self.0.get(&(index, is_start)).cloned();
        let mut path: Vec<Point> = end(true).into_iter().collect();
        let [_, inner @ .., _] = edge.points.as_slice() else { return path };
        let label = edge.x.unwrap_or_default();
        let forward = path.first().is_some_and(|start| start.x < label);
        let half = if forward { edge.width / 2.0 } else { -edge.width / 2.0 };
        for point in inner {
            if (point.x - label).abs() < 1.0 {
                path.extend([label - half, label + half].map(|x| Point::new(x, point.y)));
            } else {
                path.push(point.clone());
            }
        }
        path.extend(end(false));
        path
    }
}

/// How large the text of some lines is.
fn size<'t>(lines: impl Iterator<Item = &'t String>) -> (f64, f64) {
    let lengths = lines.map(|line| u32::try_from(line.chars().count()).unwrap_or(u32::MAX));
    lengths.fold((0.0_f64, 0.0), |(width, height), length| {
        (width.max(f64::from(length) * WIDTH), height + HEIGHT)
    })
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let at = Rectangle::new().set("x", number(x - width / 2.0)).set("y", number(y - height / 2.0));
    at.set("width", number(width)).set("height", number(height))
}

/// Lines around a point; the first one can have a class. Each is a text of its own: spaces between the parts of one would move
/// them.
fn lines<'t>(lines: impl Iterator<Item = &'t String> + Clone, x: f64, y: f64, first: &str) -> Group {
    let (_, height) = size(lines.clone());
    let mut baseline = y - height / 2.0 - 4.0;
    let mut group = Group::new();
    for (index, line) in lines.enumerate() {
        baseline += HEIGHT;
        let text = Text::new(line).set("x", number(x)).set("y", number(baseline));
        group = group.add(if index == 0 && !first.is_empty() { text.set("class", first) } else { text });
    }
    group
}

/// A smooth line that passes each place from left to right.
fn curve(path: &[Point]) -> String {
    let at = |x: f64, y: f64| format!("{} {}", number(x), number(y));
    let mut text = path.first().map(|start| format!("M {}", at(start.x, start.y))).unwrap_or_default();
    for (from, to) in path.iter().zip(path.iter().skip(1)) {
        let middle = f64::midpoint(from.x, to.x);
        text.push_str(&format!(" C {}, {}, {}", at(middle, from.y), at(middle, to.y), at(to.x, to.y)));
    }
    text
}

fn marker(id: &str, path: &str, tip: i32) -> Marker {
    let marker = Marker::new().set("id", id).set("orient", "auto").set("refX", tip).set("refY", 4.5);
    marker.set("markerWidth", 9).set("markerHeight", 9).add(Path::new().set("d", path))
}

/// A coordinate, as long as it needs to be.
fn number(value: f64) -> String {
    format!("{value:.1}")
}
