//! The site's playground: returns as texts what the commands print for a document. It uses no file, no clock and no process, because it is
//! compiled to WebAssembly; `tests/playground` checks the imports of the program.

use super::diff;
use crate::command::error::workstation as error;
use crate::command::validate::count_documents;
use crate::command::validate::document_alone;
use crate::command::{Error, Result};
use crate::diagnostic::secrecy::{Plaintext, plaintexts};
use crate::diagnostic::{Judged, Look, Source, printed};
use crate::input::file::ReadProblem;
use crate::input::folder::{DOCUMENT_CAP, source};
use crate::peering::{Material, Peering, Role};
use crate::report;
use crate::stream::{self, emit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The input of the playground.
#[derive(Deserialize)]
struct Texts {
    /// The document's name in messages.
    name: String,
    document: String,
    /// The document before the user changed it.
    #[serde(default)]
    before: Option<String>,
}

/// The output of the commands. It has no secret: no sealed file can be opened, and a secret that is pasted by mistake is masked.
#[derive(Default, Serialize)]
struct Answer {
    /// `validate --format json`.
    report: String,
    /// `validate`, on standard error.
    screen: String,
    /// The kinds of secrets in clear.
    secrets: Vec<&'static str>,
    /// `generate --public --role consumer`; this and the next fields are for a valid document only.
    consumer: String,
    /// `generate --public --role provider`.
    provider: String,
    /// `diff`, if there is a document to compare with.
    diff: String,
}

/// Answers a question; both are JSON. A question has `name`, `document`, and optionally `before`. The answer has the texts of the
/// commands.
///
/// # Errors
/// If the question has another form, or for a bug.
pub fn answer(question: &str) -> Result<String> {
    let asked: Texts = serde_json::from_str(question).map_err(|_| {
        let reason = "a question is JSON: `name`, `document`, and perhaps `before`";
        Error::flag("standard input", reason)
    })?;
    let mut answer = Answer::default();
    let secrets = plaintexts(&asked.document).into_iter();
    let kinds: BTreeSet<_> = secrets.map(|it| it.kind).collect();
    answer.secrets = kinds.into_iter().map(Plaintext::words).collect();
    let peering = match bounded_source(&asked.name, asked.document) {
        Ok(document) => {
            let alone = document_alone::answer(&document)?;
            (answer.report, answer.screen) = (alone.report, printed(&alone.screen));
            if let Some(before) = asked.before.filter(|_| alone.peering.is_some()) {
                let compared = bounded_source(&asked.name, before)
                    .and_then(|before| diff::of_texts(before, document));
                answer.diff = compared.unwrap_or_else(|error| printed(&error.screen(Look::PLAIN)));
            }
            alone.peering
        }
        Err(error) => {
            answer.screen = printed(&error.screen(Look::PLAIN));
            let mut judged = Judged::default();
            count_documents(1, true, &mut judged);
            answer.report = report::json(&error::report(1, &[error], judged))?;
            None
        }
    };
    if let Some(peering) = peering {
        answer.consumer = public_stream(&peering, Role::Consumer)?;
        answer.provider = public_stream(&peering, Role::Provider)?;
    }
    Ok(report::pretty(&answer)?)
}

/// A document, unless it is too large.
fn bounded_source(name: &str, text: String) -> Result<Source> {
    let is_large = text.len() as u64 > DOCUMENT_CAP;
    let bytes = if is_large {
        Err(ReadProblem::TooLarge { cap: DOCUMENT_CAP })
    } else {
        Ok(text.into_bytes())
    };
    Ok(source(name, bytes)?)
}

/// A side's stream with placeholders for its secrets, as `generate --public` prints it.
fn public_stream(peering: &Peering, role: Role) -> Result<String> {
    let plan = stream::plan(peering, role, &Material::public(peering, role), None)?;
    let stream = stream::render(&plan)?;
    emit::check_stream(&stream, &plan)?;
    Ok(stream.to_string())
}
