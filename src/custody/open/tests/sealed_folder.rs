//! Folders with sealed files, peerings that need them, and what opens them.

use crate::argocd::caller::{Caller, Environment};
use crate::custody::Request;
use crate::custody::confirm::sealed;
use crate::custody::keys::Seed;
use crate::custody::sealed_secret::Certificate;
use crate::custody::{
    Certificates, EntryClusters, Error, OpenedSide, PayloadKind, Recipient, Term, Terms, TermsEntry,
};
use crate::diagnostic::{Problems, Source};
use crate::input::folder::Folder;
use crate::peering::delivery::Delivery;
use crate::peering::values::{Role, Sides};
use crate::peering::{Peering, parse};
use age::secrecy::ExposeSecret as _;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use zeroize::Zeroizing;

const KUBECONFIG: &str = "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: k, cluster: {server: 'https://192.0.2.1:6443'}}]\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nusers: [{name: u, user: {token: a-token}}]\n";

pub(super) const NETWORKING: &str = "  networking:\n    gatewayServer:\n      location: provider\n      endpoint: { serviceType: NodePort, port: 51840, nodePort: 32750 }\n    gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }\n";

pub(super) const AUTHENTICATION: &str = "  authentication:\n    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";

pub(super) const SEED: &str = "  seed: { file: peering.seed.age }\n";

/// A key that the seeds of these tests do not give.
pub(super) const KEY: &str = "nn4t1zIhSpCm8U57TQcs0Ew7MhWOj5nyhMk1i3cRzzQ=";

/// A peering with these fields of the two clusters, and these parts.
pub(super) fn peering(consumer: &str, provider: &str, parts: &[&str]) -> Peering {
    let text = format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: rome-milan }}\nspec:\n  consumer: {{ clusterID: rome, podCIDRs: [10.42.0.0/16], externalCIDR: 10.142.0.0/16, {consumer} }}\n  provider: {{ clusterID: milan, podCIDRs: [10.43.0.0/16], externalCIDR: 10.143.0.0/16, {provider} }}\n{}",
        parts.concat()
    );
    let mut problems = Problems::default();
    let written = parse(&Source::new("peering.yaml", text)).map_err(|invalid| invalid.brief());
    let peering = written
        .expect("a peering")
        .resolve(&mut problems)
        .expect("it means something");
    assert!(
        problems.is_empty(),
        "{}",
        problems
            .iter()
            .map(|it| it.message.as_str())
            .collect::<String>()
    );
    peering
}

pub(super) fn certificate(name: &str) -> Certificate {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/certificates")
        .join(format!("{name}.crt"));
    fs::read_to_string(path)
        .expect("a certificate")
        .parse()
        .expect("RSA")
}

/// Terms that allow any caller, with the certificates of these clusters, and for these deliveries.
pub(super) fn terms(clusters: &[&str], delivery: &[Delivery]) -> Terms {
    let [consumer, provider] = ["rome", "milan"].map(|id| id.parse().expect("an ID"));
    let (projects, any) = (["*=rome".to_owned(), "*=milan".into()], ["*".to_owned()]);
    let delivery: Vec<String> = delivery.iter().map(ToString::to_string).collect();
    let mut certificates = Certificates::default();
    for cluster in clusters {
        assert_eq!(
            certificates.insert(cluster.parse().expect("an ID"), certificate(cluster)),
            None
        );
    }
    let mut lists = [
        (Term::Projects, projects.as_slice()),
        (Term::Repos, any.as_slice()),
        (Term::Paths, any.as_slice()),
        (Term::Delivery, delivery.as_slice()),
    ]
    .into_iter();
    let entry = TermsEntry::new(EntryClusters::Peerings(vec![Sides { consumer, provider }]));
    let entry = lists
        .try_fold(entry, |entry, (term, values)| entry.set_given(term, values))
        .expect("terms");
    Terms::new(vec![entry])
        .with_certificates(certificates)
        .expect("our clusters")
}

/// A folder, and an identity that is not in it.
pub(super) struct Place {
    folder: TempDir,
    pub(super) outside: TempDir,
    pub(super) recipient: Recipient,
}

impl Place {
    pub(super) fn new() -> Self {
        let [folder, outside] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let identity = age::x25519::Identity::generate();
        fs::write(
            outside.path().join("identity"),
            identity.to_string().expose_secret(),
        )
        .expect("written");
        let recipient = Recipient::parse(&identity.to_public().to_string()).expect("a recipient");
        Self {
            folder,
            outside,
            recipient,
        }
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.path().join(name), content).expect("written");
    }

    /// Seals a seed of 32 such bytes.
    pub(super) fn seed(&self, name: &str, byte: u8, terms: &Terms) {
        self.seal(
            name,
            PayloadKind::Seed,
            &Seed::new([byte; 32]).expose_text(),
            terms,
        );
    }

    pub(super) fn kubeconfig(&self, terms: &Terms) {
        self.seal(
            "kubeconfig.age",
            PayloadKind::Kubeconfig,
            &Zeroizing::new(KUBECONFIG.to_owned()),
            terms,
        );
    }

    pub(super) fn seal(
        &self,
        name: &str,
        kind: PayloadKind,
        secret: &Zeroizing<String>,
        terms: &Terms,
    ) {
        let sealed = sealed(kind, secret, terms, std::slice::from_ref(&self.recipient));
        self.write(name, sealed.expect("sealed"));
    }

    pub(super) fn open(
        &self,
        peering: &Peering,
        role: Role,
        caller: &Caller,
    ) -> Result<OpenedSide, Error> {
        self.with(
            Some(&self.outside.path().join("identity")),
            peering,
            role,
            caller,
        )
    }

    pub(super) fn local(&self, peering: &Peering, role: Role) -> Result<OpenedSide, Error> {
        self.open(peering, role, &Caller::Local)
    }

    pub(super) fn with(
        &self,
        identity_file: Option<&Path>,
        peering: &Peering,
        role: Role,
        caller: &Caller,
    ) -> Result<OpenedSide, Error> {
        let folder = &Folder::new(self.folder.path());
        Request {
            folder,
            identity_file,
            policy_file: None,
            caller,
        }
        .material(peering, role)
    }
}

/// An Application that the terms of these tests allow.
pub(super) fn argo_cd() -> Caller {
    Caller::from_environment(&Environment::from([
        ("ARGOCD_APP_PROJECT_NAME", "net"),
        ("ARGOCD_APP_SOURCE_REPO_URL", "https://git.example.org/a"),
        ("ARGOCD_APP_SOURCE_PATH", "b"),
    ]))
}
