//! The drawing as SVG: dagre says where everything is, from left to right, and the crate `svg` writes and escapes it. It has no
//! script and no link, and its colours follow the reader's light or dark mode.

use super::Fleet;
use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, Point, RankDir};
use svg::Document;
use svg::node::element::{Definitions, Group, Marker, Path, Rectangle, Style, TSpan, Text, Title};

/// Of the letters, in a font in which all are alike, so that a box can be as wide as its text.
const WIDTH: f64 = 7.9;
const HEIGHT: f64 = 17.0;
const PADDING: f64 = 12.0;

const STYLE: &str = "
.page { fill: #ffffff }
text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; text-anchor: middle; fill: #1f2328 }
.id { font-weight: bold }
.link text { fill: #424a53; font-size: 12px }
.cluster rect { fill: #ddf4ff; stroke: #0969da }
.link path { fill: none; stroke: #6e7781; stroke-width: 1.5 }
.drained path { stroke-dasharray: 5 4 }
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
    let options = GraphOptions { directed: true, multigraph: true, compound: false };
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(options);
    for (id, networks) in &fleet.clusters {
        let (width, height) = size(std::iter::once(id).chain(networks));
        let label = NodeLabel {
            width: width + 2.0 * PADDING,
            height: height + 2.0 * PADDING,
            ..NodeLabel::default()
        };
        graph.set_node(id, Some(label));
    }
    for (number, link) in fleet.links.iter().enumerate() {
        let (width, height) = size(link.lines.iter());
        let (width, height) = (width + 2.0 * PADDING, height);
        let labelpos = dagre::layout::types::LabelPos::Center;
        let label = EdgeLabel { width, height, labelpos, ..EdgeLabel::default() };
        graph.set_edge(&link.consumer, &link.provider, Some(label), Some(&number.to_string()));
    }
    dagre::layout(
        &mut graph,
        Some(LayoutOptions {
            rankdir: RankDir::LR,
            nodesep: 22.0,
            edgesep: 14.0,
            ranksep: 60.0,
            marginx: 24.0,
            marginy: 24.0,
            ..LayoutOptions::default()
        }),
    );

    let (mut right, mut bottom) = (0.0_f64, 0.0_f64);
    let (mut clusters, mut links) = (Group::new().set("class", "cluster"), Vec::new());
    let mut grow = |x: f64, y: f64, width: f64, height: f64| {
        (right, bottom) = (right.max(x + width / 2.0), bottom.max(y + height / 2.0));
    };
    for (number, link) in fleet.links.iter().enumerate() {
        let Some(edge) = graph.edge(&link.consumer, &link.provider, Some(&number.to_string())) else {
            continue;
        };
        let (x, y) = (edge.x.unwrap_or_default(), edge.y.unwrap_or_default());
        grow(x, y, edge.width, edge.height);
        let class = if link.drained { "link drained" } else { "link" };
        let path = Path::new().set("d", curve(&edge.points)).set("marker-end", "url(#end)");
        let path = if link.both { path.set("marker-start", "url(#start)") } else { path };
        // the line does not go through the text
        let page = boxed(x, y, edge.width - PADDING, edge.height).set("class", "page");
        links.push(Group::new().set("class", class).add(path).add(page).add(lines(
            link.lines.iter(),
            x,
            y,
            "",
        )));
    }
    for (id, networks) in &fleet.clusters {
        let Some(node) = graph.node(id) else { continue };
        let (x, y) = (node.x.unwrap_or_default(), node.y.unwrap_or_default());
        grow(x, y, node.width, node.height);
        let texts = lines(std::iter::once(id).chain(networks), x, y, "id");
        clusters = clusters.add(boxed(x, y, node.width, node.height).set("rx", 6)).add(texts);
    }
    let (width, height) = ((right + 24.0).ceil(), (bottom + 24.0).ceil());
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
        .add(Rectangle::new().set("class", "page").set("width", width).set("height", height));
    links.into_iter().fold(document, Document::add).add(clusters).to_string() + "\n"
}

/// How large the text of some lines is.
fn size<'t>(lines: impl Iterator<Item = &'t String>) -> (f64, f64) {
    let lengths = lines.map(|line| u32::try_from(line.chars().count()).unwrap_or(u32::MAX));
    lengths.fold((0.0_f64, 0.0), |(width, height), length| {
        (width.max(f64::from(length) * WIDTH), height + HEIGHT)
    })
}

fn boxed(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let at = Rectangle::new().set("x", number(x - width / 2.0)).set("y", number(y - height / 2.0));
    at.set("width", number(width)).set("height", number(height))
}

/// Lines around a point; the first one can have a class.
fn lines<'t>(lines: impl Iterator<Item = &'t String> + Clone, x: f64, y: f64, first: &str) -> Text {
    let (_, height) = size(lines.clone());
    let mut text = Text::new("").set("y", number(y - height / 2.0 - 4.0));
    for (index, line) in lines.enumerate() {
        let span = TSpan::new(line).set("x", number(x)).set("dy", HEIGHT);
        text = text.add(if index == 0 && !first.is_empty() { span.set("class", first) } else { span });
    }
    text
}

/// A smooth line: each point but the ends bends it.
fn curve(points: &[Point]) -> String {
    let at = |point: &Point| format!("{} {}", number(point.x), number(point.y));
    let [first, inner @ .., last] = points else { return String::new() };
    let mut path = format!("M {}", at(first));
    for (index, point) in inner.iter().enumerate() {
        let end = match inner.get(index + 1) {
            Some(next) => Point::new(f64::midpoint(point.x, next.x), f64::midpoint(point.y, next.y)),
            None => last.clone(),
        };
        path.push_str(&format!(" Q {}, {}", at(point), at(&end)));
    }
    if inner.is_empty() { format!("{path} L {}", at(last)) } else { path }
}

fn marker(id: &str, path: &str, tip: i32) -> Marker {
    let marker = Marker::new().set("id", id).set("orient", "auto").set("refX", tip).set("refY", 4.5);
    marker.set("markerWidth", 9).set("markerHeight", 9).add(Path::new().set("d", path))
}

/// A coordinate, as long as it needs to be.
fn number(value: f64) -> String {
    format!("{value:.1}")
}
