//! What clusters answer and what manifests have: as many values as a run keeps, whatever they look like, and no more memory
//! than they need.

use crate::harness::{Outcome, RECIPIENT, Run, machine, put, root};
use std::rc::Rc;
use tempfile::TempDir;

/// What the program may have of its own: in KiB.
const MOST: &str = "786432";

/// Answers each question with what `answer` prints.
fn kubectl(answer: &str) -> Rc<TempDir> {
    let temp = Rc::new(crate::harness::machine::folder());
    let program = temp.path().join("kubectl");
    machine::script(&program, format!("#!/bin/sh\n{answer}\n"));
    temp
}

fn run(arguments: &[&str], temp: &Rc<TempDir>) -> Outcome {
    let path = format!("{}:/usr/bin:/bin", temp.path().display());
    let limit = format!("ulimit -d {MOST}; exec \"$0\" \"$@\"");
    let run = Run::new(arguments.iter().copied())
        .within(temp.path())
        .typed(temp.path())
        .env("PATH", path);
    run.through(&["sh", "-c", &limit])
        .keep(Rc::clone(temp))
        .run()
}

/// A list of so many MiB of one item.
fn list(item: &str, mib: usize) -> String {
    format!(
        "printf '{{\"kind\":\"List\",\"items\":['; yes '{item},' | head -c {} | sed '$d'; printf '{item}]}}'",
        mib << 20
    )
}

/// Values that need much more memory than bytes.
const ITEMS: [&str; 2] = [
    r#"{"":0}"#,
    r#"{"kind":"Tenant","metadata":{"labels":{"":""}}}"#,
];

#[test]
fn values_of_answers_are_counted() {
    let folder = root()
        .join("examples/quickstart")
        .to_string_lossy()
        .into_owned();
    let doctor = ["doctor", &folder, "--consumer-context", "rome"];
    let diff = ["diff", &folder, "--consumer-context", "rome"];
    let import: Vec<&str> = "import --consumer-context rome --provider-context milan"
        .split(' ')
        .collect();
    let bound = "--project=p --repo=https://git.example.org/p --path=new";
    let contexts = "--consumer-context=rome --provider-context=milan";
    let init = format!("init new {contexts} --recipient={RECIPIENT} {bound}");
    let init: Vec<_> = init.split(' ').collect();
    let runs = [&doctor[..], &diff, &import, &init].map(|it| (it, ITEMS[0], 8));
    let others = [(&import[..], ITEMS[1], 8), (&import[..], ITEMS[0], 62)];
    for (arguments, item, mib) in runs.into_iter().chain(others) {
        let outcome = run(arguments, &kubectl(&list(item, mib)));
        outcome.fails(3, "program");
        outcome.says("kubectl: its answers together have more than 2000000 values");
    }
    // and one answer with a little less is read
    let large = list(ITEMS[0], 3);
    let once = format!("if mkdir asked; then {large}; else echo '{{\"items\":[]}}'; fi");
    run(&diff, &kubectl(&once)).ends(1).silent_on("values");
}

/// Each is small, and there are many: of a context, and of both.
#[test]
fn answers_are_counted_together() {
    let temp = kubectl(&list("{\"kind\":\"ConfigMap\"}", 5));
    let import: Vec<&str> = "import --consumer-context rome --provider-context milan"
        .split(' ')
        .collect();
    let outcome = run(&import, &temp);
    outcome
        .fails(3, "program")
        .says("more than 2000000 values")
        .says("ask for one cluster at a time");
    assert!(outcome.stderr.matches("+ kubectl").count() > 1, "{outcome}");

    let temp = kubectl(&format!(
        "printf '{{\"kind\":\"List\",\"x\":\"'; yes | tr -d '\\n' | head -c {}; printf '\",\"items\":[]}}'",
        33 << 20
    ));
    run(&import, &temp)
        .fails(3, "program")
        .says("more than 128 MiB");
}

/// Those of Secrets as well, of which kubectl prints a part.
#[test]
fn rows_are_counted() {
    let secrets = list(ITEMS[0], 8);
    let temp = kubectl(&format!(
        "case \"$*\" in *go-template*) {secrets} ;; *) echo '{{\"kind\":\"List\",\"items\":[]}}' ;; esac"
    ));
    let import: Vec<&str> = "import --consumer-context rome --provider-context milan"
        .split(' ')
        .collect();
    run(&import, &temp)
        .fails(3, "program")
        .says("more than 2000000 values");
}

/// Each file has its bound, and all of them one.
#[test]
fn manifests_are_counted_together() {
    let temp = Rc::new(crate::harness::machine::folder());
    let many = temp.path().join("many");
    // what an alias repeats counts as well
    let text = format!(
        "kind: A\na: &a [{}]\nx: [{}]\n",
        ["{}"; 1_000].join(","),
        ["*a"; 45].join(",")
    );
    for number in 0..20 {
        put(many.join(format!("{number}.yaml")), &text);
    }
    let provider = root()
        .join("tests/guide/provider")
        .to_string_lossy()
        .into_owned();
    let import = |folder: &str| {
        run(
            &["import", "--consumer", folder, "--provider", &provider],
            &temp,
        )
    };
    import("many")
        .fails(1, "manifests")
        .says("many/")
        .says("the manifests have more than 2000000 values; name only files of this peering");

    put(
        temp.path().join("one.yaml"),
        format!("kind: A\nx: [{}]\n", "{},".repeat(500_000)),
    );
    import("one.yaml")
        .fails(1, "manifests")
        .says("one.yaml: the manifests have more than 2000000 values");

    let long = temp.path().join("long");
    let text = format!("# {}\n", "#".repeat(16_000_000));
    for number in 0..9 {
        put(long.join(format!("{number}.yaml")), &text);
    }
    import("long")
        .fails(1, "manifests")
        .says("long/8.yaml: the manifests have more than 128 MiB");
}

/// Aliases repeat what is in a file once.
#[test]
fn aliases_are_counted() {
    let temp = Rc::new(crate::harness::machine::folder());
    let list = |name: char, of: &str| format!("{name}: &{name} [{}]\n", [of; 30].join(","));
    let text = list('a', "{b: 1}") + &list('b', "*a") + &list('c', "*b") + &list('d', "*c");
    put(temp.path().join("a.yaml"), format!("kind: A\n{text}"));
    let provider = root()
        .join("tests/guide/provider")
        .to_string_lossy()
        .into_owned();
    run(
        &["import", "--consumer", "a.yaml", "--provider", &provider],
        &temp,
    )
    .fails(1, "manifests");
}
