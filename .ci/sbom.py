"""Compares the crates that a program lists, those of its SBOM, and those that Cargo compiles.

    python3 .ci/sbom.py PROGRAM SBOM TREE

PROGRAM has the list that cargo auditable wrote into it, SBOM is CycloneDX, TREE has `name vVERSION` in each line.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
import zlib
from pathlib import Path


def section(program, name):
    """The bytes of a section, by LLVM: programs are of Linux and of macOS."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "section"
        subprocess.run(["llvm-objcopy", f"--dump-section={name}={file}", program, "/dev/null"], check=True)
        return file.read_bytes()


def main(program, sbom, tree):
    with open(program, "rb") as file:
        name = ".dep-v0" if file.read(4) == b"\x7fELF" else "__DATA,.dep-v0"
    listed = json.loads(zlib.decompress(section(program, name)))["packages"]
    # procedural macros are of kind `build`: they run when the program is built, and are not in it
    inside = {(it["name"], it["version"]) for it in listed}
    with open(sbom) as file:
        bom = json.load(file)
    assert bom["bomFormat"] == "CycloneDX", "not CycloneDX"
    described = {(it["name"], it["version"]) for it in [bom["metadata"]["component"], *bom["components"]]}
    for it in bom["components"]:
        assert it["purl"].startswith(f"pkg:cargo/{it['name']}@{it['version']}"), it
        assert it.get("licenses") and it.get("hashes"), it
    with open(tree) as file:
        compiled = {(name, version[1:]) for name, version in (line.split() for line in file)}
    with open("Cargo.lock", "rb") as file:
        locked = {(it["name"], it["version"]) for it in tomllib.load(file)["package"]}
    # both take the features that the tests' crates ask for as well (cargo metadata does), so they may have a few crates more
    for name, crates in (("the program", inside), ("the SBOM", described)):
        if compiled - crates or crates - locked:
            raise SystemExit(f"{name} lacks {sorted(compiled - crates)}; not in Cargo.lock: {sorted(crates - locked)}")
    print(f"sbom: the {len(compiled)} crates that are compiled are in {sbom.rsplit('/', 1)[-1]} (of {len(described)}) "
          f"and in the program (of {len(inside)})")


main(*sys.argv[1:])
