//! Where a case is played: what its steps do.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use age::x25519::Recipient;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::super::argocd::Application;
use super::super::provider::Provider;
use super::super::repository::git;
use super::super::team::{Needs, PATH, TERMS, TOKEN, Team};
use super::super::{
    KUBECONFIG, Outcome, RECIPIENT, REPO, Repository, Run, SEED, changed, demo_identity, encoded,
    entries, files_below, identity, machine, put, read, replaced, today, words,
};
use super::Step;
use crate::command::doctor::clusters::{Clusters, kept};

/// Steps whose last word is looked for: an empty text is everywhere.
const SEARCHES: [&str; 14] = [
    "says", "silent", "said", "prints", "omits", "printed", "order", "begins", "ends", "has",
    "lacks", "found", "starts", "take",
];

/// A repository in which a case is played.
pub(super) struct Stage {
    repository: Repository,
    team: Option<Team>,
    provider: Option<Provider>,
    clusters: Option<Clusters>,
    pub(super) row: Vec<String>,
    /// What is written for each name, without the `$`.
    names: BTreeMap<String, String>,
    folder: PathBuf,
    variables: Vec<(String, String)>,
    /// The last run, and whether how it ended was looked at.
    pub(super) outcome: Option<Outcome>,
    pub(super) is_judged: bool,
    pub(super) kept: BTreeMap<PathBuf, Vec<u8>>,
}

impl Stage {
    pub(super) fn new() -> Self {
        let repository = Repository::empty();
        let root = repository.root();
        let names = [
            ("IDENTITY", demo_identity("").display().to_string()),
            ("RECIPIENT", RECIPIENT.to_owned()),
            ("TODAY", today()),
            ("SOURCE", super::super::root().display().to_string()),
            ("ROOT", root.display().to_string()),
            ("REPO", REPO.to_owned()),
            ("TOKEN", TOKEN.to_owned()),
            ("SEED", SEED.to_owned()),
            ("KUBECONFIG", KUBECONFIG.to_owned()),
        ];
        Self {
            repository,
            team: None,
            provider: None,
            clusters: None,
            row: Vec::new(),
            names: names.map(|(name, value)| (name.to_owned(), value)).into(),
            folder: root,
            variables: Vec::new(),
            outcome: None,
            is_judged: true,
            kept: BTreeMap::new(),
        }
    }

    pub(super) fn play<'s>(&mut self, steps: impl Iterator<Item = &'s Step>) {
        for step in steps {
            // a name is filled in where it is used, so that a path with a space is one word
            if let ("let", [name, text]) = (step.verb.as_str(), &step.words[..]) {
                let name = self.text_of(name);
                self.name(&name, text);
                continue;
            }
            let words: Vec<String> = step
                .words
                .iter()
                .flat_map(|word| self.filled(word))
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let verb = step.verb.as_str();
            let is_vain =
                SEARCHES.contains(&verb) && words.last().is_none_or(|text| text.is_empty());
            assert!(!is_vain, "`{verb}` looks for nothing");
            let is_done = self.prepares(verb, &words)
                || self.runs(verb, &words)
                || self.finds(verb, &words)
                || self.hears(verb, &words);
            assert!(is_done, "no step is `{verb}` with {words:?}");
        }
    }

    /// The words that a written one stands for. What a row does not have is left out.
    fn filled(&self, word: &str) -> Vec<String> {
        if let Some(name) = word.strip_prefix("$*") {
            self.has_names(word);
            let words = self
                .names
                .get(name)
                .map_or_else(|| self.row.clone(), |text| words(text));
            return words.iter().flat_map(|word| self.filled(word)).collect();
        }
        let number = word
            .strip_prefix('$')
            .and_then(|it| it.parse::<usize>().ok());
        if number.is_some_and(|number| number > self.row.len()) {
            Vec::new()
        } else {
            vec![self.text_of(word)]
        }
    }

    /// A word with the texts of the names in it.
    fn text_of(&self, word: &str) -> String {
        let row = self.row.iter().enumerate();
        let word = row.fold(word.to_owned(), |word, (at, text)| {
            word.replace(&format!("${}", at + 1), text)
        });
        self.has_names(&word);
        // the longer of two names first
        self.names.iter().rev().fold(word, |word, (name, text)| {
            let name = format!("${name}");
            if word.contains(&name) {
                word.replace(&name, &self.text_of(text))
            } else {
                word
            }
        })
    }

    /// A `$NAME` that nothing has made would be looked for as it is written.
    fn has_names(&self, text: &str) {
        for rest in text.split('$').skip(1) {
            let rest = rest.strip_prefix('*').unwrap_or(rest);
            let end = rest
                .find(|c: char| !c.is_ascii_uppercase() && c != '_')
                .unwrap_or(rest.len());
            let name = &rest[..end];
            assert!(
                name.is_empty() || self.names.contains_key(name),
                "nothing has made ${name}"
            );
        }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        if let Some((provider, file)) = self.provider.as_ref().zip(path.strip_prefix("@/")) {
            return provider.path(file);
        }
        match &self.team {
            Some(team) => team.folder().join(&team.filled(path)[0]),
            None => self.repository.root().join(path),
        }
    }

    pub(super) fn name(&mut self, name: &str, text: impl Into<String>) {
        self.names.insert(name.to_owned(), text.into());
    }

    fn clusters(&mut self) -> &mut Clusters {
        self.clusters.as_mut().expect("clusters")
    }

    fn team(&self) -> &Team {
        self.team.as_ref().expect("a team")
    }

    /// A step that changes what is there.
    fn prepares(&mut self, verb: &str, words: &[&str]) -> bool {
        match (verb, words) {
            ("put", [file, text]) => put(self.at(file), text),
            ("edit", [file, changes @ ..]) if !changes.is_empty() => {
                let text = changes.chunks(2).fold(read(&self.at(file)), |text, it| {
                    replaced(&text, it[0], it[1])
                });
                put(self.at(file), text);
            }
            ("change", [file, changes @ ..]) => {
                let changes: Vec<String> = changes.iter().map(|it| (*it).to_owned()).collect();
                let before = fs::read_to_string(self.at(file)).unwrap_or_default();
                let after = changed(&before, &changes);
                assert_ne!(before, after, "nothing changes");
                put(self.at(file), after);
            }
            ("copy", [from, to]) => copy(&self.at(from), &self.at(to)),
            ("move", [from, to]) => {
                let to = self.at(to);
                fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
                fs::rename(self.at(from), to).expect("moved");
            }
            ("remove", [path]) if self.at(path).is_dir() => {
                fs::remove_dir_all(self.at(path)).expect("removed");
            }
            ("remove", [path]) => fs::remove_file(self.at(path)).expect("removed"),
            ("folder", [path]) => fs::create_dir_all(self.at(path)).expect("a folder"),
            ("chmod", [mode, path]) => {
                let mode = u32::from_str_radix(mode, 8).expect("a mode");
                fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).expect(path);
            }
            ("fifo", [path]) => machine::fifo(&self.at(path)),
            ("link", [target, path]) => {
                let target = self.team.as_ref().map_or_else(
                    || (*target).to_owned(),
                    |team| team.filled(target).remove(0),
                );
                std::os::unix::fs::symlink(target, self.at(path)).expect("a link");
            }
            ("ask", [name, words @ ..]) => self.name(name, self.git(words)),
            ("git", words) => _ = self.git(words),
            ("commit", []) => {
                self.git(&["add", "--all", "--force"]);
                self.git(&["commit", "-q", "-m", "a change"]);
            }
            ("team", [needs, flags @ ..]) => {
                let needs = Needs::of(needs);
                let terms = |flag: &&str| *flag == "TERMS";
                let flags: Vec<&str> = match flags.split_first().filter(|(first, _)| terms(first)) {
                    Some((_, more)) => [&TERMS[..], more].concat(),
                    None => flags.to_vec(),
                };
                self.of(Team::new(needs, &flags));
            }
            ("quickstart", []) => self.of(Team::quickstart()),
            ("clusters", []) => self.clusters = Some(Clusters::healthy()),
            ("clusters", [file]) => {
                self.clusters = Some(Clusters::of_document(&read(&self.at(file))));
            }
            ("clusters", [line, other]) => {
                self.clusters = Some(Clusters::with_document(line, other));
            }
            ("live", [change]) => self.clusters().change(&[kept(change)]),
            ("unasked", [context]) => {
                let flag = format!("--{context}-context");
                self.clusters()
                    .arguments
                    .retain(|it| !it.starts_with(&flag));
            }
            ("provider", []) => self.provider = Some(Provider::new()),
            ("sealed", [file, text]) => {
                let to: Recipient = self.team().recipient.parse().expect("a recipient");
                let sealed = age::encrypt_and_armor(&to, text.as_bytes());
                put(self.at(file), sealed.expect("sealed"));
            }
            ("identity", [name, file]) => {
                let (identity, text) = identity();
                put(self.at(file), text);
                self.name(name, identity.to_public().to_string());
            }
            ("base64", [name, files @ ..]) => {
                let read = |file: &&str| fs::read(self.at(file)).expect(file);
                let bytes: Vec<u8> = files.iter().flat_map(read).collect();
                self.name(name, encoded(bytes));
            }
            ("json", [name, file]) => {
                let text = Value::from(read(&self.at(file)));
                self.name(name, text.to_string());
            }
            ("token", [name, claims]) => self.name(name, token(claims)),
            ("program", [name, text]) => machine::script(&self.programs().join(name), text),
            ("within", [path]) => self.folder = self.at(path),
            ("env", [name, value]) => self
                .variables
                .push(((*name).to_owned(), (*value).to_owned())),
            ("keep", []) => self.kept = files(&self.at("")),
            _ => return false,
        }
        true
    }

    /// From now on it is played in this team's folder.
    fn of(&mut self, team: Team) {
        self.folder = team.folder();
        self.name("TO", team.recipient.clone());
        self.name("HOME", team.path("").display().to_string());
        self.name("CHECKOUT", team.root().display().to_string());
        self.team = Some(team);
    }

    fn temp(&self) -> PathBuf {
        let team = self.team.as_ref().map(|team| team.path(""));
        team.unwrap_or_else(|| self.repository.temp().to_owned())
    }

    fn programs(&self) -> PathBuf {
        self.temp().join("bin")
    }

    /// In the team's checkout, which has no Git of its own, or in the repository.
    fn git(&self, words: &[&str]) -> String {
        match &self.team {
            Some(team) => git(&team.root(), &self.temp(), words),
            None => self.repository.git(words),
        }
    }

    /// A step that runs the program.
    fn runs(&mut self, verb: &str, words: &[&str]) -> bool {
        if !matches!(verb, "$" | "$$" | "app" | "doctor") {
            return false;
        }
        self.was_judged();
        if verb == "doctor" {
            self.outcome = Some(self.clusters().doctor_with(words));
            self.is_judged = false;
            return true;
        }
        let mut outcome = self.run(verb, words);
        if let Some(digest) = outcome.expected().filter(|_| verb == "$$") {
            outcome = self.run(verb, &[words, &["--expect", digest]].concat());
        }
        (self.outcome, self.is_judged) = (Some(outcome), false);
        true
    }

    fn run(&self, verb: &str, words: &[&str]) -> Outcome {
        let run = match (verb, &self.team) {
            ("app", _) => self.application(words),
            (_, Some(team)) => {
                let words = words.iter().flat_map(|word| team.filled(word));
                let run = team.as_person(&words.collect::<Vec<_>>());
                match &self.provider {
                    Some(provider) => run.env("PATH", provider.bin()).env("TMPDIR", self.temp()),
                    None if self.programs().exists() => {
                        let path = format!("{}:/usr/bin:/bin", self.programs().display());
                        run.env("PATH", path)
                    }
                    None => run,
                }
            }
            (_, None) => {
                let path = std::env::var("PATH").expect("a PATH");
                let path = format!("{}:{path}", self.programs().display());
                self.repository.command(words).env("PATH", path)
            }
        };
        let run = run.within(&self.folder);
        let variables = self.variables.iter();
        let run = variables.fold(run, |run, (name, value)| run.env(name, value));
        match &self.provider {
            Some(provider) => provider.signing(|| run.run()),
            None => run.run(),
        }
    }

    /// A run of Argo CD's, in the folder that was named last.
    fn application(&self, words: &[&str]) -> Run {
        let [project, role, more @ ..] = words else {
            panic!("a project and a role: {words:?}")
        };
        let team = self.team();
        let path = self.folder.strip_prefix(team.root());
        let path = path.map_or(PATH.into(), Path::to_string_lossy);
        let application = Application {
            project,
            repo: REPO,
            path: &path,
            role,
        };
        let (identity, more) = match more {
            ["--identity-file", file, more @ ..] => (team.filled(file).remove(0), more),
            _ => (team.identity(), more),
        };
        let run = application.run(&self.folder, Path::new(&identity));
        let is_name = |word: &str| word.starts_with("ARGOCD") || word.starts_with("PARAM");
        more.iter()
            .fold(run, |run, word| match word.split_once('=') {
                Some((name, value)) if is_name(name) => run.env(name, value),
                _ if word.strip_prefix('-').is_some_and(is_name) => run.without(&word[1..]),
                _ => run.args(team.filled(word)),
            })
    }

    /// A run that nothing else is said of went well.
    pub(super) fn was_judged(&self) {
        if let Some(outcome) = self.outcome.as_ref().filter(|_| !self.is_judged) {
            outcome.done();
        }
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in entries(from) {
            copy(&entry, &to.join(super::super::name_of(&entry)));
        }
    } else {
        put(
            to,
            fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())),
        );
    }
}

/// All files below a folder, also Git's own.
pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_below(folder, "").into_iter();
    files
        .map(|file| (file.clone(), fs::read(&file).unwrap_or_default()))
        .collect()
}

/// A token with these claims, in which `@30` is a time in 30 days, and `@30m` in 30 minutes; nobody has signed it.
fn token(claims: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = i64::try_from(now.expect("a clock").as_secs()).expect("a clock");
    let mut parts = claims.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_rest = |c: char| !c.is_ascii_digit() && c != '-';
        let (days, rest) = part.split_at(part.find(is_rest).unwrap_or(part.len()));
        let days: i64 = days.parse().expect("days");
        let (seconds, rest) = match rest.strip_prefix('m') {
            Some(rest) => (days * 60, rest),
            None => (days * 24 * 60 * 60, rest),
        };
        text += &format!("{}{rest}", now + seconds);
    }
    let [head, claims] = ["{\"alg\":\"none\"}", &text].map(|part| URL_SAFE_NO_PAD.encode(part));
    format!("{head}.{claims}.c2lnbmF0dXJl")
}
