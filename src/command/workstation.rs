//! What a person runs at their own machine, and Argo CD never does. It is not in the image: the cargo feature `workstation`
//! has all of it, with the crates that nothing else needs.

mod certificates;
mod completions;
mod confirm;
mod credential;
pub(super) mod diff;
mod doctor;
mod documents;
pub(super) mod fix;
mod fleet;
mod graph;
mod import;
mod init;
pub(super) mod inspect;
pub(super) mod list;
mod man;
mod order;
mod place;
pub mod playground;
mod receivers;
mod reseal;
mod rights;
mod rotate;
mod seal;
mod terms;

use super::Streams;
use crate::cli::{Seed, Workstation};
use crate::command::error::Error;

pub(super) use place::{check_credential, note_refusals, place_in_checkout};

pub(super) fn run(command: &Workstation, streams: &mut Streams<'_>) -> Result<(), Error> {
    match command {
        Workstation::Init(arguments) => init::init(arguments, streams),
        Workstation::Fleet(arguments) => fleet::fleet(arguments, streams),
        Workstation::Seed(Seed::New(arguments)) => seal::seed_new(arguments, streams),
        Workstation::Seed(Seed::Import(arguments)) => seal::seed_import(arguments, streams),
        Workstation::Seed(Seed::Rotate(arguments)) => rotate::rotate(arguments, streams),
        Workstation::Seed(Seed::RotateDue(arguments)) => rotate::due::rotate_due(arguments, streams),
        Workstation::Seal(what) => seal::seal(what, streams),
        Workstation::Reseal(arguments) => reseal::reseal(arguments, streams),
        Workstation::Inspect(arguments) => inspect::inspect(arguments, streams),
        Workstation::Rights(arguments) => rights::rights(arguments, streams),
        Workstation::Doctor(arguments) => doctor::doctor(arguments, streams),
        Workstation::Completions(arguments) => completions::completions(arguments, streams),
        Workstation::Man(arguments) => man::man(arguments, streams),
        Workstation::Diff(arguments) => diff::diff(arguments, streams),
        Workstation::Import(arguments) => import::import(arguments, streams),
        Workstation::List(arguments) => list::list(arguments, streams),
        Workstation::Graph(arguments) => graph::graph(arguments, streams),
    }
}
