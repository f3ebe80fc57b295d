//! What several commands take, and in which form they print.

use crate::peering::values::Role;
use crate::report::Form;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// How `validate` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// docs/report.schema.json
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// A report for GitLab's Code Quality
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

impl ReportFormat {
    /// None for people.
    pub const fn form(self) -> Option<Form> {
        match self {
            Self::Text => None,
            Self::Json => Some(Form::Json),
            Self::Github => Some(Form::Github),
            Self::Gitlab => Some(Form::Gitlab),
            Self::Sarif => Some(Form::Sarif),
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

/// A role, by its word.
pub(crate) fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::WORDS).try_map(|word| Role::find(&word).ok_or("not a role"))
}
