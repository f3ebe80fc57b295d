//! A peering has at least one of Liqo's modules. A document without any is most likely the beginning of a file that was cut:
//! its stream is the tenant Namespace alone, and Argo CD would prune everything else.
//!
//! Liqo sets each module up alone (liqo `docs/advanced/peering/peering-via-cr.md`); [`super::slices`] refuses offloading alone.

use crate::diagnostic::{Code, Problems};
use crate::peering::{Direction, Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let has_no_module = Role::BOTH.map(|role| peering.directions.of(role)) == [&Direction::default(); 2];
    if peering.networking.is_none() && has_no_module {
        let message = "the peering has neither `networking` nor `authentication`";
        let help = "add one of them, or restore the end of the file: as it is, Argo CD would prune everything but the tenant \
                    Namespace; to end a peering, follow docs/teardown.md";
        problems.refuse(Code::MissingField, peering.clusters.provider.id.span, message, help);
    }
}
