//! Each example that seals a file, in a help text or on a page, makes a file that Argo CD opens.

use super::documentation::{blocks, commands};
use crate::harness::argocd::Application;
use crate::harness::provider::Provider;
use crate::harness::script::copy;
use crate::harness::team::{Needs, document};
use crate::harness::{
    Outcome, REPO, ROLES, Repository, Run, committed, kubeconfig, put, replaced, seal,
};
use std::fs;
use std::path::{Path, PathBuf};

const PAGES: [&str; 6] = [
    "docs/howto/adopt-a-live-peering.md",
    "docs/howto/exchange-keys.md",
    "docs/howto/renew-a-credential.md",
    "docs/howto/replace-an-identity.md",
    "docs/howto/rotate-a-key.md",
    "examples/two-organisations/README.md",
];

const HELPS: [&[&str]; 7] = [
    &["seed"],
    &["seed", "new"],
    &["seed", "import"],
    &["seed", "rotate"],
    &["seal"],
    &["seal", "kubeconfig"],
    &["reseal"],
];

/// Where a person keeps the identity, below the home folder.
const KEPT: &str = ".config/argocd-peering/identity.txt";

/// A checkout with a peering in the folder that an example names, and what it takes from elsewhere.
pub(super) struct Checkout {
    repository: Repository,
    folder: &'static str,
    recipient: String,
    provider: Provider,
}

impl Checkout {
    pub(super) fn new(folder: &'static str) -> Self {
        let (identity, text) = seal::identity();
        let recipient = identity.to_public().to_string();
        let checkout = Self {
            repository: Repository::with_remote(),
            folder,
            recipient,
            provider: Provider::new(),
        };
        checkout.write(".age-recipients", &format!("{}\n", checkout.recipient));
        let kubeconfig = kubeconfig("example-token");
        checkout.write("milan.kubeconfig", &kubeconfig);
        for name in ["milan.kubeconfig", "provider.kubeconfig"] {
            put(checkout.home().join(name), &kubeconfig);
        }
        for name in [KEPT, "identity.txt", "new-identity.txt", "recovery.txt"] {
            put(checkout.home().join(name), &text);
        }
        put(
            checkout.home().join("seed"),
            "mAgwURRpd9wjmp1zW+Ff9CAvCV0+HBDuSIoiUm8hxXo=\n",
        );
        let [consumer, provider] = checkout.clusters();
        let text = document(Needs::Both).replace(": rome", &format!(": {consumer}"));
        checkout.write(
            &format!("{folder}/peering.yaml"),
            &text.replace(": milan", &format!(": {provider}")),
        );
        for command in [
            "seed new FOLDER/peering.seed.age --project peering-consumer=consumer --project peering-provider=provider --recipient age1…",
            "seal kubeconfig milan.kubeconfig -o FOLDER/kubeconfig.age --project peering-consumer=consumer --recipient age1…",
        ] {
            checkout.confirm(&command.replace("FOLDER", folder)).done();
        }
        checkout
    }

    /// Another one that has the same.
    pub(super) fn again(&self) -> Self {
        let repository = Repository::with_remote();
        copy(self.repository.temp(), repository.temp());
        Self {
            repository,
            recipient: self.recipient.clone(),
            provider: Provider::new(),
            ..*self
        }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.repository.root()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.repository.temp().join("home")
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        put(self.root().join(name), text);
    }

    fn clusters(&self) -> [&'static str; 2] {
        if self.folder.ends_with("consumer-provider") {
            ["consumer", "provider"]
        } else {
            ["rome", "milan"]
        }
    }

    /// A command as a person types it, and once with what it says is to be confirmed.
    pub(super) fn confirm(&self, command: &str) -> Outcome {
        let home = self.home().display().to_string();
        let word = |word: &str| match word {
            "age1…" => self.recipient.clone(),
            word => match word.strip_prefix("/dev/shm/") {
                // a page's own file, and not what is in a test's folder
                Some(file) if !file.contains('/') => format!("{home}/{file}"),
                _ => word.replacen("~/", &format!("{home}/"), 1),
            },
        };
        let words: Vec<String> = command.split_whitespace().map(word).collect();
        let run = |more: &[&str]| {
            let words = words.iter().map(String::as_str).chain(more.iter().copied());
            let path = format!("{}:{}", self.home().display(), self.provider.bin());
            let run = Run::new(words)
                .within(self.root())
                .env("PATH", path)
                .env("HOME", self.home());
            self.provider.signing(|| run.run())
        };
        let first = run(&[]);
        match first.expected() {
            Some(digest) if !command.contains("--expect") => run(&["--expect", digest]),
            _ => first,
        }
    }

    /// The plugin, as Argo CD calls it for the Application of a role.
    fn plugin(&self, role: &str) -> Outcome {
        self.plugin_of(REPO, role)
    }

    fn plugin_of(&self, repo: &str, role: &str) -> Outcome {
        let application = Application {
            project: &format!("peering-{role}"),
            repo,
            path: self.folder,
            role,
        };
        let identity = self.home().join("identity.txt");
        let run = application.run(&self.root().join(self.folder), &identity);
        run.run()
    }
}

fn file_after<'c>(command: &'c str, word: &str) -> Option<&'c str> {
    command
        .split_whitespace()
        .skip_while(|it| *it != word)
        .nth(1)
}

/// What a command writes as a new file.
fn output(command: &str) -> Option<&str> {
    if command.contains("--replace") {
        return None;
    }
    match command.split(' ').take(2).collect::<Vec<_>>()[..] {
        ["seed", "new"] => command.split(' ').nth(2),
        ["seed", "import"] => command.split(' ').find(|it| it.ends_with(".age")),
        ["seal", _] => file_after(command, "-o"),
        _ => None,
    }
}

/// Whether a command seals, and is whole.
fn seals(command: &str) -> bool {
    let verbs = "seed new |seed import |seed rotate |seal kubeconfig |reseal ";
    verbs.split('|').any(|verb| command.starts_with(verb))
        && !command.replace("age1…", "").contains('…')
}

fn check(place: &str, examples: &[String]) -> usize {
    let known = [
        "peerings/rome-milan",
        "peerings/consumer-provider",
        "peerings/NAME",
    ];
    let folder = known
        .into_iter()
        .find(|it| examples.iter().any(|command| command.contains(it)));
    let checkout = Checkout::new(folder.unwrap_or(known[0]));
    for command in examples {
        let written = output(command).map(|name| checkout.root().join(name));
        if let Some(path) = &written {
            let _ = fs::remove_file(path);
        }
        let outcome = checkout.confirm(command);
        assert_eq!(outcome.code, Some(0), "{place}: {command}: {outcome}");
        if let Some(path) = written.filter(|path| path.ends_with("rome.seed.age")) {
            name_seed_of_consumer(&path);
        }
        let is_for = |role: &str| match () {
            () if command.contains("kubeconfig ") => role == "consumer",
            () if command.contains("--project") => {
                command.contains(&format!("--project peering-{role}"))
            }
            () => true,
        };
        for role in ROLES.into_iter().filter(|role| is_for(role)) {
            let outcome = checkout.plugin(role);
            let place = format!("{place}: after `{command}`, {role}");
            assert_eq!(outcome.code, Some(0), "{place}: {outcome}");
        }
    }
    examples.len()
}

/// As the page about two organisations goes on.
fn name_seed_of_consumer(seed: &Path) {
    let path = seed.with_file_name("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let [shared, own] = [
        "  seed: { file: peering.seed.age } # sealed\n",
        "    clusterID: rome # the capital\n",
    ];
    let key = "    clusterID: milan\n";
    let milans = format!("{key}    publicKey: hYbvNdUfs1+HRdiWKjT3VXW9MW9ODH/sQRWlA+dN/x4=\n");
    let seed = format!("{own}    seed: {{ file: rome.seed.age }}\n");
    let changes = [(shared, ""), (own, &seed), (key, &milans)];
    let with = |text: String, (from, to): (&str, &str)| replaced(&text, from, to);
    put(path, changes.into_iter().fold(text, with));
}

/// The commands of a page that are whole and seal.
fn examples(page: &str) -> Vec<String> {
    let text = committed(page);
    let fenced: String = blocks(&text, "sh")
        .iter()
        .map(|block| format!("```sh\n{block}```\n"))
        .collect();
    let indented = fenced
        .lines()
        .map(str::trim_start)
        .collect::<Vec<_>>()
        .join("\n");
    let examples: Vec<String> = commands(&indented)
        .into_iter()
        .filter(|it| seals(it))
        .collect();
    assert!(!examples.is_empty(), "{page}");
    examples
}

/// The page about a move, as it goes: red until the files are sealed for the new place, and then nothing changes.
#[test]
fn a_folder_moves_as_its_page_says() {
    let mut checkout = Checkout::new("peerings/rome-milan");
    let before = ROLES.map(|role| checkout.plugin(role).stream().to_owned());
    let [old, new] = ["peerings/rome-milan", "peerings/italy"];
    fs::rename(checkout.root().join(old), checkout.root().join(new)).expect("moved");
    checkout.folder = new;
    let identity = "--identity-file ~/identity.txt";
    assert_eq!(checkout.plugin("consumer").code, Some(3));
    checkout
        .confirm(&format!("validate peerings {identity}"))
        .fails(1, "denied")
        .says("argocd-peering reseal");
    let [moved, both] = &examples("docs/howto/move-a-folder.md")[..] else {
        panic!("two examples")
    };
    checkout.confirm(moved).done();
    checkout
        .confirm(&format!("validate peerings {identity}"))
        .done();
    let streams = || ROLES.map(|role| checkout.plugin(role).stream().to_owned());
    assert_eq!(streams(), before);
    checkout.confirm(both).done();
    assert_eq!(streams(), before);
    let fleet = "https://git.example.org/net/fleet.git";
    for (repo, code) in [(fleet, 0), ("https://git.example.org/net/other.git", 3)] {
        let run = checkout.plugin_of(repo, "consumer");
        assert_eq!(run.code, Some(code), "{repo}: {run}");
    }
}

#[test]
fn every_example_of_a_page_makes_a_file_that_argo_cd_opens() {
    let mut count = 0;
    for page in PAGES {
        count += check(page, &examples(page));
    }
    assert!(count >= 10, "{count} examples");
}

#[test]
fn every_example_of_a_help_makes_a_file_that_argo_cd_opens() {
    for words in HELPS {
        let help = Run::new(words.iter().copied().chain(["--help"])).run();
        let text = help
            .done()
            .split("Example")
            .nth(1)
            .expect("an example")
            .lines();
        let lines: Vec<&str> = text.map(str::trim_start).collect();
        let examples: Vec<String> = commands(&format!("```\n{}\n```", lines.join("\n")))
            .into_iter()
            .filter(|it| seals(it))
            .collect();
        assert!(!examples.is_empty(), "{words:?}");
        check(&words.join(" "), &examples);
    }
}
