//! What the operating system and a panic may show of this process: nothing.

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// No core dump, no reading by others of the same user, no text in a panic. Fails softly: the run is as right
/// without, and a sandbox may forbid the calls.
pub fn harden() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    std::panic::set_hook(Box::new(|_| {
        use std::io::Write as _;
        let _ = std::io::stderr().write_all(PANIC.as_bytes());
    }));
}

/// A constant: a panic's own words could hold a secret.
const PANIC: &str = "error[bug]: argocd-peering stopped; this is a bug, please report it\n";
