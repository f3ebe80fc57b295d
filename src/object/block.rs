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
    // most need no more, so that it is allocated once
    let mut text = String::with_capacity(64);
    write(value, indent, &mut text)?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(Lines::of(text))
}

/// Writes the items or fields of a value. A record begins with nothing, and then has names and contents in turn, since a map of
/// the engine is sorted: its names are the program's own, so they need no quotes, and a field without content is left out. The
/// keys of a map are the user's.
fn write(value: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
    let mut items = value.try_iter()?;
    if value.kind() == ValueKind::Map {
        for key in items {
            pad(indent, text);
            push_scalar(&key, text)?;
            end(": ", &value.get_item(&key)?, text)?;
        }
        return Ok(());
    }
    let mut next = items.next();
    if next.as_ref().is_some_and(Value::is_none) {
        while let (Some(name), Some(content)) = (items.next(), items.next()) {
            write_field(name.as_str().unwrap_or_default(), &content, indent, text)?;
        }
        return Ok(());
    }
    while let Some(item) = next {
        if is_nested(&item) {
            let start = text.len();
            write(&item, indent + 2, text)?;
            // the dash replaces a space in the indentation of the item's first field
            text.replace_range(start + indent..=start + indent, "-");
        } else {
            pad(indent, text);
            end("- ", &item, text)?;
        }
        next = items.next();
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
