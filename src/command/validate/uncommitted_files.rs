//! Documents and sealed files that Git ignores, or that a filter changes on commit: they are right on this machine, and missing or
//! different in every commit.

use super::document::CommittedFile;
use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Code, Invalid, Problems, Rule, Severity, quoted};
use crate::state::repo::{Files, FoundDocument};

pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    if world.files.are_committed() {
        return;
    }
    for (number, document) in world.documents.iter().enumerate() {
        let Some(source) = document.source() else {
            continue;
        };
        let problems = problems_of(document, &world.files);
        if !problems.is_empty() {
            let source = source.clone();
            judgement.add(Some(number), Invalid { problems, source });
        }
    }
}

fn problems_of(document: &FoundDocument, files: &Files) -> Problems {
    let mut problems = Problems::default();
    for CommittedFile { path, name, span } in document.committed_files() {
        let shown = quoted(name);
        if let Some(line) = files.ignoring_line(&path) {
            let message = format!("{shown} is not committed: {line} ignores it");
            let help = "run `git add -f`, or remove that line";
            problems.add(Code::IgnoredFile, span, message, help);
        }
        // (argo-cd `util/git/client.go`, IsLFSEnabled)
        if files.is_filtered(&path) {
            let message =
                format!("Git commits {shown} through a filter: Argo CD gets the filter's output");
            let help = format!(
                "add `{name} -filter` last in .gitattributes, `git add --renormalize {name}`, commit; or `enableLfs: \"true\"` (Git LFS) in the repository Secret"
            );
            let rule = Rule::new(Code::IgnoredFile, message).help(help);
            problems.push(rule.mark(span).level(Severity::Note));
        }
    }
    problems
}
