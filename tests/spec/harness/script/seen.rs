//! What is looked at after a step: files, and the last run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::{Text as _, entries, put, read};
use super::stage::{Stage, files};
use crate::command::doctor::finds_first;

impl Stage {
    /// A step that looks at what is there.
    pub(super) fn finds(&mut self, verb: &str, words: &[&str]) -> bool {
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
            ("unlike", [one, other]) => assert_ne!(file(one), file(other)),
            ("mode", [path, mode]) => {
                let found = fs::metadata(self.at(path))
                    .expect(path)
                    .permissions()
                    .mode();
                assert_eq!(format!("{:o}", found & 0o7777), *mode, "{path}");
            }
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
            ("kept", []) => assert!(self.kept == files(&self.at("")), "a file has changed"),
            ("take", [name, path, text]) if *path != "-" => self.takes(name, &file(path), text),
            _ => return false,
        }
        true
    }

    fn takes(&mut self, name: &str, all: &str, text: &str) {
        let (_, rest) = all
            .split_once(text)
            .unwrap_or_else(|| panic!("no {text:?}:\n{all}"));
        self.name(name, rest.lines().next().unwrap_or_default());
    }

    /// A step that looks at the last run.
    pub(super) fn hears(&mut self, verb: &str, words: &[&str]) -> bool {
        let outcome = self.outcome.as_ref().expect("a run");
        let (shown, said) = (&outcome.stdout, &outcome.stderr);
        let code = |word: &str| word.parse().expect("a number");
        match (verb, words) {
            ("exit", [expected]) => _ = outcome.ends(code(expected)),
            ("fails", [expected, error, text]) => {
                _ = outcome.fails(code(expected), error).says(text);
            }
            ("finds", [text]) => {
                let (line, words) = text.split_once(" … ").expect("a line and words");
                finds_first(outcome, line, words);
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
                let shown = outcome.everything();
                self.takes(name, &shown, text);
            }
            _ => return false,
        }
        self.is_judged |= matches!(verb, "exit" | "fails" | "finds");
        true
    }
}

fn number(word: &str) -> usize {
    word.parse()
        .unwrap_or_else(|_| panic!("{word} is no number"))
}

/// All files below a folder, and the folders that have none.
fn leaves(folder: &Path) -> Vec<PathBuf> {
    let leaf = |path: PathBuf| match path.is_dir().then(|| leaves(&path)) {
        Some(below) if !below.is_empty() => below,
        _ => vec![path],
    };
    entries(folder).into_iter().flat_map(leaf).collect()
}
