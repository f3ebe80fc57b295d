//! `init`: creates the folder of a new peering, with everything that Argo CD needs.

mod answers;
pub(super) mod application;
pub(super) mod folder;
mod liqo_cluster;
mod questions;

use super::confirmation::Receivers;
use super::new_seeds::{self, SeedPlace, Seeds};
use super::place::uses_at;
use crate::command::workstation::flags::{RecipientFlags, SealFlags, UseFlags, parse_flag};
use crate::command::{Result, Streams};
use crate::custody::{Origin, Term};
use crate::diagnostic::{Source, readable, shell_word, shown_name};
use crate::input::file::shell_path;
use crate::input::folder::DOCUMENT;
use crate::peering::authentication::credential::Credential;
use crate::peering::values::Namespace;
use crate::peering::{Peering, Role, Sides};
use crate::rules;
use crate::state::git::Checkout;
use crate::uri::Uri;
use answers::Answers;
use application::{ApplicationSource, applications, own_project, usual_project, usual_revision};
use clap::Args;
use questions::{Asker, Suggestion};
use std::path::{Path, PathBuf};

/// Create the folder of a peering, with its seed and Applications
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering init peerings/rome-milan --recipients-file .age-recipients \\
    --consumer-context rome --provider-context milan
  argocd-peering init peerings/turin-milan --like peerings/rome-milan \\
    --consumer-id turin --consumer-pod-cidr 10.42.0.0/16 \\
    --recipients-file .age-recipients
  argocd-peering init peerings/rome-milan --recipients-file recovery.pub \\
    --recipient age1…=rome --recipient age1…=milan

The last is for an Argo CD in each cluster. You confirm \
terms and recipients that no flag sets, or a file in a Git checkout names. It writes the whole folder or nothing.")]
#[command(mut_arg("recipients", |flag| flag.value_name("age1…[=SIDE]").help(RECIPIENT)))]
#[command(mut_arg("recipients_files", |flag| flag.value_name("FILE[=SIDE]").help(RECIPIENTS)))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Init {
    /// The folder to create
    pub folder: PathBuf,
    /// The peering's name; default: the folder's, and for `peerings/rome/milan` both: `rome-milan`
    #[arg(long)]
    pub name: Option<String>,
    /// Take the provider, the networking and Liqo's version from the peering in this folder
    #[arg(long, value_name = "FOLDER")]
    pub like: Option<PathBuf>,
    /// The consumer's context in your kubeconfig, to read its cluster ID, networks and Liqo's version
    #[arg(long, value_name = "CONTEXT")]
    pub consumer_context: Option<String>,
    /// The provider's context, to read the same and its nodes' addresses
    #[arg(long, value_name = "CONTEXT")]
    pub provider_context: Option<String>,
    /// The consumer's cluster ID
    #[arg(long, value_name = "ID")]
    pub consumer_id: Option<String>,
    /// The provider's cluster ID
    #[arg(long, value_name = "ID")]
    pub provider_id: Option<String>,
    /// The consumer's name in Argo CD, as `argocd cluster list` has it; default: its cluster ID
    #[arg(long, value_name = "NAME")]
    pub consumer_argocd_cluster: Option<String>,
    /// The provider's name in Argo CD
    #[arg(long, value_name = "NAME")]
    pub provider_argocd_cluster: Option<String>,
    /// The namespace of the Applications
    #[arg(long, value_name = "NAMESPACE", default_value = "argocd")]
    pub argocd_namespace: String,
    /// A pod CIDR of the consumer; repeatable
    #[arg(long = "consumer-pod-cidr", value_name = "CIDR")]
    pub consumer_pod_cidrs: Vec<String>,
    /// A pod CIDR of the provider; repeatable
    #[arg(long = "provider-pod-cidr", value_name = "CIDR")]
    pub provider_pod_cidrs: Vec<String>,
    /// The consumer's external CIDR; default: Liqo's, 10.70.0.0/16
    #[arg(long, value_name = "CIDR")]
    pub consumer_external_cidr: Option<String>,
    /// The provider's external CIDR
    #[arg(long, value_name = "CIDR")]
    pub provider_external_cidr: Option<String>,
    /// The lowest Liqo on either cluster, such as 1.2
    #[arg(long, value_name = "VERSION")]
    pub liqo_version: Option<String>,
    /// How the provider's gateway is exposed; default: `NodePort`
    #[arg(long, value_name = "TYPE", value_parser = ["NodePort", "LoadBalancer"])]
    pub service_type: Option<String>,
    /// The address at which the consumer reaches the provider's gateway
    #[arg(long, value_name = "ADDRESS")]
    pub gateway_address: Option<String>,
    /// The node port of the provider's gateway; default: the first free one from 32750
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(30_000..=32_767))]
    pub node_port: Option<u16>,
    /// The user of a kubeconfig that you seal for the consumer; default: keys are exchanged from Liqo 1.2 on, before it the
    /// consumer's cluster ID
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// A namespace whose pods the consumer offloads; repeatable
    #[arg(long = "namespace", value_name = "NAME")]
    pub namespaces: Vec<String>,
    /// Make these namespaces, and delete them with the peering; otherwise they must exist
    #[arg(long, requires = "namespaces")]
    pub create_namespaces: bool,
    /// The CPUs that the consumer asks for; default: 4
    #[arg(long, value_name = "QUANTITY")]
    pub cpu: Option<String>,
    /// The memory that the consumer asks for; default: 8Gi
    #[arg(long, value_name = "QUANTITY")]
    pub memory: Option<String>,
    /// An ApplicationSet makes the Applications, so write none
    #[arg(long)]
    pub no_applications: bool,
    /// For which uses inside Argo CD; default projects: `peering-consumer=consumer` and `peering-provider=provider`.
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open the sealed seed.
    #[command(flatten)]
    pub recipients: RecipientFlags,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}

/// The helps of the flags for recipients, where each side can have its own.
const RECIPIENT: &str = "An age recipient of the seed; with `=SIDE`, a role or a cluster's ID, each side has its own seed; repeatable";
const RECIPIENTS: &str = "A file with a recipient on each line; `=SIDE` as above; repeatable";

/// The name of the schema in the folder above, where all peerings find it.
const SCHEMA: &str = "peering.schema.json";

pub(crate) fn init(arguments: &Init, streams: &mut Streams<'_>) -> Result {
    let folder = arguments.folder.as_path();
    folder::check_folder(arguments)?;
    parse_flag::<Namespace>("--argocd-namespace", &arguments.argocd_namespace)?;
    // this error comes before any question
    Receivers::new(&arguments.recipients.without_sides())?;
    let mut asker = Asker::new(arguments, streams);
    let mut uses = uses_of(arguments, &mut asker)?;
    let path = uses.paths.first().cloned().unwrap_or_default();
    let of_all = folder::folder_of_all(folder, &path);
    let branch = branch_of(arguments, &uses, &mut asker);
    let answers = Answers::new(arguments, of_all, &path, &mut asker)?;
    let guesses = asker.finish()?;
    // the URL as it is written: a server may not accept the normalised URL that terms are compared with
    let repo = uses.repos.first().cloned().unwrap_or_default();
    if uses.secret_namespaces.is_empty() {
        uses.secret_namespaces = answers.secret_namespaces();
    }
    let ids = answers.ids()?;
    let sealing = SealFlags {
        clusters: vec![format!("{},{}", ids.consumer, ids.provider)],
        uses,
        expect: arguments.expect.clone(),
        ..SealFlags::default()
    };
    let place = SeedPlace {
        folder,
        ids: &ids,
        sealing: &sealing,
    };
    let seeds = place.seeds(&arguments.recipients)?;
    let text = answers.document(&seeds.settings())?;
    let peering = rules::parse(&Source::new(DOCUMENT, &text))?;
    let sealed = new_seeds::seal(&seeds.list(), origin(arguments), streams)?;
    let mut files = vec![(DOCUMENT.to_owned(), text.into_bytes())];
    for (seed, bytes) in seeds.list().into_iter().zip(sealed) {
        files.push((seed.name.clone(), bytes));
    }
    if !arguments.no_applications {
        let source_of =
            |role| ApplicationSource::new(&seeds.side(role).terms, role, &repo, branch.as_deref());
        let argocd = &arguments.argocd_namespace;
        files.extend(applications(&peering, argocd, source_of)?);
    }
    folder::write(folder, &files, streams)?;
    folder::write_shared(of_all, streams);
    for seed in seeds.list() {
        streams.sealed(&seed.path);
    }
    streams.note_all(guesses.iter().map(|guess| format!("guessed: {guess}")));
    let rights = rights_command(of_all, &repo);
    streams.note(&next_steps(arguments, &peering, &seeds, rights));
    Ok(())
}

impl Init {
    /// The context of a cluster, if one is given.
    fn context(&self, role: Role) -> Option<&str> {
        match role {
            Role::Consumer => self.consumer_context.as_deref(),
            Role::Provider => self.provider_context.as_deref(),
        }
    }
}

/// The uses that the new seed is sealed for. Those that no flag sets are listed for the user.
fn uses_of(arguments: &Init, asker: &mut Asker<'_, '_>) -> Result<UseFlags> {
    let given = &arguments.uses;
    let mut uses = uses_at(given.clone().with_projects(), &arguments.folder)?;
    for term in [Term::Projects, Term::Repos, Term::Paths] {
        if !given.values(term).is_empty() {
            continue;
        }
        if term == Term::Repos && asker.interactive {
            for repo in &mut uses.repos {
                let usual = Suggestion::Guess(https_form(repo));
                *repo = asker.value(&questions::REPO, usual)?;
            }
            continue;
        }
        for value in uses.values(term) {
            asker.note_guess(term.flag(), value.clone());
        }
    }
    let mut repos = uses.repos.iter();
    if let Some((repo, why)) = repos.find_map(|repo| Some((repo, of_this_machine(repo)?))) {
        asker.streams.note(&format!(
            "note: Argo CD may not reach {}: {why}; set --repo to its URL",
            shown_name(repo)
        ));
    }
    Ok(uses)
}

/// The https form of a remote that git reads by ssh, without the port of ssh: most Argo CDs have that one.
fn https_form(remote: &str) -> String {
    let Uri {
        scheme, host, rest, ..
    } = Uri::split(remote);
    let path = rest.trim_start_matches([':', '/']);
    let is_ssh = scheme == Some("ssh") || rest.starts_with(':');
    if is_ssh && of_this_machine(remote).is_none() {
        format!("https://{host}/{path}")
    } else {
        remote.to_owned()
    }
}

/// The branch that the Applications use if no flag sets one.
fn branch_of(arguments: &Init, uses: &UseFlags, asker: &mut Asker<'_, '_>) -> Option<String> {
    let is_artifact = uses.repos.iter().any(|repo| repo.starts_with("oci://"));
    let checkout =
        Checkout::open(&arguments.folder).filter(|_| !is_artifact && !arguments.no_applications)?;
    let branch = checkout.usual_branch()?;
    if uses.revisions.is_empty() && branch != usual_revision("") {
        asker.note_guess("targetRevision", branch.clone());
    }
    Some(branch)
}

/// Why only this machine may know a remote. A host without a dot, in git's short form, can be an `insteadOf` or a host of `~/.ssh/config`.
/// The host of a URL can be a name inside a cluster.
fn of_this_machine(repo: &str) -> Option<&'static str> {
    let Uri { scheme, host, .. } = Uri::split(repo);
    if repo.starts_with(['/', '.', '~']) || repo.starts_with("file:") {
        return Some("it is a path of this machine");
    }
    let is_short = scheme.is_none() && !host.contains(['.', '*']);
    is_short.then_some("its host can be a local alias")
}

/// Whether flags set all terms of a new seed.
const fn origin(flags: &Init) -> Origin {
    let has_ids = flags.consumer_id.is_some() && flags.provider_id.is_some();
    if has_ids && !flags.uses.repos.is_empty() && !flags.uses.paths.is_empty() {
        Origin::Flags
    } else {
        Origin::Elsewhere
    }
}

fn next_steps(arguments: &Init, peering: &Peering, seeds: &Seeds, rights: String) -> String {
    let folder = shell_path(&arguments.folder);
    let contexts = Sides::make(|role| shell_word(arguments.context(role).unwrap_or("CONTEXT")));
    let [consumer_half, provider_half] = Role::BOTH.map(|half| {
        let context = &contexts[half];
        format!("argocd-peering authenticate {half} {folder} --from-context {context}")
    });
    let projects = Sides::make(|role| own_project(&seeds.side(role).terms, role));
    let credential = peering.credential(Role::Consumer);
    let is_exchanged = credential.is_some_and(Credential::is_of_cluster_id);
    let mut own = Role::BOTH.map(|role| projects[role]).into_iter();
    let own = own.find(|name| Role::BOTH.iter().all(|role| *name != usual_project(*role)));
    let mut steps = vec![
        format!("argocd-peering validate {folder}"),
        format!("argocd-peering generate {folder} --public --role consumer"),
        if is_exchanged {
            consumer_half
        } else {
            let recipients = seeds.side(Role::Consumer).recipients();
            seal_command(recipients, &contexts.provider, &folder, projects.consumer)
        },
        match own {
            None => rights,
            Some(own) => format!("{rights}, and give what it prints to {}", shown_name(own)),
        },
    ];
    steps.push(if arguments.no_applications {
        "commit the folder: the ApplicationSet makes its Applications".to_owned()
    } else {
        "commit the folder, and apply its Applications".to_owned()
    });
    if is_exchanged {
        steps.push(format!(
            "when the provider's Application is synced: {provider_half}"
        ));
        steps.push("commit again".to_owned());
    }
    format!("next:\n  {}", steps.join("\n  "))
}

/// The command that prints both AppProjects, with the kinds that the streams need.
pub(super) fn rights_command(all: &Path, repo: &str) -> String {
    format!(
        "argocd-peering rights {} --repo {}",
        shell_path(all),
        shell_word(repo)
    )
}

/// The command that creates and seals the consumer's credential, for the same recipients as the new folder's seed.
fn seal_command(recipients: &RecipientFlags, context: &str, folder: &str, project: &str) -> String {
    let mut to = String::new();
    for list in &recipients.recipients_files {
        to += &format!(" --recipients-file {}", shell_path(list));
    }
    for recipient in &recipients.recipients {
        to += &format!(" --recipient {recipient}");
    }
    let project = shell_word(&format!("{project}={}", Role::Consumer));
    format!(
        "argocd-peering seal kubeconfig --from-context {context} -o {folder}/kubeconfig.age --project {project}{}",
        readable(&to)
    )
}
