pub(crate) mod schema;
