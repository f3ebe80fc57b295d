//! Lists, records and maps of a template in YAML's block style.

use super::scalar::push_scalar;
use minijinja::value::{Object, ValueKind};
use minijinja::{Error, Value};

/// Whole lines, with their indentation and without the last one's end, which the template has.
#[derive(Debug)]
pub(super) struct Lines(pub(super) String);

impl Object for Lines {}

impl Lines {
    pub(super) fn of(text: String) -> Value {
        Value::from_object(Self(text))
    }
}

/// The filter `{{ terms|block(6) }}`: the items of a list, or the fields of a record or a map, each at this indentation.
pub(super) fn block(value: &Value, indent: usize) -> Result<Value, Error> {
    let mut text = String::new();
    write(value, indent, &mut text)?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(Lines::of(text))
}

/// Writes the items or fields of a value. A record is a list of pairs, since a map of the engine is sorted: its names are
/// the program's own, so they need no quotes, and a field without content is left out. The keys of a map are the user's.
fn write(value: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
    let is_map = value.kind() == ValueKind::Map;
    for item in value.try_iter()? {
        if is_map {
            pad(indent, text);
            push_scalar(&item, text)?;
            end(": ", &value.get_item(&item)?, text)?;
        } else if let Some((name, content)) = as_field(&item) {
            write_field(&name, &content, indent, text)?;
        } else if is_nested(&item) {
            let start = text.len();
            write(&item, indent + 2, text)?;
            // the dash replaces a space in the indentation of the item's first field
            text.replace_range(start + indent..=start + indent, "-");
        } else {
            pad(indent, text);
            end("- ", &item, text)?;
        }
    }
    Ok(())
}

fn write_field(name: &str, content: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
    let start = text.len();
    pad(indent, text);
    text.push_str(name);
    if is_nested(content) {
        text.push_str(":\n");
        let inside = text.len();
        write(content, indent + 2, text)?;
        if text.len() == inside {
            text.truncate(start);
        }
    } else if content.is_none() || content.as_str() == Some("") {
        text.truncate(start);
    } else {
        end(": ", content, text)?;
    }
    Ok(())
}

fn pad(indent: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// The end of a line: a scalar after its mark.
fn end(mark: &str, scalar: &Value, text: &mut String) -> Result<(), Error> {
    text.push_str(mark);
    push_scalar(scalar, text)?;
    text.push('\n');
    Ok(())
}

fn is_nested(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable | ValueKind::Map)
}

/// The name and the content of a record's field. A list of lists of strings does not exist.
fn as_field(item: &Value) -> Option<(String, Value)> {
    if !is_nested(item) || item.len() != Some(2) {
        return None;
    }
    let name = item.get_item_by_index(0).ok()?;
    Some((name.as_str()?.to_owned(), item.get_item_by_index(1).ok()?))
}
