//! DERIVE: seed → label → key, in four steps that depend on nothing else.
//!
//! ```text
//! PRK     = HKDF-Extract(SHA-256, salt = "argocd-peering/v1", IKM = seed)      RFC 5869, 2.2
//! info    = LP("wireguard") || LP(owner's cluster ID) || LP(peer's cluster ID) || u32be(generation)
//! OKM     = HKDF-Expand(PRK, info, 32)                                         RFC 5869, 2.3
//! private = clamp(OKM)                                                         RFC 7748, 5
//! public  = X25519(private, 9)                                                 RFC 7748, 6.1
//!
//! LP(x)   = u16be(length of x) || x
//! ```
//!
//! The scheme is frozen: a changed byte is another key, so a breaking release. The vectors are in
//! `tests/vectors/derive-v1.json`.

mod seed;

use crate::peering::networking::keys::OwnKey;
use crate::peering::values::{ClusterId, Generation, PublicKey};
use hkdf::Hkdf;
pub use seed::{ImportProblem, NoRandomness, Seed, SeedProblem};
pub(crate) use seed::{from_bech32, random, to_bech32};
use sha2::Sha256;
use x25519_dalek::StaticSecret;
use zeroize::Zeroizing;

/// A private key. Always clamped: the kernel clamps what it is given, and `wg show` must print what the Secret
/// holds. Neither `Debug` nor `Display` nor `PartialEq`; wiped when dropped.
pub struct PrivateKey(Zeroizing<[u8; 32]>);

/// A private key with its public key.
pub struct KeyPair {
    private: PrivateKey,
    public: PublicKey,
}

impl PrivateKey {
    /// RFC 7748, section 5: `decodeScalar25519`.
    fn clamped(mut bytes: Zeroizing<[u8; 32]>) -> Self {
        let [first, .., last] = &mut *bytes;
        *first &= 0b1111_1000;
        *last = (*last & 0b0111_1111) | 0b0100_0000;
        Self(bytes)
    }
}

impl From<KeyPair> for OwnKey {
    fn from(pair: KeyPair) -> Self {
        Self::Pair {
            private: pair.private.0,
            public: pair.public,
        }
    }
}

impl KeyPair {
    /// A private key and the public key that belongs to it.
    pub fn new(private: PrivateKey) -> Self {
        let secret = StaticSecret::from(*private.0);
        let public = PublicKey::of_private_key(x25519_dalek::PublicKey::from(&secret).to_bytes());
        Self { private, public }
    }

    pub const fn public(&self) -> PublicKey {
        self.public
    }
}

/// The scheme's version tag. Another scheme has another salt, so two schemes never give the same key.
const SALT: &[u8] = b"argocd-peering/v1";

/// The purpose of the key. Keys for another purpose can be derived from the same seed without a change of these.
const WIREGUARD: &str = "wireguard";

/// The key pair of `owner`'s gateway towards `peer`.
///
/// Only the ordered pair of cluster IDs and the owner's generation enter: renaming a peering, moving its folder or
/// swapping server and client must not cut a tunnel. Liqo has one tunnel for each pair of clusters.
pub fn derive(seed: &Seed, owner: &ClusterId, peer: &ClusterId, generation: Generation) -> KeyPair {
    let fields = [owner.as_str().as_bytes(), peer.as_str().as_bytes()];
    KeyPair::new(PrivateKey::clamped(expand(
        seed,
        WIREGUARD,
        &fields,
        generation.get(),
    )))
}

/// 32 bytes of a seed, for a purpose and its context.
pub fn expand(
    seed: &Seed,
    purpose: &str,
    fields: &[&[u8]],
    generation: u32,
) -> Zeroizing<[u8; 32]> {
    hkdf(SALT, seed.bytes(), &info(purpose, fields, generation))
}

/// 32 bytes from a key (RFC 5869).
pub(super) fn hkdf(salt: &[u8], key: &[u8], info: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut output = Zeroizing::new([0; 32]);
    // the only error is a length over 255 × 32 bytes
    let filled = Hkdf::<Sha256>::new(Some(salt), key).expand(info, &mut *output);
    debug_assert!(filled.is_ok(), "32 bytes are within HKDF's reach");
    output
}

/// The context. No two lists of fields give the same bytes: read from the left, fields follow each other until exactly
/// four bytes remain.
fn info(purpose: &str, fields: &[&[u8]], generation: u32) -> Vec<u8> {
    let mut info = Vec::new();
    for field in std::iter::once(purpose.as_bytes()).chain(fields.iter().copied()) {
        // names of Kubernetes objects and digests are far shorter
        let length = u16::try_from(field.len()).unwrap_or(u16::MAX);
        info.extend_from_slice(&length.to_be_bytes());
        info.extend_from_slice(field);
    }
    info.extend_from_slice(&generation.to_be_bytes());
    info
}

#[cfg(test)]
mod tests {
    use super::{WIREGUARD, derive, info};
    use crate::custody::keys::Seed;
    use crate::peering::values::ClusterId;
    use crate::peering::values::Generation;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::Value;

    const VECTORS: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/derive-v1.json"
    ));

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex"))
            .collect()
    }

    fn group(purpose: &str) -> Vec<Value> {
        let vectors: Value = serde_json::from_str(VECTORS).expect("JSON");
        let groups = vectors["groups"].as_array().expect("groups");
        let group = groups
            .iter()
            .find(|group| group["purpose"] == purpose)
            .expect("the purpose");
        group["tests"].as_array().expect("tests").clone()
    }

    #[test]
    fn every_derivation_vector() {
        let mut seen = (0, 0);
        for test in group("wireguard") {
            let [owner, peer] = [0, 1].map(|at| {
                test["fields"][at]
                    .as_str()
                    .expect("text")
                    .parse::<ClusterId>()
            });
            let generation = Generation::try_from(test["generation"].as_i64().expect("a number"));
            let comment = &test["comment"];
            if test["result"] == "invalid" {
                let equal = test["fields"][0] == test["fields"][1];
                assert!(
                    owner.is_err() || peer.is_err() || generation.is_err() || equal,
                    "{comment}"
                );
                assert_eq!(equal, test["error"] == "ids-equal", "{comment}");
                seen.1 += 1;
                continue;
            }
            let (owner, peer) = (owner.expect("an ID"), peer.expect("an ID"));
            let generation = generation.expect("a generation");
            let bytes: [u8; 32] = hex(test["seed"].as_str().expect("hex"))
                .try_into()
                .expect("32 bytes");
            assert_eq!(
                info(
                    WIREGUARD,
                    &[owner.as_str().as_bytes(), peer.as_str().as_bytes()],
                    generation.get()
                ),
                hex(test["info"].as_str().expect("hex")),
                "{comment}"
            );
            let pair = derive(&Seed::new(bytes), &owner, &peer, generation);
            assert_eq!(
                STANDARD.encode(*pair.private.0),
                test["private"],
                "{comment}"
            );
            assert_eq!(
                pair.public().to_string().as_str(),
                test["public"],
                "{comment}"
            );
            assert_eq!(
                pair.public().fingerprint().as_str(),
                test["keySecretSuffix"],
                "{comment}"
            );
            seen.0 += 1;
        }
        assert!(seen.0 >= 18 && seen.1 >= 20, "{seen:?}");
    }

    #[test]
    fn every_seed_text_vector() {
        let mut seen = (0, 0);
        for test in group("seed-text") {
            let parsed = test["text"].as_str().expect("text").parse::<Seed>();
            let comment = &test["comment"];
            if test["result"] == "valid" {
                let parsed = parsed.unwrap_or_else(|problem| panic!("{comment}: {problem}"));
                assert_eq!(
                    parsed.bytes().as_slice(),
                    hex(test["seed"].as_str().expect("hex")),
                    "{comment}"
                );
                assert_eq!(parsed.expose_text().as_str(), test["text"], "{comment}");
                seen.0 += 1;
            } else {
                assert!(parsed.is_err(), "{comment}");
                seen.1 += 1;
            }
        }
        assert!(seen.0 >= 3 && seen.1 >= 13, "{seen:?}");
    }

    #[test]
    fn rfc_5869() {
        let vectors: Value = serde_json::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/rfc5869.json"
        )))
        .expect("JSON");
        let tests = vectors["groups"][0]["tests"]
            .as_array()
            .expect("tests")
            .clone();
        assert_eq!(tests.len(), 3);
        for test in tests {
            let [salt, ikm, expected_prk, info, expected] = ["salt", "ikm", "prk", "info", "okm"]
                .map(|name| hex(test[name].as_str().expect("hex")));
            let mut okm = vec![0; expected.len()];
            let (prk, hkdf) = hkdf::Hkdf::<sha2::Sha256>::extract(Some(&salt), &ikm);
            assert_eq!(prk.as_slice(), expected_prk);
            hkdf.expand(&info, &mut okm).expect("a length in reach");
            assert_eq!(okm, expected);
        }
    }

    #[test]
    fn rfc_7748() {
        let vectors: Value = serde_json::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/rfc7748.json"
        )))
        .expect("JSON");
        let array = |value: &Value| -> [u8; 32] {
            hex(value.as_str().expect("hex"))
                .try_into()
                .expect("32 bytes")
        };
        let mut checked = 0;
        for group in vectors["groups"].as_array().expect("groups") {
            for test in group["tests"].as_array().expect("tests") {
                if let (Some(scalar), Some(u)) = (test.get("scalar"), test.get("u"))
                    && let Some(output) = test.get("output").or_else(|| test.get("out"))
                    && test.get("iterations").is_none()
                {
                    assert_eq!(x25519_dalek::x25519(array(scalar), array(u)), array(output));
                    checked += 1;
                }
            }
        }
        assert!(checked >= 2, "the scalar multiplications of section 5.2");
        // section 5.2, iterated a thousand times
        let (mut k, mut u) = ([0; 32], [0; 32]);
        (k[0], u[0]) = (9, 9);
        for _ in 0..1000 {
            let next = x25519_dalek::x25519(k, u);
            (u, k) = (k, next);
        }
        assert_eq!(
            k.to_vec(),
            hex("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
        );
    }

    #[test]
    fn the_guides_published_pairs() {
        for (private, public) in [
            (
                "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=",
                "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
            ),
            (
                "IIDYUpVU5r/R3pxp7xnpEU31Ky2+Th7pSWQWyEKKVG8=",
                "SU+Ba3jBNgofBrZtVHwad1VJotcVs4TmgpOdFQhx/UE=",
            ),
        ] {
            let bytes: [u8; 32] = STANDARD
                .decode(private)
                .expect("base64")
                .try_into()
                .expect("32 bytes");
            let pair =
                super::KeyPair::new(super::PrivateKey::clamped(zeroize::Zeroizing::new(bytes)));
            assert_eq!(pair.public().to_string(), public);
            assert_eq!(
                STANDARD.encode(*pair.private.0),
                private,
                "published clamped"
            );
        }
    }
}
