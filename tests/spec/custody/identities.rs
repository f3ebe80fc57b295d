//! The identity: where it may stand, and how many there may be; what it may be is in `identities.cases`.

use crate::harness::argocd::plugin_arguments;
use crate::harness::{Checkout, Run, copy_of, identity, put};
use std::fs;
use std::os::unix::fs::symlink;
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
