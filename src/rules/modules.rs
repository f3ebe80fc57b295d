//! A peering has at least one of Liqo's modules. A document without any is most likely the beginning of a file that was cut:
//! its stream is the tenant Namespace alone, and Argo CD would prune everything else.
//!
//! Liqo sets each module up alone (liqo `docs/advanced/peering/peering-via-cr.md`); [`super::slices`] refuses offloading alone.

use crate::diagnostic::{Code, Problems};
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let has_module = |role| {
        let direction = peering.directions.of(role);
        direction.authentication.is_some() || direction.offloading.is_some()
    };
    if peering.networking.is_none() && !Role::BOTH.into_iter().any(has_module) {
        let message = "the peering has neither `networking` nor `authentication`";
        let help = "add one of them, or restore the end of the file: as it is, Argo CD would prune everything but the tenant \
                    Namespace; to end a peering, follow docs/teardown.md";
        problems.refuse(Code::MissingField, peering.clusters.provider.id.span, message, help);
    }
}
