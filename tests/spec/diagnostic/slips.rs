//! Slips of the hand, made by machine in every line of an example: what is shown is one problem in the line of the slip, and
//! who does what its help says has the example again.

use crate::harness::library::{Diagnostic, diagnostics, is_same_peering, problems};
use crate::harness::{Sample, committed};

/// A line is indented by one or two more or less, or with tabs; or a dash, a colon, the space after them, a quote, a bracket
/// or a comma is left out. The number of the line, and the text.
fn slips(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut slips = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let code = line.split(" #").next().expect("the first");
        if code.trim().is_empty() || code.trim().starts_with('#') {
            continue;
        }
        let mut slip = |at: usize, removed: usize, inserted: &str| {
            let mut edited = (*line).to_owned();
            edited.replace_range(at..at + removed, inserted);
            let before_and_after =
                [&lines[..index], &[edited.as_str()], &lines[index + 1..]].concat();
            slips.push((index + 1, before_and_after.join("\n") + "\n"));
        };
        for spaces in ["  ", " "] {
            slip(0, 0, spaces);
            if line.starts_with(spaces) {
                slip(0, spaces.len(), "");
            }
        }
        let indent = line.len() - line.trim_start().len();
        if indent > 0 {
            slip(0, indent, &"\t".repeat(indent / 2));
        }
        for (at, _) in code.match_indices("- ") {
            slip(at, 2, "");
            slip(at, 2, "  ");
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
        for (at, _) in code.match_indices(['"', '[', ']', '{', '}', ',']) {
            slip(at, 1, "");
        }
    }
    slips
}

/// What a reader does who sees a problem and its help; nothing if the help is about something else.
fn advised(text: &str, problem: &Diagnostic) -> Option<String> {
    let place = problem.primary.span.start;
    let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
    let help = problem.help.as_deref()?;
    let mut edited = text.to_owned();
    if let Some(columns) = help.strip_prefix("indent it with ") {
        let (column, rest) = columns.split_once(" spaces, not ")?;
        let (column, was): (usize, usize) = (
            column.parse().ok()?,
            rest.split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse()
                .ok()?,
        );
        assert!(!rest.contains("block"), "a slip is in one line: {help}");
        edited.replace_range(line..line + was, &" ".repeat(column));
    } else if help == "write `- ` in place of two spaces" {
        edited.replace_range(place - 2..place, "- ");
    } else if help == "replace it with spaces" {
        let tabs = text[place..]
            .bytes()
            .take_while(|byte| *byte == b'\t')
            .count();
        edited.replace_range(place..place + tabs, &"  ".repeat(tabs));
    } else {
        let what = help.strip_prefix("put a ")?.strip_suffix(" here")?;
        edited.insert_str(
            place,
            if what == "space" {
                " "
            } else {
                what.trim_matches('`')
            },
        );
        if matches!(what, "`-`" | "`{`" | "`name:`") {
            edited.insert(place + what.len() - 2, ' ');
        }
    }
    Some(edited)
}

/// How many slips are problems, and those that are not told by their cause.
fn graded(text: &str, sample: &mut Sample) -> (usize, Vec<String>) {
    let (mut wrong, mut misled) = (0, Vec::new());
    for (line, slip) in slips(text).into_iter().filter(|_| sample.takes()) {
        let written = slip.lines().nth(line - 1).unwrap_or_default();
        let Err(error) = problems(&slip) else {
            assert!(
                is_same_peering(text, &slip),
                "another peering without a word: {written:?}"
            );
            continue;
        };
        wrong += 1;
        let found = diagnostics(error);
        let told = |it: &Diagnostic| {
            slip[..it.primary.span.start].matches('\n').count() + 1 == line
                && advised(&slip, it).is_some_and(|mended| is_same_peering(text, &mended))
        };
        if found.len() != 1 || !found.iter().all(told) {
            let said: Vec<_> = found
                .iter()
                .map(|it| (it.code.name(), &it.message, &it.help))
                .collect();
            misled.push(format!("line {line}: {written:?}: {said:?}"));
        }
    }
    (wrong, misled)
}

#[test]
fn every_slip_in_quickstart_is_told_by_its_cause() {
    let mut sample = Sample::new();
    let (wrong, misled) = graded(&committed("examples/quickstart/peering.yaml"), &mut sample);
    assert!(wrong > sample.share(250), "{wrong}");
    assert!(
        misled.is_empty(),
        "{} of {wrong}\n{}",
        misled.len(),
        misled.join("\n")
    );
}

/// Some slips have two cures that are equally good, and the other one was meant.
#[test]
fn nearly_every_slip_elsewhere_is_told_by_its_cause() {
    let mut sample = Sample::new();
    let (mut all, mut of_all) = (0, Vec::new());
    for example in [
        "bidirectional",
        "network-only",
        "two-organisations/consumer",
        "gateway-on-consumer",
    ] {
        let (wrong, misled) = graded(
            &committed(&format!("examples/{example}/peering.yaml")),
            &mut sample,
        );
        all += wrong;
        of_all.extend(misled.into_iter().map(|it| format!("{example}: {it}")));
    }
    assert!(
        of_all.len() * 40 <= all,
        "{} of {all}\n{}",
        of_all.len(),
        of_all.join("\n")
    );
}
