//! Whole files of secrets in the document: the wrong clipboard, the wrong file name, the wrong `cat`.

use super::canary::{CANARIES, HEX, KEY, screen, shown};
use crate::harness::{
    Checkout, SEED, Sample, demo_identity, document, edited, lines, quickstart, words,
};
use std::fs;

/// What is secret in `pasted.txt`, each under its name there.
const SECRETS: [(&str, &str); 9] = [
    (
        "@PEM",
        "4BzqqlYc3OufQb9R2zEwJrh5Dt38rTNz+J1hCF4xiIMrz+In+9X1HudHXFZ2efOu",
    ),
    ("@END", "vdlSCJLEzGQwH/v9"),
    (
        "@TOKEN",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6ImNhbmFyeS1raWQtb2Ytbm9ib2R5In0.eyJpc3MiOiJrdWJlcm5ldGVzIn0.R9Jfq4Wp03ZI5D5hLsz2b0LFqRV1C9ENHP0PqC1uaXTi8C9YjK",
    ),
    (
        "@IDENTITY",
        "2MNNTCEQNDXZJGUVGL9JX6PVUF39Y5V83FXRUQYASTTGNT92AMKSEMP2FA",
    ),
    ("@SEED", SEED.split_at(21).1),
    ("@KEY", KEY.text),
    ("@HEX", HEX.text),
    ("@PASSWORD", "hunter2"),
    ("@WORD", "aHVudGVy"),
];

/// What could be pasted, and what in it is secret.
fn blocks() -> Vec<(String, Vec<&'static str>)> {
    let block = |line| {
        let words = words(line);
        let of_it = |(name, _): &&(&str, &str)| words[1..].iter().any(|word| word == name);
        let secrets: Vec<_> = SECRETS.iter().filter(of_it).collect();
        assert_eq!(secrets.len() + 1, words.len(), "{line}");
        let text = secrets
            .iter()
            .fold(words[0].clone(), |text, (name, secret)| {
                assert!(text.contains(name), "{line}");
                text.replace(name, secret)
            });
        (text, secrets.iter().map(|(_, secret)| *secret).collect())
    };
    lines(include_str!("pasted.txt")).map(block).collect()
}

fn indented(block: &str, by: usize) -> String {
    let blank = " ".repeat(by);
    block
        .lines()
        .flat_map(|line| [blank.as_str(), line, "\n"])
        .collect()
}

#[track_caller]
fn hidden(document: &str, secrets: &[&'static str]) -> bool {
    let screen = screen(document);
    for secret in secrets {
        let found = shown(&screen, secret);
        assert_eq!(
            found, None,
            "in the document\n{document}\nit says\n{screen}"
        );
    }
    screen.contains("****")
}

#[test]
fn a_block_between_any_two_lines() {
    let document = document();
    let lines: Vec<&str> = document.split_inclusive('\n').collect();
    let mut reached = 0;
    let mut sample = Sample::new();
    for (block, secrets) in blocks() {
        for at in 0..=lines.len() {
            for by in [0, 2, 6, 10] {
                if !sample.takes() {
                    continue;
                }
                let (before, after) = (lines[..at].concat(), lines[at..].concat());
                reached += usize::from(hidden(
                    &format!("{before}{}{after}", indented(&block, by)),
                    &secrets,
                ));
            }
        }
    }
    assert!(
        reached > sample.share(1000),
        "{reached} of these are shown with something hidden"
    );
}

#[test]
fn a_block_instead_of_a_value() {
    for (block, secrets) in blocks() {
        let line = block
            .trim_end()
            .replace('\n', "\\n")
            .replace('\r', "")
            .replace('"', "\\\"");
        for field in [
            "clusterID: consumer",
            "serviceType: NodePort",
            "mtu: 1340",
            "class: default",
            "name: demo",
        ] {
            let (key, _) = field.split_once(": ").expect("a field");
            for value in [
                format!("\"{line}\""),
                format!("|\n{}", indented(&block, 20).trim_end()),
                format!(
                    "\"\n{}{:20}\"",
                    indented(&block.replace('"', "\\\""), 20),
                    ""
                ),
            ] {
                hidden(&edited(field, &format!("{key}: {value}")), &secrets);
            }
        }
    }
}

/// The files that stand beside the document, under its name.
#[test]
fn a_file_of_secrets_under_the_documents_name() {
    let checkout = Checkout::new();
    let sealed = ["peering.seed.age", "kubeconfig.age"].map(|name| quickstart().join(name));
    for path in sealed.into_iter().chain([demo_identity("")]) {
        let name = path.display();
        let content = fs::read_to_string(&path).expect("a file of the examples");
        checkout.write("peering.yaml", &content);
        let outcome = checkout.plugin("consumer").run();
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(1), ""),
            "{outcome}"
        );
        for line in content.lines().filter(|line| !line.starts_with(['#', '-'])) {
            let secret = line.strip_prefix("AGE-SECRET-KEY-1").unwrap_or(line);
            assert_eq!(shown(&outcome.stderr, secret), None, "{name}: {outcome}");
        }
    }
    for (block, secrets) in blocks() {
        checkout.write("peering.yaml", &block);
        let outcome = checkout.plugin("consumer").run();
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(1), ""),
            "{outcome}"
        );
        for secret in secrets {
            assert_eq!(shown(&outcome.stderr, secret), None, "{outcome}");
        }
    }
}

/// A file that is not UTF-8 or too large is not quoted at all.
#[test]
fn what_cannot_be_read_is_not_quoted() {
    let checkout = Checkout::new();
    for canary in CANARIES {
        let binary = [b"\xff\xfe".as_slice(), canary.text.as_bytes(), b"\xff"].concat();
        let large = format!("{} ", canary.text).repeat(3000);
        for content in [binary, large.into_bytes()] {
            checkout.write("peering.yaml", &content);
            let outcome = checkout.plugin("consumer").run();
            outcome.fails(1, "document-file");
            canary.is_hidden_in(&outcome.stderr, "a file");
        }
    }
}
