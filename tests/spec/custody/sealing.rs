//! Nothing is sealed blindly: whatever a repository adds to terms, recipients and certificates is shown and confirmed.

use super::certificates::BOTH;
use super::team::{Needs, TERMS, Team};
use crate::harness::{RECIPIENT as SOMEBODY, Terminal, Text, put, root};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Each command that makes a new sealed file, with every term as a flag, and the file.
const COMMANDS: [(&str, &str); 3] = [
    ("seed new new.age --clusters rome,milan TERMS", "new.age"),
    (
        "seed import --base64 ~/raw imported.age --clusters rome,milan TERMS",
        "imported.age",
    ),
    (
        "seal kubeconfig ~/kubeconfig -o k.age --clusters rome,milan TERMS",
        "k.age",
    ),
];

/// A team with what they need.
fn team(needs: Needs) -> Team {
    let team = Team::new(needs, &TERMS);
    put(
        team.path("raw"),
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    );
    team
}

/// A folder with a `.git`, which is what makes a checkout.
fn checkout(path: PathBuf) -> PathBuf {
    fs::create_dir_all(path.join(".git")).expect("a checkout");
    path
}

/// A path as a word of a line.
fn word(path: &Path) -> String {
    serde_json::json!(path).to_string()
}

/// It asks where what it is sealed with comes from a checkout, and it is taken at once elsewhere.
#[track_caller]
fn asks(team: &Team, line: &str, file: &str, of_checkout: Option<&str>, shown: &str) {
    let first = team.types(line);
    first.says(shown);
    match of_checkout {
        Some(path) => {
            let note =
                format!("note: {path} is in a Git checkout: anyone with push access can change it");
            first.fails(2, "flag").says(&note);
            assert!(
                !team.folder().join(file).exists(),
                "{path}: sealed blindly: {first}"
            );
            team.confirms(line).done();
        }
        None => {
            first.silent_on("is in a Git checkout").done();
        }
    }
    fs::remove_file(team.folder().join(file)).expect("it was sealed");
}

/// She adds a line to the list of recipients that she can push to; the next file that is sealed would be hers as well.
#[test]
fn a_recipient_of_a_checkout_is_confirmed_by_every_command() {
    let team = team(Needs::Both);
    let list = format!("# ours\n{}\n{SOMEBODY}\n", team.recipient);
    let own = checkout(team.root());
    let other = checkout(team.path("elsewhere/other"));
    let outside = team.path("outside");
    fs::create_dir(&outside).expect("a folder");
    for folder in [&own, &other, &outside] {
        put(folder.join("list"), &list);
    }
    let linked = |target: &Path, at: PathBuf| {
        symlink(target, &at).expect("a link");
        at
    };
    linked(&outside, own.join("linked"));
    let cases = [
        (own.join("list"), true),
        (other.join("list"), true),
        (outside.join("list"), false),
        // the link is the operator's, and the list is not; and the other way round
        (linked(&own.join("list"), outside.join("into")), true),
        (linked(&outside.join("list"), own.join("out")), true),
        (linked(&own.join("out"), outside.join("through")), true),
        (own.join("linked/list"), true),
        (own.join("linked/../outside/list"), true),
        (linked(&outside.join("list"), outside.join("again")), false),
    ];
    for (list, is_confirmed) in cases {
        let path = list.display().to_string();
        for (command, file) in COMMANDS {
            let line = format!("{command} --recipients-file {}", word(&list));
            let shown = format!("{SOMEBODY} ({path}, line 3)");
            asks(
                &team,
                &line,
                file,
                is_confirmed.then_some(path.as_str()),
                &shown,
            );
        }
    }
}

/// Who gives every value as a flag has chosen it.
#[test]
fn what_flags_say_is_shown_and_taken() {
    let team = team(Needs::Both);
    checkout(team.root());
    for (command, file) in COMMANDS {
        let line = format!("{command} --recipient TO");
        // a digest that is given counts all the same
        team.types(&format!("{line} --expect sha256:{}", "0".repeat(64)))
            .fails(2, "flag");
        let outcome = team.types(&line);
        outcome.says(&format!(
            "terms of {file}: clusters \"rome\" (consumer) \"milan\" (provider); projects \"net=rome\""
        ));
        outcome
            .says(&format!("{} (--recipient)", team.recipient))
            .done();
    }
}

#[test]
fn a_certificate_of_a_checkout_is_confirmed() {
    let team = team(Needs::Seed);
    let own = checkout(team.root());
    let pem = root().join("tests/certificates/rome.crt");
    for (folder, is_confirmed) in [(own, true), (team.path(""), false)] {
        let file = folder.join("rome.pem");
        fs::copy(&pem, &file).expect("a copy");
        let path = file.display().to_string();
        let certificate = word(Path::new(&format!("rome={path}")));
        for (command, sealed) in COMMANDS {
            let line = format!("{command} --recipient TO --certificate {certificate}");
            asks(
                &team,
                &line,
                sealed,
                is_confirmed.then_some(path.as_str()),
                "sha256:",
            );
        }
    }
}

/// What Argo CD could never open is said while nothing is sealed yet.
#[test]
fn terms_without_a_project_are_noticed_before_the_question() {
    let team = team(Needs::Seed);
    let new = ["seed", "new", "new.age", "--recipient", &team.recipient];
    let seen = Terminal::of(80)
        .typing("no\n")
        .run(&new, &team.folder(), &[]);
    let note = "Argo CD will not open it: that needs --project, --repo and --path";
    let at = |words: &str| {
        seen.shown
            .find(words)
            .unwrap_or_else(|| panic!("no {words}: {}", seen.shown))
    };
    assert!(at(note) < at("Type `yes`"), "{}", seen.shown);
    seen.shown
        .has("error[unconfirmed]: Not confirmed. Nothing was sealed.");
    seen.ends(2);
    assert!(!team.folder().join("new.age").exists());
}

#[test]
fn a_digest_of_something_else_is_named() {
    let team = team(Needs::Seed);
    let expecting = |words: &str| {
        let reseal = format!("reseal peering.seed.age --identity-file ID --recipient {SOMEBODY}");
        team.types(&format!("{reseal} --expect {words}"))
    };
    let whole = format!("sha256:{}", "0a".repeat(32));
    for written in ["sha256:abc", "yes", &whole] {
        let words =
            format!("--expect: `{written}` is not the digest of these terms and recipients");
        expecting(written).fails(2, "flag").says(&words);
    }
    expecting("eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=")
        .fails(2, "flag")
        .silent_on("DDFyDuGz");
}

/// Anyone with push access chooses the names of files, so each letter of one is known.
#[test]
fn the_place_of_a_recipient_is_shown_in_ascii() {
    let team = team(Needs::Seed);
    for (name, shown) in [
        ("r\u{435}cipients", "r\\u{435}cipients"),
        ("a\u{202e}b", "a\\u{202e}b"),
        ("a\nb", "a\\u{a}b"),
        ("a\\u{435}", "a\\\\u{435}"),
    ] {
        let list = team.path(name);
        put(&list, &team.recipient);
        let line = format!("{} --recipients-file {}", COMMANDS[0].0, word(&list));
        team.types(&line).says(&format!("/{shown}, line 1)")).done();
        fs::remove_file(team.folder().join("new.age")).expect("it was sealed");
    }
}

/// Parts of a path that together are as long as a key are no key where the folder exists.
#[test]
fn a_file_is_called_by_its_name() {
    let team = team(Needs::Seed);
    fs::create_dir(team.folder().join("Team2")).expect("a folder");
    let name = format!("Team2/{}.age", "r".repeat(37));
    let new = |name: &str| {
        team.types(
            &COMMANDS[0]
                .0
                .replace("new.age", &format!("{name} --recipient TO")),
        )
    };
    new(&name)
        .says(&format!("terms of {name}: "))
        .says(&format!("sealed {name} to 1 recipient: "))
        .done();
    // what is given as a path by mistake leads nowhere
    for key in
        "eO1CP6S5bCtFj0iExDDFy/uGzAkA+BitFDkZ43gc30D= /eO1CP6S5bCtFj0iExDDFyuGzAkA+BitFDkZ43gc30D="
            .split(' ')
    {
        new(key).everything().lacks("FDkZ43gc");
    }
}

/// A seed or kubeconfig with certificates of hers, in the place of ours: whatever is sealed again would go to her.
#[test]
fn a_certificate_is_never_inherited() {
    let team = team(Needs::Both);
    let one = "--certificate rome=CERTS/rome.crt";
    for (command, file) in [
        ("reseal peering.seed.age", "peering.seed.age"),
        ("reseal kubeconfig.age", "kubeconfig.age"),
        (
            "seed rotate . --role provider --new-seed",
            "peering.seed.age",
        ),
        (
            "seal kubeconfig ~/kubeconfig -o kubeconfig.age --replace",
            "kubeconfig.age",
        ),
    ] {
        team.confirms(&format!(
            "reseal {file} --identity-file ID --recipient TO {BOTH}"
        ))
        .done();
        let before = team.sealed(file);
        let run = |more: &str| {
            team.confirms(&format!(
                "{command} --identity-file ID --recipient TO {more}"
            ))
        };
        run("")
            .fails(2, "flag")
            .says("--certificate: ")
            .says(file)
            .says("`milan`")
            .says("`rome`");
        let missing = run(one);
        missing
            .fails(2, "flag")
            .says("--certificate milan=")
            .says("--no-certificate milan");
        missing.silent_on("`rome`");
        assert_eq!(team.sealed(file), before);
        // by name, one is left out; given again, both stay
        for (flags, count) in [
            (BOTH.to_owned(), 2),
            (format!("{one} --no-certificate milan"), 1),
            (BOTH.to_owned(), 2),
        ] {
            run(&flags).done();
            let shown = team.inspected(file);
            assert_eq!(shown.matches("\ncertificate: ").count(), count, "{shown}");
        }
        // what has no effect was meant for something, and so was what contradicts itself
        for wrong in ["turin", "Rome", "rome"] {
            run(&format!("{BOTH} --no-certificate {wrong}"))
                .fails(2, "flag")
                .says("--no-certificate");
        }
    }
    let new = "seed new x.age --clusters a,b --recipient TO --no-certificate a";
    team.types(new).fails(2, "flag").says("--no-certificate");
}

/// Each goes to the files whose terms name its cluster.
#[test]
fn certificates_of_several_files_find_their_own() {
    let team = team(Needs::Seed);
    for (file, clusters) in [
        ("a.age", "rome,milan"),
        ("b.age", "rome,turin"),
        ("c.age", "asti,alba"),
    ] {
        team.types(&format!(
            "seed new {file} --clusters {clusters} --recipient TO TERMS"
        ))
        .done();
    }
    let reseal = "reseal a.age b.age c.age --identity-file ID --recipient TO";
    team.confirms(&format!(
        "{reseal} {BOTH} --certificate turin=CERTS/rsa-2048.crt"
    ))
    .done();
    for (file, clusters) in [
        ("a.age", "milan rome"),
        ("b.age", "rome turin"),
        ("c.age", ""),
    ] {
        let inspected = team.inspected(file);
        let names = inspected
            .lines()
            .filter_map(|it| it.strip_prefix("certificate: \"")?.split('"').next());
        assert_eq!(names.collect::<Vec<_>>().join(" "), clusters, "{file}");
    }
    let strange =
        format!("{reseal} --no-certificate turin {BOTH} --certificate bari=CERTS/rsa-2048.crt");
    team.confirms(&strange).fails(2, "flag").says("`bari`");
    let dropped = "--no-certificate rome --no-certificate milan --no-certificate turin";
    team.confirms(&format!("{reseal} {dropped}")).done();
    team.inspected("b.age").lacks("certificate");
}

/// One key for two clusters is a slip of the hand: each could open what is sealed for the other.
#[test]
fn two_clusters_do_not_get_one_certificate() {
    let team = team(Needs::Seed);
    let pem =
        fs::read_to_string(root().join("tests/certificates/rome.crt")).expect("a certificate");
    put(team.path("copy.pem"), format!("the same\n{pem}"));
    let same = "--certificate rome=CERTS/rome.crt --certificate milan=~/copy.pem";
    for command in [
        "seed new new.age --clusters rome,milan",
        "reseal peering.seed.age --identity-file ID",
    ] {
        let run = team.confirms(&format!("{command} --recipient TO {same}"));
        run.fails(2, "flag")
            .says("--certificate: `milan` and `rome`")
            .says("the same key");
        run.says("kubeseal --context milan --fetch-cert");
    }
    assert!(!team.folder().join("new.age").exists());
}
