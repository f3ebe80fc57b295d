"""Builds the site from docs/SUMMARY.md with mdBook.

    python3 .ci/site.py MDBOOK FOLDER [WASM]

FOLDER is new or an earlier site. WASM is the playground's program; without it the playground cannot answer.

SITE_REPOSITORY   the URL of the sources, for links to files that are not pages
"""

import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "docs/SUMMARY.md"
CODES = "src/diagnostic/codes"
CHECKS = "src/object/live/checks"
SCREENS = "tests/diagnostics"
PLAYGROUND = "docs/playground"
REPOSITORY = os.environ.get("SITE_REPOSITORY", "").rstrip("/")
# code, which has no links, or a link, whose label may have code in it
CODE = r"^( *)```.*?^\1```|`[^`]*`"
LINK = re.compile(CODE + r"|(?P<image>!?)\[(?P<label>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)", re.M | re.S)
COPIED = (".svg", ".yaml", ".json")
# what makes sense in a clone only
CLONE = re.compile(r"<!-- in a clone -->\n.*?<!-- end -->\n", re.S)


def page(path):
    """The place in the site of a file of the repository."""
    for folder, place in (("docs/", ""), (CODES + "/", "codes/"), (CHECKS + "/", "checks/")):
        if path.startswith(folder):
            path = place + path[len(folder):]
    # mdBook calls it so in the end, and would not change the links
    return re.sub(r"(^|/)README\.md$", r"\1index.md", path)


def target_of(link, path):
    """The file of the repository to which a link of a page leads, and what follows its name."""
    file, hash_sign, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), file)), hash_sign + anchor


def as_shown(code):
    """What people see of a code, and search for: the first screens that the tests hold."""
    own = ROOT / SCREENS / f"{code}.md"
    text = (own if own.exists() else ROOT / SCREENS / "run.md").read_text()
    screens = [
        block
        for case in text.split("\n## ")[1:]
        if own.exists() or re.match(rf"{code}(: .*)?\n", case)
        for block in re.findall(r"^```text\n.*?^```$", case, re.M | re.S)
    ]
    shown = "\n\n".join(screens[:3])
    return f"\n## As it is shown\n\n{shown}\n\nArgo CD shows the first line in the Application's condition, after words of its own: "\
        "[In Argo CD](../diagnostics.md#in-argo-cd).\n"


def relinked(path, pages, source):
    """The text of a page, with its links as they lead in the site. What it shows is put where mdBook looks for it."""

    def change(match):
        image, label, link = match["image"], match["label"], match["target"]
        if link is None or "://" in link or link.startswith(("#", "mailto:")):
            return match[0]
        file, anchor = target_of(link, path)
        if file.endswith(".md") and file not in pages and file != SUMMARY:
            raise SystemExit(f"{path}: {file} is not in {SUMMARY}")
        if file.endswith(COPIED):
            put(source / page(file), (ROOT / file).read_text())
        elif file not in pages and not file.startswith(PLAYGROUND):
            return f"[{label}]({REPOSITORY}/tree/HEAD/{file})" if REPOSITORY else label
        return f"{image}[{label}]({posixpath.relpath(page(file), posixpath.dirname(page(path)) or '.')}{anchor})"

    return LINK.sub(change, CLONE.sub("", (ROOT / path).read_text()))


def put(place, text):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def stage(source):
    """Puts the pages, and what they show, where mdBook looks for them."""
    codes, checks = (sorted(f"{folder}/{file.name}" for file in (ROOT / folder).glob("*.md")) for folder in (CODES, CHECKS))
    links = (match["target"] for match in LINK.finditer((ROOT / SUMMARY).read_text()))
    pages = {target_of(link, SUMMARY)[0] for link in links if link} | {*codes, *checks}
    for path in sorted(pages):
        shown = as_shown(pathlib.Path(path).stem) if path in codes else ""
        put(source / page(path), relinked(path, pages, source) + shown)

    summary = relinked(SUMMARY, pages, source)
    for entry, indent, below in (("diagnostics.md", "  ", codes), ("doctor.md", "    ", checks)):
        entries = "".join(f"{indent}- [{pathlib.Path(path).stem}]({page(path)})\n" for path in below)
        summary = summary.replace(f"]({entry})\n", f"]({entry})\n{entries}")
    put(source / "SUMMARY.md", summary)


def stage_playground(source, program):
    """Puts the playground beside the pages: its files, its program, and the documents of the examples."""
    place = source / page(PLAYGROUND)
    shutil.copytree(ROOT / PLAYGROUND, place)
    if program:
        shutil.copyfile(program, place / "playground.wasm")
    documents = sorted((ROOT / "examples").rglob("peering.yaml"))
    examples = [{"name": file.parent.relative_to(ROOT / "examples").as_posix(), "document": file.read_text()} for file in documents]
    put(place / "examples.json", json.dumps(examples))


def main(mdbook, folder, program=None):
    folder = pathlib.Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    stage(folder / "src")
    stage_playground(folder / "src", program)
    shutil.copyfile(ROOT / "docs/book.toml", folder / "book.toml")
    shutil.copyfile(ROOT / ".ci/site.css", folder / "site.css")
    subprocess.run([mdbook, "build", str(folder)], check=True, env={**os.environ, "RUST_LOG": "warn"})


main(*sys.argv[1:])
