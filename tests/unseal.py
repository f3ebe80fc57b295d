#!/usr/bin/env python3
"""Opens every SealedSecret of a stream as a controller would, and checks what comes out. TEST ONLY.

unseal.py [STREAM …] [--key KEY …] [--public-key BASE64]

STREAM   YAML; `-` or nothing is standard input
KEY      private keys (PEM), one of which has to open all of the stream; default: those of the clusters in tests/certificates
BASE64   the public key that the other side expects

Exit 1 with the first thing that is wrong. It shares no code with the program; it needs `cryptography` and `PyYAML`.
"""
import argparse
import base64
import binascii
import hashlib
import pathlib
import sys

import yaml
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE / "vectors"))
from sealing import unseal

SCOPES = ("sealedsecrets.bitnami.com/namespace-wide", "sealedsecrets.bitnami.com/cluster-wide")


class Wrong(Exception):
    """What a SealedSecret or its Secret must not be."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def opens(key, namespace, name, sealed):
    try:
        return unseal(key, namespace, name, sealed)
    except (ValueError, InvalidTag, binascii.Error):  # OAEP, AES-GCM, base64
        return None


def public_of(private):
    key = X25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def check_strict(key, namespace, name, sealed):
    """It opens in its place only: another name, another namespace, and the labels of the two wider scopes."""
    expect(opens(key, namespace, name + "2", sealed) is None, "it opens under another name")
    expect(opens(key, namespace + "-2", name, sealed) is None, "it opens in another namespace")
    expect(opens(key, name, namespace, sealed) is None, "it opens with name and namespace exchanged")
    for label, what in [(namespace, "namespace-wide"), ("", "cluster-wide")]:
        # `unseal` joins with a slash, which these labels do not have
        expect(not opens_with_label(key, label, sealed), f"its scope is {what}")


def opens_with_label(key, label, text):
    data = base64.b64decode(text, validate=True)
    size = int.from_bytes(data[:2], "big")
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), label.encode())
    try:
        serialization.load_pem_private_key(key, None).decrypt(data[2 : 2 + size], oaep)
    except ValueError:
        return False
    return True


def check_keys(name, template, data, expected):
    private, public = data["privateKey"], data["publicKey"]
    expect(len(private) == 32, f"the private key has {len(private)} bytes")
    expect(private[0] & 7 == 0 and private[31] & 0xC0 == 0x40, "the private key is not clamped")
    expect(public_of(private) == public, "the public key is not the private key's")
    expect(expected in (None, public), "the other side expects another public key")
    expect(template["metadata"]["labels"].get("networking.liqo.io/gateway-resource") == "true", "Liqo's label is missing")
    expect(template.get("type") == "Opaque", "the type is not Opaque")
    conventional = name.startswith("gw-keys-")
    # a name that is set stays when the key changes
    expect(template.get("immutable", False) is conventional, "immutable is wrong")
    expect(not conventional or name == "gw-keys-" + hashlib.sha256(public).hexdigest()[:10], "the name is not the key's")


def check_kubeconfig(template, data):
    config = yaml.safe_load(data["kubeconfig"])
    expect(config.get("kind") == "Config" and config.get("current-context"), "the kubeconfig has no context")
    expect(template["metadata"]["labels"].get("liqo.io/identity-type") == "ControlPlane", "Liqo's label is missing")
    expect("liqo.io/remote-tenant-namespace" in template["metadata"].get("annotations", {}), "Liqo's annotation is missing")
    expect(template.get("type") == "Opaque", "the type is not Opaque")


def check(sealed, key, expected):
    metadata, spec = sealed["metadata"], sealed["spec"]
    namespace, name, template = metadata["namespace"], metadata["name"], spec["template"]
    expect(sealed["apiVersion"] == "bitnami.com/v1alpha1", "the apiVersion is another one")
    expect(set(spec) == {"encryptedData", "template"}, f"spec has {sorted(spec)}")
    expect(set(template) <= {"metadata", "type", "immutable"}, f"spec.template has {sorted(template)}")
    for place in (metadata, template["metadata"]):
        annotations = place.get("annotations") or {}
        expect(not set(SCOPES) & set(annotations), "it has another scope than the strict one")
    expect(template["metadata"]["labels"].get("liqo.io/remote-cluster-id"), "Liqo's label of the other cluster is missing")
    data = {}
    for item, text in spec["encryptedData"].items():
        data[item] = opens(key, namespace, name, text)
        expect(data[item] is not None, f"{item} does not open")
        check_strict(key, namespace, name, text)
    if set(data) == {"privateKey", "publicKey"}:
        check_keys(name, template, data, expected)
    elif set(data) == {"kubeconfig"}:
        check_kubeconfig(template, data)
    else:
        raise Wrong(f"its items are {sorted(data)}")


def check_stream(text, keys, expected):
    objects = [it for it in yaml.safe_load_all(text) if it]
    sealed = [it for it in objects if it["kind"] == "SealedSecret"]
    expect(sealed, "the stream has no SealedSecret")
    plain = [it["metadata"]["name"] for it in objects if it["kind"] == "Secret" and (it.get("data") or it.get("stringData"))]
    expect(not plain, f"the stream also has Secrets with data: {plain}")

    def all_open(key):
        return all(opens(key, it["metadata"]["namespace"], it["metadata"]["name"], value) is not None
                   for it in sealed for value in it["spec"]["encryptedData"].values())

    opening = [key for key in keys if all_open(key)]
    expect(len(opening) == 1, f"{len(opening)} of {len(keys)} keys open the whole stream")
    for one in sealed:
        try:
            check(one, opening[0], expected)
        except (Wrong, KeyError) as reason:
            raise Wrong(f"{one['metadata']['namespace']}/{one['metadata']['name']}: {reason}") from None
    return len(sealed)


def main():
    parser = argparse.ArgumentParser(description="Open the SealedSecrets of streams. TEST ONLY.")
    parser.add_argument("streams", nargs="*", default=["-"], metavar="STREAM")
    parser.add_argument("--key", action="append", type=pathlib.Path)
    parser.add_argument("--public-key")
    options = parser.parse_args()
    # the other keys there are of credentials
    own = [HERE / "certificates" / f"{cluster}.key" for cluster in ("milan", "rome")]
    keys = [file.read_bytes() for file in options.key or own]
    expected = base64.b64decode(options.public_key, validate=True) if options.public_key else None
    for stream in options.streams:
        text = sys.stdin.read() if stream == "-" else pathlib.Path(stream).read_text()
        try:
            number = check_stream(text, keys, expected)
        except Wrong as reason:
            sys.exit(f"unseal.py: {stream}: {reason}")
        print(f"{stream}: {number} SealedSecrets open to what Liqo wants, and nowhere else")


if __name__ == "__main__":
    main()
