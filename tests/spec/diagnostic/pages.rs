//! The page of each code, which `argocd-peering explain` prints: `src/diagnostic/codes/<code>.md`.
//!
//! `docs/diagnostics.md` ends with the list of all of them.

use crate::generated::Made;
use crate::harness::library::{Code, Look, error_pages};
use crate::harness::{Run, Text, committed, corpus, entries, name_of, root};
use std::collections::BTreeSet;

/// The page that has the list.
const DOCUMENT: &str = "docs/diagnostics.md";

const FOLDER: &str = "src/diagnostic/codes";

/// What the list has of a page, and the lines that are tried: the wrong ones and the right ones.
struct Page<'p> {
    title: &'p str,
    lines: Option<(&'p str, &'p str)>,
}

impl<'p> Page<'p> {
    fn parse(page: &'p str) -> Option<Self> {
        let (heading, rest) = page.strip_prefix("# ")?.split_once("\n\n")?;
        let (_, title) = heading.split_once(": ")?;
        let lines = rest
            .split_once("\n\nWrong:\n\n```yaml\n")
            .and_then(|(_, lines)| {
                let (wrong, right) = lines.split_once("\n```\n\nRight:\n\n```yaml\n")?;
                Some((wrong, right.split_once("\n```\n")?.0))
            });
        Some(Self { title, lines })
    }
}

fn documents() -> impl Iterator<Item = (&'static str, &'static str)> {
    Code::ALL.iter().map(|code| (code.name(), code.page().text))
}

fn runs() -> impl Iterator<Item = (&'static str, &'static str)> {
    error_pages().into_iter().map(|page| (page.name, page.text))
}

#[test]
fn the_folder_has_the_codes_pages_and_no_other() {
    let codes: BTreeSet<String> = documents()
        .chain(runs())
        .map(|(code, _)| format!("{code}.md"))
        .collect();
    let files: BTreeSet<String> = entries(&root().join(FOLDER))
        .iter()
        .map(|file| name_of(file))
        .collect();
    assert_eq!(codes, files);
}

/// With the page comes where it is: a file of the repository, which the site shows under the same name.
#[test]
fn explain_says_where_the_page_is() {
    for (code, text) in [documents().next(), runs().next()].map(|it| it.expect("a code")) {
        let outcome = Run::new(["explain", code]).within("/").run();
        let rest = outcome
            .done()
            .strip_prefix(text)
            .unwrap_or_else(|| panic!("{outcome}"));
        let place = format!("{FOLDER}/{code}.md");
        assert_eq!(
            rest,
            format!("\nThis page: {place} and codes/{code}.html\n")
        );
        assert_eq!(committed(&place), text);
    }
}

/// The site's page of a code shows it as people see and search it: `.ci/site.py` takes the screens of the corpus.
#[test]
fn every_code_has_a_screen() {
    let run = committed("tests/diagnostics/run.md");
    for (code, _) in runs() {
        assert!(
            run.contains(&format!("\n## {code}: ")) || run.contains(&format!("\n## {code}\n")),
            "{code}"
        );
    }
    for (code, _) in documents() {
        committed(&format!("tests/diagnostics/{code}.md")).has(&format!("[{code}]: "));
    }
}

/// The wrong lines are an excerpt of the code's own document, and with the right lines in their place nothing is wrong
/// any more.
#[test]
fn every_page_mends_its_wrong_lines() {
    for (code, page) in documents() {
        let (wrong, right) = Page::parse(page).and_then(|page| page.lines).expect(code);
        let case = corpus::case(code);
        let mended = replaced(case.text(), wrong, right)
            .unwrap_or_else(|| panic!("{code}: the wrong lines are not in its document:\n{wrong}"));
        if let Err(error) = case.check_with(&mended) {
            panic!(
                "{code}: the right lines mend nothing\n{}",
                error.screen(Look::PLAIN)
            );
        }
    }
}

/// The text with other lines in the place of these, as deep as they are there.
fn replaced(text: &str, lines: &str, others: &str) -> Option<String> {
    (0..16).find_map(|depth| {
        let (lines, others) = (indented(lines, depth), indented(others, depth));
        let mut starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let (start, length) = [0]
            .into_iter()
            .chain(&mut starts)
            .find_map(|at| Some((at, excerpt(&text[at..], &lines)?)))?;
        Some(format!(
            "{}{others}{}",
            &text[..start],
            &text[start + length..]
        ))
    })
}

/// How long the lines are at the start of this text; `…` in them stands for the rest of a long value.
fn excerpt(text: &str, lines: &str) -> Option<usize> {
    let (head, tail) = lines.split_once('…').unwrap_or((lines, ""));
    let rest = text.strip_prefix(head)?;
    let length = if tail.is_empty() {
        0
    } else {
        rest.lines().next()?.strip_suffix(tail)?.len() + tail.len()
    };
    rest[length..]
        .starts_with('\n')
        .then_some(head.len() + length)
}

fn indented(text: &str, depth: usize) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("{}{line}", " ".repeat(depth)))
        .collect();
    lines.join("\n")
}

/// The pages of `doctor`'s checks: the finding, why, the command that shows it, the cure.
mod checks {
    use crate::harness::library::{Check, Code, error_pages};
    use crate::harness::run::Run;
    use crate::harness::{committed, entries, name_of, root};
    use std::collections::BTreeSet;

    const FOLDER: &str = "src/object/live/checks";

    /// What the page has a person type is often pasted into an issue.
    #[test]
    fn no_page_prints_the_data_of_a_secret() {
        for check in Check::ALL {
            let is_shown = |line: &str| {
                line.to_lowercase().contains("secret")
                    && ["-o yaml", "-o json"].iter().any(|it| line.contains(it))
            };
            assert!(!check.page().text.lines().any(is_shown), "{}", check.name());
        }
    }

    #[test]
    fn a_name_has_one_meaning() {
        let codes: BTreeSet<_> = Code::ALL
            .iter()
            .map(|code| code.name())
            .chain(error_pages().into_iter().map(|page| page.name))
            .collect();
        let twice: Vec<_> = Check::ALL
            .iter()
            .map(|check| check.name())
            .filter(|it| codes.contains(it))
            .collect();
        assert_eq!(twice, [""; 0], "a check and a code have one name");
        let names: BTreeSet<_> = Check::ALL
            .iter()
            .map(|check| format!("{}.md", check.name()))
            .collect();
        assert_eq!(
            names,
            entries(&root().join(FOLDER))
                .iter()
                .map(|file| name_of(file))
                .collect()
        );
    }

    #[test]
    fn explain_has_the_page_as_it_is_copied() {
        for copied in ["connection", "error[connection]:", "warning[connection]"] {
            let outcome = Run::new(["explain", copied]).within("/").run();
            let page = committed(&format!("{FOLDER}/connection.md"));
            let rest = outcome
                .done()
                .strip_prefix(page.as_str())
                .unwrap_or_else(|| panic!("{outcome}"));
            let place = format!("{FOLDER}/connection.md and checks/connection.html");
            assert_eq!(rest, format!("\nThis page: {place}\n"));
        }
    }

    /// All checks, as `doctor --list` prints them.
    pub(super) fn list() -> String {
        let listed = Run::new(["doctor", "--list"]).run();
        let line = |line: &str| match line.strip_prefix("  ").and_then(|it| it.split_once("  ")) {
            Some((name, title)) => {
                format!("- [`{name}`](../{FOLDER}/{name}.md): {}\n", title.trim())
            }
            None => format!("\n{}:\n\n", capitalised(line)),
        };
        listed.done().lines().map(line).collect()
    }

    fn capitalised(text: &str) -> String {
        let mut letters = text.chars();
        letters
            .next()
            .map(|it| it.to_uppercase().collect::<String>() + letters.as_str())
            .unwrap_or_default()
    }
}

const CHECKS: &str = "\n## All checks of `doctor`\n";

/// `docs/diagnostics.md` with the list of all pages, and of the checks of `doctor`.
pub(crate) fn made() -> Vec<Made> {
    const HEADING: &str = "\n## All codes\n";
    let text = committed(DOCUMENT);
    let (before, _) = text.split_once(HEADING).expect("the list is the last part");
    let line = |(code, page): (&str, &str)| {
        let title = Page::parse(page).map_or("", |page| page.title);
        format!("- [`{code}`](../{FOLDER}/{code}.md): {title}\n")
    };
    let (documents, runs): (String, String) =
        (documents().map(line).collect(), runs().map(line).collect());
    let list = format!("\nIn a peering.yaml:\n\n{documents}\nIn a run:\n\n{runs}");
    let checks = checks::list();
    vec![Made {
        path: DOCUMENT.to_owned(),
        text: format!("{before}{HEADING}{list}{CHECKS}{checks}"),
    }]
}

/// What the document shows of Argo CD and of the report is what the program prints.
#[test]
fn the_examples_of_the_document_are_true() {
    let brief = corpus::case("cidr-host-bits").error().brief();
    assert!(
        committed(DOCUMENT).contains(&format!("```text\n{brief}```\n")),
        "{brief}"
    );
}
