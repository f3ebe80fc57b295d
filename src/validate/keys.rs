//! Where the two sides' keys come from.

use super::Context;
use crate::diagnostic::{Code, Rule};
use crate::peering::networking::KeySource;
use crate::peering::role::Role;

/// Liqo refuses a peering with oneself, and one key cannot be both sides'.
pub(super) fn different_clusters(context: &mut Context<'_>) {
    let (consumer, provider) = (&context.spec.consumer, &context.spec.provider);
    if consumer.cluster_id.value == provider.cluster_id.value {
        let message = format!("both sides are the cluster `{}`", provider.cluster_id.value);
        let diagnostic = provider.cluster_id.broken(Code::SameCluster, message);
        context.problems.push(diagnostic.and(consumer.cluster_id.span, "the consumer is the same cluster"));
    }
    if let (Some(consumer), Some(provider)) = (&consumer.public_key, &provider.public_key)
        && consumer.value == provider.value
    {
        let diagnostic = provider.broken(Code::PublicKey, "both sides have the same `publicKey`");
        context.problems.push(diagnostic.and(consumer.span, "the consumer's"));
    }
}

/// Where one side's key comes from; with networking.
pub(super) fn source(context: &mut Context<'_>, role: Role) -> Option<KeySource> {
    let cluster = context.cluster(role);
    let seed = cluster.seed.as_ref().or(context.spec.seed.as_ref());
    match (seed, &cluster.public_key) {
        (Some(seed), expected) => {
            Some(KeySource::Seed(seed.value.file.clone(), expected.as_ref().map(|key| key.value)))
        }
        (None, Some(key)) => Some(KeySource::Elsewhere(key.value)),
        (None, None) => {
            let message =
                format!("networking needs the {role}'s key, and there is neither a seed nor a `publicKey`");
            let help = "make a seed with `argocd-peering seed new` and say `seed: { file: peering.seed.age }` in `spec`; \
                        if the other organisation keeps its own, write its `publicKey` here";
            context.push(Code::Seed, cluster.cluster_id.span, message, help);
            None
        }
    }
}

/// A seed that gives no key is a mistake: somebody thinks that it does.
pub(super) fn seeds_are_needed(context: &mut Context<'_>) {
    let spec = context.spec;
    let own = [Role::Consumer, Role::Provider].map(|role| context.cluster(role).seed.as_ref());
    if spec.networking.is_none() {
        for seed in own.into_iter().flatten().chain(spec.seed.as_ref()) {
            let message = "a seed is given, and there are no keys to derive from it";
            context.push(Code::Seed, seed.span, message, "remove `seed`, or add `networking`");
        }
        return;
    }
    match (own, &spec.seed) {
        ([Some(consumer), Some(provider)], Some(shared)) => {
            let rule =
                Rule::new(Code::Seed, "this seed gives no key: both sides have their own").help("remove it");
            let diagnostic = rule
                .at(shared.span)
                .and(consumer.span, "the consumer's")
                .and(provider.span, "the provider's");
            context.problems.push(diagnostic);
        }
        ([None, None], None) if spec.consumer.public_key.is_some() && spec.provider.public_key.is_some() => {
            let span = spec.consumer.cluster_id.span;
            let help = "name the seed of the side that this folder deploys";
            context.push(
                Code::Seed,
                span,
                "neither side has a seed here, so neither stream can be made",
                help,
            );
        }
        _ => {}
    }
}
