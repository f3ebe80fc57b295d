//! What a new user trips over, a part of `newcomer.txt` for each thing.

use super::sealing::Checkout;
use crate::command::validate::application;
use crate::harness::machine::{self, command};
use crate::harness::{REPO, changed, copy_of, kubeconfig, parts, put, read, replaced, root, words};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const FOLDER: &str = "peerings/rome-milan";

/// What `& NAME` of the table does.
fn prepare(it: &Checkout, name: &str) {
    let folder = it.root().join(FOLDER);
    let add = |name: &str, text: &str| put(folder.join(name), text);
    let renamed =
        |from: &str, to: &str| fs::rename(folder.join(from), folder.join(to)).expect("renamed");
    match name {
        "identity_in_notes" => {
            add(
                "notes.md",
                &format!("keep this: {}", read(&it.home().join("identity.txt"))),
            );
        }
        "kubeconfig_in_clear" => add("access.yml", &kubeconfig("example-token")),
        "applications" => {
            for (role, cluster) in [("consumer", "rome"), ("provider", "milan")] {
                add(
                    &format!("application-{role}.yaml"),
                    &application(role, cluster, FOLDER),
                );
            }
        }
        "other_role" => add(
            "application-consumer.yaml",
            &application("provider", "rome", FOLDER),
        ),
        "commit" => commit(&it.root()),
        "renamed" => renamed("", "../italy"),
        "removed" => fs::remove_dir_all(folder).expect("removed"),
        "renamed_seed" => renamed("peering.seed.age", "seed.age"),
        "peering_yml" => renamed("peering.yaml", "peering.yml"),
        "peering_yaml_txt" => renamed("peering.yaml", "peering.yaml.txt"),
        "without_credential" => fs::remove_file(folder.join("kubeconfig.age")).expect("removed"),
        "without_seed" => fs::remove_file(folder.join("peering.seed.age")).expect("removed"),
        "kubeconfig_over_seed" => {
            add("peering.seed.age", &read(&folder.join("kubeconfig.age")));
        }
        "another_manifest" => add(
            "extra.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n",
        ),
        "ignored" => put(it.root().join(".gitignore"), "*.age\n"),
        "copied" => {
            let to = it.root().join("peerings/pisa-milan");
            copy_of(&folder, &to);
            let text = read(&folder.join("peering.yaml")).replace("rome", "pisa");
            put(to.join("peering.yaml"), text);
        }
        "guide" => guide(it),
        "empty" => fs::create_dir(it.root().join("empty")).expect("a folder"),
        "folder_like_a_sealed_file" => fs::create_dir(folder.join("old.age")).expect("a folder"),
        "submodule" => submodule(it),
        "latin_1" => {
            let text = fs::read(folder.join("peering.yaml")).expect("the document");
            let text = [&b"# M\xfcnchen\n"[..], &text].concat();
            put(folder.join("peering.yaml"), text);
        }
        "other_default_branch" => {
            let git = it.root().join(".git/refs/remotes/origin");
            put(git.join("HEAD"), "ref: refs/remotes/origin/trunk\n");
            put(
                git.join("trunk"),
                "0123456789012345678901234567890123456789\n",
            );
        }
        "remote_of_this_git" => {
            let config = it.root().join(".git/config");
            put(&config, read(&config).replace(REPO, "gh:net/peerings"));
        }
        "remote_of_this_machine" => {
            let config = it.root().join(".git/config");
            put(&config, read(&config).replace(REPO, "/srv/git/x.git"));
        }
        "logs_of_kubectl" => kubectl(
            it,
            "for i in 1 2 3 4; do echo \"E1122 08:00:00 1 memcache.go:265] couldn't get current server API group list\" >&2; done; echo 'Unable to connect to the server: tls: failed to verify certificate' >&2",
        ),
        "unknown_context" => kubectl(
            it,
            "case $* in *get-contexts*) printf 'rome-production\\nmilan\\n'; exit 0;; esac\necho 'error: context \"rome\" does not exist' >&2",
        ),
        // a user's, with a token that ends in 2024
        "expired" => {
            let token =
                "eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb21lIiwiZXhwIjoxNzA0MDY3MjAwfQ.c2lnbmF0dXJl";
            put(it.home().join("old.kubeconfig"), kubeconfig(token));
        }
        _ => panic!("{name} is not known"),
    }
}

/// Makes a repository of a folder, with all of it committed.
fn commit(folder: &Path) {
    for words in [
        "init -q",
        "add --all",
        "-c user.name=a -c user.email=a@example.org commit -q -m a",
    ] {
        let git = command("git")
            .args(words.split(' '))
            .current_dir(folder)
            .output()
            .expect("git");
        assert!(git.status.success(), "{words}");
    }
}

/// The peering is in a submodule, and was changed there.
fn submodule(place: &Checkout) {
    let root = place.root();
    let sub = root.join("net");
    fs::remove_dir_all(root.join(".git")).expect("no checkout");
    fs::create_dir(&sub).expect("a folder");
    fs::rename(root.join("peerings"), sub.join("peerings")).expect("moved");
    commit(&sub);
    commit(&root);
    let path = sub.join(FOLDER).join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    put(path, replaced(&text, "nodePort: 32750", "nodePort: 32751"));
}

fn kubectl(place: &Checkout, words: &str) {
    machine::script(
        &place.home().join("kubectl"),
        format!("#!/bin/sh\n{words}\nexit 1\n"),
    );
}

fn guide(place: &Checkout) {
    for side in ["consumer", "provider"] {
        let to = place.root().join(side);
        fs::create_dir(&to).expect("a folder");
        for file in fs::read_dir(root().join("tests/guide").join(side)).expect("the guide") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
        }
    }
}

/// What is wrong with a part of the table.
fn wrong(place: &Checkout, part: &[&str]) -> Option<String> {
    let at = part
        .iter()
        .position(|it| it.starts_with("$ "))
        .expect("a command");
    for line in &part[1..at] {
        let words = words(line);
        if words[0] == "&" {
            prepare(place, &words[1]);
            continue;
        }
        let file = place.root().join(FOLDER).join(&words[1]);
        let (before, after) = (read(&file), changed(&read(&file), &words[2..]));
        assert_ne!(before, after, "{line}");
        put(file, after);
    }
    let outcome = place.confirm(&part[at][2..]);
    let everything = outcome.everything();
    let mut wrong: Vec<_> = part[at + 2..]
        .iter()
        .filter(|line| {
            let (sign, words) = line.split_once(' ').expect(line);
            everything.contains(words) != (sign == "…")
        })
        .collect();
    if outcome.code.map(|it| it.to_string()).as_deref() != Some(part[at + 1]) {
        wrong.push(&part[at + 1]);
    }
    (!wrong.is_empty()).then(|| format!("{}: {wrong:?}: {outcome}", part[0]))
}

/// A container's user and Git's other users read what is no secret.
#[test]
fn what_is_no_secret_can_be_read_by_all() {
    let place = Checkout::new(FOLDER);
    guide(&place);
    for command in [
        "init peerings/turin-milan --like peerings/rome-milan --consumer-id turin --consumer-pod-cidr 10.44.0.0/16 --recipients-file .age-recipients",
        "import --consumer consumer --provider provider --output peerings/adopted",
    ] {
        place.confirm(command).done();
    }
    for file in
        ".gitignore peering.schema.json turin-milan/peering.yaml adopted/peering.yaml".split(' ')
    {
        let mode = fs::metadata(place.root().join("peerings").join(file))
            .expect(file)
            .permissions()
            .mode();
        assert_eq!(mode & 0o044, 0o044, "{file}");
    }
}

#[test]
fn every_row_has_its_words() {
    let (rows, place) = (parts(include_str!("newcomer.txt")), Checkout::new(FOLDER));
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|part| wrong(&place.again(), part))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
