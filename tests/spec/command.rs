mod determinism;
mod output;
mod paths;
mod process;
pub(crate) mod report;
