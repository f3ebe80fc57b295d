//! A code host takes commands from the log of a job. Whoever can push writes lines of `peering.yaml`, and a workflow that runs
//! `validate` prints them: as a snippet, and in messages.

use crate::harness::{Checkout, edited};

/// The runner takes `::` at the beginning of a line, after blanks, and `##[` and `##vso[` anywhere (actions/runner
/// `src/Runner.Common/ActionCommand.cs`); a carriage return ends a line as well.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[")
}

#[test]
fn no_line_of_a_document_is_a_command_in_a_log() {
    let place = "mtu: 1340";
    for hostile in [
        "mtu: \"##[error]owned\"",
        "mtu: 9 # ##[error]owned",
        "mtu: 9 # ###[error]owned",
        "mtu: 9 # ##vso[task.setvariable variable=a]b",
        "mtu: 9\n::error::owned",
        "mtu: 9 #\r::error::owned",
        "\"::error::owned\": 1\n    mtu: 1340",
        "\"x\\n::error::owned\": 1\n    mtu: 1340",
        "\"##[error]owned\": 1\n    mtu: 1340",
        "mtu: >-\n      ::error::owned\n      ##[error]owned",
    ] {
        let checkout = Checkout::of(edited(place, hostile));
        for run in [
            checkout.program(["validate"]),
            checkout.local("consumer"),
            checkout.plugin("consumer"),
        ] {
            let outcome = run.run();
            assert_eq!(outcome.code, Some(1), "{hostile}: {outcome}");
            outcome.says("error[");
            for line in outcome
                .stdout
                .split(['\n', '\r'])
                .chain(outcome.stderr.split(['\n', '\r']))
            {
                assert!(!is_command(line), "{hostile}: {line}");
            }
        }
    }
}
