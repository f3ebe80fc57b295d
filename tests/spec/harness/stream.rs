//! Running the program, and reading what it prints: what the tests of streams share.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use age::secrecy::ExposeSecret as _;
use serde_json::Value;
use tempfile::TempDir;

/// Both roles, as they are said on the command line.
pub(crate) const ROLES: [&str; 2] = ["consumer", "provider"];

/// The role on the other side.
pub(crate) fn peer(role: &str) -> &'static str {
    if role == "consumer" { "provider" } else { "consumer" }
}

/// The repository's own folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program, in an environment with nothing in it.
pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_argocd-peering"));
    program.env_clear();
    program
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()))
}

/// Runs a command that must succeed, and gives what it printed.
#[track_caller]
pub(crate) fn printed(command: &mut Command) -> String {
    let output = run(command);
    let notes = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {}\n{notes}", command.get_program().display(), output.status);
    String::from_utf8(output.stdout).expect("a stream is UTF-8")
}

/// A folder with a peering, and the identity that opens its sealed files.
pub(crate) struct Peering {
    /// The folder's own name.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// An age identity file.
    pub(crate) identity: PathBuf,
}

impl Peering {
    /// The peering in a folder. Without an identity of its own, quickstart's must open its files.
    pub(crate) fn at(folder: &Path) -> Self {
        let own = folder.join("demo-identity.txt");
        let shared = root().join("examples/quickstart/demo-identity.txt");
        Self {
            name: name_of(folder),
            folder: folder.to_owned(),
            identity: if own.is_file() { own } else { shared },
        }
    }

    /// Every peering that stands directly in a folder of `examples/`, by name.
    pub(crate) fn examples() -> Vec<Self> {
        let is_peering = |folder: &PathBuf| folder.join("peering.yaml").is_file();
        // a folder of peerings, such as a hub's, stands for them
        let members = |folder: PathBuf| {
            if is_peering(&folder) || !folder.is_dir() { vec![folder] } else { entries(&folder) }
        };
        let mut folders: Vec<PathBuf> =
            entries(&root().join("examples")).into_iter().flat_map(members).collect();
        folders.retain(is_peering);
        assert!(!folders.is_empty(), "there is no examples/*/peering.yaml");
        folders.iter().map(|folder| Self::at(folder)).collect()
    }

    /// The peering of the guide's manifests.
    pub(crate) fn guide() -> Self {
        Self::at(&root().join("tests/guide"))
    }

    /// `generate` for one side, as a person runs it.
    pub(crate) fn generate(&self, role: &str) -> Command {
        let mut program = program();
        program.arg("generate").arg(&self.folder).args(["--local", "--role", role]);
        program.arg("--identity-file").arg(&self.identity);
        program
    }

    /// One side's stream.
    #[track_caller]
    pub(crate) fn stream(&self, role: &str) -> String {
        printed(&mut self.generate(role))
    }

    /// What `peering.yaml` says.
    pub(crate) fn document(&self) -> Value {
        let file = self.folder.join("peering.yaml");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut documents = documents(&text);
        assert_eq!(documents.len(), 1, "{}: one document a file", file.display());
        documents.remove(0)
    }
}

/// A folder's entries, by name.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a folder's entry can be read").path()).collect();
    paths.sort();
    paths
}

/// A path's last part.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("a folder's entry has a name");
    name.to_str().expect("our files have plain names").to_owned()
}

/// A peering's folder that goes when it is dropped, with sealed files that a fresh identity opens.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    /// Seals a new seed and this kubeconfig for each of these pairs of clusters.
    pub(crate) fn new(pairs: &[(&str, &str)], kubeconfig: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str| folder.path().join(name);
        let identity = age::x25519::Identity::generate();
        fs::write(file("demo-identity.txt"), identity.to_string().expose_secret()).expect("it is written");
        fs::write(file("kubeconfig"), kubeconfig).expect("it is written");
        let seal = |command: &mut Command| {
            for (one, other) in pairs {
                command.arg("--clusters").arg(format!("{one},{other}"));
            }
            printed(command.args(["--recipient", &identity.to_public().to_string()]));
        };
        seal(program().args(["seed", "new"]).arg(file("peering.seed.age")));
        seal(
            program()
                .args(["seal", "kubeconfig"])
                .arg(file("kubeconfig"))
                .arg("--output")
                .arg(file("kubeconfig.age")),
        );
        Self(folder)
    }

    /// The peering that this document describes.
    pub(crate) fn peering(&self, document: &str) -> Peering {
        fs::write(self.0.path().join("peering.yaml"), document).expect("it is written");
        Peering::at(self.0.path())
    }
}

/// The documents of a text, read as Argo CD reads them: as YAML 1.1.
///
/// # Panics
/// When it is not YAML.
#[track_caller]
pub(crate) fn documents(text: &str) -> Vec<Value> {
    let options = serde_saphyr::options! { with_snippet: false, legacy_octal_numbers: true };
    serde_saphyr::from_multiple_with_options(text, options)
        .unwrap_or_else(|error| panic!("not YAML 1.1: {error}"))
}

/// An object's identity in a cluster. The version is no part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Id {
    /// Of an object. What it does not have is empty.
    pub(crate) fn of(object: &Value) -> Self {
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            group: text("/apiVersion").split_once('/').map_or("", |(group, _)| group).to_owned(),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }
}

/// `GatewayServer.networking.liqo.io liqo-tenant-rome/rome`
impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, kind, namespace, name } = self;
        formatter.write_str(kind)?;
        if !group.is_empty() {
            write!(formatter, ".{group}")?;
        }
        formatter.write_str(" ")?;
        if !namespace.is_empty() {
            write!(formatter, "{namespace}/")?;
        }
        formatter.write_str(name)
    }
}

/// The string at a place (RFC 6901), which must be there.
#[track_caller]
pub(crate) fn text_at<'v>(object: &'v Value, pointer: &str) -> &'v str {
    match object.pointer(pointer).and_then(Value::as_str) {
        Some(text) => text,
        None => panic!("{}: no string at {pointer}", Id::of(object)),
    }
}

/// An object's label, if it has it.
pub(crate) fn label<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object["metadata"]["labels"][key].as_str()
}

/// An object's annotation, if it has it.
pub(crate) fn annotation<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object["metadata"]["annotations"][key].as_str()
}

/// Where two values differ: paths, and what is different there. Keys that only one of them has are differences, too.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    differ("", expected, found, &mut differences);
    differences
}

fn differ(path: &str, expected: &Value, found: &Value, differences: &mut Vec<(String, String)>) {
    let difference = match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, expected) in expected {
                let path = format!("{path}.{key}");
                match found.get(key) {
                    Some(found) => differ(&path, expected, found, differences),
                    None => differences.push((path, "missing".to_owned())),
                }
            }
            let extra = found.keys().filter(|key| !expected.contains_key(*key));
            differences.extend(extra.map(|key| (format!("{path}.{key}"), "extra".to_owned())));
            return;
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                differ(&format!("{path}[{index}]"), expected, found, differences);
            }
            return;
        }
        (Value::Array(expected), Value::Array(found)) => {
            format!("expected {} item(s), found {}", expected.len(), found.len())
        }
        _ if expected == found => return,
        _ => format!("expected {}, found {}", shown(expected), shown(found)),
    };
    differences.push((path.to_owned(), difference));
}

/// A scalar as it is; of a map or a list only what it is.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
        scalar => scalar.to_string(),
    }
}
