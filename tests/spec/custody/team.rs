//! A team with a peering: its repository, its Argo CD, its operator's files, and an Application a side.

use age::secrecy::ExposeSecret as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const REPO: &str = "https://git.example.org/net/peerings.git";
pub(crate) const PATH: &str = "peerings/rome-milan";

/// In every sealed kubeconfig.
pub(crate) const TOKEN: &str = "canary-Token-of-rome-0123456789";

const KUBECONFIG: &str = "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: k, cluster: {server: 'https://192.0.2.1:6443'}}]\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nusers: [{name: u, user: {token: canary-Token-of-rome-0123456789}}]\n";

const NETWORKING: &str = "  networking:\n    mtu: 1340\n    gatewayServer:\n      location: provider\n      endpoint: { serviceType: NodePort, port: 51840, nodePort: 32750 }\n    gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }\n";

const AUTHENTICATION: &str = "  authentication:\n    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";

/// What a peering needs secrets for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Seed,
    Kubeconfig,
    Both,
}

pub(crate) fn document(needs: Needs) -> String {
    let (seed, networks) = match needs {
        Needs::Kubeconfig => ("", ["", ""]),
        _ => (
            "  seed: { file: peering.seed.age } # sealed\n",
            [
                "    podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16\n",
                "    podCIDRs: [10.43.0.0/16]\n    externalCIDR: 10.71.0.0/16\n",
            ],
        ),
    };
    let [rome, milan] = networks;
    let networking = if needs == Needs::Kubeconfig { "" } else { NETWORKING };
    let authentication = if needs == Needs::Seed { "" } else { AUTHENTICATION };
    format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata:\n  name: rome-milan\nspec:\n{seed}  consumer:\n    clusterID: rome # the capital\n{rome}  provider:\n    clusterID: milan\n{milan}{networking}{authentication}"
    )
}

/// A throw-away place with an operator's folder and checkouts of repositories.
pub(crate) struct Team {
    temp: tempfile::TempDir,
    pub(crate) recipient: String,
}

impl Team {
    /// A team whose folder has sealed files on these terms.
    pub(crate) fn new(needs: Needs, uses: &[&str]) -> Self {
        let temp = tempfile::tempdir().expect("a folder");
        let identity = age::x25519::Identity::generate();
        let team = Self { temp, recipient: identity.to_public().to_string() };
        fs::create_dir_all(team.operator()).expect("a folder");
        fs::create_dir_all(team.folder()).expect("a folder");
        let text = format!("# made by a test\n{}\n", identity.to_string().expose_secret());
        fs::write(team.identity(), text).expect("the identity");
        fs::write(team.folder().join("peering.yaml"), document(needs)).expect("the document");
        fs::write(team.path("kubeconfig"), KUBECONFIG).expect("the kubeconfig");
        let clusters = ["--clusters", "rome,milan", "--recipient", &team.recipient];
        if needs != Needs::Kubeconfig {
            let seed = [&["seed", "new", "peering.seed.age"], &clusters[..], uses].concat();
            done(&team.person(&seed));
        }
        if needs != Needs::Seed {
            let kubeconfig = team.path("kubeconfig").display().to_string();
            let seal = ["seal", "kubeconfig", &kubeconfig, "-o", "kubeconfig.age"];
            done(&team.person(&[&seal[..], &clusters, uses].concat()));
        }
        team
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn operator(&self) -> PathBuf {
        self.path("operator")
    }

    pub(crate) fn identity(&self) -> PathBuf {
        self.operator().join("identity.txt")
    }

    /// The team's folder in a checkout of the team's repository.
    pub(crate) fn folder(&self) -> PathBuf {
        self.path("checkout-of-the-team").join(PATH)
    }

    /// Writes the operator's policy.
    pub(crate) fn policy(&self, allow: &str) -> PathBuf {
        let path = self.operator().join("policy.yaml");
        let text = format!("apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow: {allow}\n");
        fs::write(&path, text).expect("the policy");
        path
    }

    /// A copy of the team's folder in a checkout of somebody else's.
    pub(crate) fn copied_to(&self, path: &str) -> PathBuf {
        let copy = self.path("checkout-of-mallory").join(path);
        fs::create_dir_all(&copy).expect("a folder");
        for entry in fs::read_dir(self.folder()).expect("the folder") {
            let entry = entry.expect("an entry");
            fs::copy(entry.path(), copy.join(entry.file_name())).expect("a copy");
        }
        copy
    }

    /// A person's run in the team's folder.
    pub(crate) fn person(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_argocd-peering"));
        command.args(arguments).current_dir(self.folder()).stdin(Stdio::null());
        command.output().expect("a run")
    }

    /// A person's run that seals on a file's terms, once with what the first run says is to be confirmed.
    pub(crate) fn confirming(&self, arguments: &[&str]) -> Output {
        let refusal = self.person(arguments);
        let text = String::from_utf8_lossy(&refusal.stderr).into_owned();
        match expected(&text) {
            Some(digest) => self.person(&[arguments, &["--expect", digest]].concat()),
            None => refusal,
        }
    }

    /// What argocd-cmp-server runs: the arguments of plugin.yaml, with the operator's files of this test.
    pub(crate) fn plugin(&self, application: &Application, policy: Option<&Path>) -> Output {
        let mut arguments = arguments_of_plugin_yaml();
        let place = arguments.iter().position(|argument| argument.starts_with("/etc/argocd-peering/"));
        arguments[place.expect("the identity's path")] = self.identity().display().to_string();
        if let Some(policy) = policy {
            arguments.extend(["--policy-file".to_owned(), policy.display().to_string()]);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_argocd-peering"));
        command.args(arguments).current_dir(&application.folder).stdin(Stdio::null());
        command.env_clear().envs(&application.variables).output().expect("a run")
    }
}

/// The digest that a refusal says is to be given.
pub(crate) fn expected(refusal: &str) -> Option<&str> {
    refusal.split_once("to confirm them: --expect ")?.1.lines().next()
}

fn arguments_of_plugin_yaml() -> Vec<String> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/plugin.yaml")).expect("plugin.yaml");
    let plugin: Value = serde_saphyr::from_str(&text).expect("YAML");
    let arguments = plugin["spec"]["generate"]["args"].as_array().expect("arguments").clone();
    arguments.iter().map(|argument| argument.as_str().expect("text").to_owned()).collect()
}

/// An Application as the repo-server describes it: every variable that a plugin gets (argo-cd
/// `reposerver/repository/repository.go`, `newEnv` and `newEnvRepoQuery`; `types.go`, `Environ`).
#[derive(Clone)]
pub(crate) struct Application {
    pub(crate) folder: PathBuf,
    pub(crate) variables: BTreeMap<String, String>,
}

impl Application {
    pub(crate) fn new(folder: &Path, project: &str, repo: &str, path: &str) -> Self {
        let mut application = Self { folder: folder.to_owned(), variables: BTreeMap::new() };
        for (name, value) in [
            ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            ("HOSTNAME", "argocd-repo-server-5d9c7b6f4-x2x9k"),
            ("ARGOCD_APP_NAME", "rome-milan"),
            ("ARGOCD_APP_NAMESPACE", "liqo"),
            ("ARGOCD_APP_PROJECT_NAME", project),
            ("ARGOCD_APP_REVISION", "53ab3a3d9e1e4b1d8d6f8a4d2a6c1f0e9b7c5d3a"),
            ("ARGOCD_APP_REVISION_SHORT", "53ab3a3"),
            ("ARGOCD_APP_REVISION_SHORT_8", "53ab3a3d"),
            ("ARGOCD_APP_SOURCE_REPO_URL", repo),
            ("ARGOCD_APP_SOURCE_PATH", path),
            ("ARGOCD_APP_SOURCE_TARGET_REVISION", "main"),
            ("ARGOCD_APP_PARAMETERS", r#"[{"name":"role","string":"consumer"}]"#),
            ("PARAM_ROLE", "consumer"),
            ("KUBE_VERSION", "1.33.1"),
            ("KUBE_API_VERSIONS", "v1,v1/Secret,networking.liqo.io/v1beta1/GatewayServer"),
        ] {
            application.variables.insert(name.into(), value.into());
        }
        application
    }

    /// The same with a variable set otherwise, or one more.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.variables.remove(name);
        self
    }
}

/// Standard output of a run that ended well.
pub(crate) fn done(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Standard error of a run that ended with this code and printed nothing.
pub(crate) fn refused(output: &Output, code: i32, name: &str) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(output.stdout.is_empty(), "nothing is printed");
    assert!(error.contains(&format!("error[{name}]")), "{error}");
    error
}

/// The objects of a stream.
pub(crate) fn objects(stream: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(stream).expect("YAML")
}

/// The one object of a kind.
pub(crate) fn object(objects: &[Value], kind: &str) -> Value {
    let of_kind: Vec<&Value> = objects.iter().filter(|object| object["kind"] == kind).collect();
    assert_eq!(of_kind.len(), 1, "one {kind}");
    of_kind[0].clone()
}
