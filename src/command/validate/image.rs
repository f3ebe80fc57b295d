//! The image's `validate` opens no sealed file, runs no program and writes nothing: nothing more can be asked of it.

use super::Begun;
use super::checked::Wrong;
use super::judges::{OfArgoCd, State};
use crate::command::Streams;
use crate::command::error::Error;
use crate::judge::Judge;
use crate::judge::applications::Place;
use std::marker::PhantomData;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct More {}

#[derive(Default)]
pub(super) struct Asked<'s>(PhantomData<&'s ()>);

pub(super) fn judges<'s>() -> [Judge<State<'s>, Wrong>; 0] {
    []
}

impl Asked<'_> {
    pub(super) const fn opens(&self) -> bool {
        false
    }
}

impl More {
    pub(super) fn begin(&self, _: &[PathBuf], _: bool, _: &mut Streams<'_>) -> Result<Begun, Error> {
        Ok(None)
    }

    pub(super) fn look<'s>(&self, _: &[Place], _: usize, _: &OfArgoCd<'_>) -> Result<Asked<'s>, Error> {
        Ok(Asked::default())
    }
}
