//! What is right, wrong, or not judged in states. Each rule is here once, for every command.

pub(crate) mod applications;
pub(crate) mod change;
pub mod claims;
pub(crate) mod comparison;
