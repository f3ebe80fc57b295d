//! `graph`: peerings as a drawing. A cluster is a box, a peering an arrow from the consumer to the provider.

mod length;
mod mermaid;
mod picture;

use super::order::{in_natural_order, natural};
use crate::cli::{Drawing, Graph};
use crate::command::Streams;
use crate::command::documents::{peerings, some_documents};
use crate::command::error::Error;
use crate::diagnostic::quoted;
use crate::peering::networking::Networking;
use crate::peering::{Direction, Peering, Role, State};
use std::collections::BTreeMap;

/// dagre's time grows faster than the number of arrows, and with their length: no one reads more of them, or longer ones. A mesh
/// of 32 clusters, the largest of so many, has a length of 5,456.
const PICTURE_MAX: usize = 500;
const LENGTH_MAX: u32 = 5_500;

/// The clusters and what connects them.
#[derive(Default)]
struct Fleet {
    /// The pods' networks by cluster ID. A cluster with other ones in another document has them all.
    clusters: BTreeMap<String, Vec<String>>,
    links: Vec<Link>,
}

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
    let read = peerings(in_natural_order(some_documents(&arguments.paths)?))?;
    let unknown = arguments.clusters.iter().find(|id| !read.iter().any(|it| has_cluster(&it.peering, id)));
    if let Some(id) = unknown {
        let reason = format!("no peering here has a cluster {}", quoted(id));
        return Err(Error::Flag { flag: "--cluster", reason });
    }
    let is_drawn = |peering: &Peering| {
        arguments.clusters.is_empty() || arguments.clusters.iter().any(|id| has_cluster(peering, id))
    };
    for described in read.iter().filter(|it| is_drawn(&it.peering)) {
        fleet.add(&described.peering);
    }
    let drawing = match arguments.format {
        Drawing::Mermaid => mermaid::text(&fleet),
        Drawing::Svg => {
            drawable(&fleet)?;
            picture::svg(&fleet)
        }
    };
    streams.print(&drawing)
}

/// The picture of one peering.
pub(super) fn of_one(peering: &Peering) -> String {
    let mut fleet = Fleet::default();
    fleet.add(peering);
    picture::svg(&fleet)
}

fn has_cluster(peering: &Peering, id: &str) -> bool {
    Role::BOTH.iter().any(|role| peering.clusters.of(*role).id.as_str() == id)
}

/// Refuses a picture that no one could read, and that would take minutes.
fn drawable(fleet: &Fleet) -> Result<(), Error> {
    let count = fleet.links.len();
    let refused = |what: String| {
        let reason = format!("svg draws {what}: name fewer folders, or use mermaid");
        Err(Error::Flag { flag: "--format", reason })
    };
    if count > PICTURE_MAX {
        return refused(format!("at most {PICTURE_MAX} peerings, and these are {count}"));
    }
    let length = length::length(fleet);
    if length > LENGTH_MAX {
        return refused(format!(
            "at most {LENGTH_MAX} steps from column to column, and the arrows of these {count} peerings have {length}"
        ));
    }
    Ok(())
}

impl Fleet {
    /// The clusters with their networks, in the natural order of their IDs.
    fn in_order(&self) -> Vec<(&String, &Vec<String>)> {
        let mut clusters: Vec<_> = self.clusters.iter().collect();
        clusters.sort_by(|(one, _), (other, _)| natural(one, other));
        clusters
    }

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
    use super::{Fleet, Link, length, mermaid, picture};

    fn fleet(links: impl IntoIterator<Item = (usize, usize)>) -> Fleet {
        let mut fleet = Fleet::default();
        for (one, other) in links {
            let [consumer, provider] = [one, other].map(|number| format!("{number:03}"));
            for id in [&consumer, &provider] {
                fleet.clusters.insert(id.clone(), Vec::new());
            }
            fleet.links.push(Link { consumer, provider, lines: Vec::new(), both: false, drained: false });
        }
        fleet
    }

    /// In columns: an arrow to the next one has a length of 1.
    #[test]
    fn lengths_are_those_of_the_picture() {
        let mesh = |clusters| (0..clusters).flat_map(move |one| (0..one).map(move |other| (other, one)));
        let chain = (0..99).map(|number| (number, number + 1));
        for (links, expected) in [
            (fleet(mesh(32)), 5456),
            (fleet((1..=500).map(|spoke| (spoke, 0))), 500),
            (fleet((1..=250).flat_map(|spoke| [(spoke, 0), (0, spoke)])), 500),
            (fleet((0..500).map(|number| (number, (number + 1) % 500))), 998),
            (fleet(chain.clone().chain([(0, 99); 400])), 39_699),
            // spokes at both ends of a chain, which dagre draws beside the ends
            (fleet(chain.chain((100..300).flat_map(|spoke| [(spoke, 99), (0, spoke + 200)]))), 499),
        ] {
            assert_eq!(length::length(&links), expected);
        }
    }

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
