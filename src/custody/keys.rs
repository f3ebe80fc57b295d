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

mod derive;
mod seed;
mod wireguard;

pub(super) use derive::hkdf;
pub use derive::{derive, expand};
pub(crate) use seed::random;
pub use seed::{ImportProblem, NoRandomness, Seed, SeedProblem};
pub use wireguard::{KeyPair, PrivateKey};
