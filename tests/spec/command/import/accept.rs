//! `--accept`: a change of meaning is refused until its class is taken, and no other.

use super::{guides, imported, replaced};
use crate::command::diff::hazards::CLASSES;

/// Manifests that the document cannot have as they are: what a sync does to them is of this class.
fn changed(class: &str) -> [String; 2] {
    let [consumer, provider] = guides();
    match class {
        "widens-rights" => {
            let user = "  kind: User\n  name: myuser";
            let two = format!("{user}\n- apiGroup: rbac.authorization.k8s.io\n  kind: User\n  name: other");
            [consumer, replaced(&provider, user, &two)]
        }
        "interrupts-traffic" => {
            let external = "      external:\n      - 10.70.0.0/16    # Replace";
            [
                replaced(&consumer, external, &external.replace("- 10.70", "- 10.71.0.0/16\n      - 10.70")),
                provider,
            ]
        }
        _ => {
            let selector = "  clusterSelector:\n    nodeSelectorTerms: []\n";
            [replaced(&consumer, selector, "  clusterSelector: all\n"), provider]
        }
    }
}

const REFUSED: [&str; 3] = ["widens-rights", "interrupts-traffic", "deletes-data"];

#[test]
fn each_class_is_refused_until_it_is_taken() {
    for class in REFUSED {
        let texts = changed(class);
        let way = format!("Correct the manifest, or take it with `--accept {class}`");
        let refused = imported(&texts, &[]);
        refused.fails(1, "manifests").says(&way);
        assert_eq!(refused.stdout, "");
        // the other ones do not take it
        let others: Vec<String> =
            REFUSED.iter().filter(|it| **it != class).map(|it| format!("--accept={it}")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        imported(&texts, &others).fails(1, "manifests").says(&way);
        let taken = imported(&texts, &["--accept", class]);
        assert!(taken.done().starts_with("# yaml-language-server"), "{taken}");
        taken.says("note: ").says(" becomes ").silent_on("--accept");
    }
}

#[test]
fn a_class_that_nothing_is_of_is_needless_and_a_wrong_word_is_refused() {
    for class in CLASSES {
        let outcome = imported(&guides(), &["--accept", class]);
        assert_eq!(outcome.done(), imported(&guides(), &[]).done());
        outcome.says(&format!("note: `--accept {class}` takes nothing here: leave it out"));
    }
    let outcome = imported(&changed("deletes-data"), &["--accept=deletes-data", "--accept=widens-rights"]);
    outcome.says("`--accept widens-rights` takes nothing here").silent_on("`--accept deletes-data`").done();
    for word in ["all", "", "Deletes-Data", "deletes data", "deletes-data,widens-rights"] {
        let outcome = imported(&changed("deletes-data"), &[&format!("--accept={word}")]);
        outcome.ends(2);
        assert_eq!(outcome.stdout, "");
        outcome.says("interrupts-traffic");
    }
}
