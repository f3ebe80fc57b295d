//! Sealed files: what a document uses them for, and what needs one.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::delivery::Delivery;
use crate::peering::values::{FileName, SealedFile};
use crate::peering::{Peering, Role, Sides};

/// A seed must be used: the author of an unused one relies on it.
pub(super) fn check_seeds(peering: &Peering, problems: &mut Problems) {
    let Sides { consumer, provider } = &peering.clusters;
    let has_networking = peering.networking.is_some();
    let [consumer_uses, provider_uses] =
        Role::BOTH.map(|role| has_networking || peering.seals(role));
    for (seed, is_used) in [
        (&consumer.seed, consumer_uses),
        (&provider.seed, provider_uses),
        (&peering.seed, consumer_uses || provider_uses),
    ] {
        if let (Some(seed), false) = (seed, is_used) {
            let message = "a seed is set, and derives no key";
            let help = "remove `seed`, or add `networking`";
            problems.add(Code::Seed, seed.file.span, message, help);
        }
    }
    // a side with another delivery needs no seed, and a side with `SealedSecret` is reported with its delivery
    let is_plain = [consumer.delivery, provider.delivery] == [Delivery::Secret; 2];
    match (&consumer.seed, &provider.seed, &peering.seed) {
        (Some(consumer), Some(provider), Some(shared)) if has_networking => {
            let message = "this seed derives no key: each side has its own";
            let rule = Rule::new(Code::Seed, message).help("remove it");
            let problem = rule.mark(shared.file.span);
            let problem = problem.also(consumer.file.span, "the consumer's");
            problems.push(problem.also(provider.file.span, "the provider's"));
        }
        (None, None, None) if has_networking && is_plain => {
            let message = "no side has a seed: no stream can be built";
            let help = "set `seed: { file: … }` beside the deployed side's `clusterID`";
            problems.add(Code::Seed, consumer.id.span, message, help);
        }
        _ => {}
    }
}

/// A sealed file is either a seed or a credential, and a credential is for one API server. A seed may be named twice.
pub(super) fn check_uses(peering: &Peering, problems: &mut Problems) {
    let Sides { consumer, provider } = &peering.clusters;
    let mut named: Vec<(&Located<FileName>, bool)> = Vec::new();
    for seed in [&peering.seed, &consumer.seed, &provider.seed] {
        named.extend(seed.iter().map(|seed| (&seed.file, true)));
    }
    for role in Role::BOTH {
        // also while the peering is drained: the document still names the file
        let Some(authentication) = peering.authentication(role) else {
            continue;
        };
        let Some(SealedFile { file }) = authentication.credential.sealed_kubeconfig() else {
            continue;
        };
        if let Some((other, seed)) = named.iter().find(|(other, _)| *other == file) {
            let uses = if *seed {
                "as a seed and as a kubeconfig"
            } else {
                "for both directions"
            };
            let message = format!("`{file}` is named {uses}");
            let help = "give each field its own file";
            let rule = Rule::new(Code::SealedFileReused, message).help(help);
            let problem = rule.mark(file.span);
            problems.push(problem.also(other.span, "the first is named here"));
        }
        named.push((file, false));
    }
}
