//! Argo CD renders a checkout, and `diff` reads what is committed: where git makes one into the other with changed bytes, the
//! comparison would be of something else.

use std::path::Path;

use crate::harness::{Outcome, Repository, Run, document, lines, put, replaced, words};

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

/// A document whose second namespace is between two dollars: `ident` takes away what is there.
fn between_dollars() -> String {
    let text = document();
    let (before, _) = text.split_once("    namespaces:\n").expect("its namespaces");
    // git leaves an ID with spaces alone: it could be another system's (git `convert.c`, ident_to_worktree)
    let namespace = |name: &str, text: &str| {
        let metadata = format!("{{\"annotations\":{{\"a\":\"{text}\"}}}}");
        format!("{{\"name\":\"{name}\",\"create\":true,\"clusters\":\"all\",\"metadata\":{metadata}}}")
    };
    format!("{before}    namespaces: [{},{}]\n", namespace("demo", "$Id:"), namespace("gone", "$"))
}

/// A commit as someone with push access makes it, whatever their git would do to the files.
fn push(repository: &Repository, files: &[(&str, &str)]) {
    for (file, content) in files {
        repository.write("../content", content);
        let id = repository.git(&["hash-object", "-w", "--no-filters", "../content"]);
        repository.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{id},{file}")]);
    }
    repository.git(&["commit", "-q", "-m", "a change"]);
}

/// The quickstart as a commit, and then a commit with these files.
fn pushed(files: &[(&str, &str)]) -> Repository {
    let repository = Repository::new(FOLDER);
    push(&repository, files);
    repository
}

/// The workflow of docs/workflows/review.yaml.
fn workflow(repository: &Repository) -> Outcome {
    let [base, head] = ["HEAD~1", "HEAD"].map(|revision| repository.git(&["rev-parse", revision]));
    let from = repository.git(&["merge-base", &base, &head]);
    repository.diff(&["peerings", "--from", &from, "--to", &head, "--format", "markdown"]).run()
}

/// What Argo CD renders of a document.
fn rendered(folder: &Path) -> Outcome {
    Run::new(["generate", "--public", "--role", "consumer"]).arg(folder).run()
}

#[test]
fn ident_makes_a_namespace_disappear() {
    let repository = pushed(&[(DOCUMENT, &between_dollars()), (".gitattributes", "*.yaml ident\n")]);
    repository.git(&["worktree", "add", "-q", "--detach", "../checkout", "HEAD"]);
    let checkout = repository.temp().join("checkout").join(FOLDER);
    assert!(!rendered(&checkout).done().contains("gone"), "git has changed the file");
    put(checkout.join("peering.yaml"), between_dollars());
    assert!(rendered(&checkout).done().contains("gone"));
    let outcome = workflow(&repository);
    outcome.fails(2, "flag").says("--to: ").says("`ident` in line 1 of .gitattributes").says(DOCUMENT);
    outcome.says("git worktree add");
}

#[test]
fn an_encoding_turns_a_yen_into_a_backslash() {
    let yen = replaced(
        &document(),
        "  liqoVersion:",
        "  commonMetadata: { annotations: { a: \"¥\" } }\n  liqoVersion:",
    );
    let line = "peering.yaml working-tree-encoding=SHIFT_JIS\n";
    let repository = pushed(&[(DOCUMENT, &yen), ("peerings/.gitattributes", line)]);
    workflow(&repository)
        .fails(2, "flag")
        .says("`working-tree-encoding` in line 1 of peerings/.gitattributes");
    // one commit later it is the older one's
    push(&repository, &[("peerings/.gitattributes", "")]);
    workflow(&repository).fails(2, "flag").says("--from: ");
    // and the files as they are now are what git has checked out
    repository.git(&["checkout", "-q", "-f", "HEAD"]);
    repository.diff(&["peerings"]).run().done();
}

#[test]
fn lines_that_change_a_file_are_refused() {
    let dollars = between_dollars();
    for row in lines(include_str!("attributes.txt")).map(words) {
        let [file, content] = &row[..] else { panic!("{row:?}") };
        let outcome = workflow(&pushed(&[(DOCUMENT, &dollars), (file, content)]));
        outcome.fails(2, "flag").says(&format!(" of {file}"));
    }
}

#[test]
fn lines_that_change_no_file_are_not() {
    let changed = replaced(&document(), "mtu: 1340", "mtu: 1400");
    let dollars = between_dollars();
    for (file, document, content) in [
        (".gitattributes", &dollars, "* text=auto\n*.age -text\n"),
        (".gitattributes", &dollars, "* text eol=lf whitespace=fix\n*.age binary\n"),
        (".gitattributes", &dollars, "*.bat text eol=crlf\n*.png filter=lfs diff=lfs merge=lfs -text\n"),
        (".gitattributes", &dollars, "# * filter=a\npeering.yaml -filter !ident\nxpeering.yaml filter=a\n"),
        (".gitattributes", &dollars, "/peering.yaml filter=a\nother/** filter=a\n/rome/*.yaml filter=a\n"),
        (".gitattributes", &dollars, "[attr]generated linguist-generated -diff\n"),
        // nothing of it is for `ident`
        (".gitattributes", &changed, "* ident\n"),
        ("other/.gitattributes", &dollars, "* filter=a\n"),
        ("peerings/rome/deeper/.gitattributes", &dollars, "* filter=a\n"),
        ("peerings/rome/a.gitattributes", &dollars, "* filter=a\n"),
    ] {
        let outcome = workflow(&pushed(&[(DOCUMENT, document), (file, content)]));
        assert!(
            outcome.code == Some(1) && outcome.stdout.contains("Changes in 1 of 1"),
            "{content}: {outcome}"
        );
    }
}

/// Git reads the target of a link as attributes when it checks out, and older ones follow the link.
#[test]
fn attributes_that_are_no_file_of_their_own_are_refused() {
    for target in ["* ident", "rome/peering.yaml"] {
        let repository = Repository::new(FOLDER);
        std::os::unix::fs::symlink(target, repository.root().join("peerings/.gitattributes"))
            .expect("a link");
        repository.commit();
        workflow(&repository).fails(2, "flag").says(" of peerings/.gitattributes: it is a symbolic link");
    }
    let large = "# \n".repeat(30_000);
    workflow(&pushed(&[(".gitattributes", &large)])).fails(2, "flag").says("it is larger than 65536 bytes");
}
