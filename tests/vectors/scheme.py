"""Key derivation and the seed's text form: a second implementation that shares no code with the first. TEST ONLY."""
import base64
import hashlib
import hmac
import re

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey


class Invalid(Exception):
    """The input is refused; the text is the short name of the reason."""


# --- RFC 5869, RFC 7748 ----------------------------------------------------------------------------------------------
def extract(salt, ikm):
    return hmac.digest(salt or bytes(32), ikm, hashlib.sha256)


def expand(prk, info, length):
    okm = block = b""
    for counter in range(1, -(-length // 32) + 1):
        block = hmac.digest(prk, block + info + bytes([counter]), hashlib.sha256)
        okm += block
    return okm[:length]


def clamp(okm):
    return bytes([okm[0] & 0xF8]) + okm[1:31] + bytes([okm[31] & 0x7F | 0x40])


def x25519(scalar, u):
    return X25519PrivateKey.from_private_bytes(scalar).exchange(X25519PublicKey.from_public_bytes(u))


BASE_POINT = (9).to_bytes(32, "little")


# --- The derivation --------------------------------------------------------------------------------------------------
def check_id(cluster_id):
    for wrong, name in [
        (cluster_id == "", "id-empty"),
        (len(cluster_id) > 63, "id-length"),
        (re.search(r"[^a-z0-9-]", cluster_id), "id-character"),
        (cluster_id != cluster_id.strip("-"), "id-hyphen"),
        (re.fullmatch(r"[0-9]+", cluster_id), "id-digits"),
    ]:
        if wrong:
            raise Invalid(name)


def length_prefixed(text):
    return len(text).to_bytes(2, "big") + text.encode("ascii")


def derive(seed, own, remote, generation):
    """The WireGuard key of cluster `own` towards cluster `remote`, with the steps that lead to it."""
    check_id(own)
    check_id(remote)
    if own == remote:
        raise Invalid("ids-equal")
    if not 1 <= generation < 2**32:
        raise Invalid("generation")
    info = b"".join(map(length_prefixed, ("wireguard", own, remote))) + generation.to_bytes(4, "big")
    okm = expand(extract(b"argocd-peering/v1", seed), info, 32)
    private = clamp(okm)
    public = x25519(private, BASE_POINT)
    return {
        "info": info.hex(),
        "okm": okm.hex(),
        "private": base64.b64encode(private).decode(),
        "public": base64.b64encode(public).decode(),
        "keySecretSuffix": hashlib.sha256(public).hexdigest()[:10],
    }


# --- The seed as text: Bech32 (BIP-173), in upper case ---------------------------------------------------------------
CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
SEED_PREFIX = "argocd-peering-seed-"
BECH32, BECH32M = 1, 0x2BC830A3


def polymod(prefix, data):
    check = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> bit & 1 else 0
    return check


def encode(payload, prefix=SEED_PREFIX, constant=BECH32, padding=0):
    spare = -8 * len(payload) % 5
    number = int.from_bytes(payload, "big") << spare | padding
    data = [number >> 5 * i & 31 for i in reversed(range((8 * len(payload) + spare) // 5))]
    check = polymod(prefix, data + [0] * 6) ^ constant
    data += [check >> 5 * i & 31 for i in reversed(range(6))]
    return (prefix + "1" + "".join(CHARSET[d] for d in data)).upper()


def decode(text, prefix=SEED_PREFIX):
    """The 32 bytes of a seed. Refuses in this order: mixed-case, character, prefix, checksum, length, padding."""
    if text not in (text.lower(), text.upper()):
        raise Invalid("mixed-case")
    found, _, tail = text.lower().rpartition("1")
    if not all("!" <= c <= "~" for c in text) or not set(tail) <= set(CHARSET):
        raise Invalid("character")
    if found != prefix:
        raise Invalid("prefix")
    data = [CHARSET.index(c) for c in tail]
    if polymod(prefix, data) != BECH32:
        raise Invalid("checksum")
    number, bits = sum(d << 5 * i for i, d in enumerate(reversed(data[:-6]))), 5 * (len(data) - 6)
    if bits // 8 != 32:
        raise Invalid("length")
    if number & (1 << bits % 8) - 1:
        raise Invalid("padding")
    return (number >> bits % 8).to_bytes(32, "big")
