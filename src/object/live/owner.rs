//! Other owners of an object: the marks by which tools find the objects that they apply and delete, and how each tool gives an object up.
//! The table is used for manifests and for live objects.

use super::{Object, text_at};
use crate::diagnostic::{counted, list_first, quoted, shown_name};
use std::collections::BTreeSet;

/// A tool that applies objects and deletes them.
struct Tool {
    /// The words before the owner's name.
    what: &'static str,
    /// The label or annotation with the owner's name. If it is missing, the next one that identifies the owner.
    marks: &'static [&'static str],
    /// Other labels and annotations that the tool writes for itself. The first one has the owner's namespace.
    others: &'static [&'static str],
    let_go: &'static str,
}

const fn tool(
    what: &'static str,
    marks: &'static [&'static str],
    others: &'static [&'static str],
    let_go: &'static str,
) -> Tool {
    Tool {
        what,
        marks,
        others,
        let_go,
    }
}

/// The annotation by which Argo CD tracks an object, `APPLICATION:GROUP/KIND:NAMESPACE/NAME`, and the label that it used before 3.0
/// (argo-cd `util/argo/resource_tracking.go`).
const TRACKING: &str = "argocd.argoproj.io/tracking-id";
const INSTANCE: &str = "app.kubernetes.io/instance";
const OWN_INSTANCE: &str = "argocd.argoproj.io/instance";

/// The tools that delete what leaves them, in the order in which they must give the objects up: tools that apply objects of others again
/// come first.
#[rustfmt::skip] // a table
static TOOLS: &[Tool] = &[
    // fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, "Garbage collection"
    tool("the Flux Kustomization", &["kustomize.toolkit.fluxcd.io/name"], &["kustomize.toolkit.fluxcd.io/namespace"],
        "in its source, annotate them with `kustomize.toolkit.fluxcd.io/prune: disabled`; once reconciled, remove them there"),
    // fluxcd/helm-controller docs/spec/v2/helmreleases.md; helm pkg/action/resource_policy.go
    tool("the Flux HelmRelease", &["helm.toolkit.fluxcd.io/name"], &["helm.toolkit.fluxcd.io/namespace"],
        "in the chart, annotate them with `helm.sh/resource-policy: keep`; once upgraded, delete it"),
    // helm pkg/action/validate.go, and resource_policy.go: the annotation counts only in the release's manifest
    tool("the Helm release", &["meta.helm.sh/release-name"], &["meta.helm.sh/release-namespace", "helm.sh/chart"],
        "in the chart, annotate them with `helm.sh/resource-policy: keep`; upgrade, then `helm uninstall`"),
    // kubectl pkg/cmd/apply/applyset.go
    tool("the ApplySet of kubectl", &["applyset.kubernetes.io/part-of"], &[],
        "remove their label `applyset.kubernetes.io/part-of`; then remove them from what `--prune` applies"),
    tool("the Application", &[TRACKING], &[ARGO_CD_INSTALLATION],
        "if it still exists, delete it without its objects: `argocd app delete NAME --cascade=false`"),
    tool("by its label `app.kubernetes.io/instance`, the Application", &[INSTANCE, OWN_INSTANCE], &[],
        "if Argo CD tracks by this label, delete it without its objects: `argocd app delete NAME --cascade=false`"),
];

/// (argo-cd `common/common.go`, `AnnotationInstallationID`)
const ARGO_CD_INSTALLATION: &str = "argocd.argoproj.io/installation-id";

const CONTROLLER: &str =
    "have its controller release them, or delete it with `--cascade=orphan`, which keeps them";

/// An owner of objects.
pub(crate) struct ObjectOwner<'o> {
    /// `the Helm release liqo/peering`
    pub(crate) what: String,
    pub(crate) let_go: &'static str,
    /// The name of the owner as Argo CD writes it on objects, if the owner is an Application.
    pub(crate) application: Option<&'o str>,
    pub(crate) objects: Vec<&'o Object>,
    place: usize,
}

/// The owners of objects, in the order in which they must give the objects up.
pub(crate) fn owners<'o>(objects: impl IntoIterator<Item = &'o Object>) -> Vec<ObjectOwner<'o>> {
    let mut owners: Vec<ObjectOwner<'o>> = Vec::new();
    // the object that brings a Secret is part of the Secret's delivery
    for object in objects.into_iter().filter(|it| it.kind() != "Secret") {
        for found in owners_of(object) {
            match owners.iter_mut().find(|it| it.what == found.what) {
                Some(owner) => owner.objects.push(object),
                None => owners.push(found),
            }
        }
    }
    owners.sort_by_key(|it| it.place);
    owners
}

fn owners_of(object: &Object) -> Vec<ObjectOwner<'_>> {
    let mut found = Vec::new();
    if let Some(reference) = object.foreign_owner() {
        let [kind, name] = ["kind", "name"].map(|field| shown_name(text_at(reference, field)));
        found.push(ObjectOwner {
            what: format!("the owner {kind} {}", quoted(&name)),
            let_go: CONTROLLER,
            application: None,
            objects: vec![object],
            place: 0,
        });
    }
    for (tool, place) in TOOLS.iter().zip(1..) {
        let Some((key, name)) = tool.name(object) else {
            continue;
        };
        // another mark was more precise
        if tool.marks.contains(&INSTANCE) && !found.is_empty() {
            continue;
        }
        let owner = match tool.others.first().and_then(|key| mark(object, key)) {
            Some(namespace) if key != TRACKING => quoted(&format!("{namespace}/{name}")),
            _ => quoted(name),
        };
        let is_application = [TRACKING, INSTANCE, OWN_INSTANCE].contains(&key);
        found.push(ObjectOwner {
            what: format!("{} {owner}", tool.what),
            let_go: tool.let_go,
            application: is_application.then_some(name),
            objects: vec![object],
            place,
        });
    }
    found
}

impl Tool {
    /// The mark that an object has, and the owner's name in it.
    fn name<'o>(&self, object: &'o Object) -> Option<(&'static str, &'o str)> {
        for key in self.marks {
            match mark(object, key) {
                Some(value) if *key == TRACKING => return Some((key, application(object, value)?)),
                Some(value) => return Some((key, value)),
                None => {}
            }
        }
        None
    }
}

fn mark<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    let value = object.label(key).or_else(|| object.annotation(key));
    value.filter(|value| !value.is_empty())
}

/// The Application that tracks an object. An annotation that was copied from another object does not count, as in Argo CD.
fn application<'o>(object: &Object, value: &'o str) -> Option<&'o str> {
    let (application, tracked) = value.split_once(':')?;
    let (kind, place) = tracked.split_once(':')?;
    let (namespace, name) = place.split_once('/')?;
    let (group_of_kind, kind) = kind.split_once('/')?;
    let is_itself = (group_of_kind, kind, name) == (object.group(), object.kind(), object.name());
    // for a cluster-scoped object, the namespace is that of the Application's destination
    let is_there = object.namespace().is_empty() || object.namespace() == namespace;
    (is_itself && is_there).then_some(application)
}

/// Whether a tool writes this label or annotation for itself, so that a person did not choose it.
pub(crate) fn is_mark(key: &str) -> bool {
    TOOLS
        .iter()
        .any(|tool| tool.others.contains(&key) || tool.marks.contains(&key))
}

/// The most objects of an owner that are named.
const SHOWN: usize = 20;

impl ObjectOwner<'_> {
    /// `the Helm release liqo/peering has 2 objects of the peering`
    pub(crate) fn says(&self) -> String {
        format!(
            "{} has {} of the peering",
            self.what,
            counted(self.objects.len(), "object")
        )
    }

    /// Its objects.
    pub(crate) fn list(&self) -> String {
        let titles = self.objects.iter().map(ToString::to_string);
        list_first(titles.collect(), SHOWN)
    }
}

/// The objects of a peering whose owner cannot be seen: Secrets, whose annotations are not read, and Namespaces of workloads.
pub(crate) fn unread(objects: &[Object]) -> Option<String> {
    let (mut titles, mut read, mut offloaded) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for object in objects {
        match object.kind() {
            "Secret" => titles.push(object.to_string()),
            "Namespace" => drop(read.insert(object.name())),
            "NamespaceOffloading" => drop(offloaded.insert(object.namespace())),
            _ => {}
        }
    }
    for name in offloaded.difference(&read) {
        titles.push(format!("Namespace {name}"));
    }
    (!titles.is_empty()).then(|| list_first(titles, SHOWN))
}
