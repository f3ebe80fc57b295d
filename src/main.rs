//! The program: arguments in, exit code out.

use argocd_peering::argocd::environment::Environment;
use argocd_peering::cli::Cli;
use argocd_peering::command::error::Error;
use argocd_peering::command::process;
use argocd_peering::command::terminal;
use argocd_peering::command::{Streams, run};
use argocd_peering::diagnostic::secrecy::{Redacting, mask};
use clap::Parser as _;
use std::io::{ErrorKind, IsTerminal as _, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    process::harden();
    process::wiped(run_command)
}

fn run_command() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return usage_exit(&usage),
    };
    let mut out = std::io::stdout().lock();
    let mut err = anstream::AutoStream::auto(std::io::stderr());
    let notes = Redacting::new(&mut err as &mut dyn Write);
    let mut streams = Streams {
        out: &mut out,
        notes,
        terminal: std::io::stderr().is_terminal(),
        out_is_terminal: std::io::stdout().is_terminal(),
    };
    // before anything is changed that the output would be about
    let outcome = if process::is_output_unwritable() {
        Err(Error::Output(ErrorKind::PermissionDenied))
    } else {
        run(&cli.command, &Environment::of_process(), &mut streams)
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let screen =
                if cli.command.is_argo_cds() { error.brief() } else { error.screen(terminal::look()) };
            let _ = write!(streams.notes, "{screen}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Help and version go to stdout, mistakes to stderr. What clap quotes of a mistake enters the text here.
fn usage_exit(usage: &clap::Error) -> ExitCode {
    if usage.use_stderr() {
        let _ = write!(Redacting::new(std::io::stderr()), "{}", mask(&usage.to_string()));
        ExitCode::from(2)
    } else {
        let unwritable = process::is_output_unwritable().then_some(ErrorKind::PermissionDenied);
        let failed = unwritable.or_else(|| usage.print().err().map(|error| error.kind()));
        failed.map_or(ExitCode::SUCCESS, |kind| {
            let error = Error::Output(kind);
            let _ = write!(std::io::stderr(), "{}", error.brief());
            ExitCode::from(error.exit_code())
        })
    }
}
