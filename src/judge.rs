//! What is right, wrong, or not judged of what states have. Each rule is here once, and every command asks it.

pub(crate) mod allowances;
pub(crate) mod applications;
#[cfg(feature = "workstation")]
pub(crate) mod change;
pub mod claims;
#[cfg(feature = "workstation")]
pub(crate) mod comparison;
#[cfg(feature = "workstation")]
pub(crate) mod liqo_values;
pub(crate) mod rendered;
