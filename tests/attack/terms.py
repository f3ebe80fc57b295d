"""Attacks on terms: whose key a project gets, in which folder and into which namespace."""

from attacks import attack
from program import PATH, RECIPIENT, REPO, caller, document, generate, team


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
    """all rights in the Namespace of the keys, for an Argo CD or a project of the attacker's: by labels that controllers act on"""
    managed = "argocd.argoproj.io/managed-by: mallory"
    folder = team(program, root)
    for place in ["  commonMetadata: { labels: { KEY } }\n", "  consumer:\n    metadata: { tenantNamespace: { labels: { KEY } } }\n"]:
        for key in [managed, "field.cattle.io/projectId: p-mallory", "capsule.clastix.io/tenant: mallory", "openshift.io/run-level: '0'"]:
            written = place.replace("KEY", key)
            at = "  consumer:\n" if "consumer" in place else "spec:\n"
            (folder / "peering.yaml").write_text(document((at, written if at != "spec:\n" else at + written)))
            refused = generate(program, folder, caller())
            refused.refused(3, "error[denied]") if key == managed else refused.refused(1, "error[reserved-label]")
    # with a seed of the attacker's own, whose terms allow the label: anyone can seal a file
    (folder / "peering.yaml").write_text(document(("spec:\n", f"spec:\n  commonMetadata: {{ labels: {{ {managed} }} }}\n")))
    (folder / "peering.seed.age").unlink()
    terms = ["--clusters", "consumer,provider", "--repo", REPO, "--path", PATH, "--project", "*", "--managed-by", "mallory"]
    program.run("seed", "new", folder / "peering.seed.age", "--recipient", RECIPIENT, *terms).done()
    generate(program, folder, caller()).refused(3, "error[denied]")


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
