#!/usr/bin/env python3
"""Verify and write the test vectors. TEST ONLY: every seed and key in here is public.

make_vectors.py            write the JSON files beside this script
make_vectors.py --check    write nothing; exit 1 when a file differs from what would be written
             ... --slow    also verify RFC 7748's iteration of a million rounds (minutes)
"""
import argparse
import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import published
from scheme import BASE_POINT, BECH32M, Invalid, decode, derive, encode, x25519
from sealing import seal, unseal

HERE = pathlib.Path(__file__).resolve().parent
NOTICE = "TEST ONLY: every seed and key in this file is public. Never use one of them."
unhex = bytes.fromhex

# --- The cases of derive-v1.json -------------------------------------------------------------------------------------
COUNTING, ONES = bytes(range(32)), b"\xff" * 32
RANDOM = unhex("c5f1907d2be8463a9e04d7b3581f6ca2e97130bd4c86fa15628d03e7a94b5cd8")
A63, B63 = "a" * 63, "b" * 63

PINNED_INFO = "0009776972656775617264" "0008636f6e73756d6572" "000870726f7669646572" "00000001"  # of the first case
PINNED = [  # own, remote, generation, OKM, clamped private key where it is written down, public key
    ("consumer", "provider", 1, "460eb47a5bd0c50db228154d08c3cbaf76138161ebcbc1751bcb81f4d0e41092",
     "QA60elvQxQ2yKBVNCMPLr3YTgWHry8F1G8uB9NDkEFI=", "wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ="),
    ("provider", "consumer", 1, "7cb345745fa592dd1a082dccdefef10fd7637cb36470a2056154aa6fde9b9f7b",
     "eLNFdF+lkt0aCC3M3v7xD9djfLNkcKIFYVSqb96bn3s=", "nn4t1zIhSpCm8U57TQcs0Ew7MhWOj5nyhMk1i3cRzzQ="),
    ("consumer", "provider", 2, "bd3c29c3f24c3131619db9aa03b70dcb348601e1b630083f41eff5bbfcb0b436",
     None, "Ag1HV52iwQFtWCzoAuEZDTBjAmNFGe3NBEBfYVGEkUY="),
    ("provider", "consumer", 2, "ad351184e14a13d91036b76ca2718a120d31e5019b75295736aae5921c46046b",
     None, "2EKzHbLE5mRnLba1RlCNjj2GDO9RP6ICx2HzpFDx6DM="),
]
VALID = [(f"pinned: {own}, generation {n}", COUNTING, own, remote, n) for own, remote, n, *_ in PINNED] + [
    ("ids of one character", COUNTING, "a", "b", 1),
    ("ids of one character, swapped", COUNTING, "b", "a", 1),
    ("ids of 63 characters, the longest", COUNTING, A63, B63, 1),
    ("ids of 1 and 63 characters", COUNTING, "a", B63, 1),
    ("the largest generation", COUNTING, "consumer", "provider", 2**32 - 1),
    ("a generation of four different bytes", COUNTING, "consumer", "provider", 0x01020304),
    ("joined without lengths, equal to the next", COUNTING, "a", "bc", 1),
    ("joined without lengths, equal to the one before", COUNTING, "ab", "c", 1),
    ("a seed of 0xff only", ONES, "consumer", "provider", 1),
    ("another seed", RANDOM, "consumer", "provider", 1),
    ("digits and hyphens", RANDOM, "eu-west-1", "4-b--2", 1),
    ("a digit first", RANDOM, "1a", "k3s-01", 7),
    ("ids that YAML may misread", RANDOM, "no", "1e3", 1),
    ("one id begins with the other", RANDOM, "rome", "rome-2", 1),
]
BAD_IDS = [
    ("empty", "", "id-empty"),
    ("64 characters", "c" * 64, "id-length"),
    ("upper case", "Paris", "id-character"),
    ("underscore", "par_is", "id-character"),
    ("dot", "par.is", "id-character"),
    ("not ASCII", "par\u00eds", "id-character"),
    ("leading hyphen", "-paris", "id-hyphen"),
    ("trailing hyphen", "paris-", "id-hyphen"),
    ("digits only", "1234", "id-digits"),
]
INVALID = [("equal ids", "rome", "rome", 1, "ids-equal"), ("generation 0", "rome", "milan", 0, "generation")]
INVALID += [(f"own id: {comment}", bad, "milan", 1, error) for comment, bad, error in BAD_IDS]
INVALID += [(f"remote id: {comment}", "rome", bad, 1, error) for comment, bad, error in BAD_IDS]

TEXT = encode(COUNTING)
INVALID_TEXT = [
    ("one character changed", TEXT[:40] + ("Q" if TEXT[40] != "Q" else "P") + TEXT[41:], "checksum"),
    ("two neighbours exchanged", TEXT[:-2] + TEXT[-1] + TEXT[-2], "checksum"),
    ("one letter in lower case", TEXT[:30] + TEXT[30:].replace("G", "g", 1), "mixed-case"),
    ("prefix in lower case, data in upper case", TEXT[:21].lower() + TEXT[21:], "mixed-case"),
    ("prefix of an age identity", encode(COUNTING, "age-secret-key-"), "prefix"),
    ("31 bytes", encode(COUNTING[:31]), "length"),
    ("33 bytes", encode(COUNTING + b"\x20"), "length"),
    ("checksum of Bech32m", encode(COUNTING, constant=BECH32M), "checksum"),
    ("truncated by one character", TEXT[:-1], "checksum"),
    ("a space inside", TEXT[:50] + " " + TEXT[50:], "character"),
    ("a letter outside the alphabet", TEXT[:50] + "O" + TEXT[51:], "character"),
    ("padding bits 0001", encode(COUNTING, padding=0b0001), "padding"),
    ("padding bits 1000", encode(COUNTING, padding=0b1000), "padding"),
]


# --- Verify and assemble ---------------------------------------------------------------------------------------------
def refused(error, function, *arguments):
    try:
        function(*arguments)
    except Invalid as reason:
        assert str(reason) == error, (arguments, str(reason), error)
        return {"result": "invalid", "error": error}
    raise AssertionError(f"accepted: {arguments}")


def wireguard():
    for comment, seed, own, remote, generation in VALID:
        case = {"comment": comment, "seed": seed.hex(), "fields": [own, remote], "generation": generation}
        yield case | derive(seed, own, remote, generation) | {"result": "valid"}
    for comment, own, remote, generation, error in INVALID:
        case = {"comment": comment, "seed": COUNTING.hex(), "fields": [own, remote], "generation": generation}
        yield case | refused(error, derive, COUNTING, own, remote, generation)


def seed_text():
    for comment, seed in [("bytes 00 to 1f", COUNTING), ("0xff only", ONES), ("another seed", RANDOM)]:
        text = encode(seed)
        assert decode(text) == seed and len(text) == 79 and text.startswith("ARGOCD-PEERING-SEED-1")
        yield {"comment": comment, "text": text, "length": len(text), "seed": seed.hex(), "result": "valid"}
    for comment, text, error in INVALID_TEXT:
        yield {"comment": comment, "text": text, "length": len(text)} | refused(error, decode, text)


SEALED = [  # certificate, namespace, name, item, value
    ("rome", "liqo-tenant-milan", "gw-keys-0a1b2c3d4e", "privateKey", bytes(range(32))),
    ("milan", "liqo-tenant-milan", "gw-keys-0a1b2c3d4e", "privateKey", bytes(range(32))),
    ("rome", "liqo-tenant-milan2", "gw-keys-0a1b2c3d4e", "privateKey", bytes(range(32))),
    ("rome", "liqo-tenant-milan", "gw-keys-0a1b2c3d4f", "privateKey", bytes(range(32))),
    ("rome", "liqo-tenant-milan", "gw-keys-0a1b2c3d4e", "publicKey", bytes(range(32))),
    ("rome", "liqo-tenant-milan", "gw-keys-0a1b2c3d4e", "privateKey", bytes(range(1, 33))),
    ("rsa-2048", "liqo-tenant-milan", "kubeconfig-controlplane-milan", "kubeconfig", b"apiVersion: v1\n" * 700),
    ("rome", "n", "s", "empty", b""),
]


def sealed_secrets():
    """What the program must print, each opened again where its private key is at hand."""
    folder = HERE.parent / "certificates"
    for certificate, namespace, name, item, value in SEALED:
        sealed = seal(COUNTING, (folder / f"{certificate}.crt").read_bytes(), namespace, name, item, value)
        key = folder / f"{certificate}.key"
        assert not key.exists() or unseal(key.read_bytes(), namespace, name, sealed) == value
        yield {
            "seed": COUNTING.hex(), "certificate": certificate, "namespace": namespace, "name": name, "item": item,
            "value": value.hex(), "sealed": sealed,
        }


def verify_scheme(keys):
    assert keys[0]["info"] == PINNED_INFO
    for (own, remote, generation, okm, private, public), key in zip(PINNED, keys):
        assert (key["fields"], key["generation"], key["seed"]) == ([own, remote], generation, COUNTING.hex())
        assert (key["okm"], key["public"]) == (okm, public) and private in (None, key["private"])
    good = [key for key in keys if key["result"] == "valid"]
    assert len({key["okm"] for key in good}) == len({key["keySecretSuffix"] for key in good}) == len(good)
    for key in good:  # X25519 clamps by itself: the unclamped bytes have the same public key
        assert base64.b64encode(x25519(unhex(key["okm"]), BASE_POINT)).decode() == key["public"]
    assert encode(b"", "a") == "A12UEL5L" and encode(b"", "a", BECH32M) == "A1LQFN3A"  # published in BIP-173, BIP-350


def document(source, groups):
    """The content of a file, and how many vectors it holds; they are numbered through all groups."""
    number, head = 0, {"schema": "argocd-peering-vectors/1", "notice": NOTICE, "source": source, "groups": []}
    for purpose, cases in groups.items():
        tests = [{"id": i} | case for i, case in enumerate(cases, number + 1)]
        head["groups"].append({"purpose": purpose, "tests": tests})
        number += len(tests)
    return json.dumps(head, indent=2).encode("ascii") + b"\n", number


def documents(slow):
    keys = list(wireguard())
    verify_scheme(keys)
    published.verify(slow)
    p = published
    return {
        "derive-v1.json": document("make_vectors.py; frozen", {"wireguard": keys, "seed-text": seed_text()}),
        "sealed-secret-v1.json": document("make_vectors.py; frozen", {"sealed-secret": list(sealed_secrets())}),
        "rfc5869.json": document("RFC 5869, appendix A, SHA-256", {"hkdf-sha256": p.RFC5869}),
        "rfc7748.json": document("RFC 7748, sections 5.2 and 6.1", {
            "scalar-mult": p.SCALAR_MULT, "iterated": p.ITERATED, "diffie-hellman": p.DIFFIE_HELLMAN}),
        "liqo-guide.json": document("guides to declarative peering with Liqo", {"key-pair": p.LIQO_GUIDE}),
    }


def main():
    parser = argparse.ArgumentParser(description="Verify and write the test vectors. TEST ONLY.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with the files on disk")
    parser.add_argument("--slow", action="store_true", help="also verify the million rounds of RFC 7748")
    options = parser.parse_args()
    failed = False
    for name, (wanted, number) in documents(options.slow).items():
        path = HERE / name
        same = path.is_file() and path.read_bytes() == wanted
        if not options.check:
            path.write_bytes(wanted)
        failed |= options.check and not same
        print(f"{name}: {number} vectors, {'unchanged' if same else 'DIFFERS' if options.check else 'written'}")
    return int(failed)


if __name__ == "__main__":
    if not __debug__:
        sys.exit("the verification is made of asserts: do not run with -O")
    sys.exit(main())
