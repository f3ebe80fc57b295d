//! The files of a peering's folder, beside the document: secrets in clear, and sealed files that nothing uses.

use crate::diagnostic::secrecy::plaintexts;
use crate::diagnostic::{Code, Invalid, Paths, Problems, Severity, Source, Span, quoted};
use crate::input::file::{self, Links};
use crate::input::folder::DOCUMENT;
use crate::peering::{Peering, Role};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How much of a file is looked at, and how many files of a folder: a peering has five small ones.
const BEGINNING: u64 = 1 << 20;
const FILES_MAX: usize = 1_000;

/// The first line of an age file (C2SP `age.md`), and of one in ASCII armor.
const AGE: [&str; 2] = ["age-encryption.org/v1", "-----BEGIN AGE ENCRYPTED FILE-----"];

/// What is wrong with the files of a document's folder. Without a peering, because the document cannot be read, no file is known to
/// be unused.
pub(super) fn check(folder: &Path, peering: Option<&Peering>) -> Vec<Invalid> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let mut found = Vec::new();
    for path in &files {
        // what cannot be read is not in the repository either, or is reported as a sealed file
        let Ok(bytes) = file::read_beginning(path, BEGINNING, Links::Refuse) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        found.extend(in_clear(path, &text));
        let is_sealed = AGE.iter().any(|first| text.starts_with(first));
        let is_here = path.parent() == Some(folder);
        found.extend(peering.filter(|_| is_sealed && is_here).and_then(|peering| note_unused(path, peering)));
    }
    if files.len() > FILES_MAX {
        let message = format!(
            "the folder has more than {FILES_MAX} files: only the first were looked at for secrets in clear"
        );
        let help = "a peering's folder has the document, its sealed files and its Applications; move the rest elsewhere";
        let mut problems = Problems::default();
        problems.refuse(Code::UnusedFile, Span::default(), message, help);
        found.push(invalid(Severity::Note, &folder.join(DOCUMENT), String::new(), problems));
    }
    found
}

/// The regular files of a folder and of those below it that are no peering's own, one more than are looked at. Hidden files too:
/// a commit has them.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut entries: Vec<_> = entries.map(|entry| (entry.path(), entry.file_type())).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (path, kind) in entries {
        if files.len() > FILES_MAX {
            return;
        }
        let Ok(kind) = kind else { continue };
        if kind.is_file() {
            files.push(path);
        } else if kind.is_dir() && path.file_name() != Some(".git".as_ref()) && !path.join(DOCUMENT).exists()
        {
            collect(&path, files);
        }
    }
}

/// The secrets in clear of a file. Of its text the report has the lines' numbers only.
fn in_clear(path: &Path, text: &str) -> Option<Invalid> {
    let mut problems = Problems::default();
    let mut lines = String::new();
    let mut line = 0;
    // lines are counted once: each find goes on where the one before it was
    let (mut counted, mut number) = (0, 0);
    for (place, kind) in plaintexts(text) {
        number += text.get(counted..place).unwrap_or_default().matches('\n').count();
        counted = place;
        // several of one line are one place
        if number < line {
            continue;
        }
        lines.extend(std::iter::repeat_n('\n', number + 1 - line));
        line = number + 1;
        let at = Span { start: number, end: number };
        let message = format!("this line is {} in clear", kind.words());
        let help = "replace the secret itself, because Git keeps it after the file is removed; keep the new one outside of the checkout";
        problems.refuse(Code::PlaintextSecret, at, message, help);
    }
    (!problems.is_empty()).then(|| invalid(Severity::Error, path, lines, problems))
}

/// A sealed file that the document does not name.
fn note_unused(path: &Path, peering: &Peering) -> Option<Invalid> {
    let name = path.file_name()?.to_str()?;
    let credentials = Role::BOTH.map(|role| peering.credential(role));
    let sealed = credentials.iter().flatten().filter_map(|it| it.sealed()).map(|it| it.file().as_str());
    let seeds = Role::BOTH.into_iter().filter_map(|role| peering.seed_of(role)).map(|it| it.as_str());
    let used: BTreeSet<&str> = sealed.chain(seeds).collect();
    if used.contains(name) {
        return None;
    }
    let is_pending = credentials.iter().flatten().any(|it| it.is_pending());
    let (message, help) = if is_pending {
        let message = format!("{} is here, and `credential` is still `pending`", quoted(name));
        (
            message,
            format!(
                "if it is the sealed kubeconfig, write `credential: {{ kubeconfig: {{ file: {name} }} }}`"
            ),
        )
    } else {
        (
            format!("no field names the sealed file {}", quoted(name)),
            "name it in peering.yaml, or remove it".to_owned(),
        )
    };
    let mut problems = Problems::default();
    problems.refuse(Code::UnusedFile, Span::default(), message, help);
    Some(invalid(Severity::Note, path, String::new(), problems))
}

fn invalid(severity: Severity, path: &Path, text: String, problems: Problems) -> Invalid {
    let source = Source::new(&path.display().to_string(), text);
    Invalid { severity, problems, source, paths: Paths::default() }
}
