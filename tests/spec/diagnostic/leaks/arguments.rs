//! Secrets on the command line and in the environment, where none belongs: what is wrong is quoted there.

use super::canary::{CANARIES, Canary, HEX};
use crate::harness::{Checkout, Outcome, RECIPIENT, Run, Sample, lines, rows, words};

/// The canaries that are tried there. Hexadecimal digits in a path have a test of their own, in `forms`.
fn canaries(pattern: &str) -> impl Iterator<Item = Canary> {
    let hex = !["/@", "@/", "@@"].iter().any(|word| pattern.contains(word));
    CANARIES.into_iter().chain(hex.then_some(HEX))
}

/// A run of a line with a secret in it.
fn run(checkout: &Checkout, line: &str, secret: &str) -> Outcome {
    let word = |word: String| word.replace('@', secret).replace("RECIPIENT", RECIPIENT);
    checkout.program(words(line).into_iter().map(word)).run()
}

#[test]
fn on_the_command_line() {
    let checkout = Checkout::new();
    for (line, code) in rows(include_str!("lines.txt")) {
        for canary in canaries(line) {
            let outcome = run(&checkout, line, canary.text);
            assert_eq!(
                outcome.code,
                code.parse().ok(),
                "{line} {}: {outcome}",
                canary.what
            );
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
            let more = if flag == "--project" {
                "--repo r --path p"
            } else {
                ""
            };
            let line =
                format!("seed new new.age --clusters a,b --recipient RECIPIENT {flag} @ {more}");
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
            let outcome = run(
                &checkout,
                "seed new new.age --clusters a,b --recipients-file list",
                "",
            );
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
        for json in lines(include_str!("parameters.txt")).filter(|_| sample.takes()) {
            let run =
                plugin("consumer").env("ARGOCD_APP_PARAMETERS", json.replace('@', canary.text));
            let outcome = run.run();
            outcome.fails(2, "parameter");
            canary.is_hidden_in(&outcome.stderr, json);
        }
    }
}

#[test]
fn variables() {
    for canary in CANARIES.iter().chain([&HEX]) {
        let role = plugin("consumer")
            .env("ARGOCD_APP_PARAMETERS", "null")
            .env("ARGOCD_ENV_ROLE", canary.text)
            .run();
        role.fails(2, "parameter");
        canary.is_hidden_in(&role.stderr, "ARGOCD_ENV_ROLE");
        // variables that the program does not read, or reads only whether they are empty
        let mut run = plugin("consumer")
            .env("KUBE_VERSION", canary.text)
            .env("KUBE_API_VERSIONS", canary.text);
        for name in
            "ARGOCD_ENV_TOKEN PARAM_ROLE PARAM_TOKEN AGE_PASSPHRASE ARGOCD_APP_NAME HOME".split(' ')
        {
            run = run.env(name, canary.text);
        }
        let outcome = run.run();
        outcome.stream();
        canary.is_hidden_in(&outcome.stderr, "an unread variable");
        canary.is_hidden_in(&outcome.stdout, "an unread variable");
    }

    let mut sample = Sample::new();
    for name in
        "ARGOCD_APP_PROJECT_NAME ARGOCD_APP_SOURCE_REPO_URL ARGOCD_APP_SOURCE_PATH".split(' ')
    {
        for value in ["@", "https://@/a", "https://example.org/@", "a b @", "@@"] {
            for canary in canaries(value).filter(|_| sample.takes()) {
                let denied = plugin("provider")
                    .env(name, value.replace('@', canary.text))
                    .run();
                denied.fails(3, "denied");
                canary.is_hidden_in(&denied.stderr, format_args!("{name}={value}"));
            }
        }
    }
}
