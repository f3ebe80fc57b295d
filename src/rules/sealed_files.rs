//! Sealed files: what a document uses them for, and what needs one.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::delivery::Delivery;
use crate::peering::values::FileName;
use crate::peering::{Peering, Role, Sides};

/// A seed must be used: the author of an unused one relies on it.
pub(super) fn check_seeds(peering: &Peering, problems: &mut Problems) {
    let Sides { consumer, provider } = &peering.clusters;
    let [consumer_uses, provider_uses] = [Role::Consumer, Role::Provider]
        .map(|role| peering.networking.is_some() || peering.seals(role));
    for (seed, is_used) in [
        (&consumer.seed, consumer_uses),
        (&provider.seed, provider_uses),
        (&peering.seed, consumer_uses || provider_uses),
    ] {
        if let (Some(seed), false) = (seed, is_used) {
            let message = "a seed is set, and there are no keys to derive from it";
            let help = "remove `seed`, or add `networking`";
            problems.refuse(Code::Seed, seed.span, message, help);
        }
    }
    match (&consumer.seed, &provider.seed, &peering.seed) {
        (Some(consumer), Some(provider), Some(shared)) if peering.networking.is_some() => {
            let rule = Rule::new(
                Code::Seed,
                "this seed gives no key: each side has its own seed",
            );
            problems.push(
                rule.help("remove it")
                    .mark(shared.span)
                    .also(consumer.span, "the consumer's")
                    .also(provider.span, "the provider's"),
            );
        }
        // a side with another delivery needs no seed, and a side with `SealedSecret` is reported with its delivery
        (None, None, None)
            if peering.networking.is_some()
                && [consumer, provider]
                    .iter()
                    .all(|it| it.delivery == Delivery::Secret) =>
        {
            let message = "neither side has a seed here, so neither stream can be built";
            let help = "set the seed of the side that this folder deploys: `seed: { file: … }` beside its `clusterID`";
            problems.refuse(Code::Seed, consumer.id.span, message, help);
        }
        _ => {}
    }
}

/// A sealed file is either a seed or a credential, and a credential is for one API server. A seed may be named twice.
pub(super) fn check_uses(peering: &Peering, problems: &mut Problems) {
    let seeds = [
        &peering.seed,
        &peering.clusters.consumer.seed,
        &peering.clusters.provider.seed,
    ];
    let mut named: Vec<(&Located<FileName>, bool)> = seeds
        .into_iter()
        .flatten()
        .map(|seed| (seed, true))
        .collect();
    for role in Role::BOTH {
        // also while the peering is drained: the document still names the file
        let sealed = peering
            .authentication(role)
            .and_then(|it| it.credential.sealed_kubeconfig());
        let Some(file) = sealed.map(|it| &it.file) else {
            continue;
        };
        if let Some((other, seed)) = named.iter().find(|(other, _)| *other == file) {
            let uses = if *seed {
                "as a seed and as a kubeconfig, and a sealed file is one of the two"
            } else {
                "for both directions, and each needs a kubeconfig for the other cluster"
            };
            let message = format!("`{}` is named {uses}", file.value);
            let help =
                "seal this kubeconfig into its own file with `argocd-peering seal kubeconfig`";
            let rule = Rule::new(Code::SealedFileReused, message).help(help);
            problems.push(
                rule.mark(file.span)
                    .also(other.span, "the first is named here"),
            );
        }
        named.push((file, false));
    }
}
