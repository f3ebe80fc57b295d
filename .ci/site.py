"""Builds the site from docs/SUMMARY.md with mdBook, and checks every link of what came out.

    python3 .ci/site.py MDBOOK FOLDER [--playground WASM] [--repository URL]

FOLDER is new or an earlier site. WASM is the playground's program; without it the playground
cannot answer. URL is that of the
sources, for links to files that are no page.
"""

import argparse
import html.parser
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODES = "src/diagnostic/codes"
CHECKS = "src/object/live/checks"
SCREENS = "tests/diagnostics"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
COPIED = (".svg", ".yaml", ".json")
PLAYGROUND = "docs/playground"
# what makes sense in a clone only
CLONE = re.compile(r"<!-- in a clone -->\n.*?<!-- end -->\n", re.S)


def page(path):
    """The place in the site of a file of the repository."""
    for folder, place in (("docs/", ""), (CODES + "/", "codes/"), (CHECKS + "/", "checks/")):
        if path.startswith(folder):
            path = place + path[len(folder):]
    # mdBook calls it so in the end, and would not change the links
    return re.sub(r"(^|/)README\.md$", r"\1index.md", path)


def relinked(text, change):
    """The text with its links changed. Code is none, but a link's label may have code in it."""
    code = []

    def hide(match):
        code.append(match[0])
        return f"\0{len(code) - 1}\0"

    text = re.sub(r"^( *)```.*?^\1```", hide, text, flags=re.M | re.S)
    text = LINK.sub(change, re.sub(r"`[^`]*`", hide, text))
    return re.sub("\0([0-9]+)\0", lambda it: code[int(it[1])], text)


def as_shown(code):
    """What people see of a code, and search for: the first screens that the tests hold."""
    own = ROOT / SCREENS / f"{code}.md"
    text = (own if own.exists() else ROOT / SCREENS / "run.md").read_text()
    cases = text.split("\n## ")[1:]
    screens = [
        block
        for case in cases
        if own.exists() or re.match(rf"{code}(: .*)?\n", case)
        for block in re.findall(r"^```text\n(.*?)^```$", case, re.M | re.S)
    ]
    if not screens:
        raise SystemExit(f"{code}: {SCREENS} has no screen of it")
    shown = "\n".join(f"```text\n{it}```\n" for it in screens[:3])
    return f"\n## As it is shown\n\n{shown}\nArgo CD shows the first line in the Application's condition, after words of its own: "\
        "[In Argo CD](../diagnostics.md#in-argo-cd).\n"


def stage(source, repository):
    """Puts the pages, and what they show, where mdBook looks for them."""
    summary = (ROOT / "docs/SUMMARY.md").read_text()
    paths = {posixpath.normpath("docs/" + target) for _, _, target in LINK.findall(summary)}
    codes = sorted(f"{CODES}/{it.name}" for it in (ROOT / CODES).glob("*.md"))
    checks = sorted(f"{CHECKS}/{it.name}" for it in (ROOT / CHECKS).glob("*.md"))
    paths.update(codes + checks)

    def relink(path):
        def change(match):
            image, label, target = match.groups()
            if "://" in target or target.startswith(("#", "mailto:")):
                return match[0]
            file, _, anchor = target.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
            if file not in paths:
                if file.endswith(".md") and file != "docs/SUMMARY.md":
                    raise SystemExit(f"{path}: {file} is not in docs/SUMMARY.md")
                if not file.endswith(COPIED) and not file.startswith(PLAYGROUND):
                    return f"[{label}]({repository}/tree/HEAD/{file})" if repository else label
                if file.endswith(COPIED):
                    place = source / page(file)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / file, place)
            relative = posixpath.relpath(page(file), posixpath.dirname(page(path)) or ".")
            return f"{image}[{label}]({relative}{'#' + anchor if anchor else ''})"

        return change

    for path in sorted(paths):
        text = relinked(CLONE.sub("", (ROOT / path).read_text()), relink(path))
        if path in codes:
            text += as_shown(pathlib.Path(path).stem)
        place = source / page(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def below(entry, indent, pages):
        """The summary with pages below one of its entries."""
        entries = "".join(f"{indent}- [{pathlib.Path(it).stem}]({page(it)})\n" for it in pages)
        return summary.replace(f"]({entry})\n", f"]({entry})\n{entries}")

    summary = LINK.sub(lambda it: f"[{it[2]}]({page(posixpath.normpath('docs/' + it[3]))})", summary)
    summary = below("diagnostics.md", "  ", codes)
    summary = below("doctor.md", "    ", checks)
    (source / "SUMMARY.md").write_text(summary)
    return len(paths)


def stage_playground(source, program):
    """Puts the playground beside the pages: its files, its program, and the documents of the examples."""
    place = source / page(PLAYGROUND)
    shutil.copytree(ROOT / PLAYGROUND, place)
    if program:
        shutil.copyfile(program, place / "playground.wasm")
    documents = sorted((ROOT / "examples").rglob("peering.yaml"))
    examples = [{"name": it.parent.relative_to(ROOT / "examples").as_posix(), "document": it.read_text()} for it in documents]
    (place / "examples.json").write_text(json.dumps(examples))


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(attrs[it] for it in ("id", "name") if attrs.get(it))
        self.links.extend(attrs[it] for it in ("href", "src") if attrs.get(it))


def check(book):
    """What a link of the site leads to, and does not exist."""
    pages = {it.relative_to(book).as_posix(): Page(it.read_text()) for it in book.rglob("*.html")}
    problems, count = [], 0
    for name, content in pages.items():
        if name in ("404.html", "print.html", "toc.html"):
            continue
        for link in content.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(url.path))) if url.path else name
            if not (book / target).is_file():
                problems.append(f"{name}: {link} leads nowhere")
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                problems.append(f"{name}: {link}: there is no such heading")
    if problems:
        raise SystemExit("\n".join(sorted(set(problems))))
    return len(pages), count


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("mdbook")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--playground", type=pathlib.Path)
    arguments.add_argument("--repository", default="")
    asked = arguments.parse_args()
    folder = asked.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    shutil.copyfile(ROOT / "docs/book.toml", folder / "book.toml")
    shutil.copyfile(ROOT / ".ci/site.css", folder / "site.css")
    stage(folder / "src", asked.repository.rstrip("/"))
    stage_playground(folder / "src", asked.playground)
    subprocess.run([asked.mdbook, "build", str(folder)], check=True, env={**os.environ, "RUST_LOG": "warn"})
    pages, links = check(folder / "book")
    print(f"site: {pages} pages, {links} links inside of it lead somewhere: {folder / 'book/index.html'}")


main()
