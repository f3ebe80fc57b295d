//! One side's objects, as text.

pub mod emit;
pub mod plan;
pub mod render;
