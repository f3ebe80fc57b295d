//! An object's name, namespace, labels and annotations.

use super::Wave;
use super::quote::push_quoted;
use std::ops::Deref;

/// The prefix of Argo CD's own annotations (argo-cd `common/common.go`).
const ARGO_CD: &str = "argocd.argoproj.io/";
/// The annotation of the sync wave (argo-cd `common/common.go`).
pub(crate) const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";
/// The annotation of a hook (argo-cd `common/common.go`).
pub(crate) const HOOK: &str = "argocd.argoproj.io/hook";
/// The annotation of sync options (argo-cd `common/common.go`).
const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";

/// The metadata of one object, in the order in which it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    pub name: String,
    /// Its namespace; none for a Namespace itself.
    pub namespace: Option<String>,
    pub labels: Vec<(String, String)>,
    pub annotations: Vec<(String, String)>,
}

#[expect(clippy::needless_pass_by_value, reason = "names of many types")]
impl Meta {
    /// The metadata of an object in a namespace.
    pub fn new(name: impl ToString, namespace: impl ToString) -> Self {
        Self {
            namespace: Some(namespace.to_string()),
            ..Self::cluster(name)
        }
    }

    /// The metadata of a cluster-scoped object.
    pub fn cluster(name: impl ToString) -> Self {
        Self {
            name: name.to_string(),
            namespace: None,
            labels: Vec::new(),
            annotations: Vec::new(),
        }
    }

    /// The name and the namespace.
    pub(crate) fn place(&self) -> [&str; 2] {
        [&self.name, self.namespace.as_deref().unwrap_or_default()]
    }

    /// The lines below `metadata:`. The last one has no line break.
    pub(crate) fn lines(&self) -> String {
        // the size without escapes, so that the text is allocated once
        let pairs = self.labels.iter().chain(&self.annotations);
        let pairs = pairs.flat_map(|(key, value)| [key, value]);
        let texts = pairs.chain(&self.namespace).chain([&self.name]);
        let mut text = String::with_capacity(texts.map(|text| text.len() + 16).sum());
        text.push_str("  name: ");
        push_quoted(&self.name, &mut text);
        if let Some(namespace) = &self.namespace {
            text.push_str("\n  namespace: ");
            push_quoted(namespace, &mut text);
        }
        for (title, pairs) in [
            ("\n  labels:", &self.labels),
            ("\n  annotations:", &self.annotations),
        ] {
            if !pairs.is_empty() {
                text.push_str(title);
            }
            for (key, value) in pairs {
                text.push_str("\n    ");
                push_quoted(key, &mut text);
                text.push_str(": ");
                push_quoted(value, &mut text);
            }
        }
        text
    }

    pub fn label(mut self, key: &str, value: impl ToString) -> Self {
        self.labels.push((key.to_owned(), value.to_string()));
        self
    }

    pub fn annotation(mut self, key: &str, value: impl ToString) -> Self {
        self.annotations.push((key.to_owned(), value.to_string()));
        self
    }

    /// The annotations that a controller may copy to another object. With Argo CD's own annotations, Argo CD would take that object for one
    /// of its own.
    pub fn lasting_annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.annotations.iter();
        let pairs = pairs.map(|(key, value)| (key.as_str(), value.as_str()));
        pairs.filter(|(key, _)| !key.starts_with(ARGO_CD))
    }

    /// Adds the annotation of the wave, and that of sync options, if there are any.
    pub fn sync(self, wave: Wave, options: Option<&str>) -> Self {
        let meta = self.annotation(SYNC_WAVE, wave as u8);
        match options {
            Some(options) => meta.annotation(SYNC_OPTIONS, options),
            None => meta,
        }
    }
}

/// The metadata of an object with secret data. Only the program sets its labels and annotations, never a document.
/// Otherwise controllers would copy the Secret to where an annotation says (emberstack/kubernetes-reflector and
/// mittwald/kubernetes-replicator, `README.md`), and external-secrets runs annotations as templates that see the values
/// (external-secrets `externalsecret_controller_template.go`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretMeta(Meta);

impl SecretMeta {
    /// A Secret of a namespace.
    pub fn new(name: impl ToString, namespace: impl ToString) -> Self {
        Self(Meta::new(name, namespace))
    }

    pub fn label(self, key: &'static str, value: impl ToString) -> Self {
        Self(self.0.label(key, value))
    }

    pub fn annotation(self, key: &'static str, value: impl ToString) -> Self {
        Self(self.0.annotation(key, value))
    }

    /// Adds the annotations of the wave and of server-side apply: client-side apply would copy the data into an
    /// annotation.
    pub fn sync(self, wave: Wave) -> Self {
        Self(self.0.sync(wave, Some("ServerSideApply=true")))
    }
}

impl Deref for SecretMeta {
    type Target = Meta;

    fn deref(&self) -> &Meta {
        &self.0
    }
}
