//! The quickstart in a throw-away checkout, run as Argo CD does and as a person does.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use age::x25519::Identity;
use tempfile::TempDir;

use super::argocd::Application;
use super::run::Run;
use super::{committed, put, replaced, root, seal};

/// Where the quickstart's sealed files may be opened from.
pub(crate) const REPO: &str = "https://git.example.org/net/peerings.git";

/// The same, the folder.
pub(crate) const PATH: &str = "peerings/consumer-provider";

/// The recipient of the quickstart's identity.
pub(crate) const RECIPIENT: &str = "age1tf0pltjzlulg8v9xu5hxrdle7gjuuvrf7dnqpk3l25kskkwleayq2sm9js";

/// The quickstart's folder.
pub(crate) fn quickstart() -> PathBuf {
    root().join("examples/quickstart")
}

/// A peering's document and sealed files, in another folder, which is made for them.
pub(crate) fn copy_of(folder: &Path, to: impl AsRef<Path>) {
    for name in ["peering.yaml", "peering.seed.age", "kubeconfig.age"] {
        put(
            to.as_ref().join(name),
            fs::read(folder.join(name)).expect(name),
        );
    }
}

/// An identity of the examples; without a prefix, the one that opens all but those of two organisations.
pub(crate) fn demo_identity(prefix: &str) -> PathBuf {
    root().join(format!("examples/identities/{prefix}demo-identity.txt"))
}

/// The quickstart's document.
pub(crate) fn document() -> String {
    committed("examples/quickstart/peering.yaml")
}

/// The quickstart's document with one place changed. The place must be there, once.
#[track_caller]
pub(crate) fn edited(from: &str, to: &str) -> String {
    replaced(&document(), from, to)
}

/// A repository as argocd-cmp-server unpacks it, with a peering in it, and an identity outside of it.
pub(crate) struct Checkout {
    temp: Rc<TempDir>,
    path: &'static str,
}

impl Checkout {
    /// The quickstart's folder, in a checkout.
    pub(crate) fn new() -> Self {
        let checkout = Self::empty(PATH);
        copy_of(&quickstart(), checkout.folder());
        fs::copy(demo_identity(""), checkout.identity()).expect("the identity");
        checkout
    }

    /// The same with another document.
    pub(crate) fn of(document: impl AsRef<[u8]>) -> Self {
        let checkout = Self::new();
        checkout.write("peering.yaml", document);
        checkout
    }

    /// A folder at a path with nothing in it but a document, and a new identity, whose recipient is the third.
    pub(crate) fn bare(path: &'static str, document: &str) -> (Self, Identity, String) {
        let checkout = Self::empty(path);
        checkout.write("peering.yaml", document);
        let (identity, text) = seal::identity();
        put(checkout.identity(), format!("# a comment\n\n{text}\n"));
        let recipient = identity.to_public().to_string();
        (checkout, identity, recipient)
    }

    /// An Application's folder at a path, with nothing in it.
    fn empty(path: &'static str) -> Self {
        let checkout = Self {
            temp: Rc::new(crate::harness::machine::folder()),
            path,
        };
        fs::create_dir_all(checkout.folder()).expect("the Application's folder");
        fs::create_dir(checkout.temp.path().join("identity")).expect("the identity's folder");
        checkout
    }

    /// Everything of the test's is below it.
    pub(crate) fn temp(&self) -> &Path {
        self.temp.path()
    }

    /// The repository's root.
    pub(crate) fn root(&self) -> PathBuf {
        self.temp
            .path()
            .join("_cmp_server/5f0c6a52-3a0e-4b43-8f6e-2f6f6d1c7a11")
    }

    /// The Application's folder in it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root().join(self.path)
    }

    /// The identity, outside of the repository.
    pub(crate) fn identity(&self) -> PathBuf {
        self.temp.path().join("identity/identity.txt")
    }

    /// Writes a file of the folder, whatever was there.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        put(self.folder().join(name), content);
    }

    /// A file of the folder, which is a text.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder().join(name)).expect(name)
    }

    /// The plugin's run for one role, by the Application that the quickstart's terms name.
    pub(crate) fn plugin(&self, role: &str) -> Run {
        let application = Application {
            project: &format!("peering-{role}"),
            repo: REPO,
            path: self.path,
            role,
        };
        self.hidden(application.run(&self.folder(), &self.identity()))
    }

    /// A person's run for one role.
    pub(crate) fn local(&self, role: &str) -> Run {
        self.program(["generate", "--local", "--role", role, "--identity-file"])
            .arg(self.identity())
            .typed(self.temp.path())
    }

    /// A run in the folder, with nothing in its environment.
    pub(crate) fn program<S: Into<OsString>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        self.hidden(Run::new(arguments).within(self.folder()))
    }

    /// A run that must not show where the checkout is, and that keeps it.
    fn hidden(&self, run: Run) -> Run {
        run.secret_path(self.temp.path())
            .keep(Rc::clone(&self.temp))
    }
}
