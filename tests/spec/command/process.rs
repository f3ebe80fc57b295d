//! What the operating system may show of the process.

use crate::harness::library::harden;
use crate::harness::{Checkout, Text, machine, program};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// The real binary, while it waits for its input.
#[test]
fn no_core_dumps_from_the_first_line_on() {
    let mut child = Command::new(program())
        .args([
            "seed",
            "import",
            "--base64",
            "-",
            "never",
            "--clusters",
            "a,b",
            "--recipient",
            "age1x",
        ])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a run");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id()));
    // until the program runs, the limits are this process's
    let mut limits = limits.expect("limits");
    for _ in 0..200 {
        if core(&limits) == ["0", "0"] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("limits");
    }
    assert_eq!(core(&limits), ["0", "0"]);
    drop(child.stdin.take().map(|mut stdin| stdin.write_all(b"%")));
    assert_eq!(child.wait().expect("an end").code(), Some(3));
}

/// Soft and hard.
fn core(limits: &str) -> Vec<&str> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max core file size"))
        .unwrap_or_default();
    line.split_whitespace().take(2).collect()
}

/// In a child, since it cannot be undone. It reports what it has, and its parent judges that: a failed assertion would be hidden as
/// each other panic.
#[test]
fn not_dumpable_and_a_panic_says_nothing() {
    const CHILD: &str = "ARGOCD_PEERING_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        harden();
        let limits = std::fs::read_to_string("/proc/self/limits").expect("limits");
        let dumpable = rustix::process::dumpable_behavior();
        writeln!(
            std::io::stdout(),
            "\ncore {:?}, {dumpable:?}",
            core(&limits)
        )
        .expect("written");
        panic!("canary {}", "in a panic");
    }
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args([
            "--exact",
            "command::process::not_dumpable_and_a_panic_says_nothing",
            "--nocapture",
        ])
        .env(CHILD, "1")
        .env("RUST_BACKTRACE", "full")
        .output()
        .expect("a run");
    let error = String::from_utf8_lossy(&output.stderr);
    error.has("error[bug]: argocd-peering stopped");
    let all = format!("{error}{}", String::from_utf8_lossy(&output.stdout));
    assert!(
        all.lines()
            .any(|it| it == r#"core ["0", "0"], Ok(NotDumpable)"#),
        "{all}"
    );
    all.lacks("canary");
}

/// Where a container forbids threads. No limit holds for root, so as root the program is run as somebody else.
#[test]
fn validate_needs_no_thread() {
    let checkout = Checkout::new();
    let copy = checkout.temp().join("program");
    machine::copy(&program(), &copy);
    machine::open_to_everyone(checkout.temp());
    let mut command = machine::command("bash");
    command
        .args(["-c", "ulimit -u 1; exec \"$0\" validate ."])
        .arg(&copy)
        .current_dir(checkout.folder());
    if rustix::process::geteuid().is_root() {
        // of its own, so that no other process of this user counts
        command.uid(54_321);
    }
    let output = command.output().expect("a run");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && error.contains("nothing is wrong"),
        "{error}"
    );
}
