//! Go's templates: values, `if`, pipelines, and the functions that names of folders and roles are made with
//! (`text/template`; github.com/Masterminds/sprig; argo-cd `applicationset/utils/template_functions.go`).

use super::{Parameters, Unmade};
use serde_json::Value;

/// How deep parentheses go: far more than a template has.
const DEPTH_MAX: usize = 32;

pub(super) fn render(template: &str, parameters: &Parameters, is_strict: bool) -> Result<String, Unmade> {
    let root = Value::Object(parameters.clone());
    let (mut text, mut rest) = (String::new(), template);
    // of each open `if`: whether its branch is taken, and whether one was
    let mut open: Vec<(bool, bool)> = Vec::new();
    while let Some((before, after)) = rest.split_once("{{") {
        let (action, mut after) =
            after.split_once("}}").ok_or_else(|| Unmade::Refused("an action is not closed".into()))?;
        let trimmed = action.strip_prefix('-').filter(|it| it.starts_with(char::is_whitespace));
        let before = if trimmed.is_some() { before.trim_end() } else { before };
        let action = trimmed.unwrap_or(action);
        let trimmed = action.strip_suffix('-').filter(|it| it.ends_with(char::is_whitespace));
        after = if trimmed.is_some() { after.trim_start() } else { after };
        let action = trimmed.unwrap_or(action).trim();
        let is_taken = open.iter().all(|(is_taken, _)| *is_taken);
        let is_around =
            open.split_last().is_none_or(|(_, around)| around.iter().all(|(is_taken, _)| *is_taken));
        if is_taken {
            text.push_str(before);
        }
        let value = |words: &str| Expression::of(words, &root, is_strict)?.value();
        let (first, words) = action.split_once(char::is_whitespace).unwrap_or((action, ""));
        match (first, words.trim()) {
            ("if", words) => {
                let is = is_taken && is_true(&value(words)?);
                open.push((is, is));
            }
            ("else", words) => {
                let words = words.strip_prefix("if").filter(|it| it.starts_with([' ', '(']));
                let (_, was) = open.pop().ok_or_else(|| Unmade::Refused("an `else` without `if`".into()))?;
                let is = !was && is_around && words.map_or(Ok(true), |words| Ok(is_true(&value(words)?)))?;
                open.push((is, was || is));
            }
            ("end", "") => {
                open.pop().ok_or_else(|| Unmade::Refused("an `end` without `if`".into()))?;
            }
            ("range" | "with" | "define" | "block" | "template" | "break" | "continue", _) => {
                return Err(unknown(action));
            }
            _ if action.starts_with("/*") || !is_taken => {}
            _ => text.push_str(&printed(&value(action)?)),
        }
        rest = after;
    }
    if open.is_empty() { Ok(text + rest) } else { Err(Unmade::Refused("an `if` has no `end`".into())) }
}

fn unknown(what: &str) -> Unmade {
    Unmade::Unknown(format!("`{{{{ {what} }}}}` is not evaluated"))
}

/// An action, word by word.
struct Expression<'e> {
    whole: &'e str,
    words: Vec<&'e str>,
    at: usize,
    depth: usize,
    root: &'e Value,
    is_strict: bool,
}

impl<'e> Expression<'e> {
    fn of(whole: &'e str, root: &'e Value, is_strict: bool) -> Result<Self, Unmade> {
        let (mut words, mut rest) = (Vec::new(), whole.trim_start());
        while let Some(first) = rest.chars().next() {
            let end = match first {
                // with the field of what is in parentheses
                ')' => {
                    1 + rest
                        .get(1..)
                        .unwrap_or_default()
                        .find(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c))
                        .unwrap_or(rest.len() - 1)
                }
                '(' | '|' => 1,
                '"' | '`' => 2 + rest.get(1..).and_then(|it| it.find(first)).ok_or_else(|| unknown(whole))?,
                _ => rest.find(|c: char| c.is_whitespace() || "()|\"`".contains(c)).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            words.push(word);
            rest = after.trim_start();
        }
        Ok(Self { whole, words, at: 0, depth: 0, root, is_strict })
    }

    /// The value of all of it.
    fn value(mut self) -> Result<Value, Unmade> {
        let value = self.pipeline()?;
        if self.at == self.words.len() { Ok(value) } else { Err(unknown(self.whole)) }
    }

    fn pipeline(&mut self) -> Result<Value, Unmade> {
        let mut value = self.command(None)?;
        while self.words.get(self.at) == Some(&"|") {
            self.at += 1;
            value = self.command(Some(value))?;
        }
        Ok(value)
    }

    /// A value, or a function with its arguments, of which the last can be the value before it.
    fn command(&mut self, last: Option<Value>) -> Result<Value, Unmade> {
        let word = self.words.get(self.at).copied().unwrap_or_default();
        let is_function = word.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_function || matches!(word, "true" | "false" | "nil") {
            return if last.is_none() { self.operand() } else { Err(unknown(self.whole)) };
        }
        self.at += 1;
        let mut arguments = Vec::new();
        while self.words.get(self.at).is_some_and(|it| !it.starts_with([')', '|'])) {
            arguments.push(self.operand()?);
        }
        arguments.extend(last);
        let name = word.split('.').next().unwrap_or(word);
        if arguments.is_empty() && self.root.get(name).is_some() {
            return Err(Unmade::Refused(format!(
                "with `goTemplate` it is `.{word}`, and there is no function `{name}`"
            )));
        }
        call(word, &arguments).unwrap_or_else(|| Err(unknown(self.whole)))
    }

    fn operand(&mut self) -> Result<Value, Unmade> {
        let word = self.words.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        if word == "(" {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(unknown(self.whole));
            }
            let value = self.pipeline()?;
            let end = self
                .words
                .get(self.at)
                .and_then(|it| it.strip_prefix(')'))
                .ok_or_else(|| unknown(self.whole))?;
            self.at += 1;
            self.depth -= 1;
            return self.field(&value, end);
        }
        let inside = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(text) = inside('`').or_else(|| inside('"').filter(|text| !text.contains('\\'))) {
            return Ok(text.into());
        }
        match word.strip_prefix('$').unwrap_or(word).strip_prefix('.') {
            Some(path) => self.field(self.root, path),
            None => match word {
                "true" | "false" => Ok((word == "true").into()),
                _ => word.parse::<i64>().map(Value::from).map_err(|_| unknown(self.whole)),
            },
        }
    }

    /// A name of what is missing prints as `<no value>`, and one below it is an error.
    fn field(&self, value: &Value, path: &str) -> Result<Value, Unmade> {
        let mut value = value;
        for name in path.split('.').filter(|name| !name.is_empty()) {
            value = match value {
                Value::Object(fields) => match fields.get(name) {
                    None if self.is_strict => {
                        return Err(Unmade::Refused(format!(
                            "there is no value `{name}` for `{}`",
                            self.whole
                        )));
                    }
                    found => found.unwrap_or(&Value::Null),
                },
                _ => return Err(Unmade::Refused(format!("there is no value `{name}` for `{}`", self.whole))),
            };
        }
        Ok(value.clone())
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// As `fmt.Print` has it.
fn printed(value: &Value) -> String {
    match value {
        Value::Null => "<no value>".into(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(printed).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}:{}", printed(value)));
            format!("map[{}]", fields.collect::<Vec<_>>().join(" "))
        }
    }
}

/// A function of these values; none if it is not known here, or is called in another way.
fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Unmade>> {
    let texts: Vec<&str> = arguments.iter().map_while(Value::as_str).collect();
    let all_texts = (texts.len() == arguments.len()).then_some(texts.as_slice());
    let value = match (name, arguments) {
        ("index", [value, keys @ ..]) => return Some(index(value, keys)),
        ("eq", [first, others @ ..]) if !others.is_empty() => others.contains(first).into(),
        ("ne", [one, other]) => (one != other).into(),
        ("not", [value]) => (!is_true(value)).into(),
        ("and", [.., last]) => arguments.iter().find(|it| !is_true(it)).unwrap_or(last).clone(),
        ("or", [.., last]) => arguments.iter().find(|it| is_true(it)).unwrap_or(last).clone(),
        ("ternary", [yes, no, Value::Bool(is)]) => if *is { yes } else { no }.clone(),
        ("default", [other, value]) => if is_true(value) { value } else { other }.clone(),
        ("first", [Value::Array(items)]) => items.first()?.clone(),
        ("last", [Value::Array(items)]) => items.last()?.clone(),
        ("list", items) => items.to_vec().into(),
        ("print", _) => all_texts?.concat().into(),
        ("join", [Value::String(between), Value::Array(items)]) => {
            items.iter().map(printed).collect::<Vec<_>>().join(between).into()
        }
        ("printf", [Value::String(format), values @ ..]) => {
            let mut parts = format.split("%s");
            let text = parts.next()?.to_owned();
            let mut values = values.iter().map(Value::as_str);
            let text = parts.try_fold(text, |text, part| Some(text + values.next()?? + part))?;
            (!text.contains('%') && values.next().is_none()).then_some(text)?.into()
        }
        _ => match (name, all_texts?) {
            ("lower", [text]) => text.to_lowercase().into(),
            ("upper", [text]) => text.to_uppercase().into(),
            ("trim", [text]) => text.trim().into(),
            ("toString", [text]) => (*text).into(),
            ("normalize", [text]) => normalized(text).into(),
            ("trimPrefix", [start, text]) => text.strip_prefix(start).unwrap_or(text).into(),
            ("trimSuffix", [end, text]) => text.strip_suffix(end).unwrap_or(text).into(),
            ("hasPrefix", [start, text]) => text.starts_with(start).into(),
            ("hasSuffix", [end, text]) => text.ends_with(end).into(),
            ("contains", [part, text]) => text.contains(part).into(),
            ("replace", [from, to, text]) if !from.is_empty() && to.len() <= from.len() => {
                text.replace(from, to).into()
            }
            ("splitList", [between, text]) if !between.is_empty() => {
                text.split(between).map(Value::from).collect()
            }
            ("base", [path]) => path.trim_end_matches('/').rsplit('/').next()?.into(),
            _ => return None,
        },
    };
    Some(Ok(value))
}

fn index(value: &Value, keys: &[Value]) -> Result<Value, Unmade> {
    let mut value = value;
    for key in keys {
        value = match (value, key) {
            (Value::Array(items), Value::Number(number)) => {
                let at = number.as_u64().and_then(|number| usize::try_from(number).ok());
                let item = at.and_then(|at| items.get(at));
                item.ok_or_else(|| Unmade::Refused(format!("index out of range: {number}")))?
            }
            (Value::Object(fields), Value::String(name)) => fields.get(name).unwrap_or(&Value::Null),
            _ => return Err(Unmade::Refused(format!("cannot index with {key}"))),
        };
    }
    Ok(value.clone())
}

/// argo-cd `applicationset/utils/template_functions.go`, `SanitizeName`.
pub(crate) fn normalized(name: &str) -> String {
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let name: String =
        name.to_lowercase().chars().map(|c| if is_kept(c) { c } else { '-' }).take(253).collect();
    name.trim_matches(['-', '.']).to_owned()
}
