//! Flags that several commands share.

use crate::command::{Error, Result};
use crate::custody::{self, Identities, Term};
use crate::diagnostic::Rule;
use crate::peering::delivery::Delivery;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The seconds of a number with one of these units: `30d`.
pub(crate) fn seconds(text: &str, units: &[char]) -> Option<u64> {
    let unit = text.chars().last().filter(|unit| units.contains(unit))?;
    let of_unit = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        'w' => 7 * 24 * 60 * 60,
        _ => return None,
    };
    let count = text.strip_suffix(unit)?.parse::<u64>().ok()?;
    count.checked_mul(of_unit)
}

/// A number of days or weeks.
pub(super) fn days(text: &str) -> Result<Duration, &'static str> {
    /// The longest validity that is accepted.
    const LONGEST: u64 = 10_000 * 7 * 24 * 60 * 60;
    let days = seconds(text, &['d', 'w']).filter(|it| *it <= LONGEST);
    days.map(Duration::from_secs)
        .ok_or("write days or weeks, such as 30d or 6w, at most 10000w")
}

/// Which peerings a command looks at.
#[derive(Debug, Clone, Args)]
pub struct PeeringPaths {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// The terms and the recipients of a sealed file, and what confirms those that no flag sets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct SealFlags {
    /// The peering that it may be used for: the consumer's cluster ID and the provider's; default: that of the peering.yaml
    /// beside it; repeatable
    #[arg(long, value_name = "CONSUMER,PROVIDER")]
    pub clusters: Vec<String>,
    /// For which uses inside Argo CD.
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open it.
    #[command(flatten)]
    pub recipients: RecipientFlags,
    /// The certificates of clusters.
    #[command(flatten)]
    pub certificates: CertificateFlags,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}

impl SealFlags {
    /// Whether any of these flags is given.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }
}

/// For which uses a sealed file may be opened inside Argo CD.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct UseFlags {
    /// An allowed Argo CD project, for one side (a role or a cluster's ID) or for both; repeatable
    #[arg(long = "project", value_name = "NAME[=SIDE]")]
    pub projects: Vec<String>,
    /// An allowed repository; default with --project: the remote of the Git checkout; repeatable
    #[arg(long = "repo", value_name = "URL")]
    pub repos: Vec<String>,
    /// An allowed folder of the repository; default with --project: the file's own; repeatable, with several peerings as
    /// `CONSUMER,PROVIDER=FOLDER`
    #[arg(long = "path", value_name = "FOLDER")]
    pub paths: Vec<String>,
    /// An allowed `targetRevision`; default: any; repeatable
    #[arg(long = "revision", value_name = "REVISION")]
    pub revisions: Vec<String>,
    /// An allowed `delivery`, also outside Argo CD; default: any; repeatable
    #[arg(long = "delivery", value_name = "DELIVERY", value_parser = PossibleValuesParser::new(Delivery::WORDS))]
    pub delivery: Vec<String>,
    /// An allowed namespace of Secrets, on one side or on both, also outside Argo CD; default: the tenant namespaces of the
    /// peering.yaml beside the file; without that file, any; repeatable
    #[arg(long = "secret-namespace", value_name = "NAME[=SIDE]")]
    pub secret_namespaces: Vec<String>,
    /// A domain, or a key, of labels and annotations that a stream may have, on one side or on both: controllers can give rights by
    /// them; also outside Argo CD; where the operator's policy is given, it decides instead; default: none; repeatable
    #[arg(long = "label-domain", value_name = "DOMAIN[=SIDE]")]
    pub label_domains: Vec<String>,
    /// A namespace of workloads that a stream may create or offload, on one side or on both, also outside Argo CD; default: any;
    /// repeatable
    #[arg(long = "offload", value_name = "NAME[=SIDE]")]
    pub offloads: Vec<String>,
    /// Who may get rights by a stream: `User NAME`, `Group NAME`, `ServiceAccount NAMESPACE/NAME`, or the SHA-256 of a key of
    /// `keysExchange`, as `authenticate consumer` shows it; also outside Argo CD; default: anybody; repeatable
    #[arg(
        long = "lets-in",
        alias = "public-key",
        value_name = "SUBJECT|sha256:…"
    )]
    pub lets_in: Vec<String>,
}

impl UseFlags {
    /// Adds the projects of argocd-app, unless others are given.
    pub(crate) fn with_projects(mut self) -> Self {
        if self.projects.is_empty() {
            self.projects = ["peering-consumer=consumer", "peering-provider=provider"]
                .map(Into::into)
                .into();
        }
        self
    }

    /// The values of a term's flag. Clusters have their own flag, in [`SealFlags`].
    pub(crate) fn values(&self, term: Term) -> &[String] {
        match term {
            Term::Clusters => &[],
            Term::Projects => &self.projects,
            Term::Repos => &self.repos,
            Term::Paths => &self.paths,
            Term::Revisions => &self.revisions,
            Term::Delivery => &self.delivery,
            Term::Namespaces => &self.secret_namespaces,
            Term::LabelDomains => &self.label_domains,
            Term::Offloads => &self.offloads,
            Term::LetsIn => &self.lets_in,
        }
    }
}

/// What the Secrets of a cluster are sealed to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct CertificateFlags {
    /// The certificate of a cluster's sealed-secrets controller (`kubeseal --context CLUSTER --fetch-cert`), for
    /// `delivery: SealedSecret`; never taken from an old file; repeatable
    #[arg(long = "certificate", value_name = "CLUSTER=FILE")]
    pub certificates: Vec<String>,
    /// Leave out the certificate that an old file has for this cluster; repeatable
    #[arg(long = "no-certificate", value_name = "CLUSTER")]
    pub dropped: Vec<String>,
}

/// Parses what a flag names.
pub(super) fn parse_flag<T: FromStr<Err = Rule>>(flag: &'static str, text: &str) -> Result<T> {
    text.parse()
        .map_err(|rule: Rule| Error::flag(flag, rule.message))
}

/// What opens a person's sealed files.
#[derive(Debug, Clone, Args)]
pub struct IdentityFlag {
    /// An age identity file that opens the sealed files; default: `$ARGOCD_PEERING_IDENTITY_FILE`, then
    /// `~/.config/argocd-peering/identity.txt`
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
}

impl IdentityFlag {
    pub(crate) fn identities(&self) -> Result<Identities> {
        Ok(Identities::of_person(self.identity_file.as_deref()).map_err(custody::Error::from)?)
    }
}

/// Who can open a sealed file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct RecipientFlags {
    /// An age recipient that can open it; repeatable
    #[arg(long = "recipient", value_name = "age1…")]
    pub recipients: Vec<String>,
    /// A file with one age recipient on each line; repeatable
    #[arg(long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<PathBuf>,
}

impl RecipientFlags {
    pub(crate) fn is_empty(&self) -> bool {
        self.recipients.is_empty() && self.recipients_files.is_empty()
    }
}
