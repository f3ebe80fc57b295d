//! Why sealed files do not give what a run needs, and what to do about it.
//!
//! Nothing here holds a secret: an error names the file and the rule, never the file's content.

use super::identities::IdentityProblem;
use super::keys::NoRandomness;
use super::terms::TermSubject;
use super::{PayloadKind, PayloadProblem, PolicyProblem, Term};
use crate::diagnostic::{Bug, readable, reasons, shell_word, shown_name};
use crate::input::file::{ReadProblem, TOO_MANY_OPEN, Unread};
use crate::input::folder::DOCUMENT;
use crate::peering::authentication::credential::kubeconfig::KubeconfigProblem;
use crate::peering::values::{ClusterId, FileName, Role, label_key};
use std::path::Path;

reasons! {
    /// Why a key cannot be rotated.
    pub enum RotationProblem {
        NoKeys
            error("a peering without networking has no keys")
            help "nothing has to be done";
        /// Both keys were made elsewhere, for example by Liqo.
        NoSeed
            error("the document names no seed: both keys were made elsewhere")
            help "run `argocd-peering seed new`, name its file in `spec.seed`, and remove `delivery: External`, `publicKey` and `names.keySecret` from both sides: both keys change";
        /// The side has the last generation.
        LastGeneration(role: Role)
            error("the {0}'s `keyGeneration` has its largest value")
            help "replace the seed with --new-seed";
        /// The text has a layout that is not understood.
        Layout
            error("the layout of peering.yaml cannot be edited")
            help "raise `keyGeneration` by hand (to 2 if missing), and correct `publicKey` as `argocd-peering keys` says";
    }
}

reasons! {
    /// Why nothing was opened, sealed or rotated.
    pub enum Error -> Option<String> {
        /// A sealed file was not read.
        SealedFile {
            /// Relative to the folder.
            name: String,
            kind: PayloadKind,
            problem: ReadProblem,
        }
            error("{}: {problem}", shown_name(.name))
            help Some(help_of_sealed_file(name, *kind, problem));
        /// `argocd app diff --local` sends the files that `--local-include` names, by default only YAML and JSON (argo-cd
        /// `cmd/argocd/commands/app.go`, NewApplicationDiffCommand).
        NotSent {
            /// Relative to the folder.
            name: String,
        }
            error("{}: `argocd app diff --local` has not sent this file", shown_name(.name))
            help Some("add `--local-include '*.yaml' --local-include '*.age'` to that command".into());
        /// There is no usable identity.
        Identity(#[from] problem: IdentityProblem)
            error("{0}")
            help Some(problem.help().into());
        /// A sealed file does not open, or does not hold what is needed.
        Payload {
            /// Relative to the folder, or as the person named it.
            name: String,
            problem: PayloadProblem,
        }
            error("{}: {problem}", shown_name(.name))
            help Some(problem.help());
        /// The sealed file's terms or the operator's policy do not allow this caller.
        Denied {
            /// Relative to the folder.
            name: String,
            /// What the caller asked for, in the caller's own words.
            asked: String,
            /// In a person's run, the clusters that the file is sealed for: the person could open the file with `age`
            /// itself.
            sealed_for: Option<String>,
        }
            error("{} may not be opened here: {} not allow {asked}", shown_name(.name), if sealed_for.is_some() { "its terms do" } else { "its terms or the operator's policy do" })
            help Some(help_of_denied(asked, sealed_for.as_deref()));
        /// No entry of the operator's policy allows the stream.
        Policied {
            /// What the caller asked for, in the caller's own words.
            asked: String,
            /// The entry of the caller's place that does not allow a fact of the stream.
            lacks: Option<UnlistedFact>,
        }
            error("{DOCUMENT}: this Argo CD's policy does not allow {}", unallowed(asked, lacks.as_ref()))
            help Some(match lacks { Some(fact) => fact.help(), None => "correct the Application, or have the operator add an entry to `allow`".into() });
        /// In a person's run: Argo CD will refuse the file at its place in the repository.
        Refused {
            /// As the person named it.
            name: String,
            /// The Application that Argo CD will refuse.
            caller: String,
            term: Term,
            allowed: String,
            /// The value that Argo CD will report.
            reported: String,
        }
            error("{}: its terms allow the {term} {}, not `{}` of {}", shown_name(.name), shown_name(.allowed), shown_name(.reported), shown_name(.caller))
            help Some(help_of_refused(name, *term, reported));
        /// In a person's run: the terms do not allow the delivery or the namespace that the document has for the secret.
        Destination {
            /// Relative to the folder.
            name: String,
            /// The side whose stream is generated.
            side: Role,
            /// A term about the document.
            term: Term,
            /// The document's value. `keys export` always asks for the delivery `External`.
            asked: String,
            allowed: String,
        }
            error("{}: its terms do not allow the {side}'s {} `{}`", shown_name(.name), destination(*.term).0, shown_name(.asked))
            help Some(help_of_destination(name, *side, *term, allowed));
        /// A label or an annotation that neither the terms of an opened file nor a policy list.
        Label {
            /// The document, or its path.
            document: String,
            /// The side whose stream has it.
            side: Role,
            key: String,
            /// The file whose terms do not list it. A stream can open no file.
            name: Option<String>,
        }
            error("{}: controllers can act on the {side}'s label or annotation `{}`", shown_name(.document), shown_name(.key))
            help Some(help_of_label(key, name.as_deref()));
        /// The file does not have the certificate that a stream's Secrets are sealed to.
        CertificateMissing {
            /// Relative to the folder.
            name: String,
            cluster: ClusterId,
        }
            error("{}: it has no certificate of {cluster}", shown_name(.name))
            help Some(format!("run `kubeseal --context {cluster} --fetch-cert > {cluster}.pem` and `argocd-peering reseal {} --recipients-file .age-recipients --certificate {cluster}={cluster}.pem`; repeat `--certificate` for those in the file", shell_word(name)));
        /// The operator's policy was not understood, so nothing is opened.
        Policy(#[from] problem: PolicyProblem)
            error("{0}")
            help Some(problem.help().into());
        /// A kubeconfig that Liqo could not use.
        Kubeconfig {
            /// Relative to the folder, or as the person named it.
            name: String,
            problem: KubeconfigProblem,
        }
            error("{}: {problem}", shown_name(.name))
            help Some(problem.help().into());
        /// A derived key is not the one that the document expects.
        UnexpectedKey {
            /// Whose key.
            side: Role,
            /// The key that was derived; public.
            derived: String,
        }
            error("the {side}'s key is not the `publicKey` that {DOCUMENT} expects")
            help Some(format!("seed, cluster IDs and `keyGeneration` give `{}`: restore them or, if intended, change `publicKey`; repeat a stopped `seed rotate --new-seed`", readable(derived)));
        /// The key that is written as the other side's is this side's own.
        OwnKey {
            /// The side whose `publicKey` it is.
            side: Role,
        }
            error("the {side}'s `publicKey` is the other cluster's own key")
            help Some("each organisation sends the other its own key: `argocd-peering keys` prints it".into());
        /// This side's stream needs a private key whose seed is not in this folder.
        SeedElsewhere {
            /// Whose seed.
            side: Role,
        }
            error("this folder has no seed for the {side}'s key")
            help Some(format!("run this where the {side}'s seed is, or set `{side}.seed`"));
        /// The sealed file would be larger than any run opens.
        Sealing {
            /// As the person named it.
            name: String,
            /// The cap in bytes.
            cap: u64,
        }
            error("{}: sealed, it has over {cap} bytes or too many recipients", shown_name(.name))
            help Some("use fewer recipients, terms or certificates; `kubectl config view --raw --minify --flatten` prints a small kubeconfig".into());
        /// A key cannot be rotated.
        Rotation(#[from] problem: RotationProblem)
            error("{0}")
            help Some(problem.help().into());
        /// A file that a person named was not read.
        Unread(#[from] file: Unread)
            error("{0}")
            help file.help().map(Into::into);
        /// There are no random bytes for a seed.
        Randomness(#[from] problem: NoRandomness)
            error("{0}")
            help None;
        /// A bug in this program.
        Bug(#[from] bug: Bug)
            error("{0}")
            help Some(bug.help().into());
    }
}

/// What the policy does not allow.
fn unallowed(asked: &str, lacks: Option<&UnlistedFact>) -> String {
    match lacks {
        Some(fact) => fact.text(),
        None => format!("a stream for {asked}"),
    }
}

/// A fact of a stream that an entry of the policy for its project, repository and folder does not list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlistedFact {
    pub(super) entry: usize,
    pub(super) term: Term,
    pub(super) value: String,
}

impl UnlistedFact {
    fn text(&self) -> String {
        let Self { entry, term, value } = self;
        let value = shown_name(value);
        format!(
            "the {} `{value}`: entry {entry} of `allow` does not list it",
            destination(*term).0
        )
    }

    fn help(&self) -> String {
        let Self { entry, term, value } = self;
        let value = match term {
            Term::LabelDomains => label_key::to_list(value),
            _ => value,
        };
        let value = shown_name(value);
        format!("if intended, the operator adds it to entry {entry}: `{term}: [{value}]`")
    }
}

/// What to do about a denial. Argo CD's callers do not learn by which term (docs/custody.md).
fn help_of_denied(asked: &str, sealed_for: Option<&str>) -> String {
    match sealed_for {
        Some(clusters) => format!(
            "it is sealed for {}: check both `clusterID`s; if intended, `argocd-peering reseal … --clusters CONSUMER,PROVIDER`",
            shown_name(clusters)
        ),
        None if asked.contains("=?") => "`?` is what Argo CD did not report; for your own run use `generate --local`".into(),
        None => "the Application's project, `repoURL`, `path` or revision differs; `argocd-peering validate FOLDER --identity-file ID` says which".into(),
    }
}

impl Error {
    /// Adds the file's name to a problem of its payload.
    pub(crate) fn of_payload(name: &impl ToString) -> impl Fn(PayloadProblem) -> Self {
        |problem| Self::Payload {
            name: name.to_string(),
            problem,
        }
    }

    /// A file without the certificate of a cluster.
    pub(super) fn certificate_missing(name: &FileName, cluster: &ClusterId) -> Self {
        let (name, cluster) = (name.to_string(), cluster.clone());
        Self::CertificateMissing { name, cluster }
    }

    /// A label or an annotation of a side's stream that is not listed, and the file whose terms do not list it.
    pub(crate) fn label(side: Role, key: &str, name: Option<String>) -> Self {
        Self::Label {
            document: DOCUMENT.to_owned(),
            side,
            key: key.to_owned(),
            name,
        }
    }

    /// The same error with the file's path, for commands that read many folders. Otherwise the name is relative to the
    /// folder.
    pub(crate) fn beside_document(mut self, document: &Path) -> Self {
        if let Self::SealedFile { name, .. }
        | Self::NotSent { name }
        | Self::Payload { name, .. }
        | Self::Denied { name, .. }
        | Self::Destination { name, .. }
        | Self::CertificateMissing { name, .. } = &mut self
        {
            *name = document.with_file_name(&*name).display().to_string();
        }
        if let Self::Label { document: name, .. } = &mut self {
            *name = document.display().to_string();
        }
        self
    }
}

/// What to do about a sealed file that could not be read.
fn help_of_sealed_file(name: &str, kind: PayloadKind, problem: &ReadProblem) -> String {
    let command = kind.command();
    match problem {
        ReadProblem::Missing => format!(
            "commit it; `git log -- {}` finds a removed one, `argocd-peering {command}` makes a new one{}",
            shell_word(name),
            match kind {
                PayloadKind::Seed => ". A new seed changes both keys",
                PayloadKind::Kubeconfig => "",
            }
        ),
        ReadProblem::Link | ReadProblem::NotAFile => {
            format!("commit the sealed file itself next to {DOCUMENT}")
        }
        ReadProblem::TooLarge { .. } => {
            format!("make a sealed file with `argocd-peering {command}`")
        }
        ReadProblem::TooManyOpen => TOO_MANY_OPEN.into(),
        ReadProblem::Unreadable(_) => "let the plugin's user read it (999 in the sidecar)".into(),
    }
}

fn help_of_refused(name: &str, term: Term, reported: &str) -> String {
    let shown = shell_word(reported);
    let (value, way) = match term {
        // without `=SIDE`, the project could ask for both sides
        Term::Projects => ("NAME=SIDE", ""),
        // a masked value cannot be copied
        _ if shown.contains("***") => ("VALUE", ", with the Application's own value"),
        _ => (&*shown, ""),
    };
    format!(
        "correct the Application, or, if intended, `argocd-peering reseal {} --identity-file FILE --recipients-file FILE {} {value}`{way}; repeat the flag for values that stay",
        shell_word(name),
        term.flag()
    )
}

/// What to do if the terms do not allow a value of the document.
fn help_of_destination(name: &str, side: Role, term: Term, allowed: &str) -> String {
    // a sealed digest is public, and is compared
    let allowed = match term {
        Term::LetsIn => readable(allowed),
        _ => shown_name(allowed),
    };
    format!(
        "they allow {allowed}; {}, or, if intended, seal {} again with `argocd-peering reseal … {}`",
        destination(term).1.replace("{side}", side.word()),
        shown_name(name),
        term.flag(),
    )
}

/// What to do about a label that is not listed.
fn help_of_label(key: &str, name: Option<&str>) -> String {
    let domain = shell_word(label_key::to_list(key));
    let sealing = match name {
        Some(name) => format!(
            "seal its domain into each file of this side, `argocd-peering reseal {} --recipients-file .age-recipients --label-domain {domain}`, or ",
            shell_word(name)
        ),
        None => String::new(),
    };
    format!(
        "set it with `kubectl label` or `kubectl annotate`; if intended, {sealing}have the operator add `labelDomains: [{domain}]` to the policy"
    )
}

/// How a message names a value of the document, and what to change there.
const fn destination(term: Term) -> (&'static str, &'static str) {
    match term.subject() {
        TermSubject::Document { noun, way_out } => (noun, way_out),
        TermSubject::Clusters | TermSubject::Caller => (term.word(), "correct it"),
    }
}
