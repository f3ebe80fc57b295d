//! The quickstart in a throw-away checkout, run as Argo CD does and as a person does.

use super::run::Run;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;

/// Where the quickstart's sealed files may be opened from.
pub(crate) const REPO: &str = "https://git.example.org/net/peerings.git";

/// The same, the folder.
pub(crate) const PATH: &str = "peerings/consumer-provider";

/// The quickstart's folder.
pub(crate) fn quickstart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/quickstart")
}

/// The quickstart's document.
pub(crate) fn document() -> String {
    fs::read_to_string(quickstart().join("peering.yaml")).expect("the quickstart's document")
}

/// The quickstart's document with one place changed. The place must be there, once.
pub(crate) fn edited(from: &str, to: &str) -> String {
    let document = document();
    assert_eq!(document.matches(from).count(), 1, "`{from}` must stand once in the quickstart's document");
    document.replace(from, to)
}

/// A repository as argocd-cmp-server unpacks it, with the quickstart in it, and an identity outside of it.
pub(crate) struct Checkout {
    temp: Rc<TempDir>,
}

impl Checkout {
    /// The quickstart's folder, in a checkout.
    pub(crate) fn new() -> Self {
        let checkout = Self { temp: Rc::new(tempfile::tempdir().expect("a folder")) };
        fs::create_dir_all(checkout.folder()).expect("the Application's folder");
        for name in ["peering.yaml", "peering.seed.age", "kubeconfig.age"] {
            fs::copy(quickstart().join(name), checkout.folder().join(name)).expect(name);
        }
        fs::create_dir(checkout.temp.path().join("identity")).expect("the identity's folder");
        fs::copy(quickstart().join("demo-identity.txt"), checkout.identity()).expect("the identity");
        checkout
    }

    /// The same with another document.
    pub(crate) fn of(document: impl AsRef<[u8]>) -> Self {
        let checkout = Self::new();
        checkout.write("peering.yaml", document);
        checkout
    }

    /// Everything of the test's is below it.
    pub(crate) fn temp(&self) -> &Path {
        self.temp.path()
    }

    /// The repository's root.
    pub(crate) fn root(&self) -> PathBuf {
        self.temp.path().join("_cmp_server/5f0c6a52-3a0e-4b43-8f6e-2f6f6d1c7a11")
    }

    /// The Application's folder in it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root().join(PATH)
    }

    /// The identity, outside of the repository.
    pub(crate) fn identity(&self) -> PathBuf {
        self.temp.path().join("identity/identity.txt")
    }

    /// Writes a file of the folder, whatever was there.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder().join(name), content).expect(name);
    }

    /// The plugin's run for one role.
    pub(crate) fn plugin(&self, role: &str) -> Run {
        let parameters = format!(r#"[{{"name":"role","string":"{role}"}}]"#);
        self.program(plugin_arguments(&self.identity()))
            .environment(&application(role))
            .env("ARGOCD_APP_PARAMETERS", parameters)
            .env("PARAM_ROLE", role)
    }

    /// A person's run for one role.
    pub(crate) fn local(&self, role: &str) -> Run {
        self.program(["generate", "--local", "--role", role, "--identity-file"])
            .arg(self.identity())
            .typed(self.temp.path())
    }

    /// A run in the folder, with nothing in its environment.
    pub(crate) fn program<S: Into<OsString>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        Run::new(arguments).within(self.folder()).secret_path(self.temp.path()).keep(Rc::clone(&self.temp))
    }
}

/// What plugin.yaml says is run, less the program itself.
pub(crate) fn plugin_arguments(identity: &Path) -> Vec<OsString> {
    let plugin = plugin_yaml("plugin.yaml");
    let generate = plugin.pointer("/spec/generate").expect("spec.generate");
    let words = |field: &str| -> Vec<String> {
        let list = generate.get(field).and_then(serde_json::Value::as_array).expect(field);
        list.iter().map(|word| word.as_str().expect("a string").to_owned()).collect()
    };
    let mut arguments: Vec<OsString> =
        words("command").into_iter().skip(1).chain(words("args")).map(Into::into).collect();
    let at = arguments.iter().position(|word| word == "--identity-file").expect("--identity-file");
    *arguments.get_mut(at + 1).expect("the identity's path") = identity.into();
    arguments
}

/// A plugin file of this repository.
pub(crate) fn plugin_yaml(path: &str) -> serde_json::Value {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    serde_saphyr::from_str(&text).expect(path)
}

/// All that argocd-cmp-server gives to `generate` beside the parameters, and the sidecar's own variables.
fn application(role: &str) -> BTreeMap<&'static str, String> {
    let kinds: Vec<String> = (0..1500)
        .map(|n| format!("group{n}.example.org/v1beta{},group{n}.example.org/v1/Kind{n}", n % 3))
        .collect();
    let revision = "9d1c8a7b6e5f40312233445566778899aabbccdd";
    BTreeMap::from([
        ("ARGOCD_APP_NAME", format!("consumer-provider-{role}")),
        ("ARGOCD_APP_NAMESPACE", "liqo-tenant-provider".into()),
        ("ARGOCD_APP_PROJECT_NAME", format!("peering-{role}")),
        ("ARGOCD_APP_REVISION", revision.into()),
        ("ARGOCD_APP_REVISION_SHORT", revision.chars().take(7).collect()),
        ("ARGOCD_APP_REVISION_SHORT_8", revision.chars().take(8).collect()),
        ("ARGOCD_APP_SOURCE_REPO_URL", REPO.into()),
        ("ARGOCD_APP_SOURCE_PATH", PATH.into()),
        ("ARGOCD_APP_SOURCE_TARGET_REVISION", "main".into()),
        ("KUBE_VERSION", "1.35.2".into()),
        ("KUBE_API_VERSIONS", kinds.join(",")),
        ("ARGOCD_ENV_STAGE", "test".into()),
        ("ARGOCD_ENV_EMPTY", String::new()),
        ("HOME", "/home/argocd".into()),
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".into()),
    ])
}
