//! What a side's stream has, as values.

use crate::diagnostic::Bug;
use crate::object::live::Object;
use crate::peering::{Material, Peering, Role};
use crate::stream;

/// The objects of one side's stream.
///
/// # Errors
/// Only for a bug.
pub(crate) fn planned(peering: &Peering, role: Role, material: &Material) -> Result<Vec<Object>, Bug> {
    let text = stream::render(&stream::plan(peering, role, material, None)?)?;
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    let objects = serde_saphyr::from_multiple_with_options(&text, options);
    let objects: Vec<_> = objects.map_err(|_| Bug::new("the stream does not read back"))?;
    Ok(objects.into_iter().map(Object::new).collect())
}
