//! `import`: prints the peering.yaml of objects that exist: made by hand, with Liqo's guide or by `liqoctl`.

mod document;
mod dropped;
mod found;
mod origin;
mod side;

use super::init::application::{ApplicationSource, applications, usual_project};
use super::init::folder;
use super::place::only_remote;
use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::diff::class;
use crate::command::{Error, Result, Streams};
use crate::custody::store;
use crate::diagnostic::{Source, counted, shown_name};
use crate::input::file::{shell_path, shown_path};
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP};
use crate::object::live::owner::{owners, unread};
use crate::object::live::{Impact, Object, Scope};
use crate::peering::draft::SEED;
use crate::peering::names::{REMOTE_CLUSTER_ID, TENANT_NAMESPACE};
use crate::peering::{Peering, Role, Sides};
use crate::rules;
use crate::state::cluster::{Budget, Kubectl, Snapshot, liqo, whole_field};
use crate::state::git::Checkout;
use crate::stream::kinds::{live_halves, resources};
use clap::Args;
use found::SideObjects;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Make a peering.yaml of what exists: manifests, or live clusters
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering import --consumer net-local auth-local offloading-local \\
    --provider net-remote auth-remote
  argocd-peering import --consumer-context rome --provider-context milan \\
    --output peerings/rome-milan

Standard error lists what peering.yaml has no field for, and what a sync would change. Of Secrets only metadata and public \
keys are read. docs/howto/adopt-a-live-peering.md has all steps.")]
#[command(group = clap::ArgGroup::new("consumers").args(["consumer", "consumer_context"]).required(true))]
#[command(group = clap::ArgGroup::new("providers").args(["provider", "provider_context"]).required(true))]
pub struct Import {
    /// The consumer's manifests: files, or folders with .yaml, .yml and .json files
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub consumer: Vec<PathBuf>,
    /// The provider's manifests
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub provider: Vec<PathBuf>,
    /// The consumer itself: a context of your kubeconfig, read with `kubectl get`
    #[arg(long, value_name = "CONTEXT")]
    pub consumer_context: Option<String>,
    /// The provider itself
    #[arg(long, value_name = "CONTEXT")]
    pub provider_context: Option<String>,
    /// Whether the Secrets stay in the clusters as they are, or sealed files replace them
    #[arg(long, value_enum, default_value_t = Secrets::Keep)]
    pub secrets: Secrets,
    /// Take a change of this class that the first sync would make; without it, `widens-rights`, `interrupts-traffic` and `deletes-data` are refused
    #[arg(long, value_name = "CLASS", value_parser = class())]
    pub accept: Vec<Impact>,
    /// The consumer's cluster ID; needed where the provider's objects name several clusters
    #[arg(long, value_name = "ID")]
    pub consumer_id: Option<String>,
    /// The provider's cluster ID
    #[arg(long, value_name = "ID")]
    pub provider_id: Option<String>,
    /// The peering's name; default: both cluster IDs
    #[arg(long)]
    pub name: Option<String>,
    /// Write peering.yaml and both Applications into this folder, and overwrite nothing; default: print the document
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// What becomes of the Secrets that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Secrets {
    /// They stay in the clusters, and the folder has nothing of them: `delivery: External`, `existingSecret`.
    Keep,
    /// They come from sealed files: new keys of both gateways, and the credential that you seal.
    Seal,
}

pub(crate) fn import(arguments: &Import, streams: &mut Streams<'_>) -> Result {
    let budget = Budget::default();
    let live = Sides::try_make(|role| arguments.read_side(role, &budget, streams))?;
    let sides = side::sides(live, arguments)?;

    let keep = arguments.secrets == Secrets::Keep;
    let (mut problems, mut notes) = (Vec::new(), Vec::new());
    let found = Sides::make(|role| SideObjects::new(&sides[role], &mut problems));
    found::check_sides(&found, keep, &mut problems, &mut notes);
    let name = arguments.name.as_deref();
    let text = document::peering_text(name, &found, keep, &mut problems)?;
    let length = text.len();
    if length as u64 > DOCUMENT_CAP {
        problems.push(format!(
            "the document has {length} bytes of at most {DOCUMENT_CAP}: import fewer namespaces"
        ));
    }
    if !problems.is_empty() {
        return Err(WorkstationError::Manifests(problems).into());
    }
    let peering = rules::parse(&Source::new(DOCUMENT, text.as_str()))
        .map_err(|invalid| WorkstationError::Manifests(origin::problems(&invalid, &found)))?;
    let has_slices = Role::BOTH.map(|role| peering.authentication(role).is_some());
    if has_slices == [false, true] {
        let note = "only the provider offloads, in `reverse`: swap the sides if they are swapped";
        notes.push(note.to_owned());
    }
    if !keep && peering.networking.is_some() {
        notes.push("both keys are new: restart both gateways after the first sync".to_owned());
    }
    let mut has_owners = false;
    for role in Role::BOTH {
        let side = &sides[role];
        let (left, adopted) = dropped::compare(side, &peering, role, keep)?;
        let owners = owners(adopted);
        has_owners |= !owners.is_empty();
        for it in &owners {
            let (says, objects) = (it.says(), it.list());
            notes.push(format!(
                "{role}: {says}. To let go: {}. Its objects: {objects}",
                it.let_go
            ));
        }
        if owners.iter().any(|it| it.application.is_none())
            && let Some(marks) = unread(&side.objects)
        {
            notes.push(format!(
                "{role}: the owners of these are not read; make them release the objects in the same way: {marks}"
            ));
        }
        for loss in left {
            problems.extend(loss.refusal(&arguments.accept));
            notes.push(loss.line);
        }
        if side.others > 0 {
            let others = counted(side.others, "object");
            notes.push(format!("{role}: {others} left alone, for other clusters"));
        }
    }
    streams.note_all(notes.iter().map(|note| format!("note: {note}")));
    if !problems.is_empty() {
        return Err(WorkstationError::Manifests(problems).into());
    }
    match &arguments.output {
        None => streams.deliver(&text),
        Some(folder) => {
            let has_applications = write(folder, &text, &peering, streams)?;
            let steps = next_steps(folder, &peering, keep, has_owners, has_applications);
            streams.note(&format!("next:\n  {}", steps.join("\n  ")));
            Ok(())
        }
    }
}

impl Import {
    /// Reads a side from its cluster, or from files.
    fn read_side(
        &self,
        role: Role,
        budget: &Budget,
        streams: &mut Streams<'_>,
    ) -> Result<Snapshot> {
        let (flag, context, files) = match role {
            Role::Consumer => ("--consumer", &self.consumer_context, &self.consumer),
            Role::Provider => ("--provider", &self.provider_context, &self.provider),
        };
        let place = self.output.as_deref().unwrap_or(Path::new("."));
        let mut live = match context {
            Some(context) => read_cluster(context, place, budget, streams)?,
            None => Snapshot::of_files(files, budget)?,
        };
        // the user meant other files
        if context.is_none() && live.objects.is_empty() {
            let paths: Vec<String> = files.iter().map(|path| shown_path(path)).collect();
            let reason = "no Kubernetes object in .yaml, .yml or .json files";
            let reason = format!("{}: {reason}", paths.join(" "));
            return Err(Error::flag(flag, reason));
        }
        for (kind, count) in take_unknown(&mut live.objects) {
            let count = counted(count, "object");
            streams.note(&format!(
                "note: {role}: not read: {count} of kind {kind}: render those that make Liqo's objects"
            ));
        }
        Ok(live)
    }
}

/// Takes out the objects of kinds that neither Liqo nor a stream has, and counts them by kind.
fn take_unknown(objects: &mut Vec<Object>) -> BTreeMap<String, usize> {
    let mut unknown = BTreeMap::new();
    for object in std::mem::take(objects) {
        let (kind, group) = (object.kind(), object.group());
        if side::is_cluster_id_map(&object)
            || live_halves().any(|it| it.kind() == kind && it.group() == group)
        {
            objects.push(object);
            continue;
        }
        let kind = if kind.is_empty() { "none" } else { kind };
        let kind = match group {
            "" => shown_name(kind),
            group => shown_name(&format!("{kind} ({group})")),
        };
        *unknown.entry(kind).or_default() += 1;
    }
    unknown
}

/// Reads everything in a live cluster that has the label of another cluster, and the cluster's own ID. If Secrets may not be read, they are
/// left out: the other cluster has the public key.
///
/// # Errors
/// When the cluster gives no answer, or refuses anything else.
fn read_cluster(
    context: &str,
    place: &Path,
    budget: &Budget,
    streams: &mut Streams<'_>,
) -> Result<Snapshot> {
    let mut kubectl = Kubectl::new(context, place, budget, streams)?;
    let mut everywhere = resources(&[Scope::Everywhere]);
    // of these kinds, only Liqo's objects are read
    everywhere.retain(|resource| *resource != "namespaces");
    let rights = resources(&[Scope::InTenantNamespace]);
    let of_peers = ["-A", "-l", REMOTE_CLUSTER_ID];
    let of_tenants = ["-A", "-l", TENANT_NAMESPACE];
    let mut live = Snapshot::default();
    live.objects.extend(liqo::cluster_id_maps(&mut kubectl)?);
    for (resources, scope) in [
        (["namespaces"].as_slice(), of_tenants.as_slice()),
        (&everywhere, &["-A"]),
        (&rights, &of_peers),
    ] {
        let objects = kubectl.require(resources, scope, whole_field)?;
        live.objects.extend(objects);
    }
    let secrets = resources(&[Scope::WithoutData]);
    live.take(&mut kubectl, &secrets, &of_peers, whole_field)?;
    if !live.refused.is_empty() {
        streams.note("note: you may not read Secrets: their names come from other objects");
    }
    Ok(live)
}

/// Writes the files of a new peering into a folder, as `init` does, and returns whether Applications are among them. The folder is created
/// if it is missing, and existing files stay.
fn write(folder: &Path, text: &str, peering: &Peering, streams: &mut Streams<'_>) -> Result<bool> {
    let uses = uses_of(folder);
    let mut files = vec![(DOCUMENT.to_owned(), text.as_bytes().to_vec())];
    if let Some((repo, path)) = &uses {
        files.extend(applications(peering, "argocd", |role| ApplicationSource {
            project: usual_project(role),
            repo,
            path,
            revision: None,
            is_automated: false,
        })?);
    }
    if folder.is_dir() {
        for (name, _) in &files {
            store::check_new(&folder.join(name))?;
        }
    }
    folder::write(folder, &files, streams)?;
    let path = uses.as_ref().map_or("", |(_, path)| path.as_str());
    folder::write_shared(folder::folder_of_all(folder, path), streams);
    Ok(uses.is_some())
}

/// The repository, and the folder's path in it, if the checkout has one remote.
fn uses_of(folder: &Path) -> Option<(String, String)> {
    let checkout = Checkout::open(folder)?;
    Some((only_remote(&checkout).ok()?, checkout.folder().to_owned()))
}

/// The steps after a document was written. If its Secrets come from sealed files, these are made first, and the new keys interrupt the tunnel.
fn next_steps(
    folder: &Path,
    peering: &Peering,
    keep: bool,
    has_owners: bool,
    has_applications: bool,
) -> Vec<String> {
    let folder = shell_path(folder);
    let [of_consumer, of_provider] =
        Role::BOTH.map(|role| format!("--project {}={role}", usual_project(role)));
    let mut steps = Vec::new();
    if peering.seed_of(Role::Consumer).is_some() {
        steps.push(format!(
            "argocd-peering seed new {folder}/{SEED} --recipients-file FILE {of_consumer} {of_provider}"
        ));
    }
    for (role, project) in [(Role::Consumer, of_consumer), (Role::Provider, of_provider)] {
        if let Some(sealed) = peering.sealed_kubeconfig(role) {
            let file = &*sealed.file;
            steps.push(format!("argocd-peering seal kubeconfig KUBECONFIG -o {folder}/{file} --recipients-file FILE {project}"));
        }
    }
    steps.push(format!("argocd-peering validate {folder}"));
    steps.push(format!(
        "argocd-peering diff {folder} --consumer-context CONTEXT --provider-context CONTEXT"
    ));
    if has_owners {
        steps.push("make the owners in the notes release the objects, in that order".to_owned());
    }
    steps.push(if has_applications {
        "commit the folder, apply its Applications, compare with `argocd app diff`, sync, then set `automated`".to_owned()
    } else {
        "commit the folder, and make Applications: argocd-app/README.md".to_owned()
    });
    if !keep && peering.networking.is_some() {
        steps.push(
            "after the first sync restart both gateways: until then the tunnel is down".to_owned(),
        );
    }
    steps
}
