//! What `init` takes from a repository is seen by a person: terms and recipients, a sealed seed that is there, links.

use crate::harness::{RECIPIENT, Repository, Terminal};

#[test]
fn the_questions_end_with_the_confirmation() {
    let place = Repository::with_remote();
    let path = [("PATH", "/usr/bin:/bin")];
    let answers = "\n\nrome\n\n10.42.0.0/16\n\nmilan\n\n10.52.0.0/16\n\n1.2\n192.0.2.10\n\n\n\n";
    for (end, code) in [("no\n", 2), ("\u{4}", 2), ("\n", 2), ("yes\n", 0)] {
        let typed: &'static str = Box::leak(format!("{answers}{end}").into_boxed_str());
        let seen = Terminal::of(200).typing(typed).run(
            &["init", "peerings/rome-milan", "--recipient", RECIPIENT],
            &place.root(),
            &path,
        );
        assert_eq!(seen.code, Some(code), "{end:?}: {}", seen.shown);
        let at = |words: &str| {
            seen.shown
                .find(words)
                .unwrap_or_else(|| panic!("no {words}: {}", seen.shown))
        };
        assert!(!seen.shown.contains("guessed: --namespace"), "no wish");
        assert!(
            at("The memory for the consumer")
                < at("terms of peerings/rome-milan/peering.seed.age:")
        );
        assert!(
            at("terms of ") < at("  age1") && at("  age1") < at("Type `yes`:"),
            "{}",
            seen.shown
        );
        assert_eq!(
            seen.shown.contains("Not confirmed. Nothing was sealed."),
            code != 0,
            "{}",
            seen.shown
        );
        assert_eq!(
            place.root().join("peerings").exists(),
            code == 0,
            "{}",
            seen.shown
        );
    }
}
