//! The hooks of `.pre-commit-hooks.yaml`, as pre-commit runs them: `entry` and `args`, in the root of a checkout.

use serde_json::Value;

use super::runner::{DOCUMENT, Runner};
use crate::harness::committed;

#[test]
fn a_hook_is_red_for_a_wrong_document_and_for_a_secret_in_clear() {
    let hooks: Value = serde_saphyr::from_str(&committed(".pre-commit-hooks.yaml")).expect("YAML");
    let hooks = hooks.as_array().expect("a list");
    assert!(hooks.len() == 2, "{hooks:?}");
    for hook in hooks {
        // the files that changed are not what is checked
        assert_eq!(hook["pass_filenames"], false, "{hook}");
        let arguments = hook["args"].as_array().expect("a list");
        let words = arguments.iter().map(|it| it.as_str().expect("a word"));
        let command: Vec<&str> = hook["entry"].as_str().into_iter().chain(words).collect();
        let command = command.join(" ");
        let runner = Runner::new(&[]);
        runner.bash(&command, []).done();
        runner.repository.write(
            "peerings/consumer-provider/notes.txt",
            committed("examples/identities/demo-identity.txt"),
        );
        let secret = runner.bash(&command, []);
        secret.ends(1).says("error[plaintext-secret]");
        let wrong = Runner::new(&[]);
        wrong.change("mtu: 1340", "mtu: 9");
        wrong
            .bash(&command, [])
            .ends(1)
            .says("error[mtu]")
            .says(DOCUMENT);
    }
}
