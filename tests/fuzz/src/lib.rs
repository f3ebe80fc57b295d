//! What must hold of any input, as ordinary functions: libFuzzer calls them with what it finds (`fuzz_targets/`), and
//! `main.rs` with what it makes of the seeds, on any compiler.

mod caller;
mod dice;
mod document;
mod example;
mod sealed;
mod streams;
mod structure;
mod yaml;

pub use dice::Dice;

/// A function that takes any bytes and fails if the program does not keep a promise, and where to begin.
pub struct Target {
    pub name: &'static str,
    body: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: [Target; 9] = [
    Target::new("document", document::document, document::seeds),
    Target::new("structure", structure::structure, structure::seeds),
    Target::new("payload", sealed::payload, sealed::payload_seeds),
    Target::new("age", sealed::age, sealed::age_seeds),
    Target::new("policy", caller::policy, caller::policy_seeds),
    Target::new("parameters", caller::parameters, caller::parameters_seeds),
    Target::new("kubeconfig", sealed::kubeconfig, sealed::kubeconfig_seeds),
    Target::new("repository", caller::repository, caller::repository_seeds),
    Target::new(
        "certificate",
        sealed::certificate,
        sealed::certificate_seeds,
    ),
];

/// The target of this name.
pub fn target(name: &str) -> &'static Target {
    TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap_or_else(|| panic!("there is no target {name}"))
}

impl Target {
    const fn new(name: &'static str, body: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Self {
        Self { name, body, seeds }
    }

    pub fn run(&self, data: &[u8]) {
        (self.body)(data);
        argocd_peering::testing::forget();
    }

    pub fn seeds(&self) -> Vec<Vec<u8>> {
        (self.seeds)()
    }
}

/// Test material that is in some seeds. No message may have it; what changed it may show what it made of it.
const SECRETS: [&str; 3] = [
    "AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQS0000000",
    "ARGOCD-PEERING-SEED-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQS000000",
    "canary-7Jx9QvB2nR5tWz8K",
];

/// What people and logs see: as it leaves the program, without a secret, and no longer than a person could read.
fn shown(text: &str) -> String {
    let printed = argocd_peering::testing::printed(text);
    for secret in SECRETS {
        assert!(!printed.contains(secret), "a secret is shown");
    }
    assert!(printed.len() < 4 << 20, "{} bytes are shown", printed.len());
    printed
}

/// One line, which cannot be mistaken for another one.
fn line(text: &str) {
    let printed = shown(text);
    assert!(
        !printed.contains(|c: char| c.is_control()),
        "not one line: {printed:?}"
    );
}
