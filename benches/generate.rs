//! What a run costs, as ratios to yardsticks that everybody has: `/bin/true`, and `kubectl kustomize` of the same
//! objects. And what it costs with `delivery: SealedSecret`, as a ratio to the run without. Whole processes, in turn, so
//! that a machine that gets slower gets slower for both.
//!
//! ```sh
//! cargo bench --bench generate
//! ```
//!
//! measures the program as this machine links it. For the image's static one:
//!
//! ```sh
//! RUSTFLAGS="-C target-feature=+crt-static" cargo build --profile image --locked --target x86_64-unknown-linux-gnu
//! ARGOCD_PEERING_BIN=target/x86_64-unknown-linux-gnu/image/argocd-peering cargo bench --bench generate
//! ```

#![allow(clippy::print_stdout, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 60;

fn main() {
    let program = std::env::var_os("ARGOCD_PEERING_BIN").map_or_else(
        || PathBuf::from(env!("CARGO_BIN_EXE_argocd-peering")),
        PathBuf::from,
    );
    println!(
        "measured: {}",
        if std::env::var_os("ARGOCD_PEERING_BIN").is_some() {
            "ARGOCD_PEERING_BIN"
        } else {
            "the bench profile's build"
        }
    );
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let run = |example: &str, role: &str| {
        let mut command = Command::new(&program);
        command
            .arg("generate")
            .arg(examples.join(example))
            .args(["--local", "--role", role]);
        command
            .arg("--identity-file")
            .arg(examples.join("identities/demo-identity.txt"));
        command
    };
    let generate = || run("quickstart", "consumer");
    let stream = generate()
        .stderr(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(stream.status.success(), "the program makes a stream");

    compare("/bin/true", &mut || Command::new("/bin/true"), &mut || {
        generate()
    });
    match kustomization(&stream.stdout) {
        Some(folder) => {
            let mut kubectl = || {
                let mut command = Command::new("kubectl");
                command.arg("kustomize").arg(&folder);
                command
            };
            compare("kubectl kustomize", &mut kubectl, &mut || generate());
            let _ = std::fs::remove_dir_all(folder);
        }
        None => println!("kubectl kustomize: not measured, since kubectl is not here"),
    }
    // as many sealed files and objects, of the same kinds but for the Secrets; one RSA operation for each item of these
    for (role, items) in [("provider", 2), ("consumer", 3)] {
        let name = format!("sealing {items} items to RSA-4096: the {role} without it");
        compare(&name, &mut || run("quickstart", role), &mut || {
            run("sealed-secret", role)
        });
    }
    memory(&generate());
}

/// The same objects as a kustomization, if kubectl is there.
fn kustomization(stream: &[u8]) -> Option<PathBuf> {
    Command::new("kubectl")
        .args(["version", "--client"])
        .output()
        .ok()?;
    let folder = std::env::temp_dir().join(format!("argocd-peering-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("stream.yaml"), stream).expect("the stream");
    std::fs::write(
        folder.join("kustomization.yaml"),
        "resources: [stream.yaml]\n",
    )
    .expect("the kustomization");
    Some(folder)
}

fn time(command: &mut Command) -> Duration {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the command runs");
    assert!(status.success(), "{command:?}");
    start.elapsed()
}

/// Runs both in turn; prints the medians, and the ratio pair by pair.
fn compare(
    name: &str,
    yardstick: &mut dyn FnMut() -> Command,
    generate: &mut dyn FnMut() -> Command,
) {
    let (mut theirs, mut ours, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS + 5 {
        let (their, our) = (time(&mut yardstick()), time(&mut generate()));
        if round >= 5 {
            ratios.push(our.as_secs_f64() / their.as_secs_f64());
            theirs.push(their.as_secs_f64());
            ours.push(our.as_secs_f64());
        }
    }
    let (theirs, ours, ratio) = (median(&mut theirs), median(&mut ours), median(&mut ratios));
    println!(
        "generate {:.2} ms, {name} {:.2} ms; ratio {ratio:.3} (min {:.3}, max {:.3}; its inverse {:.1}), {ROUNDS} pairs",
        ours * 1e3,
        theirs * 1e3,
        ratios.first().copied().unwrap_or_default(),
        ratios.last().copied().unwrap_or_default(),
        1.0 / ratio,
    );
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The largest resident set of one run, as the kernel accounts it to the parent.
fn memory(generate: &Command) {
    let mut timed = Command::new("/usr/bin/time");
    timed
        .args(["-f", "%M"])
        .arg(generate.get_program())
        .args(generate.get_args());
    match timed.stdin(Stdio::null()).stdout(Stdio::null()).output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            println!("peak memory: {} KiB", text.lines().last().unwrap_or("?"));
        }
        Err(_) => println!("peak memory: not measured, since /usr/bin/time is not here"),
    }
}
