"""Compares the crates that a program lists, those of its SBOM, and those that Cargo compiles.

    python3 .ci/sbom.py PROGRAM SBOM TREE

PROGRAM has the list that cargo auditable wrote into it, SBOM is CycloneDX, TREE has `name vVERSION` in each line.
"""

import json
import struct
import sys
import tomllib
import zlib


def section(program, name):
    """The bytes of a section of a 64-bit little-endian ELF file (System V ABI, chapter 4)."""
    assert program[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF file"
    table, = struct.unpack_from("<Q", program, 0x28)
    size, count, names = struct.unpack_from("<HHH", program, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", program, table + size * i) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        start = strings + header[0]
        if program[start:program.index(b"\0", start)] == name:
            return program[header[4]:header[4] + header[5]]
    raise SystemExit(f"the program has no section {name.decode()}")


def main(program, sbom, tree):
    with open(program, "rb") as file:
        listed = json.loads(zlib.decompress(section(file.read(), b".dep-v0")))["packages"]
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
