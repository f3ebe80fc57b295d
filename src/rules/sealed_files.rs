//! A sealed file is a seed or a credential, and a credential is for one API server. A seed may be named twice.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::values::FileName;
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let seeds = [&peering.seed, &peering.clusters.consumer.seed, &peering.clusters.provider.seed];
    let mut named: Vec<(&Located<FileName>, bool)> =
        seeds.into_iter().flatten().map(|seed| (seed, true)).collect();
    let file = |role| Some(&peering.authentication(role)?.credential.sealed()?.file);
    for file in Role::BOTH.into_iter().filter_map(file) {
        if let Some((other, seed)) = named.iter().find(|(other, _)| *other == file) {
            let name = &file.value;
            let message = if *seed {
                format!(
                    "`{name}` is named as a seed and as a kubeconfig, and a sealed file is one of the two"
                )
            } else {
                format!(
                    "`{name}` is named for both directions, and each needs a kubeconfig for the other cluster"
                )
            };
            let help = "seal this kubeconfig into its own file with `argocd-peering seal kubeconfig`";
            let rule = Rule::new(Code::SealedFileReused, message).help(help);
            problems.push(rule.at(file.span).and(other.span, "the first is named here"));
        }
        named.push((file, false));
    }
}
