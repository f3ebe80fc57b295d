//! Cases as scripts, in files that `cases.rs` plays: what is in a repository, what is run there, and what is seen then.
//!
//! A case begins with `== its name`, and ends at the next one; what stands before the first begins each of them, and `as FILE` is what
//! begins those of another file. It is played in a repository of its own, once for each `row` that it has; the row's words are
//! `$1`, `$2` and so on, and `$*` all of them. Rows that are written `each` are played one after the other in the same repository.
//! `let NAME TEXT` makes `$NAME`, and `$*NAME` for the text's words; `$IDENTITY`, `$RECIPIENT`, `$TODAY`, `$SOURCE` (this
//! project's folder) and `$ROOT` (the repository's) are there. Words are written as in [`super::table`]; a `TEXT` is the rest of its
//! line, or JSON; `| ` begins a line of the text of the step above it.
//!
//! | step | |
//! |---|---|
//! | `put FILE TEXT` | a file, also by lines of its text |
//! | `edit FILE FROM TO …` | with another text where one is, which must be there once |
//! | `change FILE …` | with the changes of [`changed`] |
//! | `copy FROM TO`, `move FROM TO`, `remove PATH`, `folder PATH`, `fifo PATH`, `chmod 600 FILE`, `link TARGET PATH` | as `cp`, `mv`, `rm`, `mkdir`, `mkfifo`, `chmod`, `ln -s` do |
//! | `git WORD …`, `commit` | git there, and all that is there as a commit |
//! | `ask NAME WORD …` | `$NAME` is what git prints |
//! | `program NAME` | a program in the first folder of `PATH`, by its lines |
//! | `team NEEDS FLAG …`, `quickstart` | in place of the repository, a [`Team`] with the files that it needs, sealed with these flags, or with the \
//! quickstart's. Paths are then those below its folder, and `~/` those beside its checkout (`$HOME`, `$CHECKOUT`); lines are as a person types them there, and `$TO` is its recipient |
//! | `provider` | a [`Provider`], with `@/` for its files: each run that follows has its `kubectl` |
//! | `clusters`, `clusters FROM TO`, `clusters FILE` | the recorded clusters of the quickstart, of it with another text in its document, or of a document |
//! | `live CHANGE`, `unasked CONTEXT` | a change of them, as `command/doctor/found.txt` says; a context that `doctor` is not given |
//! | `sealed FILE TEXT` | a text as whoever knows the recipient can seal it |
//! | `identity NAME FILE` | a new identity, and `$NAME` is its recipient |
//! | `base64 NAME FILE …`, `json NAME FILE` | `$NAME` is the files in base64, or a file as a string of JSON |
//! | `token NAME JSON` | `$NAME` is a token with these claims that nobody signed; `@30` is in 30 days, `@30m` in 30 minutes |
//! | `within PATH`, `env NAME VALUE` | of the runs that follow |
//! | `$ WORD …` | the program runs with these words; it ends with 0, or one of the next two says otherwise |
//! | `$$ WORD …` | the same, with `--expect` where a first run asks for it |
//! | `app PROJECT ROLE WORD …` | Argo CD runs it for an Application of the team's folder; a word is a variable `NAME=VALUE`, one that is not \
//! there, `-NAME`, or an argument |
//! | `doctor FLAG …` | `doctor` of these clusters |
//! | `finds LINE … WORDS` | it found this first, with its help |
//! | `exit N` | how it ended |
//! | `fails N CODE TEXT` | the same with an error, of which the text is a part, and nothing on standard output |
//! | `says TEXT`, `silent TEXT`, `said N TEXT` | standard error has it, has it not, has it so many times |
//! | `prints TEXT`, `omits TEXT`, `printed N TEXT` | the same of standard output |
//! | `order WORDS …` | they are shown one after the other, on one of the two |
//! | `is TEXT`, `begins TEXT`, `ends TEXT` | all of standard output, its beginning, its end |
//! | `at POINTER JSON` | a value of standard output, which is JSON (RFC 6901); without one, it is not there, and what would have it is |
//! | `has FILE TEXT`, `lacks FILE TEXT`, `found N FILE TEXT`, `starts FILE TEXT` | the same of a file |
//! | `inside FILE MARK WORDS …` | a file has them after a mark |
//! | `same FILE FILE`, `unlike FILE FILE` | two files have the same bytes, or not |
//! | `mode FILE 600` | who may read and write it |
//! | `there PATH`, `gone PATH` | a file or a folder is there; it is not, and the folder that would have it is |
//! | `only FOLDER PATH …` | these are all the files and empty folders below a folder, by path |
//! | `take NAME FILE TEXT` | `$NAME` is the rest of a line after the text, in a file or, for `-`, of what the run showed |
//! | `printed-to FILE`, `said-to FILE` | standard output or error of the last run is written there |
//! | `keep`, `kept` | all files are what they were at `keep` |
//!
//! A step that cannot fail ends the case: one that looks for an empty text, or for a `$NAME` that nothing has made.

mod seen;
mod stage;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::stage::Stage;
pub(crate) use self::stage::copy;
#[cfg(doc)]
use super::{changed, provider::Provider, team::Team};
use super::{committed, words};

/// Steps whose last word is the rest of the line, by how many words are before it.
const TEXTS: [&str; 3] = [
    "live finds says silent prints omits is begins ends",
    "put let said printed at has lacks starts program env sealed token",
    "fails found take",
];

#[derive(Default)]
struct Case {
    name: String,
    steps: Vec<Step>,
    rows: Vec<Vec<String>>,
    /// Whether all rows are played in one repository.
    is_together: bool,
}

struct Step {
    /// Where it is written.
    place: String,
    verb: String,
    words: Vec<String>,
}

/// Plays each case of a file of `tests/spec`, and names those that fail by their lines.
#[track_caller]
pub(crate) fn play(file: &str) {
    let cases = cases(file);
    let (begin, cases) = cases.split_first().expect("what begins each");
    assert!(!cases.is_empty(), "{file} has no case");
    let mut failed = Vec::new();
    for case in cases {
        let rows = case.rows.iter().map(Vec::as_slice);
        let plays: Vec<Vec<&[String]>> = if case.rows.is_empty() {
            vec![vec![&[]]]
        } else if case.is_together {
            vec![rows.collect()]
        } else {
            rows.map(|row| vec![row]).collect()
        };
        for rows in plays {
            let last = Cell::new(("", rows[0]));
            let play = || {
                let mut stage = Stage::new();
                let begin = (rows[0], &begin.steps);
                let all = rows.iter().map(|row| (*row, &case.steps));
                for (row, steps) in std::iter::once(begin).chain(all) {
                    stage.row = row.to_vec();
                    let steps = steps.iter();
                    stage.play(steps.inspect(|step| last.set((&step.place, row))));
                }
                stage.was_judged();
            };
            if catch_unwind(AssertUnwindSafe(play)).is_err() {
                let (place, row) = last.get();
                failed.push(format!("{place}: {} {row:?}", case.name));
            }
        }
    }
    assert!(
        failed.is_empty(),
        "these fail, each as is said above:\n{}",
        failed.join("\n")
    );
}

fn cases(file: &str) -> Vec<Case> {
    let path = format!("tests/spec/{file}");
    cases_of(&path, &committed(&path))
}

fn cases_of(path: &str, text: &str) -> Vec<Case> {
    let mut cases = vec![Case::default()];
    for (index, line) in text.lines().enumerate() {
        let case = cases.last_mut().expect("there is one");
        match line.split_once(' ').unwrap_or((line, "")) {
            ("" | "#", _) => {}
            ("as", other) => case.steps = self::cases(other).remove(0).steps,
            ("==", name) => cases.push(Case {
                name: name.to_owned(),
                ..Case::default()
            }),
            ("row" | "each", rest) => {
                case.rows.push(words(rest));
                case.is_together = line.starts_with("each");
            }
            ("|", rest) => {
                let step = case.steps.last_mut().expect("a step that has a text");
                step.words
                    .last_mut()
                    .expect("a text")
                    .push_str(&format!("{rest}\n"));
            }
            (verb, rest) => case.steps.push(Step {
                place: format!("{path}:{}", index + 1),
                verb: verb.to_owned(),
                words: words_of(verb, rest),
            }),
        }
    }
    cases
}

fn words_of(verb: &str, rest: &str) -> Vec<String> {
    let is_of = |verbs: &&str| verbs.split(' ').any(|it| it == verb);
    let Some(before) = TEXTS.iter().position(is_of) else {
        return words(rest);
    };
    let mut words: Vec<String> = rest
        .splitn(before + 1, ' ')
        .map(ToOwned::to_owned)
        .collect();
    words.resize(before + 1, String::new());
    let text = words.last_mut().expect("a text");
    match serde_json::from_str::<String>(text) {
        // what `at` looks for is JSON itself
        Ok(json) if verb != "at" => *text = json,
        _ => {}
    }
    words
}

/// Whoever misspells a step learns it, also where what is looked for must not be there.
#[test]
fn a_step_that_cannot_fail_is_refused() {
    let play = |step: &str| {
        let cases = cases_of("a case", &format!("folder a/b\n$ schema\n{step}\n"));
        let play = || Stage::new().play(cases[0].steps.iter());
        catch_unwind(AssertUnwindSafe(play)).is_ok()
    };
    for step in ["gone a/c", "only a b", "at /c", "silent $ROOT", "order { }"] {
        assert!(play(step), "{step}");
    }
    let empty = [
        "says",
        "said 1",
        "prints",
        "printed 1",
        "begins",
        "ends",
        "order",
        "order {",
        "take A -",
    ];
    let misspelt = [
        "silent $ROOTS",
        "omits $OTHER",
        "silent a $*OTHER",
        "$ schema $*OTHER",
        "only a",
        "gone c/b",
        "at /c/d",
        "silent $1",
    ];
    for step in empty.iter().chain(&misspelt) {
        assert!(!play(step), "{step}");
    }
}
