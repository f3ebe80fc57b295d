//! Spellings, and values that no term can have.

use super::{
    ClusterPair, Clusters, Entry, Term, TermProblem, Terms, TermsJson, normal_path, normal_repo,
};
use crate::peering::values::Sides;

#[test]
fn repositories_have_one_spelling() {
    for (url, normal) in [
        (
            "https://Git.Example.ORG/Net/peerings.git",
            "https://git.example.org/Net/peerings",
        ),
        (
            "https://git.example.org/net/peerings/",
            "https://git.example.org/net/peerings",
        ),
        (
            "https://git.example.org/net/peerings.git/",
            "https://git.example.org/net/peerings",
        ),
        (
            "https://Me@Git.example.org:8443/a.git",
            "https://Me@git.example.org:8443/a",
        ),
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
    for (path, normal) in [
        ("a/b", Some("a/b")),
        ("./a/b/", Some("a/b")),
        (".", Some(".")),
        ("./", Some(".")),
    ] {
        assert_eq!(normal_path(path).as_deref(), normal, "{path}");
    }
    for path in ["", "..", "a/../b", "/a", "a//b", "a/./b", "a/..", "a//"] {
        assert_eq!(normal_path(path), None, "{path}");
    }
}

/// An entry of any clusters.
fn listing(projects: &[&str], repos: &[&str], paths: &[&str]) -> Result<Entry, TermProblem> {
    let lists = [
        (Term::Projects, projects),
        (Term::Repos, repos),
        (Term::Paths, paths),
    ];
    lists.into_iter().try_fold(
        Entry::of(Clusters::Either(Vec::new())),
        |entry, (term, values)| {
            entry.with(
                term,
                &values.iter().map(ToString::to_string).collect::<Vec<_>>(),
            )
        },
    )
}

/// The term that cannot have its values.
fn refused(projects: &[&str], repos: &[&str], paths: &[&str]) -> Term {
    listing(projects, repos, paths).expect_err("a problem").term
}

#[test]
fn what_no_term_can_be() {
    let good = listing(
        &["a b", "*", "a=consumer", "*=provider"],
        &["https://Me@Host/a.git/", "*"],
        &["./a/", "*"],
    )
    .expect("terms");
    assert_eq!(
        good.line(Term::Projects),
        r#""a b" (both roles) "*" (both roles) "a=consumer" "*=provider""#
    );
    assert_eq!(
        good.values(Term::Projects),
        ["a b", "*", "a=consumer", "*=provider"]
    );
    assert_eq!(good.values(Term::Repos), ["https://Me@host/a", "*"]);
    assert_eq!(good.values(Term::Paths), ["a", "*"]);
    for project in [
        "",
        " ",
        "net-*",
        "**",
        "a=",
        "a=b",
        "a=Consumer",
        "a=consumer=provider",
        "=consumer",
        "**=consumer",
    ] {
        assert_eq!(
            refused(&["a", project], &[], &[]),
            Term::Projects,
            "{project}"
        );
    }
    for hidden in ["a\nb", "a\tb", "a\u{7f}b", "a\u{85}b"] {
        assert_eq!(refused(&[hidden], &[], &[]), Term::Projects, "{hidden:?}");
        assert_eq!(refused(&[], &[hidden], &[]), Term::Repos, "{hidden:?}");
        assert_eq!(refused(&[], &[], &[hidden]), Term::Paths, "{hidden:?}");
    }
    // these would be `*` if they were spelled first and compared then
    for repo in [
        "*/",
        "*.git",
        "https://*",
        "https://me:x@host/a",
        "ssh://git:x@host",
        "me:x@host:a",
    ] {
        assert_eq!(refused(&[], &[repo], &[]), Term::Repos, "{repo}");
    }
    // sealed as `https://host/a.git`, they would be read again as `https://host/a`
    for repo in [
        "https://host/a.git.git",
        "https://host/a.git/.git/",
        "host/.git/.git",
    ] {
        assert_eq!(refused(&[], &[repo], &[]), Term::Repos, "{repo}");
    }
    for path in ["./*", "*/", "a/*", "../a", "/a"] {
        assert_eq!(refused(&[], &[], &[path]), Term::Paths, "{path}");
    }
    // neither a port nor a path is a password
    assert!(listing(&[], &["https://host:8443/a@b", "git@host:a:b@c"], &[]).is_ok());
}

#[test]
fn pairs_have_no_order() {
    let Sides { consumer, provider } = rome_and_milan();
    let pair = ClusterPair::new(consumer.clone(), provider.clone());
    assert_eq!(pair, ClusterPair::new(provider, consumer));
    assert_eq!(pair.ids().map(ToString::to_string), ["milan", "rome"]);
    assert_eq!(
        ClusterPair::from_words(&["rome".into(), "milan".into()]),
        Some(pair)
    );
    for words in [["rome", "rome"], ["rome", ""], ["Rome", "milan"]] {
        assert_eq!(ClusterPair::from_words(&words.map(Into::into)), None);
    }
}

fn entry(clusters: Clusters, lists: &[(Term, &str)]) -> Entry {
    let mut lists = lists
        .iter()
        .map(|(term, value)| (*term, [(*value).to_owned()]));
    lists
        .try_fold(Entry::of(clusters), |entry, (term, value)| {
            entry.with(term, &value)
        })
        .expect("an entry")
}

fn rome_and_milan() -> Sides<crate::peering::values::ClusterId> {
    let [consumer, provider] = ["rome", "milan"].map(|name| name.parse().expect("an ID"));
    Sides { consumer, provider }
}

#[test]
fn terms_are_one_line() {
    let Sides { consumer, provider } = rome_and_milan();
    let either = Clusters::Either(vec![ClusterPair::new(consumer, provider)]);
    let old = entry(
        either.clone(),
        &[(Term::Projects, "net"), (Term::Repos, "https://host/a")],
    );
    assert_eq!(
        Terms::of(vec![old.clone()]).to_string(),
        "clusters \"milan/rome\" (either may be the consumer); projects \"net\" (both roles); \
         repos \"https://host/a\"; paths none; revisions any; delivery any; namespaces any; managedBy none"
    );
    let new = entry(
        Clusters::Peerings(vec![rome_and_milan()]),
        &[
            (Term::Projects, "net=rome"),
            (Term::Delivery, "External"),
            (Term::Namespaces, "a=milan"),
        ],
    );
    let line = "clusters \"rome\" (consumer) \"milan\" (provider); projects \"net=rome\"; repos none; paths none; \
         revisions any; delivery \"External\"; namespaces \"a=milan\"; managedBy none";
    assert_eq!(Terms::of(vec![new.clone()]).to_string(), line);
    let both = Terms::of(vec![old, new]).to_string();
    assert!(
        both.starts_with("entry 1: clusters") && both.contains("; entry 2: clusters \"rome\""),
        "{both}"
    );
    let token = entry(either.clone(), &[(Term::Repos, "https://ghp_x@host/a")]);
    assert!(
        token.text().contains("repos \"https://***@host/a\";"),
        "{}",
        token.text()
    );
    // no value reads as another term, as several values, or as letters of another script
    for (written, shown) in [
        (
            "x; repos https://ok",
            r#"projects "x; repos https://ok" (both roles);"#,
        ),
        (
            "x\"; repos \"https://ok",
            r#"projects "x\"; repos \"https://ok" (both roles);"#,
        ),
        ("a b", r#"projects "a b" (both roles);"#),
        ("none", r#"projects "none" (both roles);"#),
        ("n\u{435}t", r#"projects "n\u{435}t" (both roles);"#),
    ] {
        let entry = entry(either.clone(), &[(Term::Projects, written)]);
        assert!(entry.text().contains(shown), "{}", entry.text());
    }
    let terms: Vec<String> = Term::ALL.iter().map(ToString::to_string).collect();
    let words =
        "clusters projects repos paths revisions delivery namespaces managedBy offloads letsIn";
    assert_eq!(terms.join(" "), words);
}

/// What is sealed keeps its meaning: the JSON of older files is read, and written again as it was.
#[test]
fn terms_are_read_as_they_were_sealed() {
    let read = |text: &str| -> Option<Terms> {
        Terms::from_json(&serde_json::from_str::<TermsJson>(text).ok()?)
    };
    for text in [
        r#"{"clusters":[["milan","rome"],["rome","turin"]]}"#,
        r#"{"clusters":[["milan","rome"]],"projects":["a=consumer","b"],"repos":["https://host/a"],"paths":["x","y"]}"#,
        r#"{"clusters":[["milan","rome"]],"revisions":["main"],"delivery":["SealedSecret"]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan"}],"projects":["a=rome"],"namespaces":["n=milan"]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan"}],"managedBy":["gitops=milan"]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan"}],"offloads":["demo=rome"],"letsIn":["key sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"]}"#,
        r#"{"allow":[{"peerings":[{"consumer":"rome","provider":"milan"}],"paths":["x"]},{"peerings":[{"consumer":"turin","provider":"milan"}],"paths":["y"]}]}"#,
    ] {
        let terms = read(text).expect(text);
        assert_eq!(serde_json::to_string(&terms.to_json()).expect("JSON"), text);
    }
    let key = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let peering = r#""peerings":[{"consumer":"rome","provider":"milan"}]"#;
    let [pinned, let_in] = [("publicKeys", ""), ("letsIn", "key ")]
        .map(|(field, kind)| read(&format!("{{{peering},\"{field}\":[\"{kind}{key}\"]}}")));
    assert!(pinned.is_some() && pinned == let_in);
    for malformed in [
        "{}",
        r#"{"allow":[]}"#,
        r#"{"peerings":[]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"rome"}]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan","x":1}]}"#,
        r#"{"clusters":[["milan","rome"]],"peerings":[{"consumer":"rome","provider":"milan"}]}"#,
        r#"{"clusters":[["milan","rome"]],"projects":["a=rome"]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan"}],"projects":["a=consumer"]}"#,
        r#"{"peerings":[{"consumer":"rome","provider":"milan"}],"namespaces":["Not a name"]}"#,
        r#"{"clusters":[["milan","rome"]],"delivery":["*"]}"#,
        r#"{"clusters":[["milan","rome"]],"managedBy":["*"]}"#,
        r#"{"clusters":[],"allow":[{"clusters":[["milan","rome"]]}]}"#,
        r#"{"paths":["x"],"allow":[{"clusters":[["milan","rome"]]}]}"#,
        r#"{"allow":[{"allow":[{"clusters":[["milan","rome"]]}]}]}"#,
        r#"{"allow":[{"clusters":[["milan","rome"]],"certificates":{"rome":"x"}}]}"#,
        r#"{"clusters":[["milan","rome"]],"unknown":[]}"#,
    ] {
        assert_eq!(read(malformed), None, "{malformed}");
    }
}
