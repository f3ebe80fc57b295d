//! One function a command.

mod generate;
mod keys;
mod open;
mod seal;

use crate::cli::{Command, Seal, Seed};
use crate::environment::Environment;
use crate::error::Error;
use std::io::Write;

/// Where a run writes to.
pub struct Streams<'s> {
    /// The manifests, or nothing.
    pub out: &'s mut dyn Write,
    /// Notes for people.
    pub notes: &'s mut dyn Write,
}

impl Streams<'_> {
    /// A line for people, without anything that could be key material. If it cannot be written, the run goes on.
    fn note(&mut self, line: &str) {
        let _ = writeln!(self.notes, "{}", crate::diagnostic::mask(line, &[]));
    }
}

/// Runs a command.
///
/// # Errors
/// Whatever goes wrong; then nothing was written to `out`, unless `out` itself failed.
pub fn run(command: &Command, environment: &Environment, streams: &mut Streams<'_>) -> Result<(), Error> {
    match command {
        Command::Generate(arguments) => generate::generate(arguments, environment, streams),
        Command::Keys(arguments) => keys::keys(arguments, environment, streams),
        Command::Seed(Seed::New(arguments)) => seal::seed_new(arguments, streams),
        Command::Seal(Seal::Kubeconfig(arguments)) => seal::kubeconfig(arguments, streams),
    }
}
