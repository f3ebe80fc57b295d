"""Vectors that others have published: RFC 5869, RFC 7748, guides to Liqo. TEST ONLY; verify() tries each one."""

import base64

from scheme import BASE_POINT, clamp, expand, extract, x25519

RFC5869 = [
    {
        "comment": "A.1, basic",
        "ikm": "0b" * 22,
        "salt": bytes(range(0x0D)).hex(),
        "info": bytes(range(0xF0, 0xFA)).hex(),
        "L": 42,
        "prk": "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "okm": "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    },
    {
        "comment": "A.2, longer inputs and output",
        "ikm": bytes(range(0x50)).hex(),
        "salt": bytes(range(0x60, 0xB0)).hex(),
        "info": bytes(range(0xB0, 0x100)).hex(),
        "L": 82,
        "prk": "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
        "okm": "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
        "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
    },
    {
        "comment": "A.3, empty salt and info",
        "ikm": "0b" * 22,
        "salt": "",
        "info": "",
        "L": 42,
        "prk": "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "okm": "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    },
]

NINE = "09" + "00" * 31

SCALAR_MULT = [
    {
        "comment": "5.2, first",
        "scalar": "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "u": "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "output": "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    },
    {
        "comment": "5.2, second",
        "scalar": "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "u": "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "output": "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    },
]

ITERATED = [
    {
        "comment": "5.2, once",
        "scalar": NINE,
        "u": NINE,
        "iterations": 1,
        "slow": False,
        "output": "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    },
    {
        "comment": "5.2, a thousand times",
        "scalar": NINE,
        "u": NINE,
        "iterations": 1000,
        "slow": False,
        "output": "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
    },
    {
        "comment": "5.2, a million times",
        "scalar": NINE,
        "u": NINE,
        "iterations": 1000000,
        "slow": True,
        "output": "7c3911e0ab2586fd864497297e575e6f3bc601c0883c30df5f4dd2d24f665424",
    },
]

DIFFIE_HELLMAN = [
    {
        "comment": "6.1, Alice and Bob",
        "alicePrivate": "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "alicePublic": "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
        "bobPrivate": "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "bobPublic": "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        "shared": "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
    },
]

LIQO_GUIDE = [
    {
        "comment": "published example key, first pair",
        "private": "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=",
        "public": "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=",
    },
    {
        "comment": "published example key, second pair",
        "private": "IIDYUpVU5r/R3pxp7xnpEU31Ky2+Th7pSWQWyEKKVG8=",
        "public": "SU+Ba3jBNgofBrZtVHwad1VJotcVs4TmgpOdFQhx/UE=",
    },
]


def verify(slow):
    """Fails unless our own implementation agrees with every vector."""
    unhex = bytes.fromhex
    for t in RFC5869:
        prk = extract(unhex(t["salt"]), unhex(t["ikm"]))
        assert (prk.hex(), expand(prk, unhex(t["info"]), t["L"]).hex()) == (t["prk"], t["okm"]), t["comment"]
    for t in SCALAR_MULT:
        assert x25519(unhex(t["scalar"]), unhex(t["u"])).hex() == t["output"], t["comment"]
    for t in ITERATED:
        if slow or not t["slow"]:
            k, u = unhex(t["scalar"]), unhex(t["u"])
            for _ in range(t["iterations"]):
                k, u = x25519(k, u), k
            assert k.hex() == t["output"], t["comment"]
    for t in DIFFIE_HELLMAN:
        for own, other in [("alice", "bob"), ("bob", "alice")]:
            private, public = unhex(t[own + "Private"]), unhex(t[other + "Public"])
            assert x25519(private, BASE_POINT).hex() == t[own + "Public"], t["comment"]
            assert x25519(private, public).hex() == t["shared"], t["comment"]
    for t in LIQO_GUIDE:
        private = base64.b64decode(t["private"])
        assert clamp(private) == private and x25519(private, BASE_POINT) == base64.b64decode(t["public"]), t["comment"]
