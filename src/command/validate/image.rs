//! The image's `validate` opens no sealed file, runs no program and writes nothing: nothing more can be asked of it.
#![expect(clippy::unnecessary_wraps, reason = "as a workstation's build has them")]
use super::Begun;
use super::checked::Wrong;
use crate::command::{Result, Streams};
use crate::judge::applications::{Place, Reports};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct More {}

impl More {
    pub(super) fn begin(&self, _: &[PathBuf], _: bool, _: &mut Streams<'_>) -> Result<Begun> {
        Ok(None)
    }

    pub(super) const fn opens(&self) -> bool {
        false
    }

    pub(super) fn judge(&self, _: &[Place], _: usize, _: &Reports) -> Result<Vec<Wrong>> {
        Ok(Vec::new())
    }
}
