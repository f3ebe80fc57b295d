//! Which policy files are taken. What they allow is in the decision table of [`super::super::authorise`].

use super::{Policy, PolicyProblem as P};
use crate::argocd::caller::Caller;
use crate::custody::Term;
use crate::custody::authorise::{CallerFacts, Grants, Use, has_entry_for};
use crate::input::file::{ReadProblem, TextProblem};
use crate::peering::values::{ClusterId, Sides};

const HEAD: &str = "apiVersion: argocd-peering/v1alpha1\nkind: Policy\n";

fn read(allow: &str) -> Result<Policy, P> {
    Policy::parse(&format!("{HEAD}allow: {allow}\n"))
}

fn line(allow: &str) -> u64 {
    match read(allow) {
        Err(P::Line { line, .. }) => line,
        other => panic!("{allow}: {other:?}"),
    }
}

#[test]
fn the_example_of_the_documentation() {
    let text = "allow:\n  - projects: [peering-consumer, peering-provider]\n    repos: [https://git.example.org/net/peerings.git]\n    paths: [peerings/*]\n    peerings: [{ consumer: rome, provider: milan }] # may be left out\n";
    assert!(Policy::parse(&format!("{HEAD}{text}")).is_ok());
    assert!(read("[]").is_ok(), "nothing is allowed");
    // earlier policies say what holds for all terms now
    for (demand, is_read) in [("true", true), ("false", false), ("1", false)] {
        let policy = Policy::parse(&format!("{HEAD}{text}requirePeerings: {demand}\n"));
        assert_eq!(policy.is_ok(), is_read, "{demand}");
    }
}

#[test]
fn what_is_not_exactly_a_policy() {
    for (allow, expected) in [
        // an unknown field could be a condition that somebody counts on
        (
            "[{projects: [p], repos: [r], paths: [a], certificates: {}}]",
            3,
        ),
        ("[{projects: [p], repos: [r], paths: [a], allow: []}]", 3),
        (
            "\n  - {projects: [p], repos: [r], paths: [a], projects: [q]}",
            4,
        ),
        ("{projects: [p], repos: [r], paths: [a]}", 3),
        ("[{projects: p, repos: [r], paths: [a]}]", 3),
        (
            "[{projects: [p], repos: [r], paths: [a], clusters: [[rome, milan]]}]",
            3,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], managedBy: [gitops]}]",
            3,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], peerings: [[rome, milan]]}]",
            3,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], peerings: [{consumer: rome}]}]",
            3,
        ),
        ("&a []", 3),
        ("[]\n---\nallow: []", 0),
        ("[", 0),
    ] {
        let found = line(allow);
        assert!(expected == 0 || found == expected, "{allow}: line {found}");
    }
    for text in [
        "",
        "allow: []",
        "kind: Policy\nallow: []\n",
        "- a\n",
        "AGE-SECRET-KEY-1CANARY\n",
    ] {
        let problem = Policy::parse(text).expect_err(text);
        assert!(matches!(problem, P::Line { .. }), "{text}: {problem}");
        assert!(!problem.to_string().contains("CANARY"));
    }
    for text in [
        "{apiVersion: argocd-peering/v1, kind: Policy, allow: []}",
        "{apiVersion: argocd-peering/v1alpha1, kind: Peering, allow: []}",
    ] {
        assert_eq!(Policy::parse(text), Err(P::Other));
    }
}

fn reason(allow: &str) -> String {
    read(allow).expect_err(allow).to_string()
}

#[test]
fn each_reason_is_said() {
    assert!(reason("[{projects: [p], repos: [r], paths: [a], x: 1}]").contains("unknown field"));
    assert!(
        reason("[{projects: [p], repos: [r]}]")
            .contains("entry 1 of `allow`, `paths`: it is missing")
    );
    assert!(
        reason("[{projects: [p], repos: [r], paths: [a], paths: [b]}]").contains("duplicate key")
    );
    assert!(reason("&a []").contains("aliases"));
    assert!(reason("1").contains("not valid YAML for a policy"));
    let [many, too_many] = [19_000, 20_001].map(|projects| {
        format!(
            "[{{projects: [{}], repos: [r], paths: [a]}}]",
            "p,".repeat(projects)
        )
    });
    assert!(read(&many).is_ok());
    assert!(reason(&too_many).contains("anchors, aliases, a second document, or too much"));
    // only what is read whole before its type is looked at can be deep: a key
    for (levels, expected) in [
        (4, "not valid YAML for a policy"),
        (8, "anchors, aliases, a second document, or too much"),
    ] {
        let deep = format!("[{{? {}{} : 1}}]", "[".repeat(levels), "]".repeat(levels));
        assert!(reason(&deep).contains(expected));
    }
}

#[test]
fn values_that_a_term_cannot_have() {
    for (allow, term) in [
        ("[{projects: [p], repos: [r]}]", Term::Paths),
        (
            "[{projects: [p], repos: [r], paths: [a], delivery: ['*']}]",
            Term::Delivery,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], namespaces: [A]}]",
            Term::Namespaces,
        ),
        ("[{projects: [], repos: [r], paths: [a]}]", Term::Projects),
        ("[{projects: [p], repos: [], paths: [a]}]", Term::Repos),
        ("[{projects: [p], repos: [r], paths: []}]", Term::Paths),
        (
            "[{projects: ['net-*'], repos: [r], paths: [a]}]",
            Term::Projects,
        ),
        (
            "[{projects: [' '], repos: [r], paths: [a]}]",
            Term::Projects,
        ),
        (
            "[{projects: [p], repos: ['https://git.example.org/*'], paths: [a]}]",
            Term::Repos,
        ),
        (
            "[{projects: [p], repos: ['https://me:x@git.example.org/a'], paths: [a]}]",
            Term::Repos,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a/../b]}]",
            Term::Paths,
        ),
        ("[{projects: [p], repos: [r], paths: ['*/*']}]", Term::Paths),
        (
            "[{projects: [p], repos: [r], paths: ['a/**']}]",
            Term::Paths,
        ),
        ("[{projects: [p], repos: [r], paths: ['a*']}]", Term::Paths),
        ("[{projects: [p], repos: [r], paths: ['/*']}]", Term::Paths),
        (
            "[{projects: [p], repos: [r], paths: ['../*']}]",
            Term::Paths,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], peerings: [{consumer: rome, provider: Milan}]}]",
            Term::Clusters,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], peerings: [{consumer: a, provider: a}]}]",
            Term::Clusters,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], peerings: []}]",
            Term::Clusters,
        ),
        (
            "[{projects: [p=consumer], repos: [r], paths: [a], peerings: [{consumer: a, provider: b}]}]",
            Term::Projects,
        ),
        (
            "[{projects: [p=a], repos: [r], paths: [a]}]",
            Term::Projects,
        ),
        (
            "[{projects: [p], repos: [r], paths: [a], labelDomains: ['*']}]",
            Term::LabelDomains,
        ),
    ] {
        match read(allow) {
            Err(P::Term {
                entry: 1,
                term: found,
                ..
            }) => assert_eq!(found, term, "{allow}"),
            other => panic!("{allow}: {other:?}"),
        }
    }
    let second =
        read("[{projects: [p], repos: [r], paths: [a]}, {projects: [], repos: [r], paths: [a]}]");
    assert!(matches!(second, Err(P::Term { entry: 2, .. })));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("policy.yaml");
    assert_eq!(
        Policy::load(&path),
        Err(P::File(ReadProblem::Missing.into()))
    );
    assert_eq!(
        Policy::load(folder.path()),
        Err(P::File(ReadProblem::NotAFile.into()))
    );
    std::fs::write(&path, [0xff]).expect("written");
    assert_eq!(
        Policy::load(&path),
        Err(P::File(TextProblem::NotUtf8(1, 0xFF)))
    );
    let too_large = Err(P::File(ReadProblem::TooLarge { cap: 65536 }.into()));
    for (size, expected) in [(64 * 1024, read("[]")), (64 * 1024 + 1, too_large)] {
        let padding = "#".repeat(size - HEAD.len() - 10);
        std::fs::write(&path, format!("{HEAD}allow: []\n{padding}")).expect("written");
        assert_eq!(Policy::load(&path), expected);
    }
}

#[test]
fn each_problem_has_its_own_way_out() {
    let helps = [
        P::WorldWritable.help(),
        P::File(ReadProblem::Missing.into()).help(),
        P::Inside.help(),
        P::Other.help(),
    ];
    let distinct: std::collections::BTreeSet<_> = helps.into_iter().collect();
    assert_eq!(distinct.len(), 4);
    assert!(helps[0].contains("chmod o-w") && helps[3].contains("`allow`"));
}

/// An emptied list is not a list that is left out, which allows any.
#[test]
fn a_list_of_no_clusters_allows_none() {
    let [consumer, provider] =
        ["rome", "milan"].map(|name| name.parse::<ClusterId>().expect("an ID"));
    let clusters = Sides {
        consumer: &consumer,
        provider: &provider,
    };
    let asked = Use {
        clusters,
        role: None,
        delivery: None,
        grants: Grants::default(),
    };
    let [project, repo, path] = ["p", "r", "a"].map(|value| Some(value.to_owned()));
    let caller = Caller::ArgoCd {
        project,
        repo,
        path,
        revision: None,
    };
    let facts = CallerFacts::new(&caller).expect("facts");
    for (peerings, allowed) in [
        ("", Some(true)),
        (", peerings: ", None),
        (", peerings: ~", None),
        (", peerings: []", None),
        (", clusters: [[rome, milan]]", None),
        (
            ", peerings: [{consumer: rome, provider: milan}]",
            Some(true),
        ),
        (
            ", peerings: [{consumer: milan, provider: rome}]",
            Some(false),
        ),
    ] {
        let policy = read(&format!(
            "[{{projects: [p], repos: [r], paths: [a]{peerings}}}]"
        ));
        let is_allowed = policy.ok().map(|it| has_entry_for(&it, &asked, &facts));
        assert_eq!(is_allowed, allowed, "{peerings}");
    }
}
