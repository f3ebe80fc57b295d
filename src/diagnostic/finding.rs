//! One thing that was found in a document, in a run or in a cluster, in the form that every report has.

use super::secrecy::Shown;
use super::{Diagnostic, Label, Severity, Source, Span};
use schemars::JsonSchema;
use serde::Serialize;

/// One thing that is wrong, or likely a mistake. Nothing secret in it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Finding")]
pub struct Finding<C = &'static str> {
    /// The stable name of the rule or check; `argocd-peering explain` has its page.
    pub code: C,
    /// `error`; `warning` for what will stop working, or was not checked; `note` for what is likely a mistake and is taken.
    pub level: Severity,
    /// One sentence.
    pub message: Shown,
    /// Where in a file. Left out if the finding is about none.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// On whose cluster: `consumer` or `provider`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// The object in the cluster: `Tenant liqo-tenant-rome/rome`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Shown>,
    /// Other places that the message speaks of, also in other files.
    #[serde(skip_serializing_if = "Vec::is_empty", default = "Vec::<Mention>::new")]
    pub related: Vec<Mention>,
    /// How to correct it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Shown>,
    /// The code of a finding from which this one can follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows_from: Option<C>,
}

/// A place in a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Place {
    /// The file, as it was named or found.
    pub file: Shown,
    /// The field: `spec.consumer.podCIDRs[0]`. Left out for the document itself, and in a file that is not YAML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Shown>,
    /// The characters.
    pub range: Range,
}

/// Lines and columns from 1; columns in characters; the end is exclusive.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Range {
    /// The first line.
    pub line: usize,
    /// The first column.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// The column after the last.
    pub end_column: usize,
}

/// Another place that the message speaks of.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Related")]
pub struct Mention {
    /// A few words, or none.
    pub message: Shown,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
}

impl<C> Finding<C> {
    pub fn new(level: Severity, code: C, message: impl Into<String>) -> Self {
        Self {
            code,
            level,
            message: message.into().into(),
            place: None,
            role: None,
            object: None,
            related: Vec::new(),
            help: None,
            follows_from: None,
        }
    }

    /// Adds the help.
    pub fn help(self, help: Option<String>) -> Self {
        Self {
            help: help.map(Into::into),
            ..self
        }
    }

    /// Sets the place to the beginning of a file: the finding is about the whole file.
    pub fn beginning(self, file: &str) -> Self {
        let mut place = Place::new(&Source::default(), &Label::new(Span::default(), ""));
        place.file = file.to_owned().into();
        Self {
            place: Some(place),
            ..self
        }
    }

    /// Sets the role on whose cluster it was found.
    pub fn on_side(self, role: &'static str) -> Self {
        Self {
            role: Some(role),
            ..self
        }
    }
}

impl<C: Copy + Into<&'static str>> Finding<C> {
    /// The finding with the name of its code, as reports have it.
    pub fn named(&self) -> Finding {
        let it = self.clone();
        Finding {
            code: it.code.into(),
            level: it.level,
            message: it.message,
            place: it.place,
            role: it.role,
            object: it.object,
            related: it.related,
            help: it.help,
            follows_from: it.follows_from.map(Into::into),
        }
    }

    /// The finding as a line for a terminal, before it is masked.
    pub fn line(&self) -> String {
        let mut line = format!("{}[{}]", self.level.word(), self.code.into());
        let object = self.object.as_ref().map(Shown::as_str);
        for part in self.role.into_iter().chain(object) {
            line += &format!(": {part}");
        }
        format!("{line}: {}\n", self.message.as_str())
    }
}

impl Finding {
    /// The role, the object and the message in one sentence, followed by `word` and the help, masked.
    pub fn words(&self, word: &str) -> String {
        let object = self.object.as_ref().map(Shown::masked);
        let mut sentence = String::new();
        for part in self.role.map(ToOwned::to_owned).into_iter().chain(object) {
            sentence += &(part + ": ");
        }
        sentence += &self.message.masked();
        match &self.help {
            Some(help) => format!("{sentence}{word}{}", help.masked()),
            None => sentence,
        }
    }

    /// The finding for a diagnostic of a document.
    pub fn from_diagnostic(diagnostic: &Diagnostic, source: &Source) -> Self {
        let (level, code) = (diagnostic.level, diagnostic.code.name());
        let mut finding =
            Self::new(level, code, &*diagnostic.message).help(diagnostic.help.clone());
        finding.place = Some(Place::new(source, &diagnostic.primary));
        let here = diagnostic.secondary.iter().map(|label| (source, label));
        let elsewhere = diagnostic.elsewhere.iter();
        for (source, label) in here.chain(elsewhere.map(|it| (&it.source, &it.label))) {
            finding.related.push(Mention {
                message: label.text.clone().into(),
                place: Place::new(source, label),
            });
        }
        finding
    }
}

impl Place {
    fn new(source: &Source, Label { span, path, .. }: &Label) -> Self {
        let (line, column) = source.position(span.start);
        let (end_line, end_column) = source.position(span.end);
        Self {
            file: source.name().to_owned().into(),
            path: path.clone().map(Into::into),
            range: Range {
                line,
                column,
                end_line,
                end_column,
            },
        }
    }
}
