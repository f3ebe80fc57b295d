//! `list --ages`: since when each side has its key generation, as the first-parent history dates it.

use crate::harness::repository::Repository;
use crate::harness::run::{Outcome, Run};
use std::fs;
use std::process::Command;

const FILE: &str = "a/peering.yaml";

/// A repository whose commits are dated.
pub(super) fn dated(day: &str) -> Repository {
    let repository = Repository::new("a");
    repository.git(&["update-ref", "-d", "HEAD"]);
    commit(&repository, day);
    repository
}

pub(super) fn commit(repository: &Repository, day: &str) {
    git(repository, day, &["add", "--all", "--force"]);
    git(repository, day, &["commit", "-q", "-m", "a change"]);
}

fn git(repository: &Repository, day: &str, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .current_dir(repository.root())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", repository.temp())
        .env("GIT_AUTHOR_DATE", "2001-01-01T12:00:00Z")
        .env("GIT_COMMITTER_DATE", format!("{day}T12:00:00Z"))
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn list(repository: &Repository, words: &[&str]) -> Outcome {
    Run::new(["list"])
        .args(words.iter().copied())
        .within(repository.root())
        .env("PATH", std::env::var_os("PATH").expect("a PATH"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", repository.temp())
        .run()
}

/// The days of the consumer and the provider of each row.
fn days(repository: &Repository) -> Vec<[Option<String>; 2]> {
    let outcome = list(repository, &[".", "--ages", "--format", "json"]);
    let table: serde_json::Value = serde_json::from_str(outcome.done()).expect("JSON");
    let rows = table["peerings"].as_array().expect("peerings");
    let day =
        |row: &serde_json::Value, role: &str| row[role]["keyGenerationSince"].as_str().map(ToOwned::to_owned);
    rows.iter().map(|row| [day(row, "consumer"), day(row, "provider")]).collect()
}

fn same(consumer: &str, provider: &str) -> Vec<[Option<String>; 2]> {
    vec![[Some(consumer.to_owned()), Some(provider.to_owned())]]
}

/// Sets a generation of the quickstart, whose sides have none.
fn set(repository: &Repository, role: &str, generation: u32) {
    let path = repository.root().join(FILE);
    let text = fs::read_to_string(&path).expect(FILE);
    let id = format!("    clusterID: {role}\n");
    let at = text.find(&id).expect("its ID") + id.len();
    let (head, rest) = text.split_at(at);
    let rest = match rest.strip_prefix("    keyGeneration: ") {
        Some(old) => old.split_once('\n').expect("a line").1,
        None => rest,
    };
    fs::write(path, format!("{head}    keyGeneration: {generation}\n{rest}")).expect(FILE);
}

#[test]
fn a_side_without_the_field_has_its_key_since_the_document_was_added() {
    let repository = dated("2026-01-02");
    repository.write("README", "more");
    commit(&repository, "2026-02-02");
    repository.edit(FILE, "apiVersion:", "# a comment\napiVersion:");
    commit(&repository, "2026-03-02");
    assert_eq!(days(&repository), same("2026-01-02", "2026-01-02"));
    let text = list(&repository, &[".", "--ages"]);
    assert!(
        text.done().contains("KEYS SINCE") && text.done().contains("2026-01-02/2026-01-02"),
        "{}",
        text.stdout
    );
    assert!(!list(&repository, &["."]).done().contains("SINCE"));
}

#[test]
fn the_newest_change_of_a_side_counts_for_that_side() {
    let repository = dated("2026-01-02");
    set(&repository, "consumer", 2);
    commit(&repository, "2026-02-02");
    assert_eq!(days(&repository), same("2026-02-02", "2026-01-02"));
    // lowered and raised again
    set(&repository, "consumer", 1);
    commit(&repository, "2026-03-02");
    set(&repository, "consumer", 2);
    commit(&repository, "2026-04-02");
    assert_eq!(days(&repository), same("2026-04-02", "2026-01-02"));
    // not in any commit
    set(&repository, "provider", 7);
    assert_eq!(days(&repository), [[Some("2026-04-02".to_owned()), None]]);
}

/// A day of the branch, not of its author: that is when Argo CD could sync it.
#[test]
fn a_merged_change_counts_from_its_merge() {
    let repository = dated("2026-01-02");
    git(&repository, "2026-01-03", &["checkout", "-q", "-b", "side"]);
    set(&repository, "provider", 2);
    commit(&repository, "2026-01-04");
    git(&repository, "2026-01-05", &["checkout", "-q", "main"]);
    git(&repository, "2026-05-05", &["merge", "-q", "--no-ff", "-m", "a merge", "side"]);
    assert_eq!(days(&repository), same("2026-01-02", "2026-05-05"));
}

/// It may seem older or newer than it is, and nothing fails.
#[test]
fn a_version_that_is_no_document_breaks_nothing_and_a_moved_one_begins_anew() {
    let repository = dated("2026-01-02");
    let good = fs::read(repository.root().join(FILE)).expect(FILE);
    repository.write(FILE, "<<<<<<< HEAD\n");
    commit(&repository, "2026-02-02");
    repository.write(FILE, vec![b'#'; 100_000]);
    commit(&repository, "2026-02-03");
    repository.write(FILE, good);
    commit(&repository, "2026-02-04");
    assert_eq!(days(&repository), same("2026-01-02", "2026-01-02"));
    fs::rename(repository.root().join("a"), repository.root().join("b")).expect("moved");
    commit(&repository, "2099-12-31");
    assert_eq!(days(&repository), same("2099-12-31", "2099-12-31"));
}

#[test]
fn a_shallow_clone_is_refused_and_so_is_a_folder_outside_of_git() {
    let repository = dated("2026-01-02");
    repository.write("README", "more");
    commit(&repository, "2026-02-02");
    let from = format!("file://{}", repository.root().display());
    repository.git(&["clone", "-q", "--depth", "1", &from, "shallow"]);
    let outcome = list(&repository, &["shallow/a", "--ages"]);
    assert!(
        outcome.stdout.is_empty() && outcome.stderr.contains("git fetch --unshallow"),
        "{}",
        outcome.stderr
    );
    let outside = repository.temp().join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::copy(repository.root().join(FILE), outside.join("peering.yaml")).expect("copied");
    let outcome = list(&repository, &["../outside", "--ages"]);
    assert!(
        outcome.stdout.is_empty() && outcome.stderr.contains("is not in a Git checkout"),
        "{}",
        outcome.stderr
    );
}

/// Signed commits are not verified: that would run the program that the configuration names.
#[test]
fn no_program_of_the_configuration_or_the_attributes_runs() {
    let repository = dated("2026-01-02");
    let spy = repository.spy("spy").display().to_string();
    repository.write(".gitattributes", "* diff=spy filter=spy\n");
    commit(&repository, "2026-01-03");
    // a commit with a signature that changes the document, as `git log` would verify it
    set(&repository, "consumer", 2);
    git(&repository, "2026-01-04", &["add", "--all"]);
    let tree = repository.git(&["write-tree"]);
    let parent = repository.git(&["rev-parse", "HEAD"]);
    let object = format!(
        "tree {tree}\nparent {parent}\nauthor a <a@example.org> 1772452800 +0000\ncommitter a <a@example.org> 1772452800 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n\nsigned\n"
    );
    fs::write(repository.temp().join("object"), object).expect("an object");
    let id = repository.git(&["hash-object", "-t", "commit", "-w", "../object"]);
    repository.git(&["update-ref", "HEAD", &id]);
    for name in [
        "diff.external",
        "diff.spy.textconv",
        "diff.spy.command",
        "filter.spy.smudge",
        "gpg.program",
        "core.fsmonitor",
    ] {
        repository.git(&["config", name, &spy]);
    }
    repository.git(&["config", "log.showSignature", "true"]);
    assert_eq!(days(&repository), same("2026-03-02", "2026-01-02"));
    assert!(!repository.temp().join("ran").exists(), "a program ran");
}

/// So many versions are read, and no more: whoever pushes chooses how many there are.
#[test]
fn a_history_of_more_versions_is_refused() {
    use std::fmt::Write as _;
    use std::io::Write as _;
    let repository = dated("2026-01-02");
    let mut stream = String::new();
    for number in 0..=50_000 {
        let content = format!("{number}\n");
        let from = if number == 0 { "from refs/heads/main^0\n" } else { "" };
        let _ = write!(
            stream,
            "commit refs/heads/main\ncommitter a <a@example.org> {} +0000\ndata 0\n{from}M 100644 inline {FILE}\ndata {}\n{content}\n",
            1_772_452_800 + number,
            content.len()
        );
    }
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet", "--force"])
        .current_dir(repository.root())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("git");
    import.stdin.take().expect("its input").write_all(stream.as_bytes()).expect("written");
    assert!(import.wait().expect("it ends").success());
    list(&repository, &[".", "--ages"]).fails(2, "flag").says("more than 50000 versions");
}
