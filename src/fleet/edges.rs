//! The peerings of a fleet, two clusters each.

use super::document::{Fleet, Gateway, Member, Shape, refused};
use crate::diagnostic::{Code, Invalid, Problems, Rule, Source, Span, nearest, quoted};
use crate::document::Located;
use crate::input::folder::{DOCUMENT, NEARLY};
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{
    Cidr, ClusterId, LiqoVersion, Mtu, NodePort, Resources, Role, Sides, Title,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A peering of two clusters.
pub(crate) struct Edge<'f> {
    /// The lowest Liqo of the fleet, if it is known.
    pub(crate) liqo_version: Option<&'f LiqoVersion>,
    /// The place of the last entry that names the pair.
    pub(crate) span: Span,
    /// The two clusters.
    pub(crate) clusters: Sides<&'f Member>,
    /// The side whose gateway listens.
    pub(crate) location: Role,
    /// The gateway of the side that listens.
    pub(crate) gateway: &'f Gateway,
    /// What the entries of the pair set.
    pub(crate) says: Says<'f>,
    /// Whether the credentials are sealed kubeconfigs, even where keys could be exchanged.
    sealed: bool,
}

impl Member {
    /// Liqo's cluster ID: by default the name, if it can be one.
    pub(crate) fn id(&self) -> &str {
        self.cluster_id
            .as_ref()
            .map_or(self.name.as_str(), |id| id.as_str())
    }
}

impl Gateway {
    /// Whether the addresses are written, or are not needed: a load balancer's address is known only after its Service
    /// is created.
    fn is_known(&self) -> bool {
        self.addresses.is_some() || self.service_type == ServiceType::LoadBalancer
    }
}

impl Edge<'_> {
    /// The cluster whose gateway listens.
    pub(crate) fn server(&self) -> &Member {
        self.clusters.of(self.location)
    }

    /// The sides that ask for resources.
    pub(crate) fn offload(&self) -> impl Iterator<Item = Role> {
        Role::BOTH
            .into_iter()
            .filter(|role| self.says.resources.of(*role).is_some())
    }

    /// Whether a side that begins to offload gets its credential by an exchange of keys. `liqo` counts if the fleet has no version.
    pub(crate) fn exchanges_keys(&self, liqo: LiqoVersion) -> bool {
        !self.sealed && self.liqo_version.copied().unwrap_or(liqo).exchanges_keys()
    }

    /// The folder for the document of a new peering.
    pub(crate) fn folder(&self, root: &Path) -> PathBuf {
        root.join(self.clusters.consumer.name.as_str())
            .join(self.clusters.provider.name.as_str())
    }
}

/// How many pairs the entries of a fleet name. A few words can name very many, so this is checked before the pairs are
/// made.
pub(crate) fn count(fleet: &Fleet) -> usize {
    fleet
        .spec
        .peerings
        .iter()
        .map(|shape| count_of(shape))
        .fold(0, usize::saturating_add)
}

fn count_of(shape: &Shape) -> usize {
    let [consumers, providers, mesh] = [&shape.consumers, &shape.providers, &shape.mesh]
        .map(|names| names.as_ref().map_or(0, Vec::len));
    let direct = if shape.direct { two_of(providers) } else { 0 };
    consumers
        .saturating_mul(providers)
        .saturating_add(two_of(mesh))
        .saturating_add(direct)
}

fn two_of(names: usize) -> usize {
    names.saturating_mul(names.saturating_sub(1)) / 2
}

/// The peerings of a fleet, in the order of its entries. A pair that is named again keeps its position and takes what the later entry sets.
///
/// # Errors
/// With every cluster that is named but missing, or named twice, and every pair without a gateway that listens.
pub(crate) fn edges<'f>(
    source: &Source,
    fleet: &'f Fleet,
    sealed: bool,
) -> Result<Vec<Edge<'f>>, Invalid> {
    let mut problems = Problems::default();
    let members = members(fleet, &mut problems);
    let mut places: BTreeMap<[&str; 2], usize> = BTreeMap::new();
    let mut named: Vec<Named<'_>> = Vec::new();
    for shape in &fleet.spec.peerings {
        for (pair, is_direct) in pairs(shape, &members, &mut problems) {
            if shape.direct {
                refuse_remapped(&pair, &mut problems);
            }
            let [consumer, provider] = [pair.consumer, pair.provider].map(Member::id);
            if consumer == provider {
                let message = format!("{} peers with itself", quoted(pair.consumer.name.as_str()));
                problems.refuse(
                    Code::SameCluster,
                    shape.span,
                    message,
                    "name another cluster",
                );
                continue;
            }
            let key = if consumer < provider {
                [consumer, provider]
            } else {
                [provider, consumer]
            };
            let says = Says::new(shape, is_direct);
            let again = Named {
                span: shape.span,
                clusters: pair,
                says,
                is_direct,
            };
            match places.get(&key).and_then(|at| named.get_mut(*at)) {
                // providers that already peer have a tunnel
                Some(_) if is_direct => {}
                Some(earlier) => earlier.add_entry(again, &mut problems),
                None => {
                    places.insert(key, named.len());
                    named.push(again);
                }
            }
        }
    }
    let edges = named
        .into_iter()
        .filter_map(|pair| edge(fleet, pair, sealed, &mut problems))
        .collect();
    if problems.is_empty() {
        return Ok(edges);
    }
    Err(refused(source, problems))
}

fn members<'f>(fleet: &'f Fleet, problems: &mut Problems) -> BTreeMap<&'f str, &'f Member> {
    let (mut members, mut ids) = (BTreeMap::new(), BTreeMap::new());
    for member in &fleet.spec.clusters {
        let name = &member.name;
        if members.insert(name.as_str(), member).is_some() {
            let message = format!("the cluster {} is there twice", quoted(name.as_str()));
            problems.refuse(
                Code::DuplicateName,
                name.span,
                message,
                "write each cluster once",
            );
        }
        if name.as_str() == DOCUMENT || NEARLY.contains(&name.as_str()) {
            let message = format!(
                "a cluster cannot be called {} here: its folder would be taken for a document",
                quoted(name.as_str())
            );
            problems.refuse(
                Code::InvalidName,
                name.span,
                message,
                "rename it in Argo CD",
            );
        }
        if let Some(gateway) = member.gateway.as_ref().filter(|it| !it.is_known()) {
            let help =
                "the cluster's address, as the others reach it: `addresses: [172.16.183.16]`";
            problems.refuse(
                Code::MissingField,
                gateway.span,
                "the field `addresses` is missing",
                help,
            );
        }
        let span = member.cluster_id.as_ref().map_or(name.span, |id| id.span);
        if member.id().parse::<ClusterId>().is_err() {
            problems.refuse(
                Code::ClusterId,
                span,
                format!("{} cannot be a cluster ID of Liqo", quoted(member.id())),
                "write the cluster's `clusterID` beside its name",
            );
        }
        if ids.insert(member.id(), name).is_some() {
            let message = format!("two clusters have the ID {}", quoted(member.id()));
            problems.refuse(
                Code::SameCluster,
                span,
                message,
                "each cluster of Liqo has an ID of its own",
            );
        }
    }
    members
}

type Pair<'f> = Sides<&'f Member>;

/// The pairs of an entry. `true` marks a pair that is there only for direct connections.
fn pairs<'f>(
    shape: &Located<Shape>,
    members: &BTreeMap<&'f str, &'f Member>,
    problems: &mut Problems,
) -> Vec<(Pair<'f>, bool)> {
    let [consumers, providers, mesh] =
        [&shape.consumers, &shape.providers, &shape.mesh].map(|names| {
            names
                .iter()
                .flatten()
                .filter_map(|name| known(name, members, problems))
                .collect::<Vec<_>>()
        });
    let is_pairs = shape.consumers.is_some() && shape.providers.is_some() && shape.mesh.is_none();
    let is_mesh = shape.mesh.is_some() && shape.consumers.is_none() && shape.providers.is_none();
    if !is_pairs && !is_mesh {
        let help = "`consumers` and `providers`, or `mesh`";
        problems.refuse(
            Code::MissingField,
            shape.span,
            "this entry does not say which clusters peer",
            help,
        );
        return Vec::new();
    }
    if let Some(port) = shape.node_port.filter(|_| count_of(shape) > 1) {
        let help =
            "leave it out, and each gets a free one; or name one pair in an entry of its own";
        let message = "`nodePort` is for one peering, and here are several";
        problems.refuse(Code::PortTaken, port.span, message, help);
    }
    let across = consumers.iter().flat_map(|consumer| {
        providers.iter().map(|provider| {
            (
                Sides {
                    consumer: *consumer,
                    provider: *provider,
                },
                false,
            )
        })
    });
    let direct = each_two(&providers)
        .filter(|_| shape.direct)
        .map(|pair| (pair, true));
    across
        .chain(each_two(&mesh).map(|pair| (pair, false)))
        .chain(direct)
        .collect()
}

/// With direct connections, a provider looks for a pod's address, as the consumer knows it, in the other provider's network. An address
/// that the consumer remaps is not there, so the Service gets no endpoint at that provider (liqo `pkg/utils/ipam/mapping/ips.go`,
/// `ForceMapAddressWithConfiguration`; seen with Liqo 1.2.0).
fn refuse_remapped(pair: &Pair<'_>, problems: &mut Problems) {
    let networks = [pair.consumer, pair.provider]
        .map(|member| member.pod_cidrs.as_deref().unwrap_or_default());
    let Some([one, other]) = first_overlap(networks) else {
        return;
    };
    let message = format!(
        "`{}` of {} overlaps `{}` of {}, so there are no direct connections",
        one.value,
        quoted(pair.consumer.name.as_str()),
        other.value,
        quoted(pair.provider.name.as_str())
    );
    let rule = Rule::new(Code::CidrOverlap, message)
        .help("Liqo remaps one of them, and then finds no address: leave out `directConnections`");
    problems.push(rule.at(other.span).and(one.span, "the other network"));
}

/// The first network of each list that shares an address with one of the other list.
fn first_overlap(lists: [&[Located<Cidr>]; 2]) -> Option<[&Located<Cidr>; 2]> {
    let [one, other] = lists.map(|list| {
        let mut sorted: Vec<&Located<Cidr>> = list.iter().collect();
        sorted.sort_unstable_by_key(|cidr| cidr.value);
        sorted
    });
    let (mut one, mut other) = (one.into_iter().peekable(), other.into_iter().peekable());
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        if a.value.last() < b.value.first() {
            one.next();
        } else if b.value.last() < a.value.first() {
            other.next();
        } else {
            return Some([a, b]);
        }
    }
    None
}

fn each_two<'m, 'f>(members: &'m [&'f Member]) -> impl Iterator<Item = Pair<'f>> + use<'m, 'f> {
    members.iter().enumerate().flat_map(move |(at, consumer)| {
        members.iter().skip(at + 1).map(move |provider| Sides {
            consumer: *consumer,
            provider: *provider,
        })
    })
}

fn known<'f>(
    name: &Located<Title>,
    members: &BTreeMap<&str, &'f Member>,
    problems: &mut Problems,
) -> Option<&'f Member> {
    let found = members.get(name.as_str()).copied();
    if found.is_none() {
        problems.push_at(name.span, || {
            let names: Vec<&str> = members.keys().copied().collect();
            let near = nearest(name.as_str(), &names);
            let help = near.map_or_else(
                || "add it to `clusters`".to_owned(),
                |near| format!("did you mean {}?", quoted(near)),
            );
            let message = format!(
                "no cluster of the fleet is called {}",
                quoted(name.as_str())
            );
            Rule::new(Code::UnknownValue, message)
                .help(help)
                .at(name.span)
        });
    }
    found
}

fn edge<'f>(
    fleet: &'f Fleet,
    pair: Named<'f>,
    sealed: bool,
    problems: &mut Problems,
) -> Option<Edge<'f>> {
    let Named {
        span,
        clusters,
        says,
        ..
    } = pair;
    let roles = says.location.map_or_else(
        || vec![Role::Provider, Role::Consumer],
        |role| vec![role.value],
    );
    let found = roles
        .into_iter()
        .find_map(|role| Some((role, clusters.of(role).gateway.as_ref()?)));
    let Some((location, gateway)) = found else {
        no_gateway(&clusters, says.location, span, problems);
        return None;
    };
    if let Some(port) = says
        .node_port
        .filter(|_| gateway.service_type != ServiceType::NodePort)
    {
        let message = format!(
            "the gateways of {} are of the type `{}`, which has no `nodePort`",
            quoted(clusters.of(location).name.as_str()),
            gateway.service_type
        );
        let help = "leave it out, or set the gateway's `serviceType: NodePort`";
        problems.refuse(Code::ServiceType, port.span, message, help);
    }
    let liqo_version = fleet.spec.liqo_version.as_ref();
    Some(Edge {
        liqo_version,
        span,
        clusters,
        location,
        gateway,
        says,
        sealed,
    })
}

fn no_gateway(
    clusters: &Pair<'_>,
    location: Option<Located<Role>>,
    span: Span,
    problems: &mut Problems,
) {
    let names = Sides::make(|role| quoted(clusters.of(role).name.as_str()));
    let (span, message, help) = match location {
        Some(Located { value: role, span }) => (
            span,
            format!(
                "`location: {role}` is the side of {}, which has no `gateway`",
                names.of(role)
            ),
            "write its `gateway`, with its addresses, or leave out `location`",
        ),
        None => (
            span,
            format!(
                "neither {} nor {} has a gateway that can listen",
                names.consumer, names.provider
            ),
            "write a `gateway` of one of them, with its addresses",
        ),
    };
    problems.refuse(Code::MissingField, span, message, help);
}

/// What an entry sets for a pair.
#[derive(Clone, Copy)]
pub(crate) struct Says<'f> {
    /// The side whose gateway listens.
    pub(crate) location: Option<Located<Role>>,
    /// The gateway's node port.
    pub(crate) node_port: Option<Located<NodePort>>,
    /// The tunnel's MTU.
    pub(crate) mtu: Option<Mtu>,
    /// The resources that each side asks the other one for.
    pub(crate) resources: Sides<Option<&'f Resources>>,
}

impl<'f> Says<'f> {
    /// What an entry sets for a pair. A pair that is there only for direct connections has a tunnel and offloads
    /// nothing.
    pub(super) fn new(shape: &'f Shape, is_direct: bool) -> Self {
        let [consumer, provider] =
            [&shape.resources, &shape.reverse].map(|it| it.as_ref().filter(|_| !is_direct));
        let resources = Sides { consumer, provider };
        Self {
            location: shape.location,
            node_port: shape.node_port,
            mtu: shape.mtu,
            resources,
        }
    }

    fn or(self, earlier: Self) -> Self {
        Self {
            location: self.location.or(earlier.location),
            node_port: self.node_port.or(earlier.node_port),
            mtu: self.mtu.or(earlier.mtu),
            resources: Sides {
                consumer: self.resources.consumer.or(earlier.resources.consumer),
                provider: self.resources.provider.or(earlier.resources.provider),
            },
        }
    }

    /// Whether it sets something for one of the two clusters that the later entry does not set again.
    fn is_kept_by(&self, later: &Self) -> bool {
        (self.location.is_some() && later.location.is_none())
            || (self.node_port.is_some() && later.node_port.is_none())
            || Role::BOTH
                .into_iter()
                .any(|role| self.resources.of(role).is_some() && later.resources.of(role).is_none())
    }
}

/// A pair of clusters that entries name.
#[derive(Clone, Copy)]
pub(super) struct Named<'f> {
    /// The last entry that names the pair.
    pub(super) span: Span,
    pub(super) clusters: Sides<&'f Member>,
    pub(super) says: Says<'f>,
    /// Whether the pair is there only for direct connections. An entry that names the pair itself replaces it
    /// completely.
    pub(super) is_direct: bool,
}

impl Named<'_> {
    /// Adds a later entry of the same pair. If the entry swaps consumer and provider, what the earlier one set for a
    /// role does not move to the other cluster.
    pub(super) fn add_entry(&mut self, later: Self, problems: &mut Problems) {
        if self.is_direct {
            *self = later;
            return;
        }
        let consumer = self.clusters.consumer;
        if consumer.id() != later.clusters.consumer.id() && self.says.is_kept_by(&later.says) {
            let [consumer, provider] =
                [consumer, self.clusters.provider].map(|member| quoted(member.name.as_str()));
            let message = format!("an earlier entry has {consumer} as the consumer of {provider}");
            let help = "write them in that order, or repeat its `resources`, `reverse`, `location` and `nodePort` as they are the other way round";
            problems.refuse(Code::DuplicatePeering, later.span, message, help);
        }
        *self = Self {
            says: later.says.or(self.says),
            ..later
        };
    }
}
