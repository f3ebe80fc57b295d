//! OPEN and DERIVE: sealed files, the terms inside them, and whether this caller fulfils them.
//!
//! A sealed file is an age file (age-encryption.org/v1, X25519 recipients) whose plaintext is JSON: the secret together
//! with the terms on which it may be used. Argo CD lets any Application of any project name any plugin, so anyone who
//! copies a sealed file into their own repository would otherwise get it opened. They cannot change the terms: secret and
//! terms are under one authenticated encryption, and no one without the secret can make a file that has it on other
//! terms.

mod age;
mod authorise;
#[cfg(feature = "workstation")]
mod confirm;
mod error;
mod identities;
pub mod keys;
mod open;
#[cfg(feature = "workstation")]
mod opened;
mod opener;
mod payload;
mod policy;
mod request;
#[cfg(feature = "workstation")]
pub mod rotation;
mod sealed_files;
pub mod sealed_secret;
#[cfg(feature = "workstation")]
pub mod store;
mod terms;

pub(crate) use age::without_line_ends;
pub use age::{Attempts, Recipient};
pub(crate) use authorise::{Grants, PlannedCaller};
#[cfg(feature = "workstation")]
pub(crate) use confirm::{
    Confirmed, NamedRecipient, Origin, Person, Proposal, Proposed, Unconfirmed, seal, typed_yes,
};
pub use error::{Error, RotationProblem};
#[cfg(feature = "workstation")]
pub(crate) use identities::identity_file_of_person;
pub use identities::{Identities, IdentityProblem, check_unopened};
#[cfg(feature = "workstation")]
pub use opened::Opened;
#[cfg(feature = "workstation")]
pub(crate) use opened::{Owner, files_of_others};
pub(crate) use opener::{OpenedFile, OpenedSide};
pub use payload::{Payload, PayloadKind, PayloadProblem};
pub use policy::{Policy, PolicyProblem};
pub(crate) use request::Request;
pub(crate) use sealed_files::{named_files, sealed_files, sealed_files_of};
pub(crate) use terms::{
    ANY, Certificates, ClusterPair, EntryClusters, TermsEntry, certificate_lines,
};
pub use terms::{Term, Terms, normal_path, normal_repo};
