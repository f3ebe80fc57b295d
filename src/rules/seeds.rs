//! A seed that gives nothing is a mistake: the author relies on it.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::delivery::Delivery;
use crate::peering::{Peering, Role, Sides};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let Sides { consumer, provider } = &peering.clusters;
    let is_used = |role| peering.networking.is_some() || peering.seals(role);
    for (seed, is_used) in [
        (&consumer.seed, is_used(Role::Consumer)),
        (&provider.seed, is_used(Role::Provider)),
        (&peering.seed, Role::BOTH.into_iter().any(is_used)),
    ] {
        if let (Some(seed), false) = (seed, is_used) {
            let message = "a seed is set, and there are no keys to derive from it";
            problems.refuse(Code::Seed, seed.span, message, "remove `seed`, or add `networking`");
        }
    }
    match (&consumer.seed, &provider.seed, &peering.seed) {
        (Some(consumer), Some(provider), Some(shared)) if peering.networking.is_some() => {
            let rule = Rule::new(Code::Seed, "this seed gives no key: each side has its own seed");
            problems.push(
                rule.help("remove it")
                    .at(shared.span)
                    .and(consumer.span, "the consumer's")
                    .and(provider.span, "the provider's"),
            );
        }
        // a side whose Secrets come in another way needs no seed, and one that is sealed is reported with its delivery
        (None, None, None)
            if peering.networking.is_some()
                && [consumer, provider].iter().all(|it| it.delivery == Delivery::Secret) =>
        {
            let message = "neither side has a seed here, so neither stream can be built";
            let help = "set the seed of the side that this folder deploys: `seed: { file: … }` beside its `clusterID`";
            problems.refuse(Code::Seed, consumer.id.span, message, help);
        }
        _ => {}
    }
}
