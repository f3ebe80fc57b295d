//! The fields of a map, taken one by one: what is missing and what nobody knows is told.

use super::decode::{Decode, kind_of, text, wrong_type};
use super::{hint, place};
use crate::diagnostic::{Code, Diagnostic, Problems, Rule, Span, nearest, one_of, quoted};
use crate::input::yaml::{Node, Value};

/// The entries of a map, whose keys are still to be checked. A merge key is none of them.
pub fn entries<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n [(Node, Node)]> {
    let Value::Map(entries) = &node.value else {
        wrong_type(node, "a map", problems);
        return None;
    };
    match entries.iter().find(|(key, _)| matches!(&key.value, Value::Plain(text) if text == "<<")) {
        Some((key, _)) => {
            let rule = Rule::new(Code::Alias, "merge keys are not taken");
            problems.push(rule.help("write the fields out where they are needed").at(key.span));
            None
        }
        None => Some(entries),
    }
}

/// The fields of a map while they are taken one by one.
pub struct Fields<'n> {
    span: Span,
    entries: Vec<(&'n str, &'n Node, &'n Node)>,
    /// Keys that not every reader of YAML takes for a string: no field is named like that.
    unread: Vec<(&'n str, Diagnostic)>,
    known: Vec<&'static str>,
    complete: bool,
}

impl<'n> Fields<'n> {
    /// The fields of a node, if it is a map with strings as keys.
    pub fn of(node: &'n Node, problems: &mut Problems) -> Option<Self> {
        let map = entries(node, problems)?;
        let mut complete = true;
        let mut unread = Vec::new();
        let mut entries = Vec::with_capacity(map.len());
        for (key, value) in map {
            let mut odd = Problems::default();
            match (text(key, "a field's name", &mut odd), &key.value) {
                (Some(name), _) => entries.push((name, key, value)),
                (None, Value::Plain(name)) => {
                    unread.extend(odd.iter().map(|odd| (name.as_str(), odd.clone())));
                    complete = false;
                }
                (None, _) => {
                    odd.iter().for_each(|odd| problems.push(odd.clone()));
                    complete = false;
                }
            }
        }
        Some(Self { span: node.span, entries, unread, known: Vec::new(), complete })
    }

    /// The same; what is no map is told which fields are expected.
    pub fn among(names: &[&str], node: &'n Node, problems: &mut Problems) -> Option<Self> {
        if matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            let message = format!("this takes a map, not {}", kind_of(node));
            let help = match names {
                [] => "nothing is to be said of it: `{}`".to_owned(),
                [only] => format!("write it as `{{ {only}: … }}`"),
                ["name", ..] => "its name is one of its fields: `name: …`".to_owned(),
                _ if names.len() > 6 => {
                    let some: Vec<String> = names.iter().take(4).map(|name| format!("`{name}`")).collect();
                    format!("its fields are {} and others", some.join(", "))
                }
                _ => format!("its fields are {}", one_of(names).replace(" or ", " and ")),
            };
            problems.push(Rule::new(Code::WrongType, message).help(help).at(node.span));
            return None;
        }
        Self::of(node, problems)
    }

    /// A field that must be there.
    pub fn required<T: Decode>(&mut self, name: &'static str, problems: &mut Problems) -> Option<T> {
        let taken = self.take(name, "write it behind the `:`", problems);
        if !self.has(name) {
            let mut rule = Rule::new(Code::MissingField, format!("the field `{name}` is missing"));
            rule.help = hint::of(name).map(Into::into);
            problems.push(rule.at(self.span).label("in the map that begins here"));
        }
        if taken.is_none() {
            self.complete = false;
        }
        taken
    }

    /// A field that may be left out; `key:` with nothing behind it is a mistake, not a default.
    pub fn optional<T: Decode>(&mut self, name: &'static str, problems: &mut Problems) -> Option<T> {
        self.take(name, "write it behind the `:`, or leave the field out", problems)
    }

    fn take<T: Decode>(&mut self, name: &'static str, help: &str, problems: &mut Problems) -> Option<T> {
        self.known.push(name);
        let (_, key, value) = self.entries.iter().find(|(key, _, _)| *key == name)?;
        if value.value == Value::Empty {
            problems.push(
                Rule::new(Code::MissingField, format!("the field `{name}` has no value"))
                    .help(hint::empty(name).unwrap_or(help))
                    .at(key.span),
            );
            self.complete = false;
            return None;
        }
        let taken = T::decode(value, problems);
        self.complete &= taken.is_some();
        taken
    }

    /// Whether the map has this field.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _, _)| *key == name)
    }

    /// Whether everything was taken and well: pushes a problem for each field that nobody asked for.
    pub fn finish(self, problems: &mut Problems) -> Option<()> {
        let mut complete = self.complete;
        for (name, key, _) in &self.entries {
            if !self.known.contains(name) {
                let mut rule =
                    Rule::new(Code::UnknownField, format!("there is no field {} here", quoted(name)));
                rule.help = Some(advice(name, &self.known));
                problems.push(rule.at(key.span));
                complete = false;
            }
        }
        for (name, mut diagnostic) in self.unread {
            // quoted it would still be no field
            diagnostic.help = Some(advice(name, &self.known));
            problems.push(diagnostic);
        }
        complete.then_some(())
    }
}

/// What to write instead of a field that there is not.
fn advice(name: &str, known: &[&'static str]) -> String {
    match (hint::meant(name, known).or_else(|| nearest(name, known)), place::of(name)) {
        _ if known.is_empty() => "this map stays empty: `{}`".to_owned(),
        (Some(known), _) => format!("did you mean `{known}`?"),
        (None, Some(place)) => place,
        (None, None) => format!("the fields here are {}", one_of(known).replace(" or ", " and ")),
    }
}
