//! What holds of every stream: of each object, of each stream as a whole, and between the two of a peering.
//!
//! "Every stream" is both of each example, both of the guide's peering, and both of `uneven.yaml`.

use std::sync::LazyLock;

use serde_json::Value;

use crate::harness::{KUBECONFIG, Peering, ROLES, documents, text_at};

/// A peering: what its document says, and both streams.
pub(super) struct Peered {
    pub(super) name: String,
    pub(super) document: Value,
    pub(super) streams: [Stream; 2],
}

/// One side's stream: its text, and its objects as Argo CD reads them.
pub(super) struct Stream {
    /// For messages: the peering's name and the role.
    pub(super) place: String,
    pub(super) role: &'static str,
    pub(super) text: String,
    pub(super) objects: Vec<Value>,
}

impl Peered {
    fn new(peering: &Peering) -> Self {
        let document = peering.document();
        let name = text_at(&document, "/metadata/name").to_owned();
        let streams = ROLES.map(|role| {
            let text = peering.stream(role);
            let objects = documents(&text);
            Stream {
                place: format!("{name}/{role}"),
                role,
                text,
                objects,
            }
        });
        Self {
            name,
            document,
            streams,
        }
    }

    pub(super) fn stream(&self, role: &str) -> &Stream {
        self.streams
            .iter()
            .find(|stream| stream.role == role)
            .expect("there are both roles")
    }
}

impl Stream {
    pub(super) fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.objects
            .iter()
            .filter(|object| object["kind"] == kind)
            .collect()
    }

    /// The one object of a kind.
    #[track_caller]
    pub(super) fn only(&self, kind: &str) -> &Value {
        let objects = self.of_kind(kind);
        assert_eq!(objects.len(), 1, "{}: objects of kind {kind}", self.place);
        objects[0]
    }
}

/// All of them, made once for all tests.
pub(super) fn peerings() -> &'static [Peered] {
    static PEERINGS: LazyLock<Vec<Peered>> = LazyLock::new(|| {
        let uneven = Peering::sealed(
            &[["rome", "milan"]],
            KUBECONFIG,
            include_str!("uneven.yaml"),
        );
        Peering::examples()
            .iter()
            .chain([&Peering::guide(), &uneven])
            .map(Peered::new)
            .collect()
    });
    &PEERINGS
}

pub(super) fn streams() -> impl Iterator<Item = &'static Stream> {
    peerings().iter().flat_map(|peered| &peered.streams)
}

/// Asserts that a rule finds nothing in any stream.
#[track_caller]
pub(super) fn assert_everywhere(name: &str, rule: impl Fn(&Stream) -> Vec<String>) {
    let problems: Vec<_> = streams()
        .flat_map(|stream| {
            rule(stream)
                .into_iter()
                .map(|text| format!("{}: {text}", stream.place))
        })
        .collect();
    assert!(problems.is_empty(), "{name}\n{}", problems.join("\n"));
}
