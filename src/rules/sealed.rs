//! Which sealed file is named where.

use super::Context;
use crate::diagnostic::{Code, Rule};
use crate::document::Sealed;
use crate::document::authentication::Credential;
use crate::peering::role::Role;

/// A sealed file is a seed or a kubeconfig, and a kubeconfig is for one API server. A seed may be named twice.
pub(super) fn files_differ(context: &mut Context<'_>) {
    let spec = context.spec;
    let seeds = [spec.seed.as_ref(), spec.consumer.seed.as_ref(), spec.provider.seed.as_ref()];
    let mut named: Vec<(&Sealed, bool)> = seeds.into_iter().flatten().map(|it| (&it.value, true)).collect();
    for role in Role::BOTH {
        let credential = context.authentication(role).map(|it| &it.credential);
        let Some(Credential::Kubeconfig(sealed)) = credential else { continue };
        if let Some((other, seed)) = named.iter().find(|(other, _)| other.file.value == sealed.file.value) {
            let file = &sealed.file.value;
            let message = if *seed {
                format!(
                    "`{file}` is named as a seed and as a kubeconfig, and a sealed file is one of the two"
                )
            } else {
                format!(
                    "`{file}` is named for both directions, and each needs a kubeconfig for the other cluster"
                )
            };
            let rule = Rule::new(Code::SealedFileReused, message)
                .help("seal this kubeconfig into a file of its own: `argocd-peering seal kubeconfig`");
            context.problems.push(rule.at(sealed.file.span).and(other.file.span, "the first is named here"));
        }
        named.push((sealed, false));
    }
}
