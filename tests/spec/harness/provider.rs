//! A `kubectl` that plays a provider's API server, from files, and the signer behind it.

use super::{machine, put};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;
use x509_cert::Certificate;
use x509_cert::certificate::{TbsCertificate, Version};
use x509_cert::der::asn1::{BitString, GeneralizedTime};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{DecodePem as _, Encode as _, EncodePem as _};
use x509_cert::request::CertReq;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::{Time, Validity};

/// What the API server calls the request.
pub(crate) const NAME: &str = "argocd-peering-x7k2p";

/// `-----BEGIN CERTIFICATE-----` is all that is looked at.
pub(crate) const CA: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==";

/// A token as Kubernetes makes it; nobody has signed it.
pub(crate) static TOKEN: LazyLock<String> = LazyLock::new(|| {
    let parts = [
        "{\"alg\":\"none\"}",
        "{\"sub\":\"system:serviceaccount:liqo-tenant-rome:rome-cp\"}",
    ];
    let [head, claims] =
        parts.map(|part| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(part));
    format!("{head}.{claims}.Y2FuYXJ5LW9mLXRoZS10b2tlbg")
});

/// It keeps what it was told, and reads a kubeconfig twice, as some builds of kubectl do.
const KUBECTL: &str = r#"#!/bin/sh
here=${0%/*}/..
echo "$*" >>"$here/argv"
refuse() { [ ! -f "$here/$1.err" ] || { cat "$here/$1.err" >&2; exit 1; }; }
show() { [ ! -f "$here/$1" ] || exec cat "$here/$1"; }
case "$*" in
"--kubeconfig=/dev/stdin "*" auth can-i "*)
  grep -qE 'client-key-data: "|token: "' /dev/stdin || { echo "error: no credential" >&2; exit 1; }
  echo "tried at $(sed -n 's/.*server: "\(.*\)"/\1/p' /dev/stdin)" >>"$here/argv"
  refuse can-i
  words=$*
  if [ -f "$here/may" ] && grep -qxF -e "${words#*can-i }" "$here/may"; then echo yes; else echo no; exit 1; fi
  ;;
*" config view "*) show cluster ;;
*" get configmaps "*) show cluster-id ;;
*" get serviceaccounts "*) show account ;;
*" create -f - "*)
  refuse create
  cat >"$here/creating" && mv "$here/creating" "$here/created"
  case $(cat "$here/created") in
  *CertificateSigningRequest*)
    until [ -f "$here/signed" ]; do sleep 0.02; done
    show name
    ;;
  *) echo rome-cp-token ;;
  esac
  ;;
*" certificate approve "*) refuse approve; touch "$here/approved" ;;
*" get certificatesigningrequests"*)
  [ -f "$here/approved" ] || exit 0
  if [ -f "$here/csr" ]; then show csr; else show signed; fi
  ;;
*" get secrets "*data.token*) (show token); [ ! -f "$here/token-later" ] || mv "$here/token-later" "$here/token" ;;
*" get secrets "*) show secret ;;
*" delete "*) refuse delete ;;
*) echo "error: what is $*" >&2; exit 1 ;;
esac
"#;

fn days_from_now(days: u64) -> Time {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    let time = now + Duration::from_secs(days * 24 * 60 * 60);
    Time::GeneralTime(GeneralizedTime::from_unix_duration(time).expect("a time"))
}

pub(crate) struct Provider(TempDir);

impl Provider {
    pub(crate) fn new() -> Self {
        let provider = Self(crate::harness::machine::folder());
        let kubectl = provider.path("bin/kubectl");
        fs::create_dir(provider.path("bin")).expect("a folder");
        machine::script(&kubectl, KUBECTL);
        provider.set(
            "cluster",
            &format!(
                r#"{{"certificate-authority-data":"{CA}","server":"https://192.0.2.1:6443"}}"#
            ),
        );
        provider.set("name", NAME);
        provider.set("token", &STANDARD.encode(TOKEN.as_bytes()));
        provider
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `PATH`.
    pub(crate) fn bin(&self) -> String {
        format!("{}:/usr/bin:/bin", self.path("bin").display())
    }

    pub(crate) fn set(&self, name: &str, content: &str) {
        put(self.path(name), content);
    }

    /// The object that was created last.
    pub(crate) fn created(&self) -> Option<Value> {
        let text = fs::read_to_string(self.path("created")).ok()?;
        Some(serde_json::from_str(&text).expect("JSON"))
    }

    /// Signs what is requested during a run.
    pub(crate) fn signing<T>(&self, run: impl FnOnce() -> T) -> T {
        for name in ["created", "signed", "approved"] {
            let _ = fs::remove_file(self.path(name));
        }
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) && !self.sign() {
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
            let outcome = run();
            ended.store(true, Ordering::Relaxed);
            outcome
        })
    }

    /// Signs the request, if there is one.
    fn sign(&self) -> bool {
        let created = self
            .created()
            .filter(|it| it["kind"] == "CertificateSigningRequest");
        let Some(created) = created else { return false };
        let pem = STANDARD
            .decode(created["spec"]["request"].as_str().expect("a request"))
            .expect("base64");
        let request = CertReq::from_pem(&pem).expect("a request of RFC 2986");
        let key = request
            .info
            .public_key
            .subject_public_key
            .as_bytes()
            .expect("whole bytes");
        let key = VerifyingKey::from_bytes(key.try_into().expect("32 bytes")).expect("a key");
        let signature = request.signature.as_bytes().expect("whole bytes");
        let signature = Signature::from_slice(signature).expect("a signature");
        key.verify(&request.info.to_der().expect("DER"), &signature)
            .expect("its own key signs a request");
        let certificate = Certificate {
            tbs_certificate: TbsCertificate {
                version: Version::V3,
                serial_number: SerialNumber::new(&[1]).expect("a number"),
                signature: request.algorithm.clone(),
                issuer: request.info.subject.clone(),
                validity: Validity {
                    not_before: days_from_now(0),
                    not_after: days_from_now(365),
                },
                subject: request.info.subject,
                subject_public_key_info: request.info.public_key,
                issuer_unique_id: None,
                subject_unique_id: None,
                extensions: None,
            },
            signature_algorithm: request.algorithm,
            signature: BitString::from_bytes(b"nobody looks at it").expect("bits"),
        };
        let data = STANDARD.encode(certificate.to_pem(LineEnding::LF).expect("PEM"));
        let answer = serde_json::json!({ "status": { "conditions": [{ "type": "Approved" }], "certificate": data } });
        put(self.path("signing"), answer.to_string());
        fs::rename(self.path("signing"), self.path("signed")).expect("renamed");
        true
    }
}
