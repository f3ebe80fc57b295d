//! Go's templates: values, `if`, pipelines, and the functions that people use for names of folders and roles
//! (`text/template`; github.com/Masterminds/sprig; argo-cd `applicationset/utils/template_functions.go`).

use super::{Parameters, Unmade};
use crate::diagnostic::quoted;
use serde_json::{Number, Value};

/// The deepest nesting of parentheses: far more than templates need.
const DEPTH_MAX: usize = 32;

/// Renders a template. Go parses all of a template before it runs any of it, so branches that are not taken are parsed
/// here too.
pub(super) fn render(
    template: &str,
    parameters: &Parameters,
    is_strict: bool,
) -> Result<String, Unmade> {
    let scope = Scope {
        root: &Value::Object(parameters.clone()),
        is_strict,
    };
    let (mut text, mut rest, mut open) = (String::new(), template, Open::default());
    while let Some(piece) = Piece::first(rest)? {
        if open.is_printed() {
            text.push_str(piece.before);
        }
        if let Some(action) = piece.action {
            text.push_str(&open.run(action, scope)?);
        }
        rest = piece.after;
    }
    if open.0.is_empty() {
        Ok(text + rest)
    } else {
        Err(refused("an `if` has no `end`"))
    }
}

/// The values that an action can name, and whether a missing one is an error.
#[derive(Clone, Copy)]
struct Scope<'s> {
    root: &'s Value,
    is_strict: bool,
}

/// A template up to its first action, the action, and the rest.
struct Piece<'t> {
    before: &'t str,
    /// `None` for a comment.
    action: Option<&'t str>,
    after: &'t str,
}

impl<'t> Piece<'t> {
    /// The first piece; `None` if there is no action. `{{-` and `-}}` remove the white space next to them.
    fn first(template: &'t str) -> Result<Option<Self>, Unmade> {
        let Some((before, after)) = template.split_once("{{") else {
            return Ok(None);
        };
        let trimmed = after
            .strip_prefix('-')
            .filter(|it| it.starts_with(char::is_whitespace));
        let before = if trimmed.is_some() {
            before.trim_end()
        } else {
            before
        };
        let after = trimmed.map_or(after, str::trim_start);
        let is_comment = after.starts_with("/*");
        // a comment can contain braces
        let start = if is_comment {
            after.find("*/").map_or(after.len(), |end| end + 2)
        } else {
            0
        };
        let length = after.get(start..).and_then(|it| it.find("}}"));
        let end = start + length.ok_or_else(|| refused("an action is not closed"))?;
        let (action, after) = (
            after.get(..end).unwrap_or_default(),
            after.get(end + 2..).unwrap_or_default(),
        );
        let trimmed = action
            .strip_suffix('-')
            .filter(|it| it.ends_with(char::is_whitespace));
        let after = if trimmed.is_some() {
            after.trim_start()
        } else {
            after
        };
        let action = trimmed.unwrap_or(action).trim();
        let action = Some(action).filter(|_| !is_comment || action.len() != start);
        Ok(Some(Self {
            before,
            action,
            after,
        }))
    }
}

/// The state of an open `if`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// No branch was taken yet.
    Waits,
    /// The branch that is being read is taken.
    Taken,
    /// A branch was taken before, so no other is.
    Over,
}

impl Branch {
    fn of(is_taken: bool) -> Self {
        if is_taken { Self::Taken } else { Self::Waits }
    }
}

/// The `if`s that are open at a place: the state of each, and whether its `else` was read.
#[derive(Default)]
struct Open(Vec<(Branch, bool)>);

impl Open {
    fn is_printed(&self) -> bool {
        self.0
            .last()
            .is_none_or(|(branch, _)| *branch == Branch::Taken)
    }

    /// Runs an action, and returns the text that it prints.
    fn run(&mut self, action: &str, scope: Scope<'_>) -> Result<String, Unmade> {
        let (first, words) = action
            .split_once(char::is_whitespace)
            .unwrap_or((action, ""));
        match (first, words.trim()) {
            ("if", condition) => self.begin(condition, scope)?,
            ("else", words) => self.read_else(action, words, scope)?,
            ("end", "") => drop(
                self.0
                    .pop()
                    .ok_or_else(|| refused("an `end` without `if`"))?,
            ),
            ("range" | "with" | "define" | "block" | "template" | "break" | "continue", _) => {
                return Err(unknown(action));
            }
            _ => {
                let value = Expression::of(action, scope, self.is_printed())?.value()?;
                return Ok(if self.is_printed() {
                    printed(&value)
                } else {
                    String::new()
                });
            }
        }
        Ok(String::new())
    }

    fn begin(&mut self, condition: &str, scope: Scope<'_>) -> Result<(), Unmade> {
        let is = is_true(&Expression::of(condition, scope, self.is_printed())?.value()?);
        self.0.push((
            if self.is_printed() {
                Branch::of(is)
            } else {
                Branch::Over
            },
            false,
        ));
        Ok(())
    }

    /// Reads an `else`; if `words` has a condition, an `else if`.
    fn read_else(&mut self, action: &str, words: &str, scope: Scope<'_>) -> Result<(), Unmade> {
        let open = self.0.last_mut().filter(|(_, is_else)| !is_else);
        let (branch, is_else) = open.ok_or_else(|| refused("an `else` without `if`"))?;
        let waits = *branch == Branch::Waits;
        let condition = words
            .strip_prefix("if")
            .filter(|it| it.starts_with([' ', '(']));
        let is = match condition {
            Some(condition) => is_true(&Expression::of(condition, scope, waits)?.value()?),
            None if words.is_empty() => true,
            None => return Err(unknown(action)),
        };
        *is_else = condition.is_none();
        *branch = if waits { Branch::of(is) } else { Branch::Over };
        Ok(())
    }
}

fn refused(why: &str) -> Unmade {
    Unmade::Refused(why.to_owned())
}

fn unknown(what: &str) -> Unmade {
    Unmade::Unknown(format!(
        "{} is not evaluated",
        quoted(&format!("{{{{ {what} }}}}"))
    ))
}

/// An action, word by word.
struct Expression<'e> {
    whole: &'e str,
    words: Vec<&'e str>,
    at: usize,
    depth: usize,
    scope: Scope<'e>,
    /// Whether it is run. Otherwise it is only parsed, and each value is null.
    is_run: bool,
}

impl<'e> Expression<'e> {
    fn of(whole: &'e str, scope: Scope<'e>, is_run: bool) -> Result<Self, Unmade> {
        let (mut words, mut rest) = (Vec::new(), whole.trim_start());
        while let Some(first) = rest.chars().next() {
            let end = match first {
                // with the field after the parenthesis, as in `(index . 0).name`
                ')' => {
                    1 + rest
                        .get(1..)
                        .unwrap_or_default()
                        .find(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c))
                        .unwrap_or(rest.len() - 1)
                }
                '(' | '|' => 1,
                '"' | '`' => {
                    2 + rest
                        .get(1..)
                        .and_then(|it| it.find(first))
                        .ok_or_else(|| unknown(whole))?
                }
                _ => rest
                    .find(|c: char| c.is_whitespace() || "()|\"`".contains(c))
                    .unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            words.push(word);
            rest = after.trim_start();
        }
        Ok(Self {
            whole,
            words,
            at: 0,
            depth: 0,
            scope,
            is_run,
        })
    }

    /// The value of the whole expression.
    fn value(mut self) -> Result<Value, Unmade> {
        let value = self.pipeline()?;
        if self.at == self.words.len() {
            Ok(value)
        } else {
            Err(unknown(self.whole))
        }
    }

    fn pipeline(&mut self) -> Result<Value, Unmade> {
        let mut value = self.command(None)?;
        while self.words.get(self.at) == Some(&"|") {
            self.at += 1;
            value = self.command(Some(value))?;
        }
        Ok(value)
    }

    /// A value, or the result of a function. `last` is its last argument, from the pipeline.
    fn command(&mut self, last: Option<Value>) -> Result<Value, Unmade> {
        let word = self.words.get(self.at).copied().unwrap_or_default();
        let is_function = word.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_function || matches!(word, "true" | "false" | "nil") {
            return if last.is_none() {
                self.operand()
            } else {
                Err(unknown(self.whole))
            };
        }
        self.at += 1;
        let (mut arguments, is_run) = (Vec::new(), self.is_run);
        while self
            .words
            .get(self.at)
            .is_some_and(|it| !it.starts_with([')', '|']))
        {
            let argument = self.operand()?;
            // the first argument that decides is the value; those after it are not run
            let decides = matches!((word, is_true(&argument)), ("or", true) | ("and", false));
            self.is_run &= !decides;
            arguments.push(argument);
        }
        self.is_run = is_run;
        arguments.extend(last);
        let name = word.split('.').next().unwrap_or(word);
        if arguments.is_empty() && self.scope.root.get(name).is_some() {
            return Err(Unmade::Refused(format!(
                "with `goTemplate` it is `.{word}`, and there is no function `{name}`"
            )));
        }
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word);
        let value = match (word, function) {
            ("index", _) | (_, Some(_)) if !is_run => Some(Value::Null),
            ("index", _) => arguments
                .split_first()
                .map(|(value, keys)| index(value, keys))
                .transpose()?,
            (_, function) => function.and_then(|(_, function)| function(&arguments)),
        };
        value.ok_or_else(|| unknown(self.whole))
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
            return self.field(&value, end.strip_prefix('.').unwrap_or(end));
        }
        if let Some(text) = quoted_text(word) {
            return Ok(text.into());
        }
        match word.strip_prefix('$').unwrap_or(word).strip_prefix('.') {
            Some(path) => self.field(self.scope.root, path),
            None => match word {
                "true" | "false" => Ok((word == "true").into()),
                _ => word
                    .parse::<i64>()
                    .map(Value::from)
                    .map_err(|_| unknown(self.whole)),
            },
        }
    }

    /// The field at a path. A missing field prints as `<no value>`; a field below a missing one is an error.
    fn field(&self, value: &Value, path: &str) -> Result<Value, Unmade> {
        let mut value = value;
        let missing =
            |name| Unmade::Refused(format!("there is no value `{name}` for `{}`", self.whole));
        for name in path.split('.').filter(|_| !path.is_empty()) {
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return Err(unknown(self.whole));
            }
            value = match value {
                _ if !self.is_run => &Value::Null,
                Value::Object(fields) => match fields.get(name) {
                    None if self.scope.is_strict => return Err(missing(name)),
                    found => found.unwrap_or(&Value::Null),
                },
                _ => return Err(missing(name)),
            };
        }
        Ok(value.clone())
    }
}

/// The text between quotes. `None` if it has an escape.
fn quoted_text(word: &str) -> Option<&str> {
    let quote = word.chars().next().filter(|c| "`\"".contains(*c))?;
    let text = word.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(text).filter(|it| quote == '`' || !it.contains('\\'))
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

/// A value as `fmt.Print` prints it.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::Null => "<no value>".into(),
        Value::String(text) => text.clone(),
        Value::Bool(_) => value.to_string(),
        Value::Number(number) => printed_number(number),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(printed).collect::<Vec<_>>().join(" ")
        ),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{name}:{}", printed(value)));
            format!("map[{}]", fields.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Go reads a number of JSON as a float, and prints an exponent from a million on (`strconv`, FormatFloat with `g`). A number in a
/// template stays a whole number.
fn printed_number(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        return number.to_string();
    };
    let scientific = format!("{float:e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match power.parse::<i32>() {
        Ok(power) if !(-4..=5).contains(&power) => {
            format!(
                "{digits}e{}{:02}",
                if power < 0 { '-' } else { '+' },
                power.abs()
            )
        }
        _ => float.to_string(),
    }
}

/// A function of values; `None` for a call that is not known here.
type Function = fn(&[Value]) -> Option<Value>;

/// The functions that are known here. `index` is separate, since it can be refused.
#[rustfmt::skip] // a table
const FUNCTIONS: [(&str, Function); 26] = [
    ("eq", |all| all.split_first().filter(|(_, others)| !others.is_empty() && are_alike(all)).map(|(first, others)| others.contains(first).into())),
    ("ne", |all| if let [one, other] = all { are_alike(all).then(|| (one != other).into()) } else { None }),
    ("not", |all| if let [value] = all { Some((!is_true(value)).into()) } else { None }),
    ("and", |all| all.iter().find(|it| !is_true(it)).or(all.last()).cloned()),
    ("or", |all| all.iter().find(|it| is_true(it)).or(all.last()).cloned()),
    ("ternary", |all| if let [yes, no, Value::Bool(is)] = all { Some(if *is { yes } else { no }.clone()) } else { None }),
    ("default", |all| if let [other, value] = all { Some(if is_true(value) { value } else { other }.clone()) } else { None }),
    ("first", |all| if let [Value::Array(items)] = all { items.first().cloned() } else { None }),
    ("last", |all| if let [Value::Array(items)] = all { items.last().cloned() } else { None }),
    ("list", |all| Some(all.to_vec().into())),
    ("print", |all| all.iter().map(Value::as_str).collect::<Option<String>>().map(Value::from)),
    ("join", |all| if let [Value::String(between), Value::Array(items)] = all { Some(items.iter().map(printed).collect::<Vec<_>>().join(between).into()) } else { None }),
    ("printf", formatted),
    ("lower", |all| texts(all).map(|[text]| text.to_lowercase().into())),
    ("upper", |all| texts(all).map(|[text]| text.to_uppercase().into())),
    ("trim", |all| texts(all).map(|[text]| text.trim().into())),
    ("toString", |all| texts(all).map(|[text]| text.into())),
    ("normalize", |all| texts(all).map(|[text]| normalized(text).into())),
    ("trimPrefix", |all| texts(all).map(|[start, text]| text.strip_prefix(start).unwrap_or(text).into())),
    ("trimSuffix", |all| texts(all).map(|[end, text]| text.strip_suffix(end).unwrap_or(text).into())),
    ("hasPrefix", |all| texts(all).map(|[start, text]| text.starts_with(start).into())),
    ("hasSuffix", |all| texts(all).map(|[end, text]| text.ends_with(end).into())),
    ("contains", |all| texts(all).map(|[part, text]| text.contains(part).into())),
    ("replace", |all| texts(all).filter(|[from, to, _]| !from.is_empty() && to.len() <= from.len()).map(|[from, to, text]| text.replace(from, to).into())),
    ("splitList", |all| texts(all).filter(|[between, _]| !between.is_empty()).map(|[between, text]| text.split(between).map(Value::from).collect())),
    ("base", |all| texts(all).and_then(|[path]| Some(path.trim_end_matches('/').rsplit('/').next()?.into()))),
];

/// Exactly `N` values, if all are texts.
fn texts<const N: usize>(values: &[Value]) -> Option<[&str; N]> {
    values
        .iter()
        .map(Value::as_str)
        .collect::<Option<Vec<_>>>()?
        .try_into()
        .ok()
}

/// `printf` with no other verb than `%s`.
fn formatted(values: &[Value]) -> Option<Value> {
    let mut values = values.iter().map(Value::as_str);
    let mut parts = values.next()??.split("%s");
    let text = parts.next()?.to_owned();
    let text = parts.try_fold(text, |text, part| Some(text + values.next()?? + part))?;
    (!text.contains('%') && values.next().is_none()).then(|| text.into())
}

/// Whether Go compares the values: a number of a generator's element is not an integer to Go (`text/template/funcs.go`,
/// errBadComparison).
fn are_alike(values: &[Value]) -> bool {
    values.iter().all(Value::is_string) || values.iter().all(Value::is_boolean)
}

fn index(value: &Value, keys: &[Value]) -> Result<Value, Unmade> {
    let mut value = value;
    for key in keys {
        value = match (value, key) {
            (Value::Array(items), Value::Number(number)) => {
                let at = number
                    .as_u64()
                    .and_then(|number| usize::try_from(number).ok());
                let item = at.and_then(|at| items.get(at));
                item.ok_or_else(|| Unmade::Refused(format!("index out of range: {number}")))?
            }
            (Value::Object(fields), Value::String(name)) => {
                fields.get(name).unwrap_or(&Value::Null)
            }
            _ => return Err(Unmade::Refused(format!("cannot index with {key}"))),
        };
    }
    Ok(value.clone())
}

/// argo-cd `applicationset/utils/template_functions.go`, `SanitizeName`.
pub(crate) fn normalized(name: &str) -> String {
    let name = name.to_lowercase();
    let kept = name.chars().map(|c| {
        if matches!(c, 'a'..='z' | '0'..='9' | '.') {
            c
        } else {
            '-'
        }
    });
    kept.take(253)
        .collect::<String>()
        .trim_matches(['-', '.'])
        .to_owned()
}
