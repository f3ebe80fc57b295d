pub(crate) mod coverage;
