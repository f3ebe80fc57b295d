//! The terminal that standard error may be.

use crate::diagnostic::Look;
use std::io::IsTerminal as _;

/// How diagnostics look on standard error. Only a terminal changes it: what goes into a pipe or a file is the same
/// whatever the environment says.
pub fn look() -> Look {
    if std::io::stderr().is_terminal() { Look::terminal(columns()) } else { Look::PLAIN }
}

/// `COLUMNS` if somebody exports it, as `ls` has it, else what the terminal says.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let size = || rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col));
    said.or_else(size).filter(|columns| *columns > 0)
}
