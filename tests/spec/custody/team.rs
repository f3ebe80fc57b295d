//! A team with a peering: its repository, its Argo CD, its operator's files, and an Application a side.

use crate::harness::argocd::Application;
use crate::harness::{Checkout, Outcome, REPO, Run, put};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

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

/// A team's checkout, and the operator's files beside it.
pub(crate) struct Team {
    checkout: Checkout,
    pub(crate) recipient: String,
}

impl Team {
    /// A team whose folder has sealed files on these terms.
    pub(crate) fn new(needs: Needs, uses: &[&str]) -> Self {
        let (checkout, _, recipient) = Checkout::bare(PATH, &document(needs));
        let team = Self { checkout, recipient };
        put(team.path("kubeconfig"), KUBECONFIG);
        let clusters = ["--clusters", "rome,milan", "--recipient", &team.recipient];
        if needs != Needs::Kubeconfig {
            team.person(&[&["seed", "new", "peering.seed.age"], &clusters[..], uses].concat()).done();
        }
        if needs != Needs::Seed {
            let kubeconfig = team.path("kubeconfig").display().to_string();
            let seal = ["seal", "kubeconfig", &kubeconfig, "-o", "kubeconfig.age"];
            team.person(&[&seal[..], &clusters, uses].concat()).done();
        }
        team
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.checkout.temp().join(name)
    }

    /// The identity, as it is written on a command line.
    pub(crate) fn identity(&self) -> String {
        self.checkout.identity().display().to_string()
    }

    /// The root of the team's repository.
    pub(crate) fn root(&self) -> PathBuf {
        self.checkout.root()
    }

    /// The team's folder in it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.checkout.folder()
    }

    pub(crate) fn document(&self) -> String {
        self.checkout.read("peering.yaml")
    }

    /// Writes a file of the folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.checkout.write(name, content);
    }

    /// Writes the operator's policy.
    pub(crate) fn policy(&self, allow: &str) -> PathBuf {
        let path = self.checkout.identity().with_file_name("policy.yaml");
        let text = format!("apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow: {allow}\n");
        put(&path, text);
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

    /// What a person gets who types this in the team's folder.
    pub(crate) fn person<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        self.as_person(arguments).run()
    }

    /// A person's run in the team's folder.
    pub(crate) fn as_person<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.checkout.program(arguments.iter().map(AsRef::as_ref)).typed(self.checkout.temp())
    }

    /// A person's run that seals on a file's terms, once with what the first run says is to be confirmed.
    pub(crate) fn confirming(&self, arguments: &[&str]) -> Outcome {
        let refusal = self.person(arguments);
        match refusal.expected() {
            Some(digest) => self.person(&[arguments, &["--expect", digest]].concat()),
            None => refusal,
        }
    }

    /// The consumer's Application of a project, of a folder of a repository, which is checked out here.
    pub(crate) fn application(&self, folder: &Path, project: &str, repo: &str, path: &str) -> Run {
        let application = Application { project, repo, path, role: "consumer" };
        application.run(folder, &self.checkout.identity())
    }

    /// The same of the team's own folder and repository.
    pub(crate) fn own(&self, project: &str, path: &str) -> Run {
        self.application(&self.folder(), project, REPO, path)
    }
}
