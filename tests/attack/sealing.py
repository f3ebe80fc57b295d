"""Attacks on what is sealed: whose key a project gets, who can open the next secret, what a rotation is sealed to."""

from attacks import attack, committed
from program import IDENTITY, KUBECONFIG, PATH, RECIPIENT, REPO, caller, document, generate, team

# Somebody else's recipient: no identity of this repository belongs to it.
HERS = "age1azxelcgn9030hvxjvlk6865chkfchfj89mgytm9yyju3cs8q2e7q3l3fpe"


def swapped():
    """The document with the two clusters in each other's place."""
    return document(("clusterID: consumer", "clusterID: X"), ("clusterID: provider", "clusterID: consumer"), ("clusterID: X", "clusterID: provider"))


@attack
def the_other_clusters_key(program, root):
    """the private key of the provider, for the project of the consumer: by a document that swaps the clusters"""
    folder = team(program, root)
    (folder / "peering.yaml").write_text(swapped())
    for project, role in [("peering-consumer", "consumer"), ("peering-provider", "provider")]:
        generate(program, folder, caller(project=project, role=role)).refused(3, "error[denied]")


@attack
def another_peerings_key(program, root):
    """the keys of another peering that the same seed serves, in this folder and for this project"""
    folder = team(program, root)
    (folder / "peering.seed.age").unlink()
    terms = ["--clusters", "consumer,provider", "--clusters", "turin,provider", "--repo", REPO]
    terms += ["--path", f"consumer,provider={PATH}", "--path", "turin,provider=peerings/turin-provider"]
    terms += ["--project", "peering-consumer=consumer", "--project", "peering-turin=turin"]
    assert program.run("seed", "new", folder / "peering.seed.age", "--recipient", RECIPIENT, *terms).code == 0
    assert generate(program, folder, caller()).code in (0, 3)
    (folder / "peering.yaml").write_text(document(("clusterID: consumer", "clusterID: turin")))
    for project in ["peering-consumer", "peering-turin"]:
        generate(program, folder, caller(project=project)).refused(3, "error[denied]")


@attack
def another_namespace(program, root):
    """a Secret in a namespace of the attacker's choice"""
    terms = ["--project", "peering-consumer=consumer", "--repo", REPO, "--path", PATH]
    terms += ["--secret-namespace", "liqo-tenant-provider=consumer", "--secret-namespace", "liqo-tenant-consumer=provider"]
    folder = team(program, root, terms)
    assert 'kind: "Secret"' in generate(program, folder, caller()).out, "the team gets its own"
    for namespace in ["mallory", "liqo-tenant-consumer"]:
        text = document(("clusterID: consumer", f"clusterID: consumer\n    tenantNamespace: {namespace}"))
        (folder / "peering.yaml").write_text(text)
        generate(program, folder, caller()).refused(3, "error[denied]")


@attack
def a_recipient_in_the_repository(program, root):
    """the next new seed or kubeconfig, by a line in the committed recipients file"""
    folder = team(program, root)
    recipients = root / ".age-recipients"
    recipients.write_text(f"{RECIPIENT}\n{HERS}\n")
    env = {"PATH": committed(root)}
    kubeconfig = root.parent / f"{root.name}.kubeconfig"
    kubeconfig.write_text(KUBECONFIG)
    terms = ["--clusters", "consumer,provider", "--project", "a=consumer", "--repo", REPO, "--path", PATH]
    init = ["--consumer-id", "rome", "--provider-id", "milan", "--consumer-pod-cidr", "10.1.0.0/16", "--provider-pod-cidr", "10.2.0.0/16"]
    init += ["--provider-external-cidr", "10.71.0.0/16", "--consumer-external-cidr", "10.70.0.0/16", "--gateway-address", "192.0.2.7"]
    for new, arguments in [
        ("new.age", ["seed", "new", folder / "new.age", *terms]),
        ("k.age", ["seal", "kubeconfig", kubeconfig, "-o", folder / "k.age", *terms]),
        ("../x-y", ["init", folder / "../x-y", *init, "--repo", REPO]),
    ]:
        run = program.run(*arguments, "--recipients-file", recipients, cwd=root, env=env, stdin=b"yes\n")
        assert run.code == 2 and HERS in run.err and "sha256:" in run.err, f"sealed unseen: {run}"
        assert not (folder / new).exists(), f"sealed unseen: {run}"
    kubeconfig.unlink()
