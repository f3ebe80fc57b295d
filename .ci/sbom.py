"""Compares the crates of a program with its SBOM and with Cargo's own list.

    python3 .ci/sbom.py PROGRAM SBOM TREE

PROGRAM has the list that cargo auditable wrote into it, SBOM is CycloneDX, TREE has `name vVERSION` in each line.
"""

import json
import struct
import sys
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
    inside = {(it["name"], it["version"]) for it in listed if it.get("kind", "runtime") == "runtime"}
    with open(sbom) as file:
        bom = json.load(file)
    assert bom["bomFormat"] == "CycloneDX", "not CycloneDX"
    own = bom["metadata"]["component"]
    described = {(it["name"], it["version"]) for it in [own, *bom["components"]]}
    for it in bom["components"]:
        assert it["purl"].startswith(f"pkg:cargo/{it['name']}@{it['version']}"), it
        assert it.get("licenses") and it.get("hashes"), it
    with open(tree) as file:
        known = {(name, version[1:] if version.startswith("v") else version)
                 for name, version in (line.split() for line in file)}
    for name, crates in (("the program", inside), ("the SBOM", described)):
        if crates != known:
            raise SystemExit(f"{name} lacks {sorted(known - crates)} and adds {sorted(crates - known)}")
    print(f"sbom: {len(known)} crates in {sbom.rsplit('/', 1)[-1]}, in the program and in Cargo.lock")


main(*sys.argv[1:])
