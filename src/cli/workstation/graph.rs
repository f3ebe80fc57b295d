//! `graph`.

use super::flags::PeeringPaths;
use clap::Args;

pub(super) const GRAPH_EXAMPLE: &str = "Examples:
  argocd-peering graph peerings --format svg > fleet.svg
  argocd-peering graph peerings/rome-milan
  argocd-peering graph peerings --cluster rome

Mermaid is drawn by GitHub and GitLab in a code block of the language `mermaid`; by default it draws at most 500 peerings. \
An arrow goes from the consumer to the provider. The picture has at most 12 clusters, on a circle; a thin line is a tunnel \
alone. Nothing secret is in the drawing, and no identity is needed.";

/// `graph`
#[derive(Debug, Args)]
pub struct Graph {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// Only the peerings of this cluster, by its ID: a drawing of many cannot be read; repeatable
    #[arg(long = "cluster", value_name = "ID")]
    pub clusters: Vec<String>,
    /// Text for a page that draws it, or the picture
    #[arg(long, value_enum, default_value_t = Drawing::Mermaid)]
    pub format: Drawing,
}

/// How `graph` draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Drawing {
    /// Mermaid's flowchart language.
    Mermaid,
    /// A picture.
    Svg,
}
