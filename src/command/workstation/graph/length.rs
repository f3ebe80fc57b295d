//! How long the arrows of a picture are, all together: what dagre needs grows with it, since it keeps a node for each rank that an
//! arrow passes.

use super::Fleet;
use dagre::graph::alg::topsort;
use dagre::graph::{Graph, GraphOptions};
use dagre::layout::acyclic;
use dagre::{EdgeLabel, NodeLabel};

type Ranked = Graph<NodeLabel, EdgeLabel>;

/// In ranks, and not less than in the picture: dagre turns the same arrows around, and then makes all of them together as short
/// as they can be (network simplex), which these ranks come near to.
pub(super) fn length(fleet: &Fleet) -> u32 {
    let mut graph = Ranked::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
    for id in fleet.clusters.keys() {
        graph.set_node(id, Some(NodeLabel::default()));
    }
    for (index, link) in fleet.links.iter().enumerate().filter(|(_, it)| it.consumer != it.provider) {
        graph.set_edge(&link.consumer, &link.provider, Some(EdgeLabel::default()), Some(&index.to_string()));
    }
    acyclic::run(&mut graph, None);
    let Ok(order) = topsort(&graph) else { return u32::MAX };
    // as near to its end as each can be; then those with more arrows from the other direction, near to that
    for id in order.iter().rev() {
        let last = ranks_after(&graph, id).min().map_or(0, |rank| rank - 1);
        place(&mut graph, id, last);
    }
    for id in &order {
        if ranks_before(&graph, id).count() > ranks_after(&graph, id).count() {
            let first = ranks_before(&graph, id).max().map_or(0, |rank| rank + 1);
            place(&mut graph, id, first);
        }
    }
    let edges = graph.edges();
    edges.iter().map(|edge| rank(&graph, &edge.v).abs_diff(rank(&graph, &edge.w))).sum()
}

fn rank(graph: &Ranked, id: &str) -> i32 {
    graph.node(id).and_then(|node| node.rank).unwrap_or_default()
}

fn place(graph: &mut Ranked, id: &str, rank: i32) {
    if let Some(node) = graph.node_mut(id) {
        node.rank = Some(rank);
    }
}

fn ranks_after(graph: &Ranked, id: &str) -> impl Iterator<Item = i32> {
    graph.out_edges(id, None).into_iter().flatten().map(|edge| rank(graph, &edge.w))
}

fn ranks_before(graph: &Ranked, id: &str) -> impl Iterator<Item = i32> {
    graph.in_edges(id, None).into_iter().flatten().map(|edge| rank(graph, &edge.v))
}
