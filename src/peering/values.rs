//! What a single value of the document may be, by Liqo's and Kubernetes' rules.

pub mod address;
pub mod cidr;
pub mod labels;
pub mod name;
pub(crate) mod name_rule;
pub mod number;
pub mod public_key;
pub mod quantity;
pub(crate) mod reserved;
pub mod resources;
pub mod role;
pub mod template;
pub mod text;
pub mod url;
pub mod version;
