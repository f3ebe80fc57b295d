//! The tutorial: its commands make the peering that it says. That its outputs are true, tests/scene/run checks.

use super::documentation::commands;
use crate::harness::{Checkout, REPO, Terminal, Text, committed, document, encoded, machine, put};
use std::fs;
use std::path::Path;

/// What a person types for `init`: an empty line takes what is proposed, and `yes` ends it.
const ANSWERS: &str = "\n\nrome\n\n10.42.0.0/16\n\nmilan\n\n10.42.0.0/16\n\n1.2\n172.16.183.16\n1\n1Gi\ndemo\nyes\nyes\n";

/// A folder with a `kubectl` that plays both clusters: `rome` has a key, and `milan` has signed.
fn clusters(folder: &Path) {
    let program = include_str!("../custody/kubectl-of-both");
    machine::script(&folder.join("kubectl"), program);
    let of = |name: &str| encoded(committed(&format!("tests/certificates/handshake.{name}")));
    put(folder.join("key"), of("key"));
    let signed = serde_json::json!({ "apiServer": "https://192.0.2.1:6443", "ca": of("crt"), "signedCRT": of("crt") });
    let tenant = serde_json::json!({ "status": { "authParams": signed } });
    put(folder.join("tenant"), tenant.to_string());
}

/// What the tutorial says, word for word at a terminal, makes a peering whose streams a person and Argo CD get.
#[test]
fn its_peering_is_made_as_it_says() {
    let (checkout, _, recipient) = Checkout::bare("peerings/rome-milan", &document());
    fs::remove_dir_all(checkout.folder()).expect("no folder");
    let bin = crate::harness::machine::folder();
    clusters(bin.path());
    let path = format!("{}:/usr/bin:/bin", bin.path().display());
    clone(&checkout.root());
    put(checkout.root().join(".age-recipients"), recipient.clone());
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
    let mut printed = String::new();
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
        let variables = [("PATH", path.as_str()), kept];
        let run = |typed| {
            let terminal = Terminal::of(60).typing(typed);
            terminal.run(&words, &checkout.root(), &variables)
        };
        if typed == "yes\n" {
            run("no\n").shown.has("error[flag]: --yes: not confirmed");
        }
        let seen = run(typed);
        assert_eq!(seen.code, Some(0), "{command}: {}", seen.shown);
        printed += &seen.shown;
    }
    // the scene answers each question by a part of its text, and waits for ever if it has no answer
    let steps = committed("tests/scene/steps/describe.go");
    let (_, answers) = steps.split_once("map[string]string{").expect("the answers");
    let (answers, _) = answers.split_once('}').expect("an end");
    for line in answers.lines().filter(|line| line.contains('"')) {
        let question = line.split('"').nth(1).expect("a question");
        assert!(printed.contains(question), "{question}");
    }
    // without Argo CD, as the other page has it
    let flux: Vec<String> = commands(&committed("docs/without-the-plugin.md"));
    let flux: Vec<&String> = flux
        .iter()
        .filter(|command| command.starts_with("generate peerings/"))
        .filter(|command| !command.contains("--without-secrets"))
        .collect();
    assert_eq!(flux.len(), 2, "{flux:?}");
    for command in flux {
        let words: Vec<String> = command.split(' ').map(home).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let seen = Terminal::of(60).run(&words, &checkout.root(), &[kept]);
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
