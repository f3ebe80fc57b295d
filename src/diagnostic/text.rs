//! Diagnostics as text, in rustc's manner: a mechanical mapping to `annotate-snippets`.

use super::secrecy::mask_document;
use super::{Diagnostic, Invalid, Label, Look, SHOWN, Source, Span};
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;

/// All of a document's diagnostics, each followed by a line break.
pub(super) fn screen(invalid: &Invalid, look: Look) -> String {
    let Invalid { problems, source, .. } = invalid;
    let renderer = if look.styled { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(look.width);
    let masked = mask_document(source.text());
    let mut screen = String::new();
    for diagnostic in problems.iter().take(SHOWN) {
        screen += &one(diagnostic, source, &masked, &renderer);
        screen += "\n";
    }
    let count = problems.found.len();
    if count > SHOWN {
        screen += &format!("error: {} more problems in {}\n", count - SHOWN, source.name());
    }
    screen
}

/// The most lines that Argo CD's condition shows in a readable way.
const BRIEF_LINES: usize = 20;

pub(super) fn brief(invalid: &Invalid) -> String {
    let Invalid { problems, source, paths } = invalid;
    let mut lines: Vec<String> = Vec::new();
    let count = problems.found.len();
    for (shown, diagnostic) in problems.iter().enumerate() {
        // two lines for this one, and one to say how many are left out
        if lines.len() + 3 > BRIEF_LINES {
            lines.push(format!("and {} more problems", count - shown));
            break;
        }
        let (line, column) = source.position(diagnostic.primary.span.start);
        let mut place = format!("{}:{line}:{column}", source.name());
        if let Some(path) = paths.to(diagnostic.primary.span) {
            place += &format!(" {path}");
        }
        lines.push(format!("error[{}]: {} ({place})", diagnostic.code.name(), diagnostic.message));
        lines.extend(diagnostic.help.as_ref().map(|help| format!("  help: {help}")));
    }
    lines.join("\n") + "\n"
}

fn one(diagnostic: &Diagnostic, source: &Source, masked: &str, renderer: &Renderer) -> String {
    let primary = AnnotationKind::Primary.span(inside(diagnostic.primary.span, masked));
    let mut snippet = Snippet::source(masked)
        .path(source.name())
        .annotation(primary.label(some_text(&diagnostic.primary.text)));
    for label in &diagnostic.secondary {
        snippet = snippet.annotation(context(label, masked));
    }
    let mut group =
        Level::ERROR.primary_title(diagnostic.message.as_str()).id(diagnostic.code.name()).element(snippet);
    let others: Vec<String> =
        diagnostic.elsewhere.iter().map(|other| mask_document(other.source.text())).collect();
    for (other, masked) in diagnostic.elsewhere.iter().zip(&others) {
        let snippet = Snippet::source(masked.as_str()).path(other.source.name());
        group = group.element(snippet.annotation(context(&other.label, masked)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

fn context<'l>(label: &'l Label, masked: &str) -> Annotation<'l> {
    AnnotationKind::Context.span(inside(label.span, masked)).label(some_text(&label.text))
}

fn inside(span: Span, text: &str) -> Range<usize> {
    let end = span.end.min(text.len());
    span.start.min(end)..end
}

fn some_text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
