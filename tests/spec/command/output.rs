//! Where the output goes: a pipe that nobody reads, a file; and in which colours. A full disk is in `output_full`.

use crate::harness::library::Cli;
use crate::harness::{Checkout, Outcome, Run, demo_identity, edited, lines, quickstart};
use clap::CommandFactory as _;
use std::collections::BTreeSet;

pub(super) fn good() -> Run {
    Checkout::new().local("consumer")
}

pub(super) fn bad() -> Run {
    Checkout::of(edited("clusterID: consumer", "clusterID: Consumer")).local("consumer")
}

#[track_caller]
pub(super) fn not_written(outcome: &Outcome, words: &str) {
    outcome
        .ends(3)
        .says("error[output]")
        .says(words)
        .silent_on("panicked")
        .silent_on("bug");
    outcome.silent_on("RUST_BACKTRACE");
}

/// `argocd-peering generate | head` must not end as if all had been written, and who has read enough needs no message.
#[test]
fn a_reader_that_is_gone_is_an_exit_code() {
    good()
        .into_nobody()
        .run()
        .ends(3)
        .silent_on("error")
        .silent_on("panicked");
}

/// A run of each command, as far as it comes without the rest of the world.
fn every_command() -> Vec<Run> {
    let commands = || lines(include_str!("output/commands.txt"));
    let first = commands().filter_map(|command| command.split(' ').next());
    let first: BTreeSet<&str> = first.filter(|word| !word.starts_with('-')).collect();
    let cli = Cli::command();
    let known = cli.get_subcommands().map(clap::Command::get_name);
    assert_eq!(first, known.collect());
    commands().map(run).collect()
}

/// A run of a line, of the quickstart.
fn run(line: &str) -> Run {
    let [folder, identity] = [quickstart(), demo_identity("")].map(|it| it.display().to_string());
    let word = |word: &str| {
        word.replace("FOLDER", &folder)
            .replace("IDENTITY", &identity)
    };
    Run::new(line.split(' ').map(word)).typed(&quickstart())
}

/// Each write would seem to succeed.
#[test]
fn an_output_for_reading_only_is_an_error_of_every_command() {
    for run in every_command() {
        for source in ["/etc/passwd", "/dev/null", "/dev"] {
            let script = format!("exec \"$0\" \"$@\" 1<{source}");
            let outcome = run.clone().through(&["sh", "-c", &script]).run();
            not_written(&outcome, "standard output is read-only");
        }
    }
}

/// A closed output, as Rust leaves it to a program: `/dev/null` open both ways, as Python's `subprocess.DEVNULL` and Node's `ignore`.
const LOST: [&str; 2] = [">&-", "1<>/dev/null"];

/// A run of the commands that are run for what they print.
fn every_delivery() -> impl Iterator<Item = Run> {
    lines(include_str!("output/deliveries.txt")).map(run)
}

/// A run that ends with 0 and has written nothing looks like one that has written all.
#[test]
fn an_output_that_nobody_gets_is_an_error_of_what_is_run_for_it() {
    for run in every_delivery() {
        for redirection in LOST {
            let script = format!("exec \"$0\" \"$@\" {redirection}");
            let outcome = run.clone().through(&["sh", "-c", &script]).run();
            not_written(&outcome, "standard output is closed");
        }
        let script = "exec \"$0\" \"$@\" >/dev/null";
        run.clone().through(&["sh", "-c", script]).run().done();
    }
}

/// What a person has thrown away is not missing where the exit code is an answer, however it is done.
#[test]
fn an_output_that_is_thrown_away_is_none() {
    for run in ["validate --format json FOLDER", "diff FOLDER FOLDER"].map(run) {
        for redirection in [">/dev/null", LOST[0], LOST[1]] {
            let script = format!("exec \"$0\" \"$@\" {redirection}");
            run.clone().through(&["sh", "-c", &script]).run().done();
        }
    }
}

/// The document's errors are worth more than that they could not be piped.
#[track_caller]
pub(super) fn stays_1(run: &Run) {
    run.run().ends(1).says("error[cluster-id]");
}

#[test]
fn a_wrong_document_stays_1_wherever_stdout_goes() {
    stays_1(&bad().into_nobody());
}

#[test]
fn help_does_not_panic_without_a_reader() {
    for flag in ["--help", "--version"] {
        Run::new([flag])
            .into_nobody()
            .run()
            .ends(3)
            .silent_on("panicked");
    }
}

/// Everything that would come out of a document and move the cursor of whoever reads the error, or forge a line of it.
fn escapes(hostile: &str) -> Vec<String> {
    let odd = |c: char| {
        let bidirectional =
            ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
        (c.is_control() && c != '\n') || bidirectional
    };
    let mut found = Vec::new();
    for place in [
        "clusterID: consumer",
        "serviceType: NodePort",
        "name: consumer-provider",
        "class: default",
    ] {
        let (key, _) = place.split_once(": ").expect("a field");
        let document = edited(place, &format!("{key}: {hostile}")).replace("mtu: 1340", "mtu: 1");
        let outcome = Checkout::of(document).local("consumer").run();
        outcome.ends(1);
        let forged = outcome
            .stderr
            .lines()
            .any(|line| line.starts_with("error[bug]"));
        if forged || outcome.stderr.contains(odd) {
            found.push(format!("{place}: {hostile:?}: {:?}", outcome.stderr));
        }
    }
    found
}

#[test]
fn a_document_cannot_write_escape_sequences() {
    for hostile in [
        "\u{1b}[31mred\u{1b}[0m",
        "\u{1b}]0;title\u{7}",
        "\"\\e[31m\\a\\b\\0\"",
        "\u{7f}",
        "\"\u{202e}moc.elgoog\u{2066}\"",
        "\u{8}\u{8}\u{8}",
        "a\rb",
        "\"\\r\\nerror[bug]: forged\"",
        // U+009B is `ESC [` in one character, to terminals in UTF-8 as well
        "\u{9b}31mred",
        "\"\u{9b}31mred\"",
        "\u{90}x\u{9c}",
        "\"\u{85}\"",
        "\"\u{2028}x\u{2029}\"",
    ] {
        assert_eq!(escapes(hostile), [""; 0]);
    }
}
