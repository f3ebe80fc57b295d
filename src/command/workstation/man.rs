//! `man`: prints a manual page, generated from the definition of the command line.

use crate::command::{Error, Result, Streams};
use crate::diagnostic::shown_name;
use clap::{Args, Command};

/// Print a manual page, as `man` reads it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering man generate | man -l -
  argocd-peering man seed rotate > argocd-peering-seed-rotate.1")]
pub struct Man {
    /// The command; without one the page of the whole program
    pub command: Vec<String>,
}

pub(crate) fn man(arguments: &Man, mut program: Command, streams: &mut Streams<'_>) -> Result {
    program.build();
    let mut page = &program;
    for name in &arguments.command {
        let Some(found) = page.find_subcommand(name) else {
            let of = page.get_bin_name().unwrap_or(page.get_name());
            let reason = format!("`{of}` has no command `{}`", shown_name(name));
            return Err(Error::flag("man", reason));
        };
        page = found;
    }
    let mut roff = Vec::new();
    // writing to memory cannot fail
    let _ = clap_mangen::Man::new(page.clone()).render(&mut roff);
    // examples are copied, so their lines are not filled
    let page = String::from_utf8_lossy(&roff);
    let (start, examples) = page.split_once("\n.SH EXTRA\n").unwrap_or((&page, ""));
    let examples = examples.replacen("\n\n", "\n.fi\n\n", 1);
    streams.deliver(&format!("{start}\n.SH EXAMPLES\n.nf\n{examples}"))
}
