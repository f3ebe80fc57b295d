//! What the entries of fleet.yaml say of a pair: each field as the last entry that sets it.

use super::document::{Member, Shape};
use crate::diagnostic::{Code, Problems, Span, quoted};
use crate::document::Located;
use crate::peering::values::{Mtu, NodePort, Resources, Role, Sides};

/// The fields of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Says<'f> {
    /// The side whose gateway listens.
    pub(crate) location: Option<Located<Role>>,
    /// Its node port.
    pub(crate) node_port: Option<Located<NodePort>>,
    /// The tunnel's MTU.
    pub(crate) mtu: Option<Mtu>,
    /// What the consumer asks for.
    pub(crate) resources: Option<&'f Resources>,
}

impl<'f> Says<'f> {
    /// What an entry says. A pair that is there for direct connections is a tunnel, and nothing is offloaded.
    pub(super) fn new(shape: &'f Shape, is_direct: bool) -> Self {
        let resources = shape.resources.as_ref().filter(|_| !is_direct);
        Self { location: shape.location, node_port: shape.node_port, mtu: shape.mtu, resources }
    }

    fn or(self, earlier: Self) -> Self {
        Self {
            location: self.location.or(earlier.location),
            node_port: self.node_port.or(earlier.node_port),
            mtu: self.mtu.or(earlier.mtu),
            resources: self.resources.or(earlier.resources),
        }
    }

    /// Whether it says something of one of the two clusters that a later entry leaves as it is.
    fn is_kept_by(&self, later: &Self) -> bool {
        (self.location.is_some() && later.location.is_none())
            || (self.node_port.is_some() && later.node_port.is_none())
            || (self.resources.is_some() && later.resources.is_none())
    }
}

/// A pair as entries name it.
#[derive(Clone, Copy)]
pub(super) struct Named<'f> {
    /// The last entry of it.
    pub(super) span: Span,
    pub(super) clusters: Sides<&'f Member>,
    pub(super) says: Says<'f>,
    /// Whether it is there for direct connections only: an entry that names it says all of it.
    pub(super) is_direct: bool,
}

impl Named<'_> {
    /// The same pair in a later entry. What was said of a consumer is not taken for the other cluster.
    pub(super) fn again(&mut self, later: Self, problems: &mut Problems) {
        if self.is_direct {
            *self = later;
            return;
        }
        let consumer = self.clusters.consumer;
        if consumer.id() != later.clusters.consumer.id() && self.says.is_kept_by(&later.says) {
            let [consumer, provider] =
                [consumer, self.clusters.provider].map(|member| quoted(member.name.as_str()));
            let message = format!("an earlier entry has {consumer} as the consumer of {provider}");
            let help = "write them in that order, or repeat its `resources`, `location` and `nodePort` as they are the other way round";
            problems.refuse(Code::DuplicatePeering, later.span, message, help);
        }
        *self = Self { says: later.says.or(self.says), ..later };
    }
}
