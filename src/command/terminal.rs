//! The terminal, if standard error is one.

use crate::diagnostic::Look;
use std::io::IsTerminal as _;

/// How diagnostics look on standard error. Only a terminal changes it: what goes into a pipe or a file is the same
/// in every environment.
pub fn look() -> Look {
    if std::io::stderr().is_terminal() { Look::terminal(columns()) } else { Look::PLAIN }
}

/// `COLUMNS` if it is exported, as for `ls`, else what the terminal reports.
fn columns() -> Option<usize> {
    let exported = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    exported.or_else(columns_of_window).filter(|columns| *columns > 0)
}

#[cfg(unix)]
fn columns_of_window() -> Option<usize> {
    rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns_of_window() -> Option<usize> {
    None
}

/// Whether standard output, if it is a terminal, shows colours: unless `NO_COLOR` or `TERM=dumb` says otherwise.
pub(super) fn is_output_coloured(is_terminal: bool) -> bool {
    is_terminal && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}
