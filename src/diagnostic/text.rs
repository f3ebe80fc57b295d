//! Diagnostics as text, in rustc's manner: a mechanical mapping to `annotate-snippets`.

use super::secrecy::mask_document;
use super::{Diagnostic, Invalid, Label, Look, Severity, Source, Span};
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use std::collections::BTreeMap;
use std::ops::Range;

/// All of a document's diagnostics, each followed by a line break, and a blank line between two.
pub(super) fn screen<'t>(invalid: &'t Invalid, look: Look, masks: &mut Masks<'t>) -> String {
    let source = &invalid.source;
    let renderer = if look.styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(look.width);
    let (shown, more) = invalid.first_problems();
    let shown: Vec<&Diagnostic> = shown.collect();
    let others = shown
        .iter()
        .flat_map(|it| &it.elsewhere)
        .map(|it| &it.source);
    for text in others.chain([source]).map(Source::text) {
        masks.0.entry(text).or_insert_with(|| mask_document(text));
    }
    let reports = shown
        .into_iter()
        .map(|it| report(it, source, masks, &renderer) + "\n");
    let more = more.map(|(level, more)| format!("{}: {more}\n", level.word()));
    reports.chain(more).collect::<Vec<_>>().join("\n")
}

/// The masked documents, by their texts: in a fleet, one document can be shown next to each of the others.
#[derive(Debug, Default)]
pub struct Masks<'t>(BTreeMap<&'t str, String>);

/// The most lines that are readable in a condition of Argo CD.
const BRIEF_LINES: usize = 20;

pub(super) fn brief(invalid: &Invalid) -> String {
    let Invalid {
        problems,
        source,
        paths,
        ..
    } = invalid;
    let mut lines: Vec<String> = Vec::new();
    let count = problems.len();
    for (shown, diagnostic) in problems.iter().enumerate() {
        // two lines for this problem, and one for how many are left out
        if lines.len() + 3 > BRIEF_LINES {
            lines.push(format!("and {} more problems", count - shown));
            break;
        }
        let (line, column) = source.position(diagnostic.primary.span.start);
        let mut place = format!("{}:{line}:{column}", source.name());
        if let Some(path) = paths.path(diagnostic.primary.span) {
            place += &format!(" {path}");
        }
        lines.push(format!(
            "error[{}]: {} ({place})",
            diagnostic.code.name(),
            diagnostic.message
        ));
        lines.extend(
            diagnostic
                .help
                .as_ref()
                .map(|help| format!("  help: {help}")),
        );
    }
    lines.join("\n") + "\n"
}

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
    renderer
        .render(&[group])
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
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
