//! The first screen: the commands by what a person wants to do.

use super::Cli;
use clap::{Command, CommandFactory as _};

const TASKS: [(&str, &[&str]); 4] = [
    ("Begin", &["init", "import", "fleet"]),
    ("Seal", &["seed", "seal", "authenticate", "reseal", "inspect"]),
    ("Look", &["validate", "diff", "list", "graph", "ports", "doctor", "explain"]),
    ("For Argo CD and CI", &["generate", "render", "rights", "keys"]),
];

/// The command line. Its help leaves out what only packages and probes use.
pub fn command_line() -> Command {
    let command = Cli::command();
    let tasks = TASKS.map(|(task, names)| section(&command, task, names)).concat();
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{tasks}Options:\n{{options}}{{after-help}}"
    ))
}

/// A task's commands, as far as this build has them.
fn section(command: &Command, task: &str, names: &[&str]) -> String {
    let line = |name: &&str| {
        let about = command.find_subcommand(name)?.get_about()?;
        Some(format!("  {name:<12}  {about}\n"))
    };
    let lines: String = names.iter().filter_map(line).collect();
    if lines.is_empty() { lines } else { format!("{task}:\n{lines}\n") }
}
