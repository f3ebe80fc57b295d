#!/usr/bin/env python3
"""Builds small mistakes into the program, each behind a switch, and runs the tests of its room with each.

  tests/mutants.py [--check] [--keep FOLDER] [NUMBER…]

All are compiled once, into a copy of the checkout: some minutes, and then seconds for each. The switch is a file, since the tests run the
program without their environment. It ends with 1 if a mistake is not noticed, or if a test fails without any. Needs Cargo, 3 GB and
what the tests need. tests/mutation.md has what was found.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]

# The file, the text that is there once, the text in its place, in which M is the switch, and the tests that must notice it.
MUTANTS = [
    # what must be found
    ("src/peering/agreement.rs", "peering.directions.provider.authentication.is_some()", "!M && peering.directions.provider.authentication.is_some()", "custody::two_organisations"),
    ("src/custody/opener.rs", "secret: self.delivery.map(to),", "secret: if M { None } else { self.delivery.map(to) },", "an_entry_that_allows"),
    ("src/judge/change/keys.rs", "if *before != *after {", "if !M && *before != *after {", "diff::hazards"),
    ("src/state/git/checkout.rs", 'command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);', 'if !M { command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]); }', "diff::states"),
    ("src/state/git/attributes.rs", "|| end.strip_prefix(b\"/\")", "|| !M && end.strip_prefix(b\"/\")", "diff::attributes"),
    ("src/cli/process.rs", "let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);", "if !M { let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable); }", "command::process"),
    ("src/argocd/plugin.rs", '|| is_item("env", "ROLE", "value")', '|| (!M && is_item("env", "ROLE", "value"))', "argocd::"),
    ("src/argocd/application.rs", 'let variable = item("env", "ROLE", "value");', 'let variable = item("env", if M { "RULE" } else { "ROLE" }, "value");', "argocd::"),
    ("src/argocd/application_set/generator.rs", '.and_then(Node::text) == Some("true");', '.and_then(Node::text) == Some(if M { "yes" } else { "true" });', "argocd::sets"),
    ("src/peering/observed.rs", "missing > 0 || wanted == 0", "missing > 0 || (!M && wanted == 0)", "doctor::sound"),
    ("src/peering/observed.rs", '["/status/initContainerStatuses", "/status/containerStatuses"]', '[if M { "/status/none" } else { "/status/initContainerStatuses" }, "/status/containerStatuses"]', "doctor::sound"),
    ("src/peering/offloading/namespace/live.rs", '"SomeFailed" | "AllFailed" => error(', '"SomeFailed" | "AllFailed" if !(M && phase == "SomeFailed") => error(', "doctor::sound"),
    # what must not be found
    ("src/judge/change/notes.rs", "|| !has_offloading;", "|| (!M && !has_offloading);", "diff::hazards"),
    ("src/peering/authentication/credential/kubeconfig/usable.rs", r"""data.replace(['\r', '\n'], "")""", r"""if M { data.to_owned() } else { data.replace(['\r', '\n'], "") }""", "custody::kubeconfigs"),
    ("src/command/generate.rs", "&& peering.state == State::Active", "&& (M || peering.state == State::Active)", "stream::teardown"),
    ("src/judge/comparison.rs", "if live && to.is_empty()", "if live && !M && to.is_empty()", "doctor::sound"),
    ("src/judge/comparison.rs", "if live\n                && APPENDED", "if live && !M\n                && APPENDED", "doctor::sound"),
    ("src/command/workstation/doctor/policies.rs", "to: address.parse().ok()", "to: if M { None } else { address.parse().ok() }", "doctor::sound"),
    ("src/command/workstation/doctor/objects.rs", "gone > 1 &&", "(M || gone > 1) &&", "doctor::sound"),
    ("src/command/workstation/doctor/objects.rs", '&& path != "apiVersion"', '&& (M || path != "apiVersion")', "doctor::sound"),
    ("src/command/workstation/doctor/objects.rs", "object.namespace() == side.tenant_namespace()", "M || object.namespace() == side.tenant_namespace()", "doctor::sound"),
    ("src/command/workstation/doctor/cluster.rs", "network.namespace() == side.liqo_namespace()", "M || network.namespace() == side.liqo_namespace()", "doctor::sound"),
    ("src/peering/offloading/virtual_node/live.rs", 'object.at("/spec/createNode") != Some(&Value::Bool(false))', 'M || object.at("/spec/createNode") != Some(&Value::Bool(false))', "doctor::sound"),
    ("src/judge/applications/projects.rs", "if need.as_destination()", "if !M && need.as_destination()", "a_missing_destination"),
    # where a number begins to count
    ("src/command/workstation/doctor/expiry.rs", "_ if liqo >= Some((1, 2))", "_ if (if M { liqo > Some((1, 2)) } else { liqo >= Some((1, 2)) })", "doctor::"),
    ("src/command/workstation/doctor/expiry.rs", "life / 4", "life / if M { 5 } else { 4 }", "doctor::sound"),
    ("src/command/workstation/doctor/expiry.rs", "SOON.min", "(if M { SOON * 2 } else { SOON }).min", "doctor::sound"),
]


def lost():
    """Mistakes whose text is not in its file, or more than once: the program was changed there."""
    texts = [(file, old, (ROOT / file).read_text() if (ROOT / file).is_file() else "") for file, old, _, _ in MUTANTS]
    return [f"{file} has this {text.count(old)} times: {old}" for file, old, text in texts if text.count(old) != 1]


def switched(copy, switch):
    """Builds the mistakes into the copy."""
    for number, (file, old, new, _) in enumerate(MUTANTS):
        path = copy / file
        text = path.read_text()
        is_on = f'std::fs::read_to_string("{switch}").is_ok_and(|it| it == "{number}")'
        words = new.split("M")
        # M alone, not a letter of a name
        made = words[0]
        for before, after in zip(words, words[1:]):
            alone = not (before[-1:].isalnum() or after[:1].isalnum() or before[-1:] == "_" or after[:1] == "_")
            made += (is_on if alone else "M") + after
        path.write_text(text.replace(old, made, 1))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("numbers", nargs="*", type=int)
    arguments.add_argument("--keep", type=pathlib.Path, help="build here, and leave it for the next run")
    arguments.add_argument("--check", action="store_true", help="only look whether each mistake still has its place")
    arguments = arguments.parse_args()
    if places := lost():
        print("\n".join(places))
        return 1
    if arguments.check:
        return 0
    with tempfile.TemporaryDirectory() as temp:
        copy = arguments.keep or pathlib.Path(temp) / "copy"
        copy.mkdir(parents=True, exist_ok=True)
        switch = pathlib.Path(temp) / "switch"
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for file in filter(None, files.split("\0")):
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, copy / file)
        switched(copy, switch)

        def failed(filters):
            command = ["cargo", "test", "--quiet", "--locked", "--test", "spec", "--", *filters.split()]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
            assert "error: could not compile" not in done.stderr, done.stderr
            return done.stdout if done.returncode else ""

        numbers = arguments.numbers or range(len(MUTANTS))
        switch.write_text("")
        # what fails without any mistake would not be the mistake's
        before = failed(" ".join(sorted({MUTANTS[number][3] for number in numbers})))
        assert not before, before
        missed = 0
        for number in numbers:
            file, old, _, filters = MUTANTS[number]
            switch.write_text(str(number))
            is_caught = failed(filters) != ""
            missed += not is_caught
            print(f"{number:3}  {'caught' if is_caught else 'MISSED'}  {file}: {' '.join(old.split())[:70]}", flush=True)
    print(f"{len(numbers)} mistakes, {missed} not noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
