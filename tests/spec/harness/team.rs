//! A team with a peering: its repository, its Argo CD, its operator's files, and an Application a side.

use super::argocd::Application;
use super::{Checkout, Outcome, RECIPIENT, REPO, Run, kubeconfig, put, root, words};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

pub(crate) const PATH: &str = "peerings/rome-milan";

/// What serves an Application of the project `net`.
pub(crate) const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

/// In every sealed kubeconfig.
pub(crate) const TOKEN: &str = "canary-Token-of-rome-0123456789";

const NETWORKING: &str = "  networking:\n    mtu: 1340\n    gatewayServer:\n      location: provider\n      endpoint: { serviceType: NodePort, port: 51840, nodePort: 32750 }\n    gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }\n";

const AUTHENTICATION: &str = "  authentication:\n    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";

/// What a peering needs secrets for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Seed,
    Kubeconfig,
    Both,
}

impl Needs {
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "seed" => Self::Seed,
            "kubeconfig" => Self::Kubeconfig,
            "both" => Self::Both,
            _ => panic!("nobody needs {word}"),
        }
    }
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
    let networking = if needs == Needs::Kubeconfig {
        ""
    } else {
        NETWORKING
    };
    let authentication = if needs == Needs::Seed {
        ""
    } else {
        AUTHENTICATION
    };
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
        let team = Self {
            checkout,
            recipient,
        };
        put(team.path("kubeconfig"), kubeconfig(TOKEN));
        let seal = |command: &str| {
            let line = format!("{command} --clusters rome,milan --recipient TO");
            team.typing(&line).args(uses.iter().copied()).run().done();
        };
        if needs != Needs::Kubeconfig {
            seal("seed new peering.seed.age");
        }
        if needs != Needs::Seed {
            seal("seal kubeconfig ~/kubeconfig -o kubeconfig.age");
        }
        team
    }

    /// The quickstart's folder in a checkout, with the files that it has.
    pub(crate) fn quickstart() -> Self {
        Self {
            checkout: Checkout::new(),
            recipient: RECIPIENT.to_owned(),
        }
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

    /// What a person gets who types this in the team's folder.
    pub(crate) fn person<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        self.as_person(arguments).run()
    }

    /// A person's run in the team's folder.
    pub(crate) fn as_person<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.checkout
            .program(arguments.iter().map(AsRef::as_ref))
            .typed(self.checkout.temp())
    }

    /// What a word of a line stands for. `ID` is the identity's file, `TO` the recipient, `TERMS` what serves the project, `~/` where the
    /// team's own files are, and `CERTS/` where those of the tests.
    pub(crate) fn filled(&self, word: &str) -> Vec<String> {
        let [home, certificates] =
            [self.path(""), root().join("tests/certificates/")].map(|it| it.display().to_string());
        match word {
            "ID" => vec![self.identity()],
            "TO" => vec![self.recipient.clone()],
            "TERMS" => TERMS.map(ToOwned::to_owned).into(),
            _ => vec![word.replace("~/", &home).replace("CERTS/", &certificates)],
        }
    }

    fn words(&self, line: &str) -> Vec<String> {
        let words = words(line);
        words.iter().flat_map(|word| self.filled(word)).collect()
    }

    /// What a person gets who types this line in the team's folder.
    pub(crate) fn types(&self, line: &str) -> Outcome {
        self.person(&self.words(line))
    }

    /// A person's run of this line.
    pub(crate) fn typing(&self, line: &str) -> Run {
        self.as_person(&self.words(line))
    }

    /// A line that seals on a file's terms, typed once with what the first run says is to be confirmed.
    pub(crate) fn confirms(&self, line: &str) -> Outcome {
        let refusal = self.types(line);
        match refusal.expected() {
            Some(digest) => self.types(&format!("{line} --expect {digest}")),
            None => refusal,
        }
    }

    /// What `inspect` prints of a sealed file.
    #[track_caller]
    pub(crate) fn inspected(&self, file: &str) -> String {
        self.types(&format!("inspect {file} --identity-file ID"))
            .done()
            .to_owned()
    }

    /// A sealed file's bytes.
    pub(crate) fn sealed(&self, file: &str) -> Vec<u8> {
        fs::read(self.folder().join(file)).expect(file)
    }

    /// The consumer's Application of a project, of the team's own folder and repository.
    pub(crate) fn own(&self, project: &str, path: &str) -> Run {
        Application {
            project,
            repo: REPO,
            path,
            role: "consumer",
        }
        .run(&self.folder(), &self.checkout.identity())
    }
}
