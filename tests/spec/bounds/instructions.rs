//! No input of 64 KiB costs more than 600 million instructions, a fifth of a second: `.ci/run bounds` counts those of the
//! release build with valgrind, whose count does not depend on the machine's mood.

use super::documents::worst;
use super::fleet;
use crate::harness::{program, put, quickstart};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A document's, and for each further one of a fleet.
const MOST: u64 = 600_000_000;

/// How many instructions a run takes.
fn count(folder: &Path, arguments: &[&str]) -> u64 {
    let log = folder.join("valgrind.log");
    let status = Command::new("valgrind")
        .args([
            "--tool=cachegrind",
            "--cache-sim=no",
            "--cachegrind-out-file=/dev/null",
        ])
        .arg(format!("--log-file={}", log.display()))
        .arg(program())
        .args(arguments)
        .arg(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("valgrind starts");
    assert!(
        status.code().is_some(),
        "{arguments:?} did not end by itself"
    );
    let log = fs::read_to_string(log).expect("valgrind's log");
    let line = log
        .lines()
        .find_map(|line| line.split_once("refs:"))
        .expect("a count")
        .1;
    line.trim().replace(',', "").parse().expect("a number")
}

#[expect(
    clippy::print_stdout,
    reason = "the counts are what `--nocapture` is for"
)]
fn is_bounded(what: &str, count: u64, most: u64) -> bool {
    println!(
        "{:6} M of {} M: {what}",
        count / 1_000_000,
        most / 1_000_000
    );
    count <= most
}

#[test]
#[ignore = "needs valgrind, and means nothing of a build for debugging"]
fn of_the_worst_documents() {
    let folder = crate::harness::machine::folder();
    let mut more = Vec::new();
    for (what, document) in worst() {
        put(folder.path().join("peering.yaml"), document);
        for arguments in [
            &["generate", "--public", "--role", "consumer"][..],
            &["validate"],
        ] {
            let what = format!("{what}, {}", arguments[0]);
            if !is_bounded(&what, count(folder.path(), arguments), MOST) {
                more.push(what);
            }
        }
    }
    assert_eq!(more, [""; 0]);
}

#[test]
#[ignore = "needs valgrind, and means nothing of a build for debugging"]
fn of_a_fleet_in_which_everything_contradicts() {
    let folder = crate::harness::machine::folder();
    let documents = 6;
    fleet::contradicting(folder.path(), documents);
    let count = count(folder.path(), &["validate"]);
    assert!(
        is_bounded("a fleet", count, MOST * documents as u64),
        "{count}"
    );
}

/// Each is a place of its own, and lines are counted once.
#[test]
#[ignore = "needs valgrind, and means nothing of a build for debugging"]
fn of_a_file_full_of_secrets_in_clear() {
    let identity = format!(
        "AGE-SECRET-KEY-1{}\n",
        "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2)
    );
    for (what, beginning, line) in [
        ("tokens", "kind: Config\nusers:\n", "token: abcdef\n"),
        ("identities", "", identity.as_str()),
        ("beginnings of tokens in one line", "", "eyJ"),
    ] {
        let folder = crate::harness::machine::folder();
        fs::copy(
            quickstart().join("peering.yaml"),
            folder.path().join("peering.yaml"),
        )
        .expect("copied");
        let text = beginning.to_owned() + &line.repeat((1 << 20) / line.len());
        put(folder.path().join("keys.txt"), text);
        let count = count(folder.path(), &["validate"]);
        assert!(is_bounded(what, count, 4 * MOST), "{what}: {count}");
    }
}
