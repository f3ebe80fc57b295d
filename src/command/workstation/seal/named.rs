//! The document beside a new credential: where it still says `pending`, it names the file from now on.

use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::store;
use crate::diagnostic::Source;
use crate::input::file::shown_path;
use crate::input::folder::{DOCUMENT, Folder};
use crate::input::yaml::{self, Setting};
use crate::peering::values::Role;
use crate::rules;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A document, its source, and its text with the file's name in it.
pub(super) struct Naming {
    document: PathBuf,
    source: Source,
    text: String,
}

impl Naming {
    /// None if there is no sound document, if its credential is not pending, or if the other direction has one too: nothing then says
    /// which one this is.
    pub(super) fn of(sealed: &Path) -> Option<Self> {
        let folder = sealed.parent()?;
        let source = Folder::new(folder).read_document().ok()?;
        let peering = rules::read(&source).ok()?;
        let uses = |role| peering.directions.of(role).authentication.as_ref();
        let is_pending = uses(Role::Consumer).is_some_and(|it| it.credential.is_pending());
        if !is_pending || uses(Role::Provider).is_some() {
            return None;
        }
        let name = json!(sealed.file_name()?.to_str()?);
        let field = Setting::new("spec.authentication.credential.kubeconfig.file", name);
        let (text, _) = yaml::edit(source.text(), &[field], |_| false).ok()?;
        rules::read(&Source::new(source.name(), &text)).ok()?;
        Some(Self { document: folder.join(DOCUMENT), source, text })
    }

    /// Says what will be written, before anything is confirmed.
    pub(super) fn announce(&self, streams: &mut Streams<'_>) {
        let document = shown_path(&self.document);
        streams.note(&format!(
            "{document} will name the file in place of `pending` (--keep-document leaves it)"
        ));
    }

    pub(super) fn write(&self, streams: &mut Streams<'_>) -> Result<(), Error> {
        store::replace(&self.document, self.source.text().as_bytes(), self.text.as_bytes(), true)?;
        streams.note(&format!("wrote {}", shown_path(&self.document)));
        Ok(())
    }
}
