//! Cases as scripts, in files that `cases.rs` plays: what is in a repository, what is run there, and what is seen then.
//!
//! A case begins with `== its name`, and ends at the next one; what stands before the first begins each of them, and `as FILE` is what
//! begins those of another file. It is played in a repository of its own, once for each `row` that it has, of which [`Sample`]
//! takes some and at least one; its words are `$1`, `$2` and so on, and `$*` all of them. `let NAME TEXT` makes `$NAME`, and `$*NAME`
//! for the text's words; `$IDENTITY`, `$RECIPIENT`, `$TODAY`, `$SOURCE` (this project's folder) and `$ROOT` (the repository's) are
//! there. Words are written as in [`super::table`]; a `TEXT` is the rest of its line, or JSON; `| ` begins a line of the text of the step
//! above it.
//!
//! | step | |
//! |---|---|
//! | `put FILE TEXT` | a file, also by lines of its text |
//! | `edit FILE FROM TO …` | with another text where one is, which must be there once |
//! | `change FILE …` | with the changes of [`changed`] |
//! | `copy FROM TO`, `move FROM TO`, `remove PATH`, `folder PATH`, `link TARGET PATH` | as `cp`, `mv`, `rm`, `mkdir`, `ln -s` do |
//! | `git WORD …`, `commit` | git there, and all that is there as a commit |
//! | `ask NAME WORD …` | `$NAME` is what git prints |
//! | `program NAME` | a program in the first folder of `PATH`, by its lines |
//! | `within PATH`, `env NAME VALUE` | of the runs that follow |
//! | `$ WORD …` | the program runs with these words; it ends with 0, or one of the next two says otherwise |
//! | `$$ WORD …` | the same, with `--expect` where a first run asks for it |
//! | `exit N` | how it ended |
//! | `fails N CODE TEXT` | the same with an error, of which the text is a part, and nothing on standard output |
//! | `says TEXT`, `silent TEXT`, `said N TEXT` | standard error has it, has it not, has it so many times |
//! | `prints TEXT`, `omits TEXT`, `printed N TEXT` | the same of standard output |
//! | `order WORDS …` | they are shown one after the other, on one of the two |
//! | `is TEXT`, `begins TEXT`, `ends TEXT` | all of standard output, its beginning, its end |
//! | `at POINTER JSON` | a value of standard output, which is JSON (RFC 6901); without one, it is not there, and what would have it is |
//! | `has FILE TEXT`, `lacks FILE TEXT`, `found N FILE TEXT`, `starts FILE TEXT` | the same of a file |
//! | `inside FILE MARK WORDS …` | a file has them after a mark |
//! | `same FILE FILE` | two files have the same bytes |
//! | `there PATH`, `gone PATH` | a file or a folder is there; it is not, and the folder that would have it is |
//! | `only FOLDER PATH …` | these are all the files and empty folders below a folder, by path |
//! | `take NAME FILE TEXT` | `$NAME` is the rest of a line after the text, in a file or, for `-`, on standard error |
//! | `printed-to FILE`, `said-to FILE` | standard output or error of the last run is written there |
//! | `keep`, `kept` | all files are what they were at `keep` |
//!
//! A step that cannot fail ends the case: one that looks for an empty text, or for a `$NAME` that nothing has made.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    Outcome, RECIPIENT, Repository, Sample, Text as _, changed, committed, demo_identity, entries,
    files_below, machine, put, read, replaced, today, words,
};

/// Steps whose last word is the rest of the line, by how many words are before it.
const TEXTS: [&str; 3] = [
    "says silent prints omits is begins ends",
    "put let said printed at has lacks starts program env",
    "fails found take",
];

/// Steps whose last word is looked for: an empty text is everywhere.
const SEARCHES: [&str; 14] = [
    "says", "silent", "said", "prints", "omits", "printed", "order", "begins", "ends", "has",
    "lacks", "found", "starts", "take",
];

#[derive(Default)]
struct Case {
    name: String,
    steps: Vec<Step>,
    rows: Vec<Vec<String>>,
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
        let once = [Vec::new()];
        let rows = if case.rows.is_empty() {
            &once
        } else {
            &case.rows[..]
        };
        for row in Sample::of_written().of(rows) {
            let last = Cell::new("");
            let steps = begin
                .steps
                .iter()
                .chain(&case.steps)
                .inspect(|step| last.set(&step.place));
            if catch_unwind(AssertUnwindSafe(|| Stage::new(row).play(steps))).is_err() {
                failed.push(format!("{}: {} {row:?}", last.get(), case.name));
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
            ("row", rest) => case.rows.push(words(rest)),
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

/// A repository in which a case is played.
struct Stage<'r> {
    repository: Repository,
    row: &'r [String],
    /// What is written for each name, without the `$`.
    names: BTreeMap<String, String>,
    folder: PathBuf,
    variables: Vec<(String, String)>,
    /// The last run, and whether how it ended was looked at.
    outcome: Option<Outcome>,
    is_judged: bool,
    kept: BTreeMap<PathBuf, Vec<u8>>,
}

impl<'r> Stage<'r> {
    fn new(row: &'r [String]) -> Self {
        let repository = Repository::empty();
        let root = repository.root();
        let names = [
            ("IDENTITY", demo_identity("").display().to_string()),
            ("RECIPIENT", RECIPIENT.to_owned()),
            ("TODAY", today()),
            ("SOURCE", super::root().display().to_string()),
            ("ROOT", root.display().to_string()),
        ];
        Self {
            repository,
            row,
            names: names.map(|(name, value)| (name.to_owned(), value)).into(),
            folder: root,
            variables: Vec::new(),
            outcome: None,
            is_judged: true,
            kept: BTreeMap::new(),
        }
    }

    fn play<'s>(mut self, steps: impl Iterator<Item = &'s Step>) {
        for step in steps {
            // a name is filled in where it is used, so that a path with a space is one word
            if let ("let", [name, text]) = (step.verb.as_str(), &step.words[..]) {
                self.names.insert(name.clone(), text.clone());
                continue;
            }
            let words: Vec<String> = step
                .words
                .iter()
                .flat_map(|word| self.filled(word))
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let verb = step.verb.as_str();
            let is_vain =
                SEARCHES.contains(&verb) && words.last().is_none_or(|text| text.is_empty());
            assert!(!is_vain, "`{verb}` looks for nothing");
            let is_done = self.prepares(verb, &words)
                || self.runs(verb, &words)
                || self.finds(verb, &words)
                || self.hears(verb, &words);
            assert!(is_done, "no step is `{verb}` with {words:?}");
        }
        self.was_judged();
    }

    /// The words that a written one stands for. What a row does not have is left out.
    fn filled(&self, word: &str) -> Vec<String> {
        if let Some(name) = word.strip_prefix("$*") {
            self.has_names(word);
            let words = self
                .names
                .get(name)
                .map_or_else(|| self.row.to_vec(), |text| words(text));
            return words.iter().flat_map(|word| self.filled(word)).collect();
        }
        let number = word
            .strip_prefix('$')
            .and_then(|it| it.parse::<usize>().ok());
        if number.is_some_and(|number| number > self.row.len()) {
            Vec::new()
        } else {
            vec![self.text_of(word)]
        }
    }

    /// A word with the texts of the names in it.
    fn text_of(&self, word: &str) -> String {
        let row = self.row.iter().enumerate();
        let word = row.fold(word.to_owned(), |word, (at, text)| {
            word.replace(&format!("${}", at + 1), text)
        });
        self.has_names(&word);
        // the longer of two names first
        self.names.iter().rev().fold(word, |word, (name, text)| {
            let name = format!("${name}");
            if word.contains(&name) {
                word.replace(&name, &self.text_of(text))
            } else {
                word
            }
        })
    }

    /// A `$NAME` that nothing has made would be looked for as it is written.
    fn has_names(&self, text: &str) {
        for rest in text.split('$').skip(1) {
            let rest = rest.strip_prefix('*').unwrap_or(rest);
            let end = rest
                .find(|c: char| !c.is_ascii_uppercase() && c != '_')
                .unwrap_or(rest.len());
            let name = &rest[..end];
            assert!(
                name.is_empty() || self.names.contains_key(name),
                "nothing has made ${name}"
            );
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.repository.root().join(path)
    }

    /// A step that changes what is there.
    fn prepares(&mut self, verb: &str, words: &[&str]) -> bool {
        match (verb, words) {
            ("put", [file, text]) => put(self.at(file), text),
            ("edit", [file, changes @ ..]) if !changes.is_empty() => {
                let text = changes.chunks(2).fold(read(&self.at(file)), |text, it| {
                    replaced(&text, it[0], it[1])
                });
                put(self.at(file), text);
            }
            ("change", [file, changes @ ..]) => {
                let changes: Vec<String> = changes.iter().map(|it| (*it).to_owned()).collect();
                let before = fs::read_to_string(self.at(file)).unwrap_or_default();
                let after = changed(&before, &changes);
                assert_ne!(before, after, "nothing changes");
                put(self.at(file), after);
            }
            ("copy", [from, to]) => copy(&self.at(from), &self.at(to)),
            ("move", [from, to]) => {
                let to = self.at(to);
                fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
                fs::rename(self.at(from), to).expect("moved");
            }
            ("remove", [path]) if self.at(path).is_dir() => {
                fs::remove_dir_all(self.at(path)).expect("removed");
            }
            ("remove", [path]) => fs::remove_file(self.at(path)).expect("removed"),
            ("folder", [path]) => fs::create_dir_all(self.at(path)).expect("a folder"),
            ("link", [target, path]) => {
                std::os::unix::fs::symlink(target, self.at(path)).expect("a link");
            }
            ("ask", [name, words @ ..]) => {
                self.names
                    .insert((*name).to_owned(), self.repository.git(words));
            }
            ("git", words) => _ = self.repository.git(words),
            ("commit", []) => self.repository.commit(),
            ("program", [name, text]) => machine::script(&self.programs().join(name), text),
            ("within", [path]) => self.folder = self.at(path),
            ("env", [name, value]) => self
                .variables
                .push(((*name).to_owned(), (*value).to_owned())),
            ("keep", []) => self.kept = files(&self.repository.root()),
            _ => return false,
        }
        true
    }

    fn programs(&self) -> PathBuf {
        self.repository.temp().join("bin")
    }

    /// A step that runs the program.
    fn runs(&mut self, verb: &str, words: &[&str]) -> bool {
        if !matches!(verb, "$" | "$$") {
            return false;
        }
        self.was_judged();
        let run = |words: &[&str]| {
            let path = std::env::var("PATH").expect("a PATH");
            let path = format!("{}:{path}", self.programs().display());
            let run = self
                .repository
                .command(words)
                .within(&self.folder)
                .env("PATH", path);
            self.variables
                .iter()
                .fold(run, |run, (name, value)| run.env(name, value))
                .run()
        };
        let mut outcome = run(words);
        if let Some(digest) = outcome.expected().filter(|_| verb == "$$") {
            outcome = run(&[words, &["--expect", digest]].concat());
        }
        (self.outcome, self.is_judged) = (Some(outcome), false);
        true
    }

    /// A run that nothing else is said of went well.
    fn was_judged(&self) {
        if let Some(outcome) = self.outcome.as_ref().filter(|_| !self.is_judged) {
            outcome.done();
        }
    }

    /// A step that looks at what is there.
    fn finds(&mut self, verb: &str, words: &[&str]) -> bool {
        let file = |path: &str| read(&self.at(path));
        match (verb, words) {
            ("has", [path, text]) => _ = file(path).has(text),
            ("lacks", [path, text]) => _ = file(path).lacks(text),
            ("starts", [path, text]) => {
                assert!(file(path).starts_with(text), "{text}:\n{}", file(path));
            }
            ("found", [count, path, text]) => {
                assert_eq!(
                    file(path).matches(text).count(),
                    number(count),
                    "{text}\n{}",
                    file(path)
                );
            }
            ("inside", [path, mark, parts @ ..]) if !parts.is_empty() => {
                let text = file(path);
                let (_, after) = text
                    .split_once(mark)
                    .unwrap_or_else(|| panic!("no {mark:?}:\n{text}"));
                for part in parts {
                    after.has(part);
                }
            }
            ("same", [one, other]) => assert_eq!(file(one), file(other)),
            ("only", [folder, names @ ..]) => {
                let folder = self.at(folder);
                let mut below = leaves(&folder);
                below.sort();
                assert_eq!(
                    below,
                    names
                        .iter()
                        .map(|name| folder.join(name))
                        .collect::<Vec<_>>()
                );
            }
            ("there", [path]) => assert!(
                self.at(path).symlink_metadata().is_ok(),
                "{path} is not there"
            ),
            ("gone", [path]) => {
                let path = self.at(path);
                assert!(
                    path.parent().is_some_and(Path::is_dir),
                    "nothing can be at {}",
                    path.display()
                );
                assert!(
                    path.symlink_metadata().is_err(),
                    "{} is there",
                    path.display()
                );
            }
            ("kept", []) => assert!(
                self.kept == files(&self.repository.root()),
                "a file has changed"
            ),
            ("take", [name, path, text]) if *path != "-" => self.takes(name, &file(path), text),
            _ => return false,
        }
        true
    }

    fn takes(&mut self, name: &str, all: &str, text: &str) {
        let (_, rest) = all
            .split_once(text)
            .unwrap_or_else(|| panic!("no {text:?}:\n{all}"));
        self.names.insert(
            name.to_owned(),
            rest.lines().next().unwrap_or_default().to_owned(),
        );
    }

    /// A step that looks at the last run.
    fn hears(&mut self, verb: &str, words: &[&str]) -> bool {
        let outcome = self.outcome.as_ref().expect("a run");
        let (shown, said) = (&outcome.stdout, &outcome.stderr);
        let code = |word: &str| word.parse().expect("a number");
        match (verb, words) {
            ("exit", [expected]) => _ = outcome.ends(code(expected)),
            ("fails", [expected, error, text]) => {
                _ = outcome.fails(code(expected), error).says(text);
            }
            ("says", [text]) => _ = outcome.says(text),
            ("silent", [text]) => _ = outcome.silent_on(text),
            ("said", [count, text]) => {
                assert_eq!(
                    said.matches(text).count(),
                    number(count),
                    "{text}: {outcome}"
                );
            }
            ("prints", [text]) => _ = outcome.prints(text),
            ("omits", [text]) => _ = outcome.omits(text),
            ("printed", [count, text]) => {
                assert_eq!(
                    shown.matches(text).count(),
                    number(count),
                    "{text}: {outcome}"
                );
            }
            ("order", parts @ [_, _, ..]) => {
                let all = outcome.everything();
                let place = |part: &&str| {
                    all.find(part)
                        .unwrap_or_else(|| panic!("{part}: {outcome}"))
                };
                assert!(parts.iter().map(place).is_sorted(), "{parts:?}: {outcome}");
            }
            ("is", [text]) => assert_eq!(shown, text, "{outcome}"),
            ("begins", [text]) => assert!(shown.starts_with(text), "{text}: {outcome}"),
            ("ends", [text]) => assert!(shown.ends_with(text), "{text}: {outcome}"),
            ("at", [pointer, json]) => {
                let expected: Option<Value> =
                    (!json.is_empty()).then(|| serde_json::from_str(json).expect("JSON"));
                let (json, (above, _)) =
                    (outcome.json(), pointer.rsplit_once('/').expect("a pointer"));
                assert!(
                    json.pointer(above).is_some(),
                    "nothing can be at {pointer}: {outcome}"
                );
                assert_eq!(
                    json.pointer(pointer),
                    expected.as_ref(),
                    "{pointer}: {outcome}"
                );
            }
            ("printed-to", [path]) => put(self.at(path), shown),
            ("said-to", [path]) => put(self.at(path), said),
            ("take", [name, _, text]) => {
                let said = said.clone();
                self.takes(name, &said, text);
            }
            _ => return false,
        }
        self.is_judged |= matches!(verb, "exit" | "fails");
        true
    }
}

fn number(word: &str) -> usize {
    word.parse()
        .unwrap_or_else(|_| panic!("{word} is no number"))
}

pub(crate) fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in entries(from) {
            copy(&entry, &to.join(super::name_of(&entry)));
        }
    } else {
        put(
            to,
            fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())),
        );
    }
}

/// All files below a folder, and the folders that have none.
fn leaves(folder: &Path) -> Vec<PathBuf> {
    let leaf = |path: PathBuf| match path.is_dir().then(|| leaves(&path)) {
        Some(below) if !below.is_empty() => below,
        _ => vec![path],
    };
    entries(folder).into_iter().flat_map(leaf).collect()
}

/// All files below a folder, also Git's own.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_below(folder, "").into_iter();
    files
        .map(|file| (file.clone(), fs::read(&file).unwrap_or_default()))
        .collect()
}

/// Whoever misspells a step learns it, also where what is looked for must not be there.
#[test]
fn a_step_that_cannot_fail_is_refused() {
    let play = |step: &str| {
        let cases = cases_of("a case", &format!("folder a/b\n$ schema\n{step}\n"));
        catch_unwind(AssertUnwindSafe(|| {
            Stage::new(&[]).play(cases[0].steps.iter());
        }))
        .is_ok()
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
