//! The changes that fleet.yaml makes to its folders.

use super::node_ports::node_ports;
use crate::command::workstation::documents::described;
use crate::command::workstation::kubeconfig_report::today;
use crate::command::{Error, Result};
use crate::diagnostic::{Bug, Code, Problems, Rule, Source, quoted};
use crate::fleet::{Edge, GATEWAY_CLIENT, facts, refused};
use crate::input::file::{self, shown_path};
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP};
use crate::input::yaml::{Setting, Unclear, edit};
use crate::peering::Peering;
use crate::peering::delivery::Delivery;
use crate::peering::draft::{authentication, handshake, new_document, one_seed};
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{LiqoVersion, Role, Sides};
use crate::rules;
use crate::state::repo::{BYTES_MAX, Described, Repo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const HEAD: &str =
    "# Made by `argocd-peering fleet`. What fleet.yaml says is changed there; the rest is yours.\n";

/// A peering of the fleet: its folder, and the change to it.
pub(super) struct Change {
    pub(super) folder: PathBuf,
    pub(super) node_port: Option<u16>,
    /// The address and port of its load balancer, if fleet.yaml has them.
    balancer: Option<String>,
    /// The recipients of each side that fleet.yaml has.
    recipients: Sides<Vec<String>>,
    pub(super) what: What,
}

/// The change to a document.
pub(super) enum What {
    New(New),
    Same,
    /// The names of the changed fields, the document as it is, and its new text.
    Fields(Vec<String>, Source, String),
}

/// A new document.
pub(super) struct New {
    name: String,
    /// All settings of the document except its seeds.
    settings: Vec<Setting>,
    /// The text with one seed for both sides.
    text: String,
    pub(super) peering: Box<Peering>,
}

impl New {
    /// The document with these seeds.
    pub(super) fn document(&self, seeds: Vec<Setting>) -> Result<String, Bug> {
        document(
            &self.name,
            self.settings.iter().cloned().chain(seeds).collect(),
        )
    }
}

fn document(name: &str, settings: Vec<Setting>) -> Result<String, Bug> {
    new_document(HEAD, name, today(), settings)
}

impl Change {
    /// The folder, the document and the recipients of each side, if the peering is new.
    pub(super) fn new_folder(&self) -> Option<(&Path, &New, &Sides<Vec<String>>)> {
        if let What::New(new) = &self.what {
            Some((&self.folder, new, &self.recipients))
        } else {
            None
        }
    }

    /// The path of an edited document, its text as it was read, and its new text.
    pub(super) fn edit(&self) -> Option<(PathBuf, &str, &str)> {
        let What::Fields(_, old, text) = &self.what else {
            return None;
        };
        Some((self.folder.join(DOCUMENT), old.text(), text))
    }

    /// The folder, the peering and the recipients of an existing folder, if a side of it begins to offload.
    pub(super) fn with_new_credential(&self) -> Option<(&Path, Peering, &Sides<Vec<String>>)> {
        let What::Fields(fields, old, text) = &self.what else {
            return None;
        };
        if !fields.iter().any(|it| it.contains(".credential")) {
            return None;
        }
        Some((
            &self.folder,
            rules::read(&Source::new(old.name(), text)).ok()?,
            &self.recipients,
        ))
    }

    /// The document's text, if it is new or edited.
    fn text(&self) -> &str {
        match &self.what {
            What::New(new) => &new.text,
            What::Fields(_, _, text) => text,
            What::Same => "",
        }
    }
}

/// All changes of a fleet.
pub(super) struct Changes {
    /// The changes, in the order of fleet.yaml.
    pub(super) all: Vec<Change>,
    /// Documents of peerings that fleet.yaml does not have.
    pub(super) others: Vec<PathBuf>,
}

impl Changes {
    /// How many documents already are as fleet.yaml has them.
    pub(super) fn same(&self) -> usize {
        self.all
            .iter()
            .filter(|change| matches!(change.what, What::Same))
            .count()
    }
}

/// Compares fleet.yaml with the folders below its own. Nothing is written.
///
/// # Errors
/// If a document is wrong, before or after its edit, or too large to be read, or if a cluster has no free node port.
pub(super) fn changes(source: &Source, folder: &Path, edges: &[Edge<'_>]) -> Result<Changes> {
    let read = described(Repo::of_folder("FILE", folder)?)?;
    let found = found(source, edges, &read)?;
    let ports = node_ports(source, folder, edges, &found, &read)?;
    let mut names: BTreeSet<String> = read.iter().map(|it| it.peering.name.to_string()).collect();
    let (mut all, mut bytes) = (Vec::new(), 0);
    for ((edge, found), port) in edges.iter().zip(&found).zip(ports) {
        let change = match found {
            Some(described) => changed(source, edge, described, port)?,
            None => new(source, folder, edge, port, &mut names)?,
        };
        // the facts of a cluster are in the documents of all its peers
        bytes += change.text().len();
        if bytes > BYTES_MAX {
            let reason = format!(
                "its documents would have more than {} MiB together; write fewer `podCIDRs` or `resources`",
                BYTES_MAX >> 20
            );
            return Err(Error::flag("FILE", reason));
        }
        all.push(change);
    }
    refuse_shared(source, edges, &all)?;
    let kept: BTreeSet<&Path> = found.iter().flatten().map(|it| it.path.as_path()).collect();
    let others = read
        .iter()
        .map(|it| it.path.clone())
        .filter(|path| !kept.contains(path.as_path()))
        .collect();
    Ok(Changes { all, others })
}

/// The document of each edge, if it exists. If an edge has two documents, it is not known which one is deployed, and that is an error.
fn found<'r>(
    source: &Source,
    edges: &[Edge<'_>],
    read: &'r [Described],
) -> Result<Vec<Option<&'r Described>>> {
    let mut by_pair: BTreeMap<[&str; 2], Vec<&Described>> = BTreeMap::new();
    for described in read {
        let Sides { consumer, provider } = &described.peering.clusters;
        by_pair
            .entry(pair(consumer.id.as_str(), provider.id.as_str()))
            .or_default()
            .push(described);
    }
    let (mut found, mut problems) = (Vec::new(), Problems::default());
    for edge in edges {
        let pair = pair(edge.clusters.consumer.id(), edge.clusters.provider.id());
        let of_pair = by_pair.get(&pair).map_or(&[][..], Vec::as_slice);
        if let [first, second, ..] = of_pair {
            let [one, other] = [first, second].map(|it| shown_path(&it.path));
            let [a, b] = pair.map(quoted);
            let message = format!("{one} and {other} are both of {a} and {b}");
            let help = "two clusters have one peering: keep the folder that is deployed, and remove the other one";
            problems.refuse(Code::DuplicatePeering, edge.span, message, help);
        }
        found.push(of_pair.first().copied());
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(refused(source, problems).into())
    }
}

/// Two IDs in one order, whichever is the consumer's.
fn pair<'i>(consumer: &'i str, provider: &'i str) -> [&'i str; 2] {
    if consumer < provider {
        [consumer, provider]
    } else {
        [provider, consumer]
    }
}

fn changed(
    fleet: &Source,
    edge: &Edge<'_>,
    described: &Described,
    node_port: Option<u16>,
) -> Result<Change> {
    let folder = described.path.parent().unwrap_or(Path::new(".")).to_owned();
    let document = shown_path(&described.path);
    if described.peering.clusters.consumer.id.as_str() != edge.clusters.consumer.id() {
        let reason = format!(
            "{document} has {} as the consumer, and fleet.yaml has {}: write the two in the document's order",
            quoted(described.peering.clusters.consumer.id.as_str()),
            quoted(edge.clusters.consumer.id())
        );
        return Err(Error::flag("FILE", reason));
    }
    let server = described.peering.networking.as_ref().map(|it| &it.server);
    let server = server.filter(|it| it.location == edge.location);
    let has_balancer =
        server.is_some_and(|it| it.endpoint.service_type.value == ServiceType::LoadBalancer);
    let mut facts = facts(edge, node_port, has_balancer);
    for role in edge
        .offload()
        .filter(|role| described.peering.authentication(*role).is_none())
    {
        // each is inserted before the existing ones
        facts.extend(
            credential(edge, role, described.peering.lowest_liqo())
                .into_iter()
                .rev(),
        );
    }
    let edited = edit(described.source.text(), &facts, |text| {
        is_readable(text)
            && rules::read(&Source::new(&document, text)).as_ref() == Ok(&described.peering)
    });
    let (text, fields) = edited.map_err(|unclear| by_hand(&document, &unclear))?;
    if fields.is_empty() {
        let balancer = balancer(edge, &described.peering);
        return Ok(Change {
            folder,
            node_port,
            balancer,
            recipients: recipients(edge),
            what: What::Same,
        });
    }
    let balancer = balancer(edge, &read_made(fleet, edge, &document, &text)?);
    let what = What::Fields(fields, described.source.clone(), text);
    Ok(Change {
        folder,
        node_port,
        balancer,
        recipients: recipients(edge),
        what,
    })
}

/// The error for a field that the user has to write by hand.
fn by_hand(document: &str, Unclear(field): &Unclear) -> Error {
    let what = if field == GATEWAY_CLIENT {
        "write `gatewayClient: pending` by hand, or `addresses` in fleet.yaml: the old gateway's address is not the new one's".to_owned()
    } else {
        format!(
            "the layout of `{field}` cannot be edited automatically; write by hand what fleet.yaml says"
        )
    };
    Error::flag("FILE", format!("{document}: {what}"))
}

/// The address and the port at which the client dials a load balancer, if fleet.yaml has the address.
fn balancer(edge: &Edge<'_>, peering: &Peering) -> Option<String> {
    edge.gateway
        .addresses
        .as_ref()
        .filter(|_| edge.gateway.service_type == ServiceType::LoadBalancer)?;
    let (address, port) = peering.networking.as_ref()?.dialled()?;
    Some(format!("{address}:{}", port?.get()))
}

/// Refuses two gateways of a cluster with the same address and port: each has its own Service (liqo
/// `liqo-wireguard-gateway-server-template.yaml`), and a load balancer forwards a port of an address to one Service.
fn refuse_shared(source: &Source, edges: &[Edge<'_>], all: &[Change]) -> Result {
    let (mut first, mut problems) = (BTreeMap::new(), Problems::default());
    for (edge, change) in edges.iter().zip(all) {
        let Some(balancer) = &change.balancer else {
            continue;
        };
        let Some(other) = first.insert((edge.server().id(), balancer.as_str()), change) else {
            continue;
        };
        let [one, other] = [other, change].map(|it| shown_path(&it.folder.join(DOCUMENT)));
        let cluster = quoted(edge.server().id());
        let message = format!(
            "the load balancer `{balancer}` of {cluster} has two gateways: {one} and {other}"
        );
        let help = "each gateway has its own Service: leave out `addresses` and `port` of the cluster's `gateway`, and write each document's own";
        problems.refuse(Code::PortTaken, edge.span, message, help);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(refused(source, problems).into())
    }
}

fn new(
    fleet: &Source,
    root: &Path,
    edge: &Edge<'_>,
    node_port: Option<u16>,
    names: &mut BTreeSet<String>,
) -> Result<Change> {
    let folder = edge.folder(root);
    file::refuse(&folder)?;
    if let Some(file) = folder
        .ancestors()
        .take(2)
        .find(|path| path.exists() && !path.is_dir())
    {
        let (file, folder) = (shown_path(file), shown_path(&folder));
        return Err(Error::flag(
            "FILE",
            format!("{file} is a file, and the folder {folder} cannot be made"),
        ));
    }
    if std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let reason = format!(
            "{} has files and no {DOCUMENT}, and nothing is overwritten",
            shown_path(&folder)
        );
        return Err(Error::flag("FILE", reason));
    }
    refuse_external(fleet, edge)?;
    // the pair `a-b` and `c`, and the pair `a` and `b-c`, have the same name
    let mut name = format!(
        "{}-{}",
        edge.clusters.consumer.name, edge.clusters.provider.name
    );
    while !names.insert(name.clone()) {
        name.push_str("-2");
    }
    let mut settings = facts(edge, node_port, false);
    settings.extend(
        edge.offload()
            .flat_map(|role| credential(edge, role, LiqoVersion::V1_0)),
    );
    let text = document(
        &name,
        settings.iter().cloned().chain([one_seed()]).collect(),
    )?;
    let peering = read_made(fleet, edge, &shown_path(&folder.join(DOCUMENT)), &text)?;
    let balancer = balancer(edge, &peering);
    let what = What::New(New {
        name,
        settings,
        text,
        peering: Box::new(peering),
    });
    Ok(Change {
        folder,
        node_port,
        balancer,
        recipients: recipients(edge),
        what,
    })
}

fn recipients(edge: &Edge<'_>) -> Sides<Vec<String>> {
    Sides::make(|role| {
        edge.clusters
            .of(role)
            .recipients
            .iter()
            .flatten()
            .map(|it| it.as_str().to_owned())
            .collect()
    })
}

/// The settings for authentication of a side that begins to offload.
fn credential(edge: &Edge<'_>, role: Role, liqo: LiqoVersion) -> Vec<Setting> {
    if edge.exchanges_keys(liqo) {
        return vec![handshake(role)];
    }
    authentication(role, edge.clusters.of(role).id()).into()
}

/// Refuses a side with `delivery: External`. The name of its Secret follows from the key, which is not opened where another tool delivers
/// it (`rules/delivery_needs.rs`), so the user has to write the name in the document.
fn refuse_external(fleet: &Source, edge: &Edge<'_>) -> Result {
    let mut roles = Role::BOTH.into_iter();
    let Some(role) =
        roles.find(|role| edge.clusters.of(*role).delivery == Some(Delivery::External))
    else {
        return Ok(());
    };
    let name = quoted(edge.clusters.of(role).name.as_str());
    let message = format!(
        "no new folder is made for {name}, which has `delivery: External`: the name of its key Secret is not known"
    );
    let help = format!(
        "make this one with `argocd-peering init`, and set `delivery: External` and `names.keySecret` of its {role}"
    );
    let mut problems = Problems::default();
    problems.refuse(Code::SecretName, edge.span, message, help);
    Err(refused(fleet, problems).into())
}

fn is_readable(text: &str) -> bool {
    text.len() as u64 <= DOCUMENT_CAP
}

/// The peering of a text that is not on the disk yet. Its problems are reported at the entry in fleet.yaml. A text that is too large for
/// any command to read is refused here as well.
fn read_made(fleet: &Source, edge: &Edge<'_>, document: &str, text: &str) -> Result<Peering> {
    let mut problems = Problems::default();
    if is_readable(text) {
        let invalid = match rules::read(&Source::new(document, text)) {
            Ok(peering) => return Ok(peering),
            Err(invalid) => invalid,
        };
        for problem in invalid.problems.iter() {
            let field = invalid.paths.to(problem.primary.span);
            let field = field.map_or_else(String::new, |field| format!(" at `{field}`"));
            let message = format!("{document} would be wrong{field}: {}", problem.message);
            problems.push(
                Rule {
                    help: problem.help.clone(),
                    ..Rule::new(problem.code, message)
                }
                .at(edge.span),
            );
        }
    } else {
        let message = format!(
            "{document} would be a document of {} bytes, and {DOCUMENT_CAP} are read",
            text.len()
        );
        let help = "write fewer `podCIDRs` or `resources`: one peering needs far less";
        problems.refuse(Code::Syntax, edge.span, message, help);
    }
    Err(refused(fleet, problems).into())
}
