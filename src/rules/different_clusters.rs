//! A peering has two clusters, and each its own key.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;
use crate::peering::values::READ_CLUSTER_ID;

/// Liqo refuses a peering of a cluster with itself.
pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let (consumer, provider) = (&peering.clusters.consumer, &peering.clusters.provider);
    if consumer.id == provider.id {
        let rule =
            Rule::new(Code::SameCluster, format!("both sides are the cluster `{}`", provider.id.value))
                .help(format!("the two IDs differ; {READ_CLUSTER_ID}"));
        problems.push(rule.at(provider.id.span).and(consumer.id.span, "the consumer is the same cluster"));
    }
    if let (Some(consumer), Some(provider)) = (&consumer.public_key, &provider.public_key)
        && consumer == provider
    {
        let rule = Rule::new(Code::PublicKey, "both sides have the same `publicKey`")
            .help("each cluster has its own key; each organisation reads its key with `argocd-peering keys`");
        problems.push(rule.at(provider.span).and(consumer.span, "the consumer's"));
    }
}
