//! What can be wrong with a document, by topic.

mod keys;
mod names;
mod network;
mod parts;
mod shape;
mod split;

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
        Code::Cidr => network::CIDR,
        Code::CidrHostBits => network::CIDR_HOST_BITS,
        Code::CidrOverlap => network::CIDR_OVERLAP,
        Code::Port => network::PORT,
        Code::Mtu => network::MTU,
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
        Code::InvalidName => split::INVALID_NAME,
        Code::NameTooLong => split::NAME_TOO_LONG,
        Code::NumericName => split::NUMERIC_NAME,
        Code::InvalidText => split::INVALID_TEXT,
        Code::UnknownResource => split::UNKNOWN_RESOURCE,
        Code::InvalidLabel => split::INVALID_LABEL,
        Code::ReservedLabel => split::RESERVED_LABEL,
        Code::NodeLabel => split::NODE_LABEL,
        Code::MetadataTooLarge => split::METADATA_TOO_LARGE,
        Code::InvalidAddress => split::INVALID_ADDRESS,
        Code::InvalidUrl => split::INVALID_URL,
        Code::PasswordInUrl => split::PASSWORD_IN_URL,
        Code::OwnAddress => split::OWN_ADDRESS,
        Code::DuplicateName => split::DUPLICATE_NAME,
        Code::DuplicatePeering => split::DUPLICATE_PEERING,
        Code::DuplicateTaint => split::DUPLICATE_TAINT,
        Code::ReservedNamespace => split::RESERVED_NAMESPACE,
        Code::NamespaceTaken => split::NAMESPACE_TAKEN,
        Code::SecretTaken => split::SECRET_TAKEN,
        Code::ServiceAccountTaken => split::SERVICE_ACCOUNT_TAKEN,
        Code::VirtualNodeTaken => split::VIRTUAL_NODE_TAKEN,
        Code::PortTaken => split::PORT_TAKEN,
        Code::SealedFileReused => split::SEALED_FILE_REUSED,
        Code::UnusedSetting => split::UNUSED_SETTING,
        Code::MissingAuthentication => split::MISSING_AUTHENTICATION,
        Code::UnknownSlice => split::UNKNOWN_SLICE,
        Code::MissingResources => split::MISSING_RESOURCES,
        Code::EmptyList => split::EMPTY_LIST,
        Code::Disagreement => names::DISAGREEMENT,
    }
}
