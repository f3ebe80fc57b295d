"""The attacks. Each was tried by hand once, and some of them worked."""

import base64
import json
import os
import re
import shutil
import subprocess

from program import IDENTITY, KUBECONFIG, PATH, RECIPIENT, REPO, ROOT, TERMS, TOKEN, caller, copy, document, generate, team

ALL = []


def attack(function):
    ALL.append(function)
    return function


@attack
def a_copied_file(program, root):
    """the sealed files of a team, opened in a repository, a folder or a project of the attacker's"""
    folder = team(program, root)
    assert 'kind: "Secret"' in generate(program, folder, caller()).done().out, "the team gets its own"
    stolen = copy(folder, root / "copy")
    for env in [
        caller(project="mallory", repo="https://git.example.org/mallory/things.git", path="copy"),
        caller(project="mallory"),
        caller(repo="https://git.example.org/mallory/things.git"),
        caller(path="copy"),
        caller(path="copy/../" + "peerings/rome-milan/../copy"),
        caller(repo="https://git.example.org@evil.example/net/peerings.git"),
        caller(project="mallory", ARGOCD_ENV_ARGOCD_APP_PROJECT_NAME="peering-consumer", PARAM_LOCAL="true"),
    ]:
        generate(program, stolen, env).refused(3, "error[denied]")


@attack
def the_other_role(program, root):
    """the consumer's private key, for the project of the provider"""
    folder = team(program, root)
    generate(program, folder, caller(project="peering-provider")).refused(3, "error[denied]")
    generate(program, folder, caller(project="peering-provider", role="provider")).done()


@attack
def another_revision(program, root):
    """a pull request, rendered with the rights of the main branch"""
    folder = team(program, root, ["--project", "peering-consumer", "--repo", REPO, "--path", "peerings/rome-milan", "--revision", "main"])
    generate(program, folder, caller(ARGOCD_APP_SOURCE_TARGET_REVISION="main")).done()
    for revision in ["refs/pull/7/head", "refs/heads/main", "main ", "MAIN", ""]:
        env = caller(ARGOCD_APP_SOURCE_TARGET_REVISION=revision)
        generate(program, folder, env).refused(3, "error[denied]")


@attack
def local_inside_argo_cd(program, root):
    """`--local` in an Application's parameters or plugin.yaml, which would ignore the terms"""
    folder = team(program, root)
    run = program.run("generate", ".", "--local", "--identity-file", IDENTITY, cwd=folder, env=caller(project="mallory"))
    run.refused(2, "--local")


@attack
def a_repository_in_the_folder(program, root):
    """a command on the operator's machine, by a folder that is a Git repository itself, or a program in the PATH"""
    folder = team(program, root)
    marker = root / "ran"
    script = root / "bin" / "git"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n: > '{marker}'\n")
    script.chmod(0o755)
    for name in ["objects/info", "refs/heads", "hooks"]:
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(
        f"[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {script}\n[filter \"x\"]\n\tclean = {script}\n"
    )
    (folder / ".gitattributes").write_text("* filter=x\n")
    for name in ["age", "age-keygen", "kubectl", "less", "editor", "sops"]:
        (script.parent / name).symlink_to(script)
    env = {"PATH": f"{script.parent}:/usr/bin:/bin", "PAGER": str(script), "EDITOR": str(script), "GIT_EDITOR": str(script)}
    identity = ["--identity-file", IDENTITY]
    for code, arguments in [
        (0, ["validate", "."]),
        (0, ["generate", ".", "--local", "--role", "consumer", *identity]),
        (0, ["keys", ".", *identity]),
        (0, ["inspect", "peering.seed.age", *identity]),
        (2, ["reseal", "peering.seed.age", *identity, "--recipient", RECIPIENT]),
        (0, ["seed", "rotate", ".", "--role", "provider", *identity]),
        (2, ["seed", "rotate", ".", "--role", "provider", "--new-seed", *identity, "--recipient", RECIPIENT]),
    ]:
        run = program.run(*arguments, cwd=folder, env=env).ended(code)
        assert code == 0 or "--expect" in run.err, run
        assert not marker.exists(), f"`{' '.join(map(str, arguments))}` ran a program"


def committed(root):
    """A checkout of everything that is there."""
    git = shutil.which("git")
    assert git, "this attack needs git: on Debian, its package `git`"
    command = [git, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in [["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "a"]]:
        subprocess.run([*command, *words], cwd=root, check=True, env={"PATH": os.defpath, "HOME": str(root)})
    return os.path.dirname(git)


@attack
def a_repository_that_diff_reads(program, root):
    """a command on a reviewer's machine: by a bare repository in the folder, filters, a submodule, a program called git"""
    repository = root / "repository"
    folder = team(program, repository)
    path = committed(repository)
    marker = root / "ran"
    script = root / "script"
    script.write_text(f"#!/bin/sh\n: > '{marker}'\n")
    script.chmod(0o755)
    for name in ["objects/info", "refs/heads", "hooks", "modules/x"]:
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(
        f"[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {script}\n\tpager = {script}\n\tsshCommand = {script}\n"
        f'[filter "x"]\n\tclean = {script}\n\tsmudge = {script}\n[diff "x"]\n\ttextconv = {script}\n\tcommand = {script}\n'
    )
    (folder / ".gitattributes").write_text("* filter=x diff=x\n")
    (repository / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = {PATH}/modules/x\n\turl = ext::{script}\n\tupdate = !{script}\n')
    (folder / "git").symlink_to(script)
    (folder / "peering.yaml").write_text(document(("mtu: 1340", "mtu: 1400")))
    env = {"PATH": f".:{path}:/usr/bin:/bin", "PAGER": str(script), "GIT_PAGER": str(script), "HOME": str(root)}
    for code, words, arguments in [
        (1, "", ["."]),
        (1, "", [".", "--from", "HEAD"]),
        (2, "--upload-pack", [".", "--from", f"--upload-pack={script}"]),
        (2, "not a revision", [".", f"--from=--output={marker}"]),
    ]:
        run = program.run("diff", *arguments, cwd=folder, env=env)
        assert not marker.exists(), f"a program was run: {run}"
        run.refused(code, words)


@attack
def a_comment_in_the_reviewers_name(program, root):
    """mentions, images and links in the comment that a pull request's workflow posts, or a row that says that all is well"""
    folder = team(program, root)
    path = committed(root)
    nasty = ["@everyone", "a|b", "`|`", "<img src=//evil.example/x>", "</code>@all", "[a](//evil.example)", "a\\n| b |", "<!--", "\\\\"]
    for text in nasty:
        changed = document(("  liqoVersion:", f'  commonMetadata: {{ annotations: {{ a: "{text}" }} }}\n  liqoVersion:'))
        (folder / "peering.yaml").write_text(changed)
        run = program.run("diff", ".", "--format", "markdown", cwd=folder, env={"PATH": path}).ended(1)
        assert "changed" in run.out, run
        for line in run.out.splitlines():
            shown = re.sub(r"`[^`]*`|<code>[^<]*</code>", "", line)
            assert not line.startswith("|") or line.count("|") == 5, f"{text}: {line}"
            assert not re.search(r"@|evil|<(?!br>)|!\[", shown), f"{text}: {line}"


@attack
def rotation_onto_other_terms(program, root):
    """the fresh seed of a rotation, sealed on terms or to recipients that the attacker committed"""
    for terms, asked in [
        (["--project", "*", "--repo", "*", "--path", "*"], "which is not inherited"),
        (["--project", "mallory", "--repo", REPO, "--path", "p"], "--expect"),
    ]:
        folder = team(program, root / terms[1].strip("*"), terms)
        before = (folder / "peering.seed.age").read_bytes()
        for arguments in [
            ["seed", "rotate", ".", "--role", "provider", "--new-seed"],
            ["seed", "rotate", ".", "--role", "provider", "--new-seed", "--expect", "sha256:" + "0" * 64],
            ["reseal", "peering.seed.age"],
        ]:
            run = program.run(*arguments, "--identity-file", IDENTITY, "--recipient", RECIPIENT, cwd=folder, stdin=b"yes\n")
            run.refused(2, asked)
            assert (folder / "peering.seed.age").read_bytes() == before, f"sealed: {run}"


def own_checkout(root):
    """A checkout whose list of recipients has a line of the attacker's."""
    (root / ".git").mkdir()
    (root / ".age-recipients").write_text(f"{RECIPIENT}\n{RECIPIENT}\n")
    return root / ".age-recipients"


@attack
def a_recipient_of_the_repository(program, root):
    """the next seed or credential, by a line in a list of recipients that can be pushed to, or in one that a link leads to"""
    repository = root / "repository"
    team(program, repository)
    listed = own_checkout(repository)
    link = root / "recipients"
    link.symlink_to(listed)
    terms = ["--clusters", "consumer,provider", "--project", "peering-consumer=consumer", "--repo", REPO, "--path", PATH]
    kubeconfig = repository / "kubeconfig.yaml"
    for recipients in [listed, link]:
        for command in [["seed", "new", "new.age"], ["seal", "kubeconfig", kubeconfig, "-o", "new.age"]]:
            run = program.run(*command, *terms, "--recipients-file", recipients, cwd=repository / PATH)
            run.refused(2, "--expect")
            assert not (repository / PATH / "new.age").exists(), f"sealed: {run}"
        clusters = ["--consumer-id", "turin", "--consumer-pod-cidr", "10.42.0.0/16", "--provider-id", "milan", "--provider-pod-cidr", "10.52.0.0/16"]
        place = ["--gateway-address", "192.0.2.10", "--repo", REPO, "--path", "peerings/new"]
        run = program.run("init", "peerings/new", *clusters, *place, "--recipients-file", recipients, cwd=repository)
        run.refused(2, "--expect")
        assert not (repository / "peerings/new").exists(), f"written: {run}"


@attack
def a_certificate_of_the_file(program, root):
    """what is sealed again, sealed to the attacker's certificate: it is in a file that she put in the place of ours"""
    certificate = root / "hers.crt"
    shutil.copy(ROOT / "tests/certificates/rome.crt", certificate)
    folder = team(program, root / "team", [*TERMS, "--certificate", f"provider={certificate}"])
    before = (folder / "peering.seed.age").read_bytes()
    kubeconfig = root / "team" / "kubeconfig.yaml"
    for arguments in [
        ["reseal", "peering.seed.age"],
        ["seed", "rotate", ".", "--role", "provider", "--new-seed"],
        ["seal", "kubeconfig", kubeconfig, "-o", "kubeconfig.age", "--replace"],
    ]:
        run = program.run(*arguments, "--identity-file", IDENTITY, "--recipient", RECIPIENT, cwd=folder, stdin=b"yes\n")
        run.refused(2, "--certificate")
        assert "`provider`" in run.err and (folder / "peering.seed.age").read_bytes() == before, f"sealed: {run}"


@attack
def a_link_that_init_follows(program, root):
    """files on the operator's machine outside of the checkout, or a seed of the attacker's that is called new"""
    repository = root / "repository"
    folder = team(program, repository)
    own_checkout(repository)
    elsewhere = root / "elsewhere"
    elsewhere.mkdir()
    (repository / "linked").symlink_to(elsewhere)
    clusters = ["--consumer-id", "turin", "--consumer-pod-cidr", "10.42.0.0/16", "--provider-id", "milan", "--provider-pod-cidr", "10.52.0.0/16"]
    flags = [*clusters, "--gateway-address", "192.0.2.10", "--repo", REPO, "--path", PATH, "--recipient", RECIPIENT]
    for new in ["linked", "linked/new"]:
        program.run("init", new, *flags, cwd=repository).refused(3, "symbolic link")
    assert not any(elsewhere.iterdir()), "written outside of the checkout"
    before = (folder / "peering.seed.age").read_bytes()
    program.run("init", PATH, *flags, cwd=repository).refused(2, "has files: name a new folder")
    assert (folder / "peering.seed.age").read_bytes() == before


@attack
def forged_terms(program, root):
    """terms that read as other ones where a person confirms them"""
    for project in ["x; repos https://ok", "x\nrepos", "x\u202e", "x\"", " x", "x\u200b"]:
        run = program.run("seed", "new", root / "s.age", "--clusters", "rome,milan", "--recipient", RECIPIENT, "--project", project)
        run.refused(2, "--project")


@attack
def a_proxy_of_the_document(program, root):
    """the credential, sent through the attacker's proxy to a server that is not verified"""
    proxy = document(("    credential:", "    proxyURL: http://evil.example:3128\n    credential:"))
    folder = team(program, root, text=proxy)
    insecure = root / "insecure.yaml"
    insecure.write_text(KUBECONFIG.replace('6443"', '6443", insecure-skip-tls-verify: true'))
    seal = ["seal", "kubeconfig", insecure, "--clusters", "consumer,provider", "--recipient", RECIPIENT, "-o"]
    program.run(*seal, root / "k.age").refused(3, "error[kubeconfig]")
    program.run(*seal, root / "k.age", "--insecure-skip-tls-verify").done()
    os.replace(root / "k.age", folder / "kubeconfig.age")
    run = program.run("generate", ".", "--local", "--role", "consumer", "--identity-file", IDENTITY, cwd=folder)
    run.refused(3, "error[kubeconfig]")


@attack
def a_stream_that_fills_the_memory(program, root):
    """the sidecar's memory, taken by 64 KiB of document: what each object repeats, times the objects"""
    slices = "".join(f"\n      - name: s{number:04}" for number in range(3000))
    old = '      - { name: provider, class: default, resources: { cpu: "1", memory: 1Gi } }'
    escapes = '"' + "\\u0001" * 600 + '"'
    for metadata in ["", f"  commonMetadata: {{ annotations: {{ a: {escapes} }} }}\n", f"  commonMetadata: {{ annotations: {{ a: {'<' * 4000} }} }}\n"]:
        text = document((old, slices.lstrip("\n")), ("  seed:", metadata + "  seed:"))
        (root / "peering.yaml").write_text(text[: 64 << 10])
        for arguments in (["generate", ".", "--public", "--role", "consumer"], ["validate", "."]):
            run = program.run(*arguments, cwd=root).refused(1, "error[stream-too-large]")
            assert len(run.out) <= 8 << 20, f"{len(run.out)} bytes: {run}"


@attack
def a_fleet_of_equal_names(program, root):
    """`validate` in a pipeline for minutes: thousands of conflicts between documents, or of mistakes in one"""
    slices = "".join(f"      - {{ name: s{number:04} }}\n" for number in range(1000))
    old = '      - { name: provider, class: default, resources: { cpu: "1", memory: 1Gi } }\n'
    for name in ["a", "b", "c", "d"]:
        (root / name).mkdir()
        (root / name / "peering.yaml").write_text(document((old, slices)))
    (root / "tabs").mkdir()
    (root / "tabs" / "peering.yaml").write_text("a:\n" + "\t\n" * 32000)
    (root / "comments").mkdir()
    (root / "comments" / "peering.yaml").write_text(document() + "wrong: 1\n" + "# token:#\n" * 5000)
    for format in ["text", "json"]:
        run = program.run("validate", "--format", format, root).ended(1)
        assert len(run.out) + len(run.err) <= 4 << 20, f"{len(run.out) + len(run.err)} bytes"
        if format == "json":
            json.loads(run.out)


@attack
def a_surrogate_pair(program, root):
    """an ApplicationSet that stops for everyone, because Argo CD's reader refuses what was accepted here"""
    for text in ['"\\ud83d\\ude00"', '"\\ud800"', "!!binary aGk=", "&a x", "0o17", "yes", "1_000"]:
        (root / "peering.yaml").write_text(document(("  name: consumer-provider", f"  name: {text}")))
        program.run("validate", ".", cwd=root).refused(1, "error[")


@attack
def a_disguised_secret(program, root):
    """a key in the log of a pipeline: in a comment, over lines, escaped, short"""
    key = base64.b64encode(bytes(range(7, 39))).decode()
    groups = " ".join(key[at : at + 8] for at in range(0, len(key), 8))
    spellings = [
        key,
        "\\n  ".join(key[at : at + 15] for at in range(0, len(key), 15)),
        "".join(f"\\x{ord(c):02x}" for c in TOKEN),
        "".join(f"\\u{ord(c):04x}" for c in TOKEN),
        "abcdef.0123456789abcdef",
    ]
    lines = {spelling: f'  wrong: "{spelling}"' for spelling in spellings} | {groups: f"  wrong: 1 # {groups}"}
    for spelling, line in lines.items():
        (root / "peering.yaml").write_text(document(("  liqoVersion:", f"{line}\n  liqoVersion:")))
        for format in ["text", "json"]:
            run = program.run("validate", "--format", format, ".", cwd=root).ended(1)
            assert "wrong" in run.out + run.err, f"not about the field: {run}"
            assert spelling not in run.out + run.err, f"shown: {spelling}"
    (root / "peering.yaml").write_text(document())
    path = f"./{key[:22]}"
    run = program.run("generate", ".", "--local", "--role", "consumer", "--identity-file", path, cwd=root)
    run.refused(3, "error[identity]")
    assert key[:22] not in run.err, "a key that was given as a path is shown"


@attack
def a_secret_that_is_committed_in_disguise(program, root):
    """a kubeconfig pushed past the review: in base64, in UTF-16, beside the peering"""
    team(program, root)
    encoded = base64.b64encode(KUBECONFIG.encode()).decode()
    manifest = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\ndata: {{kubeconfig: {encoded}}}\n"
    for place, content in {
        "peerings/notes.txt": KUBECONFIG.encode(),
        f"{PATH}/a.yaml": manifest.encode(),
        "peerings/secret.yaml": manifest.encode("utf-16"),
    }.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_bytes(content)
        run = program.run("validate", "peerings", cwd=root).refused(1, "[plaintext-secret]")
        assert place in run.err, f"{place} is not named: {run}"
        for secret in [TOKEN, encoded]:
            assert secret not in run.err, f"the secret of {place} is shown"
        (root / place).unlink()


@attack
def characters_of_a_terminal(program, root):
    """a forged screen: escape sequences and characters that cannot be seen"""
    for c in "\x1b\x07\x85\x9b\u061c\u00ad\u180e\u200b\u202e\u2066\ufff9\u3164\u115f\uffa0\u2800\ufeff\U000e0041":
        (root / "peering.yaml").write_text(document(("name: myuser", f"name: my{c}user")), encoding="utf-8")
        for folder, shown in [(".", "peering.yaml"), (f"no{c}folder", "error[document-file]")]:
            run = program.run("validate", folder, cwd=root).refused(1, shown)
            assert c not in run.err, f"U+{ord(c):04X} reaches the terminal"


@attack
def an_output_that_cannot_be_written(program, root):
    """an empty stream that looks like a success, which Argo CD would prune everything for"""
    (root / "peering.yaml").write_text(document())
    public = ["generate", root, "--public", "--role", "consumer"]
    with open("/dev/full", "wb") as full:
        program.run(*public, stdout=full).refused(3, "error[output]")
    with open("/etc/hostname", "rb") as reading:
        program.run(*public, stdout=reading).refused(3, "error[output]")
