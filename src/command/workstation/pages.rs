//! The pages that only a person's commands need.

use crate::command::Error;
use crate::command::error::workstation::WorkstationError;
use crate::diagnostic::Page;
use crate::object::live::Check;

/// The pages of all errors of a run, each code once.
pub fn error_pages() -> impl Iterator<Item = Page> {
    Error::PAGES.iter().copied().chain(errors())
}

/// The pages of the codes that only a person's commands have.
fn errors() -> impl Iterator<Item = Page> {
    let is_new = |page: &&Page| Error::PAGES.iter().all(|it| it.name != page.name);
    WorkstationError::PAGES.iter().filter(is_new).copied()
}

/// Those pages, and those of `doctor`'s checks.
pub(crate) fn pages() -> impl Iterator<Item = Page> {
    errors().chain(Check::ALL.iter().map(|check| check.page()))
}
