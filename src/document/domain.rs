//! How the domain's own types are read: each has its rules in `crate::peering`.

use super::decode::{Decode, Located, parsed, ranged};
use crate::custody::keys::PublicKey;
use crate::diagnostic::Problems;
use crate::input::yaml::Node;
use crate::peering::cidr::Cidr;
use crate::peering::endpoint::{Address, Generation, Mtu, NodePort, Port};
use crate::peering::name::{
    ClusterId, ConfigurationName, FileName, GatewayName, Namespace, ObjectName, PeeringName, RoleBindingName,
    SecretName, SliceName, SubjectName, Title,
};
use crate::peering::url::{ApiServer, ProxyUrl};
use crate::peering::version::LiqoVersion;

/// Declares how scalars are read: strings by `FromStr`, integers by `TryFrom<i64>`.
macro_rules! scalars {
    (text: $($text:ty => $takes:literal),*; integer: $($integer:ty),*) => {
        $(impl Decode for $text {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                parsed(node, $takes, problems).map(|located| located.value)
            }
        })*
        $(impl Decode for $integer {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                ranged(node, problems).map(|located| located.value)
            }
        })*
    };
}

scalars! {
    text:
        ClusterId => "a cluster ID",
        Namespace => "a namespace's name",
        ObjectName => "an object's name",
        ConfigurationName => "a Configuration's name",
        RoleBindingName => "a RoleBinding's name",
        GatewayName => "a gateway's name",
        SecretName => "a Secret's name",
        SliceName => "a ResourceSlice's name",
        SubjectName => "a subject's name",
        PeeringName => "a name",
        Title => "a name",
        FileName => "a file's name",
        LiqoVersion => "a version in quotes",
        Cidr => "an IPv4 network",
        PublicKey => "a WireGuard public key",
        Address => "an address",
        ApiServer => "a URL",
        ProxyUrl => "a URL";
    integer: Port, NodePort, Mtu, Generation
}

/// A location is kept where a later rule needs it.
impl<T> AsRef<T> for Located<T> {
    fn as_ref(&self) -> &T {
        &self.value
    }
}
