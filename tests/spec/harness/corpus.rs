//! The corpus of `tests/diagnostics`: wrong documents, each named after what is wrong with it.
//!
//! `<code>.yaml` or `<code>-<what>.yaml` is a document whose first problem has that code. A folder of that name holds
//! several documents that contradict each other. What is too large or too odd for a file is made here.

use std::fs;
use std::path::{Path, PathBuf};

use argocd_peering::argocd::environment::Environment;
use argocd_peering::cli::{Command, Format, Validate};
use argocd_peering::command::error::Error;
use argocd_peering::command::{Streams, run};
use argocd_peering::diagnostic::Code;
use argocd_peering::diagnostic::Source;
use argocd_peering::input::folder::{DOCUMENT, Folder};
use argocd_peering::peering::Material;
use argocd_peering::peering::values::Role;
use argocd_peering::rules;
use argocd_peering::stream::emit;
use argocd_peering::stream::{plan, render};

/// The folder, relative to the package, which is where Cargo runs tests. Relative, so that a screen has no path of
/// this machine.
pub(crate) const FOLDER: &str = "tests/diagnostics";

/// A document without any problem; each of the corpus is this one with a change.
pub(crate) const GOOD: &str = include_str!("../../diagnostics/good/peering.yaml");

/// One wrong thing.
pub(crate) struct Case {
    /// The stem of its file.
    pub(crate) name: String,
    pub(crate) input: Input,
}

pub(crate) enum Input {
    /// The bytes of a `peering.yaml`.
    Document(Vec<u8>),
    /// Documents that are valid one by one.
    Fleet(Vec<PathBuf>),
}

impl Case {
    fn document(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.to_owned(), input: Input::Document(bytes.into()) }
    }

    /// The code that the name begins with, the longest if there are several.
    pub(crate) fn code(&self) -> Option<Code> {
        let named = |code: &&Code| {
            self.name.strip_prefix(code.name()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let code = Code::ALL.iter().filter(named).max_by_key(|code| code.name().len());
        code.copied()
    }

    pub(crate) fn error(&self) -> Error {
        match &self.input {
            Input::Document(bytes) => check(bytes).expect_err(&self.name),
            Input::Fleet(paths) => check_all(paths).expect_err(&self.name),
        }
    }

    /// The document as text; of a fleet the last one, in which the problem is shown.
    pub(crate) fn text(&self) -> String {
        match &self.input {
            Input::Document(bytes) => String::from_utf8(bytes.clone()).expect("a document of the corpus"),
            Input::Fleet(paths) => read(paths.last().expect("a fleet has documents")),
        }
    }

    /// The same with the text of [`Self::text`] replaced.
    pub(crate) fn check_with(&self, text: &str) -> Result<(), Error> {
        match &self.input {
            Input::Document(_) => check(text.as_bytes()),
            Input::Fleet(paths) => {
                let folder = tempfile::tempdir().expect("a folder");
                let mut mended = Vec::new();
                for path in paths {
                    mended.push(folder.path().join(path.file_name().expect("a file")));
                    fs::copy(path, mended.last().expect("just pushed")).expect("a copy");
                }
                fs::write(mended.last().expect("a fleet has documents"), text).expect("written");
                check_all(&mended)
            }
        }
    }
}

/// What `generate --public` does with a `peering.yaml`, for both roles.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(DOCUMENT), bytes).expect("written");
    check_source(&Folder::new(folder.path()).read_document()?)
}

/// The same with what was read.
pub(crate) fn check_source(source: &Source) -> Result<(), Error> {
    streams(source).map(|_| ())
}

/// The consumer's and the provider's stream, without any identity.
pub(crate) fn streams(source: &Source) -> Result<[String; 2], Error> {
    let peering = rules::read(source)?;
    let stream = |role| -> Result<String, Error> {
        let plan = plan(&peering, role, &Material::public(&peering, role))?;
        let stream = render(&plan)?;
        emit::check(&stream, &plan)?;
        Ok(stream.to_string())
    };
    Ok([stream(Role::Consumer)?, stream(Role::Provider)?])
}

/// `argocd-peering validate` with these files.
fn check_all(paths: &[PathBuf]) -> Result<(), Error> {
    let arguments = Validate { paths: paths.to_vec(), format: Format::Text };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, notes: &mut notes, terminal: false };
    run(&Command::Validate(arguments), &Environment::default(), &mut streams)
}

/// The code of the first thing that is wrong.
pub(crate) fn first_code(error: &Error) -> &'static str {
    match error {
        Error::Document(invalid) => invalid.problems.iter().next().expect("a problem").code.name(),
        Error::Invalid { errors, .. } => first_code(errors.first().expect("an error")),
        other => other.code(),
    }
}

/// The whole corpus.
pub(crate) fn all() -> Vec<Case> {
    committed().into_iter().chain(generated()).collect()
}

/// Everything in the folder, sorted by name.
pub(crate) fn committed() -> Vec<Case> {
    let mut cases = Vec::new();
    for path in entries(Path::new(FOLDER)) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "good" | "run") {
                cases.push(Case { name, input: Input::Fleet(entries(&path)) });
            }
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            cases.push(Case { name, input: Input::Document(fs::read(&path).expect("a document")) });
        }
    }
    cases
}

/// What nobody would want to see in a file.
fn generated() -> Vec<Case> {
    let edited = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from:?} is in the good document");
        GOOD.replacen(from, to, 1)
    };
    let bomb = |levels: u32| {
        let level = |at: u32| match at {
            0 => "  a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned(),
            _ => format!("  a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 10].join(", ")),
        };
        (0..levels).map(level).collect::<String>()
    };
    let wrong_namespaces: Vec<String> =
        (0..200).map(|at| format!("      - name: Demo_{at:03}\n        clusters: thisPeer\n")).collect();
    let long_label = "x".repeat(60 * 1024);
    vec![
        Case::document("alias-bomb", edited("spec:\n", &format!("spec:\n{}", bomb(9)))),
        Case::document("syntax-10000-brackets", edited("[10.42.0.0/16]", &"[".repeat(10_000))),
        Case::document(
            "syntax-10000-nested-lists",
            edited("[10.42.0.0/16]", &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))),
        ),
        Case::document("cluster-id-60-kib", edited("clusterID: rome", &format!("clusterID: {long_label}"))),
        Case::document("syntax-60-kib-key", edited("spec:\n", &format!("spec:\n  {long_label}: 1\n"))),
        Case::document(
            "invalid-name-200-problems",
            edited("      - name: demo\n        clusters: thisPeer\n", &wrong_namespaces.concat()),
        ),
        Case::document("document-count-empty", ""),
        Case::document("syntax-nul", edited("rome-milan", "rome\0milan")),
        Case::document("syntax-control-character", edited("rome-milan", "rome\u{1}milan")),
        Case::document(
            "syntax-line-separator",
            edited("clusterID: rome", "\"cluster\u{2028}ID\": rome\n    clusterID: rome"),
        ),
        Case::document(
            "syntax-plain-line-separator",
            edited("clusterID: rome", "cluster\u{2028}ID: rome\n    clusterID: rome"),
        ),
        Case::document(
            "syntax-next-line-in-comment",
            edited("clusterID: rome", "clusterID: rome # once\u{85}  clusterID: turin"),
        ),
        Case::document("syntax-tab-alone", edited("  networking:\n", "\t\n  networking:\n")),
    ]
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
