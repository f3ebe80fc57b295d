//! Secrets on the command line and in the environment, where none belongs: what is wrong is quoted there.

use super::canary::{CANARIES, Canary, HEX};
use crate::harness::{Checkout, Outcome, RECIPIENT, Run, Sample};

/// The canaries that are tried there. Hexadecimal digits in a path have a test of their own, in `forms`.
fn canaries(pattern: &str) -> impl Iterator<Item = Canary> {
    let hex = !["/@", "@/", "@@"].iter().any(|word| pattern.contains(word));
    CANARIES.into_iter().chain(hex.then_some(HEX))
}

/// Every canary in the place of `@` in these arguments; each run must fail and show nothing.
fn each(arguments: &[&str], code: i32) {
    let checkout = Checkout::new();
    for canary in canaries(&arguments.join(" ")) {
        let run = checkout.program(arguments.iter().map(|word| word.replace('@', canary.text)));
        let outcome = run.run();
        assert_eq!(outcome.code, Some(code), "{arguments:?} {}: {outcome}", canary.what);
        assert_eq!(outcome.stdout, "", "{outcome}");
        assert!(!outcome.stderr.is_empty());
        canary.is_hidden_in(&outcome.stderr, format_args!("{arguments:?}"));
    }
}

#[test]
fn where_a_word_of_a_fixed_set_belongs() {
    each(&["@"], 2);
    each(&["generate", "--role", "@"], 2);
    each(&["generate", "--role=@"], 2);
    each(&["generate", "--role", " @"], 2);
    each(&["generate", "--@"], 2);
    each(&["--@", "generate"], 2);
    each(&["seed", "@"], 2);
    each(&["seal", "@"], 2);
    each(&["generate", "--local=@"], 2);
    each(&["generate", "a", "@"], 2);
    each(&["generate", "--role", "consumer", "--role", "@"], 2);
}

#[test]
fn where_a_file_belongs() {
    each(&["generate", "@", "--local", "--role", "consumer"], 3);
    each(&["generate", "--local", "--role", "provider", "--identity-file", "@"], 3);
    each(&["generate", "--local", "--role", "provider", "--identity-file", "a/@"], 3);
    let seal = ["--clusters", "a,b", "--recipient", RECIPIENT];
    each(&[&["seal", "kubeconfig", "@"], &seal[..]].concat(), 3);
    each(&[&["seed", "new", "no-folder/@"], &seal[..]].concat(), 3);
    each(&["seed", "new", "new.age", "--clusters", "a,b", "--recipients-file", "@"], 2);
    each(&[&["seed", "new", "x", "@"], &seal[..]].concat(), 2);
}

#[test]
fn where_terms_and_recipients_belong() {
    let seed = ["seed", "new", "new.age", "--recipient", RECIPIENT, "--clusters"];
    for clusters in ["@", "@,b", "a,@", "@,@", "a,b,@", "@ b"] {
        // in small letters some of them could be a cluster's name
        for canary in CANARIES.iter().chain([&HEX]) {
            let outcome = run(seed.iter().copied().chain([clusters]), canary.text);
            assert_eq!(outcome.stdout, "");
            canary.is_hidden_in(&outcome.stderr, clusters);
        }
    }
    each(&["seed", "new", "new.age", "--clusters", "a,b", "--recipient", "@"], 2);
    each(&["seed", "new", "new.age", "--clusters", "a,b", "--recipient", RECIPIENT, "--recipient", "@"], 2);
    each(&["seed", "new", "new.age", "--clusters", "a,b", "--recipient", RECIPIENT, "--path", "/@"], 2);
    each(&["seed", "new", "new.age", "--clusters", "a,b", "--recipient", RECIPIENT, "--bogus", "@"], 2);
}

fn run<'a>(arguments: impl Iterator<Item = &'a str>, secret: &str) -> Outcome {
    Checkout::new().program(arguments.map(|word| word.replace('@', secret)).collect::<Vec<_>>()).run()
}

/// Terms are repeated when a file is sealed, and each time that it is opened.
#[test]
fn terms_that_are_secrets_are_not_repeated() {
    for flag in ["--project", "--repo", "--path"] {
        for canary in CANARIES.iter().chain([&HEX]) {
            let arguments =
                ["seed", "new", "new.age", "--clusters", "a,b", "--recipient", RECIPIENT, flag, "@"];
            // a project needs the other two as well
            let more: &[&str] = if flag == "--project" { &["--repo", "r", "--path", "p"] } else { &[] };
            let outcome = run(arguments.into_iter().chain(more.iter().copied()), canary.text);
            // after `=` a project has a role
            if flag == "--project" && canary.text.contains('=') {
                outcome.fails(2, "flag");
            } else {
                outcome.done();
            }
            canary.is_hidden_in(&outcome.stderr, flag);
        }
    }
}

/// A recipients file with an identity in it, which is what `age-keygen` writes to.
#[test]
fn an_identity_in_a_recipients_file_is_not_repeated() {
    let checkout = Checkout::new();
    for canary in CANARIES.iter().chain([&HEX]) {
        for content in ["@\n", "# a comment\n@\n", "age1@\n", "@ @"] {
            checkout.write("list", content.replace('@', canary.text));
            let arguments = ["seed", "new", "new.age", "--clusters", "a,b", "--recipients-file", "list"];
            let outcome = checkout.program(arguments).run();
            outcome.fails(2, "flag").says("list, line ");
            canary.is_hidden_in(&outcome.stderr, content);
        }
    }
}

fn plugin(role: &str) -> Run {
    Checkout::new().plugin(role)
}

#[test]
fn parameters() {
    let mut sample = Sample::new();
    for canary in CANARIES.iter().chain([&HEX]) {
        for json in [
            r#"[{"name":"role","string":"@"}]"#,
            r#"[{"name":"role","string":"consumer @"}]"#,
            r#"[{"name":"@","string":"consumer"}]"#,
            r#"[{"name":"role @","string":"consumer"}]"#,
            r#"[{"name":"role","string":["@"]}]"#,
            r#"[{"name":"role","array":["@"]}]"#,
            r#"[{"name":"role","map":{"@":"@"}}]"#,
            r#"[{"name":"role","string":"consumer"},{"name":"role","string":"@"}]"#,
            r#"[{"name":"role","string":"consumer"},{"name":"x","string":"@"}]"#,
            r#"[{"name":{"@":1},"string":"consumer"}]"#,
            r#"["@"]"#,
            r#"{"@":"@"}"#,
            r#""@""#,
            "@",
            r#"[{"name":"role","string":"@"#,
            r#"[{"name":"role","string":"consumer"}] @"#,
        ]
        .into_iter()
        .filter(|_| sample.takes())
        {
            let run = plugin("consumer").env("ARGOCD_APP_PARAMETERS", json.replace('@', canary.text));
            let outcome = run.run();
            outcome.fails(2, "parameter");
            canary.is_hidden_in(&outcome.stderr, json);
        }
    }
}

#[test]
fn variables() {
    for canary in CANARIES.iter().chain([&HEX]) {
        let role =
            plugin("consumer").env("ARGOCD_APP_PARAMETERS", "null").env("ARGOCD_ENV_ROLE", canary.text).run();
        role.fails(2, "parameter");
        canary.is_hidden_in(&role.stderr, "ARGOCD_ENV_ROLE");
        // variables that the program does not read, or reads only whether they are empty
        let mut run =
            plugin("consumer").env("KUBE_VERSION", canary.text).env("KUBE_API_VERSIONS", canary.text);
        for name in
            ["ARGOCD_ENV_TOKEN", "PARAM_ROLE", "PARAM_TOKEN", "AGE_PASSPHRASE", "ARGOCD_APP_NAME", "HOME"]
        {
            run = run.env(name, canary.text);
        }
        let outcome = run.run();
        outcome.stream();
        canary.is_hidden_in(&outcome.stderr, "an unread variable");
        canary.is_hidden_in(&outcome.stdout, "an unread variable");
    }

    let mut sample = Sample::new();
    for name in ["ARGOCD_APP_PROJECT_NAME", "ARGOCD_APP_SOURCE_REPO_URL", "ARGOCD_APP_SOURCE_PATH"] {
        for value in ["@", "https://@/a", "https://example.org/@", "a b @", "@@"] {
            for canary in canaries(value).filter(|_| sample.takes()) {
                let denied = plugin("provider").env(name, value.replace('@', canary.text)).run();
                denied.fails(3, "denied");
                canary.is_hidden_in(&denied.stderr, format_args!("{name}={value}"));
            }
        }
    }
}
