//! Slips made by machine: what is advised must undo them.

use super::{Edit, best};
use crate::input::yaml::{Node, Value, parse};
use granit_parser::Parser;
use std::fs;
use std::path::Path;

/// What a slip of the hand makes of each line: it is indented by one or two more or less, or a dash, a colon, the space
/// after them, a quote, a closing bracket or a comma is left out.
fn slips(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut slips = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let code = line.split(" #").next().expect("the first");
        if code.trim().is_empty() || code.starts_with('#') {
            continue;
        }
        let mut slip = |at: usize, removed: usize, inserted: &str| {
            let mut edited = (*line).to_owned();
            edited.replace_range(at..at + removed, inserted);
            let before_and_after = [&lines[..index], &[edited.as_str()], &lines[index + 1..]].concat();
            slips.push((index + 1, before_and_after.join("\n") + "\n"));
        };
        for spaces in ["  ", " "] {
            slip(0, 0, spaces);
            if line.starts_with(spaces) {
                slip(0, spaces.len(), "");
            }
        }
        for (at, _) in code.match_indices("- ") {
            slip(at, 2, "");
            slip(at + 1, 1, "");
        }
        for (at, _) in code.match_indices(':') {
            match code.get(at + 1..).and_then(|rest| rest.chars().next()) {
                None => slip(at, 1, ""),
                Some(' ') => {
                    slip(at, 1, "");
                    slip(at + 1, 1, "");
                }
                Some(_) => {}
            }
        }
        for (at, _) in code.match_indices(['"', ']', '}', ',']) {
            slip(at, 1, "");
        }
    }
    slips
}

/// What a document means, without places.
fn meaning(text: &str) -> Option<String> {
    fn of(node: &Node) -> String {
        match &node.value {
            Value::Empty => String::new(),
            Value::Plain(text) => text.clone(),
            Value::Quoted(text) => format!("{text:?}"),
            Value::List(items) => format!("{:?}", items.iter().map(of).collect::<Vec<_>>()),
            Value::Map(entries) => {
                format!("{:?}", entries.iter().map(|(k, v)| (of(k), of(v))).collect::<Vec<_>>())
            }
        }
    }
    parse(text).ok().map(|node| of(&node))
}

/// How many slips stop the parser, and those whose cure is in another line or does not restore the document.
fn graded(text: &str) -> (usize, Vec<String>) {
    let (mut stopped, mut wrong) = (0, Vec::new());
    for (line, slip) in slips(text) {
        let Some(error) = Parser::new_from_str(&slip).find_map(Result::err) else { continue };
        stopped += 1;
        let cure = best(&slip, error.marker().line());
        let advised = |cure: &Edit| slip[..cure.place.start].matches('\n').count() + 1;
        if !cure
            .as_ref()
            .is_some_and(|cure| advised(cure) == line && meaning(&cure.apply(&slip)) == meaning(text))
        {
            let said = cure.map(|cure| format!("line {}: {}, {}", advised(&cure), cure.wrong, cure.help));
            wrong.push(format!("{:?}: {said:?}", slip.lines().nth(line - 1)));
        }
    }
    (stopped, wrong)
}

#[test]
fn every_slip_in_quickstart_is_cured() {
    let (stopped, wrong) = graded(include_str!("../../../../examples/quickstart/peering.yaml"));
    assert!(stopped > 150, "{stopped}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Some slips have two cures that are equally good, and the other one was meant.
#[test]
fn nearly_every_slip_elsewhere_is_cured() {
    for example in ["bidirectional", "network-only", "two-organisations", "gateway-on-consumer"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example).join("peering.yaml");
        let (stopped, wrong) = graded(&fs::read_to_string(&path).expect(example));
        assert!(wrong.len() * 50 <= stopped, "{example}: {} of {stopped}\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// Then the parser does not reach the end, but it gets further.
#[test]
fn the_first_of_two_slips_is_cured_first() {
    let text = "a: [b\nc: d\ne:\n   f: g\n  h: i\n";
    let cure = best(text, 2).expect("a cure");
    assert_eq!(cure.apply(text), "a: [b]\nc: d\ne:\n   f: g\n  h: i\n");
}
