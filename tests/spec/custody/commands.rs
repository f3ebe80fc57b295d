//! What `commands.cases` cannot say: standard input, very many recipients, and the policy of the documentation.

use crate::harness::library::Policy;
use crate::harness::team::{Needs, Team};
use crate::harness::{Checkout, PATH, committed, document, identity, put};
use age::x25519::Identity;
use std::fs;

/// The flags that allow both of the quickstart's Applications.
pub(super) const TERMS: [&str; 5] = [
    "--clusters=consumer,provider",
    "--project=peering-consumer",
    "--project=peering-provider",
    "--repo=https://git.example.org/net/peerings.git",
    "--path=./peerings/consumer-provider/",
];

/// The quickstart without sealed files, and with a new identity, whose recipient is the third.
pub(super) fn bare() -> (Checkout, Identity, String) {
    Checkout::bare(PATH, &document())
}

#[test]
fn a_kubeconfig_can_come_from_standard_input() {
    let team = Team::new(Needs::Seed, &[]);
    let seal = "seal kubeconfig - --clusters a,b --recipient TO";
    let kubeconfig = fs::read(team.path("kubeconfig")).expect("it");
    team.typing(seal).given(kubeconfig).run().done();
    assert!(
        team.inspected("kubeconfig.age")
            .contains("server: https://192.0.2.1:6443")
    );
    let script = "\"$0\" \"$@\" < /dev/zero";
    let other = team
        .typing(&format!("{seal} -o other.age"))
        .through(&["sh", "-c", script]);
    other.run().fails(3, "file").says("standard input");
}

/// What is sealed can be opened, or is not sealed: for a fleet of Argo CD instances, too.
#[test]
fn a_seed_for_many_recipients_can_be_opened_and_one_for_too_many_is_not_made() {
    for (others, fits) in [(80, true), (120, false)] {
        let (checkout, _, ours) = bare();
        let mut list: Vec<String> = (0..others)
            .map(|_| identity().0.to_public().to_string())
            .collect();
        list.push(ours);
        put(checkout.temp().join("list"), list.join("\n"));
        let new = ["seed", "new", "--recipients-file", "../../../../list"];
        let outcome = checkout.program(new).args(TERMS).run();
        if fits {
            outcome.done();
            checkout.plugin("provider").run().stream();
        } else {
            outcome.fails(3, "sealing").says("too many recipients");
            assert!(
                !checkout.folder().join("peering.seed.age").exists(),
                "nothing was made"
            );
        }
    }
}

#[test]
fn the_policy_of_the_documentation_is_one() {
    let text = committed("docs/custody.md");
    let example = text
        .split("```yaml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    Policy::parse(example).expect("a policy");
}
