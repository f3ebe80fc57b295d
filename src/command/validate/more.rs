//! What a person asks `validate` for at a workstation: another state, an identity, Liqo's values, and corrections.

use super::beside::Beside;
use super::checked::Wrong;
use super::{Begun, opening};
use crate::command::workstation::{committed, fix, refuse_revisions};
use crate::command::{Error, Result, Streams};
use crate::judge::applications::{Place, Reports};
use crate::judge::{Judge, installed_liqo, judges, parts, run};
use crate::state::liqo_values::Values;
use crate::state::repo::{Commit, Files, documents};
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct More {
    /// An age identity file: whether Argo CD will open the sealed files where they are, and whether their credentials still work
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The Helm values of a cluster's Liqo, or what installs it, such as an Application: its ID and networks are compared; repeatable, a later file of a cluster overrides
    #[arg(long, value_name = "CLUSTER=FILE")]
    pub liqo_values: Vec<String>,
    /// As this Git revision has them, but what Applications name outside of these paths is looked up on the disk; default: the
    /// files as they are now
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["identity_file", "fix"])]
    pub from: Option<String>,
    /// Apply the suggested corrections to a document if that makes it valid; otherwise change nothing
    #[arg(long)]
    pub fix: bool,
    /// Fix documents with changes that are not committed, too
    #[arg(long, requires = "fix")]
    pub allow_dirty: bool,
}

/// What is looked at for it.
pub(super) struct Asked<'s> {
    terms: Option<opening::Asked<'s>>,
    values: installed_liqo::Judgement,
}

parts! { Asked<'s>:
    opening::Asked<'s> = "an identity", it => it.terms.as_ref();
    installed_liqo::Judgement = "Liqo's values", it => Some(&it.values);
}

pub(super) fn judges<'s>() -> [Judge<Asked<'s>, Wrong>; 2] {
    judges! {
        "term" = opening::check: opening::Asked<'s>;
        "liqo-values" = of_values: installed_liqo::Judgement;
    }
}

/// What contradicts the values. A document's network that Liqo remaps is a line.
fn of_values(it: &installed_liqo::Judgement) -> Vec<Wrong> {
    let lines = it.remapped.iter().map(|line| Wrong::Line(format!("note: {line}")));
    lines.chain(it.found.iter().cloned().map(Wrong::from)).collect()
}

impl More {
    /// Corrects the documents of the paths, or reads a revision, if that is asked for. Standard input has neither.
    pub(super) fn begin(
        &self,
        paths: &[PathBuf],
        is_input: bool,
        streams: &mut Streams<'_>,
    ) -> Result<Begun> {
        for (flag, is_given, reason) in [
            (
                "--identity-file",
                self.identity_file.is_some(),
                "the folder of standard input, with its sealed files, is not known: name the file",
            ),
            ("--fix", self.fix, "standard input cannot be written to: name the file"),
            ("--from", self.from.is_some(), "a revision has no standard input: name the file"),
        ] {
            if is_input && is_given {
                return Err(Error::flag(flag, reason));
            }
        }
        if self.fix {
            fix::fix(self.allow_dirty, &documents(paths)?, streams)?;
        }
        let Some(revision) = &self.from else {
            return refuse_revisions("PATH", paths).map(|()| None);
        };
        let (mut repo, commits) = committed(paths, revision)?;
        let roots: BTreeSet<_> = commits.iter().map(Commit::root).collect();
        let mut roots = roots.into_iter();
        let (Some((root, prefix)), None) = (roots.next(), roots.next()) else {
            return Err(Error::flag("--from", "the paths are of several checkouts: validate each alone"));
        };
        repo.files = Files::below(root, prefix).in_commits(commits.iter().map(Commit::there).collect());
        let beside = Beside::committed(&commits, &mut repo)?;
        Ok(Some((repo, Some(beside))))
    }

    /// Whether sealed files are opened.
    pub(super) const fn opens(&self) -> bool {
        self.identity_file.is_some()
    }

    /// What is wrong with these places of so many documents, of which Argo CD has these reports.
    pub(super) fn judge(&self, places: &[Place], documents: usize, reports: &Reports) -> Result<Vec<Wrong>> {
        let identity = self.identity_file.as_deref();
        let terms = identity.map(|identity_file| opening::Asked { identity_file, places, reports });
        let values = Values::of_flags(&self.liqo_values)?;
        let values = installed_liqo::check(&values, places, places.len() == documents)?;
        Ok(run(&judges(), &Asked { terms, values })?.0)
    }
}
