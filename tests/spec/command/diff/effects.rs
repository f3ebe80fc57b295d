//! Each change of a document, and what `diff` says that it does.

use crate::harness::{Outcome, Repository, Text, parts, root, words};

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

/// `diff` of the quickstart with one change.
fn changed(from: &str, to: &str) -> Outcome {
    let repository = Repository::new(FOLDER);
    repository.edit(DOCUMENT, from, to);
    repository.diff(&[FOLDER]).run()
}

/// The block of one object: its line, and those that are indented below it.
fn block<'t>(text: &'t str, head: &str) -> &'t str {
    let start = text.find(head).unwrap_or_else(|| panic!("no `{head}` in\n{text}"));
    let rest = &text[start..];
    let end = rest
        .match_indices('\n')
        .find(|(at, _)| !rest[at + 1..].starts_with(' '))
        .map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}

#[test]
fn what_each_change_does() {
    for part in parts(include_str!("effects.txt")) {
        let replaced = words(part[0]);
        let outcome = changed(&replaced[0], &replaced[1]);
        assert_eq!(outcome.code, Some(1), "{}: {outcome}", part[0]);
        for row in &part[1..] {
            let [head, change, words] = row.split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
            let block = block(&outcome.stdout, head);
            // words that another object has as well are written once
            let is_written =
                block.contains(words) || block.contains(", as above.") && outcome.stdout.contains(words);
            assert!(block.contains(change) && is_written, "{row}:\n{block}");
        }
    }
}

/// A change that is in no object: a comment, the order of fields.
#[test]
fn what_changes_no_object_is_no_difference() {
    for (from, to) in
        [("kind: Peering", "kind: Peering # it is"), ("  liqoVersion: \"1.0\"", "  liqoVersion: \"1.1\"")]
    {
        assert_eq!(changed(from, to).done(), "No object changes in 1 peering.\n");
    }
}

/// A sealed file that is another one, and with a name that stays.
#[test]
fn a_sealed_file_that_changes_may_change_what_it_holds() {
    let repository = Repository::new(FOLDER);
    let file = |name: &str| std::fs::read(repository.root().join(FOLDER).join(name)).expect(name);
    repository.write("peerings/rome/kubeconfig.age", file("peering.seed.age"));
    let outcome = repository.diff(&[FOLDER]).run();
    let says = "`kubeconfig.age` was sealed again. If it holds another credential, Liqo reconnects with it";
    outcome.prints(says);
    let last = "sealed files only. This needs attention.\n1 peering judged; not the secrets of 1 sealed file: no identity opens both states of them\n";
    assert!(outcome.stdout.ends_with(last), "{outcome}");
    repository.commit();
    repository.write("peerings/rome/peering.seed.age", file("kubeconfig.age").repeat(2));
    let outcome = repository.diff(&[FOLDER]).run();
    assert_eq!(outcome.stdout.matches("`peering.seed.age` was sealed again.").count(), 1, "{outcome}");
    // the name of the file is not its content
    repository.git(&["checkout", "-q", "."]);
    repository.git(&["mv", "peerings/rome/peering.seed.age", "peerings/rome/other.seed.age"]);
    repository.edit(DOCUMENT, "peering.seed.age", "other.seed.age");
    assert_eq!(repository.diff(&[FOLDER]).run().code, Some(0));
}

/// A key that is written is compared, and the sealed file does not matter then. With a fixed name nothing restarts the gateway.
#[test]
fn a_key_that_is_written_is_known() {
    let [one, other] =
        ["ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=", "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="];
    let repository = Repository::new(FOLDER);
    repository.edit(
        DOCUMENT,
        "clusterID: consumer\n",
        &format!("clusterID: consumer\n    publicKey: {one}\n    names: {{ keySecret: mine }}\n"),
    );
    repository.commit();
    repository.edit(DOCUMENT, one, other);
    let outcome = repository.diff(&[FOLDER]).run();
    let secret = block(&outcome.stdout, "~ consumer: Secret liqo-tenant-provider/mine");
    secret.has(&format!("publicKey: {one} → {other}")).has("kubectl rollout restart");
    outcome.omits("GatewayClient");
    repository.commit();
    repository.write("peerings/rome/peering.seed.age", "x");
    let outcome = repository.diff(&[FOLDER]).run();
    assert!(
        !outcome.stdout.contains("rovider: PublicKey"),
        "only the provider's key may change:\n{}",
        outcome.stdout
    );
}

/// The table knows every object that a stream has: whichever comes or goes, there are words for it.
#[test]
fn every_object_that_comes_or_goes_has_an_effect() {
    let repository = Repository::new(FOLDER);
    let (examples, empty) = (root().join("examples"), repository.temp().join("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    let diff = |folders: [&std::path::Path; 2]| {
        let outcome = repository.diff(&[]).args(folders).run();
        outcome.ends(1).omits("does not know");
        outcome.stdout
    };
    let (added, removed) = (diff([&empty, &examples]), diff([&examples, &empty]));
    let rows = |text: &str, sign: &str| text.lines().filter(|line| line.starts_with(sign)).count();
    assert!(rows(&added, "+ ") > 200, "{added}");
    assert_eq!(rows(&added, "+ "), rows(&removed, "- "));
    removed.has("note: Removing the folder deletes nothing yet.");
    added.has("note: The peering is new.");
}
