//! The tutorial: its commands make the peering that it says, and what it shows was seen by a scene.

use super::documentation::{RECIPIENT, blocks, commands};
use crate::custody::authenticate::clusters;
use crate::harness::{Checkout, REPO, ROLES, Terminal, Text, committed, document, put, replaced};
use std::fs;
use std::path::Path;

/// What a person types for `init`: an empty line takes what is proposed, and `yes` ends it.
const ANSWERS: &str =
    "\nrome\n10.42.0.0/16\n\nmilan\n10.42.0.0/16\n\n1.2\n172.16.183.16\n1\n1Gi\ndemo\nyes\nyes\n";

/// What the tutorial says, word for word at a terminal, makes a peering whose streams a person and Argo CD get.
#[test]
fn its_peering_is_made_as_it_says() {
    let (checkout, _, recipient) = Checkout::bare("peerings/rome-milan", &document());
    fs::remove_dir_all(checkout.folder()).expect("no folder");
    let bin = tempfile::tempdir().expect("a folder");
    clusters(bin.path());
    let path = format!("{}:/usr/bin:/bin", bin.path().display());
    clone(&checkout.root());
    let identity = checkout.identity().display().to_string();
    let kept = ("ARGOCD_PEERING_IDENTITY_FILE", identity.as_str());
    let home = |word: &str| match word.strip_prefix("~/") {
        Some(".config/argocd-peering/identity.txt") => checkout.identity().display().to_string(),
        Some(name) => checkout.temp().join(name).display().to_string(),
        None => word.replace("age1…", &recipient),
    };
    let page = committed("docs/tutorial.md");
    let shown = commands(&page)
        .into_iter()
        .filter(|command| command.contains(' ') && !command.starts_with("doctor "));
    let shown: Vec<String> = shown.collect();
    let [
        init,
        values_of_one,
        values_of_other,
        consumer,
        validate,
        generate,
        rights,
        provider,
        rotate,
    ] = shown.as_slice()
    else {
        panic!("{shown:?}")
    };
    for (command, typed) in [
        (init, ANSWERS),
        (values_of_one, ""),
        (values_of_other, ""),
        (consumer, "yes\n"),
        (validate, ""),
        (generate, ""),
        (rights, ""),
        (provider, "yes\n"),
        (rotate, ""),
    ] {
        let words: Vec<String> = command.split(' ').map(home).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let seen =
            Terminal::of(60)
                .typing(typed)
                .run(&words, &checkout.root(), &[("PATH", &path), kept]);
        assert_eq!(seen.code, Some(0), "{command}: {}", seen.shown);
    }
    // without Argo CD, as the other page has it
    let flux: Vec<String> = commands(&committed("docs/without-the-plugin.md"));
    let flux: Vec<&String> = flux
        .iter()
        .filter(|command| command.starts_with("generate peerings/"))
        .collect();
    assert_eq!(flux.len(), 2, "{flux:?}");
    for command in flux {
        let words: Vec<String> = command.split(' ').map(home).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let seen = Terminal::of(60).run(&words, &checkout.root(), &[]);
        assert!(
            seen.code == Some(0) && seen.stdout.contains("PublicKey"),
            "{command}: {}",
            seen.shown
        );
    }
    let stream = checkout.plugin("consumer").run().stream().to_owned();
    for kind in ["ResourceSlice", "NamespaceOffloading", "Identity"] {
        stream.has(kind);
    }
    let drained = replaced(
        &checkout.read("peering.yaml"),
        "\nspec:\n",
        &format!("\n{}", yaml(&page, "Drained")),
    );
    checkout.write("peering.yaml", drained);
    for role in ROLES {
        checkout
            .plugin(role)
            .run()
            .stream()
            .to_owned()
            .lacks("ResourceSlice");
    }
}

/// A clone of the repository, with nothing in it.
fn clone(root: &Path) {
    let git = root.join(".git");
    for folder in ["", "objects", "refs"] {
        fs::create_dir(git.join(folder)).expect("a folder");
    }
    put(git.join("HEAD"), "ref: refs/heads/main\n");
    let config =
        format!("[core]\nrepositoryformatversion = 0\n[remote \"origin\"]\nurl = {REPO}\n");
    put(git.join("config"), config);
}

/// The page's block of YAML with this in it.
fn yaml(page: &str, has: &str) -> String {
    blocks(page, "yaml")
        .into_iter()
        .find(|block| block.contains(has))
        .unwrap_or_else(|| panic!("no {has}"))
}

/// What no scene runs: it brings its own clusters, repositories and credential.
const NOT_PLAYED: [&str; 9] = [
    "mkdir -p ~/.config",
    "git clone ",
    "docker build ",
    "docker push ",
    "cd peerings",
    "argocd-peering liqo-values ",
    "liqoctl install ",
    "kubectl -n argocd rollout status ",
    "argocd-peering doctor ",
];

/// Its commands are those that a scene ran, and its outputs lines that a scene saw.
#[test]
fn a_scene_saw_what_it_shows() {
    let page = committed("docs/tutorial.md");
    let scene = committed("tests/scene/scene.md");
    let played: Vec<String> = scene
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .map(plain)
        .collect();
    let mut used = Vec::new();
    for command in blocks(&page, "sh")
        .iter()
        .flat_map(|block| lines(&as_played(block)))
    {
        if let Some(own) = NOT_PLAYED.iter().find(|own| command.starts_with(**own)) {
            used.push(*own);
        } else {
            assert!(
                played.iter().any(|it| is_like(it, &command)),
                "no scene ran: {command}"
            );
        }
    }
    for line in blocks(&page, "text")
        .iter()
        .flat_map(|block| block.lines())
        .map(as_played)
    {
        assert!(
            scene.lines().any(|seen| is_like(seen, &line)),
            "no scene saw: {line}"
        );
    }
    for own in NOT_PLAYED {
        assert!(
            used.contains(&own),
            "{own}: the page does not have it any more"
        );
    }
}

fn lines(block: &str) -> Vec<String> {
    block
        .replace("\\\n", " ")
        .replace("&&\n", "&& ")
        .lines()
        .map(plain)
        .collect()
}

/// A line of the page with the names of the scene's clusters.
fn as_played(line: &str) -> String {
    line.replace("rome", "consumer")
        .replace("milan", "provider")
}

/// A command without what differs from reader to reader: contexts, the recipient, comments, and what a scene filters.
fn plain(line: &str) -> String {
    let line = line
        .replace(RECIPIENT, "age1…")
        .replace("\"$(age-keygen -y ~/identity.txt)\"", "age1…")
        .replace("/.config/argocd-peering/identity.txt", "/identity.txt")
        .replace(" --identity-file ~/identity.txt", "")
        .replace("liqoctl --context consumer", "liqoctl")
        .replace("liqoctl --context provider", "liqoctl");
    let line = line
        .split(" # ")
        .next()
        .unwrap_or_default()
        .replace(" >/dev/null", "");
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    ["consumer", "provider", "argocd"]
        .iter()
        .fold(words, |line, name| {
            line.replace(&format!("kubectl --context {name} "), "kubectl ")
        })
}

/// Whether a line that was seen is the one that is shown, in which `…` is anything. The width of a column is nothing.
fn is_like(seen: &str, shown: &str) -> bool {
    let [seen, shown] =
        [seen, shown].map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut rest = seen.as_str();
    for (index, part) in shown.split('…').enumerate() {
        let Some(at) = rest.find(part).filter(|at| index > 0 || *at == 0) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || shown.ends_with('…') || rest.starts_with(" | ")
}

#[test]
fn a_line_that_no_scene_saw_is_noticed() {
    assert!(is_like("Public key: age1abc", "Public key: age1…"));
    assert!(is_like("a | grep b", "a"), "a scene may filter");
    assert!(is_like("a  b   c", "a b …"));
    assert!(!is_like("ab", "a") && !is_like("ba", "a") && !is_like("a b", "a…c"));
    assert_eq!(
        plain("kubectl --context consumer get x   # a comment"),
        "kubectl get x"
    );
}
