//! The checks of `doctor`: the only list. A check is a line below and a page `checks/<name>.md`; neither compiles without the other.

use super::Object;
use crate::diagnostic::{self, Page, Severity};
use Recovery::{ByHand, InTime};

/// Declares the stages of a peering, in the order in which a packet needs them, and after it a pod.
macro_rules! stages {
    ($( $stage:ident = $title:literal, )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Stage {
            $( $stage, )*
        }

        impl Stage {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$stage),*];

            pub(crate) const fn title(self) -> &'static str {
                match self {
                    $( Self::$stage => $title, )*
                }
            }
        }
    };
}

stages! {
    Argo = "Argo CD",
    Liqo = "Liqo",
    Objects = "objects",
    Secrets = "Secrets",
    Gateways = "gateways",
    Tunnel = "tunnel",
    Networks = "networks",
    Fabric = "fabric",
    Authentication = "authentication",
    Offloading = "offloading",
    Removal = "removal",
    Summary = "summaries",
}

/// Whether a finding of the check can disappear in time: after a sync, a controller's next try, or a pod's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recovery {
    InTime,
    ByHand,
}

/// Declares the checks: the name in reports, the stage, whether a finding can disappear in time, and the checks from whose findings it can
/// follow.
macro_rules! checks {
    ($( $check:ident = $name:literal, $stage:ident, $mends:ident, [$($cause:ident),*]; )*) => {
        /// What `doctor` looks at. The name is part of the program's interface: it never gets another meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Check {
            $( #[doc = include_str!(concat!("checks/", $name, ".md"))] $check, )*
        }

        impl Check {
            /// All checks, in the order of their stages.
            pub const ALL: &'static [Self] = &[$(Self::$check),*];

            /// The name: kebab-case, stable, and different from all codes of diagnostics.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$check => $name, )*
                }
            }

            /// The page about it.
            pub const fn page(self) -> Page {
                let text = match self {
                    $( Self::$check => include_str!(concat!("checks/", $name, ".md")), )*
                };
                Page { name: self.name(), text, folder: "src/object/live/checks" }
            }

            pub(crate) const fn stage(self) -> Stage {
                match self {
                    $( Self::$check => Stage::$stage, )*
                }
            }

            const fn mends(self) -> Recovery {
                match self {
                    $( Self::$check => $mends, )*
                }
            }

            /// The checks whose findings can be the cause, on either cluster.
            pub(crate) const fn causes(self) -> &'static [Self] {
                match self {
                    $( Self::$check => &[$(Self::$cause),*], )*
                }
            }
        }
    };
}

checks! {
    Applications = "applications", Argo, ByHand, [];
    ArgoCdVersion = "argocd-version", Argo, ByHand, [];
    HealthPack = "health-pack", Argo, ByHand, [];
    ArgoCdDown = "argocd-down", Argo, InTime, [];
    SyncOptions = "sync-options", Argo, ByHand, [];
    Confirmation = "confirmation", Argo, ByHand, [];
    Sync = "sync", Argo, InTime,
        [Confirmation, NamespaceDeleted, Applications, ArgoCdDown, LiqoDown, UnknownKind];
    NotLiqo = "not-liqo", Liqo, ByHand, [];
    AnotherCluster = "another-cluster", Liqo, ByHand, [];
    LiqoNamespace = "liqo-namespace", Liqo, ByHand, [];
    OldLiqo = "old-liqo", Liqo, ByHand, [];
    NewLiqo = "new-liqo", Liqo, ByHand, [];
    LiqoSkew = "liqo-skew", Liqo, ByHand, [];
    Networks = "networks", Liqo, ByHand, [];
    LiqoDown = "liqo-down", Liqo, InTime, [];
    UnknownKind = "unknown-kind", Objects, ByHand, [NotLiqo, OldLiqo];
    NamespaceDeleted = "namespace-deleted", Objects, ByHand, [];
    Missing = "missing", Objects, InTime,
        [NamespaceDeleted, Applications, ArgoCdDown, Sync, LiqoDown, UnknownKind];
    Different = "different", Objects, InTime, [Applications, ArgoCdDown, Sync, LiqoDown];
    Several = "several", Objects, ByHand, [SyncOptions];
    PodSecurity = "pod-security", Objects, ByHand, [];
    OtherOwner = "other-owner", Objects, ByHand, [];
    SealedSecret = "sealed-secret", Secrets, InTime, [];
    ExternalSecret = "external-secret", Secrets, InTime, [];
    Secret = "secret", Secrets, InTime, [SealedSecret, ExternalSecret];
    Keys = "keys", Secrets, InTime, [Missing, Different, Several, ArgoCdDown, Sync, SyncOptions];
    GatewayPod = "gateway-pod", Gateways, InTime,
        [Missing, Different, Several, PodSecurity, LiqoDown, OldLiqo, SealedSecret, ExternalSecret, Secret];
    ServerAddress = "server-address", Gateways, InTime, [Missing, Different, GatewayPod, LiqoDown];
    MtuDiffers = "mtu-differs", Gateways, ByHand, [Different];
    NetworkPolicy = "network-policy", Gateways, ByHand, [];
    Connection = "connection", Tunnel, InTime,
        [Missing, Different, Several, Keys, GatewayPod, ServerAddress, NetworkPolicy, LiqoSkew];
    Configuration = "configuration", Networks, InTime, [Missing, Different, Several, LiqoDown];
    Remapped = "remapped", Networks, ByHand, [];
    InternalNode = "internal-node", Fabric, InTime, [LiqoDown];
    Route = "route", Fabric, InTime, [LiqoDown, GatewayPod, Configuration, InternalNode];
    Firewall = "firewall", Fabric, InTime, [LiqoDown, GatewayPod, Configuration, InternalNode];
    Tenant = "tenant", Authentication, InTime, [Missing, Different, Several, LiqoDown];
    LiqoIdentity = "liqo-identity", Authentication, InTime, [Tenant, LiqoDown];
    LiqoCertificate = "liqo-certificate", Authentication, ByHand, [LiqoDown];
    Withdrawn = "withdrawn", Authentication, ByHand, [];
    Slice = "slice", Authentication, InTime,
        [Withdrawn, Missing, Different, Several, SealedSecret, ExternalSecret, Secret, Tenant, LiqoIdentity, LiqoCertificate, LiqoDown];
    VirtualNode = "virtual-node", Offloading, InTime, [Missing, Slice, LiqoDown, LiqoCertificate];
    Node = "node", Offloading, InTime, [VirtualNode, Slice, LiqoCertificate, Connection, LiqoDown];
    NamespaceMap = "namespace-map", Offloading, InTime, [Slice, Tenant, LiqoIdentity, LiqoCertificate, Secret, LiqoDown];
    Offloading = "offloading", Offloading, InTime,
        [Missing, NamespaceMap, VirtualNode, Node, Slice, Secret, LiqoDown];
    Deletion = "deletion", Removal, InTime,
        [LiqoDown, NamespaceDeleted, Secret, Tenant, LiqoIdentity, LiqoCertificate, Slice, NamespaceMap];
    Released = "released", Removal, InTime, [LiqoDown, Deletion];
    Health = "health", Summary, InTime,
        [LiqoDown, Missing, SealedSecret, ExternalSecret, Secret, GatewayPod, ServerAddress, Connection, Configuration, Tenant,
         LiqoIdentity, Slice, VirtualNode, Node, Offloading, Deletion];
    ForeignCluster = "foreign-cluster", Summary, InTime,
        [LiqoDown, Missing, Secret, GatewayPod, ServerAddress, Connection, Configuration, Tenant, LiqoIdentity, Slice, VirtualNode,
         Node, Offloading];
    Unread = "unread", Summary, ByHand, [];
}

impl From<Check> for Page {
    fn from(check: Check) -> Self {
        check.page()
    }
}

impl Check {
    /// Whether a finding can disappear by itself after a while.
    pub(crate) fn mends_in_time(self) -> bool {
        self.mends() == InTime
    }
}

/// What a check has found.
pub(crate) type Finding = diagnostic::Finding<Check>;

impl Finding {
    /// The finding at an object.
    pub(crate) fn at(self, object: &Object) -> Self {
        Self {
            object: Some(object.to_string().into()),
            ..self
        }
    }
}

pub(crate) fn finding(
    level: Severity,
    check: Check,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Finding {
    Finding::new(level, check, message).help(Some(help.into()))
}

/// The peering does not work, or not as the document describes it.
pub(crate) fn error(check: Check, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Error, check, message, help)
}

/// The peering will stop working, or was not checked.
pub(crate) fn warning(
    check: Check,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Finding {
    finding(Severity::Warning, check, message, help)
}

/// A fact that is worth knowing.
pub(crate) fn note(check: Check, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Note, check, message, help)
}

#[cfg(test)]
mod tests {
    use super::Check;

    /// A list of checks is read from the top: what comes first is mended first. A cause that comes later would make two
    /// findings follow from each other.
    #[test]
    fn a_cause_has_no_cause_in_a_circle() {
        fn reaches(from: Check, to: Check, depth: usize) -> bool {
            depth > 0
                && from
                    .causes()
                    .iter()
                    .any(|it| *it == to || reaches(*it, to, depth - 1))
        }
        for check in Check::ALL {
            assert!(
                !reaches(*check, *check, 8),
                "{} follows from itself",
                check.name()
            );
        }
    }

    #[test]
    fn the_list_is_in_the_order_of_the_stages() {
        let stages: Vec<_> = Check::ALL.iter().map(|check| check.stage()).collect();
        assert!(stages.is_sorted(), "{stages:?}");
    }
}
