//! The values that `init` needs, a row for each: its flag, the question at a terminal, and an example. Without a terminal nothing is asked:
//! all missing values are named together.

use crate::command::workstation::init::Init;
use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Rule, shown_name};
use crate::peering::values::{
    Address, ArgoCluster, Cidr, ClusterId, LiqoVersion, Namespace, PeeringName, Quantity, Role,
    SubjectName,
};
use std::io::{BufRead as _, IsTerminal as _};
use std::str::FromStr;

/// A value that the user is asked for.
pub(super) struct Question {
    flag: &'static str,
    text: &'static str,
    example: &'static str,
    /// The values of the flag.
    given: fn(&Init) -> &[String],
    /// Checks an answer, or several with commas between them; the error says what is wrong.
    check: fn(&str) -> Result<(), String>,
}

pub(super) const REPO: Question = Question {
    flag: "--repo",
    text: "The repository's URL, as Argo CD has it",
    example: "https://git.example.org/net/peerings.git",
    given: |_| &[],
    check: |_| Ok(()),
};
pub(super) const NEW_NAMESPACES: Question = Question {
    flag: "--create-namespaces",
    text: "Make these namespaces, and delete them with the peering? (`yes` or `no`)",
    example: "yes",
    given: |_| &[],
    check: check_yes_or_no,
};

/// Declares the questions, a row for each: the type of an answer, the flag, its field, the text, and an example.
macro_rules! questions {
    ($($name:ident: $kind:ty = $flag:expr, $field:ident, $text:expr, $example:literal;)*) => {
        $(pub(super) const $name: Question = Question {
            flag: $flag,
            text: $text,
            example: $example,
            given: |flags| flags.$field.as_slice(),
            check: check_text::<$kind>,
        };)*
    };
}

questions! {
    NAME: PeeringName = "--name", name, "The peering's name", "rome-milan";
    LIQO_VERSION: LiqoVersion = "--liqo-version", liqo_version, "The lowest Liqo on either cluster", "1.2";
    GATEWAY_ADDRESS: Address = "--gateway-address", gateway_address, "The provider's gateway address, for the consumer", "203.0.113.7";
    USER: SubjectName = "--user", user, "User name in the consumer's credential", "rome";
    CPU: Quantity = "--cpu", cpu, "The CPUs for the consumer", "4";
    MEMORY: Quantity = "--memory", memory, "The memory for the consumer", "8Gi";
    NAMESPACES: Namespace = "--namespace", namespaces, "The namespaces to offload, comma-separated", "demo";
    CONSUMER_ID: ClusterId = "--consumer-id", consumer_id, "The consumer's cluster ID", "rome";
    PROVIDER_ID: ClusterId = "--provider-id", provider_id, "The provider's cluster ID", "milan";
    CONSUMER_NAME: ArgoCluster = "--consumer-argocd-cluster", consumer_argocd_cluster, "The consumer's name in Argo CD, such as `in-cluster`", "rome";
    PROVIDER_NAME: ArgoCluster = "--provider-argocd-cluster", provider_argocd_cluster, "The provider's name in Argo CD, such as `in-cluster`", "in-cluster";
    CONSUMER_PODS: Cidr = "--consumer-pod-cidr", consumer_pod_cidrs, "The consumer's pod CIDRs, comma-separated", "10.42.0.0/16";
    PROVIDER_PODS: Cidr = "--provider-pod-cidr", provider_pod_cidrs, "The provider's pod CIDRs, comma-separated", "10.52.0.0/16";
    CONSUMER_EXTERNAL: Cidr = "--consumer-external-cidr", consumer_external_cidr, "The consumer's external CIDR", "10.70.0.0/16";
    PROVIDER_EXTERNAL: Cidr = "--provider-external-cidr", provider_external_cidr, "The provider's external CIDR", "10.70.0.0/16";
}

/// The question about a field of a cluster.
fn question_about(role: Role, field: &str) -> Option<&'static Question> {
    Some(match (field, role) {
        ("clusterID", Role::Consumer) => &CONSUMER_ID,
        ("clusterID", Role::Provider) => &PROVIDER_ID,
        ("argocdCluster", Role::Consumer) => &CONSUMER_NAME,
        ("argocdCluster", Role::Provider) => &PROVIDER_NAME,
        ("podCIDRs", Role::Consumer) => &CONSUMER_PODS,
        ("podCIDRs", Role::Provider) => &PROVIDER_PODS,
        ("externalCIDR", Role::Consumer) => &CONSUMER_EXTERNAL,
        ("externalCIDR", Role::Provider) => &PROVIDER_EXTERNAL,
        _ => return None,
    })
}

fn check_text<T: FromStr<Err = Rule>>(text: &str) -> Result<(), String> {
    for item in items(text) {
        if let Err(Rule { message, help, .. }) = item.parse::<T>() {
            return Err(match help {
                Some(help) => format!("{message}; {help}"),
                None => message,
            });
        }
    }
    Ok(())
}

fn check_yes_or_no(text: &str) -> Result<(), String> {
    match text {
        "yes" | "no" => Ok(()),
        _ => Err("type `yes` or `no`".to_owned()),
    }
}

/// The values of an answer.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

/// The source of a value.
pub(super) enum Suggestion {
    /// It was read from a cluster, or from the sibling.
    Read(String),
    /// It is the usual value. A user confirms it, or is shown that it is a guess.
    Guess(String),
    /// No source has it.
    Nothing,
}

impl Suggestion {
    /// The usual value, if there is one that is not empty.
    pub(super) fn usual(value: Option<&str>) -> Self {
        match value {
            Some(value) if !value.is_empty() => Self::Guess(value.to_owned()),
            _ => Self::Nothing,
        }
    }
}

pub(super) struct Asker<'a, 's> {
    flags: &'a Init,
    pub(super) streams: &'a mut Streams<'s>,
    pub(super) interactive: bool,
    guesses: Vec<String>,
    missing: Vec<&'static str>,
}

impl<'a, 's> Asker<'a, 's> {
    pub(super) fn new(flags: &'a Init, streams: &'a mut Streams<'s>) -> Self {
        let interactive = streams.terminal && std::io::stdin().is_terminal();
        Self {
            flags,
            streams,
            interactive,
            guesses: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// A value: from the flag, from what is known, or from the user. A missing value is empty until [`Self::finish`].
    pub(super) fn value(&mut self, question: &Question, known: Suggestion) -> Result<String> {
        let flag = question.flag;
        let given = (question.given)(self.flags);
        if !given.is_empty() {
            let given = given.join(",");
            (question.check)(&given).map_err(|reason| Error::flag(flag, reason))?;
            return Ok(given);
        }
        match known {
            Suggestion::Read(value) => Ok(value),
            Suggestion::Guess(guess) if self.interactive => self.ask(question, Some(&guess)),
            Suggestion::Guess(guess) => Ok(self.note_guess(flag, guess)),
            Suggestion::Nothing if self.interactive => self.ask(question, None),
            Suggestion::Nothing => {
                self.missing.push(flag);
                Ok(String::new())
            }
        }
    }

    /// A field of a cluster, if it is known or has a flag.
    pub(super) fn cluster_field(
        &mut self,
        role: Role,
        field: &str,
        known: Suggestion,
    ) -> Result<Option<String>> {
        match question_about(role, field) {
            Some(question) => self.value(question, known).map(Some),
            None => Ok(None),
        }
    }

    /// An optional value. Without a terminal, only its flag can set it.
    pub(super) fn wish(&mut self, question: &Question, none: &str) -> Result<Option<String>> {
        if !self.interactive {
            return Ok(None);
        }
        let before = self.guesses.len();
        let answer = self.ask(question, Some(none))?;
        self.guesses.truncate(before);
        Ok(Some(answer).filter(|answer| answer != none))
    }

    fn ask(&mut self, question: &Question, guess: Option<&str>) -> Result<String> {
        let (flag, text, example) = (question.flag, question.text, question.example);
        let hint = match guess {
            Some(guess) => format!(" [{}]", shown_name(guess)),
            None => String::new(),
        };
        loop {
            self.streams.note(&format!("{text}{hint}:"));
            let mut answer = String::new();
            let read = std::io::stdin().lock().read_line(&mut answer);
            if !read.is_ok_and(|length| length > 0) {
                let reason = "no answer: nothing was written";
                return Err(Error::flag(flag, reason));
            }
            let line = match (answer.trim(), guess) {
                ("", Some(guess)) => return Ok(self.note_guess(flag, guess.to_owned())),
                ("", None) => format!("an answer is missing, such as `{example}`"),
                (answer, _) => match (question.check)(answer) {
                    Ok(()) => return Ok(answer.to_owned()),
                    Err(reason) => reason,
                },
            };
            self.streams.note(&line);
        }
    }

    /// Notes a guessed value, for the list at the end.
    pub(super) fn note_guess(&mut self, flag: &'static str, guess: String) -> String {
        self.guesses.push(format!("{flag} {}", shown_name(&guess)));
        guess
    }

    /// The guessed values, or an error that names the missing ones.
    pub(super) fn finish(self) -> Result<Vec<String>> {
        let Some(flag) = self.missing.first() else {
            return Ok(self.guesses);
        };
        let missing = self.missing.join(", ");
        let reason = format!("without a terminal, set what is missing: {missing}");
        Err(Error::flag(flag, reason))
    }
}
