#!/usr/bin/env python3
"""Reads streams with PyYAML: a reader of YAML 1.1, and not the one that the tests in Rust use.

    python3 tests/yaml11.py tests/golden/*/*.yaml

Each value must be a string in quotes, an integer or a boolean, and to PyYAML what JSON makes of the same characters.
Each key must be a string. Exit 1 if it is otherwise; no value is printed. Needs PyYAML.
"""
import json
import sys

import yaml


def problems_of(text):
    """The places where a stream is read otherwise than meant, and how many scalars it has."""
    problems, count = [], 0

    def complain(node, what):
        problems.append(f"line {node.start_mark.line + 1}: {what}")

    def look(node):
        if isinstance(node, yaml.MappingNode):
            keys = [look_at_key(key) for key, _ in node.value]
            if len(set(keys)) != len(keys):
                complain(node, "a key stands twice in this map")
            for _, value in node.value:
                look(value)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                look(item)
        else:
            look_at_value(node)

    def look_at_key(node):
        nonlocal count
        count += 1
        if node.tag != "tag:yaml.org,2002:str":
            complain(node, "a key that is no string")
        return node.value

    def look_at_value(node):
        nonlocal count
        count += 1
        written, read = text[node.start_mark.index:node.end_mark.index], python_of(node)
        meant = json_of(written)
        if type(meant) not in (str, int, bool):
            complain(node, "neither a string in JSON's quotes, nor an integer, nor a boolean")
        elif (type(read), read) != (type(meant), meant):
            complain(node, f"to PyYAML this is a {type(read).__name__}, or another one")

    for document in yaml.compose_all(text, Loader=yaml.SafeLoader):
        look(document)
    return problems, count


def python_of(node):
    try:
        return yaml.constructor.SafeConstructor().construct_object(node)
    except (yaml.YAMLError, ValueError):
        return None


def json_of(written):
    try:
        return json.loads(written)
    except ValueError:
        return None


GOOD = ['a: "on"\n"b/c": "\\u2028"\nd: [1, true]\n', "---\na: -1\n---\nb: []\n", 'a:\n  - "\U0001f34e\\"\\\\"\n']
BAD = ["a: on\n", "on: 1\n", "1: 1\n", "a: b\n", "a: 'b'\n", "a: 017\n", "a: 1e3\n", "a: 1.5\n", "a:\n", "a: null\n", "a: =\n",
       'a: "b\n  c"\n', 'a: !!int "1"\n', "- 2001-01-01\n", '"a": 1\n"a": 2\n', "a: |\n  b\n", 'a: "\\x41"\n', 'a: "\\ud83d\\ude00"\n']


def try_out():
    """What is good is taken, and what is bad is found, before a stream is looked at."""
    for text in GOOD:
        assert problems_of(text)[0] == [], text
    for text in BAD:
        assert len(problems_of(text)[0]) == 1, text


def main(files):
    if not files:
        sys.exit(__doc__)
    try_out()
    failed, total = False, 0
    for file in files:
        with open(file, encoding="utf-8", newline="") as stream:
            problems, count = problems_of(stream.read())
        for problem in problems if count else ["nothing is in it"]:
            print(f"{file}: {problem}", file=sys.stderr)
            failed = True
        total += count
    print(f"yaml11: {len(files)} streams, {total} scalars")
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:])
