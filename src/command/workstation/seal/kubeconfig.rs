//! `seal kubeconfig`: seals a given kubeconfig, or one that is created at the provider, into a new file or in place of an old one.

use super::issue::Issue;
use super::{SealKubeconfig, read_input};
use crate::command::workstation::confirmation::NewFile;
use crate::command::workstation::kubeconfig_report::{self, CredentialReport};
use crate::command::{Result, Streams};
use crate::custody::{self, Confirmed, Opened, PayloadKind, store};
use crate::diagnostic::Source;
use crate::input::file::{named, shown_path, utf8};
use crate::input::folder::{DOCUMENT, Folder};
use crate::input::yaml::{self, Setting};
use crate::peering::authentication::credential::kubeconfig::{Kubeconfig, KubeconfigProblem};
use crate::peering::values::Role;
use crate::rules;
use serde_json::json;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The largest kubeconfig: half of what can be opened again, since sealing and armor make it larger.
const CAP: u64 = PayloadKind::Kubeconfig.cap() / 2;

pub(crate) fn seal(arguments: &SealKubeconfig, streams: &mut Streams<'_>) -> Result {
    match (&arguments.file, &arguments.issue.from_context) {
        (Some(file), _) => seal_file(arguments, file, streams),
        (None, Some(context)) => issue_and_seal(arguments, context, streams),
        (None, None) => seal_file(arguments, Path::new("-"), streams),
    }
}

fn seal_file(arguments: &SealKubeconfig, path: &Path, streams: &mut Streams<'_>) -> Result {
    let bytes = Zeroizing::new(read_input(path, CAP)?);
    let secret = Zeroizing::new(utf8(&bytes).map_err(named(path))?.to_owned());
    show_credential(arguments, &secret, &path.display().to_string(), streams)?;
    let old = load_replaced(arguments)?;
    let new = new_file(arguments, old.as_ref())?;
    Naming::announce(&arguments.output, streams);
    let confirmed = new.confirm(streams)?;
    write_kubeconfig(
        arguments,
        (&secret, path),
        &confirmed,
        old.as_ref(),
        streams,
    )
}

fn issue_and_seal(arguments: &SealKubeconfig, context: &str, streams: &mut Streams<'_>) -> Result {
    let output = arguments.output.as_path();
    if arguments.replace {
        store::check_folder(output)?;
    } else {
        store::check_new(output)?;
    }
    let old = load_replaced(arguments)?;
    let new = new_file(arguments, old.as_ref())?;
    let issue = Issue::plan(arguments, context, streams)?;
    Naming::announce(output, streams);
    let confirmed = new.with_steps(issue.lines()).confirm(streams)?;
    issue.carry_out(streams, |secret, streams| {
        let from = format!("context {context}");
        show_credential(arguments, &secret, &from, streams)?;
        let secret = (&secret, Path::new(&from));
        write_kubeconfig(arguments, secret, &confirmed, old.as_ref(), streams)
    })
}

/// Shows whose credential it is, and refuses one that does not work.
fn show_credential(
    arguments: &SealKubeconfig,
    secret: &str,
    from: &str,
    streams: &mut Streams<'_>,
) -> Result {
    let wrong = |problem| custody::Error::Kubeconfig {
        name: from.to_owned(),
        problem,
    };
    let kubeconfig = Kubeconfig::parse(secret).map_err(wrong)?;
    if kubeconfig.is_insecure() && !arguments.insecure_skip_tls_verify {
        return Err(wrong(KubeconfigProblem::Insecure).into());
    }
    store::check_folder(&arguments.output)?;
    for problem in kubeconfig_report::unusable(&kubeconfig, &arguments.output) {
        let is_allowed = match problem {
            KubeconfigProblem::Expired(_)
            | KubeconfigProblem::Minutes(_)
            | KubeconfigProblem::NotYet(_)
            | KubeconfigProblem::Authority(_) => arguments.allow_expired,
            KubeconfigProblem::Pair => false,
            _ => arguments.allow_other_user,
        };
        if !is_allowed {
            return Err(wrong(problem).into());
        }
    }
    streams.note_all(CredentialReport::new(&kubeconfig, &arguments.output).lines());
    Ok(())
}

/// The content of the file to replace.
fn load_replaced(arguments: &SealKubeconfig) -> Result<Option<Opened>> {
    if !arguments.replace {
        return Ok(None);
    }
    let opened = Opened::load(&arguments.output, &arguments.identity.identities()?)?;
    let payload = opened.payload.of_kind(PayloadKind::Kubeconfig);
    let name = arguments.output.display();
    let payload = payload.map_err(custody::Error::of_payload(&name))?;
    Ok(Some(Opened { payload, ..opened }))
}

/// The new file, on the terms of the old one.
fn new_file<'a>(arguments: &'a SealKubeconfig, old: Option<&Opened>) -> Result<NewFile<'a>> {
    let old = old.map(|old| &old.payload);
    NewFile::new(&arguments.seal, &arguments.output, old)
}

fn write_kubeconfig(
    arguments: &SealKubeconfig,
    (secret, from): (&Zeroizing<String>, &Path),
    confirmed: &Confirmed,
    old: Option<&Opened>,
    streams: &mut Streams<'_>,
) -> Result {
    let output = arguments.output.as_path();
    let sealed = custody::seal(PayloadKind::Kubeconfig, secret, confirmed, from)?;
    if let Some(old) = old {
        store::replace(output, &old.sealed, &sealed, false)?;
        streams.sealed(output);
        let is_token = Kubeconfig::parse(secret).is_ok_and(|it| it.holder().by == "token");
        streams.note(match old.payload.secret == *secret {
            true if is_token => "note: nothing was renewed: for another token, delete the ServiceAccount's Secret, sync, and seal again",
            true => "note: nothing was renewed: `--from-context CONTEXT` makes a new credential",
            false => "note: Git's history keeps the old credential: revoke it after the next sync",
        });
    } else {
        store::create(output, &sealed)?;
        streams.sealed(output);
    }
    if let Some(naming) = Naming::from_path(output) {
        let (old, new) = (naming.source.text().as_bytes(), naming.text.as_bytes());
        store::replace(&naming.document, old, new, true)?;
        streams.note(&format!("wrote {}", shown_path(&naming.document)));
    }
    Ok(())
}

/// A document, its source, and its text with the name of the sealed file.
struct Naming {
    document: PathBuf,
    source: Source,
    text: String,
}

impl Naming {
    /// The edit; `None` if there is no valid document, if its credential is not pending, or if the other direction has a credential too:
    /// then it is not known which one this file is.
    fn from_path(sealed: &Path) -> Option<Self> {
        let folder = sealed.parent()?;
        let source = Folder::new(folder).read_document().ok()?;
        let peering = rules::parse(&source).ok()?;
        let [own, reverse] = Role::BOTH.map(|role| peering.authentication(role));
        if !own.is_some_and(|it| it.credential.is_pending()) || reverse.is_some() {
            return None;
        }
        let name = json!(sealed.file_name()?.to_str()?);
        let field = Setting::new("spec.authentication.credential.kubeconfig.file", name);
        let text = yaml::edit(source.text(), &[field])?;
        rules::parse(&Source::new(source.name(), &text)).ok()?;
        Some(Self {
            document: folder.join(DOCUMENT),
            source,
            text,
        })
    }

    /// Announces what will be written, before the confirmation.
    fn announce(sealed: &Path, streams: &mut Streams<'_>) {
        if let Some(naming) = Self::from_path(sealed) {
            let document = shown_path(&naming.document);
            streams.note(&format!(
                "{document} will name the file instead of `pending`"
            ));
        }
    }
}
