//! A runner of a code host: a checkout in which a peering changed, and stand-ins of the programs that reach the network.

use std::fs;
use std::path::PathBuf;

use crate::harness::machine::{self, command, tool};
use crate::harness::{Outcome, Repository, put};

/// The folder of the peering, and its document.
const FOLDER: &str = "peerings/consumer-provider";
pub(super) const DOCUMENT: &str = "peerings/consumer-provider/peering.yaml";

/// A changed text, the class that fails, and the exit code: what every code host makes of it.
pub(super) const CHANGES: [(&str, &str, &str, i32); 3] = [
    ("memory: 1Gi", "memory: 2Gi", "loses-protection", 0),
    ("nodePort: 32750", "nodePort: 32751", "loses-protection", 1),
    ("nodePort: 32750", "nodePort: 32751", "deletes-data", 0),
];

pub(super) struct Runner {
    pub(super) repository: Repository,
}

impl Runner {
    /// With stand-ins, each with its name and its script. They write what they are asked beside `bin`.
    pub(super) fn new(programs: &[(&str, &str)]) -> Self {
        for program in ["gzip", "jq", "sha256sum", "tar"] {
            tool(program);
        }
        let runner = Self {
            repository: Repository::new(FOLDER),
        };
        for folder in ["bin", "runner", "answers/release"] {
            fs::create_dir_all(runner.temp(folder)).expect("a folder");
        }
        for (name, script) in programs {
            let path = runner.temp("bin").join(name);
            machine::script(&path, script);
        }
        runner
    }

    pub(super) fn temp(&self, name: &str) -> PathBuf {
        self.repository.temp().join(name)
    }

    pub(super) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.temp(name)).expect(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        put(self.temp(name), text);
    }

    /// A script in the checkout's root. The program and the stand-ins are the first of `PATH`.
    pub(super) fn bash<'a>(
        &self,
        script: &str,
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Outcome {
        let bin = self.temp("bin");
        let start = format!(
            "ln -sf \"$0\" '{0}/argocd-peering' && PATH='{0}':$PATH && {script}",
            bin.display()
        );
        let run = self.repository.diff(&[]).through(&["bash", "-c", &start]);
        variables
            .into_iter()
            .fold(run, |run, (name, value)| run.env(name, value))
            .run()
    }

    pub(super) fn base_and_head(&self) -> [String; 2] {
        ["HEAD~1", "HEAD"].map(|revision| self.repository.git(&["rev-parse", revision]))
    }

    /// Changes the document, and commits it.
    pub(super) fn change(&self, from: &str, to: &str) {
        self.repository.edit(DOCUMENT, from, to);
        self.repository.commit();
    }

    /// A release that is served, with its checksums. Its program says nothing.
    pub(super) fn release(&self, name: &str) -> String {
        let script = format!(
            "mkdir {name} && printf '#!/bin/sh\\n' >{name}/argocd-peering && chmod +x {name}/argocd-peering && \
             tar czf {name}.tar.gz {name} && rm -r {name} && sha256sum {name}.tar.gz >SHA256SUMS"
        );
        let made = command("sh")
            .args(["-c", &script])
            .current_dir(self.temp("answers/release"))
            .status();
        assert!(made.expect("a shell").success());
        name.to_owned()
    }
}
