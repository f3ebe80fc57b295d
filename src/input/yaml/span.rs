//! Places as the YAML crate gives them, as bytes.

use crate::diagnostic::Span;

/// The bytes of a place, or the byte where its line and column point to.
pub(super) fn span_of(location: serde_saphyr::Location, text: &str) -> Span {
    let bytes = |start: u64, length: u64| {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        text.get(start..end).map(|_| Span { start, end })
    };
    let span = location.span();
    span.byte_offset()
        .zip(span.byte_len())
        .and_then(|(start, length)| bytes(start, length))
        .unwrap_or_else(|| from_line(location.line(), location.column(), text))
}

fn from_line(line: u64, column: u64, text: &str) -> Span {
    let line = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let column = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let offset = rest.char_indices().nth(column).map_or(rest.trim_end().len(), |(at, _)| at);
    let start = start + offset;
    Span {
        start,
        end: text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8()),
    }
}
