//! Would Kubernetes' API server take this object? Asked of Liqo's own custom resource definitions.
//!
//! A field that the installed CRD does not have is dropped without a word, and the Application is out
//! of sync for ever. This module answers as the API server does for a *created* object with strict field
//! validation: structural schema, unknown fields, `ObjectMeta`. Where it differs it is stricter: a `null`, a `status`, a
//! `metadata` field that we do not emit, an `int32` out of range, a list where a string with a format
//! belongs (the API server's type check skips those) and zeros before an IPv4 number are problems.

mod check;
mod format;
mod list;
mod metadata;
mod read;
mod schema;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;

use self::metadata::Scope;
use self::schema::Schema;

/// The custom resource definitions of one Liqo release.
pub(crate) struct Crds {
    kinds: BTreeMap<GroupKind, Crd>,
}

/// The API group and the kind, which together name a CRD.
type GroupKind = (String, String);

/// One definition: its scope, and the versions it serves and stores.
struct Crd {
    scope: Scope,
    versions: BTreeMap<String, Version>,
}

/// One version's schema: as written, and as read when an object first needs it, so that a keyword
/// we do not know stops nobody in a kind we never emit.
struct Version {
    written: Value,
    read: OnceLock<Schema>,
}

impl Crds {
    /// One release's definitions; each document must be a `CustomResourceDefinition`.
    pub(crate) fn new(definitions: &[Value]) -> Self {
        let mut kinds = BTreeMap::new();
        for definition in definitions {
            let (name, crd) = Crd::new(definition);
            let earlier = kinds.insert(name.clone(), crd);
            assert!(earlier.is_none(), "two CRDs for {name:?}");
        }
        assert!(!kinds.is_empty(), "no CRD");
        Self { kinds }
    }

    /// Whether `check` looks at this object at all: only Liqo's groups have CRDs here.
    pub(crate) fn covers(object: &Value) -> bool {
        group_and_version(object).is_none_or(|(group, _)| is_liqo(group))
    }

    /// What the API server would refuse in `object`, each with its path; empty if it is accepted.
    ///
    /// Objects of other groups pass unseen. An unknown kind or version of Liqo's is a problem.
    pub(crate) fn check(&self, object: &Value) -> Vec<String> {
        let Some((group, version)) = group_and_version(object) else {
            return vec!["apiVersion: required, but is not there".to_owned()];
        };
        if !is_liqo(group) {
            return Vec::new();
        }
        let Some(kind) = object["kind"].as_str() else {
            return vec!["kind: required, but is not there".to_owned()];
        };
        match self.kinds.get(&(group.to_owned(), kind.to_owned())) {
            Some(crd) => crd.check(object, kind, version),
            None => vec![format!("kind: no CRD for `{kind}` in group `{group}`")],
        }
    }
}

impl Crd {
    fn new(document: &Value) -> (GroupKind, Self) {
        assert_eq!(document["kind"], "CustomResourceDefinition", "only CRDs are expected");
        let spec = &document["spec"];
        let name = |value: &Value| value.as_str().expect("a CRD has a group and a kind").to_owned();
        let group_kind = (name(&spec["group"]), name(&spec["names"]["kind"]));
        assert_ne!(spec["preserveUnknownFields"], true, "{group_kind:?}: prunes nothing");
        let scope = Scope::named(&name(&spec["scope"]));
        let versions = spec["versions"].as_array().expect("a CRD has versions");
        let versions = versions.iter().filter_map(Version::served_and_stored).collect();
        (group_kind, Self { scope, versions })
    }

    fn check(&self, object: &Value, kind: &str, version: &str) -> Vec<String> {
        let Some(version) = self.versions.get(version) else {
            let known: Vec<_> = self.versions.keys().collect();
            return vec![format!("apiVersion: `{version}` is not served and stored, only {known:?}")];
        };
        let mut problems = metadata::problems(&object["metadata"], self.scope);
        if object.get("status").is_some() {
            problems.push("status: status must not be emitted".to_owned());
        }
        problems.extend(version.schema(kind).problems(object, ""));
        problems
    }
}

impl Version {
    /// Other versions would be accepted and converted, but Git should hold what is stored.
    fn served_and_stored(version: &Value) -> Option<(String, Self)> {
        let wanted = version["served"] == true && version["storage"] == true;
        wanted.then(|| {
            let name = version["name"].as_str().expect("a CRD's version has a name");
            let written = version["schema"]["openAPIV3Schema"].clone();
            let version = Self { written, read: OnceLock::new() };
            (name.to_owned(), version)
        })
    }

    fn schema(&self, kind: &str) -> &Schema {
        self.read.get_or_init(|| Schema::of_resource(&self.written, kind))
    }
}

/// `networking.liqo.io/v1beta1` in two parts; the core group's name is empty.
fn group_and_version(object: &Value) -> Option<(&str, &str)> {
    let api_version = object["apiVersion"].as_str()?;
    Some(api_version.split_once('/').unwrap_or(("", api_version)))
}

fn is_liqo(group: &str) -> bool {
    group == "liqo.io" || group.ends_with(".liqo.io")
}
