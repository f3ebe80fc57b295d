//! For whom a file is sealed, and which of several identities opens it.

use super::commands::{TERMS, bare, seal_both};
use crate::harness::{Checkout, KUBECONFIG, Outcome, identity, put, rows};
use std::fs;

/// A list beside the repository.
const LIST: &str = "../../../../list";

/// `seed new` for these.
fn new(checkout: &Checkout, flags: &[&str]) -> Outcome {
    checkout
        .program(["seed", "new"])
        .args(TERMS)
        .args(flags.iter().copied())
        .run()
}

/// The same with such a list.
fn of_list(checkout: &Checkout, list: impl AsRef<[u8]>) -> Outcome {
    put(checkout.temp().join("list"), list);
    new(checkout, &["--recipients-file", LIST])
}

#[test]
fn every_recipient_opens_it_alone() {
    let (checkout, _, first) = bare();
    let (other, other_text) = identity();
    let (third, third_text) = identity();
    let list = format!(
        "# the Argo CD in Rome\r\n\r\n  {}  \n# recovery\n\n",
        third.to_public()
    );
    put(checkout.temp().join("list"), list);
    let (fourth, fourth_text) = identity();
    put(checkout.temp().join("a"), fourth.to_public().to_string());
    let other = other.to_public().to_string();
    seal_both(
        &checkout,
        &[
            "--recipient",
            &first,
            "--recipient",
            &other,
            "--recipients-file",
            LIST,
            "--recipients-file",
            "../../../../a",
        ],
    );
    let wanted = checkout.plugin("consumer").run();
    for text in [other_text, third_text, fourth_text] {
        put(checkout.identity(), text);
        assert_eq!(checkout.plugin("consumer").run().stream(), wanted.stream());
    }
}

#[test]
fn a_list_of_recipients_has_an_end() {
    let (checkout, _, recipient) = bare();
    let list = format!("{recipient}\n{}\n", "#".repeat(64 * 1024));
    of_list(&checkout, list)
        .fails(3, "file")
        .says("larger than 65536 bytes");
}

/// The point of order one in Bech32: any private key has the same shared secret with it (RFC 7748, 6.1).
#[test]
fn a_recipient_that_everyone_could_be() {
    let (checkout, _, _) = bare();
    let zeros = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z";
    new(&checkout, &["--recipient", zeros])
        .fails(2, "flag")
        .says("not an age X25519 recipient");
}

#[test]
fn an_identity_is_no_recipient_and_is_not_shown() {
    let (checkout, _, _) = bare();
    let (_, secret) = identity();
    for outcome in [
        new(&checkout, &["--recipient", secret.trim()]),
        of_list(&checkout, &secret),
    ] {
        outcome
            .fails(2, "flag")
            .says("the secret half")
            .silent_on(&secret.trim()[20..]);
    }
}

#[test]
fn each_file_may_need_another_of_the_identities() {
    let (checkout, _, first) = bare();
    let (other, text) = identity();
    put(checkout.temp().join("k.yaml"), KUBECONFIG);
    new(&checkout, &["--recipient", &first]).done();
    let run = checkout
        .program(["seal", "kubeconfig", "../../../../k.yaml"])
        .args(TERMS);
    run.args(["--recipient", &other.to_public().to_string()])
        .run()
        .done();
    let outcome = checkout.plugin("consumer").run();
    outcome
        .fails(3, "sealed-payload")
        .says("kubeconfig.age")
        .says("none of the identities");
    let one = fs::read_to_string(checkout.identity()).expect("the identity");
    for both in [
        format!("{one}{text}"),
        format!("# old\r\n{text}\r\n# new\r\n{one}\r\n"),
    ] {
        put(checkout.identity(), both);
        checkout.plugin("consumer").run().stream();
    }
}

#[test]
fn a_recipient_that_is_none_seals_nothing() {
    let (checkout, _, good) = bare();
    let mut damaged = good.clone();
    damaged.replace_range(
        10..11,
        if damaged.get(10..11) == Some("q") {
            "p"
        } else {
            "q"
        },
    );
    for wrong in [
        "",
        "age1",
        "age",
        &damaged,
        &format!("{good}q"),
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB4RnLvqOHSHSHSHSHSHSHSHSHSHSHSHSHSHSHSHSHSH",
        "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t",
        "recipients.txt",
    ] {
        let outcome = new(&checkout, &["--recipient", &good, "--recipient", wrong]);
        outcome.fails(2, "flag").says("--recipient").says("X25519");
        let outcome = of_list(&checkout, format!("# one\n{good}\n{wrong}x\n"));
        outcome
            .fails(2, "flag")
            .says("--recipients-file")
            .says("list, line 3");
    }
    for nobody in ["", "# nobody\n", "\n\n"] {
        of_list(&checkout, nobody)
            .fails(2, "flag")
            .says("no recipient");
    }
    let outcome = new(
        &checkout,
        &["--recipient", &good, "--recipients-file", "missing"],
    );
    outcome
        .fails(2, "flag")
        .says("missing: there is no such file: write a recipient on each line");
    assert!(
        !checkout.folder().join("peering.seed.age").exists(),
        "nothing was made"
    );
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
        let outcome = of_list(&checkout, list.join("\n"));
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

/// Each kind has its word, in a flag and in a file.
#[test]
fn a_recipient_of_another_kind_is_called_so() {
    let (checkout, _, recipient) = bare();
    let commented = format!("{recipient} # the operator");
    let twice = format!("{recipient},{recipient}");
    let spaced = format!("{recipient}, {recipient}");
    let others = [
        ("\u{feff}age1qqqq", "a byte order mark"),
        (&twice, "write `--recipient` once for each"),
        (&spaced, "write `--recipient` once for each"),
        (&commented, "each comment has a line of its own"),
    ];
    for (text, words) in rows(include_str!("recipients.txt"))
        .into_iter()
        .chain(others)
    {
        new(&checkout, &[&format!("--recipient={text}")])
            .fails(2, "flag")
            .says(words);
        of_list(&checkout, format!("{text}\n"))
            .fails(2, "flag")
            .says(words);
    }
}
