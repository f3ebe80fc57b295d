//! The drawing as SVG: the clusters on a circle, and a hub in its middle. It has no script and no link, and its colours follow the
//! reader's light or dark mode.

use super::{Fleet, Link};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::iter::once;

/// The most clusters that a person can read on one circle.
pub(super) const CLUSTERS_MAX: usize = 12;
/// Every cluster with every other one, in both directions.
pub(super) const LINKS_MAX: usize = CLUSTERS_MAX * (CLUSTERS_MAX - 1);

/// The width of a letter, in a font where all letters have the same width, so that a box can be as wide as its text.
const WIDTH: f64 = 7.9;
const LABEL_WIDTH: f64 = 7.3;
const HEIGHT: f64 = 17.0;
const PADDING: f64 = 10.0;
const MARGIN: f64 = 16.0;
/// The distance from the centre to a cluster. A picture is at most 900 wide, with boxes of 24 letters.
const RADIUS: f64 = 320.0;

/// The positions of a label on its arrow: the middle first, then the nearest positions.
const LABELS: [f64; 15] = [
    0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78, 0.46, 0.54, 0.31, 0.69, 0.17, 0.83,
];

/// The distances of a label below or above its arrow.
const BESIDE: [f64; 6] = [16.0, -16.0, 28.0, -28.0, 40.0, -40.0];

const STYLE: &str = include_str!("picture.css");

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

/// A rectangle, by its centre and its size.
#[derive(Clone, Copy)]
struct Area {
    middle: Point,
    width: f64,
    height: f64,
}

impl Area {
    /// The area of a label, whose letters are smaller than those of a box.
    fn of_label(middle: Point, label: &str) -> Self {
        Self {
            middle,
            width: float(label.chars().count()) * LABEL_WIDTH + 4.0,
            height: 14.0,
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        (self.middle.x - other.middle.x).abs() * 2.0 < self.width + other.width
            && (self.middle.y - other.middle.y).abs() * 2.0 < self.height + other.height
    }

    /// The point where a line from the centre to another point leaves the rectangle.
    fn edge(&self, to: Point) -> Point {
        let (x, y) = (to.x - self.middle.x, to.y - self.middle.y);
        let part = (self.width / 2.0 / x.abs())
            .min(self.height / 2.0 / y.abs())
            .min(1.0);
        Point {
            x: self.middle.x + x * part,
            y: self.middle.y + y * part,
        }
    }

    fn svg(&self, attributes: &str) -> String {
        let Self {
            middle: Point { x, y },
            width,
            height,
        } = self;
        let (x, y) = (x - width / 2.0, y - height / 2.0);
        format!(
            "<rect {attributes} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>\n"
        )
    }
}

/// A cluster's box.
struct Place {
    area: Area,
    lines: Vec<String>,
}

/// A curve with one bend: the start, the control point and the end.
struct Curve([Point; 3]);

impl Curve {
    fn at(&self, part: f64) -> Point {
        let [from, over, to] = self.0;
        let rest = 1.0 - part;
        let mix = |from: f64, over: f64, to: f64| {
            rest * rest * from + 2.0 * rest * part * over + part * part * to
        };
        Point {
            x: mix(from.x, over.x, to.x),
            y: mix(from.y, over.y, to.y),
        }
    }
}

pub(super) fn svg(fleet: &Fleet) -> String {
    let places = places(fleet);
    let mut taken: Vec<Area> = places.values().map(|place| place.area).collect();
    let (mut arrows, mut labels) = (String::new(), String::new());
    for (link, curve) in curves(fleet, &places) {
        arrows += &arrow(link, &curve);
        let label = Area::of_label(curve.at(0.5), &link.port);
        let free =
            label_areas(&curve, label).find(|it| !taken.iter().any(|other| it.overlaps(other)));
        if let Some(area) = free {
            taken.push(area);
            labels += &(area.svg("class=\"page\"") + &text(&link.port, area.middle, ""));
        }
        // the page grows with the bent arrows
        taken.push(Area {
            width: 0.0,
            height: 0.0,
            ..label
        });
    }
    let clusters: String = places.values().map(Place::svg).collect();
    // thin lines if there are many
    let class = if fleet.links.len() > 20 {
        "link many"
    } else {
        "link"
    };
    page(
        &taken,
        &format!("<g class=\"{class}\">\n{arrows}{labels}"),
        &clusters,
    )
}

/// The curve of each peering. If two clusters have several peerings, each curve is bent differently.
fn curves<'f>(fleet: &'f Fleet, places: &BTreeMap<&str, Place>) -> Vec<(&'f Link, Curve)> {
    let mut pairs: BTreeMap<[&str; 2], Vec<&Link>> = BTreeMap::new();
    for link in &fleet.links {
        let mut pair = [link.consumer.as_str(), link.provider.as_str()];
        pair.sort_unstable();
        pairs.entry(pair).or_default().push(link);
    }
    let mut curves = Vec::new();
    for ([one, other], links) in pairs {
        let (Some(from), Some(to)) = (places.get(one), places.get(other)) else {
            continue;
        };
        for (index, link) in links.iter().enumerate() {
            let is_reversed = link.consumer == other;
            curves.push((
                *link,
                curve([from, to], bend(index, links.len()), is_reversed),
            ));
        }
    }
    curves
}

/// The page around all items, with a legend below.
fn page(taken: &[Area], links: &str, clusters: &str) -> String {
    let half = reach(taken, |it| it.middle.x.abs() + it.width / 2.0).max(260.0);
    let top = reach(taken, |it| it.height / 2.0 - it.middle.y);
    let bottom = reach(taken, |it| it.middle.y + it.height / 2.0) + 2.0 * HEIGHT;
    let (width, height) = (2.0 * half, top + bottom);
    let area = Area {
        middle: Point {
            x: 0.0,
            y: (bottom - top) / 2.0,
        },
        width,
        height,
    };
    let y = bottom - MARGIN;
    let mut legend = String::new();
    for (x, class, word) in [
        (-230.0, "offloads", "offloads"),
        (-55.0, "", "tunnel alone"),
        (130.0, "drained", "drained"),
    ] {
        let marker = if class == "offloads" {
            " marker-end=\"url(#end)\""
        } else {
            ""
        };
        legend += &format!("<path class=\"{class}\" d=\"M {x:.1} {y:.1} h 36\"{marker}/>\n");
        legend += &text(
            word,
            Point {
                x: x + 48.0 + float(word.len()) * WIDTH / 2.0,
                y,
            },
            "",
        );
    }
    let viewed = format!("{:.1} {:.1} {width:.1} {height:.1}", -half, -top);
    let end = "<marker id=\"end\" orient=\"auto-start-reverse\" refX=\"8\" refY=\"4.5\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\"><path d=\"M0,0 L9,4.5 L0,9 z\"/></marker>";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{viewed}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title description\">
<title id=\"title\">Peerings</title>
<desc id=\"description\">Each box is a cluster with its pods' networks. A thick arrow goes from a cluster to the one that it offloads to, a thin line is a tunnel alone, and a dashed one is being taken down. At a line is the port that the client dials.</desc>
<style>
{STYLE}</style>
<defs>{end}</defs>
{}{links}{legend}</g>
<g class=\"cluster\">
{clusters}</g>
</svg>
",
        area.svg("class=\"page\"")
    )
}

/// The distance from the centre to an edge of the page.
fn reach(taken: &[Area], edge: fn(&Area) -> f64) -> f64 {
    taken.iter().map(edge).fold(0.0, f64::max).ceil() + MARGIN
}

/// The cluster that is part of every peering, if there are three clusters or more.
fn hub(fleet: &Fleet) -> Option<&str> {
    let mut ids = fleet
        .clusters
        .keys()
        .map(String::as_str)
        .filter(|_| fleet.clusters.len() > 2);
    ids.find(|id| {
        fleet
            .links
            .iter()
            .all(|it| it.consumer == *id || it.provider == *id)
    })
}

/// The places of the clusters: on the circle, sorted by ID, from the top; two clusters are beside each other.
fn places(fleet: &Fleet) -> BTreeMap<&str, Place> {
    let hub = hub(fleet);
    let (middle, around): (Vec<_>, Vec<_>) = fleet
        .in_order()
        .into_iter()
        .partition(|(id, _)| hub == Some(id.as_str()));
    let count = around.len();
    let (radius, height, letters) = match count {
        0..=2 => (RADIUS, 0.0, 24),
        3..=5 => (RADIUS, 210.0, 24),
        6..=8 => (RADIUS, 270.0, 24),
        _ => (RADIUS, 330.0, 17),
    };
    // with many clusters, two are at the top: there is more room between their boxes
    let begin = match count {
        2 => PI,
        0..=8 => -FRAC_PI_2,
        _ => PI / float(count) - FRAC_PI_2,
    };
    let middle = middle
        .into_iter()
        .map(|cluster| (Point { x: 0.0, y: 0.0 }, cluster));
    let all = middle.chain(around.into_iter().enumerate().map(|(index, cluster)| {
        let angle = begin + TAU * float(index) / float(count);
        (
            Point {
                x: radius * angle.cos(),
                y: height * angle.sin(),
            },
            cluster,
        )
    }));
    all.map(|(at, (id, networks))| (id.as_str(), Place::new(at, id, networks, letters)))
        .collect()
}

impl Place {
    fn new(at: Point, id: &str, networks: &[String], letters: usize) -> Self {
        /// More networks would not be read.
        const NETWORKS: usize = 2;
        let more = networks.len().saturating_sub(NETWORKS);
        let shown = networks.iter().take(NETWORKS).map(String::as_str);
        let mut lines: Vec<String> = once(id)
            .chain(shown)
            .map(|line| cut(line, letters))
            .collect();
        lines.extend((more > 0).then(|| format!("and {more} more")));
        let longest = lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default();
        let width = float(longest) * WIDTH + 2.0 * PADDING;
        let area = Area {
            middle: at,
            width,
            height: float(lines.len()) * HEIGHT + PADDING,
        };
        Self { area, lines }
    }

    fn svg(&self) -> String {
        let mut svg = self.area.svg("rx=\"6\"");
        let top = self.area.middle.y - float(self.lines.len().saturating_sub(1)) * HEIGHT / 2.0;
        for (index, line) in self.lines.iter().enumerate() {
            let at = Point {
                x: self.area.middle.x,
                y: top + float(index) * HEIGHT,
            };
            svg += &text(line, at, if index == 0 { " class=\"id\"" } else { "" });
        }
        svg
    }
}

/// The areas where a label can be: on its arrow first, then beside it.
fn label_areas(curve: &Curve, label: Area) -> impl Iterator<Item = Area> {
    let on = LABELS.map(|part| curve.at(part));
    let beside = BESIDE.map(|y| Point {
        x: label.middle.x,
        y: label.middle.y + y,
    });
    on.into_iter()
        .chain(beside)
        .map(move |middle| Area { middle, ..label })
}

/// The bend of a peering's line, if two clusters have several.
fn bend(index: usize, count: usize) -> f64 {
    let apart = (160.0 / float(count)).min(50.0);
    (float(index) - float(count.saturating_sub(1)) / 2.0) * apart
}

fn curve([one, other]: [&Place; 2], bend: f64, reversed: bool) -> Curve {
    let (from, to) = (one.area.middle, other.area.middle);
    let (x, y) = (to.x - from.x, to.y - from.y);
    let length = x.hypot(y).max(1.0);
    let over = Point {
        x: f64::midpoint(from.x, to.x) - 2.0 * bend * y / length,
        y: f64::midpoint(from.y, to.y) + 2.0 * bend * x / length,
    };
    let (from, to) = (one.area.edge(over), other.area.edge(over));
    Curve(if reversed {
        [to, over, from]
    } else {
        [from, over, to]
    })
}

fn arrow(link: &Link, Curve([from, over, to]): &Curve) -> String {
    let class = [(link.offloads, "offloads"), (link.drained, "drained")];
    let class: Vec<_> = class
        .into_iter()
        .filter_map(|(is, class)| is.then_some(class))
        .collect();
    let end = if link.offloads {
        " marker-end=\"url(#end)\""
    } else {
        ""
    };
    let start = if link.offloads && link.both {
        " marker-start=\"url(#end)\""
    } else {
        ""
    };
    let title = format!(
        "{} to {}: {}",
        link.consumer,
        link.provider,
        link.lines.join("; ")
    );
    format!(
        "<path class=\"{}\" d=\"M {:.1} {:.1} Q {:.1} {:.1}, {:.1} {:.1}\"{end}{start}><title>{}</title></path>\n",
        class.join(" "),
        from.x,
        from.y,
        over.x,
        over.y,
        to.x,
        to.y,
        escaped(&title)
    )
}

fn text(line: &str, Point { x, y }: Point, class: &str) -> String {
    // the letters of a line are above its baseline
    format!(
        "<text{class} x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
        y + 4.5,
        escaped(line)
    )
}

/// The line, cut to this many letters; the last one is an ellipsis if some are missing.
fn cut(line: &str, letters: usize) -> String {
    if line.chars().count() <= letters {
        return line.to_owned();
    }
    line.chars()
        .take(letters.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// The text, escaped for XML (XML 1.0, section 2.4).
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
