//! Spellings, and values that no term can have.

use super::{ClusterPair, Term, Terms, normal_path, normal_repo};
use crate::peering::delivery::Delivery;

#[test]
fn repositories_have_one_spelling() {
    for (url, normal) in [
        ("https://Git.Example.ORG/Net/peerings.git", "https://git.example.org/Net/peerings"),
        ("https://git.example.org/net/peerings/", "https://git.example.org/net/peerings"),
        ("https://git.example.org/net/peerings.git/", "https://git.example.org/net/peerings"),
        ("https://Me@Git.example.org:8443/a.git", "https://Me@git.example.org:8443/a"),
        ("git@GIT.example.org:Net/a.git", "git@git.example.org:Net/a"),
        ("ssh://git@Host:22/a", "ssh://git@host:22/a"),
        ("HTTPS://host/a", "https://host/a"),
        ("https://host", "https://host"),
        ("*", "*"),
    ] {
        assert_eq!(normal_repo(url), normal);
        assert_eq!(normal_repo(normal), normal, "normal is normal");
    }
    // what differs stays different
    for (one, other) in [
        ("https://host/a", "https://host/A"),
        ("https://host/a", "http://host/a"),
        ("https://host/a", "https://host:443/a"),
        ("https://host/a", "https://host/a.git.git"),
        ("https://me@host/a", "https://host/a"),
        ("git@host:a", "host:a"),
    ] {
        assert_ne!(normal_repo(one), normal_repo(other), "{one} {other}");
    }
}

#[test]
fn paths_have_one_spelling_or_none() {
    for (path, normal) in [("a/b", Some("a/b")), ("./a/b/", Some("a/b")), (".", Some(".")), ("./", Some("."))]
    {
        assert_eq!(normal_path(path).as_deref(), normal, "{path}");
    }
    for path in ["", "..", "a/../b", "/a", "a//b", "a/./b", "a/..", "a//"] {
        assert_eq!(normal_path(path), None, "{path}");
    }
}

#[test]
fn what_no_term_can_be() {
    let strings = |values: &[&str]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
    let make = |projects: &[&str], repos: &[&str], paths: &[&str]| {
        Terms::new(Vec::new(), &strings(projects), &strings(repos), &strings(paths), &[])
    };
    let good =
        make(&["a b", "*", "a=consumer", "*=provider"], &["https://Me@Host/a.git/", "*"], &["./a/", "*"])
            .expect("terms");
    assert_eq!(good.line(Term::Projects), r#""a b" (both roles) "*" (both roles) "a=consumer" "*=provider""#);
    assert_eq!(good.projects, ["a b", "*", "a=consumer", "*=provider"]);
    assert_eq!(good.repos, ["https://Me@host/a", "*"]);
    assert_eq!(good.paths, ["a", "*"]);
    let term = |bind: Result<Terms, super::TermProblem>| bind.expect_err("a problem").term;
    for project in
        ["", " ", "net-*", "**", "a=", "a=b", "a=Consumer", "a=consumer=provider", "=consumer", "**=consumer"]
    {
        assert_eq!(term(make(&["a", project], &[], &[])), Term::Projects, "{project}");
    }
    for hidden in ["a\nb", "a\tb", "a\u{7f}b", "a\u{85}b"] {
        assert_eq!(term(make(&[hidden], &[], &[])), Term::Projects, "{hidden:?}");
        assert_eq!(term(make(&[], &[hidden], &[])), Term::Repos, "{hidden:?}");
        assert_eq!(term(make(&[], &[], &[hidden])), Term::Paths, "{hidden:?}");
    }
    // these would be `*` if they were spelled first and compared then
    for repo in ["*/", "*.git", "https://*", "https://me:x@host/a", "ssh://git:x@host", "me:x@host:a"] {
        assert_eq!(term(make(&[], &[repo], &[])), Term::Repos, "{repo}");
    }
    // sealed as `https://host/a.git`, they would be read again as `https://host/a`
    for repo in ["https://host/a.git.git", "https://host/a.git/.git/", "host/.git/.git"] {
        assert_eq!(term(make(&[], &[repo], &[])), Term::Repos, "{repo}");
    }
    for path in ["./*", "*/", "a/*", "../a", "/a"] {
        assert_eq!(term(make(&[], &[], &[path])), Term::Paths, "{path}");
    }
    // neither a port nor a path is a password
    assert!(make(&[], &["https://host:8443/a@b", "git@host:a:b@c"], &[]).is_ok());
}

#[test]
fn pairs_have_no_order() {
    let id = |name: &str| name.parse().expect("an ID");
    let pair = ClusterPair::new(id("rome"), id("milan"));
    assert_eq!(pair, ClusterPair::new(id("milan"), id("rome")));
    assert_eq!(pair.ids().map(ToString::to_string), ["milan", "rome"]);
    assert_eq!(ClusterPair::from_words(&["rome".into(), "milan".into()]), Some(pair));
    for words in [["rome", "rome"], ["rome", ""], ["Rome", "milan"]] {
        assert_eq!(ClusterPair::from_words(&words.map(Into::into)), None);
    }
}

#[test]
fn terms_are_said_in_one_line() {
    let id = |name: &str| name.parse().expect("an ID");
    let pair = ClusterPair::new(id("rome"), id("milan"));
    let words = |word: &str| vec![word.to_owned()];
    let bind = Terms::new(vec![pair], &words("net"), &words("https://host/a"), &[], &[]).expect("terms");
    assert_eq!(
        bind.to_string(),
        "clusters \"milan/rome\"; projects \"net\" (both roles); repos \"https://host/a\"; paths none; \
         revisions any; delivery any"
    );
    let delivery = Terms { delivery: vec![Delivery::SealedSecret, Delivery::External], ..bind.clone() };
    assert!(delivery.to_string().ends_with(r#"; delivery "SealedSecret" "External""#), "{delivery}");
    let json = serde_json::to_string(&bind.to_json()).expect("JSON");
    assert!(!json.contains("delivery") && !json.contains("certificates"), "as files had it before: {json}");
    let token = Terms { repos: words("https://ghp_x@host/a"), ..bind.clone() };
    assert!(token.to_string().contains("repos \"https://***@host/a\";"), "{token}");
    // no value reads as another term or as several values
    for (written, shown) in [
        ("net\nopened", r#"projects "net?opened" (both roles);"#),
        ("x; repos https://ok", r#"projects "x; repos https://ok" (both roles);"#),
        ("x\"; repos \"https://ok", r#"projects "x\"; repos \"https://ok" (both roles);"#),
        ("a b", r#"projects "a b" (both roles);"#),
        ("none", r#"projects "none" (both roles);"#),
    ] {
        let bind = Terms { projects: words(written), ..bind.clone() };
        assert!(bind.to_string().contains(shown), "{bind}");
    }
    let terms = Term::ALL.map(|term| term.to_string());
    assert_eq!(terms, ["clusters", "projects", "repos", "paths", "revisions", "delivery"]);
}
