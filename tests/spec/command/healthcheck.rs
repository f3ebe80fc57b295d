//! `healthcheck`: what the probes of the sidecar see. `tests/conformance/cmp` asks the real argocd-cmp-server.

use crate::harness::{Outcome, Run, name_of, put, root};
use std::fs::{self, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// What a gRPC server says first: a SETTINGS frame with one setting.
const SETTINGS: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x05\0\0\x40\0";

/// A server that reads what a client begins with, says this, and waits until the client leaves.
fn server(answer: &'static [u8]) -> (TempDir, PathBuf) {
    let folder = crate::harness::machine::folder();
    let socket = folder.path().join("argocd-peering.sock");
    let listener = UnixListener::bind(&socket).expect("a socket");
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.expect("a client");
            let mut preface = [0; 33];
            client
                .read_exact(&mut preface)
                .expect("a preface and a frame");
            assert_eq!(&preface[..24], b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            client.write_all(answer).expect("a client that listens");
            let _ = client.read(&mut preface);
        }
    });
    (folder, socket)
}

fn check(socket: &Path, more: &[&str]) -> Outcome {
    let run = Run::new(["healthcheck", "--socket"])
        .arg(socket)
        .args(more.iter().copied());
    run.secret_path(socket.parent().expect("a folder"))
        .within("/")
        .run()
}

#[test]
fn a_server_that_answers_is_healthy() {
    let (_folder, socket) = server(SETTINGS);
    let outcome = check(&socket, &[]);
    assert_eq!((outcome.done(), outcome.stderr.as_str()), ("healthy\n", ""));
}

#[test]
fn a_server_that_is_missing_ended_or_hangs_is_found_in_time() {
    let folder = crate::harness::machine::folder();
    let missing = folder.path().join("argocd-peering.sock");
    let ended = folder.path().join("ended.sock");
    drop(UnixListener::bind(&ended).expect("a socket"));
    let (_silent, silent) = server(b"");
    let (_other, other) = server(b"HTTP/1.1 400 Bad Request\r\n");
    for (socket, problem) in [
        (&missing, "entity not found"),
        (&ended, "connection refused"),
        (&silent, "timed out"),
        (&other, "invalid data"),
    ] {
        let outcome = check(socket, &[]);
        outcome
            .fails(3, "sidecar")
            .says(&format!("`{}`: {problem}\n", name_of(socket)));
        assert!(
            outcome.took < Duration::from_secs(9),
            "longer than the probe: {:?}",
            outcome.took
        );
    }
}

#[test]
fn the_operators_files_are_checked_when_they_are_named() {
    let (folder, socket) = server(SETTINGS);
    let identity = root()
        .join("examples/identities/demo-identity.txt")
        .display()
        .to_string();
    assert_eq!(
        check(&socket, &["--identity-file", &identity]).done(),
        "healthy\n"
    );
    let file = folder.path().join("file");
    let name = file.display().to_string();
    for (flag, code, text) in [
        ("--identity-file", "identity", "# no identity\n"),
        ("--policy-file", "policy", "allow: 1\n"),
    ] {
        let refused = |problem: &str| {
            check(&socket, &[flag, &name]).fails(3, code).says(problem);
        };
        refused("");
        put(&file, text);
        refused("");
        fs::set_permissions(&file, Permissions::from_mode(0o666)).expect("a mode");
        refused("writ");
        fs::remove_file(&file).expect("a file");
    }
}
