//! Liqo's modules: networking, authentication and offloading. Each can be set up without the others (liqo
//! `docs/advanced/peering/peering-via-cr.md`).

use super::unique;
use crate::diagnostic::{Code, Problems};
use crate::peering::{Direction, Peering, Role};

/// A peering has at least one module. A document without any is most likely the beginning of a file that was cut: its stream is only the
/// tenant Namespace, and Argo CD would prune everything else.
pub(super) fn check_modules(peering: &Peering, problems: &mut Problems) {
    let has_no_module =
        Role::BOTH.map(|role| &peering.directions[role]) == [&Direction::default(); 2];
    if peering.networking.is_none() && has_no_module {
        let message = "the peering has neither `networking` nor `authentication`";
        let help = "add one, or restore the file's end; to end a peering, follow docs/teardown.md";
        let place = peering.clusters.provider.id.span;
        problems.add(Code::MissingField, place, message, help);
    }
}

/// Offloading needs authentication, and each of its lists must have an effect.
pub(super) fn check_offloading(peering: &Peering, user: Role, problems: &mut Problems) {
    let Some(offloading) = peering.offloading(user) else {
        return;
    };
    if peering.authentication(user).is_none() {
        let message = "offloading needs authentication";
        let help = "add `authentication`, or remove `offloading`";
        problems.add(Code::MissingField, offloading.span, message, help);
    }
    let (slices, nodes) = (&offloading.slices, &offloading.virtual_nodes);
    let namespaces = offloading.namespaces.iter().map(|it| &it.name);
    unique(slices.iter().map(|it| &it.name), "ResourceSlice", problems);
    unique(namespaces, "offloaded namespace", problems);
    unique(nodes.iter().map(|it| &it.name), "virtual node", problems);
}

/// Liqo copies a slice to the other cluster under its own name, into the namespace with the other direction's slices.
/// So the names must differ.
pub(super) fn check_directions(peering: &Peering, problems: &mut Problems) {
    let [Some(forward), Some(reverse)] = Role::BOTH.map(|role| peering.offloading(role)) else {
        return;
    };
    for slice in &reverse.slices {
        if forward.slices.iter().any(|other| other.name == slice.name) {
            let name = &slice.name;
            let message = format!("the slice `{name}` exists in the other direction too");
            let help = "rename it: Liqo copies it into the other direction's namespace";
            problems.add(Code::DuplicateName, name.span, message, help);
        }
    }
}
