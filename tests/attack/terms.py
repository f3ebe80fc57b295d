"""Attacks on terms: whose key a project gets, in which folder and into which namespace."""

from attacks import attack
from program import IDENTITY, PATH, RECIPIENT, REPO, caller, document, generate, team


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
    program.run("seed", "new", folder / "peering.seed.age", "--recipient", RECIPIENT, *terms).done()
    generate(program, folder, caller()).done()
    (folder / "peering.yaml").write_text(document(("clusterID: consumer", "clusterID: turin")))
    for project in ["peering-consumer", "peering-turin"]:
        generate(program, folder, caller(project=project)).refused(3, "error[denied]")


@attack
def another_namespace(program, root):
    """a Secret in a namespace of the attacker's choice"""
    terms = ["--project", "peering-consumer=consumer", "--repo", REPO, "--path", PATH]
    terms += ["--secret-namespace", "liqo-tenant-provider=consumer", "--secret-namespace", "liqo-tenant-consumer=provider"]
    folder = team(program, root, terms)
    assert 'kind: "Secret"' in generate(program, folder, caller()).done().out, "the team gets its own"
    text = document(("clusterID: consumer", "clusterID: consumer\n    tenantNamespace: mallory"))
    (folder / "peering.yaml").write_text(text)
    generate(program, folder, caller()).refused(3, "error[denied]")


@attack
def rights_in_the_tenant_namespace(program, root):
    """rights in the Namespace of the keys, for an Argo CD, a project or a role of the attacker's: by labels that controllers act on"""
    managed = "argocd.argoproj.io/managed-by: mallory"
    others = ["field.cattle.io/projectId: p-mallory", "accurate.cybozu.com/template: mallory", "openshift.io/run-level: '0'", "istio-injection: enabled"]
    folder = team(program, root)
    for place in ["  commonMetadata: { MAP: { KEY } }\n", "  consumer:\n    metadata: { tenantNamespace: { MAP: { KEY } } }\n"]:
        for key in [managed, *others, "'iam.amazonaws.com/permitted': '.*'"]:
            written = place.replace("KEY", key).replace("MAP", "annotations" if "'.*'" in key else "labels")
            at = "  consumer:\n" if "consumer" in place else "spec:\n"
            (folder / "peering.yaml").write_text(document((at, written if at != "spec:\n" else at + written)))
            generate(program, folder, caller()).refused(3, "error[denied]")
    # with a seed of the attacker's own, whose terms allow the label: anyone can seal a file. The team's kubeconfig is in the stream as well,
    # and where there is a policy, it decides
    (folder / "peering.yaml").write_text(document(("spec:\n", f"spec:\n  commonMetadata: {{ labels: {{ {managed} }} }}\n")))
    (folder / "peering.seed.age").unlink()
    terms = ["--clusters", "consumer,provider", "--repo", REPO, "--path", PATH, "--project", "*"]
    terms += ["--label-domain", "argocd.argoproj.io/managed-by"]
    program.run("seed", "new", folder / "peering.seed.age", "--recipient", RECIPIENT, *terms).done()
    generate(program, folder, caller()).refused(3, "error[denied]")
    # the policy must be outside of the checkout
    policy = root.parent / f"{root.name}-policy.yaml"
    policy.write_text("apiVersion: argocd-peering/v1alpha1\nkind: Policy\nallow: [{ projects: ['*'], repos: ['*'], paths: ['*'] }]\n")
    for role in ["consumer", "provider"]:
        env = caller(project=f"peering-{role}", role=role)
        program.run("generate", ".", "--identity-file", IDENTITY, "--policy-file", policy, cwd=folder, env=env).refused(3, "error[denied]")


@attack
def the_secrets_of_another_peering(program, root):
    """the Secrets of Liqo, of Kubernetes, of Argo CD or of another peering, copied to the peer by an offloading, or objects among them"""
    folder = team(program, root)
    subject = "{ subject: { kind: User, name: x }, credential: pending }"
    reverse = f"spec:\n  reverse:\n    authentication: {subject}\n    offloading: {{ namespaces: [{{ name: NAME, clusters: all }}] }}\n"
    moved = ("spec:\n", "spec:\n  liqoNamespace: other\n")
    for name in ["liqo", "other", "liqo-tenant-turin", "liqo-tenant-consumer", "kube-system", "kube-flannel", "argocd", "openshift-gitops"]:
        for change in [("name: demo", f"name: {name}"), ("spec:\n", reverse.replace("NAME", name))]:
            (folder / "peering.yaml").write_text(document(change, moved))
            own = name == "liqo-tenant-consumer" and change[0] == "spec:\n"
            generate(program, folder, caller()).refused(1, f"error[{'namespace-taken' if own else 'reserved-namespace'}]")
    for name in ["liqo", "other", "liqo-tenant-turin", "liqo-tenant-consumer", "kube-system", "argocd"]:
        text = document(("clusterID: consumer", f"clusterID: consumer\n    tenantNamespace: {name}"), moved)
        (folder / "peering.yaml").write_text(text)
        generate(program, folder, caller()).refused(1, "error[reserved-namespace]")
