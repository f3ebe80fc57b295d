//! The program's sources.

use super::tree::Tree;
use std::collections::BTreeSet;

/// A file of this many lines of code or more does more than one thing.
const TOO_LONG: usize = 400;

/// The most lines of code in `src`. This number may only go down: lower it with each change that makes `src` smaller.
const TOTAL: usize = 35_208;

/// Files that are too long, and must get shorter.
const LONG: [&str; 0] = [];

/// Names that say nothing of what a module is for.
const NOTHING: [&str; 10] = [
    "util", "utils", "common", "helper", "helpers", "manager", "managers", "misc", "shared",
    "stuff",
];

/// What a program that prints manifests must not do: panic, or print by the way.
const LINTS: &str = "unwrap_used expect_used panic indexing_slicing todo unimplemented dbg_macro print_stdout \
     print_stderr";

/// The commands that a person runs.
const WORKSTATION: &str = "src/command/workstation/";

pub(super) fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts()
        .filter(|(path, _)| path.starts_with("src/") && path.ends_with(".rs"))
}

/// The lines of a file with their numbers, less those of its test modules.
pub(super) fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut kept = Vec::new();
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    while let Some((number, line)) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push((number, line));
            continue;
        }
        // other attributes, and then `mod tests;` or a module up to its closing brace
        let item = lines
            .by_ref()
            .find(|(_, line)| !line.trim_start().starts_with("#["));
        if item.is_some_and(|(_, line)| line.ends_with('{')) {
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            lines.by_ref().find(|(_, line)| *line == end);
        }
    }
    kept
}

/// The module is only compiled for tests: `foo/tests.rs`.
pub(super) fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// What is wrong with lines of these files, each with its place.
fn complaints(
    tree: &Tree,
    is_meant: impl Fn(&str) -> bool,
    complaint: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in sources(tree).filter(|(path, _)| is_meant(path) && !is_test(path)) {
        for (number, line) in lines(text) {
            problems.extend(complaint(line).map(|it| format!("{path}:{number}: {it}")));
        }
    }
    problems
}

fn has_one(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

/// The lines of code of a file: not blank, no comment, no documentation, no test.
fn code_lines(text: &str) -> usize {
    let mut in_comment = false;
    let mut count = 0;
    for (_, line) in lines(text) {
        let line = line.trim();
        in_comment |= line.starts_with("/*");
        let is_code = !in_comment && !line.is_empty() && !line.starts_with("//");
        count += usize::from(is_code);
        in_comment &= !line.contains("*/");
    }
    count
}

/// The files of the program with their lines of code.
fn sizes(tree: &Tree) -> impl Iterator<Item = (&str, usize)> {
    sources(tree)
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| (path, code_lines(text)))
}

pub(crate) fn lengths(tree: &Tree) -> Vec<String> {
    sizes(tree)
        .filter(|(path, length)| *length >= TOO_LONG && !LONG.contains(path))
        .map(|(path, length)| {
            format!("{path} has {length} lines of code: what of it is a noun or a step of its own?")
        })
        .collect()
}

pub(crate) fn total(tree: &Tree) -> Vec<String> {
    let total: usize = sizes(tree).map(|(_, length)| length).sum();
    if total <= TOTAL {
        return Vec::new();
    }
    vec![format!(
        "src has {total} lines of code, and TOTAL in tests/spec/house/sources.rs is {TOTAL}. TOTAL may only go down: \
         make something smaller by {} lines",
        total - TOTAL
    )]
}

pub(crate) fn lints(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let manifest = tree.text("Cargo.toml").unwrap_or_default();
    let set = |lint: &str, levels: &[&str]| {
        levels.iter().any(|level| {
            manifest
                .lines()
                .any(|line| line == format!("{lint} = \"{level}\""))
        })
    };
    for lint in LINTS.split(' ') {
        if !set(lint, &["warn", "deny", "forbid"]) {
            problems.push(format!("Cargo.toml does not set clippy's {lint}"));
        }
    }
    if !set("unsafe_code", &["forbid"]) {
        problems.push("Cargo.toml does not forbid unsafe_code".to_owned());
    }
    // a warning stops nobody
    let run = tree.text(".ci/run").unwrap_or_default();
    if !run.contains("cargo clippy --all-targets --locked -- -D warnings") {
        problems.push(".ci/run does not run clippy on everything with -D warnings".to_owned());
    }
    let off = |line: &str| {
        LINTS
            .split(' ')
            .find(|lint| line.contains(&format!("clippy::{lint}")))
    };
    problems.extend(complaints(
        tree,
        |_| true,
        |line| Some(format!("{} is switched off", off(line)?)),
    ));
    problems
}

/// The one file that runs programs, which a person named by their `PATH`. It is not in the image.
const PROGRAMS: &str = "src/state/program.rs";

/// Whoever pushes to a repository must not run anything on the machine of whoever uses it.
pub(crate) fn programs(tree: &Tree) -> Vec<String> {
    let runs = |line: &str| has_one(line, &["Command::new", "process::Command", "CommandExt"]);
    complaints(
        tree,
        |path| path != PROGRAMS,
        |line| runs(line).then(|| "runs a program".to_owned()),
    )
}

/// The one place from which git is run.
const GIT: &str = "src/state/git";

/// The commands of git 2.53 that a program could call (`git help -a`).
const GIT_COMMANDS: &str = "add am annotate apply archive bisect blame branch bundle cat-file check-attr \
     check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit \
     commit-graph commit-tree config count-objects credential daemon describe diff diff-files diff-index diff-tree \
     difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo \
     format-patch fsck gc get-tar-commit-id grep hash-object hook index-pack init interpret-trailers log ls-files \
     ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool \
     mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff \
     read-tree rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm \
     send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace \
     submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var \
     verify-commit verify-pack verify-tag whatchanged worktree write-tree";

/// SECURITY.md has the commands of git that are run, no more and no fewer.
pub(crate) fn git_commands(tree: &Tree) -> Vec<String> {
    let quoted = |line: &str, quote: char| -> Vec<String> {
        let words = line.split(quote).skip(1).step_by(2);
        words
            .filter(|word| GIT_COMMANDS.split(' ').any(|command| command == *word))
            .map(str::to_owned)
            .collect()
    };
    let code = sources(tree).filter(|(path, _)| path.starts_with(GIT));
    let code = code.flat_map(|(_, text)| lines(text));
    let run: BTreeSet<_> = code
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .flat_map(|(_, line)| quoted(line, '"'))
        .collect();
    let page = tree.text("SECURITY.md").unwrap_or_default();
    let told: BTreeSet<_> = page.lines().flat_map(|line| quoted(line, '`')).collect();
    run.symmetric_difference(&told)
        .map(|name| format!("SECURITY.md and {GIT} differ in `git {name}`"))
        .collect()
}

pub(crate) fn clocks(tree: &Tree) -> Vec<String> {
    let reads = |line: &str| {
        has_one(
            line,
            &["SystemTime", "Instant", "rustix::time", "UNIX_EPOCH"],
        )
    };
    let is_meant = |path: &str| !path.starts_with(WORKSTATION) && path != PROGRAMS;
    complaints(tree, is_meant, |line| {
        reads(line).then(|| "reads a clock".to_owned())
    })
}

/// Judges get what they look at: they read nothing themselves.
const JUDGES: [&str; 6] = [
    "src/judge",
    "src/command/validate/contradictions.rs",
    "src/command/validate/copies.rs",
    "src/command/validate/uncommitted_files.rs",
    "src/command/validate/unused_files.rs",
    "src/command/validate/judges.rs",
];

const READS: &str = "std::fs canonicalize .is_file() .is_symlink() .exists() read_dir read_link \
     metadata() Folder::new Git::";

pub(crate) fn judges(tree: &Tree) -> Vec<String> {
    let is_judge = |path: &str| JUDGES.iter().any(|it| path.starts_with(it));
    let words: Vec<&str> = READS.split(' ').collect();
    complaints(tree, is_judge, |line| {
        has_one(line, &words)
            .then(|| format!("a judge reads what it is not given: {}", line.trim()))
    })
}

/// Where Liqo's keys are written: labels, annotations and taints; and who waits for which finalizer.
const KEYS: [&str; 2] = [
    "src/peering/names.rs",
    "src/command/workstation/doctor/deletion.rs",
];

pub(crate) fn keys(tree: &Tree) -> Vec<String> {
    let is_key = |text: &&str| {
        let is_plain = text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || "-./".contains(it));
        let name = text.split_once("liqo.io/").map_or("", |(_, name)| name);
        is_plain && !name.is_empty() && !name.starts_with("v1")
    };
    let key = |line: &str| {
        line.split('"')
            .skip(1)
            .step_by(2)
            .find(is_key)
            .map(ToOwned::to_owned)
    };
    let is_meant = |path: &str| !KEYS.contains(&path);
    complaints(tree, is_meant, |line| {
        Some(format!("`{}` belongs to {}", key(line)?, KEYS[0]))
    })
}

pub(crate) fn modules(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".rs")) {
        let mut parts = path.trim_end_matches(".rs").split('/');
        if parts.any(|part| NOTHING.contains(&part)) {
            problems.push(format!("{path}: a name that does not say what it is for"));
        }
        for line in text.lines() {
            let words: Vec<_> = line
                .split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
                .collect();
            let module = words.iter().skip_while(|word| **word != "mod").nth(1);
            let declares =
                line.trim_start().starts_with("mod ") || line.trim_start().starts_with("pub");
            if let Some(name) = module.filter(|name| declares && NOTHING.contains(name)) {
                problems.push(format!(
                    "{path}: mod {name}: a name that does not say what it is for"
                ));
            }
        }
    }
    problems
}

/// A file that no `mod` names is not compiled, and the compiler says nothing of it.
pub(crate) fn strays(tree: &Tree) -> Vec<String> {
    let manifest = tree.text("Cargo.toml").unwrap_or_default();
    let mut problems = Vec::new();
    for (path, _) in tree.texts() {
        let Some(module) = path.strip_suffix(".rs") else {
            continue;
        };
        let is_meant = path.starts_with("src/") || path.starts_with("tests/spec/");
        let is_root = path == SPEC || manifest.contains(&format!("path = \"{path}\""));
        if !is_meant || is_root {
            continue;
        }
        let (folder, name) = module.rsplit_once('/').unwrap_or_default();
        let parent = match (folder, format!("{folder}.rs")) {
            ("src", _) => "src/lib.rs".to_owned(),
            (_, parent) if tree.text(&parent).is_some() => parent,
            _ => SPEC.to_owned(),
        };
        let declared = format!("mod {name};");
        let text = tree.text(&parent).unwrap_or_default();
        if !text.lines().any(|line| line.ends_with(&declared)) {
            problems.push(format!(
                "{path} is not compiled: {parent} has no `{declared}`"
            ));
        }
    }
    problems
}

/// The root of these tests.
const SPEC: &str = "tests/spec/main.rs";
