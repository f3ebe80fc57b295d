//! The formats of output, as arguments of commands.

use super::Form;

/// How `validate` and `doctor` report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// docs/report.schema.json
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

impl ReportFormat {
    /// The format for programs; `None` for people.
    pub const fn form(self) -> Option<Form> {
        match self {
            Self::Text => None,
            Self::Json => Some(Form::Json),
            Self::Github => Some(Form::Github),
        }
    }
}

/// For people, or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}
