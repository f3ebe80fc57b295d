//! What `seal kubeconfig --from-context` made is in the sealed file and nowhere else; the rest is in `issued.cases`.

use crate::harness::provider::{CA, Provider, TOKEN};
use crate::harness::team::{Needs, Team};
use crate::harness::{Outcome, decoded, encoded, opened};
use age::x25519::Identity;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A team without a credential, and the provider.
struct Place {
    team: Team,
    provider: Provider,
}

const PENDING: &str = "credential: pending";

/// What the stream's RoleBinding gives.
const RIGHTS: &str = "create resourceslices.authentication.liqo.io --namespace=liqo-tenant-rome
create renews.authentication.liqo.io --namespace=liqo-tenant-rome
create namespacemaps.offloading.liqo.io --namespace=liqo-tenant-rome
";

impl Place {
    fn new() -> Self {
        let team = Team::new(Needs::Both, &[]);
        fs::remove_file(team.folder().join("kubeconfig.age")).expect("the credential");
        let place = Self {
            team,
            provider: Provider::new(),
        };
        place.document(|text| {
            text.replace(
                "credential: { kubeconfig: { file: kubeconfig.age } }",
                PENDING,
            )
        });
        place.provider.set("may", RIGHTS);
        place
    }

    fn document(&self, change: impl Fn(&str) -> String) {
        let before = self.team.document();
        let after = change(&before);
        assert_ne!(before, after);
        self.team.write("peering.yaml", after);
    }

    /// The command, with nothing confirmed.
    fn ask(&self, more: &str) -> Outcome {
        let run = self.team.typing(&format!(
            "seal kubeconfig --from-context milan --recipient TO {more}"
        ));
        let run = run
            .env("PATH", self.provider.bin())
            .env("TMPDIR", self.team.path(""));
        self.provider.signing(|| run.run())
    }

    /// The command, with what it shows confirmed.
    fn seal(&self, more: &str) -> Outcome {
        let refusal = self.ask(more);
        match refusal.expected() {
            Some(digest) => self.ask(&format!("{more} --expect {digest}")),
            None => refusal,
        }
    }

    /// The sealed kubeconfig.
    fn kubeconfig(&self) -> String {
        let text = fs::read_to_string(self.team.identity()).expect("the identity");
        let identity: Identity = text
            .lines()
            .last()
            .expect("a line")
            .parse()
            .expect("an identity");
        let sealed = fs::read(self.team.folder().join("kubeconfig.age")).expect("the sealed file");
        let payload: Value = serde_json::from_str(&opened(&sealed, &identity)).expect("a payload");
        payload["kubeconfig"]
            .as_str()
            .expect("a kubeconfig")
            .to_owned()
    }

    /// A value of the sealed kubeconfig.
    fn value(&self, field: &str) -> String {
        let text = self.kubeconfig();
        let (_, rest) = text.split_once(&format!("{field}: \"")).expect(field);
        rest.split_once('"').expect("quoted").0.to_owned()
    }

    /// No form of a secret is in what was shown, in what kubectl was told, or in any file.
    #[track_caller]
    fn keeps(&self, outcome: &Outcome, secrets: &[&[u8]]) {
        let mut places = vec![("the streams".to_owned(), outcome.everything().into_bytes())];
        for root in [self.team.path(""), self.provider.path("")] {
            files(&root, &mut places);
        }
        assert!(
            places.iter().any(|(name, _)| name.ends_with("argv")),
            "what kubectl was told"
        );
        for secret in secrets {
            assert!(secret.len() >= 20, "a secret");
            for (name, bytes) in &places {
                assert!(
                    !bytes.windows(secret.len()).any(|part| part == *secret),
                    "a secret is in {name}"
                );
            }
        }
    }
}

/// All files below a folder, but for the one from which the provider's token comes.
fn files(folder: &Path, into: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, into);
        } else if !path.ends_with("token") {
            into.push((path.display().to_string(), fs::read(&path).expect("a file")));
        }
    }
}

/// The forms of a key in PEM: its base64, the lines, and the bytes of the seed at its end.
fn forms(key: &str) -> Vec<Vec<u8>> {
    let pem = decoded(key);
    let text = String::from_utf8(pem.clone()).expect("PEM");
    let body: String = text.lines().filter(|line| !line.starts_with('-')).collect();
    let der = decoded(&body);
    assert_eq!(der.len(), 48, "RFC 8410, section 7");
    vec![
        key.as_bytes().to_vec(),
        pem,
        body.into_bytes(),
        der[16..].to_vec(),
    ]
}

#[test]
fn a_private_key_is_sealed_and_nowhere_else() {
    let place = Place::new();
    let outcome = place.seal("");
    outcome.done();
    assert_eq!(place.value("certificate-authority-data"), CA);
    let forms = forms(&place.value("client-key-data"));
    let forms: Vec<&[u8]> = forms.iter().map(Vec::as_slice).collect();
    place.keeps(&outcome, &forms);
}

#[test]
fn a_token_is_sealed_and_nowhere_else() {
    let place = Place::new();
    place.document(|text| {
        text.replace(
            "kind: User, name: rome",
            "kind: ServiceAccount, name: rome-cp",
        )
    });
    place.provider.set("account", "serviceaccount/rome-cp");
    place
        .provider
        .set("secret", "kubernetes.io/service-account-token rome-cp");
    let outcome = place.seal("");
    outcome.done();
    assert_eq!(place.value("token"), *TOKEN);
    place.keeps(
        &outcome,
        &[TOKEN.as_bytes(), encoded(TOKEN.as_bytes()).as_bytes()],
    );
}

/// It takes as long as the program waits.
#[test]
#[ignore = "waits for 20 seconds; .ci/run crds runs it"]
fn a_signer_that_does_not_answer_is_not_waited_for_forever() {
    let place = Place::new();
    place.provider.set("csr", "{}");
    let outcome = place.seal("");
    outcome
        .fails(3, "unissued")
        .says("has no certificate after 20 seconds")
        .says("make `subject` a ServiceAccount");
    outcome.says("deleted at the provider: ");
    let shown = outcome
        .stderr
        .matches("get certificatesigningrequests")
        .count();
    assert_eq!(shown, 1, "it is asked for again and again, and shown once");
    let asked = fs::read_to_string(place.provider.path("argv")).expect("the commands");
    let asked = asked.matches("get certificatesigningrequests").count();
    assert_eq!(asked, 20, "each second once");
}
