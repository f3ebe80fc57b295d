//! One side's objects as text: planned, rendered, checked, and written in one piece.

mod delivery;
pub mod emit;
#[cfg(feature = "workstation")]
pub(crate) mod kinds;

use crate::custody::sealed_secret::Sealer;
use crate::diagnostic::Bug;
use crate::object::{Engine, Manifest};
use crate::peering::{Material, Peering, Role};
use zeroize::Zeroizing;

/// The objects of one side's stream, in the order of their waves.
pub struct Plan {
    pub manifests: Vec<Manifest>,
}

impl Plan {
    /// Whether the printed stream shows secrets to anyone who sees it.
    pub fn shows_secrets(&self) -> bool {
        self.manifests.iter().any(has_data)
    }
}

/// Whether it is a Secret with data.
pub(crate) fn has_data(manifest: &Manifest) -> bool {
    match manifest {
        Manifest::Secret(secret) => !secret.data.is_empty(),
        Manifest::Templated(_) => false,
    }
}

/// PLAN: the objects of one side's stream. `sealer` is given where the side's delivery is `SealedSecret`.
///
/// # Errors
/// Only for a bug: something that the peering needs was not opened.
pub fn plan(
    peering: &Peering,
    role: Role,
    material: &Material,
    sealer: Option<&Sealer>,
) -> Result<Plan, Bug> {
    let cluster = &peering.clusters[role];
    let mut manifests = Vec::new();
    for manifest in peering.manifests(role, material)? {
        manifests.extend(delivery::deliver(manifest, cluster, sealer)?);
    }
    Ok(Plan { manifests })
}

/// RENDER: one YAML document an object, each after its `---`.
///
/// # Errors
/// Only for a bug in a template.
pub fn render(plan: &Plan) -> Result<Zeroizing<String>, Bug> {
    let mut engine = Engine::new()?;
    let mut stream = Zeroizing::new(String::new());
    for manifest in &plan.manifests {
        stream.push_str("---\n");
        match manifest {
            Manifest::Templated(object) => stream.push_str(&object.render(&mut engine)?),
            Manifest::Secret(secret) => stream.push_str(&secret.render()),
        }
    }
    Ok(stream)
}
