//! A Kubernetes object as JSON: from a cluster, from a file, or from a stream.

use crate::diagnostic::{cut, mask, shown_name};
use crate::object::HOOK;
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use x509_cert::der::DateTime;

/// The most characters of a text that is shown: a controller's message can be as long as an object.
const LONGEST: usize = 400;

/// An object. A field that it does not have reads as empty.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) value: Value,
    /// The file or the context that it is from; empty for an object of a stream.
    place: String,
    /// The object that delivers it, if it is a Secret.
    bringer: Option<String>,
}

impl Object {
    /// An object of a stream.
    pub(crate) const fn new(value: Value) -> Self {
        Self {
            value,
            place: String::new(),
            bringer: None,
        }
    }

    /// An object of a file or a context.
    pub(crate) fn from_file(place: &str, value: Value) -> Self {
        let place = place.to_owned();
        Self {
            place,
            ..Self::new(value)
        }
    }

    /// The Secret, delivered by another object.
    pub(crate) fn brought_by(mut self, bringer: String) -> Self {
        self.bringer = Some(bringer);
        self
    }

    pub(crate) fn bringer(&self) -> Option<&str> {
        self.bringer.as_deref()
    }

    /// The value at a place (RFC 6901). `null` counts as missing.
    pub(crate) fn find(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer).filter(|value| !value.is_null())
    }

    /// The string at a place. An empty string counts as missing.
    pub(crate) fn string(&self, pointer: &str) -> Option<&str> {
        self.find(pointer)?.as_str().filter(|text| !text.is_empty())
    }

    /// The string at a place; empty if it is missing.
    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.string(pointer).unwrap_or_default()
    }

    /// The items of the list at a place.
    pub(crate) fn list(&self, pointer: &str) -> &[Value] {
        let list = self.find(pointer).and_then(Value::as_array);
        list.map_or(&[], Vec::as_slice)
    }

    /// The strings of the list at a place.
    pub(crate) fn texts(&self, pointer: &str) -> Vec<&str> {
        let items = self.list(pointer).iter();
        items.filter_map(Value::as_str).collect()
    }

    pub(crate) fn integer(&self, pointer: &str) -> Option<i64> {
        self.find(pointer).and_then(Value::as_i64)
    }

    /// The time at a place, since 1970.
    pub(crate) fn time(&self, pointer: &str) -> Option<Duration> {
        Some(self.text(pointer).parse::<DateTime>().ok()?.unix_duration())
    }

    pub(crate) fn kind(&self) -> &str {
        text_at(&self.value, "kind")
    }

    pub(crate) fn name(&self) -> &str {
        self.meta("name")
    }

    pub(crate) fn namespace(&self) -> &str {
        self.meta("namespace")
    }

    /// A field of the metadata. It is read without a pointer, whose parts would be copied each time: these fields are
    /// read for every object.
    fn meta(&self, field: &str) -> &str {
        match self.value.get("metadata") {
            Some(metadata) => text_at(metadata, field),
            None => "",
        }
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        let labels = self.value.get("metadata")?.get("labels")?;
        labels.get(key)?.as_str()
    }

    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        let annotations = self.value.get("metadata")?.get("annotations")?;
        annotations.get(key)?.as_str()
    }

    /// Whether Argo CD makes it only at a certain time, and no sync leaves it in the cluster.
    pub(crate) fn is_hook(&self) -> bool {
        self.annotation(HOOK).is_some()
    }

    /// Its API group; empty for Kubernetes' own.
    pub(crate) fn group(&self) -> &str {
        match text_at(&self.value, "apiVersion").split_once('/') {
            Some((group, _)) => group,
            None => "",
        }
    }

    /// Whether Liqo made it for another of its objects.
    pub(crate) fn is_owned(&self) -> bool {
        !self.list("/metadata/ownerReferences").is_empty() && self.foreign_owner().is_none()
    }

    /// The owner of the object, if it is not Liqo's. The owners of a Secret are not read.
    pub(crate) fn foreign_owner(&self) -> Option<&Value> {
        let mut owners = self.list("/metadata/ownerReferences").iter();
        owners.find(|owner| is_foreign(owner))
    }

    /// The file or the context.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The parts that identify it in its cluster.
    pub(crate) fn id(&self) -> (&str, &str, &str, &str) {
        (self.kind(), self.group(), self.namespace(), self.name())
    }

    /// The fields that a person or a controller sets: all but name, metadata, status, and a Secret's data.
    pub(crate) fn body(&self) -> impl Iterator<Item = (&String, &Value)> {
        const OTHERS: [&str; 6] = [
            "apiVersion",
            "kind",
            "metadata",
            "status",
            "data",
            "stringData",
        ];
        let fields = self.value.as_object().into_iter().flatten();
        fields.filter(|(field, _)| !OTHERS.contains(&field.as_str()))
    }

    /// `Tenant.authentication.liqo.io liqo-tenant-rome/rome`
    pub(crate) fn title(&self) -> String {
        let (kind, group, namespace, name) = self.id();
        let [dot, slash] = [(group, "."), (namespace, "/")]
            .map(|(part, mark)| if part.is_empty() { "" } else { mark });
        shown_name(&format!("{kind}{dot}{group} {namespace}{slash}{name}"))
    }

    /// The title with the file or the context.
    pub(crate) fn with_place(&self) -> String {
        format!("{} ({})", self.title(), shown_name(&self.place))
    }

    /// The conditions at a place, each with its type, its status, and its message.
    pub(crate) fn conditions(&self, pointer: &str) -> impl Iterator<Item = (&str, &str, String)> {
        self.list(pointer).iter().map(condition)
    }

    /// The status and the message of a condition.
    pub(crate) fn condition(&self, name: &str) -> Option<(&str, String)> {
        let mut conditions = self.conditions("/status/conditions");
        let (_, status, why) = conditions.find(|(kind, ..)| *kind == name)?;
        Some((status, why))
    }
}

/// The string in a field; empty if it is missing.
pub(crate) fn text_at<'v>(value: &'v Value, field: &str) -> &'v str {
    let text = value.get(field).and_then(Value::as_str);
    text.unwrap_or_default()
}

/// Whether an owner's reference is to an object that is not Liqo's.
fn is_foreign(owner: &Value) -> bool {
    let version = owner.get("apiVersion").and_then(Value::as_str);
    match version.and_then(|version| version.split('/').next()) {
        Some(group) => !group.ends_with("liqo.io"),
        None => false,
    }
}

/// A condition's type, its status, and its message or its reason.
fn condition(condition: &Value) -> (&str, &str, String) {
    let why = match text_at(condition, "message") {
        "" => condition.get("reason").and_then(Value::as_str),
        message => Some(message),
    };
    let why = why.map(|why| format!(": {}", one_line(why)));
    let [kind, status] = ["type", "status"].map(|field| text_at(condition, field));
    (kind, status, why.unwrap_or_default())
}

/// `GatewayServer liqo-tenant-rome/rome`
impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [kind, namespace, name] =
            [self.kind(), self.namespace(), self.name()].map(|part| cut(part, LONGEST));
        let slash = if namespace.is_empty() || name.is_empty() {
            ""
        } else {
            "/"
        };
        let place = shown_name(&format!("{namespace}{slash}{name}"));
        write!(formatter, "{} {place}", shown_name(&kind))
    }
}

/// The words of a controller, on one line and masked.
pub(crate) fn one_line(text: &str) -> String {
    let masked = mask(&cut(text, LONGEST));
    let words: Vec<&str> = masked.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_message_is_cut() {
        assert_eq!(super::one_line(&"a ".repeat(200)).len(), 399);
        assert_eq!(
            super::one_line(&"a ".repeat(2000)),
            format!("{}…", "a ".repeat(200))
        );
    }
}
