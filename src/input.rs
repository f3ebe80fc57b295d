//! A folder's files, and YAML.

pub mod file;
pub mod folder;
pub mod yaml;
