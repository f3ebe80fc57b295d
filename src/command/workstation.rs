//! What a person runs at their own machine, and Argo CD never does. It is not in the image: the cargo feature `workstation`
//! has all of it, with the crates that nothing else needs.

mod import;
pub mod kubectl;
pub mod program;
mod shell;

use super::Streams;
use crate::cli::Workstation;
use crate::command::error::Error;

pub(super) fn run(command: &Workstation, streams: &mut Streams<'_>) -> Result<(), Error> {
    match command {
        Workstation::Completions(arguments) => shell::completions(arguments, streams),
        Workstation::Man(arguments) => shell::man(arguments, streams),
        Workstation::Import(arguments) => import::import(arguments, streams),
    }
}
