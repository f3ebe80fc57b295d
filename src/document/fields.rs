//! The fields of a map, taken one by one. Missing and unknown fields are problems.

use super::decode::{NO_VALUE, Places, typed_by_an_editor};
use super::{Decode, Decoder, Located, entries, kind_of, text};
use crate::diagnostic::{Code, Diagnostic, Rule, Span, list_or, nearest, quoted};
use crate::input::yaml::{Node, Value};

/// What is known of a field in addition to its type.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The first Liqo release that has it, if not all supported releases do.
    pub since: Option<&'static str>,
    /// What to write where the field is missing or empty.
    pub missing: Option<&'static str>,
    /// Other names that people write for the field.
    pub also: &'static [&'static str],
}

impl Field {
    /// A field of this name.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            since: None,
            missing: None,
            also: &[],
        }
    }
}

/// The fields of a map, from which each is taken once.
pub struct RecordFields<'n> {
    span: Span,
    /// The name, the key and the value of each; and why the key is not a string to every reader of YAML. No field has such a name.
    entries: Vec<(&'n str, &'n Node, &'n Node, Option<Box<Diagnostic>>)>,
    known: Vec<&'static Field>,
    complete: bool,
}

impl<'n> RecordFields<'n> {
    /// The fields of a node, if it is a map. `names` are shown if it is not.
    pub fn from_node(names: &[&str], node: &'n Node, decoder: &mut Decoder) -> Option<Self> {
        if matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            let message = format!("this takes a map, not {}", kind_of(node));
            let rule = Rule::new(Code::WrongType, message).help(as_map(names));
            return decoder.reject(node, rule);
        }
        let map = entries(node, decoder)?;
        let mut fields = Self {
            span: node.span,
            entries: Vec::with_capacity(map.len()),
            known: Vec::with_capacity(names.len()),
            complete: true,
        };
        for (key, value) in map {
            // a scratch decoder: the advice for such a key can be given only when all fields are known
            let mut odd = Decoder::default();
            let name = text(key, "a field's name", &mut odd);
            let problem = odd.problems.iter().next().cloned();
            match name.or(key.text()) {
                Some(name) => fields
                    .entries
                    .push((name, key, value, problem.map(Box::new))),
                None => decoder.problems.extend(problem),
            }
        }
        Some(fields)
    }

    /// A field that must be present.
    pub fn required<T: Decode>(
        &mut self,
        field: &'static Field,
        decoder: &mut Decoder,
    ) -> Option<T> {
        let taken = self.take(field, "write its value after the `:`", decoder);
        if self.entry(field.name).is_none() {
            let message = format!("the field `{}` is missing", field.name);
            let mut rule = Rule::new(Code::MissingField, message);
            rule.help = field.missing.map(Into::into);
            let problem = rule.mark(self.span);
            decoder.problems.push(problem.label("in this map"));
        }
        self.complete &= taken.is_some();
        taken
    }

    /// A field that may be left out. `key:` without a value is a mistake, not a default.
    pub fn optional<T: Decode>(
        &mut self,
        field: &'static Field,
        decoder: &mut Decoder,
    ) -> Option<T> {
        self.take(field, NO_VALUE, decoder)
    }

    fn take<T: Decode>(
        &mut self,
        field: &'static Field,
        help: &str,
        decoder: &mut Decoder,
    ) -> Option<T> {
        self.known.push(field);
        let (key, value) = self.entry(field.name)?;
        if value.value == Value::Empty {
            let message = format!("the field `{}` has no value", field.name);
            let help = field.missing.unwrap_or(help);
            self.complete = false;
            return decoder.reject(key, Rule::new(Code::MissingField, message).help(help));
        }
        if field.since.is_some() {
            decoder.newer.push(Located::new(field, value.span));
        }
        let taken = T::decode(value, decoder);
        self.complete &= taken.is_some();
        taken
    }

    fn entry(&self, name: &str) -> Option<(&'n Node, &'n Node)> {
        let entry = self.entries.iter().find(|entry| entry.0 == name)?;
        Some((entry.1, entry.2))
    }

    /// Whether all fields were taken and valid. Pushes a problem for each field that does not exist.
    pub fn finish(self, decoder: &mut Decoder) -> Option<()> {
        let (known, places, mut complete) = (self.known, decoder.places, self.complete);
        for (name, key, _, problem) in self.entries {
            if known.iter().any(|field| field.name == name) {
                continue;
            }
            complete = false;
            let unknown = || unknown_field((name, key.span), problem, &known, places);
            decoder.problems.push_at(key.span, unknown);
        }
        complete.then_some(())
    }
}

/// The problem of a field that does not exist; `odd` is why its key is not a string to every reader.
fn unknown_field(
    (name, span): (&str, Span),
    odd: Option<Box<Diagnostic>>,
    known: &[&'static Field],
    places: Option<Places>,
) -> Diagnostic {
    let message = format!("there is no field {} here", quoted(name));
    let mut problem = match odd {
        Some(odd) => *odd,
        None => Rule::new(Code::UnknownField, message).mark(span),
    };
    // a quoted key would still not be a field
    problem.help = Some(advice(name, known, places));
    problem
}

const NO_FIELDS: &str = "this map has no fields: write `{}`";

fn list_fields(names: &[&str]) -> String {
    list_or(names).replace(" or ", " and ")
}

/// How to write the map that is missing.
fn as_map(names: &[&str]) -> String {
    match names {
        [] => NO_FIELDS.to_owned(),
        [only] => format!("write it as `{{ {only}: … }}`"),
        ["name", ..] => "its name is a field: `name: …`".to_owned(),
        [one, two, three, four, _, _, _, ..] => {
            format!("fields: `{one}`, `{two}`, `{three}`, `{four}` and others")
        }
        _ => format!("its fields are {}", list_fields(names)),
    }
}

/// What to write instead of a field that does not exist.
fn advice(name: &str, known: &[&'static Field], places: Option<Places>) -> String {
    if let Some(help) = typed_by_an_editor(name) {
        return help;
    }
    let names: Vec<&'static str> = known.iter().map(|field| field.name).collect();
    let meant = match known.iter().find(|field| field.also.contains(&name)) {
        Some(field) => Some(field.name),
        None => nearest(name, &names),
    };
    match (meant, places.and_then(|places| places(name))) {
        _ if names.is_empty() => NO_FIELDS.to_owned(),
        (Some(known), _) => format!("did you mean `{known}`?"),
        (None, Some(place)) => place,
        (None, None) => format!("the fields are {}", list_fields(&names)),
    }
}
