//! Spellings, and values that no term can have.

use super::{
    ClusterPair, EntryClusters, Term, TermProblem, Terms, TermsEntry, TermsJson, normal_path,
    normal_repo,
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
fn listing(projects: &[&str], repos: &[&str], paths: &[&str]) -> Result<TermsEntry, TermProblem> {
    let lists = [
        (Term::Projects, projects),
        (Term::Repos, repos),
        (Term::Paths, paths),
    ];
    lists.into_iter().try_fold(
        TermsEntry::new(EntryClusters::Any),
        |entry, (term, values)| {
            entry.set(
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
}

fn entry(clusters: EntryClusters, lists: &[(Term, &str)]) -> TermsEntry {
    let mut lists = lists
        .iter()
        .map(|(term, value)| (*term, [(*value).to_owned()]));
    lists
        .try_fold(TermsEntry::new(clusters), |entry, (term, value)| {
            entry.set(term, &value)
        })
        .expect("an entry")
}

fn rome_and_milan() -> Sides<crate::peering::values::ClusterId> {
    let [consumer, provider] = ["rome", "milan"].map(|name| name.parse().expect("an ID"));
    Sides { consumer, provider }
}

#[test]
fn terms_are_a_table() {
    let peering = EntryClusters::Peerings(vec![rome_and_milan()]);
    let entry_of = |lists: &[(Term, &str)]| entry(peering.clone(), lists);
    let one = entry_of(&[
        (Term::Projects, "net=rome"),
        (Term::Repos, "https://host/a"),
    ]);
    let rows = [
        "  clusters      \"rome\" (consumer) \"milan\" (provider)",
        "  projects      \"net=rome\"",
        "  repos         \"https://host/a\"",
        "  paths         none",
        "  revisions     any",
        "  delivery      any",
        "  namespaces    any",
    ];
    assert_eq!(Terms::new(vec![one.clone()]).rows(), rows);
    let other = entry_of(&[
        (Term::Projects, "net=milan"),
        (Term::Delivery, "External"),
        (Term::Namespaces, "a=milan"),
        (Term::LabelDomains, "example.org"),
    ]);
    // what limits something comes first
    let rows = Terms::new(vec![other.clone()]).rows();
    assert_eq!(rows[4], "  labelDomains  \"example.org\"", "{rows:?}");
    assert_eq!(rows[5], "  repos         none", "{rows:?}");
    let both = Terms::new(vec![one, other]).rows();
    assert!(
        both[0].starts_with("  entry 1 clusters \"rome\""),
        "{both:?}"
    );
    assert!(both[7].starts_with("  entry 2 clusters"), "{both:?}");
    let token = Terms::new(vec![entry_of(&[(Term::Repos, "https://ghp_x@host/a")])]).rows();
    assert_eq!(token[1], "  repos         \"https://***@host/a\"");
    // no value reads as another term, as several values, or as letters of another script
    for (written, shown) in [
        ("x; repos https://ok=rome", r#""x; repos https://ok=rome""#),
        (
            "x\"; repos \"https://ok=rome",
            r#""x\"; repos \"https://ok=rome""#,
        ),
        ("a b=rome", r#""a b=rome""#),
        ("none=rome", r#""none=rome""#),
        ("n\u{435}t=rome", r#""n\u{435}t=rome""#),
    ] {
        let rows = Terms::new(vec![entry_of(&[(Term::Projects, written)])]).rows();
        assert_eq!(rows[1], format!("  projects      {shown}"));
    }
    let terms: Vec<String> = Term::ALL.iter().map(ToString::to_string).collect();
    let words =
        "clusters projects repos paths revisions delivery namespaces labelDomains offloads letsIn";
    assert_eq!(terms.join(" "), words);
}

/// What is sealed keeps its meaning: the JSON is read, and written again as it was.
#[test]
fn terms_are_read_as_they_were_sealed() {
    let read = |text: &str| -> Option<Terms> {
        Terms::from_json(&serde_json::from_str::<TermsJson>(text).ok()?)
    };
    let peering = r#""peerings":[{"consumer":"rome","provider":"milan"}]"#;
    let turin = r#"{"peerings":[{"consumer":"turin","provider":"milan"}],"paths":["y"]}"#;
    let key = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    for fields in [
        String::new(),
        r#","projects":["a=rome","b=milan"],"repos":["https://host/a"],"paths":["x","y"]"#.into(),
        r#","revisions":["main"],"delivery":["SealedSecret"]"#.into(),
        r#","projects":["a=rome"],"namespaces":["n=milan"]"#.into(),
        r#","labelDomains":["example.org=milan","istio-injection"]"#.into(),
        format!(r#","offloads":["demo=rome"],"letsIn":["key {key}"]"#),
    ] {
        let text = format!("{{{peering}{fields}}}");
        let terms = read(&text).expect(&text);
        assert_eq!(serde_json::to_string(&terms.to_json()).expect("JSON"), text);
    }
    let two = format!(r#"{{"allow":[{{{peering}}},{turin}]}}"#);
    let terms = read(&two).expect(&two);
    assert_eq!(serde_json::to_string(&terms.to_json()).expect("JSON"), two);
    let [pinned, let_in] = [("publicKeys", ""), ("letsIn", "key ")].map(|(field, kind)| {
        read(&format!(
            r#"{{"allow":[{{{peering},"{field}":["{kind}{key}"]}}]}}"#
        ))
    });
    assert!(pinned.is_some() && pinned == let_in);
    for entry in [
        r#""peerings":[]"#.to_owned(),
        r#""peerings":[{"consumer":"rome","provider":"rome"}]"#.into(),
        r#""peerings":[{"consumer":"rome","provider":"milan","x":1}]"#.into(),
        // earlier forms
        r#""clusters":[["milan","rome"]]"#.into(),
        format!(r#"{peering},"projects":["a"]"#),
        format!(r#"{peering},"projects":["*"]"#),
        format!(r#"{peering},"managedBy":["gitops"]"#),
        format!(r#"{peering},"projects":["a=consumer"]"#),
        format!(r#"{peering},"namespaces":["Not a name"]"#),
        format!(r#"{peering},"delivery":["*"]"#),
        format!(r#"{peering},"labelDomains":["*"]"#),
        format!(r#"{peering},"allow":[]"#),
        format!(r#"{peering},"certificates":{{"rome":"x"}}"#),
        format!(r#"{peering},"unknown":[]"#),
        format!("{peering},{peering}"),
    ] {
        assert_eq!(
            read(&format!(r#"{{"allow":[{{{entry}}}]}}"#)),
            None,
            "{entry}"
        );
    }
    for malformed in [
        "{}".to_owned(),
        r#"{"allow":[]}"#.into(),
        format!(r#"{{{peering},"allow":[{{{peering}}}]}}"#),
        r#"{"clusters":[["milan","rome"]],"projects":["a=consumer"]}"#.into(),
    ] {
        assert_eq!(read(&malformed), None, "{malformed}");
    }
}
