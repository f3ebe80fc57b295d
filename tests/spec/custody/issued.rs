//! `seal kubeconfig --from-context`: a credential that is made at the provider, tried and sealed. The provider is a `kubectl` that
//! plays an API server with the signer of certificates behind it.

use crate::harness::provider::{CA, NAME, Provider, TOKEN};
use crate::harness::team::{Needs, Team, document};
use crate::harness::{Outcome, Text, decoded, encoded, opened};
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

    /// With a ServiceAccount as the subject, and what the stream makes for it.
    fn with_account() -> Self {
        let place = Self::new();
        place.document(|text| {
            text.replace(
                "{ kind: User, name: rome }",
                "{ kind: ServiceAccount, name: rome-cp }",
            )
        });
        place.provider.set("account", "serviceaccount/rome-cp");
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

    /// Nothing was made at the provider, and nothing sealed.
    #[track_caller]
    fn is_untouched(&self) {
        assert_eq!((self.provider.created(), self.is_sealed()), (None, false));
    }

    fn is_sealed(&self) -> bool {
        self.team.folder().join("kubeconfig.age").exists()
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
fn a_certificate_is_made_tried_and_sealed() {
    let place = Place::new();
    let refusal = place.ask("");
    refusal.fails(2, "flag").says("at the provider, through the context `milan`:\n  create and approve a CertificateSigningRequest `argocd-peering-…` for a client certificate of the user `rome`, for 365 days\n  seal it for the server https://192.0.2.1:6443\n");
    place.is_untouched();
    let outcome = place.ask(&format!(
        "--expect {}",
        refusal.expected().expect("a digest")
    ));
    outcome.done();
    for line in [
        "+ kubectl --context=milan create -f - -o jsonpath={.metadata.name}",
        &format!("+ kubectl --context=milan certificate approve {NAME}"),
        "+ kubectl --kubeconfig=/dev/stdin auth can-i get secrets --namespace=kube-system",
        "tried: the credential may write Liqo's objects in liqo-tenant-rome",
        "server: https://192.0.2.1:6443\nuser: rome (client certificate)\ngroups: none that it names\nexpires: 20",
        "sealed kubeconfig.age to 1 recipient",
        &format!("made at the provider: CertificateSigningRequest {NAME}"),
    ] {
        outcome.says(line);
    }
    outcome.silent_on("deleted at the provider");
    let request = place.provider.created().expect("a request");
    assert_eq!(
        request["spec"]["signerName"],
        "kubernetes.io/kube-apiserver-client"
    );
    assert_eq!(
        request["spec"]["usages"],
        serde_json::json!(["client auth"])
    );
    assert_eq!(request["spec"]["expirationSeconds"], 365 * 24 * 60 * 60);
    assert_eq!(place.value("server"), "https://192.0.2.1:6443");
    assert_eq!(place.value("certificate-authority-data"), CA);
    let key = place.value("client-key-data");
    let forms = forms(&key);
    place.keeps(
        &outcome,
        &forms.iter().map(Vec::as_slice).collect::<Vec<_>>(),
    );
    // and the peering can be generated with it
    place
        .team
        .document()
        .has("credential: { kubeconfig: { file: kubeconfig.age } }");
    let generated = place
        .team
        .types("generate --local --role consumer --identity-file ID");
    generated.stream().has("\"kubeconfig\": \"");
}

#[test]
fn a_token_is_read_from_the_streams_secret() {
    let place = Place::with_account();
    place
        .provider
        .set("secret", "kubernetes.io/service-account-token rome-cp");
    let outcome = place.seal("");
    outcome.says("  read the Secret `rome-cp-token` in the namespace `liqo-tenant-rome`: a token of the ServiceAccount `rome-cp` that does not expire\n");
    outcome.says("user: system:serviceaccount:liqo-tenant-rome:rome-cp (token)");
    outcome
        .says("expires: never: its token has no end")
        .silent_on("at the provider: Secret")
        .done();
    assert_eq!(
        place.provider.created(),
        None,
        "the stream's Secret is there"
    );
    assert_eq!(place.value("token"), *TOKEN);
    place.keeps(
        &outcome,
        &[TOKEN.as_bytes(), encoded(TOKEN.as_bytes()).as_bytes()],
    );
}

#[test]
fn a_secret_that_is_missing_is_made() {
    let place = Place::with_account();
    let refusal = place.ask("");
    refusal
        .fails(2, "flag")
        .says("  create and read the Secret `rome-cp-token`");
    assert_eq!(place.provider.created(), None);
    // Kubernetes fills it a moment later
    place.provider.set("token", "");
    place
        .provider
        .set("token-later", &encoded(TOKEN.as_bytes()));
    place
        .ask(&format!(
            "--expect {}",
            refusal.expected().expect("a digest")
        ))
        .done();
    let secret = place.provider.created().expect("a Secret");
    let account = serde_json::json!({ "kubernetes.io/service-account.name": "rome-cp" });
    assert_eq!(secret["type"], "kubernetes.io/service-account-token");
    assert_eq!(secret["metadata"]["annotations"], account);
    assert_eq!(secret["metadata"]["namespace"], "liqo-tenant-rome");
    assert_eq!(place.value("token"), *TOKEN);
}

#[test]
fn an_account_comes_with_the_stream() {
    let place = Place::with_account();
    place.provider.unset("account");
    let outcome = place.ask("");
    outcome
        .fails(3, "unissued")
        .says("there is no ServiceAccount `rome-cp`");
    outcome.says("wait for the provider's sync");
    place.provider.set("account", "serviceaccount/rome-cp");
    place.provider.set("secret", "Opaque rome-cp");
    place
        .ask("")
        .fails(3, "unissued")
        .says("is not for a token of this ServiceAccount");
    place
        .provider
        .set("secret", "kubernetes.io/service-account-token other");
    place
        .ask("")
        .fails(3, "unissued")
        .says("is not for a token of this ServiceAccount");
    place.is_untouched();
}

/// Flags set all terms, and still nothing is made before it was seen.
#[test]
fn what_is_made_is_confirmed_also_if_flags_set_the_terms() {
    let place = Place::new();
    let flags = "--clusters rome,milan";
    let digest = place
        .ask(flags)
        .fails(2, "flag")
        .expected()
        .expect("a digest")
        .to_owned();
    // the digest of something else that is done there
    for other in ["--expires 30d", "--server https://192.0.2.9:6443"] {
        let outcome = place.ask(&format!("{flags} {other} --expect {digest}"));
        outcome.fails(2, "flag").says("is not the digest");
    }
    place.is_untouched();
    place.ask(&format!("{flags} --expect {digest}")).done();
}

/// Whatever goes wrong after something was made, it is deleted, and nothing is sealed.
#[test]
fn a_run_that_fails_deletes_what_it_made() {
    const SYSTEM: &str = "get secrets --namespace=kube-system";
    const BINDINGS: &str = "create clusterrolebindings.rbac.authorization.k8s.io --all-namespaces";
    const TENANTS: &str = "get secrets --namespace=liqo-tenant-rome";
    let denied = r#"{"status":{"conditions":[{"type":"Approved"},{"type":"Denied","reason":"Policy","message":"not \u001b[31mhere"}]}}"#;
    let failed =
        r#"{"status":{"conditions":[{"type":"Failed","reason":"SignerValidationFailure"}]}}"#;
    let other = format!(r#"{{"status":{{"certificate":"{CA}"}}}}"#);
    for (file, content, error, words) in [
        ("csr", denied, "unissued", "was denied: `not ?[31mhere`"),
        (
            "csr",
            failed,
            "unissued",
            "failed: `SignerValidationFailure`",
        ),
        (
            "csr",
            &other,
            "unissued",
            "is not for the key that was made here",
        ),
        (
            "approve.err",
            "Error from server (Forbidden): no approval",
            "program",
            "(Forbidden)",
        ),
        (
            "can-i.err",
            "error: You must be logged in (Unauthorized)",
            "program",
            "(Unauthorized)",
        ),
        (
            "may",
            &format!("{SYSTEM}\n"),
            "unissued",
            &format!("than Liqo needs: `{SYSTEM}`"),
        ),
        (
            "may",
            &format!("{BINDINGS}\n"),
            "unissued",
            &format!("than Liqo needs: `{BINDINGS}`"),
        ),
        (
            "may",
            &format!("{TENANTS}\n"),
            "unissued",
            &format!("`{TENANTS}`"),
        ),
    ] {
        let place = Place::new();
        place.provider.set(file, content);
        let outcome = place.seal("");
        outcome.fails(3, error).says(words);
        outcome.says(&format!(
            "deleted at the provider: CertificateSigningRequest {NAME}"
        ));
        let delete = format!("delete certificatesigningrequests.certificates.k8s.io {NAME}");
        place.provider.told().has(&delete);
        assert!(!place.is_sealed(), "{words}");
        // and where it may not be deleted, how to do it
        let place = Place::new();
        place.provider.set(file, content);
        place
            .provider
            .set("delete.err", "Error from server (Forbidden): no deletion");
        let outcome = place.seal("");
        outcome.says(&format!(
            "left at the provider: CertificateSigningRequest {NAME}"
        ));
        outcome.says(&format!("to delete it: kubectl --context=milan {delete}\n"));
    }
}

/// A document chooses no account of another namespace than its own: the token does not end.
#[test]
fn an_account_of_another_namespace_is_named_by_a_flag() {
    let stranger = "system:serviceaccount:argocd:argocd-server";
    let place = Place::new();
    place.document(|text| {
        text.replace(
            "kind: User, name: rome",
            &format!("kind: User, name: \"{stranger}\""),
        )
    });
    let refused = place.ask("");
    refused
        .fails(2, "flag")
        .says("the ServiceAccount `argocd-server` of the namespace `argocd`");
    refused.says(&format!("if it is meant: `--user {stranger}`"));
    place
        .provider
        .set("account", "serviceaccount/argocd-server");
    let user = format!("--user {stranger}");
    place
        .ask(&user)
        .fails(2, "flag")
        .says("  create and read the Secret `argocd-server-token`");
    // its Secrets are asked for as well
    place
        .provider
        .set("may", "get secrets --namespace=argocd\n");
    place
        .seal(&user)
        .fails(3, "unissued")
        .says("`get secrets --namespace=argocd`");
    // nor one whose tenant namespace is somebody else's
    let place = Place::with_account();
    place.document(|text| {
        text.replace(
            "  provider:\n",
            "  provider:\n    tenantNamespace: gitops\n",
        )
    });
    place
        .ask("")
        .fails(2, "flag")
        .says("chooses only an account of its own tenant namespace");
    place.is_untouched();
}

#[test]
fn nothing_is_left_of_what_was_not_made() {
    let place = Place::new();
    place
        .provider
        .set("create.err", "Error from server (Forbidden): no requests");
    place
        .seal("")
        .fails(3, "program")
        .says("(Forbidden)")
        .silent_on("left at the provider");
    place.provider.unset("create.err");
    place.provider.set("name", "argocd-peering-x --all");
    let outcome = place.seal("");
    outcome
        .fails(3, "program")
        .says("is not the name of the object")
        .silent_on("left at the provider");
    assert!(!place.is_sealed());
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
        .says("use a ServiceAccount");
    outcome.says("deleted at the provider: ");
    let shown = outcome
        .stderr
        .matches("get certificatesigningrequests")
        .count();
    assert_eq!(shown, 1, "it is asked for again and again, and shown once");
}

/// The RoleBinding comes with the first sync, and the credential before it.
#[test]
fn rights_that_are_missing_are_told() {
    let place = Place::new();
    place.provider.unset("may");
    place
        .seal("")
        .says("note: the credential works, and has no rights in liqo-tenant-rome yet")
        .done();
    let place = Place::new();
    let (one, _) = RIGHTS.split_once('\n').expect("lines");
    place.provider.set("may", &format!("{one}\n"));
    place.seal("").says("warning: the credential may not create renews.authentication.liqo.io, namespacemaps.offloading.liqo.io in liqo-tenant-rome").done();
}

/// As for a file, and before anything is made.
#[test]
fn another_user_than_the_documents_is_refused() {
    let place = Place::new();
    for flags in ["--user milan", "--service-account rome"] {
        place
            .ask(flags)
            .fails(3, "kubeconfig")
            .says("the document's `subject` is the User `rome`");
    }
    assert!(place.provider.told().is_empty(), "kubectl was not run");
    let sealed = place.seal("--user milan --allow-other-user");
    sealed
        .says("for a client certificate of the user `milan`")
        .done();
    place.document(|text| {
        text.replace(
            "{ kind: User, name: rome }",
            "{ kind: Group, name: romans }",
        )
    });
    fs::remove_file(place.team.folder().join("kubeconfig.age")).expect("the credential");
    place.ask("").fails(2, "flag").says("`subject` is a Group");
    place.document(|_| document(Needs::Seed));
    place.ask("").fails(2, "flag").says("say whom it is for");
    place
        .ask("--service-account rome")
        .fails(2, "flag")
        .says("its namespace is not known");
    place.seal("--user rome").silent_on("tried:").done();
}

/// Whoever pushes could name one, and a tired person types `yes`: some have rights that the trial does not ask for.
#[test]
fn no_certificate_is_made_for_a_user_of_kubernetes_own() {
    let place = Place::new();
    place.document(|text| text.replace("name: rome }", "name: system:kube-scheduler }"));
    for flags in ["", "--user system:serviceaccount:x --allow-other-user"] {
        place
            .ask(flags)
            .fails(2, "flag")
            .says("a name of Kubernetes' own");
    }
    assert!(place.provider.told().is_empty(), "kubectl was not run");
}

#[test]
fn a_context_of_another_cluster_is_refused() {
    let place = Place::new();
    place.provider.set("cluster-id", "rome");
    let words = "--from-context: this is the cluster `rome`, and the credential is for `milan`";
    place.ask("").fails(2, "flag").says(words);
    place.provider.set("cluster-id", "milan");
    place.seal("").done();
}

/// The consumer may reach the server elsewhere than the person, who tries the credential at the address of the context.
#[test]
fn the_server_is_checked_before_anything_is_made() {
    let place = Place::new();
    place
        .provider
        .set("cluster", r#"{"server":"https://127.0.0.1:6443"}"#);
    place
        .ask("")
        .fails(3, "kubeconfig")
        .says("loopback")
        .says("--server");
    place
        .ask("--server 192.0.2.9")
        .fails(3, "kubeconfig")
        .says("not an https:// URL");
    place.seal("--server https://192.0.2.9:6443").done();
    assert_eq!(place.value("server"), "https://192.0.2.9:6443");
    place.provider.told().has("tried at https://127.0.0.1:6443");
    let place = Place::new();
    place.provider.set(
        "cluster",
        r#"{"server":"https://192.0.2.1:6443","insecure-skip-tls-verify":true}"#,
    );
    place
        .ask("")
        .fails(3, "kubeconfig")
        .says("insecure-skip-tls-verify");
    place.seal("--insecure-skip-tls-verify").done();
}

#[test]
fn a_file_that_is_there_is_replaced_only_on_its_terms() {
    let place = Place::new();
    place.seal("TERMS").done();
    let (before, told) = (place.value("client-key-data"), place.provider.told());
    place.ask("").fails(3, "file").says("already exists");
    assert_eq!(place.provider.told(), told, "kubectl was not run");
    let replace = "--replace --identity-file ID";
    place
        .seal(replace)
        .says("\"net=rome\"")
        .says("the old credential is still in Git's history")
        .done();
    assert_ne!(place.value("client-key-data"), before);
    // a token stays what it is until its Secret is deleted
    let place = Place::with_account();
    place.seal("").done();
    let same = place.seal(replace);
    same.says("note: nothing was renewed: the file had this credential already. For another token")
        .silent_on("revoke it")
        .done();
}

#[test]
fn a_time_is_in_days_or_hours() {
    let place = Place::new();
    for wrong in "365 1y 0d 0h 24856d -1d 99999999999h".split(' ') {
        let refused = place.ask(&format!("--expires={wrong}"));
        refused.says("invalid value").ends(2);
    }
    place.seal("--expires 36h").says("for 36 hours").done();
    assert_eq!(
        place.provider.created().expect("a request")["spec"]["expirationSeconds"],
        36 * 60 * 60
    );
}

#[test]
fn a_file_and_a_context_are_not_given_together() {
    let place = Place::new();
    place.ask("k.yaml").ends(2);
    place.team.types("seal kubeconfig --recipient TO").ends(2);
}
