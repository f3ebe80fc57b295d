//! `graph`: draws peerings. A cluster is a box, a peering an arrow from the consumer to the provider.

use super::documents::peerings;
use super::flags::PeeringPaths;
use crate::command::{Result, Streams};
use crate::peering::networking::Networking;
use crate::peering::{Role, State};
use crate::state::repo::ValidDocument;
use clap::Args;
use std::collections::BTreeMap;

/// Draw peerings: which cluster uses which, and through what
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering graph peerings

GitHub and GitLab draw at most 500 peerings in a code block `mermaid`.")]
pub struct Graph {
    #[command(flatten)]
    pub peerings: PeeringPaths,
}

pub(crate) fn graph(arguments: &Graph, streams: &mut Streams<'_>) -> Result {
    streams.deliver(&mermaid(&peerings(&arguments.peerings.paths)?))
}

/// The drawing in Mermaid's flowchart language.
fn mermaid(read: &[ValidDocument]) -> String {
    // the pod networks of each cluster: those of all its documents
    let mut clusters: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ValidDocument { peering, .. } in read {
        for cluster in Role::BOTH.map(|role| &peering.clusters[role]) {
            let networks = clusters.entry(cluster.id.as_str()).or_default();
            for network in cluster.pod_cidrs.iter().flat_map(|it| it.iter()) {
                if !networks.contains(&network.to_string()) {
                    networks.push(network.to_string());
                }
            }
        }
    }
    let mut text = "flowchart LR\n".to_owned();
    let mut numbers = BTreeMap::new();
    for (number, (id, networks)) in clusters.iter().enumerate() {
        numbers.insert(*id, number);
        let lines = [*id].into_iter().chain(networks.iter().map(String::as_str));
        text += &format!("  c{number}[{}]\n", label(lines));
    }
    for ValidDocument { peering, .. } in read {
        let [from, to] = Role::BOTH.map(|role| numbers.get(peering.clusters[role].id.as_str()));
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        let is_both_ways = peering.authentication(Role::Provider).is_some();
        let arrow = match (is_both_ways, peering.state) {
            (false, State::Active) => "-->",
            (true, State::Active) => "<-->",
            (false, State::Drained) => "-.->",
            (true, State::Drained) => "<-.->",
        };
        let tunnel = label([tunnel(peering.networking.as_ref()).as_str()]);
        text += &format!("  c{from} {arrow}|{tunnel}| c{to}\n");
    }
    text
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

/// A label in quotes. Every character that could have a meaning for Mermaid, its Markdown or HTML is written by its number (mermaid.js.org,
/// "Entity codes to escape characters").
fn label<'l>(lines: impl IntoIterator<Item = &'l str>) -> String {
    let lines: Vec<String> = lines.into_iter().map(escape).collect();
    format!("\"{}\"", lines.join("<br/>"))
}

fn escape(line: &str) -> String {
    let mut escaped = String::new();
    for c in line.chars() {
        if c.is_alphanumeric() || " ,.:/-".contains(c) {
            escaped.push(c);
        } else {
            escaped += &format!("#{};", u32::from(c));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    /// A document cannot have such values. Should one ever get here, it is text.
    #[test]
    fn hostile_texts_are_text() {
        let hostile = "\"]; click c0 \"javascript:alert(1)\" <script>alert(1)</script> `**&amp;**` #quot; %%{init: {}}%% end\n|";
        let text = super::label([hostile, hostile]);
        let escaped = text.replace("<br/>", "");
        assert!(
            !escaped.contains(['<', '>', '`', '(', '{', '%', '&', '*', '|', ']', '\n']),
            "{text}"
        );
        assert_eq!(text.matches('"').count(), 2, "{text}");
        assert!(text.contains("#60;script#62;alert#40;1#41;"), "{text}");
    }
}
