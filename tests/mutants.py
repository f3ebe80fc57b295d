#!/usr/bin/env python3
"""Makes small mistakes in the program, of all rooms of src, and says which of them no test notices.

  tests/mutants.py [--mutants NUMBER] [--minutes NUMBER] [--again]
  tests/mutants.py --table

The mistakes are found in the syntax of the sources: a condition that is turned round, half of a condition that is left out, `<=` for `<`,
a call that is not made, a function that returns nothing, a number by one, an arm of a match with the value of the next. Each file has
as many as its length allows, chosen by a hash of their text: a change of another line does not choose others. All are compiled once,
into a copy of the checkout in target/mutants, each behind a switch. Each test is run once to see which mistakes it passes. Then each
mistake meets the tests that pass it, first the quick ones of its room, until one fails, or until they have taken the time below.

What was found is kept in target/mutants, and a run goes on where the last one ended. --minutes ends it after that time. --again runs
the mistakes once more that nothing noticed, when tests were added; remove target/mutants/reach.json when tests were changed. --table
prints what was found, by room. It ends with 1 if too many mistakes are not noticed.

A mistake can do what its user may: run it on a machine that may be thrown away, most of all as root.

Needs Cargo, 6 GB, what the tests need, and `pip install tree-sitter==0.26.1 tree-sitter-rust==0.24.2`.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / "target/mutants"
COPY = WORK / "copy"
RESULTS = WORK / "results.jsonl"
REACH = WORK / "reach.json"
CHOSEN = WORK / "chosen.json"

# the programs that call the library, and what the tests call of it
NOT_MUTATED = ("src/main.rs", "src/playground.rs", "src/testing.rs", "src/lib.rs")
# from the top to the bottom
LAYERS = {
    "views": ("cli", "command"),
    "report": ("report",),
    "judge": ("judge",),
    "state": ("state",),
    "kernel": ("stream", "custody", "rules", "peering", "object", "argocd", "document", "input", "diagnostic", "uri"),
}
# of 100 mistakes, as many may pass
ALLOWED = 3
# seconds of tests that a mistake meets, as long as they took without one, and how many together before it is looked whether one failed
ENOUGH = 90
STEPS = (1.5, 6, 25, ENOUGH)

SWITCH = """
/// Whether this mistake is made.
pub(crate) fn mutant(number: usize) -> bool {
    use std::io::Write as _;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static ON: OnceLock<Option<usize>> = OnceLock::new();
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    if let Some(it) = SEEN.get(number)
        && !it.swap(true, Ordering::Relaxed)
        && let Some(file) = std::env::var_os("MUTANT_LOG")
        && let Ok(mut file) = std::fs::File::options().append(true).open(file)
    {
        let _ = file.write_all(format!("{number}\\n").as_bytes());
    }
    *ON.get_or_init(|| std::env::var("MUTANT").ok()?.parse().ok()) == Some(number)
}
"""


class Mutant:
    """A mistake: what is written before and after a place of a file."""

    def __init__(self, file, kind, node, before, after, span=None):
        self.file, self.kind, self.before, self.after = file, kind, before, after
        self.start, self.end = span or (node.start_byte, node.end_byte)
        self.line = node.start_point[0] + 1
        self.text = " ".join(node.text.decode().split())
        self.key = ""


def nothing_of(kind):
    """What a function of this type returns when it does nothing."""
    if kind is None:
        return {"returns at once": "return;"}
    kind = kind.text.decode()
    if kind == "bool":
        return {"returns true": "return true;", "returns false": "return false;"}
    if kind == "String":
        return {"returns no text": "return String::new();"}
    for start, value in (("Option<", "None"), ("Vec<", "Vec::new()"), ("Result<()", "Ok(())")):
        if kind.startswith(start):
            return {f"returns {value}": f"return {value};"}
    return {}


# in which a number is a value
VALUES = {"arguments", "binary_expression", "range_expression", "let_declaration", "return_expression", "parenthesized_expression"}
# what takes a closure that says yes or no
ASKS = {"filter", "any", "all", "find", "position", "retain", "take_while", "skip_while", "is_some_and", "is_none_or", "is_ok_and"}
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHERS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}


def of_node(file, node):
    """The mistakes that can be made at one node of the syntax."""

    def made(kind, it, before, after, span=None):
        return Mutant(file, kind, it, before, after, span)

    if node.type in ("if_expression", "while_expression", "match_pattern") and (it := node.child_by_field_name("condition")):
        if it.type in ("let_condition", "let_chain"):
            if node.type == "if_expression":
                yield made("never", it, "!M && ", "")
        elif it.type != "binary_expression":
            yield made("negated", it, "(M != (", "))")
    if node.type == "let_chain":
        for it in node.named_children:
            if it.type not in ("let_condition", "line_comment"):
                yield made("half left out", it, "(M || (", "))")
    if node.type == "binary_expression":
        left, right = (node.child_by_field_name(it) for it in ("left", "right"))
        sign = node.child_by_field_name("operator").text.decode()
        if sign == "&&":
            yield made("half left out", left, "(M || (", "))")
            yield made("half left out", right, "(M || (", "))")
        elif sign == "||":
            yield made("half left out", left, "(!M && (", "))")
            yield made("half left out", right, "(!M && (", "))")
        elif sign in ("==", "!="):
            yield made("negated", node, "(M != (", "))")
        elif sign in BOUNDS or sign in OTHERS:
            other = (BOUNDS | OTHERS)[sign]
            a, b = left.text.decode(), right.text.decode()
            yield made(f"{other} for {sign}", node, f"(if M {{ {a} {other} {b} }} else {{ ", " })")
            if sign in BOUNDS:
                yield made("negated", node, "(M != (", "))")
    if node.type == "expression_statement" and node.text.endswith(b";"):
        it = node.named_children[0]
        it = it.named_children[0] if it.type == "try_expression" else it
        if it.type in ("call_expression", "assignment_expression", "compound_assignment_expr"):
            yield made("not done", node, "if !M { ", " }")
    if node.type == "call_expression" and node.child_by_field_name("function").type == "field_expression":
        name = node.child_by_field_name("function").child_by_field_name("field").text.decode()
        closures = [it for it in node.child_by_field_name("arguments").named_children if it.type == "closure_expression"]
        if name in ASKS and len(closures) == 1:
            it = closures[0].child_by_field_name("body")
            if it.type != "binary_expression":
                yield made("negated", it, "(M != (", "))")
            if name in ("filter", "take_while", "is_some_and", "retain"):
                yield made("all are taken", it, "(M || (", "))")
    if node.type == "integer_literal" and node.parent.type in VALUES:
        if digits := re.fullmatch(r"([0-9_]+)", node.text.decode()):
            yield made("one more", node, f"(if M {{ {int(digits[1]) + 1} }} else {{ ", " })")
    if node.type == "match_block":
        values = [it.child_by_field_name("value") for it in node.named_children if it.type == "match_arm"]
        for value, other in zip(values, values[1:]):
            if "block" not in (value.type, other.type) and value.text != other.text and len(value.text) < 120:
                yield made("the next arm's", value, f"(if M {{ {other.text.decode()} }} else {{ ", " })")
    if node.type == "function_item":
        body = node.child_by_field_name("body")
        for kind, text in nothing_of(node.child_by_field_name("return_type")).items():
            place = body.start_byte + 1
            yield made(kind, node.child_by_field_name("name"), f" if M {{ {text} }} ", "", (place, place))


def is_left_out(node):
    """Tests, what other builds have, what is computed by the compiler, and the capacity of what can grow."""
    if node.type == "call_expression" and node.child_by_field_name("function").text.endswith(b"::with_capacity"):
        return True
    if node.type in ("const_item", "static_item", "macro_definition", "attribute_item"):
        return True
    if node.type == "function_item" and re.match(r"(pub(\([a-z]+\))? )?const ", node.text.decode()):
        return True
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment"):
        if re.search(rb"cfg\((test|not)", before.text):
            return True
        before = before.prev_named_sibling
    return False


def mutants_of(parser, file):
    found, waiting = [], [parser.parse((ROOT / file).read_bytes()).root_node]
    while waiting:
        node = waiting.pop()
        if not is_left_out(node):
            found.extend(of_node(file, node))
            waiting.extend(reversed(node.named_children))
    times = collections.Counter()
    for it in found:
        words = f"{it.file}|{it.kind}|{it.text}"
        times[words] += 1
        it.key = hashlib.sha256(f"{words}|{times[words]}".encode()).hexdigest()[:12]
    return sorted(found, key=lambda it: it.key)


def room(file):
    return pathlib.Path(file).parts[1].removesuffix(".rs")


def layer(file):
    return next(name for name, rooms in LAYERS.items() if room(file) in rooms)


def listed():
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [it for it in files.split("\0") if it and (ROOT / it).is_file()]


def is_mutated(file):
    return (
        file.startswith("src/")
        and file.endswith(".rs")
        and file not in NOT_MUTATED
        and "tests" not in pathlib.Path(file.removesuffix(".rs")).parts
    )


def written(mutants):
    """The copy, with these mistakes. For each file, where in it each mistake is."""
    by_file = collections.defaultdict(list)
    for number, it in enumerate(mutants):
        by_file[it.file].append((number, it))
    places = {}
    for file in listed():
        source = (ROOT / file).read_bytes()
        if file in by_file:
            source, places[file] = with_mistakes(source, by_file[file])
        elif file == "src/lib.rs":
            # a number by one may be one that the compiler sees to fail
            allowed = b"#![allow(arithmetic_overflow, unconditional_panic)]\n"
            source = allowed + source + SWITCH.replace("COUNT", str(len(mutants))).encode()
        elif file.startswith("tests/spec/") and file.endswith(".rs"):
            # the program is run without the tests' environment, but with the switch
            kept = rb'.env_clear().envs(std::env::vars_os().filter(|it| it.0.to_string_lossy().starts_with("MUTANT")))'
            source = source.replace(b".env_clear()", kept)
        target = COPY / file
        if not target.is_file() or target.read_bytes() != source:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source)
            shutil.copymode(ROOT / file, target)
    return places


def with_mistakes(source, numbered):
    inserted = []
    for number, it in numbered:
        switch = f"crate::mutant({number})"
        # what is around others begins before them and ends after them
        inserted.append(((it.start, 1, -it.end, number), re.sub(r"\bM\b", switch, it.before, count=1), number, "start"))
        inserted.append(((it.end, 0, -it.start, -number), it.after, number, "end"))
    inserted.sort(key=lambda it: it[0])
    made, last, places = b"", 0, {}
    for (place, *_), text, number, edge in inserted:
        made += source[last:place]
        start, last = len(made), place
        made += text.encode()
        if edge == "start":
            places[number] = {"start": start, "end": len(made)}
        elif text:
            places[number]["end"] = len(made)
    return made + source[last:], places


def build(*arguments):
    """Messages of the compiler."""
    command = ["cargo", *arguments, "--locked", "--message-format=json"]
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(WORK / "build"),
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
    }
    done = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True, check=False)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done, messages


def refused(messages, places):
    """The mistakes that the compiler refuses: those around what it points at, or else the nearest before it."""
    numbers = set()
    for message in messages:
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        spans = sorted(message["message"]["spans"], key=lambda it: not it["is_primary"])
        for span in spans:
            while span.get("expansion") and span["file_name"] not in places:
                span = span["expansion"]["span"]
            here = places.get(span["file_name"], {})
            start, end = span["byte_start"], span["byte_end"]
            around = [
                (it["end"] - it["start"], number) for number, it in here.items() if it["start"] <= start and end <= it["end"]
            ] or [(abs(it["start"] - start), number) for number, it in here.items() if start < it["end"] and it["start"] < end]
            if around:
                numbers.add(min(around)[1])
                break
        else:
            near = [
                (abs(it["start"] - span["byte_start"]), number)
                for span in spans
                for number, it in places.get(span["file_name"], {}).items()
            ]
            if near:
                numbers.add(min(near)[1])
    return numbers


def chosen(total):
    """The mistakes that compile, as many in each file as its length allows."""
    import tree_sitter
    import tree_sitter_rust

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
    found = {file: mutants_of(parser, file) for file in listed() if is_mutated(file)}
    # what was chosen of the same sources compiles
    sources = hashlib.sha256(repr([total, *((ROOT / file).read_bytes() for file in found)]).encode()).hexdigest()
    kept = json.loads(CHOSEN.read_text()) if CHOSEN.is_file() else {}
    if kept.get("sources") == sources:
        return [it for them in found.values() for it in them if it.key in kept["keys"]]
    lines = {file: len((ROOT / file).read_text().splitlines()) for file in found}
    quota = {file: max(1, round(total * count / sum(lines.values()))) for file, count in lines.items()}
    mutants = [it for file, them in found.items() for it in them[: quota[file] * 3 // 2 + 1]]
    print(f"{sum(map(len, found.values()))} mistakes are possible, {len(mutants)} are tried", flush=True)
    for _ in range(15):
        done, messages = build("check", "--lib") if (places := written(mutants)) else None
        if done.returncode == 0:
            break
        wrong = refused(messages, places)
        print(f"{len(wrong)} do not compile", flush=True)
        assert wrong, done.stderr
        mutants = [it for number, it in enumerate(mutants) if number not in wrong]
    taken, count = [], collections.Counter()
    for it in mutants:
        count[it.file] += 1
        if count[it.file] <= quota[it.file]:
            taken.append(it)
    CHOSEN.write_text(json.dumps({"sources": sources, "keys": [it.key for it in taken]}))
    return taken


def test_programs():
    done, messages = build("test", "--no-run", "--lib", "--test", "spec")
    assert done.returncode == 0, done.stderr
    return {it["target"]["name"]: it["executable"] for it in messages if it.get("executable") and it["profile"]["test"]}


def end_programs(number):
    """Ends what still runs with this mistake: the tests start programs in groups of their own, and one that loops would never end."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if number and f"MUTANT={number}".encode() in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), 9)
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            pass


def run(program, tests, seconds, **variables):
    """The tests that failed; all if the time was over."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MUTANT")} | variables
    command = [program, "--exact", "--test-threads=1", *tests]
    child = subprocess.Popen(
        command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, process_group=0
    )
    try:
        out, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        end_programs(variables.get("MUTANT"))
        return list(tests), True
    failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED", out, re.M)
    return failed or (list(tests) if child.returncode else []), False


def reach(mutants, programs):
    """For each test, how long it takes and which mistakes it passes."""
    known = json.loads(REACH.read_text()) if REACH.is_file() else {}
    tests = []
    for name, program in programs.items():
        shown = subprocess.run([program, "--list", "--format=terse"], cwd=COPY, capture_output=True, text=True, check=True).stdout
        ignored = subprocess.run([program, "--list", "--ignored", "--format=terse"], cwd=COPY, capture_output=True, text=True, check=True)
        left_out = set(ignored.stdout.splitlines())
        tests += [(name, line.removesuffix(": test")) for line in shown.splitlines() if line.endswith(": test") and line not in left_out]

    def one(test):
        log = WORK / "log" / hashlib.sha256("|".join(test).encode()).hexdigest()
        log.write_text("")
        log.chmod(0o666)
        start = time.monotonic()
        failed, _ = run(programs[test[0]], [test[1]], 600, MUTANT_LOG=str(log))
        numbers = sorted({int(it) for it in log.read_text().split()})
        log.unlink()
        return {
            "seconds": time.monotonic() - start,
            "fails": bool(failed),
            "reaches": [mutants[it].key for it in numbers],
        }

    (WORK / "log").mkdir(exist_ok=True)
    for folder in (WORK, WORK / "log"):
        folder.chmod(0o755)
    new = [it for it in tests if "|".join(it) not in known]
    print(f"{len(tests)} tests, {len(new)} of them are run to see what they pass", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for count, (test, what) in enumerate(zip(new, pool.map(one, new))):
            known["|".join(test)] = what
            if count % 50 == 0:
                REACH.write_text(json.dumps(known))
    REACH.write_text(json.dumps(known))
    names = {"|".join(it) for it in tests}
    broken = [name for name in names if known[name]["fails"]]
    print(f"{len(broken)} fail without a mistake, and are left out: {' '.join(sorted(broken))}", flush=True)
    return {name: known[name] for name in names if not known[name]["fails"]}


def judged(number, mutant, tests, programs, noticed):
    """Which test notices it. Those that have `noticed` many before come first: they ask for much at once."""
    start = time.monotonic()
    words = set(pathlib.Path(mutant.file).with_suffix("").parts[1:]) - {"command", "workstation"}

    def cost(name):
        far = 1 if words & set(name.split("|")[1].split("::")) else 3
        return far * tests[name]["seconds"] * (20 + len(tests[name]["reaches"])) / (1 + noticed[name])

    waiting = sorted((name for name, it in tests.items() if mutant.key in it["reaches"]), key=cost)
    result = {"key": mutant.key, "state": "missed" if waiting else "not reached", "met": 0, "of": len(waiting)}
    spent, step = 0, 0
    while waiting and spent < ENOUGH:
        group, limit = [], STEPS[min(step, len(STEPS) - 1)]
        while waiting and (not group or spent + tests[waiting[0]]["seconds"] < limit):
            spent += tests[waiting[0]]["seconds"]
            group.append(waiting.pop(0))
        step += 1
        result["met"] += len(group)
        for program, path in programs.items():
            names = [it.split("|")[1] for it in group if it.startswith(f"{program}|")]
            patience = 30 + 10 * sum(tests[f"{program}|{it}"]["seconds"] for it in names)
            failed, is_late = run(path, names, patience, MUTANT=str(number)) if names else ([], False)
            # not the machine's fault: without the mistake the same is in time, or passes
            if is_late and not run(path, names, patience)[1] or not is_late and failed and not run(path, failed[:1], 600)[0]:
                result |= {"state": "caught", "by": f"{program}|{failed[0]}" if not is_late else "its time"}
                break
        if result["state"] == "caught":
            break
    return result | {"seconds": round(time.monotonic() - start, 1)}


def results():
    lines = RESULTS.read_text().splitlines() if RESULTS.is_file() else []
    return {it["key"]: it for it in map(json.loads, lines)}


def table(mutants):
    """Prints what was found, by room."""
    found = results()
    rows = collections.defaultdict(collections.Counter)
    for it in mutants:
        state = found.get(it["key"], {"state": "not run"})["state"]
        for name in ((layer(it["file"]), room(it["file"])), ("together", "")):
            rows[name][state] += 1
    print("| layer | room | run | noticed | not noticed |\n|---|---|---|---|---|")
    order = list(LAYERS)
    for (name, within), count in sorted(rows.items(), key=lambda it: (order.index(it[0][0]) if it[0][0] in order else 9, it[0][1])):
        missed = count["missed"] + count["not reached"]
        inside = f"`{within}`" if within else ""
        print(f"| {name} | {inside} | {count['caught'] + missed} | {count['caught']} | {missed} |")
    print()
    for it in mutants:
        result = found.get(it["key"], {"state": "not run"})
        if result["state"] in ("missed", "not reached"):
            print(f"- {it['file']}:{it['line']} {it['kind']}: `{it['text'][:150]}` ({result['state']}, {result['met']}/{result['of']}) {it['key']}")
    counts = rows["together", ""]
    if counts["not run"]:
        print(f"{counts['not run']} are not run yet")
    return 1 if 100 * (counts["missed"] + counts["not reached"]) > ALLOWED * counts.total() else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--mutants", type=int, default=500)
    arguments.add_argument("--minutes", type=float, default=600)
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--table", action="store_true")
    arguments = arguments.parse_args()
    listing = WORK / "mutants.json"
    if arguments.table:
        return table(json.loads(listing.read_text()))
    end = time.monotonic() + 60 * arguments.minutes
    COPY.mkdir(parents=True, exist_ok=True)
    # a checkout of its own, not a folder of this one
    subprocess.run(["git", "init", "--quiet", COPY], check=True)
    mutants = chosen(arguments.mutants)
    written(mutants)
    shown = ("key", "file", "line", "kind", "text")
    listing.write_text(json.dumps([{name: getattr(it, name) for name in shown} for it in mutants]))
    print(f"{len(mutants)} mistakes are compiled", flush=True)
    programs = test_programs()
    tests = reach(mutants, programs)
    found = results()
    states = ("caught",) if arguments.again else ("caught", "missed", "not reached")
    noticed = collections.Counter(it.get("by") for it in found.values())
    # in the order of their hashes: what a run has when it is ended is a fair choice of all rooms
    left = sorted(
        ((number, it) for number, it in enumerate(mutants) if found.get(it.key, {}).get("state") not in states),
        key=lambda it: it[1].key,
    )

    def one(numbered):
        if time.monotonic() > end:
            return
        result = judged(*numbered, tests, programs, noticed)
        noticed[result.get("by")] += 1
        with RESULTS.open("a") as file:
            file.write(json.dumps(result) + "\n")
        it = numbered[1]
        print(f"{result['state']:11} {result['seconds']:5}s {it.file}:{it.line} {it.kind}: {it.text[:80]}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, left))
    return table(json.loads(listing.read_text()))


if __name__ == "__main__":
    sys.exit(main())
