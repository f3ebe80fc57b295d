//! The checks of `doctor`: the only list. A check is a line below and a page `checks/<name>.md`; neither compiles without the other.

use super::Object;
use crate::diagnostic::{self, Page, Severity, page, table};
use Recovery::{ByHand, InTime};

table! {
    /// A stage of a peering, in the order in which a packet needs them, and after it a pod.
    pub(crate) enum Stage: &'static str {
        Argo = "Argo CD";
        Liqo = "Liqo";
        Objects = "objects";
        Secrets = "Secrets";
        Gateways = "gateways";
        Tunnel = "tunnel";
        Networks = "networks";
        Fabric = "fabric";
        Authentication = "authentication";
        Offloading = "offloading";
        Removal = "removal";
        Summary = "summaries";
    }
}

impl Stage {
    pub(crate) const fn title(self) -> &'static str {
        self.row()
    }
}

/// Whether a finding of the check can disappear in time: after a sync, a controller's next try, or a pod's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recovery {
    InTime,
    ByHand,
}

/// What the table has of a check.
struct CheckRow {
    page: Page,
    stage: Stage,
    recovery: Recovery,
    causes: &'static [Check],
}

/// A row: the page, the stage, whether a finding can disappear in time, and the checks from whose findings it can follow.
macro_rules! check {
    ($name:literal, $stage:ident, $recovery:ident, [$($cause:ident),*]) => {
        CheckRow {
            page: page!("src/object/live/checks", $name),
            stage: Stage::$stage,
            recovery: $recovery,
            causes: &[$(Check::$cause),*],
        }
    };
}

table! {
    /// What `doctor` looks at, in the order of the stages. The name is part of the program's interface: it never gets another meaning.
    pub enum Check: CheckRow {
        Applications = check!("applications", Argo, ByHand, []);
        ArgoCdVersion = check!("argocd-version", Argo, ByHand, []);
        HealthPack = check!("health-pack", Argo, ByHand, []);
        ArgoCdDown = check!("argocd-down", Argo, InTime, []);
        SyncOptions = check!("sync-options", Argo, ByHand, []);
        Confirmation = check!("confirmation", Argo, ByHand, []);
        Sync = check!("sync", Argo, InTime, [Confirmation, NamespaceDeleted, Applications, ArgoCdDown, LiqoDown, UnknownKind]);
        NotLiqo = check!("not-liqo", Liqo, ByHand, []);
        AnotherCluster = check!("another-cluster", Liqo, ByHand, []);
        LiqoNamespace = check!("liqo-namespace", Liqo, ByHand, []);
        OldLiqo = check!("old-liqo", Liqo, ByHand, []);
        NewLiqo = check!("new-liqo", Liqo, ByHand, []);
        LiqoSkew = check!("liqo-skew", Liqo, ByHand, []);
        Networks = check!("networks", Liqo, ByHand, []);
        LiqoDown = check!("liqo-down", Liqo, InTime, []);
        UnknownKind = check!("unknown-kind", Objects, ByHand, [NotLiqo, OldLiqo]);
        NamespaceDeleted = check!("namespace-deleted", Objects, ByHand, []);
        Missing = check!("missing", Objects, InTime, [NamespaceDeleted, Applications, ArgoCdDown, Sync, LiqoDown, UnknownKind]);
        Different = check!("different", Objects, InTime, [Applications, ArgoCdDown, Sync, LiqoDown]);
        Several = check!("several", Objects, ByHand, [SyncOptions]);
        PodSecurity = check!("pod-security", Objects, ByHand, []);
        OtherOwner = check!("other-owner", Objects, ByHand, []);
        SealedSecret = check!("sealed-secret", Secrets, InTime, []);
        ExternalSecret = check!("external-secret", Secrets, InTime, []);
        Secret = check!("secret", Secrets, InTime, [SealedSecret, ExternalSecret]);
        Keys = check!("keys", Secrets, InTime, [Missing, Different, Several, ArgoCdDown, Sync, SyncOptions]);
        GatewayPod = check!("gateway-pod", Gateways, InTime,
            [Missing, Different, Several, PodSecurity, LiqoDown, OldLiqo, SealedSecret, ExternalSecret, Secret]);
        ServerAddress = check!("server-address", Gateways, InTime, [Missing, Different, GatewayPod, LiqoDown]);
        MtuDiffers = check!("mtu-differs", Gateways, ByHand, [Different]);
        NetworkPolicy = check!("network-policy", Gateways, ByHand, []);
        Connection = check!("connection", Tunnel, InTime,
            [Missing, Different, Several, Keys, GatewayPod, ServerAddress, NetworkPolicy, LiqoSkew]);
        Configuration = check!("configuration", Networks, InTime, [Missing, Different, Several, LiqoDown]);
        Remapped = check!("remapped", Networks, ByHand, []);
        InternalNode = check!("internal-node", Fabric, InTime, [LiqoDown]);
        Route = check!("route", Fabric, InTime, [LiqoDown, GatewayPod, Configuration, InternalNode]);
        Firewall = check!("firewall", Fabric, InTime, [LiqoDown, GatewayPod, Configuration, InternalNode]);
        Tenant = check!("tenant", Authentication, InTime, [Missing, Different, Several, LiqoDown]);
        LiqoIdentity = check!("liqo-identity", Authentication, InTime, [Tenant, LiqoDown]);
        LiqoCertificate = check!("liqo-certificate", Authentication, ByHand, [LiqoDown]);
        Withdrawn = check!("withdrawn", Authentication, ByHand, []);
        Slice = check!("slice", Authentication, InTime,
            [Withdrawn, Missing, Different, Several, SealedSecret, ExternalSecret, Secret, Tenant, LiqoIdentity, LiqoCertificate,
             LiqoDown]);
        VirtualNode = check!("virtual-node", Offloading, InTime, [Missing, Slice, LiqoDown, LiqoCertificate]);
        Node = check!("node", Offloading, InTime, [VirtualNode, Slice, LiqoCertificate, Connection, LiqoDown]);
        NamespaceMap = check!("namespace-map", Offloading, InTime, [Slice, Tenant, LiqoIdentity, LiqoCertificate, Secret, LiqoDown]);
        Offloading = check!("offloading", Offloading, InTime, [Missing, NamespaceMap, VirtualNode, Node, Slice, Secret, LiqoDown]);
        Deletion = check!("deletion", Removal, InTime,
            [LiqoDown, NamespaceDeleted, Secret, Tenant, LiqoIdentity, LiqoCertificate, Slice, NamespaceMap]);
        Released = check!("released", Removal, InTime, [LiqoDown, Deletion]);
        Health = check!("health", Summary, InTime,
            [LiqoDown, Missing, SealedSecret, ExternalSecret, Secret, GatewayPod, ServerAddress, Connection, Configuration, Tenant,
             LiqoIdentity, Slice, VirtualNode, Node, Offloading, Deletion]);
        ForeignCluster = check!("foreign-cluster", Summary, InTime,
            [LiqoDown, Missing, Secret, GatewayPod, ServerAddress, Connection, Configuration, Tenant, LiqoIdentity, Slice,
             VirtualNode, Node, Offloading]);
        Unread = check!("unread", Summary, ByHand, []);
    }
}

impl From<Check> for &'static str {
    fn from(check: Check) -> Self {
        check.name()
    }
}

impl Check {
    /// The name: kebab-case, stable, and different from all codes of diagnostics.
    pub const fn name(self) -> &'static str {
        self.page().name
    }

    /// The page about it.
    pub const fn page(self) -> Page {
        self.row().page
    }

    pub(crate) const fn stage(self) -> Stage {
        self.row().stage
    }

    /// The checks whose findings can be the cause, on either cluster.
    pub(crate) const fn causes(self) -> &'static [Self] {
        self.row().causes
    }

    /// Whether a finding can disappear by itself after a while.
    pub(crate) fn may_recover(self) -> bool {
        matches!(self.row().recovery, InTime)
    }
}

/// What a check has found.
pub(crate) type Finding = diagnostic::Finding<Check>;

impl Finding {
    /// The finding at an object.
    pub(crate) fn mark(self, object: &Object) -> Self {
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
