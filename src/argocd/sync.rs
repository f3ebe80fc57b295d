//! How an Application is synced, and what of it harms a peering: one list for files and for live Applications. docs/teardown.md has
//! what was seen.

use crate::argocd::{is_true, locate};
use crate::diagnostic::{Severity, Span, quoted};
use crate::document::Located;
use crate::input::yaml::Node;

/// Each harmful option, and why (argo-cd `controller/sync.go`, `SyncAppState`).
const HARMFUL: [(&str, &str); 7] = [
    ("Replace=true", "it takes Liqo's finalizers and status away, and Liqo's webhooks refuse it"),
    ("Force=true", "it deletes what Liqo must release first"),
    // (`controller/appcontroller.go`, `shouldBeDeleted`)
    ("Delete=false", "an Application that is deleted leaves its objects, so the tunnel stays"),
    ("SkipDryRunOnMissingResource=true", "without Liqo's CRDs the sync would prune before it fails"),
    ("Prune=false", "after a rotation two key Secrets stop the gateway"),
    ("Prune=confirm", "after a rotation two key Secrets stop the gateway until a person confirms"),
    ("PruneLast=true", "after a rotation two key Secrets stop the gateway until the old one is pruned"),
];

/// How Argo CD must prune.
const PRUNED: &str = "PrunePropagationPolicy=background";

/// With it Argo CD does not look at an Application (argo-cd `controller/appcontroller.go`, `canProcessApp`).
pub(crate) const SKIP_RECONCILE: &str = "argocd.argoproj.io/skip-reconcile";

/// With these Argo CD deletes an Application's objects with it (argo-cd `pkg/apis/application/v1alpha1/types.go`,
/// `ResourcesFinalizerName` and its kinds).
const FINALIZER: &str = "resources-finalizer.argocd.argoproj.io";

/// Of an Application's `spec.syncPolicy` and metadata.
#[derive(Debug, Clone)]
pub(crate) struct Sync {
    /// Where it is, or what it would be in.
    span: Span,
    /// Without it, or with `enabled: false`, a person syncs (argo-cd `types.go`, `IsAutomatedSyncEnabled`).
    automated: Option<Span>,
    prune: Option<(bool, Span)>,
    allow_empty: Option<(bool, Span)>,
    /// Whether each retry takes the newest commit, and where that is or would be.
    refresh: Located<bool>,
    options: Vec<Located<String>>,
    /// Where it is that a sync is tried once.
    once: Option<Span>,
    skipped: Option<Span>,
    finalizer: Option<Located<String>>,
}

/// A setting that harms a peering.
pub(crate) struct Harm {
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Where it is; of a live Application it is nowhere.
    pub(crate) span: Span,
}

impl Sync {
    pub(super) fn of(application: &Node, span: Span) -> Self {
        let automated = application.at(&["spec", "syncPolicy", "automated"]);
        let is_off =
            automated.and_then(|it| it.get("enabled")).is_some_and(|it| !it.is_empty() && !is_true(it));
        let [prune, allow_empty] = ["prune", "allowEmpty"]
            .map(|name| automated.and_then(|it| it.get(name)).map(|it| (is_true(it), it.span)));
        let retry = application.at(&["spec", "syncPolicy", "retry"]);
        let once = retry.filter(|it| !it.is_empty() && it.text_of("limit").is_none_or(|it| it == "0"));
        let skipped = application.at(&["metadata", "annotations", SKIP_RECONCILE]);
        let refresh = retry.and_then(|it| it.get("refresh"));
        let retry_span = refresh.or(retry).or(automated).map_or(span, |it| it.span);
        Self {
            span: application.at(&["spec", "syncPolicy"]).map_or(span, |it| it.span),
            automated: automated.filter(|it| !it.is_empty() && !is_off).map(|it| it.span),
            prune,
            allow_empty,
            refresh: Located::new(refresh.is_some_and(is_true), retry_span),
            options: texts(application, &["spec", "syncPolicy", "syncOptions"]).collect(),
            once: once.map(|it| it.span),
            skipped: skipped.filter(|it| is_bool_true(it)).map(|it| it.span),
            finalizer: texts(application, &["metadata", "finalizers"])
                .find(|it| it.value.starts_with(FINALIZER)),
        }
    }

    /// Where it is that retries of an automated sync keep to the commit that they began with.
    pub(crate) fn keeps_commit(&self) -> Option<Span> {
        (self.automated.is_some() && !self.refresh.value).then_some(self.refresh.span)
    }

    /// Of one that Argo CD does not look at, what else there is to say.
    pub(crate) fn without_skipped(&self) -> Self {
        Self { skipped: None, ..self.clone() }
    }

    /// Whether Argo CD does not look at it.
    pub(crate) const fn is_skipped(&self) -> bool {
        self.skipped.is_some()
    }

    /// Whether a sync writes what is not compared, and where the options are or would be (argo-cd `docs/user-guide/sync-options.md`,
    /// "Respect ignore differences configs").
    pub(crate) fn overwrites_ignored(&self) -> Option<Span> {
        let is_respected = self.options.iter().any(|it| it.value == "RespectIgnoreDifferences=true");
        (!is_respected).then(|| self.options.first().map_or(self.span, |it| it.span))
    }

    /// What harms a peering, the worst first in its severity.
    pub(crate) fn harms(&self) -> Vec<Harm> {
        let mut harms = Vec::new();
        match self.automated {
            None => harms.push(harm(
                Severity::Note,
                "it is synced by hand".into(),
                "sync both sides after each commit, with prune: a key Secret that is left over stops its gateway",
                self.span,
            )),
            Some(span) if !matches!(self.prune, Some((true, _))) => harms.push(harm(
                Severity::Warning,
                "it does not prune".into(),
                "set `automated.prune`: after a rotation two key Secrets stop the gateway, and a drained peering drains only by pruning",
                self.prune.map_or(span, |(_, at)| at),
            )),
            Some(_) => {}
        }
        if let Some(at) = self.skipped {
            let message = format!("it has the annotation `{SKIP_RECONCILE}`: Argo CD does not look at it");
            harms.push(harm(Severity::Warning, message, "remove it", at));
        }
        if let Some(at) = self.once.filter(|_| self.automated.is_some()) {
            let message =
                "`syncPolicy.retry` has no `limit`, or 0, so a sync that fails is not tried again".into();
            harms.push(harm(Severity::Note, message, "write `limit: 5` there", at));
        }
        if let Some((true, at)) = self.allow_empty {
            let message = "`allowEmpty` is set: an empty stream would delete everything".into();
            harms.push(harm(Severity::Warning, message, "remove it", at));
        }
        for option in &self.options {
            if let Some((_, why)) = HARMFUL.iter().find(|(harmful, _)| *harmful == option.value) {
                let message = format!("`{}` is set: {why}", option.value);
                harms.push(harm(Severity::Warning, message, "remove it", option.span));
            }
        }
        if !self.options.iter().any(|it| it.value == PRUNED) {
            let other = self.options.iter().find(|it| it.value.starts_with("PrunePropagationPolicy="));
            let message = "it does not prune in the background: a drain can hang, because Liqo makes some of what belongs to a slice again";
            let help = format!("write `{PRUNED}` into `syncOptions`");
            harms.push(harm(Severity::Warning, message.into(), &help, other.map_or(self.span, |it| it.span)));
        }
        if let Some(finalizer) = &self.finalizer {
            let message =
                format!("it has the finalizer {}: Argo CD deletes its objects with it", quoted(finalizer));
            let help = "remove it: what deletes both Applications would take both sides down at once, and deletions hang; docs/teardown.md has the order";
            harms.push(harm(Severity::Warning, message, help, finalizer.span));
        }
        harms
    }
}

/// The texts of a list.
fn texts(application: &Node, path: &[&str]) -> impl Iterator<Item = Located<String>> {
    application.at(path).map_or(&[][..], Node::items).iter().filter_map(locate)
}

/// Whether Go reads it as true (`strconv.ParseBool`).
fn is_bool_true(node: &Node) -> bool {
    matches!(node.text(), Some("1" | "t" | "T" | "true" | "TRUE" | "True"))
}

fn harm(severity: Severity, message: String, help: &str, span: Span) -> Harm {
    Harm { severity, message, help: help.to_owned(), span }
}
