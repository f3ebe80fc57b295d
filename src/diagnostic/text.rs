//! Diagnostics as text, in rustc's manner: a mechanical mapping to `annotate-snippets`.

use super::{Diagnostic, Problems, SHOWN, mask};
use crate::source::Source;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// All of a document's diagnostics, each followed by a line break.
pub(super) fn screen(problems: &Problems, source: &Source, styled: bool) -> String {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    let masked = mask(source.text(), &[]);
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

pub(super) fn brief(problems: &Problems, source: &Source) -> String {
    let mut lines: Vec<String> = Vec::new();
    let count = problems.found.len();
    let tree = crate::yaml::parse(source.text()).ok();
    for (shown, diagnostic) in problems.iter().enumerate() {
        // two lines for this one, and one to say how many are left out
        if lines.len() + 3 > BRIEF_LINES {
            lines.push(format!("and {} more problems", count - shown));
            break;
        }
        let (line, column) = source.position(diagnostic.primary.span.start);
        let mut place = format!("{}:{line}:{column}", source.name());
        if let Some(path) = tree.as_ref().and_then(|tree| tree.path_to(diagnostic.primary.span)) {
            place += &format!(" {path}");
        }
        lines.push(format!("error[{}]: {} ({place})", diagnostic.code.name(), diagnostic.message));
        lines.extend(diagnostic.help.as_ref().map(|help| format!("  help: {help}")));
    }
    mask(&(lines.join("\n") + "\n"), &[])
}

fn one(diagnostic: &Diagnostic, source: &Source, masked: &str, renderer: &Renderer) -> String {
    let inside = |span: super::Span| {
        let end = span.end.min(masked.len());
        span.start.min(end)..end
    };
    // a message may name a value that passed the rule before
    let shown = |text: &str| mask(text, &[]);
    let primary = AnnotationKind::Primary.span(inside(diagnostic.primary.span));
    let mut snippet = Snippet::source(masked)
        .path(source.name())
        .annotation(primary.label(some_text(shown(&diagnostic.primary.text))));
    for label in &diagnostic.secondary {
        let context = AnnotationKind::Context.span(inside(label.span));
        snippet = snippet.annotation(context.label(some_text(shown(&label.text))));
    }
    let mut group =
        Level::ERROR.primary_title(shown(&diagnostic.message)).id(diagnostic.code.name()).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(shown(help)));
    }
    renderer.render(&[group])
}

fn some_text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
