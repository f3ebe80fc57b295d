//! A shell at a terminal, which has read the program's completion script.

use super::run::program;
use super::terminal::Pair;
use super::{machine, put};
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) struct Shell {
    name: String,
    /// Where a person is.
    folder: PathBuf,
    /// The program by its name, and the shell's settings.
    home: TempDir,
}

/// What the shell prints when it has read the script, and after a line that was typed.
const READY: &str = "ready>";

/// Longer than a shell needs to start, or to answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// What comes at once comes together.
const SETTLED: Duration = Duration::from_millis(200);

impl Shell {
    pub(crate) fn new(name: &str, folder: &Path) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("bin")).expect("a folder");
        symlink(program(), home.path().join("bin/argocd-peering")).expect("a link");
        let (file, settings) = match name {
            "bash" => (
                ".bashrc",
                "bind 'set bell-style none'; bind 'set page-completions off'
bind 'set completion-query-items 0'; source <(argocd-peering completions bash); PS1='ready>'",
            ),
            "zsh" => (
                ".zshrc",
                "unsetopt beep prompt_sp zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u
source <(argocd-peering completions zsh); LISTMAX=10000; PS1='ready>'",
            ),
            "fish" => (
                ".config/fish/config.fish",
                "set -g fish_greeting; argocd-peering completions fish | source
function fish_prompt; echo -n 'ready>'; end; function fish_title; end; set -g fish_autosuggestion_enabled 0",
            ),
            other => panic!("COMPLETION_SHELLS: this test cannot ask {other}"),
        };
        let file = home.path().join(file);
        put(file, settings);
        Self {
            name: name.to_owned(),
            folder: folder.to_owned(),
            home,
        }
    }

    /// What is seen of a line that was typed, and of Tab twice: until all of these words are there, or nothing more comes.
    pub(crate) fn offers(&self, typed: &str, words: &[&str]) -> String {
        let Pair {
            mut controller,
            other,
        } = Pair::of(100);
        let arguments: &[&str] = match self.name.as_str() {
            "bash" => &["--noprofile", "-i"],
            _ => &["-i"],
        };
        let path = format!(
            "{}/bin:/usr/local/bin:/usr/bin:/bin",
            self.home.path().display()
        );
        // a terminal of its own (setsid(1)), without which zsh and fish have no line to edit
        let mut command = machine::command("setsid");
        command
            .args(["--ctty", "--wait", &self.name])
            .args(arguments)
            .env_clear();
        command
            .env("HOME", self.home.path())
            .env("PATH", path)
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8");
        command
            .current_dir(&self.folder)
            .stdin(Stdio::from(other.try_clone().expect("a terminal")));
        command
            .stdout(Stdio::from(other.try_clone().expect("a terminal")))
            .stderr(other);
        let mut child = command.spawn().expect("setsid starts");
        drop(command);
        let (send, seen) = mpsc::channel();
        let mut reader = controller.try_clone().expect("a terminal");
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut part) {
                if send
                    .send(part.get(..count).unwrap_or_default().to_vec())
                    .is_err()
                {
                    return;
                }
            }
        });
        let until = |is_there: &dyn Fn(&str) -> bool| {
            let mut text = String::new();
            let mut patience = PATIENCE;
            while let Ok(part) = seen.recv_timeout(patience) {
                text += &String::from_utf8_lossy(&part);
                let plain = without_escapes(&text);
                patience = if is_there(&plain) { SETTLED } else { PATIENCE };
            }
            without_escapes(&text)
        };
        let started = until(&|text| text.contains(READY));
        assert!(
            started.contains(READY),
            "{}: it is not installed, or does not start: {started:?}",
            self.name
        );
        controller.write_all(typed.as_bytes()).expect("typed");
        let echoed = until(&|text| text.contains(typed.trim()));
        controller.write_all(b"\t\t").expect("typed");
        let has_all = |text: &str| {
            words
                .iter()
                .all(|word| format!("{echoed}{text}").contains(*word))
        };
        let text = echoed.clone() + &until(&has_all);
        // nobody holds the terminal any more, and the shell ends
        let _ = child.kill();
        let _ = child.wait();
        text
    }
}

/// The text without what moves the cursor or sets a colour.
fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' if rest.peek() == Some(&'[') => {
                rest.next();
                while rest.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
            }
            // the set of characters, `(B`
            '\u{1b}' if rest.next() == Some('(') => {
                rest.next();
            }
            '\u{1b}' => {}
            c => plain.push(c),
        }
    }
    plain
}
