//! Reading a schema keyword's own value. A CRD that is not well-formed is a mistake in the test
//! data, so these panic, and say where.

use regex_lite::Regex;
use serde_json::Value;

pub(super) fn text<'a>(value: &'a Value, at: &str) -> &'a str {
    value.as_str().unwrap_or_else(|| panic!("{at}: expected a string, found {value}"))
}

pub(super) fn texts(value: &Value, at: &str) -> Vec<String> {
    list(value, at).iter().map(|item| text(item, at).to_owned()).collect()
}

pub(super) fn list<'a>(value: &'a Value, at: &str) -> &'a [Value] {
    value.as_array().unwrap_or_else(|| panic!("{at}: expected a list, found {value}"))
}

pub(super) fn flag(value: &Value, at: &str) -> bool {
    value.as_bool().unwrap_or_else(|| panic!("{at}: expected true or false, found {value}"))
}

pub(super) fn number(value: &Value, at: &str) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{at}: expected a number, found {value}"))
}

pub(super) fn count(value: &Value, at: &str) -> usize {
    let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
    count.unwrap_or_else(|| panic!("{at}: expected a count, found {value}"))
}

/// Go's `regexp` and `regex-lite` agree on what Liqo's patterns use: ASCII classes, groups, anchors.
pub(super) fn pattern(value: &Value, at: &str) -> Regex {
    Regex::new(text(value, at)).unwrap_or_else(|error| panic!("{at}: {error}"))
}
