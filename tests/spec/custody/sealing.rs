//! Nothing is sealed blindly: whatever a repository adds to terms, recipients and certificates is shown and confirmed.

use super::certificates::{flag as certificate, words};
use super::team::{Needs, PATH, Team};
use crate::harness::{RECIPIENT as SOMEBODY, REPO, Terminal, Text, put, root};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

/// Each command that makes a new sealed file, with every term as a flag, and the file.
fn commands(team: &Team) -> Vec<(Vec<String>, &'static str)> {
    put(team.path("raw"), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    let (raw, kubeconfig) = (team.path("raw"), team.path("kubeconfig"));
    let [raw, kubeconfig] = [raw, kubeconfig].map(|path| path.display().to_string());
    let commands = [
        (vec!["seed", "new", "new.age"], "new.age"),
        (vec!["seed", "import", "--base64", &raw, "imported.age"], "imported.age"),
        (vec!["seal", "kubeconfig", &kubeconfig, "-o", "k.age"], "k.age"),
    ];
    let whole = |(words, file): (Vec<&str>, _)| {
        let words = [&words[..], &["--clusters", "rome,milan"], &TERMS].concat();
        (words.into_iter().map(ToOwned::to_owned).collect(), file)
    };
    commands.into_iter().map(whole).collect()
}

/// A folder with a `.git`, which is what makes a checkout.
fn checkout(path: PathBuf) -> PathBuf {
    fs::create_dir_all(path.join(".git")).expect("a checkout");
    path
}

/// She adds a line to the list of recipients that she can push to; the next file that is sealed would be hers as well.
#[test]
fn a_recipient_of_a_checkout_is_confirmed_by_every_command() {
    let team = Team::new(Needs::Both, &TERMS);
    let list = format!("# ours\n{}\n{SOMEBODY}\n", team.recipient);
    let own = checkout(team.root());
    let other = checkout(team.path("elsewhere/other"));
    let outside = team.path("outside");
    fs::create_dir(&outside).expect("a folder");
    for folder in [&own, &other, &outside] {
        put(folder.join("list"), &list);
    }
    let link = |target: &Path, at: PathBuf| {
        symlink(target, &at).expect("a link");
        at
    };
    link(&outside, own.join("linked"));
    let cases = [
        (own.join("list"), true),
        (other.join("list"), true),
        (outside.join("list"), false),
        // the link is the operator's, and the list is not; and the other way round
        (link(&own.join("list"), outside.join("into")), true),
        (link(&outside.join("list"), own.join("out")), true),
        (link(&own.join("out"), outside.join("through")), true),
        (own.join("linked/list"), true),
        (own.join("linked/../outside/list"), true),
        (link(&outside.join("list"), outside.join("again")), false),
    ];
    for (list, is_confirmed) in cases {
        for (command, file) in commands(&team) {
            let list = list.display().to_string();
            let mut command: Vec<&str> = command.iter().map(String::as_str).collect();
            command.extend(["--recipients-file", &list]);
            let first = team.person(&command);
            if is_confirmed {
                first.fails(2, "flag").says(&format!("{SOMEBODY} ({list}, line 3)"));
                first.says(&format!(
                    "note: {list} is in a Git checkout: anyone with push access can change it"
                ));
                assert!(!team.folder().join(file).exists(), "{list}: sealed blindly: {first}");
                team.confirming(&command).done();
            } else {
                first.says(&format!("{SOMEBODY} ({list}, line 3)")).silent_on("is in a Git checkout").done();
            }
            fs::remove_file(team.folder().join(file)).expect("it was sealed");
        }
    }
}

/// Who gives every value as a flag has chosen it.
#[test]
fn what_flags_say_is_shown_and_taken() {
    let team = Team::new(Needs::Both, &TERMS);
    checkout(team.root());
    for (command, file) in commands(&team) {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let command = [&command[..], &["--recipient", &team.recipient]].concat();
        // a digest that is given counts all the same
        let other = format!("sha256:{}", "0".repeat(64));
        team.person(&[&command[..], &["--expect", &other]].concat()).fails(2, "flag");
        let outcome = team.person(&command);
        outcome.says(&format!(
            "terms of {file}: clusters \"rome\" (consumer) \"milan\" (provider); projects \"net\""
        ));
        outcome.says(&format!("{} (--recipient)", team.recipient)).done();
    }
}

#[test]
fn a_certificate_of_a_checkout_is_confirmed() {
    let team = Team::new(Needs::Seed, &TERMS);
    let own = checkout(team.root());
    let pem = root().join("tests/certificates/rome.crt");
    fs::copy(&pem, own.join("rome.pem")).expect("a copy");
    fs::copy(&pem, team.path("rome.pem")).expect("a copy");
    for (file, is_confirmed) in [(own.join("rome.pem"), true), (team.path("rome.pem"), false)] {
        for (command, sealed) in commands(&team) {
            let certificate = format!("rome={}", file.display());
            let mut command: Vec<&str> = command.iter().map(String::as_str).collect();
            command.extend(["--recipient", &team.recipient, "--certificate", &certificate]);
            let first = team.person(&command);
            if is_confirmed {
                first.fails(2, "flag").says(&format!("note: {} is in a Git checkout", file.display()));
                assert!(!team.folder().join(sealed).exists(), "sealed blindly: {first}");
                team.confirming(&command);
            }
            fs::remove_file(team.folder().join(sealed)).expect("it was sealed");
        }
    }
}

/// What Argo CD could never open is said while nothing is sealed yet.
#[test]
fn terms_without_a_project_are_noticed_before_the_question() {
    let team = Team::new(Needs::Seed, &TERMS);
    let seen = Terminal::of(80).typing("no\n").run(
        &["seed", "new", "new.age", "--recipient", &team.recipient],
        &team.folder(),
        &[],
    );
    let note = "Argo CD will not open it: that needs --project, --repo and --path";
    let at = |words: &str| seen.shown.find(words).unwrap_or_else(|| panic!("no {words}: {}", seen.shown));
    assert!(at(note) < at("Type `yes`"), "{}", seen.shown);
    seen.shown.has("error[unconfirmed]: Not confirmed. Nothing was sealed.");
    seen.ends(2);
    assert!(!team.folder().join("new.age").exists());
}

#[test]
fn a_digest_of_something_else_is_named() {
    let team = Team::new(Needs::Seed, &TERMS);
    let reseal = ["reseal", "peering.seed.age", "--identity-file", &team.identity(), "--recipient", SOMEBODY];
    let whole = format!("sha256:{}", "0a".repeat(32));
    for (written, shown) in [("sha256:abc", "sha256:abc"), ("yes", "yes"), (whole.as_str(), &whole)] {
        let refusal = team.person(&[&reseal[..], &["--expect", written]].concat());
        refusal.fails(2, "flag");
        refusal.says(&format!("--expect: `{shown}` is not the digest of these terms and recipients"));
    }
    let key = "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=";
    team.person(&[&reseal[..], &["--expect", key]].concat()).fails(2, "flag").silent_on("DDFyDuGz");
}

/// Anyone with push access chooses the names of files, so each letter of one is known.
#[test]
fn the_place_of_a_recipient_is_shown_in_ascii() {
    let team = Team::new(Needs::Seed, &TERMS);
    for (name, shown) in [
        ("r\u{435}cipients", "r\\u{435}cipients"),
        ("a\u{202e}b", "a\\u{202e}b"),
        ("a\nb", "a\\u{a}b"),
        ("a\\u{435}", "a\\\\u{435}"),
    ] {
        let list = team.path(name);
        put(&list, &team.recipient);
        let list = list.display().to_string();
        let seal = ["seed", "new", "new.age", "--clusters", "rome,milan", "--recipients-file", &list];
        let outcome = team.person(&[&seal[..], &TERMS].concat());
        outcome.done();
        let line = outcome.stderr.lines().find(|line| line.contains("cipients") || line.contains("line 1"));
        let place = outcome.stderr.lines().find(|line| line.contains(&format!("/{shown}, line 1)")));
        assert!(place.is_some(), "{line:?}: {outcome}");
        fs::remove_file(team.folder().join("new.age")).expect("it was sealed");
    }
}

/// Parts of a path that together are as long as a key are no key where the folder exists.
#[test]
fn a_file_is_called_by_its_name() {
    let team = Team::new(Needs::Seed, &TERMS);
    fs::create_dir(team.folder().join("Team2")).expect("a folder");
    let name = format!("Team2/{}.age", "r".repeat(37));
    let seal = ["--clusters", "rome,milan", "--recipient", &team.recipient];
    let outcome = team.person(&[&["seed", "new", &name], &seal[..], &TERMS].concat());
    outcome.says(&format!("terms of {name}: ")).says(&format!("sealed {name} to 1 recipient: ")).done();
    // what is given as a path by mistake leads nowhere
    for key in
        ["eO1CP6S5bCtFj0iExDDFy/uGzAkA+BitFDkZ43gc30D=", "/eO1CP6S5bCtFj0iExDDFyuGzAkA+BitFDkZ43gc30D="]
    {
        let outcome = team.person(&[&["seed", "new", key], &seal[..], &TERMS].concat());
        outcome.everything().lacks("FDkZ43gc");
    }
}

/// A seed or kubeconfig with certificates of hers, in the place of ours: whatever is sealed again would go to her.
#[test]
fn a_certificate_is_never_inherited() {
    let both = [certificate("rome", "rome"), certificate("milan", "milan")];
    let team = Team::new(Needs::Both, &TERMS);
    let identity = team.identity();
    let to = ["--identity-file", identity.as_str(), "--recipient", &team.recipient];
    let kubeconfig = team.path("kubeconfig").display().to_string();
    let commands = [
        (vec!["reseal", "peering.seed.age"], "peering.seed.age"),
        (vec!["reseal", "kubeconfig.age"], "kubeconfig.age"),
        (vec!["seed", "rotate", ".", "--role", "provider", "--new-seed"], "peering.seed.age"),
        (vec!["seal", "kubeconfig", &kubeconfig, "-o", "kubeconfig.age", "--replace"], "kubeconfig.age"),
    ];
    for (command, file) in commands {
        team.confirming(&[&["reseal", file], &to[..], &words(&both)].concat()).done();
        let before = fs::read(team.folder().join(file)).expect("the sealed file");
        let run = |more: &[&str]| team.confirming(&[&command[..], &to, more].concat());
        let missing = run(&[]);
        missing.fails(2, "flag").says("--certificate: ").says(file).says("`milan`").says("`rome`");
        let missing = run(&words(&both[..1]));
        missing.fails(2, "flag").says("--certificate milan=").says("--no-certificate milan");
        missing.silent_on("`rome`");
        assert_eq!(fs::read(team.folder().join(file)).expect("the sealed file"), before);
        let shown = |file: &str| team.person(&["inspect", file, "--identity-file", &identity]).stdout;
        // by name, one is left out; given again, both stay
        run(&words(&both)).done();
        assert_eq!(shown(file).matches("\ncertificate: ").count(), 2, "{}", shown(file));
        run(&[&words(&both[..1])[..], &["--no-certificate", "milan"]].concat()).done();
        assert_eq!(shown(file).matches("\ncertificate: ").count(), 1, "{}", shown(file));
        run(&words(&both)).done();
        // what has no effect was meant for something
        for wrong in ["turin", "Rome"] {
            run(&[&words(&both)[..], &["--no-certificate", wrong]].concat())
                .fails(2, "flag")
                .says("--no-certificate");
        }
        let contradiction = run(&[&words(&both)[..], &["--no-certificate", "rome"]].concat());
        contradiction.fails(2, "flag").says("--no-certificate");
    }
    let new = ["seed", "new", "x.age", "--clusters", "a,b", "--recipient", SOMEBODY, "--no-certificate", "a"];
    team.person(&new).fails(2, "flag").says("--no-certificate");
}

/// Each goes to the files whose terms name its cluster.
#[test]
fn certificates_of_several_files_find_their_own() {
    let team = Team::new(Needs::Seed, &TERMS);
    for (file, clusters) in [("a.age", "rome,milan"), ("b.age", "rome,turin"), ("c.age", "asti,alba")] {
        let new = ["seed", "new", file, "--clusters", clusters, "--recipient", &team.recipient];
        team.person(&[&new[..], &TERMS].concat()).done();
    }
    let identity = team.identity();
    let to = ["--identity-file", identity.as_str(), "--recipient", &team.recipient];
    let reseal = [&["reseal", "a.age", "b.age", "c.age"], &to[..]].concat();
    let some = [certificate("rome", "rome"), certificate("milan", "milan"), certificate("turin", "rsa-2048")];
    team.confirming(&[&reseal[..], &words(&some)].concat()).done();
    for (file, clusters) in
        [("a.age", vec!["milan", "rome"]), ("b.age", vec!["rome", "turin"]), ("c.age", vec![])]
    {
        let inspected = team.person(&["inspect", file, "--identity-file", &identity]).stdout;
        let of_file: Vec<&str> = inspected
            .lines()
            .filter_map(|line| line.strip_prefix("certificate: \"")?.split('"').next())
            .collect();
        assert_eq!(of_file, clusters, "{file}");
    }
    let drop = [&reseal[..], &["--no-certificate", "turin"]].concat();
    let strange = [&some[..2], &[certificate("bari", "rsa-2048")]].concat();
    team.confirming(&[&drop[..], &words(&strange)].concat()).fails(2, "flag").says("`bari`");
    let dropped = ["--no-certificate", "rome", "--no-certificate", "milan", "--no-certificate", "turin"];
    team.confirming(&[&reseal[..], &dropped].concat()).done();
    let inspected = team.person(&["inspect", "b.age", "--identity-file", &identity]).stdout;
    inspected.lacks("certificate");
}

/// One key for two clusters is a slip of the hand: each could open what is sealed for the other.
#[test]
fn two_clusters_do_not_get_one_certificate() {
    let team = Team::new(Needs::Seed, &TERMS);
    let copy = team.path("copy.pem");
    let pem = fs::read_to_string(root().join("tests/certificates/rome.crt")).expect("a certificate");
    put(&copy, format!("the same\n{pem}"));
    let same = [certificate("rome", "rome"), ["--certificate".into(), format!("milan={}", copy.display())]];
    let (identity, new) = (team.identity(), ["seed", "new", "new.age", "--clusters", "rome,milan"]);
    for command in [&new[..], &["reseal", "peering.seed.age", "--identity-file", &identity]] {
        let run = team.confirming(&[command, &["--recipient", &team.recipient], &words(&same)].concat());
        run.fails(2, "flag").says("--certificate: `milan` and `rome`").says("the same key");
        run.says("kubeseal --context milan --fetch-cert");
    }
    assert!(!team.folder().join("new.age").exists());
}
