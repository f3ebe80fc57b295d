//! What a repository has forges no line and runs no program. Which states are compared is in `revisions.cases` and `states.cases`.

use std::fs;

use crate::harness::{Repository, Text, machine, put};

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

/// A repository whose newest commit changes the MTU, and whose files another port.
fn changed_twice() -> Repository {
    let repository = Repository::new(FOLDER);
    repository.git(&["tag", "first"]);
    repository.edit(DOCUMENT, "mtu: 1340", "mtu: 1400");
    repository.commit();
    repository.edit(DOCUMENT, "nodePort: 32750", "nodePort: 32751");
    repository
}

/// A value, a key and a folder each stay on one line, and look like nothing else there: neither another row, nor a command of
/// the log that a workflow writes (actions/runner `src/Runner.Common/ActionCommand.cs`: `::` after blanks, `##[` anywhere).
#[test]
fn a_value_and_a_folder_forge_no_line() {
    for folder in [
        "peerings/\n::error::a",
        "peerings/::error::a",
        "peerings/+ consumer rome: Namespace b",
        "peerings/##[error]a",
    ] {
        let repository = Repository::new(folder);
        let file = format!("{folder}/peering.yaml");
        let annotation = |text: &str| {
            format!("  commonMetadata: {{ annotations: {{ a: \"{text}\" }} }}\n  liqoVersion:")
        };
        repository.edit(&file, "  liqoVersion:", &annotation("x"));
        repository.commit();
        let clean = repository
            .diff(&["peerings", "--from", "HEAD~1"])
            .run()
            .stdout;
        for text in [
            "x\\n::error::b",
            "x\\r::error::b",
            "a\\r\\n- consumer rome: Namespace b",
            "##[error]b",
            "###[error]b",
            "##vso[a]b",
        ] {
            repository.git(&["checkout", "-q", "."]);
            repository.edit(&file, "{ a: \"x\" }", &format!("{{ a: \"{text}\" }}"));
            let outcome = repository.diff(&["peerings", "--from", "HEAD~1"]).run();
            assert_eq!(
                outcome.stdout.lines().count(),
                clean.lines().count(),
                "{text}:\n{}",
                outcome.stdout
            );
            for (line, clean) in outcome.stdout.lines().zip(clean.lines()) {
                assert_eq!(line.as_bytes().first(), clean.as_bytes().first(), "{line}");
                assert!(
                    !line.trim_start().starts_with("::") && !line.contains('\r'),
                    "{line}"
                );
                line.lacks("##[").lacks("##vso[");
            }
            assert!(
                outcome
                    .stdout
                    .lines()
                    .next()
                    .is_some_and(|it| it.starts_with('"')),
                "{}",
                outcome.stdout
            );
        }
    }
}

#[test]
fn a_document_of_a_revision_that_is_no_text_is_not_read() {
    let repository = Repository::new(FOLDER);
    repository.write(DOCUMENT, [0xff, 0xfe]);
    repository.commit();
    repository
        .diff(&[FOLDER, "--to", "HEAD"])
        .run()
        .fails(2, "document-file")
        .says("not UTF-8");
}

/// Whatever a repository has, nothing of it is run: not by a bare repository in the folder, nor by filters, hooks or a
/// partial clone.
#[test]
fn nothing_of_a_repository_is_run() {
    let repository = changed_twice();
    let spy = repository.spy("spy");
    let spy = spy.to_str().expect("a path");
    let folder = repository.root().join(FOLDER);
    for name in ["objects/info", "refs/heads", "hooks"] {
        fs::create_dir_all(folder.join(name)).expect("a folder");
    }
    put(folder.join("HEAD"), "ref: refs/heads/main\n");
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {spy}\n\tsshCommand = {spy}\n\tpager = {spy}\n\
         [filter \"x\"]\n\tclean = {spy}\n\tsmudge = {spy}\n[diff \"x\"]\n\ttextconv = {spy}\n\tcommand = {spy}\n\
         [pager]\n\tls-tree = {spy}\n\tcat-file = {spy}\n\trev-parse = {spy}\n"
    );
    put(folder.join("config"), &config);
    put(folder.join(".gitattributes"), "* filter=x diff=x\n");
    std::os::unix::fs::symlink(spy, folder.join("git")).expect("a link");
    let runs = |path: &str| {
        for arguments in [
            &["."][..],
            &[".", "--from", "first"],
            &[".", "--from", "first", "--to", "HEAD"],
        ] {
            let outcome = repository
                .diff(arguments)
                .within(&folder)
                .env("PATH", path)
                .run();
            assert!(
                outcome.code == Some(1) && !repository.was_run(),
                "{arguments:?}: {outcome}"
            );
        }
    };
    let path = std::env::var("PATH").expect("a PATH");
    // as the folder is; with the same in the checkout's own configuration, which a person would have written; with a
    // program beside it that is called git, by a relative and an absolute folder of PATH
    runs(&path);
    repository.git(&["config", "core.fsmonitor", spy]);
    repository.git(&["config", "pager.ls-tree", spy]);
    repository.git(&[
        "config",
        "core.hooksPath",
        repository.temp().join("programs").to_str().expect("a path"),
    ]);
    runs(&path);
    runs(&format!(".:{path}"));
    runs(&format!("{}:{path}", folder.display()));
    // a link to the checkout's program, in a folder that is not the checkout's
    fs::rename(spy, folder.join("a-git")).expect("moved");
    let outside = repository.temp().join("outside");
    fs::create_dir(&outside).expect("a folder");
    std::os::unix::fs::symlink(folder.join("a-git"), outside.join("git")).expect("a link");
    runs(&format!("{}:{path}", outside.display()));
}

/// What no command of today starts, one of tomorrow does: each call of git has all of what keeps it from running a program.
#[test]
fn each_call_of_git_may_run_nothing() {
    let repository = changed_twice();
    let git = machine::tool("git");
    let log = repository.temp().join("calls");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"lazy=$GIT_NO_LAZY_FETCH protocols=$GIT_ALLOW_PROTOCOL. locks=$GIT_OPTIONAL_LOCKS prompt=$GIT_TERMINAL_PROMPT $*\" >>'{}'\nexec '{}' \"$@\"\n",
        log.display(),
        git.display()
    );
    let bin = repository.temp().join("bin");
    fs::create_dir(&bin).expect("a folder");
    machine::script(&bin.join("git"), script);
    for arguments in [&[FOLDER][..], &[FOLDER, "--from", "first", "--to", "HEAD"]] {
        assert_eq!(
            repository.diff(arguments).env("PATH", &bin).run().code,
            Some(1)
        );
    }
    let calls = fs::read_to_string(log).expect("the calls");
    assert!(calls.lines().count() > 3, "{calls}");
    for call in calls.lines() {
        for part in [
            "lazy=1 protocols=. locks=0 prompt=0 ",
            " --no-pager ",
            " --literal-pathspecs ",
            " --no-replace-objects ",
            " -c core.fsmonitor=false ",
            " -c core.hooksPath=/dev/null ",
        ] {
            call.has(part);
        }
    }
}

/// A partial clone fetches what it lacks, through any program that its configuration names.
#[test]
fn a_partial_clone_fetches_nothing() {
    let repository = changed_twice();
    let spy = repository.spy("spy");
    let spy = spy.to_str().expect("a path");
    for (key, value) in [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://example.org/x"),
        ("core.sshCommand", spy),
        ("remote.origin.uploadpack", spy),
    ] {
        repository.git(&["config", key, value]);
    }
    let id = repository.git(&["rev-parse", &format!("first:{DOCUMENT}")]);
    let (start, rest) = id.split_at(2);
    fs::remove_file(
        repository
            .root()
            .join(".git/objects")
            .join(start)
            .join(rest),
    )
    .expect("an object");
    let outcome = repository.diff(&[FOLDER, "--from", "first"]).run();
    assert!(
        outcome.code == Some(3) && !repository.was_run(),
        "{outcome}"
    );
    outcome.fails(3, "program").says("git fetch --refetch");
}
