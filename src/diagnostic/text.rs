//! Diagnostics as text, in rustc's manner: a mechanical mapping to `annotate-snippets`.

use super::secrecy::mask_document;
use super::{Diagnostic, Invalid, Label, Look, Severity, Source, Span, counted};
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use std::collections::BTreeMap;
use std::ops::Range;

impl Invalid {
    /// The text for a person on stderr: the first 50 problems, and how many more there are, without secrets.
    pub fn screen(&self, look: Look) -> String {
        self.screen_beside(look, &mut Masks::default())
    }

    /// As [`Self::screen`], in a run that shows several documents. Each diagnostic is followed by a line break, and a blank line is between
    /// two.
    pub fn screen_beside<'t>(&'t self, look: Look, masks: &mut Masks<'t>) -> String {
        let renderer = if look.styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let renderer = renderer.term_width(look.width);
        let (shown, more) = self.first_problems();
        let mut reports = Vec::new();
        masks.add(&self.source);
        for diagnostic in shown {
            for other in &diagnostic.elsewhere {
                masks.add(&other.source);
            }
            reports.push(report(diagnostic, &self.source, masks, &renderer) + "\n");
        }
        reports.extend(more.map(|(level, more)| format!("{}: {more}\n", level.word())));
        reports.join("\n")
    }

    /// The problems as plain text of at most 20 lines, the code first, without snippets.
    pub fn brief(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (shown, diagnostic) in self.problems.iter().enumerate() {
            // two lines for this problem, and one for how many are left out
            if lines.len() + 3 > BRIEF_LINES {
                let more = counted(self.problems.len() - shown, "more problem");
                lines.push(format!("and {more}"));
                break;
            }
            let Diagnostic {
                code,
                message,
                primary,
                help,
                ..
            } = diagnostic;
            let (line, column) = self.source.position(primary.span.start);
            let mut place = format!("{}:{line}:{column}", self.source.name());
            if let Some(path) = &primary.path {
                place += &format!(" {path}");
            }
            lines.push(format!("error[{}]: {message} ({place})", code.name()));
            lines.extend(help.as_ref().map(|help| format!("  help: {help}")));
        }
        lines.join("\n") + "\n"
    }
}

/// The masked documents, by their texts: in a fleet, one document can be shown next to each of the others.
#[derive(Debug, Default)]
pub struct Masks<'t>(BTreeMap<&'t str, String>);

impl<'t> Masks<'t> {
    fn add(&mut self, source: &'t Source) {
        let text = source.text();
        self.0.entry(text).or_insert_with(|| mask_document(text));
    }
}

/// The most lines that are readable in a condition of Argo CD.
const BRIEF_LINES: usize = 20;

fn report(
    diagnostic: &Diagnostic,
    source: &Source,
    masks: &Masks<'_>,
    renderer: &Renderer,
) -> String {
    let level = match diagnostic.level {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let here = masks.0.get(source.text()).map_or("", String::as_str);
    let primary = AnnotationKind::Primary.span(inside(diagnostic.primary.span, here));
    let mut snippet = Snippet::source(here)
        .path(source.name())
        .annotation(primary.label(some_text(&diagnostic.primary.text)));
    for label in &diagnostic.secondary {
        snippet = snippet.annotation(context(label, here));
    }
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.name())
        .element(snippet);
    for other in &diagnostic.elsewhere {
        let there = masks.0.get(other.source.text()).map_or("", String::as_str);
        let snippet = Snippet::source(there).path(other.source.name());
        group = group.element(snippet.annotation(context(&other.label, there)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    // a line ends where its comment was
    let text = renderer.render(&[group]);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn context<'l>(label: &'l Label, masked: &str) -> Annotation<'l> {
    AnnotationKind::Context
        .span(inside(label.span, masked))
        .label(some_text(&label.text))
}

/// The part of a span on its first line: what follows it of a text of several lines is not shown.
fn inside(span: Span, text: &str) -> Range<usize> {
    let start = span.start.min(text.len());
    let rest = text
        .get(start..span.end.clamp(start, text.len()))
        .unwrap_or_default();
    start..start + rest.find('\n').unwrap_or(rest.len())
}

fn some_text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
