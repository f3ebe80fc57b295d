//! What is left of a run's secrets, with each delivery: in the process's memory, on standard output, on standard error.

use crate::harness::library::{call, wiped};
use crate::harness::traces::traces;
use crate::harness::{
    Checkout, ROLES, SEED, committed, decoded, kubeconfig_payload, put, sealed, seed_payload, terms,
};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::Command;

const CHILD: &str = "ARGOCD_PEERING_TEST_MEMORY";

/// With a name that needs no key, so that the other side's key is the only reason to open the seed.
const DELIVERIES: [&str; 3] = [
    "delivery: Secret",
    "delivery: SealedSecret",
    "delivery: External\n    names: { keySecret: keys }",
];

/// The quickstart with secrets of its own, where both sides have a delivery.
fn delivered(delivery: &str) -> Checkout {
    let checkout = Checkout::new();
    let text = ROLES
        .iter()
        .fold(checkout.read("peering.yaml"), |text, role| {
            text.replacen(
                &format!("clusterID: {role}\n"),
                &format!("clusterID: {role}\n    {delivery}\n"),
                1,
            )
        });
    checkout.write("peering.yaml", text);
    let mut bind = terms();
    let pem = |name: &str| committed(&format!("tests/certificates/{name}.crt"));
    bind["certificates"] = json!({ "consumer": pem("rome"), "provider": pem("milan") });
    checkout.write("peering.seed.age", sealed(&seed_payload(&bind)));
    checkout.write(
        "kubeconfig.age",
        sealed(&kubeconfig_payload(&kubeconfig(), &bind)),
    );
    checkout
}

fn token() -> String {
    (0..200)
        .map(|at| format!("{:03x}", (at * 617 + 83) % 4096))
        .collect()
}

fn kubeconfig() -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: k, cluster: {{server: \"https://192.0.2.1:6443\"}}}}]\n\
         contexts: [{{name: c, context: {{cluster: k, user: u}}}}]\nusers: [{{name: u, user: {{token: {}}}}}]\n",
        token()
    )
}

/// Everything that no one may learn from a run, as the consumer's stream of plain Secrets has it.
fn secrets() -> Vec<(&'static str, Vec<u8>)> {
    let checkout = delivered(DELIVERIES[0]);
    let stream = generate(checkout.temp(), &checkout.folder());
    let value = |key: &str| {
        let line = stream
            .lines()
            .find_map(|line| line.trim().strip_prefix(key))
            .expect(key);
        decoded(line.trim_matches('"'))
    };
    let identity = fs::read_to_string(checkout.identity()).expect("the identity");
    let identity = identity
        .lines()
        .find(|line| line.starts_with("AGE-"))
        .expect("its line");
    vec![
        ("private key", value("\"privateKey\": ")),
        ("kubeconfig", value("\"kubeconfig\": ")),
        ("token", token().into_bytes()),
        ("seed", SEED.as_bytes().to_vec()),
        ("seed's bytes", bech32::decode(SEED).expect("a seed").1),
        ("identity", identity.as_bytes().to_vec()),
        (
            "identity's bytes",
            bech32::decode(identity).expect("an identity").1,
        ),
    ]
}

fn generate(temp: &Path, folder: &Path) -> String {
    let identity = temp.join("identity/identity.txt");
    let flags = ["--local", "--role", "consumer", "--identity-file"];
    let arguments = ["generate", folder.to_str().expect("a path")]
        .into_iter()
        .chain(flags);
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
    let secrets = secrets();
    for delivery in DELIVERIES {
        let checkout = delivered(delivery);
        let inverted = checkout.temp().join("inverted");
        for (name, form, bytes) in secrets
            .iter()
            .flat_map(|(name, secret)| traces(name, secret))
        {
            let bytes: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
            put(inverted.join(format!("{name}, {form}")), bytes);
        }
        let folder = checkout.folder();
        put(
            checkout.temp().join("folder"),
            folder.to_str().expect("a path"),
        );
        let output = Command::new(std::env::current_exe().expect("this test"))
            .args([
                "--exact",
                "command::memory::nothing_secret_is_left_in_memory",
                "--nocapture",
            ])
            .env(CHILD, checkout.temp())
            .output()
            .expect("a run");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{delivery}: {text}"
        );
    }
}

/// Which secrets are in memory that can be written to: any 32 bytes of their beginning, middle or end.
fn left(temp: &Path) -> Vec<String> {
    let mut wanted: Vec<Vec<(String, Vec<u8>)>> = vec![Vec::new(); 256];
    for entry in fs::read_dir(temp.join("inverted")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let inverted = fs::read(&path).expect("a secret");
        let name = path.file_name().expect("a name").to_string_lossy();
        for begin in [0, (inverted.len() - 32) / 2, inverted.len() - 32] {
            let part = inverted[begin..begin + 32].to_vec();
            wanted[usize::from(!part[0])].push((name.to_string(), part));
        }
    }
    assert!(wanted.iter().flatten().count() > 100);
    let memory = fs::File::open("/proc/self/mem").expect("the memory");
    let mut left = Vec::new();
    for line in fs::read_to_string("/proc/self/maps")
        .expect("the map")
        .lines()
    {
        let mut words = line.split_ascii_whitespace();
        let (begin, end) = words
            .next()
            .and_then(|range| range.split_once('-'))
            .expect("a range");
        if !words.next().is_some_and(|rights| rights.starts_with("rw")) {
            continue;
        }
        let [begin, end] =
            [begin, end].map(|text| u64::from_str_radix(text, 16).expect("an address"));
        let mut bytes = vec![0; usize::try_from(end - begin).expect("a size")];
        memory.read_exact_at(&mut bytes, begin).expect("the memory");
        for (at, byte) in bytes.iter().enumerate() {
            for (name, part) in &wanted[usize::from(*byte)] {
                let found = bytes.get(at..at + 32).unwrap_or_default();
                if found.len() == 32
                    && found
                        .iter()
                        .zip(part)
                        .all(|(byte, inverted)| *byte == !inverted)
                {
                    let region = words.clone().last().unwrap_or("");
                    left.push(format!("{name} at {:x}, {region}", begin + at as u64));
                }
            }
        }
    }
    left
}

/// For Argo CD and for a person, on each side: any 16 bytes in a row.
#[test]
fn what_is_sealed_or_external_is_not_printed_in_any_form() {
    let mut secrets = secrets();
    // its addresses are no secret, and its token is searched for
    secrets.retain(|(name, _)| *name != "kubeconfig");
    let shown = |text: &str| -> Vec<&str> {
        let windows: BTreeSet<&[u8]> = text.as_bytes().windows(16).collect();
        let all = secrets
            .iter()
            .flat_map(|(name, secret)| traces(name, secret));
        let found =
            all.filter(|(_, _, bytes)| bytes.windows(16).any(|part| windows.contains(part)));
        let mut names: Vec<&str> = found.map(|(name, _, _)| name).collect();
        names.dedup();
        names
    };
    for delivery in DELIVERIES {
        let checkout = delivered(delivery);
        for role in ROLES {
            for run in [checkout.plugin(role), checkout.local(role)] {
                let outcome = run.run();
                // the search finds what there is
                let expected: &[&str] = match (delivery, role) {
                    ("delivery: Secret", "consumer") => &["private key", "token"],
                    _ => &[],
                };
                assert_eq!(shown(outcome.stream()), expected, "{delivery}, {role}");
                assert_eq!(shown(&outcome.stderr), [""; 0], "{delivery}, {role}");
            }
        }
    }
}
