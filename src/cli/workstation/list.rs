//! `list`.

use super::flags::PeeringPaths;
use crate::cli::Format;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const LIST_EXAMPLE: &str = "Examples:
  argocd-peering list peerings
  argocd-peering list peerings --identity-file ~/identity.txt \\
    --expires-within 30d
  argocd-peering list peerings --ages --from origin/main

One line a peering. With an identity each sealed file is opened, to say when its credential and its certificates end; nothing \
secret is printed. What cannot be read or opened is an error, and then there is no table. docs/howto/monitor.md has a job for \
each night.

Exit codes: 0 done, 1 something ends within that time, or a document or a sealed file cannot be used, 2 usage, 3 the \
environment (I/O).";

/// `list`
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// An age identity file that opens the folders' sealed files
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// End with exit code 1 if something ends within this time: days or weeks, such as 30d or 6w
    #[arg(long, value_name = "TIME", value_parser = time, requires = "identity_file")]
    pub expires_within: Option<Duration>,
    /// Since when each side has its key: the document's `keyRotated`
    #[arg(long)]
    pub ages: bool,
    /// A table for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

pub(super) fn time(text: &str) -> Result<Duration, &'static str> {
    const RULE: &str = "a number of days or weeks is needed, such as 30d or 6w";
    let (number, unit) = match (text.strip_suffix('d'), text.strip_suffix('w')) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 7),
        _ => return Err(RULE),
    };
    let number = number.parse::<u16>().map_err(|_| RULE)?;
    Ok(Duration::from_secs(u64::from(number) * unit * 24 * 60 * 60))
}
