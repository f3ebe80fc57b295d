//! A Git repository with peerings, and programs that record that they were run.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::TempDir;

use super::checkout::{copy_of, quickstart};
use super::run::{Outcome, Run};
use super::{machine, put, replaced};

pub(crate) struct Repository {
    temp: Rc<TempDir>,
}

impl Repository {
    /// With the quickstart in a folder, committed.
    pub(crate) fn new(folder: &str) -> Self {
        let repository = Self::empty();
        repository.copy_of_quickstart(folder);
        repository.commit();
        repository
    }

    /// With nothing in it: what git takes for a repository (gitrepository-layout(5)), made without a run of git for each test.
    pub(crate) fn empty() -> Self {
        let repository = Self {
            temp: Rc::new(crate::harness::machine::folder()),
        };
        for folder in ["objects", "refs/heads"] {
            fs::create_dir_all(repository.root().join(".git").join(folder)).expect("a folder");
        }
        repository.write(".git/HEAD", "ref: refs/heads/main\n");
        repository.write(
            ".git/config",
            "[core]\nrepositoryformatversion = 0\nbare = false\n",
        );
        repository
    }

    /// The same with a remote, as `init` and `import` look for one.
    pub(crate) fn with_remote() -> Self {
        let repository = Self::empty();
        let remote = "[remote \"origin\"]\nurl = https://git.example.org/net/peerings.git\n";
        repository.write(
            ".git/config",
            format!("[core]\nrepositoryformatversion = 0\n{remote}"),
        );
        repository
    }

    pub(crate) fn temp(&self) -> &Path {
        self.temp.path()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.temp.path().join("repository")
    }

    /// Another folder with the quickstart.
    pub(crate) fn copy_of_quickstart(&self, folder: &str) {
        copy_of(&quickstart(), self.root().join(folder));
    }

    /// Commits everything that is there.
    pub(crate) fn commit(&self) {
        self.git(&["add", "--all", "--force"]);
        self.git(&["commit", "-q", "-m", "a change"]);
    }

    /// Changes one place of a file.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.root().join(file);
        let text = fs::read_to_string(&path).expect(file);
        put(path, replaced(&text, from, to));
    }

    pub(crate) fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(file);
        put(path, content);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), self.temp(), arguments)
    }

    /// `diff` in the root.
    pub(crate) fn diff(&self, arguments: &[&str]) -> Run {
        self.command(&[&["diff"], arguments].concat())
    }

    /// A command in the root, with git and nothing of this machine's settings.
    pub(crate) fn command(&self, words: &[&str]) -> Run {
        let run = Run::new(words.iter().copied())
            .within(self.root())
            .keep(Rc::clone(&self.temp));
        run.env("PATH", std::env::var_os("PATH").expect("a PATH"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", self.temp())
    }

    /// A command, once with what the first run says is to be confirmed.
    pub(crate) fn confirming(&self, words: &[&str]) -> Outcome {
        let refusal = self.command(words).run();
        match refusal.expected() {
            Some(digest) => self.command(&[words, &["--expect", digest]].concat()).run(),
            None => refusal,
        }
    }

    /// A program of this name, whose path is the value. It leaves a file when it is run.
    pub(crate) fn spy(&self, name: &str) -> PathBuf {
        let folder = self.temp().join("programs");
        fs::create_dir_all(&folder).expect("a folder");
        let script = folder.join(name);
        machine::script(
            &script,
            format!("#!/bin/sh\n: > '{}'\n", self.temp().join("ran").display()),
        );
        script
    }

    /// Whether a spy was run.
    pub(crate) fn was_run(&self) -> bool {
        self.temp().join("ran").exists()
    }
}

/// Our own git in a folder, with nothing of this machine's configuration.
pub(crate) fn git(folder: &Path, home: &Path, arguments: &[&str]) -> String {
    // a commit would start another git to look whether there is something to tidy up
    let settings = "-c user.name=a -c user.email=a@example.org -c protocol.file.allow=always -c maintenance.auto=false";
    let mut command = machine::command("git");
    command.args(settings.split(' ')).args(arguments);
    command.current_dir(folder).env("HOME", home);
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").output();
    let output = output.expect("git starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.trim().to_owned()
}
