//! Sync settings that harm a peering: one list for files and for live Applications. docs/teardown.md describes what was observed.

use super::{first_line, note, span_or, warning};
use crate::argocd::sync::{SKIP_RECONCILE, Sync};
use crate::diagnostic::{Diagnostic, quoted};

/// Each harmful option, and why (argo-cd `controller/sync.go`, `SyncAppState`).
const HARMFUL: [(&str, &str); 7] = [
    ("Replace=true", "it removes Liqo's finalizers and fields"),
    ("Force=true", "it deletes what Liqo must release first"),
    // (`controller/appcontroller.go`, `shouldBeDeleted`)
    (
        "Delete=false",
        "a deleted Application leaves its objects, so the tunnel stays",
    ),
    (
        "SkipDryRunOnMissingResource=true",
        "without Liqo's CRDs the sync would prune before it fails",
    ),
    ("Prune=false", TWO_KEYS),
    ("Prune=confirm", TWO_KEYS),
    ("PruneLast=true", TWO_KEYS),
];

const TWO_KEYS: &str = "after a rotation two key Secrets stop the gateway";

/// The prune policy that Argo CD must use.
const PRUNED: &str = "PrunePropagationPolicy=background";

/// The harmful settings, the worst first within a severity. How Argo CD prunes harms a peering that is drained.
pub(crate) fn harms(sync: &Sync, is_drained: bool) -> Vec<Diagnostic> {
    let mut harms = Vec::new();
    match sync.automated {
        None => harms.push(note(
            "it is synced by hand",
            "sync both sides with prune after each commit",
            first_line(sync.span),
        )),
        Some(span) if !matches!(sync.prune, Some((true, _))) => harms.push(warning(
            "it does not prune",
            "set `automated.prune`: without it a rotation stops the gateway",
            first_line(sync.prune.map_or(span, |(_, at)| at)),
        )),
        Some(_) => {}
    }
    if let Some(at) = sync.skipped {
        let message = format!("it has the annotation `{SKIP_RECONCILE}`: Argo CD ignores it");
        harms.push(warning(message, "remove it", first_line(at)));
    }
    if let Some((true, at)) = sync.allow_empty {
        let message = "`allowEmpty` is set: an empty stream would delete everything";
        harms.push(warning(message, "remove it", first_line(at)));
    }
    for option in &sync.options {
        if let Some((_, why)) = HARMFUL.iter().find(|(harmful, _)| *harmful == option.value) {
            let message = format!("`{}` is set: {why}", option.value);
            harms.push(warning(message, "remove it", first_line(option.span)));
        }
    }
    if is_drained && !sync.options.iter().any(|it| it.value == PRUNED) {
        let mut options = sync.options.iter();
        let other = options.find(|it| it.value.starts_with("PrunePropagationPolicy="));
        let message = "it does not prune in the background, so a drain can hang";
        let help = format!("write `{PRUNED}` into `syncOptions`");
        let at = span_or(other, sync.span);
        harms.push(warning(message, &help, first_line(at)));
    }
    if let Some(finalizer) = &sync.finalizer {
        let shown = quoted(finalizer);
        let message = format!("it has the finalizer {shown}: Argo CD deletes its objects with it");
        let help = "remove it: deleting both Applications at once would hang";
        harms.push(warning(message, help, first_line(finalizer.span)));
    }
    harms
}
