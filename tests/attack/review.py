"""Attacks on the person who reviews, draws, imports or checks: what is shown, what it costs, and what is written."""

import base64
import re
import shutil
import subprocess

from attacks import attack, committed
from program import IDENTITY, PATH, RECIPIENT, REPO, ROOT, document, team

GIT = ["-c", "user.name=a", "-c", "user.email=a@example.org"]


def commit(repository, path, words="commit -q -a -m b"):
    subprocess.run([f"{path}/git", *GIT, *words.split()], cwd=repository, check=True, env={"PATH": path, "HOME": str(repository)})


@attack
def a_checkout_with_other_bytes(program, root):
    """a review that shows what was committed, while Argo CD renders what git's attributes make of it"""
    repository = root / "repository"
    folder = team(program, repository)
    path = committed(repository)
    for attributes, old, new in [
        ("*.yaml ident\n", "mtu: 1340", "mtu: 1340 # $Id: \n"),
        ("*.yaml working-tree-encoding=SHIFT_JIS\n", "mtu: 1340", "mtu: 1400"),
        ("*.yaml filter=x\n", "mtu: 1340", "mtu: 1401"),
        ("[attr]m eol=crlf\n*.yaml m\n", "mtu: 1340", "mtu: 1402"),
    ]:
        (repository / ".gitattributes").write_text(attributes)
        (folder / "peering.yaml").write_text(document((old, new)))
        commit(repository, path, "add -f .gitattributes")
        subprocess.run(
            [f"{path}/git", *GIT, "-c", "core.attributesFile=/dev/null", "commit", "-q", "-a", "-m", "b"],
            cwd=repository, check=False, env={"PATH": path, "HOME": str(repository)}, stderr=subprocess.DEVNULL,
        )
        run = program.run("diff", ".", "--from", "HEAD~1", "--to", "HEAD", cwd=folder, env={"PATH": path, "HOME": str(root)})
        run.refused(2, ".gitattributes")


@attack
def a_submodule_with_a_peering(program, root):
    """a peering that the review does not read: Argo CD checks submodules out, and a review of commits or of the disk passes over them"""
    repository = root / "repository"
    team(program, repository)
    path = committed(repository)
    environment = {"PATH": path, "HOME": str(root)}
    for commit_id in ["a" * 40, "b" * 40]:
        for place in [f"{PATH.split('/')[0]}/evil", "evil"]:
            commit(repository, path, f"update-index --add --cacheinfo 160000,{commit_id},{place}")
        commit(repository, path, "commit -q -m b")
        for revisions in [["--from", "HEAD~1", "--to", "HEAD"], ["--from", "HEAD~1"]]:
            program.run("diff", ".", *revisions, cwd=repository, env=environment).refused(2, "the submodule `evil` differs")
    commit(repository, path, "commit -q --allow-empty -m c")
    for form in ["text", "markdown", "json"]:
        run = program.run("diff", ".", "--from", "HEAD~1", "--to", "HEAD", "--format", form, cwd=repository, env=environment).done()
        assert "evil" in run.out, f"{run}: the submodule is not named"


@attack
def what_a_new_object_gives(program, root):
    """rights in an object that is new to a review: a subject, or a label by which a controller acts, behind one harmless line"""
    (root / "before").mkdir()
    (root / "after").mkdir()
    renamed = ("clusterID: provider", "clusterID: provider\n    names: { roleBinding: other }")
    plain = ("        create: true\n", "")
    for old, new, words in [
        ([], [renamed, ("name: myuser", "name: mallory")], ["mallory"]),
        ([plain], [("        create: true\n", "        create: true\n        namespaceMetadata: { annotations: { k8s.ovn.org/routing-external-gws: 203.0.113.66 } }\n")], ["routing-external-gws", "203.0.113.66"]),
        ([plain], [("        create: true\n", "        create: true\n        namespaceMetadata: { labels: { pod-security.kubernetes.io/enforce: privileged } }\n")], ["enforce", "privileged"]),
        ([], [("spec:\n", "spec:\n  reverse:\n    authentication: { subject: { kind: User, name: mallory }, credential: pending }\n")], ["mallory"]),
    ]:
        (root / "before/peering.yaml").write_text(document(*old))
        (root / "after/peering.yaml").write_text(document(*new))
        for form in ["text", "markdown", "json"]:
            run = program.run("diff", root / "before", root / "after", "--fail-on", "widens-rights", "--format", form).ended(1)
            assert all(word in run.out for word in words), f"{run}: {words} are not shown: {run.out}"


@attack
def a_folder_that_is_a_link(program, root):
    """a review of another folder in both revisions, while all peerings are pruned; and an edit outside the checkout"""
    repository = root / "repository"
    team(program, repository / "peerings")
    shutil.copytree(repository / "peerings", repository / "staging")
    path = committed(repository)
    environment = {"PATH": path, "HOME": str(root)}
    shutil.rmtree(repository / "peerings")
    (repository / "peerings").symlink_to("staging")
    commit(repository, path, "add --all")
    commit(repository, path)
    program.run("diff", "peerings", "--from", "HEAD~1", "--to", "HEAD", cwd=repository, env=environment).refused(3, "symbolic link")


@attack
def a_tag_called_head(program, root):
    """a comparison with another commit, or none at all, by a pushed tag or branch with the name HEAD"""
    repository = root / "repository"
    folder = team(program, repository)
    path = committed(repository)
    commit(repository, path, "tag HEAD")
    (folder / "peering.yaml").write_text(document(("mtu: 1340", "mtu: 1400")))
    run = program.run("diff", ".", cwd=folder, env={"PATH": path, "HOME": str(root)}).ended(1)
    assert "1400" in run.out, run


@attack
def forged_lines_of_a_review(program, root):
    """a command of a job's log, or a line that says that nothing changed, in the text of a difference"""
    for value in ["a\\n::error::all is well", "a\\r0 objects changed.", "##[error]x", "##vso[task.complete]"]:
        old, new = root / "old", root / "new"
        for place, text in [(old, document()), (new, document(("spec:\n", f'spec:\n  commonMetadata: {{ annotations: {{ a: "{value}" }} }}\n')))]:
            place.mkdir(exist_ok=True)
            (place / "peering.yaml").write_text(text)
        run = program.run("diff", old, new, cwd=root).ended(1)
        assert not any(line.startswith(("::", "0 objects")) for line in run.out.splitlines()), run.out
        assert "##[" not in run.out and "##vso[" not in run.out and "\r" not in run.out, run.out


@attack
def a_character_that_moves_the_cursor(program, root):
    """a line of the attacker's on a screen, by a control character in a name, an argument or an API server's text"""
    odd = "a\x0cerror[bug]: b\rc\x0bd\x1b[1me\x1b[Kf\x9b1mg\u202eh\x07\x08"
    folder = root / odd
    folder.mkdir()
    (folder / "peering.yaml").write_text(document(("mtu: 1340", "mtu: 1")))
    (root / "bin").mkdir()
    (root / "text").write_text(odd)
    kubectl = root / "bin" / "kubectl"
    kubectl.write_text(f"#!/bin/sh\n/bin/cat '{root}/text' >&2; exit 1\n")
    kubectl.chmod(0o755)
    env = {"PATH": str(root / "bin")}
    contexts = ["--consumer-context", "a", "--provider-context", "b"]
    (root / "valid").mkdir()
    (root / "valid" / "peering.yaml").write_text(document())
    for code, arguments in [
        (1, ["validate", folder]),
        (1, ["validate", folder, "--format", "json"]),
        (2, ["explain", odd]),
        (2, [odd]),
        (2, ["validate", f"--{odd}"]),
        (1, ["list", root]),
        (3, ["doctor", root / "valid", *contexts]),
        (3, ["inspect", odd, "--identity-file", IDENTITY]),
        (2, ["generate", root / "valid", "--public", "--role", odd]),
    ]:
        run = program.run(*arguments, env=env).ended(code)
        assert "error[bug]" in run.out + run.err, f"nothing odd is shown: {run}"
        moves = [c for c in run.out + run.err if (c < " " and c not in "\n\t") or "\x7f" <= c < "\xa0" or c == "\u202e"]
        assert not moves, f"{moves}: {run}"


@attack
def a_picture_that_takes_minutes(program, root):
    """a drawing in a pipeline: a chain of clusters with links from its beginning to its end"""
    links = [(at, at + 1) for at in range(99)] + [(at % 10, 99 - at % 37) for at in range(301)]
    for number, (one, other) in enumerate(links):
        folder = root / f"p{number}"
        folder.mkdir()
        text = document(("clusterID: consumer", f"clusterID: c{one}"), ("clusterID: provider", f"clusterID: c{other}"), ("name: myuser", f"name: u{number}"))
        (folder / "peering.yaml").write_text(text)
    program.run("graph", root).done()


@attack
def an_output_for_reading(program, root):
    """a run that prints nothing and ends well: its output can only be read, or is closed"""
    (root / "peering.yaml").write_text(document())
    with open("/etc/hostname", "rb") as output:
        for arguments in [["generate", root, "--public", "--role", "consumer"], ["validate", root], ["schema"], ["explain", "flag"]]:
            program.run(*arguments, stdout=output).refused(3, "error[output]")
    # Python's DEVNULL is what a closed output is by then
    for arguments, code in [(["generate", root, "--public", "--role", "consumer"], 3), (["schema"], 3), (["explain", "flag"], 3), (["version"], 3)]:
        done = subprocess.run([program.path, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        assert done.returncode == code, f"an output that nobody gets: {arguments}"


@attack
def a_secret_in_an_annotation(program, root):
    """a private key in the document that an import writes: the copy of it that a tool left in an annotation"""
    key = base64.b64encode(bytes(range(100, 132))).decode()
    whole = f'{{"kind":"Secret","data":{{"privateKey":"{key}"}}}}'
    notes = ["kapp.k14s.io/original", "objectset.rio.cattle.io/applied", "banzaicloud.com/last-applied", "example.org/free"]
    annotations = "".join(f"      {name}: '{whole}'\n" for name in notes)
    for side, cluster, peer in [("consumer", "rome", "milan"), ("provider", "milan", "rome")]:
        objects, other = [(ROOT / f"tests/liqoctl/{name}.yaml").read_text() for name in [cluster, peer]]
        public = re.search(r"kind: PublicKey\n(?:.*\n)*?.*publicKey: (\S+?)}?\n", other)[1]
        gateway = "  kind: Gateway" + {"consumer": "Client", "provider": "Server"}[side] + "\n  metadata:\n"
        namespace = f"    name: liqo-tenant-{peer}\n"
        assert gateway in objects and namespace in objects, cluster
        objects = objects.replace(gateway, f"{gateway}    annotations:\n{annotations}").replace(namespace, f"{namespace}    annotations:\n{annotations}")
        secret = f"- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: gw-keys\n    namespace: liqo-tenant-{peer}\n    labels: {{liqo.io/remote-cluster-id: {peer}, networking.liqo.io/gateway-resource: 'true'}}\n    annotations:\n{annotations}  data: {{publicKey: {public}}}\n"
        (root / f"{side}.yaml").write_text(objects + secret)
    for secrets in ["seal", "keep"]:
        run = program.run("import", "--consumer", root / "consumer.yaml", "--provider", root / "provider.yaml", "--secrets", secrets).done()
        assert "kind: Peering" in run.out and whole not in run.out and '"privateKey"' not in run.out + run.err, run


@attack
def the_secrets_of_another_namespace(program, root):
    """Argo CD's own Secrets, by a tenant namespace of the document: `rights` makes a Role there, and the operator applies it"""
    for namespace in ["argocd", "openshift-gitops", "argo-cd", "gitops", "cert-manager"]:
        text = document(("clusterID: provider\n", f"clusterID: provider\n    tenantNamespace: {namespace}\n"))
        (root / "peering.yaml").write_text(text)
        for words in [["--cluster", "provider"], ["--repo", REPO]]:
            # those that Argo CD has by default are refused in the document
            code = 1 if namespace in ("argocd", "openshift-gitops") else 2
            program.run("rights", root, *words).refused(code, namespace)
    named = ["--argocd-namespace", namespace, "--tenant-namespace", namespace]
    program.run("rights", root, "--cluster", "provider", *named).refused(2, namespace)


@attack
def an_answer_that_fills_the_memory(program, root):
    """the operator's memory, by an API server that answers with millions of empty maps"""
    (root / "bin").mkdir()
    answer = root / "answer"
    answer.write_text('{"kind":"List","items":[' + '{"":0},' * 600_000 + "{}]}")
    kubectl = root / "bin" / "kubectl"
    kubectl.write_text(f"#!/bin/sh\nexec /bin/cat '{answer}'\n")
    kubectl.chmod(0o755)
    (root / "peering.yaml").write_text(document())
    env = {"PATH": str(root / "bin")}
    contexts = ["--consumer-context", "a", "--provider-context", "b"]
    for arguments in [["doctor", root, *contexts], ["diff", root, *contexts]]:
        program.run(*arguments, env=env, memory=768 << 20).refused(3, "its answers together")
