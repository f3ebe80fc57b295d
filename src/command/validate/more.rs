//! What a person asks `validate` for at a workstation: another state, an identity, Liqo's values, and corrections.

use super::beside::Beside;
use super::checked::Wrong;
use super::{Read, Validate, opening, read};
use crate::command::workstation::{committed, fix, refuse_revisions};
use crate::command::{Error, Result, Streams};
use crate::judge::{Judge, installed_liqo, judges, parts, run};
use crate::state::liqo_values::Values;
use crate::state::repo::{Commit, Files, documents};
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;

// its help has the text and the example of what is flattened
#[derive(Debug, Args)]
pub struct ValidateMore {
    #[command(flatten)]
    pub plain: Validate,
    /// An age identity file: whether Argo CD will open the sealed files where they are, and whether their credentials still work
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The Helm values of a cluster's Liqo, or what installs it, such as an Application: its ID and networks are compared; repeatable, a later file of a cluster overrides
    #[arg(long, value_name = "CLUSTER=FILE")]
    pub liqo_values: Vec<String>,
    /// As this Git revision has them; default: the files as they are now
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

pub(crate) fn validate_more(arguments: &ValidateMore, streams: &mut Streams<'_>) -> Result {
    let ValidateMore { plain, identity_file, liqo_values, from, fix, allow_dirty } = arguments;
    for (flag, is_given, reason) in [
        (
            "--identity-file",
            identity_file.is_some(),
            "the folder of standard input, with its sealed files, is not known: name the file",
        ),
        ("--fix", *fix, "standard input cannot be written to: name the file"),
        ("--from", from.is_some(), "a revision has no standard input: name the file"),
    ] {
        if plain.is_input() && is_given {
            return Err(Error::flag(flag, reason));
        }
    }
    if *fix {
        fix::fix(*allow_dirty, &documents(&plain.paths)?, streams)?;
    }
    let read = if let Some(revision) = from {
        read_commit(&plain.paths, revision)?
    } else {
        refuse_revisions("PATH", &plain.paths)?;
        read(plain, streams)?
    };
    let identity_file = identity_file.as_deref();
    super::judge(
        plain,
        read,
        identity_file.is_some(),
        &|places, documents, reports| {
            let terms = identity_file.map(|identity_file| opening::Asked { identity_file, places, reports });
            let values = Values::of_flags(liqo_values)?;
            let values = installed_liqo::check(&values, places, places.len() == documents)?;
            Ok(run(&judges(), &Asked { terms, values })?.0)
        },
        streams,
    )
}

fn read_commit(paths: &[PathBuf], revision: &str) -> Result<Read> {
    let (mut repo, commits) = committed(paths, revision)?;
    let roots: BTreeSet<_> = commits.iter().map(Commit::root).collect();
    let mut roots = roots.into_iter();
    let (Some((root, prefix)), None) = (roots.next(), roots.next()) else {
        return Err(Error::flag("--from", "the paths are of several checkouts: validate each alone"));
    };
    let there = commits.first().map(Commit::there).transpose()?.unwrap_or_default();
    repo.files = Files::below(root, prefix).in_commit(there);
    let beside = Beside::committed(&commits, &mut repo)?;
    Ok((repo, Some(beside)))
}
