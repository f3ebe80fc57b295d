//! What is left in the process's memory when a run is over.

use crate::harness::checkout::Checkout;
use crate::harness::library::{call, wiped};
use crate::harness::seal::{SEED, kubeconfig_payload, sealed, seed_payload, terms};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::Command;

const CHILD: &str = "ARGOCD_PEERING_TEST_MEMORY";

fn generate(temp: &Path, folder: &Path) -> String {
    let identity = temp.join("identity/identity.txt");
    let flags = ["--local", "--role", "consumer", "--identity-file"];
    let arguments = ["generate", folder.to_str().expect("a path")].into_iter().chain(flags);
    call(arguments.chain([identity.to_str().expect("a path")]))
        .unwrap_or_else(|it| panic!("{}", it.brief()))
        .0
}

/// In a child, whose memory has nothing else. It learns what to look for after the run, and in a form that its own memory
/// may have: each byte inverted.
#[test]
fn nothing_secret_is_left_in_memory() {
    if let Some(temp) = std::env::var_os(CHILD) {
        let temp = Path::new(&temp);
        let folder = fs::read_to_string(temp.join("folder")).expect("the folder");
        wiped(|| drop(generate(temp, Path::new(&folder))));
        assert_eq!(left(temp), [""; 0]);
        // the search would find it
        let identity = fs::read(temp.join("identity/identity.txt")).expect("the identity");
        assert!(!left(temp).is_empty(), "{}", identity.len());
        return;
    }
    let checkout = Checkout::new();
    let token: Vec<String> = (0..200).map(|at| format!("{:03x}", (at * 617 + 83) % 4096)).collect();
    let token = token.concat();
    let kubeconfig = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: k, cluster: {{server: \"https://192.0.2.1:6443\"}}}}]\n\
         contexts: [{{name: c, context: {{cluster: k, user: u}}}}]\nusers: [{{name: u, user: {{token: {token}}}}}]\n"
    );
    checkout.write("peering.seed.age", sealed(&seed_payload(&terms())));
    checkout.write("kubeconfig.age", sealed(&kubeconfig_payload(&kubeconfig, &terms())));
    let stream = generate(checkout.temp(), &checkout.folder());
    let value = |key: &str| {
        let line = stream.lines().find_map(|line| line.trim().strip_prefix(key)).expect(key);
        line.trim_matches('"').as_bytes().to_vec()
    };
    let private = value("\"privateKey\": ");
    let identity = fs::read_to_string(checkout.identity()).expect("the identity");
    let identity = identity.lines().find(|line| line.starts_with("AGE-")).expect("its line");
    let inverted = checkout.temp().join("inverted");
    fs::create_dir(&inverted).expect("a folder");
    for (name, secret) in [
        ("private key, raw", STANDARD.decode(&private).expect("base64")),
        ("private key", private),
        ("kubeconfig in base64", value("\"kubeconfig\": ")),
        ("token", token.into_bytes()),
        ("seed", SEED.as_bytes().to_vec()),
        ("seed, raw", bech32::decode(SEED).expect("a seed").1),
        ("identity", identity.as_bytes().to_vec()),
        ("identity, raw", bech32::decode(identity).expect("an identity").1),
    ] {
        fs::write(inverted.join(name), secret.iter().map(|byte| !byte).collect::<Vec<_>>()).expect(name);
    }
    let folder = checkout.folder();
    fs::write(checkout.temp().join("folder"), folder.to_str().expect("a path")).expect("the folder");
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "command::memory::nothing_secret_is_left_in_memory", "--nocapture"])
        .env(CHILD, checkout.temp())
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Which secrets are in memory that can be written to: any 32 bytes of their beginning, middle or end.
fn left(temp: &Path) -> Vec<String> {
    let mut wanted: Vec<(String, Vec<u8>)> = Vec::new();
    for entry in fs::read_dir(temp.join("inverted")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let inverted = fs::read(&path).expect("a secret");
        let name = path.file_name().expect("a name").to_string_lossy();
        for begin in [0, (inverted.len() - 32) / 2, inverted.len() - 32] {
            wanted.push((name.to_string(), inverted[begin..begin + 32].to_vec()));
        }
    }
    assert!(wanted.len() > 10, "{}", wanted.len());
    let memory = fs::File::open("/proc/self/mem").expect("the memory");
    let mut left = Vec::new();
    for line in fs::read_to_string("/proc/self/maps").expect("the map").lines() {
        let mut words = line.split_ascii_whitespace();
        let (begin, end) = words.next().and_then(|range| range.split_once('-')).expect("a range");
        if !words.next().is_some_and(|rights| rights.starts_with("rw")) {
            continue;
        }
        let [begin, end] = [begin, end].map(|text| u64::from_str_radix(text, 16).expect("an address"));
        let mut bytes = vec![0; usize::try_from(end - begin).expect("a size")];
        memory.read_exact_at(&mut bytes, begin).expect("the memory");
        for (at, byte) in bytes.iter().enumerate() {
            for (name, part) in wanted.iter().filter(|(_, part)| part[0] == !byte) {
                let found = bytes.get(at..at + 32).unwrap_or_default();
                if found.len() == 32 && found.iter().zip(part).all(|(byte, inverted)| *byte == !inverted) {
                    left.push(format!(
                        "{name} at {:x}, {}",
                        begin + at as u64,
                        words.clone().last().unwrap_or("")
                    ));
                }
            }
        }
    }
    left
}
