//! The forms of lines that a stream may have: block style, two spaces a level, a key or an item on each line, and every
//! scalar a whole one.

use crate::object::inside;
use std::collections::BTreeSet;

/// A list or a record whose lines are read.
struct Block<'t> {
    column: usize,
    /// Its keys so far; none of a list.
    keys: Option<BTreeSet<&'t str>>,
}

/// The blocks around a line, from the outermost.
#[derive(Default)]
struct Reader<'t> {
    open: Vec<Block<'t>>,
    /// Whether a key or a dash waits for its content. A field without a value reads as `null`, which the API server drops
    /// or refuses.
    waits: bool,
}

/// Whether lines are one record, in these forms, without a key twice and without a field that has no value.
pub(super) fn are_one_record<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    let mut reader = Reader { waits: true, ..Reader::default() };
    lines.all(|line| reader.line(line).is_some())
        && !reader.waits
        && reader.open.first().is_some_and(|block| block.keys.is_some())
}

impl<'t> Reader<'t> {
    /// Takes a line, if it has its place there.
    fn line(&mut self, line: &'t str) -> Option<()> {
        let mut text = line.trim_start_matches(' ');
        let mut column = line.len() - text.len();
        while let Some(item) = text.strip_prefix("- ") {
            self.begin(column, None)?;
            text = item;
            column += 2;
        }
        let Some((key, value)) = field(text) else {
            // an item, on the line of its dash
            let is_item = column > line.len() - line.trim_start_matches(' ').len();
            self.waits = false;
            return (is_item && is_scalar(text)).then_some(());
        };
        self.begin(column, Some(key))?;
        self.waits = value.is_empty();
        let value = value.strip_prefix(' ');
        (self.waits || value.is_some_and(|value| value == "[]" || is_scalar(value))).then_some(())
    }

    /// An item of a list, or a key of a record, begins at this column.
    fn begin(&mut self, column: usize, key: Option<&'t str>) -> Option<()> {
        if self.waits {
            let due = self.open.last().map_or(0, |around| around.column + 2);
            let keys = key.is_some().then(BTreeSet::new);
            (column == due).then(|| self.open.push(Block { column, keys }))?;
        }
        self.open.truncate(self.open.iter().take_while(|block| block.column <= column).count());
        self.waits = true;
        let block = self.open.last_mut().filter(|block| block.column == column)?;
        match (&mut block.keys, key) {
            (Some(keys), Some(key)) => keys.insert(key).then_some(()),
            (None, None) => Some(()),
            _ => None,
        }
    }
}

/// A key, and what stands behind its colon. A plain key is a word of the program's own.
fn field(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('"') {
        let (key, value) = text.split_once(':')?;
        let is_word = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        return (is_word && key.starts_with(|c: char| c.is_ascii_alphabetic())).then_some((key, value));
    }
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    })?;
    let (key, value) = text.split_at_checked(end + 2)?;
    let value = value.strip_prefix(':')?;
    Some((inside(key)?, value))
}

fn is_scalar(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    inside(text).is_some()
        || matches!(text, "true" | "false")
        || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::are_one_record;

    #[test]
    fn a_key_is_a_word_or_in_quotes() {
        for line in ["a: 1", "a-b: 1", "\"a b\": 1", "\"a\\\"b\": 1", "\"a\\\\\": 1"] {
            assert!(are_one_record([line].into_iter()), "{line}");
        }
        for line in ["a b: 1", "a.b: 1", "1a: 1", "-a: 1", ": 1", "\"a\\\": 1", "\"a\"b: 1"] {
            assert!(!are_one_record([line].into_iter()), "{line}");
        }
    }
}
