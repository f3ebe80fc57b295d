//! Folders with a peering, and the identity that opens their sealed files: the examples, and changed copies of them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::checkout::demo_identity;
use super::library::Error;
use super::objects::documents;
use super::run::Run;
use super::{committed, entries, library, name_of, put, read, root, seal};

/// A kubeconfig with nothing special in it, which Liqo could use.
pub(crate) const KUBECONFIG: &str = "\
apiVersion: v1
kind: Config
current-context: c
clusters: [{name: k, cluster: {server: 'https://192.0.2.1:6443'}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
users: [{name: u, user: {token: abc}}]
";

/// The same with another token.
pub(crate) fn kubeconfig(token: &str) -> String {
    KUBECONFIG.replace("token: abc", &format!("token: {token}"))
}

/// A folder with a peering, and the identity that opens its sealed files.
#[derive(Clone)]
pub(crate) struct Peering {
    /// The folder's own name, or the example's of which it is a copy.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// An age identity file.
    pub(crate) identity: PathBuf,
    /// Of a copy, what goes with it.
    temp: Option<Rc<TempDir>>,
}

impl Peering {
    /// The peering in a folder. Without an identity of its own, quickstart's must open its files.
    pub(crate) fn at(folder: &Path) -> Self {
        let own = folder.join("demo-identity.txt");
        let of_example = demo_identity(&format!("{}-", name_of(folder)));
        let identities = [own, of_example, demo_identity("")];
        Self {
            name: name_of(folder),
            folder: folder.to_owned(),
            identity: identities
                .into_iter()
                .find(|it| it.is_file())
                .expect("an identity"),
            temp: None,
        }
    }

    /// An example by its path below `examples/`.
    pub(crate) fn example(path: &str) -> Self {
        Self::at(&root().join("examples").join(path))
    }

    /// The same with another identity.
    pub(crate) fn opened_by(self, identity: &Path) -> Self {
        Self {
            identity: identity.to_owned(),
            ..self
        }
    }

    /// Every peering that lies directly in a folder of `examples/`, by name; of a folder of peerings, such as a hub's, those.
    pub(crate) fn examples() -> Vec<Self> {
        let is_peering = |folder: &PathBuf| folder.join("peering.yaml").is_file();
        let members = |folder: PathBuf| {
            if is_peering(&folder) || !folder.is_dir() {
                vec![folder]
            } else {
                entries(&folder)
            }
        };
        let mut folders: Vec<PathBuf> = entries(&root().join("examples"))
            .into_iter()
            .flat_map(members)
            .collect();
        // the halves of a peering have one stream each
        folders.retain(|folder| {
            is_peering(folder) && !folder.starts_with(root().join("examples/two-organisations"))
        });
        folders.push(root().join("tests/two-organisations"));
        assert!(folders.len() > 12, "examples/*/peering.yaml: {folders:?}");
        folders.iter().map(|folder| Self::at(folder)).collect()
    }

    /// The peering of the guide's manifests.
    pub(crate) fn guide() -> Self {
        Self::at(&root().join("tests/guide"))
    }

    /// The peering that a document describes, with a seed and this kubeconfig sealed for these peerings, each of a consumer and a provider.
    pub(crate) fn sealed(pairs: &[[&str; 2]], kubeconfig: &str, document: &str) -> Self {
        let temp = crate::harness::machine::folder();
        let (identity, text) = seal::identity();
        let peerings = pairs
            .iter()
            .map(|[consumer, provider]| json!({ "consumer": consumer, "provider": provider }));
        let bind = json!({ "peerings": peerings.collect::<Vec<_>>() });
        let seed = seal::sealed_for(&identity, &seal::seed_payload(&bind));
        let kubeconfig = seal::sealed_for(&identity, &seal::kubeconfig_payload(kubeconfig, &bind));
        for (name, content) in [
            ("demo-identity.txt", text.as_bytes()),
            ("peering.seed.age", &seed),
            ("kubeconfig.age", &kubeconfig),
            ("peering.yaml", document.as_bytes()),
        ] {
            put(temp.path().join(name), content);
        }
        let peering = Self::at(temp.path());
        Self {
            temp: Some(Rc::new(temp)),
            ..peering
        }
    }

    /// A copy with another document, its files made in another order.
    pub(crate) fn edited(&self, edit: impl FnOnce(String) -> String) -> Self {
        let temp = crate::harness::machine::folder();
        for file in entries(&self.folder)
            .iter()
            .rev()
            .filter(|file| file.is_file())
        {
            fs::copy(file, temp.path().join(name_of(file))).expect("a copy");
        }
        let copy = Self {
            name: self.name.clone(),
            folder: temp.path().to_owned(),
            identity: self.identity.clone(),
            temp: Some(Rc::new(temp)),
        };
        copy.with(&edit(self.text()))
    }
    /// The same place with another document; it must be a copy.
    pub(crate) fn with(&self, document: &str) -> Self {
        assert!(
            self.temp.is_some(),
            "{}: the repository's own folder stays as it is",
            self.name
        );
        put(self.folder.join("peering.yaml"), document);
        self.clone()
    }

    /// The document.
    pub(crate) fn text(&self) -> String {
        read(&self.folder.join("peering.yaml"))
    }

    /// What the document says.
    pub(crate) fn document(&self) -> Value {
        let mut documents = documents(&self.text());
        assert_eq!(documents.len(), 1, "{}: one document a file", self.name);
        documents.remove(0)
    }

    /// The arguments of `generate` for one side, as a person runs it.
    pub(crate) fn arguments(&self, role: &str) -> [OsString; 7] {
        let [folder, identity] =
            [&self.folder, &self.identity].map(|path| path.clone().into_os_string());
        [
            "generate".into(),
            folder,
            "--local".into(),
            "--role".into(),
            role.into(),
            "--identity-file".into(),
            identity,
        ]
    }

    /// The objects of one side's committed stream, and where it is.
    pub(crate) fn golden(&self, role: &str) -> (String, Vec<Value>) {
        let path = format!("tests/golden/{}/{role}.yaml", self.name);
        let objects = documents(&committed(&path));
        (path, objects)
    }

    /// A process that prints one side's stream.
    pub(crate) fn run(&self, role: &str) -> Run {
        let run = Run::new(self.arguments(role)).typed(&self.folder);
        self.temp
            .iter()
            .fold(run, |run, temp| run.keep(Rc::clone(temp)))
    }

    /// One side's stream, or why there is none, by a function call.
    pub(crate) fn generate(&self, role: &str) -> Result<String, Error> {
        library::call(self.arguments(role)).map(|(stream, _)| stream)
    }

    /// One side's stream, which must be there.
    #[track_caller]
    pub(crate) fn stream(&self, role: &str) -> String {
        self.generate(role)
            .unwrap_or_else(|error| panic!("{}, {role}: {}", self.name, error.brief()))
    }
}
