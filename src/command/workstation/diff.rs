//! `diff`: shows what a change does to both clusters, object by object.

mod repo_state;

use super::documents::{self, folder_of_peering};
use crate::command::error::workstation::WorkstationError;
use crate::command::{Error, Result, Streams};
use crate::custody::{Owner, identity_file_of_person};
use crate::diagnostic::{Judged, Source};
use crate::input::file::{shell_path, shown_path};
use crate::input::folder::Folder;
use crate::judge::change::{
    ArgoChanges, Changes, Consequence, ObjectChange, Version, Versions, changed_applications,
    of_live, other_owners, versions,
};
use crate::judge::comparison::planned;
use crate::object::live::{Impact, Object};
use crate::peering::{Material, Peering, Role};
use crate::report::{self, Form, changes};
use crate::rules;
use crate::state::cluster::{Budget, Kubectl, Snapshot, whole_field};
use crate::state::repo::tree::UnreadFile;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use repo_state::RepoState;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Show what a change does to both clusters, object by object
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering diff peerings/rome-milan
  argocd-peering diff peerings --from main --to HEAD --format markdown
  argocd-peering diff old/rome-milan new/rome-milan
  argocd-peering diff peerings/rome-milan --consumer-context rome \\
    --provider-context milan

It compares both streams and the folder's Applications, ApplicationSets and AppProjects. Only an identity tells whether a \
resealed file holds another secret. Live clusters are read with `kubectl get`, of Secrets only \
public parts; `argocd app diff` shows objects that only the cluster has. docs/howto/review-a-pull-request.md has a workflow.

Classes, mildest first: harmless, needs-attention, widens-rights, loses-protection, interrupts-traffic, deletes-data.

Exit codes: 0 no difference, 1 a difference (with --fail-on, of that class or worse), 2 usage or a wrong document, 3 the \
environment.")]
pub struct Diff {
    /// A peering's folder, or a folder of such folders
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// A second folder, as FOLDER is to become; without one, two states of FOLDER are compared
    #[arg(conflicts_with_all = ["from", "to", "consumer_context", "provider_context"])]
    pub new: Option<PathBuf>,
    /// The Git revision before the change; default: HEAD
    #[arg(long, value_name = "REVISION")]
    pub from: Option<String>,
    /// The Git revision after it; default: the files as they are now
    #[arg(long, value_name = "REVISION")]
    pub to: Option<String>,
    /// Instead of a revision: the live consumer, as this context of your kubeconfig reaches it
    #[arg(long, value_name = "CONTEXT", conflicts_with_all = ["from", "to"])]
    pub consumer_context: Option<String>,
    /// Instead of a revision: the live provider
    #[arg(long, value_name = "CONTEXT", conflicts_with_all = ["from", "to"])]
    pub provider_context: Option<String>,
    /// An age identity file, to tell whether a file that was sealed again holds another secret; default: `$ARGOCD_PEERING_IDENTITY_FILE`, then
    /// `~/.config/argocd-peering/identity.txt`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["consumer_context", "provider_context"])]
    pub identity_file: Option<PathBuf>,
    /// Text, Markdown for a comment on a pull request, or a report for programs
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Exit with 1 only for changes of this class or a worse one
    #[arg(long, value_name = "CLASS", value_parser = class())]
    pub fail_on: Option<Impact>,
}

pub(super) fn class() -> impl TypedValueParser<Value = Impact> {
    let names = Impact::ALL.iter().copied().map(Impact::name);
    PossibleValuesParser::new(names).try_map(|name| {
        let mut classes = Impact::ALL.iter().copied();
        classes.find(|it| it.name() == name).ok_or("not a class")
    })
}

/// What `diff` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DiffFormat {
    /// For a terminal
    Text,
    /// A table for each peering
    Markdown,
    /// docs/diff.schema.json
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

/// The name of the argument in messages.
const FOLDER: &str = "FOLDER";

pub(crate) fn diff(arguments: &Diff, streams: &mut Streams<'_>) -> Result {
    let changes = if arguments.consumer_context.is_some() || arguments.provider_context.is_some() {
        live(arguments, streams)?
    } else {
        two_states(arguments)?
    };
    let text = match arguments.format {
        DiffFormat::Text => streams.fitted(changes::text(&changes, streams.is_output_coloured())),
        DiffFormat::Markdown => changes::markdown(&changes),
        DiffFormat::Json => report::json(&changes)?,
        DiffFormat::Github => changes::annotations(&changes).print(Form::Github)?,
    };
    streams.print(&text)?;
    let is_bad = arguments.fail_on.is_none_or(|class| changes.worst >= class);
    if changes.changed.is_empty() || !is_bad {
        Ok(())
    } else {
        Err(WorkstationError::Differs.into())
    }
}

/// The effects of a change to a document alone, without the files beside it.
pub(super) fn of_texts(old: Source, new: Source) -> Result<String> {
    let [old, new] =
        [old, new].map(|it| Versions::from([(PathBuf::new(), Version::without_files(it))]));
    let (of_argo_cd, judged) = (ArgoChanges::new(), Judged::default());
    let changes = compared([old, new], of_argo_cd, Path::new("."), judged)?;
    Ok(changes::text(&changes, false))
}

fn two_states(arguments: &Diff) -> Result<Changes> {
    let identity_file = identity_file_of_person(arguments.identity_file.as_deref())?;
    let owner = identity_file.as_deref().map(Owner::from_file);
    let owner = owner.transpose()?.map(Rc::new);
    let [old, new] = RepoState::open_both(arguments)?;
    let named = arguments.new.as_ref().unwrap_or(&arguments.folder);
    let mut judged = Judged::default();
    for UnreadFile { path, reason } in old.argo.unread.iter().chain(&new.argo.unread) {
        let reason = format!("{reason}, so Applications in it were not compared");
        judged.leave_out("file", shown_path(path), reason);
    }
    for path in submodules(&old, &new)? {
        let reason = "it is a submodule: compare its own checkout";
        judged.leave_out("submodule", shown_path(path), reason);
    }
    for path in &new.others {
        let (path, word) = (shown_path(path), shell_path(path));
        let reason = format!("is another Git checkout: run `argocd-peering diff {word}`");
        if old.repo.documents.is_empty() && new.repo.documents.is_empty() {
            return Err(Error::flag(FOLDER, format!("{path} {reason}")));
        }
        judged.leave_out("checkout", path, format!("it {reason}"));
    }
    new.argo.left_out.count(&mut judged);
    let [before, after] =
        [old.repo.documents, new.repo.documents].map(|it| versions(it, owner.as_ref()));
    let states = [
        (old.argo, &before, old.repo.files),
        (new.argo, &after, new.repo.files),
    ];
    let of_argo_cd = changed_applications(states, &mut judged);
    let folder = folder_of_peering(named);
    compared([before, after], of_argo_cd, &folder, judged)
}

/// The submodules, which are not compared. Argo CD checks them out, so their files are part of its streams (argo-cd `util/git/client.go`,
/// Submodule).
///
/// # Errors
/// When two commits have another submodule, or another commit of one.
fn submodules<'m>(old: &'m RepoState, new: &'m RepoState) -> Result<BTreeSet<&'m PathBuf>> {
    let mut all: BTreeSet<_> = old.submodules.keys().chain(new.submodules.keys()).collect();
    for path in &all {
        if old.submodules.get(*path) != new.submodules.get(*path) {
            let reason = format!(
                "the commit of the submodule `{}` differs: compare both commits in its own checkout",
                shown_path(path)
            );
            return Err(Error::flag("--from", reason));
        }
    }
    all.retain(|it| !new.others.contains(it));
    Ok(all)
}

/// # Errors
/// When a document of the new state is wrong, or no state has a document.
fn compared(
    [old, new]: [Versions; 2],
    of_argo_cd: ArgoChanges,
    folder: &Path,
    judged: Judged,
) -> Result<Changes> {
    if old.is_empty() && new.is_empty() {
        return Err(no_peering(folder));
    }
    let (mut right, mut wrong) = (BTreeMap::new(), Vec::new());
    for (place, version) in new {
        match version {
            Ok(version) => drop(right.insert(place, version)),
            Err(error) => wrong.push(Error::from(error)),
        }
    }
    if !wrong.is_empty() {
        return Err(WorkstationError::Uncompared(wrong).into());
    }
    let changes = Changes::between_versions(old, right, of_argo_cd, folder, judged)?;
    Ok(changes)
}

/// Two revisions in place of folders come here too, as other tools take them.
fn no_peering(folder: &Path) -> Error {
    let reason = documents::no_peering(folder) + "; a revision goes to --from or --to";
    Error::flag(FOLDER, reason)
}

/// The changes that a sync of the folder's streams would make in the live clusters.
fn live(arguments: &Diff, streams: &mut Streams<'_>) -> Result<Changes> {
    let source = Folder::new(folder_of_peering(&arguments.folder)).read_document();
    let peering = source
        .map_err(Error::from)
        .and_then(|source| rules::parse(&source).map_err(Error::from));
    let peering = peering.map_err(|error| WorkstationError::Uncompared(vec![error]))?;
    let (mut objects, mut owners) = (Vec::new(), Vec::new());
    let (mut judged, budget) = (Judged::default(), Budget::default());
    for (role, context) in [
        (Role::Consumer, &arguments.consumer_context),
        (Role::Provider, &arguments.provider_context),
    ] {
        if let Some(context) = context {
            let mut kubectl = Kubectl::new(context, &arguments.folder, &budget, streams)?;
            let (changes, notes) = of_cluster(&mut kubectl, &peering, role)?;
            objects.extend(changes);
            owners.extend(notes);
            judged.add("cluster", 1);
        } else {
            let reason = format!("no `--{role}-context` is given");
            judged.pass_over("cluster", format!("the {role}'s"), reason);
        }
    }
    Ok(Changes::of_objects(objects, owners, judged))
}

/// The changes that a sync of one side's stream would make in its cluster, and which other owners the objects have.
fn of_cluster(
    kubectl: &mut Kubectl<'_>,
    peering: &Peering,
    role: Role,
) -> Result<(Vec<ObjectChange>, Vec<Consequence>)> {
    let mut planned = planned(peering, role, &Material::public(peering, role))?;
    planned.retain(|object| !object.is_hook());
    let mut live = Snapshot::default();
    let mut places = BTreeSet::new();
    for object in &planned {
        places.insert((object.namespace(), resource(object)));
    }
    for (namespace, resource) in &places {
        let scope: &[&str] = if namespace.is_empty() {
            &[]
        } else {
            &["-n", namespace]
        };
        live.objects
            .extend(kubectl.require(&[resource], scope, whole_field)?);
    }
    let changes = of_live(&planned, &live, role, peering.clusters[role].id.as_str());
    Ok((changes, other_owners(&planned, &live, role)))
}

/// A kind in the form that `kubectl get` takes: `Tenant.v1beta1.authentication.liqo.io`.
fn resource(object: &Object) -> String {
    match object.text("/apiVersion").split_once('/') {
        Some((group, version)) => format!("{}.{version}.{group}", object.kind()),
        None => object.kind().to_owned(),
    }
}
