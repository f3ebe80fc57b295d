"""The program under attack, and what must hold of every run of it."""

import base64
import json
import pathlib
import resource
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICKSTART = ROOT / "examples/quickstart"
IDENTITY = ROOT / "examples/identities/demo-identity.txt"
RECIPIENT = next(word for line in IDENTITY.read_text().splitlines() for word in line.split() if word.startswith("age1"))

REPO = "https://git.example.org/net/peerings.git"
PATH = "peerings/rome-milan"

# Test material. No message may show any of it.
SEED = bytes(range(100, 132))
TOKEN = "canary-7Jx9QvB2nR5tWz8K"
SECRETS = [base64.b64encode(SEED).decode(), SEED.hex(), TOKEN, base64.b64encode(TOKEN.encode()).decode()]
SECRETS += [line for line in IDENTITY.read_text().splitlines() if line.startswith("AGE-SECRET-KEY-")]

KUBECONFIG = f"""apiVersion: v1
kind: Config
clusters: [{{name: a, cluster: {{server: "https://milan.example.org:6443"}}}}]
contexts: [{{name: a, context: {{cluster: a, user: a}}}}]
current-context: a
users: [{{name: a, user: {{token: {TOKEN}}}}}]
"""

SECONDS = 5
MEMORY = 256 << 20
OUTPUT = 16 << 20


class Outcome:
    def __init__(self, arguments, code, out, err):
        self.arguments, self.code, self.out, self.err = arguments, code, out, err
        self.is_judged = False

    def done(self):
        return self.ended(0)

    def refused(self, code, word):
        assert word in self.err, f"{self}, without `{word}`"
        return self.ended(code)

    def ended(self, code):
        self.is_judged = True
        assert self.code == code, f"{self}, and not {code}"
        return self

    def __str__(self):
        words = " ".join(str(argument) for argument in self.arguments)
        return f"`{words}` ended with {self.code}: {self.err[:300]!r}"


class Program:
    def __init__(self, path):
        self.path, self.runs, self.slowest, self.slowest_run = path, 0, 0.0, ""
        self.outcomes = []

    def run(self, *arguments, env=None, cwd=None, stdin=b"", seconds=SECONDS, stdout=subprocess.PIPE, memory=MEMORY):
        """Runs it within bounds of time and memory, and checks what must hold of any input."""

        def bounds():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        start = time.monotonic()
        try:
            done = subprocess.run(
                [self.path, *arguments],
                input=stdin,
                env={"PATH": "", **(env or {})},
                cwd=cwd,
                timeout=seconds,
                preexec_fn=bounds,
                stdout=stdout,
                stderr=subprocess.PIPE,
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"`{arguments[0]}` did not end within {seconds} s") from None
        took = time.monotonic() - start
        self.runs += 1
        if took > self.slowest:
            self.slowest, self.slowest_run = took, " ".join(str(argument) for argument in arguments)
        err = done.stderr.decode(errors="replace")
        outcome = Outcome(arguments, done.returncode, (done.stdout or b"").decode(errors="replace"), err)
        self.outcomes.append(outcome)
        assert done.returncode in (0, 1, 2, 3), f"a crash: {outcome}"
        assert len(outcome.out) + len(err) <= OUTPUT, f"{len(outcome.out) + len(err)} bytes of output: {outcome}"
        is_report = "json" in arguments or (arguments[0] == "diff" and done.returncode == 1)
        assert done.returncode == 0 or not outcome.out or is_report, f"output beside an error: {outcome}"
        assert arguments[0] != "generate" or done.returncode != 0 or outcome.out.count("\n---\n") > 0, f"empty: {outcome}"
        shown = err + (outcome.out if arguments[0] != "generate" else "")
        for secret in SECRETS:
            assert secret not in shown, f"a secret is shown by `{' '.join(map(str, arguments))}`"
        return outcome

    def attacked(self, attack, root):
        """An attack. It states how each of its runs ends: one that is refused for another reason, such as a renamed flag, shows
        nothing."""
        self.outcomes = []
        attack(self, root)
        assert self.outcomes, "no run"
        for outcome in self.outcomes:
            assert outcome.is_judged, f"the attack does not state how this ends: {outcome}"


def caller(project="peering-consumer", repo=REPO, path=PATH, role="consumer", **more):
    """The environment that the repo-server gives a plugin."""
    return {
        "ARGOCD_APP_NAME": "rome-milan",
        "ARGOCD_APP_PROJECT_NAME": project,
        "ARGOCD_APP_SOURCE_REPO_URL": repo,
        "ARGOCD_APP_SOURCE_PATH": path,
        "KUBE_VERSION": "1.33",
        "ARGOCD_APP_PARAMETERS": json.dumps([{"name": "role", "string": role}]),
        **more,
    }


def document(*replacements):
    """The quickstart's document with some texts replaced."""
    text = (QUICKSTART / "peering.yaml").read_text()
    for old, new in replacements:
        assert old in text, f"the quickstart does not have {old!r}"
        text = text.replace(old, new)
    return text


TERMS = ["--project", "peering-consumer=consumer", "--project", "peering-provider=provider"]
TERMS += ["--repo", REPO, "--path", PATH]


def team(program, root, terms=None, text=None):
    """A team's folder in a checkout, with its own seed and kubeconfig sealed on its terms."""
    folder = root / PATH
    folder.mkdir(parents=True)
    (folder / "peering.yaml").write_text(text or document())
    terms = TERMS if terms is None else terms
    to = ["--clusters", "consumer,provider", "--recipient", RECIPIENT, *terms]
    seed = program.run("seed", "import", "--base64", "-", folder / "peering.seed.age", *to, stdin=base64.b64encode(SEED))
    kubeconfig = root / "kubeconfig.yaml"
    kubeconfig.write_text(KUBECONFIG)
    kubeconfig = program.run("seal", "kubeconfig", kubeconfig, "-o", folder / "kubeconfig.age", *to)
    seed.done(), kubeconfig.done()
    return folder


def copy(folder, to):
    shutil.copytree(folder, to)
    return to


def generate(program, folder, env):
    return program.run("generate", ".", "--identity-file", IDENTITY, cwd=folder, env=env)
