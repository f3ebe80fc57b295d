//! Sync options of an Application that harm a peering; docs/teardown.md has what was seen.

/// Each harmful option, and why (argo-cd `controller/sync.go`, `SyncAppState`).
const HARMFUL: [(&str, &str); 5] = [
    ("Replace=true", "it takes Liqo's finalizers and status away, and Liqo's webhooks refuse it"),
    ("Force=true", "it deletes what Liqo must release first"),
    ("SkipDryRunOnMissingResource=true", "without Liqo's CRDs the sync would prune before it fails"),
    ("Prune=false", "after a rotation two key Secrets stop the gateway"),
    ("PruneLast=true", "after a rotation two key Secrets stop the gateway until the old one is pruned"),
];

/// How Argo CD must prune.
pub(crate) const PRUNED: &str = "PrunePropagationPolicy=background";

/// What an Application has that does not prune so.
pub(crate) const NOT_PRUNED: &str = "it does not prune in the background: a drain can hang, because Liqo makes some of what belongs to a slice again";

/// Why an option harms, if it does.
pub(crate) fn harm(option: &str) -> Option<String> {
    let (option, why) = HARMFUL.iter().find(|(harmful, _)| *harmful == option)?;
    Some(format!("`{option}` is set: {why}"))
}
