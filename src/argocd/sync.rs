//! How an Application is synced.

use crate::argocd::{is_true, locate};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::Node;

/// The annotation with which Argo CD ignores an Application (argo-cd `controller/appcontroller.go`, `canProcessApp`).
pub(crate) const SKIP_RECONCILE: &str = "argocd.argoproj.io/skip-reconcile";

/// The finalizer with which Argo CD deletes the objects of an Application together with it (argo-cd
/// `pkg/apis/application/v1alpha1/types.go`, `ResourcesFinalizerName` and its variants).
const FINALIZER: &str = "resources-finalizer.argocd.argoproj.io";

/// The sync policy of an Application, from `spec.syncPolicy` and its metadata.
#[derive(Debug, Clone)]
pub(crate) struct Sync {
    /// The place of the policy, or of what it would be in.
    pub(crate) span: Span,
    /// The place of `automated`. `None` without it, or with `enabled: false`: then a person syncs (argo-cd `types.go`,
    /// `IsAutomatedSyncEnabled`).
    pub(crate) automated: Option<Span>,
    pub(crate) prune: Option<(bool, Span)>,
    pub(crate) allow_empty: Option<(bool, Span)>,
    pub(crate) options: Vec<Located<String>>,
    pub(crate) skipped: Option<Span>,
    pub(crate) finalizer: Option<Located<String>>,
}

impl Sync {
    pub(super) fn from_node(application: &Node, span: Span) -> Self {
        let policy = application.find(&["spec", "syncPolicy"]);
        let mut finalizers = texts(application, &["metadata", "finalizers"]);
        Self {
            span: policy.map_or(span, |it| it.span),
            automated: automated(application),
            prune: switch(application, "prune"),
            allow_empty: switch(application, "allowEmpty"),
            options: texts(application, &["spec", "syncPolicy", "syncOptions"]).collect(),
            skipped: match application.find(&["metadata", "annotations", SKIP_RECONCILE]) {
                Some(skipped) if is_bool_true(skipped) => Some(skipped.span),
                _ => None,
            },
            finalizer: finalizers.find(|it| it.value.starts_with(FINALIZER)),
        }
    }

    /// Whether Argo CD ignores the Application.
    pub(crate) const fn is_skipped(&self) -> bool {
        self.skipped.is_some()
    }

    /// The place of the options, if a sync overwrites fields that are not compared (argo-cd `docs/user-guide/sync-options.md`, "Respect
    /// ignore differences configs").
    pub(crate) fn overwrites_ignored(&self) -> Option<Span> {
        let mut options = self.options.iter();
        if options.any(|it| it.value == "RespectIgnoreDifferences=true") {
            return None;
        }
        Some(self.options.first().map_or(self.span, |it| it.span))
    }
}

/// The place of `automated`, if it is on.
fn automated(application: &Node) -> Option<Span> {
    let automated = application.find(&["spec", "syncPolicy", "automated"])?;
    let enabled = automated.get("enabled");
    let is_off = matches!(enabled, Some(it) if !it.is_empty() && !is_true(it));
    (!is_off && !automated.is_empty()).then_some(automated.span)
}

/// A field of `automated`: whether it is true, and its place.
fn switch(application: &Node, name: &str) -> Option<(bool, Span)> {
    let field = application.find(&["spec", "syncPolicy", "automated", name])?;
    Some((is_true(field), field.span))
}

/// The texts of a list.
fn texts(application: &Node, path: &[&str]) -> impl Iterator<Item = Located<String>> {
    let list = application.find(path).map_or(&[][..], Node::items);
    list.iter().filter_map(locate)
}

/// Whether Go reads a value as true (`strconv.ParseBool`).
fn is_bool_true(node: &Node) -> bool {
    let words = ["1", "t", "T", "true", "TRUE", "True"];
    words.contains(&node.text().unwrap_or_default())
}
