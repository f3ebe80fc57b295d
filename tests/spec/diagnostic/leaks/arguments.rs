//! Secrets on the command line and in the environment, where none belongs: what is wrong is quoted there.

use super::canary::{CANARIES, Canary, HEX};
use crate::harness::{Checkout, Outcome, RECIPIENT, Run, Sample, words};

/// The canaries that are tried there. Hexadecimal digits in a path have a test of their own, in `forms`.
fn canaries(pattern: &str) -> impl Iterator<Item = Canary> {
    let hex = !["/@", "@/", "@@"].iter().any(|word| pattern.contains(word));
    CANARIES.into_iter().chain(hex.then_some(HEX))
}

/// Command lines with `@` in the place of a secret, and how each of them ends.
const LINES: [(&str, i32); 22] = [
    // where a word of a fixed set belongs
    ("@", 2),
    ("generate --role @", 2),
    ("generate --role=@", 2),
    ("generate --role \" @\"", 2),
    ("generate --@", 2),
    ("--@ generate", 2),
    ("seed @", 2),
    ("seal @", 2),
    ("generate --local=@", 2),
    ("generate a @", 2),
    ("generate --role consumer --role @", 2),
    // where a file belongs
    ("generate @ --local --role consumer", 3),
    ("generate --local --role provider --identity-file @", 3),
    ("generate --local --role provider --identity-file a/@", 3),
    ("seal kubeconfig @ --clusters a,b --recipient RECIPIENT", 3),
    ("seed new no-folder/@ --clusters a,b --recipient RECIPIENT", 3),
    ("seed new new.age --clusters a,b --recipients-file @", 2),
    ("seed new x @ --clusters a,b --recipient RECIPIENT", 2),
    // where terms and recipients belong
    ("seed new new.age --clusters a,b --recipient @", 2),
    ("seed new new.age --clusters a,b --recipient RECIPIENT --recipient @", 2),
    ("seed new new.age --clusters a,b --recipient RECIPIENT --path /@", 2),
    ("seed new new.age --clusters a,b --recipient RECIPIENT --bogus @", 2),
];

/// A run of a line with a secret in it.
fn run(checkout: &Checkout, line: &str, secret: &str) -> Outcome {
    let word = |word: String| word.replace('@', secret).replace("RECIPIENT", RECIPIENT);
    checkout.program(words(line).into_iter().map(word)).run()
}

#[test]
fn on_the_command_line() {
    let checkout = Checkout::new();
    for (line, code) in LINES {
        for canary in canaries(line) {
            let outcome = run(&checkout, line, canary.text);
            assert_eq!(outcome.code, Some(code), "{line} {}: {outcome}", canary.what);
            assert_eq!(outcome.stdout, "", "{outcome}");
            assert!(!outcome.stderr.is_empty());
            canary.is_hidden_in(&outcome.stderr, line);
        }
    }
    for clusters in ["@", "@,b", "a,@", "@,@", "a,b,@", "\"@ b\""] {
        // in small letters some of them could be a cluster's name
        for canary in CANARIES.iter().chain([&HEX]) {
            let line = format!("seed new new.age --recipient RECIPIENT --clusters {clusters}");
            let outcome = run(&Checkout::new(), &line, canary.text);
            assert_eq!(outcome.stdout, "");
            canary.is_hidden_in(&outcome.stderr, clusters);
        }
    }
}

/// Terms are repeated when a file is sealed, and each time that it is opened.
#[test]
fn terms_that_are_secrets_are_not_repeated() {
    for flag in ["--project", "--repo", "--path"] {
        for canary in CANARIES.iter().chain([&HEX]) {
            // a project needs the other two as well
            let more = if flag == "--project" { "--repo r --path p" } else { "" };
            let line = format!("seed new new.age --clusters a,b --recipient RECIPIENT {flag} @ {more}");
            let outcome = run(&Checkout::new(), &line, canary.text);
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
            let outcome = run(&checkout, "seed new new.age --clusters a,b --recipients-file list", "");
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
