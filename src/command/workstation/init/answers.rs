//! The values of a new peering: from flags, from live clusters, from a sibling, and from the user.

use super::questions::{self, Asker, Preset, items};
use super::{Init, SCHEMA, folder};
use crate::command::workstation::kubeconfig_report::today;
use crate::command::{Result, Streams};
use crate::diagnostic::Bug;
use crate::input::file::current_if_empty;
use crate::input::folder::Folder;
use crate::input::yaml::Setting;
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::Object;
use crate::peering::draft::{authentication, handshake, new_document};
use crate::peering::networking::Networking;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{ClusterId, LiqoVersion, Role, Sides};
use crate::peering::{Peering, cluster as peering, names};
use crate::rules;
use crate::state::ProgramProblem;
use crate::state::cluster::liqo::{MANAGER_RESOURCE, cluster_id_maps, minor, of_type, tag};
use crate::state::cluster::{Budget, Extent, Kubectl, whole_field};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const HEAD: &str = "# One peering: the consumer offloads pods to the provider. Both Applications point at this folder.\n";

/// Where the search for a free node port begins, and Kubernetes' default `--service-node-port-range`.
const FIRST_PORT: u16 = 32_750;
const NODE_PORTS: std::ops::RangeInclusive<u16> = 30_000..=32_767;

/// The values of the new document.
pub(super) struct Answers {
    name: String,
    /// The clusters' IDs.
    ids: Sides<String>,
    settings: Vec<Setting>,
    schema: PathBuf,
}

impl Answers {
    pub(super) fn new(
        arguments: &Init,
        of_all: &Path,
        path: &str,
        asker: &mut Asker<'_, '_>,
    ) -> Result<Self> {
        let like = arguments.like.as_deref().map(sibling_at).transpose()?;
        let new = arguments.folder.as_path();
        let of_consumer = ClusterFacts::of(
            arguments.consumer_context.as_deref(),
            new,
            false,
            asker.streams,
        )?;
        let of_provider = ClusterFacts::of(
            arguments.provider_context.as_deref(),
            new,
            true,
            asker.streams,
        )?;
        let own = new.canonicalize();
        let own = own
            .as_deref()
            .unwrap_or(new)
            .file_name()
            .and_then(|name| name.to_str());
        let name = match folder::of_set(path) {
            Some((consumer, provider)) => Some(format!("{consumer}-{provider}")),
            None => own.map(ToOwned::to_owned),
        };
        let name = name.filter(|name| (questions::NAME.check)(name).is_ok());
        let name = asker.value(
            &questions::NAME,
            arguments.name.as_deref(),
            guess(name.as_deref()),
        )?;
        let (consumer, mut settings) =
            cluster(arguments, Role::Consumer, of_consumer.as_ref(), None, asker)?;
        let sibling = like.as_ref().map(|like| &like.clusters[Role::Provider]);
        let (provider, more) = cluster(
            arguments,
            Role::Provider,
            of_provider.as_ref(),
            sibling,
            asker,
        )?;
        settings.extend(more);
        let clusters = [&of_consumer, &of_provider].into_iter().flatten();
        let versions =
            clusters.filter_map(|it| it.liqo_version.as_ref()?.parse::<LiqoVersion>().ok());
        let liqo = versions.min().map(|version| version.to_string());
        let of_like = like
            .as_ref()
            .and_then(|like| like.liqo_version.as_ref())
            .map(ToString::to_string);
        let liqo_version = asker.value(
            &questions::LIQO_VERSION,
            arguments.liqo_version.as_deref(),
            liqo.or(of_like)
                .map_or(Preset::Guess("1.0".into()), Preset::Read),
        )?;
        // a gateway's address is its cluster's
        let like = like.filter(|like| like.clusters[Role::Provider].id.as_str() == provider);
        settings.extend(gateway(
            arguments,
            of_all,
            like.as_ref(),
            of_provider.as_ref(),
            asker,
        )?);
        let renews = liqo_version.parse().is_ok_and(LiqoVersion::exchanges_keys);
        if renews && arguments.user.is_none() {
            settings.push(handshake(Role::Consumer));
        } else {
            let user = Preset::Guess(consumer.clone());
            let user = asker.value(&questions::USER, arguments.user.as_deref(), user)?;
            settings.extend(authentication(Role::Consumer, &user));
        }
        let cpu = asker.value(&questions::CPU, arguments.cpu.as_deref(), guess(Some("4")))?;
        let memory = asker.value(
            &questions::MEMORY,
            arguments.memory.as_deref(),
            guess(Some("8Gi")),
        )?;
        let values = [
            ("liqoVersion", liqo_version),
            ("offloading.resourceSlices.0.resources.cpu", cpu),
            ("offloading.resourceSlices.0.resources.memory", memory),
        ];
        settings.extend(
            values.map(|(path, value)| Setting::new(&format!("spec.{path}"), json!(value))),
        );
        settings.extend(namespaces(arguments, asker)?);
        let up = new
            .components()
            .count()
            .saturating_sub(of_all.components().count());
        let schema = Path::new(&"../".repeat(up)).join(SCHEMA);
        Ok(Self {
            name,
            ids: Sides { consumer, provider },
            settings,
            schema,
        })
    }

    /// The tenant namespaces, each with its side. The document leaves Liqo's own names.
    pub(super) fn secret_namespaces(&self) -> Vec<String> {
        Role::BOTH
            .map(|role| format!("{}={role}", names::tenant_namespace(&self.ids[role.peer()])))
            .into()
    }

    /// Both clusters' IDs. Each was checked when it was answered.
    pub(super) fn ids(&self) -> Result<Sides<ClusterId>, Bug> {
        match [&self.ids.consumer, &self.ids.provider].map(|it| it.parse()) {
            [Ok(consumer), Ok(provider)] => Ok(Sides { consumer, provider }),
            _ => Err(Bug::new("a cluster ID is unchecked")),
        }
    }

    pub(super) fn document(&self, seeds: Vec<Setting>) -> Result<String, Bug> {
        let head = format!(
            "# yaml-language-server: $schema={}\n{HEAD}",
            self.schema.display()
        );
        new_document(
            &head,
            &self.name,
            today(),
            self.settings.iter().cloned().chain(seeds).collect(),
        )
    }
}

/// The settings for the namespaces to offload.
fn namespaces(arguments: &Init, asker: &mut Asker<'_, '_>) -> Result<Vec<Setting>> {
    let (names, are_new) = if arguments.namespaces.is_empty() {
        let Some(names) = asker.wish(&questions::NAMESPACES, "none")? else {
            return Ok(Vec::new());
        };
        let are_new = asker.wish(&questions::NEW_NAMESPACES, "no")?.is_some();
        (names, are_new)
    } else {
        let names = asker.value(
            &questions::NAMESPACES,
            Some(&arguments.namespaces.join(",")),
            Preset::Nothing,
        )?;
        (names, arguments.create_namespaces)
    };
    let settings = items(&names).enumerate().flat_map(|(at, name)| {
        let created = are_new.then_some(("create", json!(true)));
        let fields = [("name", json!(name))]
            .into_iter()
            .chain(created)
            .chain([("clusters", json!("thisPeer"))]);
        fields.map(move |(field, value)| {
            Setting::new(&format!("spec.offloading.namespaces.{at}.{field}"), value)
        })
    });
    Ok(settings.collect())
}

/// The ID and the settings of one of the clusters: from the flags, from the cluster itself, or from a sibling.
fn cluster(
    arguments: &Init,
    role: Role,
    live: Option<&ClusterFacts>,
    sibling: Option<&peering::Cluster>,
    asker: &mut Asker<'_, '_>,
) -> Result<(String, Vec<Setting>)> {
    let given = Sides {
        consumer: &arguments.consumer_id,
        provider: &arguments.provider_id,
    };
    let known = live
        .map(|it| it.id.clone())
        .or_else(|| sibling.map(|it| it.id.to_string()));
    let known = known.map_or(Preset::Nothing, Preset::Read);
    let id = asker.value(&questions::ID[role], given[role].as_deref(), known)?;
    // what is known of one cluster is not true of another
    let sibling = sibling.filter(|cluster| cluster.id.as_str() == id);
    let mut settings = vec![Setting::new(&format!("spec.{role}.clusterID"), json!(id))];
    let given = Sides {
        consumer: &arguments.consumer_argocd_cluster,
        provider: &arguments.provider_argocd_cluster,
    };
    let known = sibling.map(|it| it.argocd_cluster.to_string());
    let known = known.map_or_else(|| Preset::Guess(id.clone()), Preset::Read);
    let name = asker.value(&questions::ARGOCD[role], given[role].as_deref(), known)?;
    if name != id {
        settings.push(Setting::new(
            &format!("spec.{role}.argocdCluster"),
            json!(name),
        ));
    }
    for fact in &CLUSTER_FACTS {
        let known = live.and_then(|it| it.facts.get(fact.field()).cloned());
        let known = known.or_else(|| Some((fact.written)(sibling?)?.0.join(",")));
        let known = known.map_or_else(|| guess(fact.usual), Preset::Read);
        let text = match (questions::of_fact(fact.field(), role, arguments), known) {
            (Some((question, given)), known) => asker.value(question, given.as_deref(), known)?,
            (None, Preset::Read(text)) => text,
            (None, _) => continue,
        };
        let texts: Vec<_> = items(&text).map(ToOwned::to_owned).collect();
        settings.push(Setting::new(
            &format!("spec.{role}.{}", fact.field()),
            fact.value(&texts),
        ));
    }
    Ok((id, settings))
}

fn gateway(
    arguments: &Init,
    of_all: &Path,
    sibling: Option<&Peering>,
    live: Option<&ClusterFacts>,
    asker: &mut Asker<'_, '_>,
) -> Result<Vec<Setting>> {
    let networking = sibling.and_then(|sibling| sibling.networking.as_ref());
    let like_type = networking.map(|it| it.server.endpoint.service_type.value);
    let service_type = arguments.service_type.clone();
    let service_type =
        service_type.unwrap_or_else(|| like_type.unwrap_or(ServiceType::NodePort).to_string());
    // nodes have one address for all gateways; each load balancer has its own
    let is_shared = service_type != "LoadBalancer" && like_type != Some(ServiceType::LoadBalancer);
    let like_address = networking
        .filter(|_| is_shared)
        .and_then(Networking::dialled);
    let address = like_address.map(|(address, _)| Preset::Read(address.to_string()));
    let of_node = live
        .and_then(|live| live.node_address.clone())
        .filter(|_| service_type == "NodePort");
    let address = asker.value(
        &questions::GATEWAY_ADDRESS,
        arguments.gateway_address.as_deref(),
        address.unwrap_or_else(|| of_node.map_or(Preset::Nothing, Preset::Guess)),
    )?;
    let node_port = match arguments.node_port {
        _ if service_type != "NodePort" => None,
        Some(port) => Some(port),
        None => free_node_port(of_all, live).inspect(|port| {
            asker.note_guess("--node-port", port.to_string());
        }),
    };
    let fields = [
        Some(("gatewayServer.location", json!("provider"))),
        Some(("gatewayServer.endpoint.serviceType", json!(service_type))),
        node_port.map(|port| ("gatewayServer.endpoint.nodePort", json!(port))),
        Some(("gatewayClient.endpoint.addresses", json!([address]))),
    ];
    let fields = fields.into_iter().flatten();
    Ok(fields
        .map(|(field, value)| Setting::new(&format!("spec.networking.{field}"), value))
        .collect())
}

/// The first node port that no Service of the live cluster uses, and no document of the other peerings.
fn free_node_port(of_all: &Path, live: Option<&ClusterFacts>) -> Option<u16> {
    let folders = folders_in(of_all)
        .into_iter()
        .flat_map(|it| [folders_in(&it), vec![it]].concat());
    let siblings = folders.filter_map(|folder| sibling_at(&folder).ok());
    let mut taken: BTreeSet<u16> = siblings
        .filter_map(|it| Some(it.networking?.server.endpoint.node_port?.value.get()))
        .collect();
    taken.extend(live.iter().flat_map(|live| &live.node_ports));
    (FIRST_PORT..=*NODE_PORTS.end())
        .chain(*NODE_PORTS.start()..FIRST_PORT)
        .find(|port| !taken.contains(port))
}

/// The folders in a folder, without links: anyone with push access can commit a link to any place.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(current_if_empty(folder))
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

fn sibling_at(folder: &Path) -> Result<Peering> {
    Ok(rules::parse(&Folder::new(folder).read_document()?)?)
}

fn guess(value: Option<&str>) -> Preset {
    value
        .filter(|value| !value.is_empty())
        .map_or(Preset::Nothing, |value| Preset::Guess(value.into()))
}

/// A cluster with Liqo. A fact that the cluster does not show is empty.
#[derive(Debug, Default)]
struct ClusterFacts {
    id: String,
    /// The facts by their fields, several values with commas.
    facts: BTreeMap<&'static str, String>,
    /// The major and minor version.
    liqo_version: Option<String>,
    /// The address of a node; an external address comes first.
    node_address: Option<String>,
    /// The node ports that are in use.
    node_ports: BTreeSet<u16>,
}

impl ClusterFacts {
    /// Reads a cluster, if there is a context. `with_nodes` is for the cluster of the gateway server.
    fn of(
        context: Option<&str>,
        place: &Path,
        with_nodes: bool,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Self>> {
        let Some(context) = context else {
            return Ok(None);
        };
        let budget = Budget::default();
        let mut kubectl = Kubectl::new(context, place, &budget, streams)?;
        let found = cluster_id_maps(&mut kubectl)?;
        let config = match found.as_slice() {
            [config] => Ok(config),
            [] => Err("a cluster with Liqo: no ConfigMap `liqo-clusterid-configmap`"),
            _ => Err(
                "a cluster with one Liqo: several namespaces have a ConfigMap `liqo-clusterid-configmap`",
            ),
        };
        let config = config.map_err(|what| kubectl.failed(ProgramProblem::Unexpected(what)))?;
        let liqo = ["-n", config.namespace()];
        let networks = kubectl.require(&["networks.ipam.liqo.io"], &liqo, read_field)?;
        let manager = kubectl.require(&[MANAGER_RESOURCE], &liqo, read_field)?;
        let facts = CLUSTER_FACTS.iter().filter_map(|fact| {
            let all: BTreeSet<&str> = of_type(networks.iter(), fact.network_type)
                .map(|it| it.1)
                .collect();
            (!all.is_empty()).then(|| (fact.field(), Vec::from_iter(all).join(",")))
        });
        let version = manager.first().and_then(tag).and_then(minor);
        let mut live = Self {
            id: config.text("/data/CLUSTER_ID").to_owned(),
            facts: facts.collect(),
            liqo_version: version.map(|(major, minor)| format!("{major}.{minor}")),
            ..Self::default()
        };
        if with_nodes {
            // a user who may not read nodes or services is asked instead
            let nodes = kubectl.get(&["nodes"], &[], read_field).unwrap_or_default();
            let mut addresses = ["ExternalIP", "InternalIP"]
                .into_iter()
                .flat_map(|kind| nodes.iter().filter_map(move |node| address(node, kind)));
            live.node_address = addresses.next();
            let services = kubectl
                .get(&["services"], &["-A"], read_field)
                .unwrap_or_default();
            let ports = services
                .iter()
                .flat_map(|service| service.list("/spec/ports"));
            live.node_ports = ports
                .filter_map(|port| u16::try_from(port.get("nodePort")?.as_u64()?).ok())
                .collect();
        }
        Ok(Some(live))
    }
}

/// The fields that are read here. A cluster has thousands of Services and Nodes, with long lists of images.
fn read_field(path: &[&str]) -> Extent {
    let is_read = match path {
        ["metadata", field, ..] => matches!(*field, "name" | "namespace" | "labels"),
        ["spec", "ports", field] => *field == "nodePort",
        ["spec", field, ..] => matches!(*field, "cidr" | "template" | "ports"),
        ["status", field, ..] => matches!(*field, "cidr" | "addresses"),
        _ => return whole_field(path),
    };
    if is_read {
        Extent::Value
    } else {
        Extent::Skipped
    }
}

fn address(node: &Object, kind: &str) -> Option<String> {
    let mut addresses = node.list("/status/addresses").iter();
    let address = addresses.find(|it| it.get("type").is_some_and(|it| it == kind))?;
    address.get("address")?.as_str().map(ToOwned::to_owned)
}
