"""Inputs that a machine changes: of each, only that the program keeps its promises."""

import base64
import json
import random
import time

from program import KUBECONFIG, RECIPIENT, caller, document, generate, team

NASTY = ["\0", "\t", "\r", "'", '"', "{", "[", "- ", ": ", "#", "&a ", "*a", "!!str ", "|\n", "%", "@", "\ud7ff", "\U0001f600", "\u202e"]
WORDS = ["null", "~", "yes", "0x10", "1e999", "-1", "9" * 40, "2026-01-01", "pending", "consumer", "10.0.0.0/8", "::/0", "a" * 300]


def changed(text, dice):
    """One to four small changes of a text: what editors, merges and attackers do."""
    for _ in range(dice.randint(1, 4)):
        lines = text.split("\n")
        at = dice.randrange(len(lines))
        line = lines[at]
        where = dice.randrange(len(line) + 1)
        kind = dice.randrange(9)
        if kind == 0:
            lines[at] = line[:where] + dice.choice(NASTY) + line[where:]
        elif kind == 1 and line:
            lines[at] = line[:where] + line[where + 1 :]
        elif kind == 2:
            del lines[at]
        elif kind == 3:
            lines.insert(at, lines[dice.randrange(len(lines))])
        elif kind == 4:
            lines[at] = " " * dice.randrange(6) + line.lstrip()
        elif kind == 5:
            key, colon, _ = line.partition(":")
            lines[at] = f"{key}{colon} {dice.choice(WORDS)}"
        elif kind == 6:
            lines[at] = line * dice.choice([2, 3, 200])
        elif kind == 7:
            other = dice.randrange(len(lines))
            lines[at], lines[other] = lines[other], line
        else:
            lines = lines[: at + 1]
        text = "\n".join(lines) or "\n"
    return text


def changed_bytes(data, dice):
    data = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data))
        if dice.random() < 0.5:
            data[at] = dice.randrange(256)
        else:
            del data[at : at + dice.randint(1, 40)]
        data = data or bytearray(b"\n")
    return bytes(data)


def try_all(program, root, seconds, seed):
    """Tries changed inputs of every kind for so long, and gives the number of runs and what did not hold."""
    dice = random.Random(seed)
    folder = team(program, root)
    sealed = {name: (folder / name).read_bytes() for name in ["peering.seed.age", "kubeconfig.age"]}
    good = document()
    whole = generate(program, folder, caller()).out
    kubeconfig = root / "changed.yaml"
    parameters = json.dumps([{"name": "role", "string": "consumer"}])
    found = []
    before, end = program.runs, time.monotonic() + seconds
    while time.monotonic() < end and len(found) < 10:
        program.outcomes = []
        what = dice.choice(["document", "document", "document", "sealed", "kubeconfig", "parameters"])
        try:
            if what == "document":
                input = changed(good, dice).encode(errors="replace")
                (folder / "peering.yaml").write_bytes(input)
                program.run("validate", "--format", dice.choice(["text", "json"]), ".", cwd=folder)
                generate(program, folder, caller())
                (folder / "peering.yaml").write_text(good)
            elif what == "sealed":
                name = dice.choice(sorted(sealed))
                input = changed_bytes(sealed[name], dice)
                (folder / name).write_bytes(input)
                run = generate(program, folder, caller())
                # white space around the armor changes nothing
                assert run.out in ("", whole), f"a changed {name} opens to something else"
                (folder / name).write_bytes(sealed[name])
            elif what == "kubeconfig":
                input = changed(KUBECONFIG, dice).encode(errors="replace")
                kubeconfig.write_bytes(input)
                program.run("seal", "kubeconfig", kubeconfig, "-o", root / "out.age", "--clusters", "rome,milan", "--recipient", RECIPIENT)
                (root / "out.age").unlink(missing_ok=True)
            else:
                input = changed(parameters, dice).replace("\0", "").encode(errors="replace")
                generate(program, folder, caller(ARGOCD_APP_PARAMETERS=input.decode()))
        except AssertionError as reason:
            found.append(f"{reason}; the {what} in base64: {base64.b64encode(input[:4096]).decode()}")
            (folder / "peering.yaml").write_text(good)
            for name, data in sealed.items():
                (folder / name).write_bytes(data)
    return program.runs - before, found
