//! The way from an Application to a document.

use super::{File, Findings, Place};
use crate::argocd::application::Application;
use crate::diagnostic::{Code, Rule, quoted, shown_name};
use crate::input::folder::{DOCUMENT, NEARLY};
use std::collections::BTreeMap;
use std::path::Path;

/// The documents by the ends of their folders' paths, of which the longest is the path itself: an Application is not compared with
/// each of thousands of them.
pub(super) struct Ways<'p>(BTreeMap<&'p Path, &'p Place>);

impl<'p> Ways<'p> {
    pub(super) fn to(places: &'p [Place]) -> Self {
        let mut ends = BTreeMap::new();
        for place in places {
            let mut components = place.folder.components();
            loop {
                let end = components.as_path();
                if components.next().is_none() {
                    break;
                }
                ends.entry(end).or_insert(place);
            }
        }
        Self(ends)
    }

    fn find(&self, end: &Path) -> Option<&'p Place> {
        self.0.get(end).copied()
    }

    /// The document that an Application's path leads to, or that it is beside.
    pub(super) fn lead(
        &self,
        file: &File,
        application: &Application,
        findings: &mut Findings,
    ) -> Option<&'p Place> {
        let beside = self.find(&file.folder);
        let Some(path) = &application.path else {
            let rule = Rule::new(Code::Application, "its source has no `path`");
            findings.errors.push(
                rule.help(
                    "write the folder of peering.yaml, as it is called from the root of the repository",
                )
                .at(application.plugin.span),
            );
            return beside;
        };
        let written = path.value.trim_start_matches("./").trim_end_matches('/');
        let written = if written == "." { "" } else { written };
        let Some(root) = &file.root else {
            return beside.or_else(|| self.find(Path::new(written)));
        };
        let folder = root.join(written);
        if let Some(place) = self.find(&folder) {
            return Some(place);
        }
        // outside of what is checked, or not readable, which is reported
        if [DOCUMENT].into_iter().chain(NEARLY).any(|name| folder.join(name).is_file()) {
            return None;
        }
        if let Some(place) = beside {
            let here = place.folder.strip_prefix(root).unwrap_or(&place.folder).display().to_string();
            let message =
                format!("its `path` is {}, and this folder is `{}`", quoted(&path.value), shown_name(&here));
            let help = format!(
                "write `path: {}`, and seal the folder's files again for it: `argocd-peering reseal --path {}`; they open only in the folder that their terms name",
                shown_name(&here),
                shown_name(&here)
            );
            findings.errors.push(Rule::new(Code::Application, message).help(help).at(path.span));
        } else {
            let message = format!("no peering.yaml is at its `path` {}", quoted(&path.value));
            let help = "correct the path, unless `repoURL` is another repository than this one";
            findings.notes.push(Rule::new(Code::ApplicationSetting, message).help(help).at(path.span));
        }
        beside
    }
}
