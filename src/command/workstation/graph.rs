//! `graph`: peerings as a drawing. A cluster is a box, a peering an arrow from the consumer to the provider.

mod mermaid;
mod picture;

use crate::cli::{Drawing, Graph};
use crate::command::Streams;
use crate::command::documents::documents;
use crate::command::error::Error;
use crate::input::folder::Folder;
use crate::peering::networking::Networking;
use crate::peering::{Direction, Peering, Role, State};
use crate::rules;
use std::collections::BTreeMap;

/// dagre's time grows faster than the number of arrows, and nobody reads more of them.
const PICTURE_MAX: usize = 500;

/// The clusters and what connects them.
#[derive(Default)]
struct Fleet {
    /// The pods' networks by cluster ID. A cluster with other ones in another document has them all.
    clusters: BTreeMap<String, Vec<String>>,
    links: Vec<Link>,
}

/// One peering.
struct Link {
    consumer: String,
    provider: String,
    /// What is written at the arrow.
    lines: Vec<String>,
    /// Whether the provider uses the consumer, too.
    both: bool,
    /// Whether it is being taken down.
    drained: bool,
}

pub(super) fn graph(arguments: &Graph, streams: &mut Streams<'_>) -> Result<(), Error> {
    let mut fleet = Fleet::default();
    let mut errors = Vec::new();
    let paths = documents(&arguments.paths)?;
    for path in &paths {
        match read(path) {
            Ok(peering) => fleet.add(&peering),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(Error::Invalid { wrong: errors.len(), peerings: paths.len(), errors, silent: false });
    }
    let count = fleet.links.len();
    if arguments.format == Drawing::Svg && count > PICTURE_MAX {
        let reason = format!(
            "svg draws at most {PICTURE_MAX} peerings, and these are {count}: name fewer folders, or use mermaid"
        );
        return Err(Error::Flag { flag: "--format", reason });
    }
    let drawing = match arguments.format {
        Drawing::Mermaid => mermaid::text(&fleet),
        Drawing::Svg => picture::svg(&fleet),
    };
    streams.print(&drawing)
}

fn read(path: &std::path::Path) -> Result<Peering, Error> {
    Ok(rules::read(&Folder::read_file(path)?)?)
}

impl Fleet {
    fn add(&mut self, peering: &Peering) {
        for role in Role::BOTH {
            let cluster = peering.clusters.of(role);
            let networks = self.clusters.entry(cluster.id.to_string()).or_default();
            for network in cluster.pod_cidrs.iter().flat_map(|it| it.iter()).map(ToString::to_string) {
                if !networks.contains(&network) {
                    networks.push(network);
                }
            }
        }
        let mut lines = vec![tunnel(peering.networking.as_ref())];
        lines.extend(shared(&peering.directions.consumer, ""));
        lines.extend(shared(&peering.directions.provider, "reverse: "));
        let drained = peering.state == State::Drained;
        lines.extend(drained.then(|| "drained".to_owned()));
        self.links.push(Link {
            consumer: peering.clusters.consumer.id.to_string(),
            provider: peering.clusters.provider.id.to_string(),
            lines,
            both: peering.directions.provider.authentication.is_some(),
            drained,
        });
    }
}

/// The gateway that listens, as the other one dials it.
fn tunnel(networking: Option<&Networking>) -> String {
    let Some(networking) = networking else { return "no tunnel".to_owned() };
    let side = networking.server.location;
    let Some(client) = &networking.client else { return format!("tunnel to {side}, address pending") };
    let address = client.endpoint.addresses.first().map(ToString::to_string).unwrap_or_default();
    let port = client.endpoint.port.map(|port| format!(":{}", port.get())).unwrap_or_default();
    format!("tunnel to {side} {address}{port}")
}

/// What one cluster asks for and offloads.
fn shared(direction: &Direction, prefix: &str) -> Vec<String> {
    /// More would not be read.
    const SHOWN: usize = 3;
    let Some(offloading) = &direction.offloading else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    for slice in &offloading.slices {
        let amounts = slice.written.resources.0.iter();
        let amounts = amounts.map(|(name, amount)| format!("{} {}", name.as_str(), amount.as_str()));
        let amounts = short(amounts.collect(), SHOWN);
        lines.push(if amounts.is_empty() {
            format!("{prefix}{}", slice.name.as_str())
        } else {
            prefix.to_owned() + &amounts
        });
    }
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    lines.extend((more > 0).then(|| format!("{prefix}and {more} more slices")));
    let names = offloading.namespaces.iter().map(|it| it.name.to_string()).collect();
    let names = short(names, SHOWN);
    lines.extend((!names.is_empty()).then(|| format!("{prefix}namespaces: {names}")));
    lines
}

/// The first few of a list, and how many more there are.
fn short(mut texts: Vec<String>, shown: usize) -> String {
    let more = texts.len().saturating_sub(shown);
    texts.truncate(shown);
    let text = texts.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Fleet, Link, mermaid, picture};

    /// A document cannot have such values. Should one ever get here, it is text.
    #[test]
    fn hostile_texts_are_text() {
        let hostile = "\"]; click c0 \"javascript:alert(1)\" <script>alert(1)</script> `**&amp;**` #quot; %%{init: {}}%% end";
        let mut fleet = Fleet::default();
        fleet.clusters.insert(hostile.to_owned(), vec![hostile.to_owned()]);
        fleet.clusters.insert("b".to_owned(), Vec::new());
        let (consumer, provider) = (hostile.to_owned(), "b".to_owned());
        fleet.links.push(Link {
            consumer,
            provider,
            lines: vec![hostile.to_owned()],
            both: true,
            drained: true,
        });

        let text = mermaid::text(&fleet);
        let escaped = text.replace("<br/>", "").replace(" <-.->|", "");
        assert!(!escaped.contains(['<', '>', '`', '(', '{', '%', '&', '*']), "{text}");
        assert_eq!(text.matches('"').count(), 6, "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");

        let svg = picture::svg(&fleet);
        assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"), "{svg}");
        assert!(svg.contains("&amp;amp;"), "{svg}");
    }
}
