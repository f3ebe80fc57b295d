//! Where a process can find itself: with little memory, without file descriptors, in a folder that is gone, before a slow
//! reader. What is printed is the same as elsewhere, or nothing, with an error that says why.
//!
//! A full and a closed standard output are in `output_full` and `output`, another environment in `determinism`.

use std::io::Read as _;
use std::process::{ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{
    KUBECONFIG, Outcome, Peering, RECIPIENT, ROLES, Run, Text, demo_identity, ended, program, root,
};

/// What Argo CD runs, for two peerings and both sides.
fn streams() -> Vec<Run> {
    let peerings = [
        Peering::example("quickstart"),
        Peering::example("everything"),
    ];
    peerings
        .iter()
        .flat_map(|it| ROLES.map(|role| it.run(role)))
        .collect()
}

/// And one run of every kind that reads files and prints.
fn runs() -> Vec<Run> {
    let examples = root().join("examples");
    let (one, other) = (examples.join("quickstart"), examples.join("everything"));
    let public = Run::new(["generate", "--public", "--role", "consumer"]).arg(&one);
    let keys = Run::new(["keys"])
        .arg(&one)
        .arg("--identity-file")
        .arg(demo_identity(""));
    let report = Run::new(["validate", "--format", "json"]).arg(&examples);
    let graph = Run::new(["graph"]).arg(&other);
    let diff = Run::new(["diff"]).arg(&one).arg(&other);
    let rest = [
        public,
        keys,
        report,
        graph,
        diff,
        Run::new(["schema"]),
        Run::new(["explain", "port"]),
    ];
    streams()
        .into_iter()
        .chain(rest.map(|run| run.typed(&examples)))
        .collect()
}

fn in_shell(run: Run, script: &str) -> Run {
    run.through(&["sh", "-c", &format!("{script}; exec \"$0\" \"$@\"")])
}

/// It shows what it shows elsewhere.
#[track_caller]
fn is_usual(usual: &Outcome, found: &Outcome) {
    // not `assert_eq` of these: it would print a stream, and with it keys
    assert!(
        usual.code == found.code && usual.stdout == found.stdout,
        "{usual}\n{found}"
    );
}

/// The limits count the program itself, which is larger without optimisation. Threads of `validate` reserve more than they use.
#[test]
fn with_little_memory() {
    for (runs, mebibytes) in [(streams(), 36), (runs(), 64)] {
        for run in runs {
            is_usual(
                &run.run(),
                &in_shell(run, &format!("ulimit -v {}", mebibytes * 1024)).run(),
            );
        }
    }
}

/// The allocator, the loader or the kernel ends it.
#[test]
fn with_too_little_memory_there_is_no_part_of_a_stream() {
    let run = large().run("consumer");
    let usual = run.run();
    let (mut whole, mut nothing) = (0, 0);
    for mebibytes in (3..64).step_by(3) {
        let found = in_shell(run.clone(), &format!("ulimit -v {}", mebibytes * 1024)).run();
        if found.code == Some(0) {
            assert!(usual.stdout == found.stdout, "{mebibytes} MiB: {found}");
            whole += 1;
        } else {
            assert!(found.stdout.is_empty(), "{mebibytes} MiB: {found}");
            nothing += 1;
        }
    }
    assert!(
        whole > 0 && nothing > 0,
        "{whole} streams, {nothing} times nothing"
    );
}

/// The loader of a program that is not static needs one descriptor itself, and says so with 127.
#[test]
fn with_few_file_descriptors() {
    let mut failed = 0;
    for run in runs() {
        let usual = run.run();
        for limit in 3..6 {
            let few = in_shell(run.clone(), &format!("ulimit -n {limit}")).run();
            assert!(!few.stderr.contains("error[bug]"), "{limit}: {few}");
            if few.stdout == usual.stdout {
                assert_eq!(few.code, usual.code, "{limit}: {few}");
            } else {
                assert!(
                    few.stdout.is_empty() && matches!(few.code, Some(3 | 127)),
                    "{limit}: {few}"
                );
                failed += 1;
            }
            assert!(
                few.code != Some(3) || few.stderr.contains("too many files are open"),
                "{limit}: {few}"
            );
        }
    }
    assert!(failed > 0, "no limit was too low");
}

/// Each folder on the way down is open until it has been read.
#[test]
fn a_person_with_folders_deeper_than_there_are_file_descriptors() {
    let temp = crate::harness::machine::folder();
    std::fs::create_dir_all(temp.path().join("a/b/c/d/e/f/g/h")).expect("folders");
    let run = Run::new(["validate"]).arg(temp.path()).typed(temp.path());
    let outcome = in_shell(run, "ulimit -n 6").run();
    outcome
        .fails(3, "file")
        .says("too many files are open")
        .says("help: raise the limit of open files");
}

/// The same, from a folder that the shell has removed.
fn gone(run: Run) -> Outcome {
    let temp = crate::harness::machine::folder();
    let here = temp.path().join("here");
    std::fs::create_dir(&here).expect("a folder");
    in_shell(run, "rmdir ../here").within(here).run()
}

/// With absolute paths it does not matter.
#[test]
fn in_a_folder_that_is_gone() {
    for run in runs() {
        is_usual(&run.run(), &gone(run));
    }
    let generate = ["generate", "--local", "--role", "consumer"];
    gone(Run::new(generate))
        .fails(3, "document-file")
        .says("there is no such file");
}

#[test]
fn a_person_in_a_folder_that_is_gone() {
    gone(Run::new(["validate"]))
        .fails(3, "file")
        .says("there is no such file");
    gone(Run::new(["diff"]))
        .fails(2, "flag")
        .says("is not in a Git checkout");
    let seed = [
        "seed",
        "new",
        "seed.age",
        "--clusters",
        "a,b",
        "--recipient",
        RECIPIENT,
    ];
    gone(Run::new(seed))
        .fails(3, "file")
        .says("its folder does not exist");
}

/// A peering whose stream is larger than a pipe.
fn large() -> Peering {
    let namespaces: String = (0..400)
        .map(|it| format!("{{name: n{it},create: true,clusters: all}},"))
        .collect();
    let document = format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: large }}\nspec:\n  \
         consumer: {{ clusterID: rome }}\n  provider: {{ clusterID: milan }}\n  authentication:\n    \
         subject: {{ kind: User, name: rome }}\n    credential: {{ kubeconfig: {{ file: kubeconfig.age }} }}\n  \
         offloading:\n    resourceSlices: [{{ name: s }}]\n    namespaces: [{namespaces}]\n"
    );
    Peering::sealed(&[["rome", "milan"]], KUBECONFIG, &document)
}

/// Its stream is read by somebody; how it ended, and its standard error.
fn read_by(peering: &Peering, reader: impl FnOnce(ChildStdout)) -> (Option<i32>, String) {
    let mut child = Command::new(program())
        .args(peering.arguments("consumer"))
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    reader(child.stdout.take().expect("its output"));
    let code = ended(&mut child, &"a large stream").code();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("its errors")
        .read_to_string(&mut errors)
        .expect("a text");
    (code, errors)
}

/// A byte at a time, and at first with pauses, so that the program waits for its reader.
#[test]
fn a_slow_reader_gets_everything() {
    let peering = large();
    let usual = peering.stream("consumer");
    assert!(
        usual.len() > 2 * 65_536,
        "{} bytes fit into a pipe",
        usual.len()
    );
    let mut read = Vec::new();
    let (code, errors) = read_by(&peering, |mut stdout| {
        let mut byte = [0];
        while stdout.read(&mut byte).expect("a pipe") == 1 {
            read.push(byte[0]);
            if read.len() < 200 {
                sleep(Duration::from_millis(1));
            }
        }
    });
    assert!(
        code == Some(0) && read == usual.as_bytes(),
        "{code:?}, {} bytes: {errors}",
        read.len()
    );
}

#[test]
fn a_reader_that_leaves_in_the_middle_is_an_exit_code() {
    let (code, errors) = read_by(&large(), |mut stdout| {
        stdout.read_exact(&mut [0; 100]).expect("a beginning");
    });
    assert_eq!(code, Some(3), "{errors}");
    errors.lacks("error");
}
