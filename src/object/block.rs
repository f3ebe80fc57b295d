//! Lists and maps of a template in YAML's block style.

use super::engine::scalar;
use minijinja::value::{Object, ValueKind};
use minijinja::{Error, ErrorKind, Value};

/// A list that a template prints at an indentation: `{{ terms|block(6) }}`.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) value: Value,
    pub(super) indent: usize,
}

impl Object for Block {}

/// The filter: the list's items, each at this indentation.
pub(super) fn block(value: Value, indent: usize) -> Value {
    Value::from_object(Block { value, indent })
}

impl Block {
    /// Writes the items of a list or the fields of a map, a line each. The names of fields are those of the program's own
    /// types, so they need no quotes. Empty lists are left out, as are fields without a value.
    pub(super) fn write(&self, value: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
        let pad = " ".repeat(indent);
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()? {
                    let start = text.len();
                    if matches!(item.kind(), ValueKind::Map) {
                        self.write(&item, indent + 2, text)?;
                        // the dash stands in the indentation of the item's first field
                        text.replace_range(start + indent..start + indent + 1, "-");
                    } else {
                        text.push_str(&format!("{pad}- {}\n", scalar(&item)?));
                    }
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()? {
                    let field = value.get_item(&key)?;
                    let name = key.as_str().ok_or_else(|| Error::from(ErrorKind::BadSerialization))?;
                    match field.kind() {
                        ValueKind::None => {}
                        ValueKind::Seq | ValueKind::Iterable if field.len() == Some(0) => {}
                        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => {
                            text.push_str(&format!("{pad}{name}:\n"));
                            self.write(&field, indent + 2, text)?;
                        }
                        _ => text.push_str(&format!("{pad}{name}: {}\n", scalar(&field)?)),
                    }
                }
            }
            _ => return Err(Error::new(ErrorKind::BadSerialization, "a block is a list or a map")),
        }
        Ok(())
    }
}
