//! The values of a new peering: from flags, from live clusters, from a sibling, and from the user.

use super::liqo_cluster::LiqoCluster;
use super::questions::{self, Asker, Suggestion, items};
use super::{Init, SCHEMA, folder};
use crate::command::Result;
use crate::command::workstation::kubeconfig_report::today;
use crate::diagnostic::Bug;
use crate::input::file::current_if_empty;
use crate::input::folder::Folder;
use crate::input::yaml::Setting;
use crate::judge::claims::CLUSTER_FACTS;
use crate::peering::draft::{authentication, handshake, new_document};
use crate::peering::networking::Networking;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{ClusterId, LiqoVersion, PeeringName, Role, Sides};
use crate::peering::{Peering, cluster as peering, names};
use crate::rules;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const HEAD: &str =
    "# The consumer offloads pods to the provider. Both Applications point at this folder.\n";

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
        let facts = Sides::try_make(|role| match arguments.context(role) {
            Some(context) => LiqoCluster::load(context, new, role, asker.streams).map(Some),
            None => Ok(None),
        })?;
        let own = new.canonicalize();
        let own = own.as_deref().unwrap_or(new).file_name();
        let name = match folder::of_set(path) {
            Some((consumer, provider)) => format!("{consumer}-{provider}"),
            None => own.unwrap_or_default().to_string_lossy().into_owned(),
        };
        let name = match name.parse::<PeeringName>() {
            Ok(name) => Suggestion::usual(Some(name.as_str())),
            Err(_) => Suggestion::Nothing,
        };
        let name = asker.value(&questions::NAME, name)?;
        let (consumer, mut settings) =
            cluster(Role::Consumer, facts.consumer.as_ref(), None, asker)?;
        let sibling = like.as_ref().map(|like| &like.clusters[Role::Provider]);
        let (provider, more) = cluster(Role::Provider, facts.provider.as_ref(), sibling, asker)?;
        settings.extend(more);
        let clusters = [&facts.consumer, &facts.provider].into_iter().flatten();
        let liqo = clusters.filter_map(|it| it.liqo_version).min();
        let of_like = like.as_ref().and_then(|like| like.liqo_version.as_ref());
        let liqo = match (liqo, of_like) {
            (Some(version), _) => Suggestion::Read(version.to_string()),
            (None, Some(version)) => Suggestion::Read(version.value.to_string()),
            (None, None) => Suggestion::Guess("1.0".into()),
        };
        let liqo_version = asker.value(&questions::LIQO_VERSION, liqo)?;
        // a gateway's address is its cluster's
        let networking = match &like {
            Some(like) if like.clusters[Role::Provider].id.as_str() == provider => {
                like.networking.as_ref()
            }
            _ => None,
        };
        let facts = facts.provider.as_ref();
        settings.extend(gateway(arguments, of_all, networking, facts, asker)?);
        let renews = liqo_version.parse().is_ok_and(LiqoVersion::exchanges_keys);
        if renews && arguments.user.is_none() {
            settings.push(handshake(Role::Consumer));
        } else {
            let user = asker.value(&questions::USER, Suggestion::Guess(consumer.clone()))?;
            settings.extend(authentication(Role::Consumer, &user));
        }
        let cpu = asker.value(&questions::CPU, Suggestion::Guess("4".into()))?;
        let memory = asker.value(&questions::MEMORY, Suggestion::Guess("8Gi".into()))?;
        for (path, value) in [
            ("liqoVersion", liqo_version),
            ("offloading.resourceSlices.0.resources.cpu", cpu),
            ("offloading.resourceSlices.0.resources.memory", memory),
        ] {
            settings.push(Setting::new(&format!("spec.{path}"), json!(value)));
        }
        settings.extend(namespaces(arguments, asker)?);
        let depth = new.components().count();
        let up = depth.saturating_sub(of_all.components().count());
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
        match (self.ids.consumer.parse(), self.ids.provider.parse()) {
            (Ok(consumer), Ok(provider)) => Ok(Sides { consumer, provider }),
            _ => Err(Bug::new("a cluster ID is unchecked")),
        }
    }

    pub(super) fn document(&self, seeds: &[Setting]) -> Result<String, Bug> {
        let schema = self.schema.display();
        let head = format!("# yaml-language-server: $schema={schema}\n{HEAD}");
        let settings = [self.settings.as_slice(), seeds].concat();
        new_document(&head, &self.name, today(), settings)
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
        let names = asker.value(&questions::NAMESPACES, Suggestion::Nothing)?;
        (names, arguments.create_namespaces)
    };
    let mut settings = Vec::new();
    for (at, name) in items(&names).enumerate() {
        let item = format!("spec.offloading.namespaces.{at}");
        settings.push(Setting::new(&format!("{item}.name"), json!(name)));
        if are_new {
            settings.push(Setting::new(&format!("{item}.create"), json!(true)));
        }
        let clusters = format!("{item}.clusters");
        settings.push(Setting::new(&clusters, json!("thisPeer")));
    }
    Ok(settings)
}

/// The ID and the settings of one of the clusters: from the flags, from the cluster itself, or from a sibling.
fn cluster(
    role: Role,
    live: Option<&LiqoCluster>,
    sibling: Option<&peering::Cluster>,
    asker: &mut Asker<'_, '_>,
) -> Result<(String, Vec<Setting>)> {
    let known = match (live, sibling) {
        (Some(live), _) => Suggestion::Read(live.id.clone()),
        (None, Some(sibling)) => Suggestion::Read(sibling.id.to_string()),
        (None, None) => Suggestion::Nothing,
    };
    let id = asker.cluster_field(role, "clusterID", known)?;
    let id = id.unwrap_or_default();
    // what is known of one cluster is not true of another
    let sibling = sibling.filter(|cluster| cluster.id.as_str() == id);
    let mut settings = vec![role_setting(role, "clusterID", json!(id))];
    let known = match sibling {
        Some(sibling) => Suggestion::Read(sibling.argocd_cluster.to_string()),
        None => Suggestion::Guess(id.clone()),
    };
    let name = asker.cluster_field(role, "argocdCluster", known)?;
    if let Some(name) = name.filter(|name| *name != id) {
        settings.push(role_setting(role, "argocdCluster", json!(name)));
    }
    for fact in &CLUSTER_FACTS {
        let field = fact.field();
        let of_live = live.and_then(|it| it.facts.get(field));
        let known = match (of_live, sibling.and_then(fact.written)) {
            (Some(text), _) => Suggestion::Read(text.clone()),
            (None, Some((texts, _))) => Suggestion::Read(texts.join(",")),
            (None, None) => Suggestion::usual(fact.usual),
        };
        if let Some(text) = asker.cluster_field(role, field, known)? {
            let texts: Vec<_> = items(&text).map(ToOwned::to_owned).collect();
            settings.push(role_setting(role, field, fact.value(&texts)));
        }
    }
    Ok((id, settings))
}

fn role_setting(role: Role, field: &str, value: Value) -> Setting {
    Setting::new(&format!("spec.{role}.{field}"), value)
}

fn gateway(
    arguments: &Init,
    of_all: &Path,
    sibling: Option<&Networking>,
    live: Option<&LiqoCluster>,
    asker: &mut Asker<'_, '_>,
) -> Result<Vec<Setting>> {
    let like_type = sibling.map(|it| it.server.endpoint.service_type.value);
    let usual = like_type.unwrap_or(ServiceType::NodePort).to_string();
    let service_type = arguments.service_type.clone().unwrap_or(usual);
    let is_node_port = service_type == "NodePort";
    // nodes have one address for all gateways; each load balancer has its own
    let is_shared = service_type != "LoadBalancer" && like_type != Some(ServiceType::LoadBalancer);
    let of_node = live.and_then(|live| live.node_address.as_deref());
    let known = match sibling.and_then(Networking::dialled) {
        Some((address, _)) if is_shared => Suggestion::Read(address.to_string()),
        _ if is_node_port => Suggestion::usual(of_node),
        _ => Suggestion::Nothing,
    };
    let address = asker.value(&questions::GATEWAY_ADDRESS, known)?;
    let mut fields = vec![
        ("gatewayServer.location", json!("provider")),
        ("gatewayServer.endpoint.serviceType", json!(service_type)),
    ];
    let given = arguments.node_port;
    if is_node_port && let Some(port) = given.or_else(|| free_node_port(of_all, live)) {
        if given.is_none() {
            asker.note_guess("--node-port", port.to_string());
        }
        fields.push(("gatewayServer.endpoint.nodePort", json!(port)));
    }
    fields.push(("gatewayClient.endpoint.addresses", json!([address])));
    let fields = fields.into_iter();
    Ok(fields
        .map(|(field, value)| Setting::new(&format!("spec.networking.{field}"), value))
        .collect())
}

/// The first node port that no Service of the live cluster uses, and no document of the other peerings.
fn free_node_port(of_all: &Path, live: Option<&LiqoCluster>) -> Option<u16> {
    let mut taken = live.map(|live| live.node_ports.clone()).unwrap_or_default();
    for folder in folders_in(of_all) {
        for folder in [folders_in(&folder), vec![folder]].concat() {
            if let Ok(sibling) = sibling_at(&folder)
                && let Some(networking) = sibling.networking
                && let Some(port) = networking.server.endpoint.node_port
            {
                taken.insert(port.value.get());
            }
        }
    }
    (FIRST_PORT..=*NODE_PORTS.end())
        .chain(*NODE_PORTS.start()..FIRST_PORT)
        .find(|port| !taken.contains(port))
}

/// The folders in a folder, without links: anyone with push access can commit a link to any place.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let entries = std::fs::read_dir(current_if_empty(folder)).into_iter();
    for entry in entries.flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders
}

fn sibling_at(folder: &Path) -> Result<Peering> {
    Ok(rules::parse(&Folder::new(folder).read_document()?)?)
}
