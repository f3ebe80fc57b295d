//! What the tests share.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The variables and the argument list by which Argo CD runs a plugin.
pub(crate) mod argocd;
/// The quickstart in a throw-away checkout, run as Argo CD does and as a person does.
pub(crate) mod checkout;
/// The corpus of wrong documents.
pub(crate) mod corpus;
/// Every way in which a run can fail, as values.
pub(crate) mod failures;
/// What the library says: the only place where its paths are written.
pub(crate) mod library;
/// Liqo's custom resource definitions.
pub(crate) mod liqo;
/// What the tests need of the machine: programs, and files that are not regular ones.
pub(crate) mod machine;
/// Documents with one change each.
pub(crate) mod mutants;
/// The objects of a stream.
pub(crate) mod objects;
/// Folders with a peering, and the identity that opens their sealed files: the examples, and changed copies of them.
pub(crate) mod peering;
pub(crate) mod provider;
/// A Git repository with peerings.
pub(crate) mod repository;
/// One run of the program, and how it ended.
pub(crate) mod run;
/// Some of very many cases.
pub(crate) mod sample;
/// Cases as scripts.
pub(crate) mod script;
/// Sealed files of every kind, also those that the program itself would never make.
pub(crate) mod seal;
/// Tables of cases, as files.
pub(crate) mod table;
/// A team with a peering, its Argo CD and its operator's files.
pub(crate) mod team;
/// The program with a terminal for its standard error.
pub(crate) mod terminal;
pub(crate) mod traces;

pub(crate) use self::checkout::{
    Checkout, PATH, RECIPIENT, REPO, copy_of, demo_identity, document, edited, quickstart,
};
pub(crate) use self::objects::{Id, annotation, differences, documents, label, only, text_at};
pub(crate) use self::peering::{KUBECONFIG, Peering, kubeconfig};
pub(crate) use self::repository::Repository;
pub(crate) use self::run::{Outcome, Run, ended, program};
pub(crate) use self::sample::Sample;
pub(crate) use self::seal::{
    SEED, age_file, demo, identity, kubeconfig_payload, opened, passphrase_file, sealed,
    seed_payload, terms,
};
pub(crate) use self::table::{changed, lines, parts, rows, words};
pub(crate) use self::terminal::{Seen, Terminal};

/// Both roles, as they are written on the command line.
pub(crate) const ROLES: [&str; 2] = ["consumer", "provider"];

/// The day in UTC, as the program writes it. A test that runs over midnight can see two.
pub(crate) fn today() -> String {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970");
    x509_cert::der::DateTime::from_unix_duration(since)
        .expect("a date")
        .to_string()[..10]
        .to_owned()
}

/// The role on the other side.
pub(crate) fn peer(role: &str) -> &'static str {
    if role == "consumer" {
        "provider"
    } else {
        "consumer"
    }
}

/// The repository's own folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the repository, as it is after an update.
pub(crate) fn committed(path: &str) -> String {
    crate::generated::settled();
    read(&root().join(path))
}

/// A file's text.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a file, in a folder that is made for it.
#[track_caller]
pub(crate) fn put(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, content))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// A folder's entries, by name.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a folder's entry can be read").path())
        .collect();
    paths.sort();
    paths
}

/// All files below a folder whose names end so, by path.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (folders, mut files): (Vec<_>, Vec<_>) =
        entries(folder).into_iter().partition(|it| it.is_dir());
    files.retain(|file| name_of(file).ends_with(ending));
    files.extend(
        folders
            .iter()
            .flat_map(|folder| files_below(folder, ending)),
    );
    files
}

/// A path's last part.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("a folder's entry has a name");
    name.to_str()
        .expect("our files have plain names")
        .to_owned()
}

/// In base64, as Kubernetes has the data of a Secret.
pub(crate) fn encoded(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

#[track_caller]
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("base64")
}

/// What a text says and what it does not, with all of it where it is otherwise.
pub(crate) trait Text {
    fn has(&self, words: &str) -> &Self;
    fn lacks(&self, words: &str) -> &Self;
}

impl Text for str {
    #[track_caller]
    fn has(&self, words: &str) -> &Self {
        assert!(self.contains(words), "`{words}` is not in:\n{self}");
        self
    }

    #[track_caller]
    fn lacks(&self, words: &str) -> &Self {
        assert!(!self.contains(words), "`{words}` is in:\n{self}");
        self
    }
}

/// A JSON Schema of the repository.
pub(crate) struct Schema(jsonschema::Validator);

impl Schema {
    pub(crate) fn at(path: &str) -> Self {
        Self::of(&serde_json::from_str(&committed(path)).expect("JSON"))
    }

    pub(crate) fn of(schema: &Value) -> Self {
        jsonschema::meta::validate(schema).expect("a schema of its own draft");
        Self(jsonschema::validator_for(schema).expect("a schema"))
    }

    /// It refuses nothing of a value.
    #[track_caller]
    pub(crate) fn takes(&self, value: &Value) {
        let refused: Vec<String> = self
            .0
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect();
        assert!(refused.is_empty(), "{refused:?}\n{value:#}");
    }

    /// Whether it refuses nothing of a value.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }
}

/// A text with one part replaced, which must be in it once.
#[track_caller]
pub(crate) fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(
        text.matches(from).count(),
        1,
        "{from:?} must be there once:\n{text}"
    );
    text.replacen(from, to, 1)
}
