mod determinism;
mod output;
mod paths;
mod process;
mod report;
