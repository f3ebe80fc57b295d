//! A seed gives a key. A seed that gives none is a mistake: somebody relies on it.

use super::push;
use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let (consumer, provider) = (&peering.clusters.consumer, &peering.clusters.provider);
    if peering.networking.is_none() {
        for seed in [&consumer.seed, &provider.seed, &peering.seed].into_iter().flatten() {
            let message = "a seed is set, and there are no keys to derive from it";
            push(problems, Code::Seed, seed.span, message, "remove `seed`, or add `networking`");
        }
        return;
    }
    match (&consumer.seed, &provider.seed, &peering.seed) {
        (Some(consumer), Some(provider), Some(shared)) => {
            let rule = Rule::new(Code::Seed, "this seed gives no key: each side has its own seed");
            problems.push(
                rule.help("remove it")
                    .at(shared.span)
                    .and(consumer.span, "the consumer's")
                    .and(provider.span, "the provider's"),
            );
        }
        (None, None, None) if consumer.public_key.is_some() && provider.public_key.is_some() => {
            let message = "neither side has a seed here, so neither stream can be built";
            let help = "set the seed of the side that this folder deploys: `seed: { file: … }` beside its `clusterID`";
            push(problems, Code::Seed, consumer.id.span, message, help);
        }
        _ => {}
    }
}
