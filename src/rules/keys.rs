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
        let rule = Rule::new(Code::SameCluster, message)
            .help(format!("the two IDs differ; {}", crate::peering::name::READ_CLUSTER_ID));
        let diagnostic = rule.at(provider.cluster_id.span);
        context.problems.push(diagnostic.and(consumer.cluster_id.span, "the consumer is the same cluster"));
    }
    if let (Some(consumer), Some(provider)) = (&consumer.public_key, &provider.public_key)
        && consumer.value == provider.value
    {
        let rule = Rule::new(Code::PublicKey, "both sides have the same `publicKey`").help(
            "each cluster has a key of its own; each organisation reads its one with `argocd-peering keys`",
        );
        context.problems.push(rule.at(provider.span).and(consumer.span, "the consumer's"));
    }
}

/// Where one side's key comes from; with networking.
pub(super) fn source(context: &mut Context<'_>, role: Role) -> Option<KeySource> {
    let cluster = context.cluster(role);
    let seed = cluster.seed.as_ref().or(context.spec.seed.as_ref());
    match (seed, &cluster.public_key) {
        (Some(seed), expected) => {
            Some(KeySource::Seed(seed.value.file.value.clone(), expected.as_ref().map(|key| key.value)))
        }
        (None, Some(key)) => Some(KeySource::Elsewhere(key.value)),
        (None, None) => {
            missing(context, role);
            None
        }
    }
}

/// A side without a key. If neither has one, that is said once, of the consumer.
fn missing(context: &mut Context<'_>, role: Role) {
    let peer = context.cluster(role.peer());
    let elsewhere = peer.seed.as_ref().map(|seed| seed.span);
    let elsewhere = elsewhere.or_else(|| peer.public_key.as_ref().map(|key| key.span));
    let whose = match (elsewhere, role) {
        (Some(_), _) => format!("the {role}'s key"),
        (None, Role::Consumer) => "both sides' keys".to_owned(),
        (None, Role::Provider) => return,
    };
    let message = format!("networking needs {whose}, and there is neither a seed nor a `publicKey`");
    let help = "make a seed with `argocd-peering seed new`, and say `seed: { file: peering.seed.age }` in `spec`; \
                where the other organisation keeps its own, its `publicKey` is enough";
    let diagnostic = Rule::new(Code::Seed, message).help(help).at(context.cluster(role).cluster_id.span);
    context.problems.push(match elsewhere {
        Some(span) => diagnostic.and(span, format!("the {}'s comes from here", role.peer())),
        None => diagnostic,
    });
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
            let help = "say the seed of the side that this folder deploys: `seed: { file: … }` beside its `clusterID`";
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
