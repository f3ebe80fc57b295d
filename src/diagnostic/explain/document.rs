//! What can be wrong with a document, by topic.

mod keys;
mod names;
mod network;
mod parts;
mod shape;

use super::Explanation;
use crate::diagnostic::Code;

/// Each code has an arm, so a new one does not compile before it is explained.
pub(super) const fn of(code: Code) -> Explanation {
    match code {
        Code::Syntax => shape::SYNTAX,
        Code::DuplicateKey => shape::DUPLICATE_KEY,
        Code::Alias => shape::ALIAS,
        Code::DocumentCount => shape::DOCUMENT_COUNT,
        Code::AmbiguousScalar => shape::AMBIGUOUS_SCALAR,
        Code::WrongType => shape::WRONG_TYPE,
        Code::UnknownField => shape::UNKNOWN_FIELD,
        Code::MissingField => shape::MISSING_FIELD,
        Code::UnknownValue => shape::UNKNOWN_VALUE,
        Code::NotAPeering => shape::NOT_A_PEERING,
        Code::ClusterId => names::CLUSTER_ID,
        Code::SameCluster => names::SAME_CLUSTER,
        Code::Name => names::NAME,
        Code::Label => names::LABEL,
        Code::Cidr => network::CIDR,
        Code::CidrHostBits => network::CIDR_HOST_BITS,
        Code::CidrOverlap => network::CIDR_OVERLAP,
        Code::Port => network::PORT,
        Code::Mtu => network::MTU,
        Code::Address => network::ADDRESS,
        Code::ServiceType => network::SERVICE_TYPE,
        Code::Quantity => parts::QUANTITY,
        Code::LiqoVersion => parts::LIQO_VERSION,
        Code::NewerLiqo => parts::NEWER_LIQO,
        Code::PublicKey => keys::PUBLIC_KEY,
        Code::FileName => keys::FILE_NAME,
        Code::KeyGeneration => keys::KEY_GENERATION,
        Code::Seed => keys::SEED,
        Code::Alternatives => parts::ALTERNATIVES,
        Code::Selector => parts::SELECTOR,
        Code::Certificate => keys::CERTIFICATE,
        Code::Subject => names::SUBJECT,
        Code::Duplicate => names::DUPLICATE,
        Code::Disagreement => names::DISAGREEMENT,
        Code::Requires => parts::REQUIRES,
    }
}
