//! Which states are compared: revisions and folders, one peering and many, and what is wrong with them.

use std::fs;

use crate::harness::{Repository, Run, Text, machine, put, quickstart};

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

#[test]
fn the_revisions_are_those_of_git_diff() {
    let repository = changed_twice();
    for (arguments, mtu, port) in [
        (&[FOLDER][..], false, true),
        (&["."], false, true),
        (&[], false, true),
        (&[DOCUMENT], false, true),
        (&[FOLDER, "--from", "first"], true, true),
        (&[FOLDER, "--from", "HEAD~1", "--to", "main"], true, false),
        (&["peerings", "--from", "HEAD^", "--to", "@"], true, false),
    ] {
        let outcome = repository.diff(arguments).run();
        assert_eq!(outcome.code, Some(1), "{arguments:?}: {outcome}");
        let has = |words: &str| outcome.stdout.contains(words);
        assert_eq!(
            (has("1340 → 1400"), has("32750 → 32751")),
            (mtu, port),
            "{arguments:?}:\n{}",
            outcome.stdout
        );
    }
    let before = repository.state();
    repository.diff(&[FOLDER, "--from", "main", "--to", "HEAD"]).run().done();
    // from its own folder, by its absolute path, by a link
    for folder in [".", repository.root().join(FOLDER).to_str().expect("a path")] {
        repository.diff(&[folder]).within(repository.root().join(FOLDER)).run().prints("32751");
    }
    std::os::unix::fs::symlink(repository.root(), repository.temp().join("link")).expect("a link");
    repository.diff(&["link/peerings/rome"]).within(repository.temp()).run().prints("32751");
    assert_eq!(repository.state(), before, "reading writes nothing");
}

/// Git takes a tag before a branch: whoever may push a tag would choose what a change is compared with.
#[test]
fn a_name_that_is_a_tag_and_a_branch_is_refused() {
    let repository = changed_twice();
    repository.git(&["update-ref", "refs/remotes/origin/main", "first"]);
    repository.git(&["config", "core.warnAmbiguousRefs", "false"]);
    let commit = repository.git(&["rev-parse", "first"]);
    let short = &commit[..10];
    for tag in ["main", "origin/main", commit.trim(), short] {
        repository.git(&["tag", tag, "HEAD"]);
    }
    for name in ["main", "main~0", "origin/main", short] {
        for flag in ["--from", "--to"] {
            let outcome = repository.diff(&[FOLDER, flag, name]).run();
            outcome.fails(2, "flag").says("more than one thing").says("refs/heads/main");
        }
    }
    for name in ["refs/remotes/origin/main", "refs/tags/first", commit.trim()] {
        let outcome = repository.diff(&[FOLDER, "--from", name]).run();
        assert!(outcome.stdout.contains("1340 → 1400"), "{name}: {outcome}");
    }
}

/// Git takes `HEAD` itself before any tag or branch of that name (gitrevisions(7)), so nobody who may push makes it ambiguous.
#[test]
fn a_tag_or_branch_called_head_stops_nobody() {
    let repository = changed_twice();
    for name in ["refs/tags/HEAD", "refs/heads/HEAD", "refs/remotes/origin/HEAD", "refs/tags/@"] {
        repository.git(&["update-ref", name, "first"]);
    }
    for arguments in [&[FOLDER][..], &[FOLDER, "--from", "HEAD"], &[FOLDER, "--from", "@"]] {
        let outcome = repository.diff(arguments).run();
        assert!(outcome.stdout.contains("32750 → 32751"), "{arguments:?}: {outcome}");
        assert!(!outcome.stdout.contains("1340 → 1400"), "{arguments:?}: {outcome}");
    }
    let outcome = repository.diff(&[FOLDER, "--from", "HEAD~1", "--to", "HEAD"]).run();
    outcome.prints("1340 → 1400");
    // beside it, another name is still refused
    repository.git(&["tag", "main", "first"]);
    repository
        .diff(&[FOLDER, "--from", "main", "--to", "HEAD"])
        .run()
        .fails(2, "flag")
        .says("more than one thing");
}

#[test]
fn a_worktree_of_git_is_a_checkout() {
    let repository = changed_twice();
    repository.git(&["worktree", "add", "-q", "../other", "first"]);
    let run = repository.diff(&[FOLDER, "--to", "main"]).within(repository.temp().join("other"));
    run.run().prints("1340 → 1400");
}

#[test]
fn two_folders_are_compared_without_git() {
    let repository = Repository::new(FOLDER);
    repository.copy_of_quickstart("peerings/turin");
    repository.edit("peerings/turin/peering.yaml", "mtu: 1340", "mtu: 1400");
    let run = Run::new(["diff", FOLDER, "peerings/turin"]).within(repository.root()).env("PATH", "");
    run.run().ends(1).prints("1340 → 1400");
    Run::new(["diff", FOLDER, FOLDER]).within(repository.root()).run().done();
    Run::new(["diff", FOLDER, "nowhere"])
        .within(repository.root())
        .run()
        .fails(3, "document-file")
        .says("nowhere");
}

#[test]
fn peerings_of_a_fleet_come_go_and_move() {
    let repository = Repository::new(FOLDER);
    for (folder, id) in [("turin", "turin"), ("genoa", "genoa")] {
        repository.copy_of_quickstart(&format!("peerings/{folder}"));
        repository.edit(
            &format!("peerings/{folder}/peering.yaml"),
            "clusterID: consumer",
            &format!("clusterID: {id}"),
        );
    }
    repository.commit();
    fs::rename(repository.root().join("peerings/turin"), repository.root().join("peerings/moved"))
        .expect("moved");
    let moved = repository.diff(&["peerings"]).run();
    moved.prints("moved here from `turin`");
    assert!(moved.stdout.ends_with("no object. This needs attention.\n"), "{moved}");
    fs::remove_dir_all(repository.root().join("peerings/genoa")).expect("removed");
    repository.copy_of_quickstart("peerings/a/naples");
    repository.edit("peerings/a/naples/peering.yaml", "clusterID: consumer", "clusterID: naples");
    let outcome = repository.diff(&["peerings"]).run();
    let place =
        |words: &str| outcome.stdout.find(words).unwrap_or_else(|| panic!("`{words}`:\n{}", outcome.stdout));
    assert!(
        place("a/naples\n  note: The peering is new.")
            < place("genoa\n  Deletes data. This peering was not drained.")
    );
    outcome.prints("\nChanges in 3 of 4 peerings: ");
    // a folder that one state has: named itself, also when it is gone
    repository.diff(&["peerings/genoa"]).run().ends(1).prints("Removing the folder deletes nothing yet.");
    repository.diff(&["peerings/a/naples"]).run().ends(1).prints("The peering is new.");
}

#[test]
fn what_is_wrong_is_told_from_what_differs() {
    let repository = Repository::new(FOLDER);
    repository
        .diff(&["nowhere"])
        .run()
        .fails(3, "document-file")
        .says("nowhere/peering.yaml: there is no such file");
    repository
        .diff(&[FOLDER, "--from", "nope"])
        .run()
        .fails(2, "flag")
        .says("--from: `nope` is not a revision");
    repository.git(&["init", "-q", "../new"]);
    let run = repository.diff(&["."]).within(repository.temp().join("new")).run();
    run.fails(2, "flag").says("it has no commit yet").silent_on("shallow");
    repository.diff(&[FOLDER, "--to", "HEAD:peerings"]).run().fails(2, "flag").says("--to: ");
    for revision in ["--from=--all", "--from=", "--from=-x", "--from=a\u{1b}b", "--from=HEAD\n--all"] {
        repository.diff(&[FOLDER, revision]).run().fails(2, "flag");
    }
    for both in [["--from", "HEAD"], ["--consumer-context", "a"]] {
        assert_eq!(repository.diff(&[FOLDER, FOLDER]).args(both).run().code, Some(2), "{both:?}");
    }
    let outside = tempfile::tempdir().expect("a folder");
    repository.diff(&["."]).within(outside.path()).run().fails(2, "flag").says("is not in a Git checkout");
    repository
        .diff(&[FOLDER])
        .env("PATH", "bin:.")
        .run()
        .fails(3, "program")
        .says("git: it is not in a folder of PATH");
    // the newer document
    repository.edit(DOCUMENT, "mtu: 1340", "mtu: 13400");
    repository
        .diff(&[FOLDER])
        .run()
        .fails(2, "mtu")
        .says("error[uncompared]: nothing is compared: 1 document");
    // the older one
    repository.commit();
    repository.edit(DOCUMENT, "mtu: 13400", "mtu: 1340");
    let outcome = repository.diff(&[FOLDER]).run();
    outcome.ends(1).prints("The old document is wrong, so every object is shown");
    outcome.prints("+ provider: Tenant");
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let repository = changed_twice();
    repository.git(&["commit", "-q", "-a", "-m", "b"]);
    repository.git(&["clone", "-q", "--depth", "1", "--no-local", ".", "../shallow"]);
    let run = repository.diff(&[FOLDER, "--from", "HEAD~1"]).within(repository.temp().join("shallow"));
    run.run().fails(2, "flag").says("`fetch-depth: 0`");
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
        let annotation =
            |text: &str| format!("  commonMetadata: {{ annotations: {{ a: \"{text}\" }} }}\n  liqoVersion:");
        repository.edit(&file, "  liqoVersion:", &annotation("x"));
        repository.commit();
        let clean = repository.diff(&["peerings", "--from", "HEAD~1"]).run().stdout;
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
            assert_eq!(outcome.stdout.lines().count(), clean.lines().count(), "{text}:\n{}", outcome.stdout);
            for (line, clean) in outcome.stdout.lines().zip(clean.lines()) {
                assert_eq!(line.as_bytes().first(), clean.as_bytes().first(), "{line}");
                assert!(!line.trim_start().starts_with("::") && !line.contains('\r'), "{line}");
                line.lacks("##[").lacks("##vso[");
            }
            assert!(
                outcome.stdout.lines().next().is_some_and(|it| it.starts_with('"')),
                "{}",
                outcome.stdout
            );
        }
    }
    // what was there is still to be seen, and two values that differ are shown differently
    let repository = Repository::new(FOLDER);
    repository.edit(
        DOCUMENT,
        "  liqoVersion:",
        "  commonMetadata: { annotations: { a: \"b\\nc\", d: 'b\\nc', e: \"f → g\", h: '' } }\n  liqoVersion:",
    );
    let outcome = repository.diff(&[FOLDER]).run();
    for words in ["added \"b\\nc\"\n", "added b\\nc\n", "added \"f → g\"\n", "added \"\"\n"] {
        outcome.prints(words);
    }
}

/// Links, submodules, odd names and sizes in a revision.
#[test]
fn what_is_no_document_in_a_revision_is_not_read() {
    let repository = Repository::new(FOLDER);
    let root = repository.root();
    fs::remove_file(root.join(DOCUMENT)).expect("the document");
    std::os::unix::fs::symlink(quickstart().join("peering.yaml"), root.join(DOCUMENT)).expect("a link");
    repository.commit();
    repository.diff(&[FOLDER, "--to", "HEAD"]).run().fails(2, "document-file").says("links in a repository");
    fs::remove_file(root.join(DOCUMENT)).expect("the link");
    repository.write(DOCUMENT, "# ".repeat(40_000));
    repository.commit();
    repository
        .diff(&[FOLDER, "--to", "HEAD"])
        .run()
        .fails(2, "document-file")
        .says("larger than 65536 bytes");
    repository.write(DOCUMENT, [0xff, 0xfe]);
    repository.commit();
    repository.diff(&[FOLDER, "--to", "HEAD"]).run().fails(2, "document-file").says("not UTF-8");
    // a name that is a pattern of git's, one that is hidden, and one that is no text
    let repository = Repository::new("peerings/:(glob)*");
    repository.copy_of_quickstart("peerings/.hidden");
    repository.write("peerings/dump.sql", vec![b'#'; (4 << 20) + 1]);
    repository.edit("peerings/:(glob)*/peering.yaml", "mtu: 1340", "mtu: 1400");
    repository.commit();
    for folder in ["peerings/:(glob)*", "peerings"] {
        let outcome = repository.diff(&[folder, "--from", "HEAD~1", "--to", "HEAD"]).run();
        assert!(outcome.stdout.contains("1340 → 1400"), "{folder}: {outcome}");
        outcome.silent_on("dump.sql");
        assert!(
            outcome
                .stdout
                .ends_with("Changes in 1 of 1 peering: 2 objects changed. This interrupts traffic.\n"),
            "{}",
            outcome.stdout
        );
    }
}

/// A submodule's files are another repository's.
#[test]
fn a_submodule_is_not_followed() {
    let repository = Repository::new(FOLDER);
    let inner = Repository::new("inner");
    repository.git(&[
        "submodule",
        "--quiet",
        "add",
        inner.root().to_str().expect("a path"),
        "peerings/module",
    ]);
    repository.commit();
    repository.diff(&["peerings", "--from", "HEAD~1", "--to", "HEAD"]).run().done();
    // nor where the document was
    let id = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["rm", "-q", "--cached", DOCUMENT]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},{DOCUMENT}")]);
    repository.git(&["commit", "-q", "-m", "a submodule"]);
    repository.diff(&[FOLDER, "--to", "HEAD"]).run().fails(2, "document-file").says("not a regular file");
}

/// What a sparse checkout leaves out is not removed; and other ends of an armor's lines are no other file.
#[test]
fn a_checkout_may_have_less_and_other_ends_of_lines() {
    let repository = Repository::new(FOLDER);
    let seed = repository.root().join(FOLDER).join("peering.seed.age");
    let armor = fs::read_to_string(&seed).expect("the seed");
    fs::write(&seed, armor.replace('\n', "\r\n")).expect("written");
    repository.diff(&[FOLDER]).run().done();
    fs::write(&seed, armor).expect("written");
    repository.git(&["sparse-checkout", "set", "--cone", "other"]);
    for folder in [FOLDER, "."] {
        let outcome = repository.diff(&[folder]).run();
        outcome
            .fails(2, "flag")
            .says("`git sparse-checkout add peerings/rome` at its root has it, and `--to HEAD`");
    }
    repository.diff(&[FOLDER, "--to", "HEAD"]).run().done();
    // a file that is there, and that git does not look at
    repository.git(&["sparse-checkout", "disable"]);
    repository.git(&["update-index", "--skip-worktree", DOCUMENT]);
    repository.diff(&[FOLDER]).run().done();
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
        for arguments in [&["."][..], &[".", "--from", "first"], &[".", "--from", "first", "--to", "HEAD"]] {
            let outcome = repository.diff(arguments).within(&folder).env("PATH", path).run();
            assert!(outcome.code == Some(1) && !repository.was_run(), "{arguments:?}: {outcome}");
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
        assert_eq!(repository.diff(arguments).env("PATH", &bin).run().code, Some(1));
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
    fs::remove_file(repository.root().join(".git/objects").join(start).join(rest)).expect("an object");
    let outcome = repository.diff(&[FOLDER, "--from", "first"]).run();
    assert!(outcome.code == Some(3) && !repository.was_run(), "{outcome}");
    outcome.fails(3, "program").says("git fetch --refetch");
}

/// What docs/faq.md says of `liqoctl network disconnect`.
#[test]
fn a_pending_client_cuts_the_tunnel_and_nothing_else() {
    let repository = Repository::new(FOLDER);
    let endpoint = "gatewayClient:\n      endpoint: { addresses: [172.16.183.16] }";
    repository.edit(DOCUMENT, endpoint, "gatewayClient: pending");
    let outcome = repository.diff(&[FOLDER]).run();
    let removed: Vec<&str> =
        outcome.stdout.lines().filter(|line| line.starts_with(['-', '+', '~'])).collect();
    assert_eq!(removed, ["- consumer: GatewayClient liqo-tenant-provider/wg-provider"], "{outcome}");
}

/// A `.git` that leads nowhere is of a checkout that is gone, and not of the one around it.
#[test]
fn a_checkout_is_the_nearest_one() {
    let repository = changed_twice();
    let git = repository.root().join(FOLDER).join(".git");
    std::os::unix::fs::symlink("gone", &git).expect("a link");
    repository.diff(&[FOLDER]).run().fails(2, "flag").says("it has no commit yet");
}
