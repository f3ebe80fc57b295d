//! What is right, wrong, or not judged of what states have. Each rule is here once, and every command asks it.

pub(crate) mod applications;
pub mod claims;
