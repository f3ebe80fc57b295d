//! One side's objects as text: planned, rendered, checked, and written in one piece.

pub mod emit;

use crate::custody::sealed_secret::Sealer;
use crate::diagnostic::Bug;
use crate::object::{Engine, Manifest};
use crate::peering::{Material, Peering, Role};
use zeroize::Zeroizing;

/// The objects of one side's stream, in the order of their waves.
pub struct Plan {
    manifests: Vec<Manifest>,
}

impl Plan {
    /// The objects.
    pub fn manifests(&self) -> &[Manifest] {
        &self.manifests
    }
}

/// PLAN: which objects one side's stream has.
///
/// # Errors
/// Only for a bug: something that the peering needs was not opened.
pub fn plan(
    peering: &Peering,
    role: Role,
    material: &Material,
    _sealer: Option<&Sealer>,
) -> Result<Plan, Bug> {
    Ok(Plan { manifests: peering.manifests(role, material)? })
}

/// RENDER: one YAML document an object, each after its `---`.
///
/// # Errors
/// Only for a bug in a template.
pub fn render(plan: &Plan) -> Result<Zeroizing<String>, Bug> {
    const BEGIN: &str = "---\n";
    let mut engine = Engine::new()?;
    let mut documents: Vec<Zeroizing<String>> = Vec::with_capacity(plan.manifests.len());
    for manifest in &plan.manifests {
        documents.push(match manifest {
            Manifest::Object(object) => object.render(&mut engine).map(Zeroizing::new)?,
            Manifest::Secret(secret) => secret.render(&mut engine)?,
        });
    }
    // allocated once, so that it never moves and leaves a copy of a secret behind
    let size: usize = documents.iter().map(|document| BEGIN.len() + document.len()).sum();
    let mut stream = Zeroizing::new(String::with_capacity(size));
    for document in documents {
        stream.push_str(BEGIN);
        stream.push_str(&document);
    }
    Ok(stream)
}
