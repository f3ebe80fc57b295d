//! Many peerings at once: what contradicts each other is found, and what does not is left alone.

mod document;
mod folders;
mod rules;
mod thousand;
