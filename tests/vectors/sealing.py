"""Deterministic SealedSecrets: a second implementation that shares no code with the first. TEST ONLY.

`seal` does what the program does, from the text of RFC 8017; `unseal` is what the controller does, by the package
`cryptography`.
"""
import base64
import hashlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from scheme import expand, extract

NONCE = bytes(12)


def certificate(pem):
    key = x509.load_pem_x509_certificate(pem).public_key()
    info = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return key.public_numbers(), hashlib.sha256(info).digest()


def derived(seed, purpose, fields):
    info = b"".join(len(field).to_bytes(2, "big") + field for field in [purpose, *fields]) + bytes(4)
    return expand(extract(b"argocd-peering/v1", seed), info, 32)


def mgf1(seed, length):
    blocks = (hashlib.sha256(seed + counter.to_bytes(4, "big")).digest() for counter in range(-(-length // 32)))
    return b"".join(blocks)[:length]


def xor(one, two):
    return bytes(a ^ b for a, b in zip(one, two, strict=True))


def seal(seed, pem, namespace, name, item, value):
    numbers, fingerprint = certificate(pem)
    label = f"{namespace}/{name}".encode()
    fields = [fingerprint, b"strict", label, item.encode(), hashlib.sha256(value).digest()]
    session_key = derived(seed, b"sealedsecret/session-key", fields)
    oaep_seed = derived(seed, b"sealedsecret/oaep-seed", fields)
    size = -(-numbers.n.bit_length() // 8)
    database = hashlib.sha256(label).digest() + bytes(size - 32 - 2 * 32 - 2) + b"\1" + session_key
    masked = xor(database, mgf1(oaep_seed, len(database)))
    block = b"\0" + xor(oaep_seed, mgf1(masked, 32)) + masked
    wrapped = pow(int.from_bytes(block, "big"), numbers.e, numbers.n).to_bytes(size, "big")
    sealed = AESGCM(session_key).encrypt(NONCE, value, b"")
    return base64.b64encode(size.to_bytes(2, "big") + wrapped + sealed).decode()


def unseal(key, namespace, name, text):
    data = base64.b64decode(text, validate=True)
    size = int.from_bytes(data[:2], "big")
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), f"{namespace}/{name}".encode())
    private = serialization.load_pem_private_key(key, None)
    return AESGCM(private.decrypt(data[2 : 2 + size], oaep)).decrypt(NONCE, data[2 + size :], b"")
