//! What to do about an error of a run.

use super::{Error, FileProblem, IdentityProblem, ParameterProblem};

impl Error {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::Document(_) | Self::Invalid { .. } => return None,
            Self::DocumentFile { problem: FileProblem::Missing, .. } => {
                "name the folder that holds peering.yaml; in Argo CD it is the Application's `path`".into()
            }
            Self::DocumentFile { problem: FileProblem::Unreadable(std::io::ErrorKind::NotADirectory), .. } => {
                "name the folder that holds peering.yaml, and not a file".into()
            }
            Self::DocumentFile { problem: FileProblem::TooLarge { .. }, .. } => {
                "one peering needs far less; split the file, one folder a peering".into()
            }
            Self::DocumentFile { problem: FileProblem::NotUtf8(_), .. } => "save the file as UTF-8".into(),
            Self::DocumentFile { problem: FileProblem::Link, .. } => "commit the file itself".into(),
            Self::DocumentFile { .. } => "peering.yaml must be a regular file that can be read".into(),
            Self::SealedFile { name, problem: FileProblem::Missing } => format!(
                "commit {name} beside peering.yaml; `argocd-peering seed new` and `argocd-peering seal kubeconfig` make sealed files"
            ),
            Self::SealedFile { problem: FileProblem::Link | FileProblem::NotAFile, .. } => {
                "commit the sealed file itself beside peering.yaml".into()
            }
            Self::SealedFile { problem: FileProblem::TooLarge { .. }, .. } => {
                "a sealed seed or kubeconfig is far smaller; `argocd-peering seed new` and `argocd-peering seal kubeconfig` make them".into()
            }
            Self::SealedFile { problem: FileProblem::Unreadable(_), .. } => {
                "the file must be readable for whom the plugin runs as; in the sidecar that is user 999".into()
            }
            Self::File { problem: FileProblem::Exists, .. } => {
                "name another file, or move that one away first".into()
            }
            Self::File { problem: FileProblem::NoFolder, .. } => "make the folder first, with `mkdir -p`".into(),
            Self::File { problem: FileProblem::NotUtf8(_), .. } => "save the file as UTF-8".into(),
            Self::SealedFile { .. } | Self::File { .. } => return None,
            Self::Identity(problem) => identity_help(problem).into(),
            Self::Payload { problem, .. } => problem.help().into(),
            Self::Denied { denied, .. } => denied.help().into(),
            Self::Policy(problem) => problem.help().into(),
            Self::Kubeconfig { problem, .. } => problem.help().into(),
            Self::UnexpectedKey { derived, .. } => format!(
                "the seed, the cluster IDs and the keyGeneration give `{derived}`; restore them, or change `publicKey` if the key is to change"
            ),
            Self::OwnKey { .. } => {
                "each organisation reads its own key with `argocd-peering keys`, and tells it to the other one".into()
            }
            Self::SeedElsewhere { side } => format!(
                "only its `publicKey` is written down; make the stream where the {side}'s seed is, or name that seed in `{side}.seed`"
            ),
            Self::Parameter(ParameterProblem::Malformed) => {
                "leave that variable to Argo CD; for a run of your own say --role".into()
            }
            Self::Parameter(ParameterProblem::Unknown(_)) => "the only plugin parameter is `role`".into(),
            Self::Parameter(_) => {
                "set it in the Application: `source.plugin.parameters: [{name: role, string: consumer}]`, or `provider`; a run of your own says --role".into()
            }
            Self::Sealing { .. } => {
                "seal to fewer recipients, on fewer terms; `kubectl config view --raw --minify --flatten` makes a kubeconfig small".into()
            }
            Self::Import(_) => {
                "`argocd-peering seed new` makes a seed from the operating system's randomness".into()
            }
            Self::Rotation(problem) => problem.help().into(),
            Self::Hydration => {
                "Argo CD's Source Hydrator would commit them to Git; sync the folder with a plugin source instead, or say --local for a run of your own".into()
            }
            Self::Flag { .. } | Self::Output(_) | Self::Randomness => return None,
            Self::Template(_) | Self::Bug(_) => "please report it with the document, without secrets".into(),
        };
        Some(help)
    }
}

const fn identity_help(problem: &IdentityProblem) -> &'static str {
    match problem {
        IdentityProblem::NotGiven => {
            "name the age identity with --identity-file; inside Argo CD, in plugin.yaml"
        }
        IdentityProblem::File { .. } => {
            "`age-keygen -o FILE` makes one; in the sidecar it is mounted at the path that plugin.yaml names, and user 999 can read it"
        }
        IdentityProblem::Line { .. } | IdentityProblem::Empty(_) => {
            "an identity file holds lines of `AGE-SECRET-KEY-1…`, as `age-keygen` writes them, and comments that begin with `#`"
        }
        IdentityProblem::Inside => {
            "whoever can read the repository could open the seed: keep the identity elsewhere (--local allows it for demonstrations)"
        }
    }
}
