//! `init` with recipients by side: each side has a seed of its own, which the other side's Argo CD cannot open.

use super::init::{FLAGS, Place};
use crate::harness::{RECIPIENT, Run, Text, demo_identity};
use std::fs;
use std::path::PathBuf;

const SIDES: [(&str, &str); 2] = [("consumer", "rome"), ("provider", "milan")];

fn identity(role: &str) -> PathBuf {
    demo_identity(&format!("{role}-"))
}

/// What age-keygen has written as a comment.
fn recipient(role: &str) -> String {
    let text = fs::read_to_string(identity(role)).expect("an identity");
    text.lines().find_map(|line| line.strip_prefix("# public key: ")).expect("a recipient").to_owned()
}

/// With an identity for each side, and one for both, as a recovery identity is.
fn split() -> Place {
    let place = Place::new();
    let (rome, milan) = (format!("{}=rome", recipient("consumer")), recipient("provider") + "=provider");
    let own = ["--recipient", &rome, "--recipient", &milan, "--namespace", "demo"];
    place.init("rome-milan", &[&FLAGS[..], &own].concat()).done();
    place
}

fn with_identity(arguments: &[&str], role: &str) -> Vec<String> {
    let own = identity(role).display().to_string();
    arguments.iter().map(|&it| it.to_owned()).chain(["--identity-file".to_owned(), own]).collect()
}

fn run(place: &Place, arguments: &[&str], role: &str) -> crate::harness::run::Outcome {
    let all = with_identity(arguments, role);
    place.run(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn each_identity_opens_its_own_half() {
    let place = split();
    assert!(!place.folder("rome-milan").join("peering.seed.age").exists());
    let mut of_recovery = String::new();
    for ((role, id), (other, of_other)) in SIDES.into_iter().zip(SIDES.into_iter().rev()) {
        let (own, others) = [id, of_other].map(|it| format!("peerings/rome-milan/{it}.seed.age")).into();
        run(&place, &["inspect", &own], role).prints(&format!("projects: \"peering-{role}={id}\"\n")).done();
        run(&place, &["inspect", &others], role).fails(3, "sealed-payload");
        let generate = ["generate", "peerings/rome-milan", "--local", "--role", role];
        run(&place, &generate, role).stream();
        run(&place, &generate, other).fails(3, "sealed-payload");
        // the identity without a side opens both
        let recovery = demo_identity("").display().to_string();
        of_recovery += place.run(&["inspect", &own, "--identity-file", &recovery]).done();
    }
    of_recovery.has("rome").has("milan");
    place.run(&["validate", "peerings"]).done();
}

/// An identity is not for the files of another cluster's Argo CD: they are said, and not wrong.
#[test]
fn a_half_that_is_for_others_is_not_judged() {
    const NONE: &str = "none of the identities opens it";
    let place = split();
    for ((role, id), (_, other)) in SIDES.into_iter().zip(SIDES.into_iter().rev()) {
        let validate = run(&place, &["validate", "peerings"], role);
        validate
            .says(&format!(
                "not peerings/rome-milan/{other}.seed.age: the identity opens no file of this cluster"
            ))
            .done();
        let list = run(&place, &["list", "peerings"], role);
        list.prints(&format!("  {other}.seed.age not opened\n")).done();
        let json = run(&place, &["list", "peerings", "--format", "json"], role).ends(0).json();
        assert_eq!(
            json["peerings"][0]["notOpened"],
            serde_json::json!([format!("{other}.seed.age")]),
            "{id}"
        );
    }
    // of a pair of others it opens nothing
    let [from, to] = ["rome-milan", "turin-milan"].map(|it| place.folder(it));
    fs::create_dir(&to).expect("a folder");
    let document = place.read("rome-milan/peering.yaml");
    fs::write(to.join("peering.yaml"), document.replace("rome", "turin")).expect("written");
    for file in ["milan.seed.age", "turin.seed.age"] {
        fs::copy(from.join("milan.seed.age"), to.join(file)).expect("copied");
    }
    run(&place, &["validate", "peerings"], "consumer")
        .silent_on(NONE)
        .says("turin-milan/milan.seed.age: the identity opens no file of this cluster");
    // what is sealed for its own side, or for both, must open
    fs::write(to.join("peering.yaml"), document.replace("rome.seed", "turin.seed")).expect("written");
    for command in ["validate", "list"] {
        let own = run(&place, &[command, "peerings"], "consumer");
        own.ends(1).says(&format!("turin-milan/turin.seed.age: {NONE}"));
        own.silent_on("milan.seed.age: none");
    }
    fs::write(to.join("peering.yaml"), document.replace("rome.seed", "milan.seed")).expect("written");
    run(&place, &["validate", "peerings"], "consumer").says(&format!("milan.seed.age: {NONE}"));
}

/// Without a seed for each side there is one Argo CD, and a credential that is sealed to a wrong recipient must not pass.
#[test]
fn a_credential_beside_no_seed_is_not_for_others() {
    let place = split();
    let to = place.folder("oslo-bergen");
    fs::create_dir(&to).expect("a folder");
    let document = "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: { name: oslo-bergen }\nspec:\n  \
         consumer: { clusterID: oslo }\n  provider: { clusterID: bergen }\n  authentication:\n    \
         subject: { kind: User, name: oslo }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";
    fs::write(to.join("peering.yaml"), document).expect("written");
    fs::copy(place.folder("rome-milan").join("rome.seed.age"), to.join("kubeconfig.age")).expect("copied");
    for command in ["validate", "list"] {
        let outcome = run(&place, &[command, "peerings"], "provider");
        outcome.ends(1).says("oslo-bergen/kubeconfig.age: none of the identities opens it");
    }
}

/// Only a file that is known to be for others is passed over: not one that is damaged, nor one that is not there.
#[test]
fn a_half_that_cannot_be_read_is_not_passed_over() {
    let place = split();
    let recovery = demo_identity("").display().to_string();
    let file = place.folder("rome-milan").join("milan.seed.age");
    let fail = |problem: &str| {
        for command in ["validate", "list"] {
            let outcome = place.run(&[command, "peerings", "--identity-file", &recovery]);
            outcome.ends(1).says(&format!("rome-milan/milan.seed.age: {problem}"));
            outcome.silent_on("the identity opens no file of");
        }
    };
    let sealed = fs::read_to_string(&file).expect("a sealed file");
    // the second is seen only by who opens it: the form is that of a sealed file
    let last =
        sealed.trim_end().rfind('\n').and_then(|end| sealed[..end].rfind('\n')).expect("two lines") + 1;
    let other = if sealed[last..].starts_with('A') { "B" } else { "A" };
    for damaged in
        [sealed.trim_end().to_owned() + "x", [&sealed[..last], other, &sealed[last + 1..]].concat()]
    {
        fs::write(&file, damaged).expect("written");
        fail("it is damaged");
    }
    fs::remove_file(&file).expect("removed");
    fail("there is no such file");
}

#[test]
fn each_side_is_rotated_with_its_own_identity() {
    for (role, id) in SIDES {
        let place = split();
        let before = place.read("rome-milan/peering.yaml");
        let rotate = ["seed", "rotate", "peerings/rome-milan", "--role", id, "--allow-dirty"];
        let other = if role == "consumer" { "provider" } else { "consumer" };
        run(&place, &rotate, other).fails(3, "sealed-payload");
        assert_eq!(place.read("rome-milan/peering.yaml"), before);
        // as it is kept, and not named
        let kept = Run::new(rotate).within(place.path()).env("ARGOCD_PEERING_IDENTITY_FILE", identity(role));
        kept.run().prints(" (stays)\n").done();
        let keys = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.contains("publicKey: ")).map(ToOwned::to_owned).collect()
        };
        let (old, new) = (keys(&before), keys(&place.read("rome-milan/peering.yaml")));
        assert_eq!(
            old.iter().zip(&new).map(|(old, new)| old != new).collect::<Vec<_>>(),
            SIDES.map(|it| it.0 == role)
        );
        run(&place, &["generate", "peerings/rome-milan", "--local", "--role", role], role).stream();
        run(&place, &["generate", "peerings/rome-milan", "--local", "--role", other], other).stream();
        let own = format!("{}={id}", recipient(role));
        let recipient = own.trim_end_matches(&format!("={id}")).to_owned();
        let new_seed = [&rotate[..], &["--new-seed", "--recipient", &recipient]].concat();
        let arguments = with_identity(&new_seed, role);
        place.confirming(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).done();
        run(&place, &["generate", "peerings/rome-milan", "--local", "--role", role], role).stream();
    }
}

#[test]
fn what_is_confirmed_names_the_recipients_of_each() {
    let place = Place::new();
    let to = SIDES.map(|(role, id)| format!("{}={id}", recipient(role)));
    let arguments =
        [&["init", "peerings/rome-milan", "--recipient", &to[0], "--recipient", &to[1]], &FLAGS[..]].concat();
    let refused = place.run(&arguments);
    for (role, id) in SIDES {
        let shown = format!(
            "recipients of peerings/rome-milan/{id}.seed.age:\n  {} (--recipient)\n",
            recipient(role)
        );
        refused.says(&shown);
    }
    // the same recipients, each of the other side
    let swapped = SIDES
        .map(|(role, id)| format!("{}={}", recipient(role), if id == "rome" { "milan" } else { "rome" }));
    let swapped = [
        &["init", "peerings/rome-milan", "--recipient", &swapped[1], "--recipient", &swapped[0]],
        &FLAGS[..],
    ]
    .concat();
    let other = place.run(&swapped);
    assert_ne!(refused.expected().expect("a digest"), other.expected().expect("a digest"));
    assert!(!place.folder("rome-milan").exists());
}

#[test]
fn a_side_that_is_none_and_one_without_recipients_are_refused() {
    let place = Place::new();
    let init = |more: &[&str]| place.run(&[&["init", "peerings/rome-milan"], &FLAGS[..], more].concat());
    let of = |side: &str| format!("{RECIPIENT}={side}");
    init(&["--recipient", &of("turin")]).fails(2, "flag").says("`turin` names no side of rome,milan");
    init(&["--recipient", &of("rome")]).fails(2, "flag").says("the seed of milan has none");
    init(&["--recipient", &of("rome"), "--recipient", &of("milan"), "--force", "--keep-seed"])
        .fails(2, "flag");
}

/// A sealed file is never overwritten, and nothing else is where one is in the way.
#[test]
fn a_sealed_file_of_a_side_that_exists_stays() {
    let place = split();
    let files = ["rome.seed.age", "milan.seed.age", "peering.yaml"].map(|name| format!("rome-milan/{name}"));
    let before = files.each_ref().map(|name| place.read(name));
    let to = SIDES.map(|(role, id)| format!("{}={id}", recipient(role)));
    let again = ["--recipient", &to[0], "--recipient", &to[1], "--force"];
    place.init("rome-milan", &[&FLAGS[..], &again].concat()).fails(2, "flag").says("rome.seed.age exists");
    assert_eq!(files.each_ref().map(|name| place.read(name)), before);
}
