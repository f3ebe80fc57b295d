//! The program: arguments in, exit code out.

use argocd_peering::argocd::environment::Environment;
use argocd_peering::cli::Cli;
use argocd_peering::command::process;
use argocd_peering::command::terminal;
use argocd_peering::command::{Streams, run};
use argocd_peering::diagnostic::mask;
use argocd_peering::diagnostic::redact::{self, Redacting};
use clap::Parser as _;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    process::harden();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return usage_exit(&usage),
    };
    let mut out = std::io::stdout().lock();
    let mut notes = Redacting::new(anstream::AutoStream::auto(std::io::stderr()));
    let mut streams = Streams { out: &mut out, notes: &mut notes, terminal: std::io::stderr().is_terminal() };
    let outcome = run(&cli.command, &Environment::of_process(), &mut streams);
    let code = match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let screen =
                if cli.command.is_argo_cds() { error.brief() } else { error.screen(terminal::look()) };
            let _ = write!(notes, "{screen}");
            ExitCode::from(error.exit_code())
        }
    };
    drop(notes);
    redact::forget();
    code
}

/// Help and version go to stdout, mistakes to stderr: without anything that could be key material, since a
/// mistake is quoted.
fn usage_exit(usage: &clap::Error) -> ExitCode {
    if usage.use_stderr() {
        let _ = write!(std::io::stderr(), "{}", mask(&usage.to_string(), &[]));
        ExitCode::from(2)
    } else {
        match usage.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(3),
        }
    }
}
