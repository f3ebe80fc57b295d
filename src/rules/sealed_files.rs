//! A sealed file is a seed or a credential, and a credential is for one API server. A seed may be named twice.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::values::FileName;
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let seeds = [&peering.seed, &peering.clusters.consumer.seed, &peering.clusters.provider.seed];
    let mut named: Vec<(&Located<FileName>, bool)> =
        seeds.into_iter().flatten().map(|seed| (seed, true)).collect();
    for role in Role::BOTH {
        let Some(sealed) = peering.authentication(role).and_then(|it| it.credential.sealed()) else {
            continue;
        };
        let file = sealed.file();
        if let Some((other, seed)) = named.iter().find(|(other, _)| *other == file) {
            let (name, word) = (&file.value, sealed.word());
            let message = if *seed {
                format!("`{name}` is named as a seed and as a {word}, and a sealed file is one of the two")
            } else {
                format!(
                    "`{name}` is named for both directions, and each needs a {word} for the other cluster"
                )
            };
            let command = sealed.command();
            let help = format!("seal this {word} into its own file with `argocd-peering {command}`");
            let rule = Rule::new(Code::SealedFileReused, message).help(help);
            problems.push(rule.at(file.span).and(other.span, "the first is named here"));
        }
        named.push((file, false));
    }
}
