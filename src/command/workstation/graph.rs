//! `graph`: draws peerings. A cluster is a box, a peering an arrow from the consumer to the provider.

use super::documents::peerings;
use super::flags::PeeringPaths;
use crate::command::{Result, Streams};
use crate::peering::networking::Networking;
use crate::peering::{Peering, Role, State};
use clap::Args;
use std::collections::BTreeMap;

/// Draw peerings: which cluster uses which, and through what
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering graph peerings

Mermaid is drawn by GitHub and GitLab in a code block of the language `mermaid`; by default it draws at most 500 peerings. \
An arrow goes from the consumer to the provider; `list` has a table of them. Nothing secret is in the drawing, and no identity is \
needed.")]
pub struct Graph {
    #[command(flatten)]
    pub peerings: PeeringPaths,
}

/// The clusters and the peerings between them.
#[derive(Default)]
struct Drawing {
    /// The pod networks of each cluster, by its ID: the networks of all its documents.
    clusters: BTreeMap<String, Vec<String>>,
    links: Vec<Link>,
}

struct Link {
    consumer: String,
    provider: String,
    /// The tunnel.
    label: String,
    /// Whether the provider also uses the consumer.
    both: bool,
    /// Whether the peering is drained.
    drained: bool,
}

pub(crate) fn graph(arguments: &Graph, streams: &mut Streams<'_>) -> Result {
    let mut drawing = Drawing::default();
    let read = peerings(&arguments.peerings.paths)?;
    for described in &read {
        drawing.add(&described.peering);
    }
    streams.deliver(&mermaid(&drawing))
}

impl Drawing {
    fn add(&mut self, peering: &Peering) {
        for role in Role::BOTH {
            let cluster = &peering.clusters[role];
            let networks = self.clusters.entry(cluster.id.to_string()).or_default();
            for network in cluster
                .pod_cidrs
                .iter()
                .flat_map(|it| it.iter())
                .map(ToString::to_string)
            {
                if !networks.contains(&network) {
                    networks.push(network);
                }
            }
        }
        self.links.push(Link {
            consumer: peering.clusters.consumer.id.to_string(),
            provider: peering.clusters.provider.id.to_string(),
            label: tunnel(peering.networking.as_ref()),
            both: peering.authentication(Role::Provider).is_some(),
            drained: peering.state == State::Drained,
        });
    }
}

/// The gateway server, with the address that the client dials.
fn tunnel(networking: Option<&Networking>) -> String {
    let Some(networking) = networking else {
        return "no tunnel".to_owned();
    };
    let side = networking.server.location;
    let Some((address, port)) = networking.dialled() else {
        return format!("tunnel to {side}, address pending");
    };
    let port = port.map_or_else(String::new, |port| format!(":{}", port.get()));
    format!("tunnel to {side} {address}{port}")
}

/// The drawing in Mermaid's flowchart language.
fn mermaid(drawing: &Drawing) -> String {
    let mut text = "flowchart LR\n".to_owned();
    let mut boxes = BTreeMap::new();
    for (number, (id, networks)) in drawing.clusters.iter().enumerate() {
        boxes.insert(id, number);
        let lines = std::iter::once(id).chain(networks);
        text += &format!("  c{number}[{}]\n", label(lines));
    }
    for link in &drawing.links {
        let (Some(from), Some(to)) = (boxes.get(&link.consumer), boxes.get(&link.provider)) else {
            continue;
        };
        let arrow = match (link.both, link.drained) {
            (false, false) => "-->",
            (true, false) => "<-->",
            (false, true) => "-.->",
            (true, true) => "<-.->",
        };
        text += &format!(
            "  c{from} {arrow}|{}| c{to}\n",
            label(std::iter::once(&link.label))
        );
    }
    text
}

/// A label in quotes. Every character that could have a meaning for Mermaid, its Markdown or HTML is written by its number (mermaid.js.org,
/// "Entity codes to escape characters").
fn label<'l>(lines: impl Iterator<Item = &'l String>) -> String {
    let lines: Vec<String> = lines.map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("<br/>"))
}

/// The line, with Mermaid's entities for everything that it could take for syntax.
fn escaped(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            c if c.is_alphanumeric() || " ,.:/-".contains(c) => c.to_string(),
            other => format!("#{};", u32::from(other)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Link, mermaid};

    /// A document cannot have such values. Should one ever get here, it is text.
    #[test]
    fn hostile_texts_are_text() {
        let hostile = "\"]; click c0 \"javascript:alert(1)\" <script>alert(1)</script> `**&amp;**` #quot; %%{init: {}}%% end";
        let mut drawing = Drawing::default();
        drawing
            .clusters
            .insert(hostile.to_owned(), vec![hostile.to_owned()]);
        drawing.clusters.insert("b".to_owned(), Vec::new());
        let (consumer, provider) = (hostile.to_owned(), "b".to_owned());
        drawing.links.push(Link {
            consumer,
            provider,
            label: hostile.to_owned(),
            both: true,
            drained: true,
        });

        let text = mermaid(&drawing);
        let escaped = text.replace("<br/>", "").replace(" <-.->|", "");
        assert!(
            !escaped.contains(['<', '>', '`', '(', '{', '%', '&', '*']),
            "{text}"
        );
        assert_eq!(text.matches('"').count(), 6, "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
    }
}
