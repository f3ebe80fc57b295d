//! What can go wrong with a run. `example` is the situation, `fix` what to do.

use super::Explanation;

/// In the order of [`crate::command::error::Error`]'s variants; a test holds it against [`crate::command::error::Error::CODES`].
pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "document",
        rule: "The peering.yaml is valid.",
        reason: "Everything that is wrong with it is listed, each with a code of its own, and nothing is printed to standard \
                 output: Argo CD prunes what a successful run leaves out, and leaves an Application alone whose run fails.",
        source: "argo-cd controller/appcontroller.go",
        example: "argocd-peering generate, in a folder whose peering.yaml has a misspelt field",
        fix: "Mend what the diagnostics say. `argocd-peering explain` with their codes says more.",
    },
    Explanation {
        code: "invalid",
        rule: "All peerings given to `validate` are valid, and agree with each other.",
        reason: "What is wrong is listed, each with a code of its own. The exit code is 1, so that CI stops.",
        source: "the exit codes of this program: 0 done, 1 the document is wrong, 2 usage, 3 the environment",
        example: "argocd-peering validate peerings, where one of twenty folders has a wrong network",
        fix: "Mend what the diagnostics say. `argocd-peering explain` with their codes says more.",
    },
    Explanation {
        code: "document-file",
        rule: "The folder has a peering.yaml: a regular file, UTF-8, at most 64 KiB.",
        reason: "The folder is written by whoever can push. A link could lead out of it and a device could block the plugin, \
                 which has 60 seconds together with fetching. 64 KiB are more than a thousand offloaded namespaces.",
        source: "argo-cd reposerver/apiclient/clientset.go (the time), util/io/files/tar.go (links)",
        example: "An Application whose `path` is `peerings`, the parent of the peering's folder",
        fix: "\
source:
  path: peerings/rome-milan",
    },
    Explanation {
        code: "sealed-file",
        rule: "A sealed file that peering.yaml names is a regular file beside it, and not larger than such files are.",
        reason: "The streams of both clusters are made of what is committed in the folder, and of nothing else. Links are not \
                 followed, since they could lead out of it.",
        source: "argo-cd cmpserver/plugin/plugin.go, which runs the plugin on a copy of the repository",
        example: "`seed: { file: peering.seed.age }`, and the file was not committed",
        fix: "git add peerings/rome-milan/peering.seed.age",
    },
    Explanation {
        code: "identity",
        rule: "An age X25519 identity opens the sealed files, and stands outside of the repository.",
        reason: "Whoever can read the repository could otherwise open the seed. In the sidecar its path is an argument in \
                 plugin.yaml, which an Application's author cannot change; environment variables they could.",
        source: "age-encryption.org/v1; argo-cd docs/operator-manual/config-management-plugins.md",
        example: "argocd-peering generate peerings/rome-milan --local --role consumer",
        fix: "\
argocd-peering generate peerings/rome-milan --local --role consumer \\
  --identity-file ~/identity.txt",
    },
    Explanation {
        code: "sealed-payload",
        rule: "A sealed file is an age file for this identity, and holds what is needed here together with its terms.",
        reason: "The terms say where it may be opened. A file that somebody made with `age` alone has none, so whoever copies it \
                 into a repository of their own could have it opened.",
        source: "age-encryption.org/v1; argo-cd issue 9083: plugins are not isolated between projects",
        example: "age -r age1… -o peering.seed.age seed.txt",
        fix: "\
argocd-peering seed new peerings/rome-milan/peering.seed.age \\
  --clusters rome,milan --project peering-consumer --project peering-provider \\
  --repo https://git.example.org/net/peerings.git \\
  --path peerings/rome-milan --recipient age1…",
    },
    Explanation {
        code: "denied",
        rule: "A sealed file is opened only where its terms allow it: clusters, project, repository and folder.",
        reason: "Argo CD lets any Application of any project use any plugin. Terms inside the sealed file keep a copied seed \
                 closed, and whoever copied it cannot change them. A term that is left out denies.",
        source: "argo-cd issue 9083; reposerver/repository/repository.go (newEnv): the repo-server says project, repository \
                 and folder, and an Application cannot override them",
        example: "\
The folder was copied to another repository, the Application was moved to another
project, or a `clusterID` in peering.yaml was changed",
        fix: "\
argocd-peering seed reseal peerings/rome-milan/peering.seed.age \\
  --identity-file identity.txt --recipients-file .age-recipients \\
  --path peerings/rome-milan --path peerings/new-place",
    },
    Explanation {
        code: "policy",
        rule: "The operator's policy file is a policy, stands outside of the repository, and only they can write it.",
        reason: "It is the second opinion on who may have sealed files opened. A policy that cannot be taken allows nothing: \
                 whatever is not understood could be a condition that somebody counts on.",
        source: "argo-cd issue 9083: plugins are not isolated between projects; docs/custody.md",
        example: "\
apiVersion: argocd-peering/v1alpha1
kind: Policy
allow:
  - project: peering-consumer",
        fix: "\
apiVersion: argocd-peering/v1alpha1
kind: Policy
allow:
  - projects: [peering-consumer]
    repos: [https://git.example.org/net/peerings.git]
    paths: [peerings/*]",
    },
    Explanation {
        code: "kubeconfig",
        rule: "The kubeconfig works inside Liqo: one https server, all data inline, and a token, certificate or password.",
        reason: "Liqo's replicator reads it in its own process, where the sealer's files and credential programs do not exist. \
                 One that it cannot use is logged there, and not tried again before the Secret changes.",
        source: "liqo pkg/identityManager/client.go, internal/crdReplicator/crdReplicator-operator.go",
        example: "\
users:
  - name: milan
    user: { exec: { command: aws, apiVersion: client.authentication.k8s.io/v1 } }",
        fix: "\
users:
  - name: milan
    user: { token: … } # of a Secret of type kubernetes.io/service-account-token",
    },
    Explanation {
        code: "unexpected-key",
        rule: "A derived key is the `publicKey` that the document writes down.",
        reason: "The key follows from the seed, both cluster IDs and the key generation. If one of them changed by accident, the \
                 tunnel would get a key that the other side does not know.",
        source: "RFC 5869 (HKDF), RFC 7748 (X25519)",
        example: "`clusterID` was renamed, and `publicKey` beside it was left as it was",
        fix: "\
Restore what changed. If the key is to change, tell the other side the one in the
message, and write it into `publicKey`.",
    },
    Explanation {
        code: "own-key",
        rule: "The other side's `publicKey` is not this side's own key.",
        reason: "A gateway that knows itself as its peer never gets an answer, and nothing in the manifests would look wrong. It \
                 happens when an organisation writes its own key into the place of the other's.",
        source: "WireGuard: a peer is identified by its public key",
        example: "`provider.publicKey` has the key that `argocd-peering keys` prints for the consumer",
        fix: "Ask the other organisation for the key that its own `argocd-peering keys` prints for its side.",
    },
    Explanation {
        code: "seed-elsewhere",
        rule: "A side's stream is made where that side's seed is.",
        reason: "With split custody a folder has the other organisation's public key only. Its private key cannot be made of that, \
                 and is not meant to be known here.",
        source: "RFC 7748, section 6.1",
        example: "role: provider, in the consumer organisation's repository",
        fix: "Let only the consumer's Application use this folder; the provider's uses its own repository.",
    },
    Explanation {
        code: "parameter",
        rule: "The plugin parameter `role` is `consumer` or `provider`, and there is no other parameter.",
        reason: "Both Applications of a peering use the same folder; the role alone tells which cluster's manifests are wanted. A \
                 parameter that does nothing would be a mistake somewhere.",
        source: "argo-cd pkg/apis/application/v1alpha1/types.go (ApplicationSourcePluginParameters)",
        example: "\
plugin:
  name: argocd-peering",
        fix: "\
plugin:
  name: argocd-peering
  parameters:
    - { name: role, string: consumer }",
    },
    Explanation {
        code: "hydration",
        rule: "Private keys are not printed for Argo CD's Source Hydrator.",
        reason: "It runs plugins without a Kubernetes version and commits what they print, so the keys would stand in Git in \
                 clear.",
        source: "argo-cd controller/hydrator_dependencies.go, docs/user-guide/source-hydrator.md",
        example: "\
spec:
  sourceHydrator:
    drySource: { path: peerings/rome-milan }",
        fix: "\
spec:
  source: # instead of sourceHydrator
    path: peerings/rome-milan
    plugin: { name: argocd-peering }",
    },
    Explanation {
        code: "sealing",
        rule: "A file is sealed only if it can be opened again: not larger than any run reads.",
        reason: "Each recipient and each term makes a sealed file larger, and a run reads no more than its cap of what anybody \
                 who can push has written.",
        source: "age-encryption.org/v1: one stanza for each recipient",
        example: "argocd-peering seal kubeconfig, with the kubeconfig of twenty clusters",
        fix: "kubectl config view --raw --minify --flatten --context milan > milan.kubeconfig",
    },
    Explanation {
        code: "import",
        rule: "A seed from elsewhere is 32 random bytes in base64.",
        reason: "Both gateways' keys are no harder to guess than their seed. What is obviously not random is refused; no test finds \
                 every seed that can be guessed.",
        source: "RFC 5869, section 4: HKDF does not make weak material strong",
        example: "echo 'correct horse battery staple' | argocd-peering seed import --base64 - …",
        fix: "argocd-peering seed new …",
    },
    Explanation {
        code: "rotation",
        rule: "A rotation changes one key, in a commit of its own.",
        reason: "The gateway's Secret is replaced by another one. Argo CD prunes in the reverse order of the waves, and together \
                 with other removals Liqo would find two key Secrets, or none.",
        source: "liqo pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go; argo-cd \
                 gitops-engine/pkg/sync/sync_context.go",
        example: "argocd-peering seed rotate --side provider, in a folder with uncommitted changes",
        fix: "git commit, or git stash; then rotate and commit that alone",
    },
    Explanation {
        code: "file",
        rule: "What a command reads is a file of the expected size, and what it writes is not there yet.",
        reason: "A sealed seed that is overwritten is lost, and with it both gateways' keys.",
        source: "open(2): O_CREAT with O_EXCL, O_NOFOLLOW",
        example: "argocd-peering seed new, in a folder that has a peering.seed.age",
        fix: "Name another file, or move the old one away first.",
    },
    Explanation {
        code: "flag",
        rule: "A value on the command line has the form that the command's help shows.",
        reason: "Terms are compared letter by letter when a sealed file is opened, so a value that could mean two things is \
                 refused when it is made.",
        source: "the command's own --help",
        example: "argocd-peering seed new --clusters rome --recipient age1…",
        fix: "argocd-peering seed new --clusters rome,milan --recipient age1…",
    },
    Explanation {
        code: "output",
        rule: "Standard output can be written, all of it.",
        reason: "The reader went away, or the disk is full. What was written is not whole; the exit code says so, and Argo CD drops \
                 the output of a command that fails.",
        source: "argo-cd cmpserver/plugin/plugin.go",
        example: "argocd-peering generate … > /mnt/full/consumer.yaml",
        fix: "Write to a place that has room.",
    },
    Explanation {
        code: "randomness",
        rule: "The operating system gives random bytes for a new seed.",
        reason: "A seed that can be guessed gives away both gateways' keys, so there is no other source to fall back to.",
        source: "getrandom(2)",
        example: "argocd-peering seed new, under a sandbox that forbids the system call getrandom",
        fix: "Make the seed on a machine of your own.",
    },
    Explanation {
        code: "bug",
        rule: "The program keeps its own promises.",
        reason: "Before a stream is printed it is read back and held against the plan, since Argo CD prunes what is missing and \
                 shows a document that it cannot read to everybody. A difference is a fault of this program.",
        source: "argo-cd gitops-engine/pkg/utils/kube/kube.go",
        example: "error[bug]: this is a bug in argocd-peering: …",
        fix: "Please report it with the document, without secrets.",
    },
];
