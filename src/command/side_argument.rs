//! A side of a peering as an argument.

use crate::command::{Error, Result};
use crate::diagnostic::quoted;
use crate::peering::{Peering, Role};
use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;

/// A side of a peering, as a user names it: by its role, or by its cluster's ID.
#[derive(Debug, Clone)]
pub struct SideArgument(String);

impl SideArgument {
    pub(crate) fn word(&self) -> &str {
        let Self(word) = self;
        word
    }

    /// The role of the word. If a cluster has the ID `consumer`, the word still means the role, as in the terms of a sealed file.
    pub(crate) fn role(&self, peering: &Peering) -> Result<Role> {
        let word = self.word();
        if let Some(role) = Role::called(word, |role| &peering.clusters[role].id.value) {
            return Ok(role);
        }
        let ([consumer, provider], word) = (peering.clusters.ids(), quoted(word));
        let reason =
            format!("{word} is neither the consumer, {consumer}, nor the provider, {provider}");
        Err(Error::flag("--role", reason))
    }
}

/// Accepts any word, because the clusters' IDs are in the document. Shells complete the roles.
#[derive(Debug, Clone)]
pub(crate) struct SideArgumentParser;

impl TypedValueParser for SideArgumentParser {
    type Value = SideArgument;

    fn parse_ref(
        &self,
        command: &Command,
        flag: Option<&Arg>,
        word: &OsStr,
    ) -> Result<SideArgument, clap::Error> {
        NonEmptyStringValueParser::new()
            .parse_ref(command, flag, word)
            .map(SideArgument)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            Role::WORDS.iter().copied().map(PossibleValue::new),
        ))
    }
}
