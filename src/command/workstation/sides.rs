//! The recipients of a file that is sealed again. If each side has its own seed, the Argo CD of one side must not be able to open the
//! other side's files (docs/custody.md).

use super::flags::SealFlags;
use super::kubeconfig_report::{only_role, sealed_file_of};
use super::terms_to_seal::clusters_of;
use crate::command::{Error, Result};
use crate::diagnostic::shown_name;
use crate::input::file::{folder_of, shown_path};
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::values::Role;
use crate::rules;
use std::path::Path;

/// As [`flags_of_side`], with the document beside the file.
pub(super) fn flags_of_file(flags: &SealFlags, file: &Path) -> Result<SealFlags> {
    let source = Folder::new(folder_of(file)).read_document().ok();
    let peering = source.map(|source| rules::parse(&source)).transpose()?;
    flags_of_side(flags, peering.as_ref(), file)
}

/// The flags for a file, with the recipients of its side. One list for both sides would give each side the other one's key, so it is
/// refused.
pub(super) fn flags_of_side(
    flags: &SealFlags,
    peering: Option<&Peering>,
    file: &Path,
) -> Result<SealFlags> {
    let recipients = &flags.recipients;
    let own = peering.and_then(|it| Some((it, role_of(it, file)?)));
    let reason = match own {
        Some((peering, role)) if recipients.differ() => {
            let recipients = recipients.of_role(&clusters_of(peering), role)?;
            return Ok(SealFlags {
                recipients,
                ..flags.clone()
            });
        }
        None if recipients.differ() => "is not of one side: leave out `=SIDE`".to_owned(),
        Some((peering, role)) if has_two_seeds(peering) => {
            let own = shown_name(peering.clusters[role].id.as_str());
            format!(
                "is for {own} alone: write `=SIDE` after each side's recipients or files, such as `age1…={own}`"
            )
        }
        _ => return Ok(flags.clone()),
    };
    let reason = format!("{} {reason}", shown_path(file));
    Err(Error::flag("--recipient", reason))
}

/// The only side for which a document names a file.
fn role_of(peering: &Peering, file: &Path) -> Option<Role> {
    let name = file.file_name()?.to_str()?;
    only_role(|role| {
        let files = [sealed_file_of(peering, role), seed_file(peering, role)];
        files.contains(&Some(name))
    })
}

fn seed_file(peering: &Peering, role: Role) -> Option<&str> {
    Some(peering.seed_of(role)?.as_str())
}

fn has_two_seeds(peering: &Peering) -> bool {
    let [consumer, provider] = Role::BOTH.map(|role| seed_file(peering, role));
    consumer.is_some() && provider.is_some() && consumer != provider
}
