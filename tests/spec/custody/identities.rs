//! The identity: where it may stand, and what it may be.

use crate::harness::argocd::plugin_arguments;
use crate::harness::team::{Needs, Team};
use crate::harness::{Checkout, Run, copy_of, demo, identity, machine, put};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

/// The plugin's run with another identity file, named by the operator.
fn plugin(checkout: &Checkout, identity: &Path) -> Run {
    let parameters = r#"[{"name":"role","string":"provider"}]"#;
    let mut run = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PARAMETERS", parameters);
    run.arguments(plugin_arguments(identity));
    run
}

fn local(checkout: &Checkout, identity: &Path) -> Run {
    let run = checkout.program([
        "generate",
        "--local",
        "--role",
        "provider",
        "--identity-file",
    ]);
    run.arg(identity).typed(checkout.temp())
}

/// The identity inside of what it opens.
fn inside() -> Vec<(Checkout, PathBuf)> {
    let place = |relative: &str| {
        let checkout = Checkout::new();
        let path = checkout.root().join(relative);
        put(&path, fs::read(checkout.identity()).expect("the identity"));
        (checkout, path)
    };
    let in_folder = "peerings/consumer-provider/identity.txt";
    let below = "peerings/consumer-provider/deep/identity.txt";
    let mut places: Vec<_> = [
        in_folder,
        below,
        "keys/identity.txt",
        "peerings/identity.txt",
        "identity.txt",
    ]
    .map(place)
    .into();
    // the same file by a link from outside, through a linked folder, by a detour, and by a relative path
    let (checkout, path) = place("keys/identity.txt");
    let link = checkout.temp().join("link.txt");
    symlink(path, &link).expect("a link");
    places.push((checkout, link));
    let (checkout, _) = place("keys/identity.txt");
    symlink(checkout.root().join("keys"), checkout.temp().join("keys")).expect("a link");
    let link = checkout.temp().join("keys/identity.txt");
    places.push((checkout, link));
    let (checkout, path) = place("keys/identity.txt");
    let detour = checkout
        .temp()
        .join("identity/../_cmp_server/../identity/..");
    let detour = detour.join(path.strip_prefix(checkout.temp()).expect("below"));
    places.push((checkout, detour));
    places.push((
        place("keys/identity.txt").0,
        "../../keys/identity.txt".into(),
    ));
    places
}

#[test]
fn an_identity_in_the_repository_is_refused() {
    for (checkout, path) in inside() {
        plugin(&checkout, &path)
            .run()
            .fails(3, "identity")
            .says("inside the repository")
            .says("--local");
        local(&checkout, &path).run().stream();
    }
}

/// Without an honest path of the folder in the repository, no identity near it is taken either.
#[test]
fn the_root_is_found_for_a_folder_at_the_root() {
    let checkout = Checkout::new();
    let root = checkout.root();
    copy_of(&checkout.folder(), &root);
    put(
        root.join("keys/identity.txt"),
        fs::read(checkout.identity()).expect("an identity"),
    );
    for path in [".", "./"] {
        let run = plugin(&checkout, &root.join("keys/identity.txt")).within(&root);
        run.env("ARGOCD_APP_SOURCE_PATH", path)
            .run()
            .fails(3, "identity")
            .says("inside the repository");
    }
}

/// A mounted Secret's files are links: `identity.txt` to `..data/identity.txt`, and `..data` to a dated folder.
#[test]
fn an_identity_that_is_a_link_outside_works() {
    let checkout = Checkout::new();
    let mount = checkout.temp().join("mount");
    let dated = mount.join("..2026_11_21_04_31_07.1234567890");
    fs::create_dir_all(&dated).expect("a folder");
    fs::copy(checkout.identity(), dated.join("identity.txt")).expect("a copy");
    symlink(dated.file_name().expect("a name"), mount.join("..data")).expect("a link");
    symlink("..data/identity.txt", mount.join("identity.txt")).expect("a link");
    let wanted = checkout.plugin("provider").run();
    assert_eq!(
        plugin(&checkout, &mount.join("identity.txt"))
            .run()
            .stream(),
        wanted.stream()
    );
}

#[test]
fn an_identity_file_that_is_none_is_explained() {
    let checkout = Checkout::new();
    let temp = checkout.temp().to_owned();
    let public = demo().to_public().to_string();
    let text = identity().1;
    let damaged = format!(
        "{}{}",
        &text[..text.len() - 1],
        if text.ends_with('Q') { 'P' } else { 'Q' }
    );
    let sealed = fs::read(checkout.folder().join("peering.seed.age")).expect("the seed");
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "has no identity"),
        (
            "comments",
            b"# created: today\n# public key: age1\n".to_vec(),
            "has no identity",
        ),
        (
            "recipient",
            public.into_bytes(),
            "a recipient, the public half",
        ),
        ("damaged", damaged.into_bytes(), "damaged"),
        (
            "second",
            format!("{text}\nnonsense\n").into_bytes(),
            "line 2",
        ),
        (
            "two-on-a-line",
            format!("{text} {text}").into_bytes(),
            "line 1",
        ),
        (
            "quantum",
            b"AGE-SECRET-KEY-PQ-1QQQQQQQQQQQQ\n".to_vec(),
            "post-quantum",
        ),
        (
            "yubikey",
            b"AGE-PLUGIN-YUBIKEY-1QQQQQQQQQQQQ\n".to_vec(),
            "plugin",
        ),
        (
            "ssh",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n".to_vec(),
            "SSH or PEM",
        ),
        ("sealed", sealed, "encrypted with a passphrase"),
        ("binary", vec![0xff, 0xfe, 0, 0], "not UTF-8"),
        ("large", vec![b'#'; 70_000], "larger than 65536 bytes"),
        ("huge", vec![b'\n'; 1 << 20], "larger than 65536 bytes"),
    ];
    for (name, content, words) in cases {
        put(temp.join(name), content);
        // who sees the Application learns nothing of the sidecar's folders, and a person finds their own file
        let path = temp.join(name);
        let outcome = plugin(&checkout, &path).run();
        outcome
            .fails(3, "identity")
            .says(&format!("`{name}`"))
            .says(words);
        assert!(
            !outcome.stderr.contains(&*temp.to_string_lossy()),
            "the whole path is shown: {outcome}"
        );
        local(&checkout, &path)
            .run()
            .fails(3, "identity")
            .says(&format!("`{}`", path.display()))
            .says(words);
    }
    let folder = local(&checkout, &temp).run();
    folder
        .fails(3, "identity")
        .says("not a regular file")
        .says("name the file itself");
}

/// A file with thousands of identities is work for each file that is opened: of the quickstart a run opens two.
#[test]
fn many_identities_are_bounded() {
    let checkout = Checkout::new();
    let ours = fs::read_to_string(checkout.identity()).expect("ours");
    let run = |others: usize| {
        put(
            checkout.identity(),
            format!("{}\n{ours}\n", vec![identity().1; others].join("\n")),
        );
        checkout.plugin("consumer").run()
    };
    run(399).stream();
    run(400)
        .fails(3, "sealed-payload")
        .says("it is sealed to more recipients than are tried");
}

#[test]
fn an_identity_file_that_is_not_there_or_no_file() {
    let checkout = Checkout::new();
    let temp = checkout.temp();
    let fifo = temp.join("fifo");
    machine::fifo(&fifo);
    symlink("loop", temp.join("loop")).expect("a link to itself");
    symlink("nowhere", temp.join("dangling")).expect("a dangling link");
    for (path, words) in [
        (temp.join("missing"), "no such file"),
        (temp.join("missing/identity.txt"), "no such file"),
        (temp.join("dangling"), "no such file"),
        (temp.join("loop"), "identity file `loop`"),
        (temp.join("identity"), "not a regular file"),
        (temp.join("identity/identity.txt/x"), "cannot be read"),
        (fifo.clone(), "not a regular file"),
        ("/dev/zero".into(), "writable by everyone"),
        ("/dev/stdin".into(), "the identity file `stdin`"),
    ] {
        plugin(&checkout, &path)
            .run()
            .fails(3, "identity")
            .says(words);
    }
    let nothing = checkout
        .program(["generate", "--local", "--role", "provider"])
        .run();
    nothing
        .fails(3, "identity")
        .says("--identity-file")
        .says("plugin.yaml");
}

/// A file of several kinds of identities, as SOPS has one: those that this program can use are tried, and the others are named.
#[test]
fn an_identity_of_another_kind_stands_aside() {
    let checkout = Checkout::new();
    let ours = fs::read_to_string(checkout.identity()).expect("ours");
    let (_, other) = identity();
    for (line, what) in [
        ("AGE-SECRET-KEY-PQ-1QQQQQQQQQQQQ", "a post-quantum identity"),
        (
            "AGE-PLUGIN-YUBIKEY-1QQQQQQQQQQQQ",
            "an identity of an age plugin",
        ),
    ] {
        for text in [
            format!("{line}\n{ours}"),
            format!("{ours}\n# another\n{line}\n"),
        ] {
            put(checkout.identity(), text);
            checkout.plugin("provider").run().stream();
            let inspect = checkout
                .program(["inspect", "peering.seed.age", "--identity-file"])
                .arg(checkout.identity());
            let outcome = inspect.typed(checkout.temp()).run();
            outcome
                .says(&format!("of the identity file is {what}"))
                .says("it was not tried")
                .done();
        }
        // where none opens it, it can be the other one that does
        put(checkout.identity(), format!("{line}\n{other}\n"));
        let outcome = checkout.plugin("provider").run();
        outcome
            .fails(3, "sealed-payload")
            .says(&format!("and line 1 of the identity file is {what}"));
        outcome.says("seal it to an X25519 recipient as well");
    }
}

/// A person names the identity once, by a variable or by its place; a flag comes first. The error of a wrong one names the file and why.
#[test]
fn a_person_keeps_an_identity_in_one_place() {
    let team = Team::new(Needs::Seed, &[]);
    let inspect = |set: &[(&str, &Path)]| {
        let run = team.typing("inspect peering.seed.age").typed(&team.root());
        set.iter()
            .fold(run, |run, (name, path)| run.env(name, path))
            .run()
    };
    let keep = |folder: &str, text: &str| {
        let path = team.root().join(folder).join("argocd-peering");
        put(path.join("identity.txt"), text);
        team.root().join(folder)
    };
    let own = fs::read_to_string(team.identity()).expect("an identity");
    let (_, strangers) = identity();
    let home = team.root().join("home");
    let nothing = inspect(&[("HOME", &home)]);
    nothing
        .fails(3, "identity")
        .says("--identity-file")
        .says("~/.config/argocd-peering/identity.txt");
    let [_, settings, other] = [
        ("home/.config", &own),
        ("settings", &own),
        ("other", &strangers),
    ]
    .map(|(folder, text)| keep(folder, text));
    inspect(&[("HOME", &home)]).done();
    inspect(&[("XDG_CONFIG_HOME", &settings)]).done();
    inspect(&[("HOME", &home), ("XDG_CONFIG_HOME", Path::new("settings"))]).done();
    inspect(&[
        ("HOME", &home),
        ("ARGOCD_PEERING_IDENTITY_FILE", Path::new("")),
    ])
    .done();
    let named = other.join("argocd-peering/identity.txt");
    for (name, path, words) in [
        ("XDG_CONFIG_HOME", &other, "is not set"),
        ("ARGOCD_PEERING_IDENTITY_FILE", &named, "names it"),
    ] {
        let words =
            format!("other/argocd-peering/identity.txt (ARGOCD_PEERING_IDENTITY_FILE {words})");
        inspect(&[("HOME", &home), (name, path)])
            .fails(3, "sealed-payload")
            .says(&words);
    }
    let missing = inspect(&[
        ("HOME", &home),
        ("ARGOCD_PEERING_IDENTITY_FILE", &other.join("none")),
    ]);
    missing
        .fails(3, "identity")
        .says("other/none (ARGOCD_PEERING_IDENTITY_FILE names it)");
    missing.says("no such file");
    let file = settings.join("argocd-peering/identity.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o606)).expect("writable");
    inspect(&[("XDG_CONFIG_HOME", &settings)])
        .fails(3, "identity")
        .says("is writable by everyone");
    let flag = team.typing("inspect peering.seed.age --identity-file ID");
    flag.env("ARGOCD_PEERING_IDENTITY_FILE", &named)
        .run()
        .done();
}

/// What the image has too looks at the flag only: an environment that someone else sets changes no stream.
#[test]
fn no_place_and_no_variable_opens_for_the_plugin() {
    let checkout = Checkout::new();
    let home = checkout.temp().join("home");
    let kept = home.join(".config/argocd-peering");
    let (_, strangers) = identity();
    for (text, opens) in [
        (
            fs::read_to_string(checkout.identity()).expect("an identity"),
            true,
        ),
        (strangers, false),
    ] {
        put(kept.join("identity.txt"), text);
        let with = |run: Run| {
            let run = run
                .env("HOME", &home)
                .env("XDG_CONFIG_HOME", home.join(".config"));
            run.env("ARGOCD_PEERING_IDENTITY_FILE", kept.join("identity.txt"))
        };
        let plugin = with(checkout.plugin("provider")).run();
        assert_eq!(plugin.stream(), checkout.plugin("provider").run().stream());
        for words in [
            &["generate"][..],
            &["generate", "--local", "--role", "provider"],
            &["keys", "export", "--role", "provider"],
        ] {
            let outcome = with(checkout.program(words.iter().copied())).run();
            assert!(
                outcome.code != Some(0) && outcome.stdout.is_empty(),
                "{words:?}, {opens}: {outcome}"
            );
        }
        let validate = with(checkout.program(["validate", "."])).run();
        assert_eq!(
            validate.stderr,
            checkout.program(["validate", "."]).run().stderr
        );
    }
}
