//! The Source Hydrator commits to Git what a plugin prints; which sides it may have is in `hydrator.cases`.

use crate::harness::{Checkout, ROLES, documents};

/// The Source Hydrator runs plugins with an empty `KUBE_VERSION` and commits what they print.
#[test]
fn private_keys_are_not_printed_for_the_hydrator() {
    let checkout = Checkout::new();
    for role in ROLES {
        for run in [
            checkout.plugin(role).env("KUBE_VERSION", ""),
            checkout.plugin(role).without("KUBE_VERSION"),
        ] {
            run.run()
                .fails(3, "hydration")
                .says("KUBE_VERSION")
                .says("Source Hydrator")
                .says("--local");
        }
    }
}

/// `generate --public` opens nothing, so its Secrets hold nothing: a check of a pull request has no `KUBE_VERSION` either.
#[test]
fn placeholders_are_no_secrets() {
    let checkout = Checkout::new();
    for role in ROLES {
        let run = checkout.program(["generate", "--public", "--role", role]);
        let stream = run.run().stream().to_owned();
        for secret in documents(&stream)
            .iter()
            .filter(|it| it["kind"] == "Secret")
        {
            let data = secret["data"].as_object().expect("data");
            let known =
                |item: &str, value: &str| item == "publicKey" || value == "UExBQ0VIT0xERVI=";
            assert!(
                data.iter()
                    .all(|(item, value)| known(item, value.as_str().expect("text"))),
                "{role}"
            );
        }
    }
}
