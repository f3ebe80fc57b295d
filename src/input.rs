//! A folder's files, and YAML.

pub mod folder;
pub mod yaml;
