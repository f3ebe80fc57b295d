//! `--format markdown`: what a comment on a pull request shows, and what it must not.

use crate::generated::{self, Made};
use crate::harness::{Outcome, Repository, Text, committed, lines, read, root};

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";
const PAGE: &str = "docs/howto/review-a-pull-request.md";

/// The page with the table that the program prints for its example.
pub(crate) fn made() -> Vec<Made> {
    let repository = Repository::new(FOLDER);
    let page = read(&root().join(PAGE));
    let (before, rest) = page
        .split_once("<!-- the table -->\n")
        .expect("where the table begins");
    let (_, after) = rest
        .split_once("<!-- its end -->\n")
        .expect("where it ends");
    let (_, change) = page.split_once("```diff\n").expect("the change");
    let lines = change.lines().take_while(|line| *line != "```");
    let [removed, added] = ['-', '+'].map(|sign| {
        lines
            .clone()
            .filter_map(move |line| line.strip_prefix(sign))
    });
    let mut count = 0;
    for (removed, added) in removed.zip(added) {
        // the consumer's and the provider's networks are the same line
        let text = read(&repository.root().join(DOCUMENT));
        let (text, last) = text
            .rsplit_once(removed)
            .unwrap_or_else(|| panic!("{removed} is not in the quickstart"));
        repository.write(DOCUMENT, format!("{text}{added}{last}"));
        count += 1;
    }
    assert_eq!(count, 1, "a port");
    let table = repository.diff(&[FOLDER, "--format", "markdown"]).run();
    table.ends(1);
    let text = format!(
        "{before}<!-- the table -->\n\n{}\n<!-- its end -->\n{after}",
        table.stdout
    );
    vec![Made {
        path: PAGE.to_owned(),
        text,
    }]
}

#[test]
fn the_page_has_the_table_that_is_printed() {
    generated::REVIEW.is_current();
}

/// What a cell of the table may have outside of code.
fn without_code(line: &str) -> String {
    let mut html = line.to_owned();
    while let Some((before, rest)) = html.split_once("<code>") {
        let (inside, after) = rest.split_once("</code>").expect("closed");
        assert!(
            inside.split("&#").skip(1).all(|it| it
                .split_once(';')
                .is_some_and(|(number, _)| number.bytes().all(|it| it.is_ascii_digit()))),
            "{inside}"
        );
        let plain: String = inside
            .split("&#")
            .map(|it| it.split_once(';').map_or(it, |(_, rest)| rest))
            .collect();
        assert!(
            plain.chars().all(|it| it.is_alphanumeric() || it == ' '),
            "{plain}"
        );
        html = format!("{before}{after}");
    }
    assert_eq!(html.matches('`').count() % 2, 0, "{line}");
    html.split('`').step_by(2).collect()
}

/// Everyone can open a pull request. Whatever is in its document, the table has four columns, and in each only our words.
#[test]
fn a_document_cannot_write_the_comment() {
    let repository = Repository::new(FOLDER);
    repository.edit(
        DOCUMENT,
        "  liqoVersion:",
        "  commonMetadata: { annotations: { a: x } }\n  liqoVersion:",
    );
    repository.commit();
    let clean = repository
        .diff(&[FOLDER, "--from", "HEAD~1", "--format", "markdown"])
        .run()
        .stdout;
    let plain: Vec<String> = clean.lines().map(without_code).collect();
    for line in lines(include_str!("nasty.txt")) {
        let text: String = serde_json::from_str(line).expect(line);
        repository.git(&["checkout", "-q", "."]);
        repository.edit(DOCUMENT, "{ a: x }", &format!("{{ a: \"{text}\" }}"));
        let outcome = repository
            .diff(&[FOLDER, "--from", "HEAD~1", "--format", "markdown"])
            .run();
        assert_eq!(outcome.code, Some(1), "{text}: {outcome}");
        for (line, clean) in outcome.stdout.lines().zip(&plain) {
            assert_eq!(&without_code(line), clean, "{text}: {line}");
            assert!(
                !line.starts_with('|') || line.matches('|').count() == 5,
                "{text}: {line}"
            );
        }
        assert_eq!(outcome.stdout.lines().count(), plain.len(), "{text}");
        assert!(
            !outcome.stdout.contains(['\u{1b}', '\u{202e}', '\u{2028}']),
            "{text}"
        );
    }
}

/// The same of what is a name: a folder, a sealed file.
#[test]
fn a_name_cannot_write_the_comment() {
    let folder = "peerings/@all `x` | <img src=x> ![a](b)";
    let repository = Repository::new(folder);
    repository.edit(&format!("{folder}/peering.yaml"), "mtu: 1340", "mtu: 1400");
    let outcome = repository.diff(&["peerings", "--format", "markdown"]).run();
    let headings: Vec<&str> = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with("### "))
        .collect();
    assert_eq!(headings.len(), 1, "{}", outcome.stdout);
    assert_eq!(without_code(headings[0]), "### ");
    assert!(
        outcome
            .stdout
            .lines()
            .map(without_code)
            .all(|line| !line.contains("@all"))
    );
}

/// A secret that was pushed by mistake is not repeated where everyone reads it.
#[test]
fn a_secret_in_a_document_is_masked() {
    let key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
    let repository = Repository::new(FOLDER);
    repository.edit(
        DOCUMENT,
        "  liqoVersion:",
        &format!("  commonMetadata: {{ annotations: {{ a: \"{key}\" }} }}\n  liqoVersion:"),
    );
    for format in ["text", "markdown"] {
        repository
            .diff(&[FOLDER, "--format", format])
            .run()
            .ends(1)
            .omits(&key[..20]);
    }
}

/// A comment of GitHub's has at most 65,536 characters. The first line counts all.
#[test]
fn a_comment_is_bounded() {
    let repository = Repository::new(FOLDER);
    let slices = (0..900).map(|number| format!("      - {{ name: s{number} }}\n"));
    repository.edit(
        DOCUMENT,
        "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }\n",
        &slices.collect::<Vec<_>>().concat(),
    );
    let outcome = repository.diff(&[FOLDER, "--format", "markdown"]).run();
    assert!(outcome.stdout.len() < 60_000, "{}", outcome.stdout.len());
    assert!(outcome.stdout.starts_with(
        "**Changes in 1 of 1 peering: 900 objects added, 1 object removed. This deletes data, widens rights.**"
    ));
    let last = outcome.stdout.lines().last().expect("a line");
    last.has(" more rows: ");
    let rows = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with("| consumer"))
        .count();
    assert!(
        last.starts_with(&format!("{} more", 901 - rows)),
        "{rows} rows: {last}"
    );
    let text = repository.diff(&[FOLDER]).run();
    assert_eq!(
        text.stdout
            .lines()
            .filter(|line| line.starts_with(['+', '-']))
            .count(),
        901
    );
    assert_eq!(
        outcome.stdout,
        repository
            .diff(&[FOLDER, "--format", "markdown"])
            .run()
            .stdout,
        "the same again"
    );
}

/// Whoever fills the comment with rows of one peering hides nothing worse of another.
#[test]
fn a_comment_that_is_cut_shows_the_worst_peering() {
    let repository = Repository::new(FOLDER);
    repository.copy_of_quickstart("peerings/turin");
    repository.commit();
    let slices = (0..900).map(|number| format!("      - {{ name: s{number} }}\n"));
    let slices = slices.collect::<Vec<_>>().concat();
    let list = "    resourceSlices:\n";
    repository.edit(DOCUMENT, list, &format!("{list}{slices}"));
    repository.edit("peerings/turin/peering.yaml", "        create: true\n", "");
    let outcome = repository.diff(&["peerings", "--format", "markdown"]).run();
    outcome.ends(1).prints(" more rows: ");
    outcome.prints("### `turin`").prints("**Deletes data.**");
}

/// A comment on twenty folders whose sealed files alone changed.
fn comment_of_resealed(name: impl Fn(usize) -> String) -> Outcome {
    let repository = Repository::new(FOLDER);
    let folders: Vec<String> = (0..20).map(name).collect();
    for folder in &folders {
        repository.copy_of_quickstart(folder);
    }
    repository.commit();
    for folder in &folders {
        repository.write(
            &format!("{folder}/peering.seed.age"),
            committed("examples/everything/peering.seed.age"),
        );
    }
    repository.diff(&[".", "--format", "markdown"]).run()
}

/// Their names are a list of their own, and each can be as long as it likes in HTML.
#[test]
fn a_comment_of_names_alone_is_bounded() {
    let outcome = comment_of_resealed(|number| format!("{}{number}", "`".repeat(200)));
    outcome.ends(1).prints("&#96;");
    assert!(
        outcome.stdout.contains(" more\n") && outcome.stdout.len() < 6_000,
        "{}",
        outcome.stdout.len()
    );
}

/// Each name is in backticks, with two characters before the next one: 4,000 for all, and one more for each.
#[test]
fn names_that_just_fit_are_all_shown() {
    let words = "a ".repeat(97);
    let fit = comment_of_resealed(|number| format!("{words}{number:02}"));
    fit.ends(1).prints(" 19`\n").omits(" more\n");
    let longer = comment_of_resealed(|number| format!("{words}{number:03}"));
    longer.ends(1).prints(" 018` and 1 more\n");
}
