//! A value against its schema: pruning, defaulting and validation in one walk.
//!
//! Upstream these are three (`pruning.PruneWithOptions`, `defaulting.Default`, kube-openapi's
//! `validate`); under strict validation the pruned fields are errors, so one walk tells the same.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::schema::{Schema, Type};

/// The path of `key` within `at`; quoted if it has a dot or a slash, as label keys do.
pub(super) fn child(at: &str, key: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    match (key.chars().all(plain), at) {
        (true, "") => key.to_owned(),
        (true, at) => format!("{at}.{key}"),
        (false, at) => format!("{at}[{key:?}]"),
    }
}

impl Schema {
    /// What is wrong with `value`, which stands at path `at`. Below a wrong type nothing is said.
    pub(super) fn problems(&self, value: &Value, at: &str) -> Vec<String> {
        if value.is_null() && self.nullable {
            return Vec::new();
        }
        if !self.kind.admits(value) {
            return vec![format!("{at}: must be {}, is {}", self.kind, name_of(value))];
        }
        let mut problems = self.enum_problem(value, at);
        problems.extend(match value {
            Value::Object(fields) => self.object_problems(fields, at),
            Value::Array(items) => self.array_problems(items, at),
            Value::String(text) => self.text_problems(text, at),
            Value::Number(number) => self.number_problems(number, at),
            Value::Bool(_) | Value::Null => Vec::new(),
        });
        problems
    }

    fn enum_problem(&self, value: &Value, at: &str) -> Vec<String> {
        let refused = self.allowed.as_ref().filter(|allowed| !allowed.contains(value));
        refused
            .map(|allowed| format!("{at}: {value} is not one of {}", Value::from(allowed.clone())))
            .into_iter()
            .collect()
    }

    fn object_problems(&self, fields: &Map<String, Value>, at: &str) -> Vec<String> {
        let mut problems = Vec::new();
        for (key, value) in fields {
            let at = child(at, key);
            match self.schema_of(key) {
                Some(schema) => problems.extend(schema.problems(value, &at)),
                None if self.preserve_unknown_fields => {}
                None => problems.push(format!("{at}: unknown field")),
            }
        }
        let missing = self.required.iter().filter(|key| self.lacks(fields, key));
        problems.extend(missing.map(|key| format!("{}: required, but missing", child(at, key))));
        problems
    }

    /// The schema of a field; a structural schema has named properties or additional ones.
    fn schema_of(&self, key: &str) -> Option<&Self> {
        self.properties.get(key).or(self.additional_properties.as_deref())
    }

    /// Defaults are filled in before `required` is looked at.
    fn lacks(&self, fields: &Map<String, Value>, key: &str) -> bool {
        let default = self.properties.get(key).and_then(|schema| schema.default.as_ref());
        !fields.contains_key(key) && default.is_none()
    }

    fn text_problems(&self, text: &str, at: &str) -> Vec<String> {
        let length = text.chars().count();
        let mut problems = length_problems(length, self.min_length, self.max_length, "characters", at);
        if let Some(pattern) = self.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
            problems.push(format!("{at}: {text:?} does not match `{pattern}`"));
        }
        if let Some(format) = self.format.filter(|format| !format.accepts_text(text)) {
            problems.push(format!("{at}: {text:?} is not of format {}", format.name()));
        }
        problems
    }

    fn number_problems(&self, number: &Number, at: &str) -> Vec<String> {
        let number = number.as_f64().expect("a JSON number without arbitrary precision is a float");
        let mut problems = Vec::new();
        if let Some(minimum) = self.minimum.filter(|minimum| number < *minimum) {
            problems.push(format!("{at}: {number} is less than {minimum}"));
        }
        if let Some(maximum) = self.maximum.filter(|maximum| number > *maximum) {
            problems.push(format!("{at}: {number} is more than {maximum}"));
        }
        if let Some(format) = self.format.filter(|format| !format.accepts_integer(number)) {
            problems.push(format!("{at}: {number} is not of format {}", format.name()));
        }
        problems
    }
}

impl Type {
    fn admits(self, value: &Value) -> bool {
        match self {
            Self::Anything => true,
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::String => value.is_string(),
            Self::Integer => is_integer(value),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::IntOrString => value.is_string() || is_integer(value),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Anything => "anything",
            Self::Object => "an object",
            Self::Array => "a list",
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::IntOrString => "an integer or a string",
        })
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// 64 bits, or a float without a fraction that JSON carries exactly
/// (kube-openapi `typeValidator`, `swag.IsFloat64AJSONInteger`).
fn is_integer(value: &Value) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let whole = |float: f64| float.fract() == 0.0 && float.abs() <= LARGEST;
    value.is_i64() || value.as_f64().is_some_and(whole)
}

pub(super) fn length_problems(
    length: usize,
    least: Option<usize>,
    most: Option<usize>,
    of: &str,
    at: &str,
) -> Vec<String> {
    let too_few = least.filter(|least| length < *least);
    let too_many = most.filter(|most| length > *most);
    let too_few = too_few.map(|least| format!("{at}: {length} {of}, at least {least}"));
    let too_many = too_many.map(|most| format!("{at}: {length} {of}, at most {most}"));
    too_few.into_iter().chain(too_many).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Schema;

    fn problems(schema: &Value, value: &Value) -> String {
        Schema::read(schema, "").problems(value, "x").join("; ")
    }

    #[test]
    fn a_type_is_that_type_and_never_null() {
        let verdicts = |kind: &str| {
            let values = [json!({}), json!([]), json!("1"), json!(1), json!(1.5), json!(true)];
            let schema = match kind {
                "array" => json!({ "type": kind, "items": { "type": "string" } }),
                _ => json!({ "type": kind }),
            };
            assert!(!problems(&schema, &Value::Null).is_empty());
            values.map(|value| u8::from(problems(&schema, &value).is_empty()))
        };
        assert_eq!(verdicts("object"), [1, 0, 0, 0, 0, 0]);
        assert_eq!(verdicts("array"), [0, 1, 0, 0, 0, 0]);
        assert_eq!(verdicts("string"), [0, 0, 1, 0, 0, 0]);
        assert_eq!(verdicts("integer"), [0, 0, 0, 1, 0, 0]);
        assert_eq!(verdicts("number"), [0, 0, 0, 1, 1, 0]);
        assert_eq!(verdicts("boolean"), [0, 0, 0, 0, 0, 1]);
        assert_eq!(problems(&json!({ "type": "string", "nullable": true }), &Value::Null), "");
    }

    #[test]
    fn an_integer_has_64_bits_and_may_be_written_as_a_float() {
        let integer = json!({ "type": "integer" });
        assert_eq!(problems(&integer, &json!(1.0)), "");
        assert_eq!(problems(&integer, &json!(i64::MIN)), "");
        assert_eq!(problems(&integer, &json!(u64::MAX)), "x: must be an integer, is a number");
        let small = json!({ "type": "integer", "format": "int32" });
        assert_eq!(problems(&small, &json!(1_u64 << 31)), "x: 2147483648 is not of format int32");
    }

    #[test]
    fn a_quantity_is_an_integer_or_a_string_of_the_pattern() {
        let quantity = json!({
            "anyOf": [{ "type": "integer" }, { "type": "string" }],
            "pattern": "^[0-9]+(Gi)?$",
            "x-kubernetes-int-or-string": true,
        });
        assert_eq!(problems(&quantity, &json!(4)), "");
        assert_eq!(problems(&quantity, &json!("4Gi")), "");
        assert_eq!(problems(&quantity, &json!("4 Gi")), "x: \"4 Gi\" does not match `^[0-9]+(Gi)?$`");
        let found = problems(&quantity, &json!(4.5));
        assert_eq!(found, "x: must be an integer or a string, is a number");
    }

    #[test]
    fn limits_count_characters_items_and_numbers() {
        let text = json!({ "type": "string", "minLength": 2, "maxLength": 3 });
        assert_eq!(problems(&text, &json!("é")), "x: 1 characters, at least 2");
        assert_eq!(problems(&text, &json!("ééé")), "");
        assert_eq!(problems(&text, &json!("aaaa")), "x: 4 characters, at most 3");

        let number = json!({ "type": "integer", "minimum": 1, "maximum": 2 });
        assert_eq!(problems(&number, &json!(0)), "x: 0 is less than 1");
        assert_eq!(problems(&number, &json!(3)), "x: 3 is more than 2");

        let items = json!({ "type": "integer" });
        let list = json!({ "type": "array", "items": items, "minItems": 1, "maxItems": 1 });
        assert_eq!(problems(&list, &json!([])), "x: 0 items, at least 1");
        assert_eq!(
            problems(&list, &json!([1, "2"])),
            "x: 2 items, at most 1; x[1]: must be an integer, is a string"
        );
    }

    #[test]
    fn fields_are_known_kept_or_refused() {
        let text = json!({ "type": "string" });
        let strict = json!({ "type": "object", "properties": { "a": text } });
        assert_eq!(problems(&strict, &json!({ "a": "", "b.c": 1 })), "x[\"b.c\"]: unknown field");
        let map = json!({ "type": "object", "additionalProperties": text });
        assert_eq!(problems(&map, &json!({ "a": 1 })), "x.a: must be a string, is a number");

        let open = "x-kubernetes-preserve-unknown-fields";
        let open = json!({ "type": "object", open: true, "properties": { "a": strict } });
        assert_eq!(problems(&open, &json!({ "b": { "c": 1 } })), "");
        assert_eq!(problems(&open, &json!({ "a": { "c": 1 } })), "x.a.c: unknown field");
    }

    #[test]
    fn a_default_stands_in_for_a_required_field() {
        let required =
            |field: Value| json!({ "type": "object", "required": ["a"], "properties": { "a": field } });
        let text = required(json!({ "type": "string" }));
        assert_eq!(problems(&text, &json!({})), "x.a: required, but missing");
        let text = required(json!({ "type": "string", "default": "" }));
        assert_eq!(problems(&text, &json!({})), "");
    }
}
