//! The same folder gives the same bytes, on standard output and on standard error, wherever and however it is read.
//!
//! Argo CD caches and compares what a plugin prints: a byte that depends on the machine is a change that nobody made.

use std::path::Path;
use std::sync::LazyLock;

use crate::harness::{Outcome, Peering, ROLES, Run};

/// The smallest example, the largest one, and one with mistakes in it, whose messages must be as steady.
fn peerings() -> [Peering; 3] {
    let broken = Peering::example("quickstart").edited(|text| {
        text.replace(
            "externalCIDR: 10.70.0.0/16\n\n  networking",
            "externalCIDR: 10.42.0.0/8\n    zeta: 1\n    alpha: 2\n\n  networking",
        )
        .replace("mtu: 1340", "mtu: 1\n    beta: x")
        .replace("clusterID: consumer", "clusterID: Consumer")
        .replace("cpu: \"1\", memory: 1Gi", "cpu: x, memory: y, \"z z\": 1")
        .replace("clusters: thisPeer", "clusters: nobody")
    });
    [
        Peering::example("quickstart"),
        Peering::example("everything"),
        broken,
    ]
}

/// What a run shows: its exit code, standard output and standard error.
type Shown = (Option<i32>, String, String);

fn shown(run: &Run) -> Shown {
    let Outcome {
        code,
        stdout,
        stderr,
        ..
    } = run.run();
    (code, stdout, stderr)
}

/// What both roles' runs of each peering show when nothing is special about them.
fn usual() -> &'static [[Shown; 2]; 3] {
    static USUAL: LazyLock<[[Shown; 2]; 3]> =
        LazyLock::new(|| peerings().map(|peering| ROLES.map(|role| shown(&peering.run(role)))));
    let [.., [broken, _]] = &*USUAL;
    // whose order must not depend on a map's
    assert!(broken.0 == Some(1) && broken.2.matches("error[").count() >= 8);
    assert!(!broken.2.contains('\u{1b}'), "{:?}", broken.2);
    &USUAL
}

/// Each run shows the same when it is made in another way.
#[track_caller]
fn assert_same(what: &str, other: impl Fn(&Peering, &str) -> Run) {
    for (peering, expected) in peerings().iter().zip(usual()) {
        for (role, expected) in ROLES.iter().zip(expected) {
            let found = shown(&other(peering, role));
            // not `assert_eq` of these: it would print a stream, and with it keys
            let same = [
                expected.0 == found.0,
                expected.1 == found.1,
                anywhere(&expected.2) == anywhere(&found.2),
            ];
            assert_eq!(
                same, [true; 3],
                "{what}: {} {role}: exit code, stdout, stderr",
                peering.name
            );
        }
    }
}

/// The notes but for those about the place itself: whether Argo CD would open the files there.
fn anywhere(notes: &str) -> Vec<&str> {
    notes
        .lines()
        .filter(|line| !line.starts_with("note: Argo CD refuses "))
        .collect()
}

/// Every example, in one process: nothing is left of one run that another one would show.
#[test]
fn again() {
    let streams = || -> Vec<String> {
        let examples = Peering::examples();
        examples
            .iter()
            .flat_map(|example| ROLES.map(|role| example.stream(role)))
            .collect()
    };
    let first = streams();
    assert!(first.len() > 20 && (0..3).all(|_| streams() == first));
    assert_same("again", Peering::run);
}

#[test]
fn in_another_environment() {
    let environments: [&[(&str, &str)]; 9] = [
        &[("TZ", "Pacific/Kiritimati")],
        &[
            ("LANG", "tr_TR.UTF-8"),
            ("LC_ALL", "tr_TR.UTF-8"),
            ("LANGUAGE", "tr"),
        ],
        &[
            ("HOME", "/nonexistent"),
            ("USER", "somebody"),
            ("TMPDIR", "/nonexistent"),
            ("PATH", ""),
        ],
        &[
            ("TERM", "xterm-256color"),
            ("COLORTERM", "truecolor"),
            ("COLUMNS", "20"),
            ("CLICOLOR", "1"),
            ("CLICOLOR_FORCE", "1"),
            ("FORCE_COLOR", "3"),
        ],
        &[
            ("CARGO_TERM_COLOR", "always"),
            ("CI", "true"),
            ("GITHUB_ACTIONS", "true"),
        ],
        &[("NO_COLOR", "1"), ("TERM", "dumb")],
        &[
            ("RUST_BACKTRACE", "full"),
            ("RUST_LOG", "trace"),
            ("RUST_MIN_STACK", "8388608"),
        ],
        // with `--local` and `--role` none of it counts
        &[
            ("ARGOCD_ENV_ROLE", "other"),
            ("KUBE_VERSION", "1.33"),
            ("KUBE_API_VERSIONS", "v1"),
        ],
        &[
            ("SOURCE_DATE_EPOCH", "0"),
            ("HOSTNAME", "other"),
            ("\u{1f34e}", "\u{1f34e}"),
            ("EMPTY", ""),
        ],
    ];
    for variables in environments {
        assert_same(&format!("{variables:?}"), |peering, role| {
            variables
                .iter()
                .fold(peering.run(role), |run, (name, value)| run.env(name, value))
        });
    }
}

/// `generate` as a peering's own, but with another folder, or none, from another place.
fn from(peering: &Peering, role: &str, folder: Option<&Path>, place: &Path) -> Run {
    let run = Run::new(["generate", "--local", "--role", role])
        .args(folder)
        .within(place);
    run.arg("--identity-file").arg(&peering.identity)
}

#[test]
fn from_another_place() {
    let elsewhere = crate::harness::machine::folder();
    for place in [elsewhere.path(), Path::new("/")] {
        assert_same("absolute", |it, role| {
            from(it, role, Some(&it.folder), place)
        });
        assert_same("with a slash", |it, role| {
            from(it, role, Some(&it.folder.join("")), place)
        });
    }
    let parent_and_name = |it: &Peering| {
        let parent = it
            .folder
            .parent()
            .expect("it is below another one")
            .to_owned();
        (parent, it.folder.file_name().expect("a name").to_owned())
    };
    assert_same("relative", |it, role| {
        let (parent, name) = parent_and_name(it);
        from(it, role, Some(Path::new(&name)), &parent)
    });
    assert_same("`.`", |it, role| {
        from(it, role, Some(Path::new(".")), &it.folder)
    });
    assert_same("not said", |it, role| from(it, role, None, &it.folder));
    assert_same("roundabout", |it, role| {
        from(
            it,
            role,
            Some(&Path::new("..").join(parent_and_name(it).1)),
            &it.folder,
        )
    });
}

#[test]
fn from_a_copy() {
    assert_same("a copy", |peering, role| {
        peering.edited(|text| text).run(role)
    });
}
