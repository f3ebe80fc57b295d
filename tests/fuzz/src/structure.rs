//! Documents of the right shape: an example, changed at a few places by what other examples have there, and written in
//! one of the ways that YAML has.

use crate::dice::Dice;
use crate::yaml::{Yaml, documents};
use crate::{document, example};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The examples, and what they have under each key.
static EXAMPLES: LazyLock<(Vec<Yaml>, BTreeMap<String, Vec<Yaml>>)> = LazyLock::new(|| {
    let read = |file: &Vec<u8>| {
        documents(std::str::from_utf8(file).expect("a text"))
            .expect("YAML")
            .remove(0)
    };
    let examples: Vec<Yaml> = example::files("peering.yaml").iter().map(read).collect();
    let mut values: BTreeMap<String, Vec<Yaml>> = BTreeMap::new();
    examples
        .iter()
        .for_each(|example| collect(example, &mut values));
    (examples, values)
});

fn collect(yaml: &Yaml, values: &mut BTreeMap<String, Vec<Yaml>>) {
    match yaml {
        Yaml::Text(_) | Yaml::Plain(_) => {}
        Yaml::List(items) => items.iter().for_each(|item| collect(item, values)),
        Yaml::Map(entries) => entries.iter().for_each(|(key, value)| {
            let known = values.entry(key.clone()).or_default();
            if !known.contains(value) {
                known.push(value.clone());
            }
            collect(value, values);
        }),
    }
}

pub fn structure(data: &[u8]) {
    accepted(data);
}

/// The document that these bytes choose, looked at; whether it is a peering.
pub fn accepted(data: &[u8]) -> bool {
    let mut dice = Dice::new(data);
    let mut tree = dice.one(&EXAMPLES.0).clone();
    for _ in 0..dice.below(6) {
        change(&mut tree, "", &mut dice);
    }
    let mut text = String::new();
    write(&tree, 0, false, &mut dice, &mut text);
    text.push('\n');
    document::look(&text)
}

pub fn seeds() -> Vec<Vec<u8>> {
    (0..=u8::MAX)
        .step_by(5)
        .map(|first| vec![first, 1, 1, 3, 0, 2, 7, first])
        .collect()
}

/// One change, somewhere below.
fn change(yaml: &mut Yaml, under: &str, dice: &mut Dice<'_>) {
    let count = match yaml {
        Yaml::Map(entries) => entries.len(),
        Yaml::List(items) => items.len(),
        _ => 0,
    };
    if count > 0 && !dice.rarely(4) {
        let at = dice.below(count);
        match yaml {
            Yaml::Map(entries) => {
                let (key, value) = &mut entries[at];
                change(value, &key.clone(), dice);
            }
            Yaml::List(items) => change(&mut items[at], under, dice),
            _ => {}
        }
        return;
    }
    let known = EXAMPLES.1.get(under);
    match yaml {
        Yaml::Map(entries) if count > 0 && dice.rarely(3) => {
            drop(entries.remove(dice.below(count)))
        }
        Yaml::Map(entries) if dice.rarely(2) => {
            let key = dice.one(&EXAMPLES.1.keys().collect::<Vec<_>>()).to_string();
            if entries.iter().all(|(other, _)| *other != key) {
                let value = dice.one(&EXAMPLES.1[&key]).clone();
                entries.push((key, value));
            }
        }
        Yaml::List(items) if count > 0 && dice.rarely(2) => {
            let mut more = items[dice.below(count)].clone();
            if let Yaml::Map(entries) = &mut more
                && let Some((_, name)) = entries.iter_mut().find(|(key, _)| key == "name")
            {
                *name = Yaml::Plain(text(dice));
            }
            items.push(more);
        }
        Yaml::Text(_) | Yaml::Plain(_) if dice.rarely(2) => *yaml = Yaml::Text(text(dice)),
        _ => {
            if let Some(known) = known {
                *yaml = dice.one(known).clone();
            }
        }
    }
}

/// What people write, and what they do not.
fn text(dice: &mut Dice<'_>) -> String {
    static TEXTS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let texts = "a rome milan n1 x-y.z 1 0 65535 51840 30000 32767 10.0.0.0/8 10.70.0.0/16 192.0.2.1 example.org \
                     https://192.0.2.1:6443 500m 128Gi consumer pending é\u{2028}\u{1f600} \u{7f}\\\"'\t\n on 0x10";
        texts.split(' ').collect()
    });
    let mut text = (*dice.one(&TEXTS)).to_owned();
    if dice.rarely(8) {
        text = text.repeat(1 + dice.below(64));
    }
    if dice.rarely(8) {
        text.push(char::from(dice.byte()));
    }
    text
}

fn write(yaml: &Yaml, depth: usize, flow: bool, dice: &mut Dice<'_>, out: &mut String) {
    let flow = flow || dice.rarely(16);
    let line = |out: &mut String| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    match yaml {
        Yaml::Text(text) => quoted(text, out),
        Yaml::Plain(text) => out.push_str(text),
        Yaml::List(items) if items.is_empty() => out.push_str("[]"),
        Yaml::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Yaml::List(items) if flow => {
            out.push('[');
            for item in items {
                write(item, depth, true, dice, out);
                out.push_str(", ");
            }
            out.push(']');
        }
        Yaml::Map(entries) if flow => {
            out.push('{');
            for (key, value) in entries {
                quoted(key, out);
                out.push_str(": ");
                write(value, depth, true, dice, out);
                out.push_str(", ");
            }
            out.push('}');
        }
        Yaml::List(items) => {
            for item in items {
                line(out);
                out.push_str("- ");
                write(item, depth + 1, false, dice, out);
            }
        }
        Yaml::Map(entries) => {
            for (key, value) in entries {
                line(out);
                if dice.rarely(8) {
                    quoted(key, out)
                } else {
                    out.push_str(key)
                }
                out.push_str(": ");
                write(value, depth + 1, false, dice, out);
            }
        }
    }
}

/// As JSON has it, but in one piece where JSON has a pair of UTF-16.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || "\u{2028}\u{2029}\u{feff}".contains(c) => {
                out.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
