//! A newcomer's mistakes in the quickstart: each is mended by what its message says, and by nothing else.

use crate::harness::library::{Diagnostic, diagnostics, problems};
use crate::harness::{document, lines, words};

#[test]
fn the_quickstart_is_right() {
    assert!(problems(&document()).is_ok());
}

#[test]
fn each_mistake_is_mended_from_its_message_alone() {
    for line in lines(include_str!("mistakes.txt")) {
        let row = words(line);
        let [from, to, code, says, wrong, right] = &row[..] else {
            panic!("{line}")
        };
        let quickstart = document();
        assert!(quickstart.contains(from), "{from:?} is in the quickstart");
        let text = quickstart.replacen(from, to, 1);
        let found: Vec<Diagnostic> = diagnostics(problems(&text).expect_err(to));
        let said: Vec<String> = found
            .iter()
            .map(|it| {
                format!(
                    "{}: {}: {}",
                    it.code.name(),
                    it.message,
                    it.help.clone().unwrap_or_default()
                )
            })
            .collect();
        let first = found
            .iter()
            .find(|it| it.code.name() == code.as_str())
            .unwrap_or_else(|| panic!("{code}: {said:?}"));
        let said_first = format!(
            "{} {}",
            first.message,
            first.help.clone().unwrap_or_default()
        );
        assert!(
            said_first.contains(says),
            "{to:?}: `{says}` is not in: {said_first}"
        );
        // one mistake is not a page of errors
        assert!(found.len() <= 2, "{to:?}: {said:?}");
        // the place that is shown is the line of the fix
        let line = text
            .get(..first.primary.span.start)
            .map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
        let (before, rest) = text.split_at(line);
        assert!(
            rest.lines()
                .next()
                .is_some_and(|line| line.contains(wrong.lines().next().unwrap_or_default())),
            "{to:?}: the caret is at {rest:.60}"
        );
        let mended = format!("{before}{}", rest.replacen(wrong, right, 1));
        let again = problems(&mended);
        assert!(
            again.is_ok(),
            "{to:?}: still wrong after the fix:\n{again:?}"
        );
    }
}
