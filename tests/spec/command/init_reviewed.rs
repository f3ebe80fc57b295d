//! What `init` takes from a repository is seen by a person: terms and recipients, a sealed seed that is there, links.

use super::init::{FLAGS, Place};
use crate::harness::{RECIPIENT, Terminal, put, quickstart};
use std::fs;
use std::os::unix::fs::symlink;

const REPO: [&str; 4] =
    ["--repo", "https://git.example.org/net/peerings.git", "--path", "peerings/rome-milan"];

const TO: [&str; 2] = ["--recipient", RECIPIENT];

fn init<'a>(more: &[&[&'a str]]) -> Vec<&'a str> {
    [&["init", "peerings/rome-milan"][..], &more.concat()].concat()
}

/// A line that is pushed to the list of recipients would open the next new seed.
#[test]
fn nothing_is_written_before_terms_and_recipients_are_confirmed() {
    let place = Place::new();
    put(place.path().join(".age-recipients"), format!("{RECIPIENT}\n"));
    let list = ["--recipients-file", ".age-recipients"];
    let outside = tempfile::tempdir().expect("a folder");
    let own = outside.path().join("recipients");
    put(&own, RECIPIENT);
    let own = ["--recipients-file", own.to_str().expect("a plain name")];
    for (arguments, is_confirmed) in [
        (init(&[&FLAGS, &REPO, &list]), true),
        (init(&[&FLAGS, &REPO[..2], &TO]), true),
        (init(&[&FLAGS, &REPO[2..], &TO]), true),
        (init(&[&FLAGS, &REPO, &TO]), false),
        (init(&[&FLAGS, &REPO, &own]), false),
    ] {
        let first = place.run(&arguments);
        first.says("terms of peerings/rome-milan/peering.seed.age: clusters \"rome\" (consumer) \"milan\" (provider); projects ");
        first.says(&format!("  {RECIPIENT} ("));
        if is_confirmed {
            first.fails(2, "flag").says("not confirmed");
            assert!(!place.path().join("peerings").exists(), "{first}");
            let other = format!("sha256:{}", "0".repeat(64));
            place.run(&[&arguments[..], &["--expect", &other]].concat()).fails(2, "flag");
            assert!(!place.path().join("peerings").exists());
            place.confirming(&arguments).done();
        } else {
            first.done();
        }
        fs::remove_dir_all(place.path().join("peerings")).expect("it was written");
    }
    // the sibling is the repository's
    place.confirming(&init(&[&FLAGS, &REPO, &TO])).done();
    let spoke = ["init", "peerings/turin-milan", "--like", "peerings/rome-milan", "--consumer-id", "turin"];
    let spoke = [&spoke[..], &["--consumer-pod-cidr", "10.42.0.0/16"], &REPO, &TO].concat();
    place
        .run(&spoke)
        .fails(2, "flag")
        .says("clusters \"turin\" (consumer) \"milan\" (provider)")
        .says("not confirmed");
    place.confirming(&spoke).done();
}

#[test]
fn the_questions_end_with_the_confirmation() {
    let place = Place::new();
    let path = [("PATH", "/usr/bin:/bin")];
    let answers = "\nrome\n10.42.0.0/16\n\nmilan\n10.52.0.0/16\n\n1.2\n192.0.2.10\n\n\n\n";
    for (end, code) in [("no\n", 2), ("\u{4}", 2), ("\n", 2), ("yes\n", 0)] {
        let typed: &'static str = Box::leak(format!("{answers}{end}").into_boxed_str());
        let seen = Terminal::of(200).typing(typed).run(&init(&[&TO]), place.path(), &path);
        assert_eq!(seen.code, Some(code), "{end:?}: {}", seen.shown);
        let at = |words: &str| seen.shown.find(words).unwrap_or_else(|| panic!("no {words}: {}", seen.shown));
        assert!(
            at("The memory that the consumer asks for")
                < at("terms of peerings/rome-milan/peering.seed.age: ")
        );
        assert!(at("terms of ") < at("  age1") && at("  age1") < at("Type `yes`:"), "{}", seen.shown);
        assert_eq!(seen.shown.contains("Not confirmed. Nothing was sealed."), code != 0, "{}", seen.shown);
        assert_eq!(place.path().join("peerings").exists(), code == 0, "{}", seen.shown);
    }
}

/// A seed that is there is somebody's, and not one that `init` made.
#[test]
fn a_sealed_seed_that_is_there_is_never_called_new() {
    let place = Place::new();
    let folder = place.folder("rome-milan");
    fs::create_dir_all(&folder).expect("a folder");
    let force = init(&[&FLAGS, &REPO, &TO, &["--force"]]);
    let kept = [&force[..], &["--keep-seed"]].concat();
    place.run(&kept).fails(2, "flag").says("--keep-seed: ").says("peering.seed.age");
    // not by her recipient, and not by ours
    let foreign = fs::read(quickstart().join("peering.seed.age")).expect("a sealed file");
    put(folder.join("peering.seed.age"), &foreign);
    let refusal = place.run(&force);
    refusal.fails(2, "flag").says("--force: peerings/rome-milan/peering.seed.age exists");
    refusal.says("argocd-peering inspect").says("--keep-seed").silent_on("sealed peerings");
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1, "nothing was written");
    let outcome = place.run(&kept);
    outcome.says("kept peerings/rome-milan/peering.seed.age, which was there before; it was not opened: ");
    outcome.says("`argocd-peering inspect` shows what is in it").silent_on("sealed peerings");
    outcome.silent_on("terms of ").silent_on("1 recipient");
    outcome.silent_on("wrote peerings/rome-milan/peering.seed.age").done();
    assert_eq!(fs::read(folder.join("peering.seed.age")).expect("it"), foreign);
    assert!(place.read("rome-milan/application-consumer.yaml").contains("peering-consumer"));
    // without recipients too: nothing is sealed
    place.run(&init(&[&FLAGS, &REPO, &["--force", "--keep-seed"]])).done();
    let contradiction = init(&[&FLAGS, &REPO, &TO, &["--force", "--keep-seed", "--expect", "sha256:0"]]);
    assert_eq!(place.run(&contradiction).code, Some(2));
    assert_eq!(place.run(&init(&[&FLAGS, &REPO, &TO, &["--keep-seed"]])).code, Some(2));
}

/// Anyone with push access can make a link, and it leads anywhere.
#[test]
fn no_link_of_the_repository_is_followed() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let outside = elsewhere.path();
    fs::create_dir(outside.join("below")).expect("a folder");
    fs::create_dir(place.path().join("real")).expect("a folder");
    for (name, target) in [
        ("peerings", outside.to_path_buf()),
        ("linked", outside.join("below")),
        ("missing", outside.join("missing")),
        ("real/inner", outside.to_path_buf()),
    ] {
        symlink(target, place.path().join(name)).expect("a link");
    }
    let refused = |folder: &str, link: &str, more: &[&str]| {
        let outcome = place.run(&[&["init", folder], &FLAGS[..], &REPO, &TO, more].concat());
        outcome.fails(3, "file").says(&format!("{link}: it is a symbolic link"));
        assert_eq!(fs::read_dir(outside).expect("a folder").count(), 1, "{folder}: written elsewhere");
        assert_eq!(fs::read_dir(outside.join("below")).expect("a folder").count(), 0, "{folder}");
    };
    for (folder, link) in [
        ("peerings/rome-milan", "peerings"),
        ("peerings/rome/milan", "peerings"),
        ("./peerings/below", "peerings"),
        ("linked", "linked"),
        ("missing", "missing"),
        ("missing/rome-milan", "missing"),
        ("real/inner/rome-milan", "real/inner"),
        ("real/../peerings/x", "peerings"),
        ("peerings/../x", "peerings"),
    ] {
        refused(folder, link, &[]);
        refused(folder, link, &["--force"]);
    }
    // the sibling that is read
    fs::create_dir(outside.join("below/like")).expect("a folder");
    fs::copy(quickstart().join("peering.yaml"), outside.join("below/like/peering.yaml")).expect("a copy");
    fs::create_dir(place.path().join("good")).expect("a folder");
    symlink(outside.join("below/like"), place.path().join("good/sibling")).expect("a link");
    let like = ["init", "good/new", "--like", "good/sibling", "--consumer-id", "turin"];
    let like = [&like[..], &["--consumer-pod-cidr", "10.42.0.0/16"], &REPO, &TO].concat();
    place.run(&like).fails(3, "file").says("good/sibling: it is a symbolic link");
    // those that are searched for a free node port: a link is none of them
    let outcome = place.run(&[&["init", "good/rome-milan"], &FLAGS[..], &REPO, &TO].concat());
    outcome.says("guessed: --node-port 32750").done();
    // a link to a checkout is the operator's
    let link = outside.join("checkout");
    symlink(place.path(), &link).expect("a link");
    let through = link.join("good/through").display().to_string();
    place.run(&[&["init", &through], &FLAGS[..], &REPO, &TO].concat()).done();
}

/// Nothing is written, not even what comes before the link.
#[test]
fn a_link_in_the_new_files_places_is_named_before_anything_is_written() {
    for name in ["peering.yaml", "peering.seed.age", "application-consumer.yaml", "application-provider.yaml"]
    {
        let place = Place::new();
        let folder = place.folder("rome-milan");
        fs::create_dir_all(&folder).expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a folder");
        symlink(elsewhere.path().join("written"), folder.join(name)).expect("a link");
        for keep in [&["--force"][..], &["--force", "--keep-seed"]] {
            let outcome = place.run(&init(&[&FLAGS, &REPO, &TO, keep]));
            outcome.fails(3, "file").says(&format!("peerings/rome-milan/{name}: it is a symbolic link"));
            assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1, "{name}: {outcome}");
            assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
        }
    }
}
