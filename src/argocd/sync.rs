//! How an Application is synced.

use crate::argocd::{is_true, locate};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::Node;

/// With it Argo CD does not look at an Application (argo-cd `controller/appcontroller.go`, `canProcessApp`).
pub(crate) const SKIP_RECONCILE: &str = "argocd.argoproj.io/skip-reconcile";

/// With these Argo CD deletes an Application's objects with it (argo-cd `pkg/apis/application/v1alpha1/types.go`,
/// `ResourcesFinalizerName` and its kinds).
const FINALIZER: &str = "resources-finalizer.argocd.argoproj.io";

/// Of an Application's `spec.syncPolicy` and metadata.
#[derive(Debug, Clone)]
pub(crate) struct Sync {
    /// Where it is, or what it would be in.
    pub(crate) span: Span,
    /// Without it, or with `enabled: false`, a person syncs (argo-cd `types.go`, `IsAutomatedSyncEnabled`).
    pub(crate) automated: Option<Span>,
    pub(crate) prune: Option<(bool, Span)>,
    pub(crate) allow_empty: Option<(bool, Span)>,
    /// Whether each retry takes the newest commit, and where that is or would be.
    refresh: Located<bool>,
    pub(crate) options: Vec<Located<String>>,
    /// Where it is that a sync is tried once.
    pub(crate) once: Option<Span>,
    pub(crate) skipped: Option<Span>,
    pub(crate) finalizer: Option<Located<String>>,
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
}

/// The texts of a list.
fn texts(application: &Node, path: &[&str]) -> impl Iterator<Item = Located<String>> {
    application.at(path).map_or(&[][..], Node::items).iter().filter_map(locate)
}

/// Whether Go reads it as true (`strconv.ParseBool`).
fn is_bool_true(node: &Node) -> bool {
    matches!(node.text(), Some("1" | "t" | "T" | "true" | "TRUE" | "True"))
}
