//! The values that `init` needs, a row for each: its flag, the question at a terminal, and an example. Without a terminal nothing is asked:
//! all missing values are named together.

use crate::command::workstation::init::Init;
use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Rule, shown_name};
use crate::peering::values::{
    Address, ArgoCluster, Cidr, ClusterId, LiqoVersion, Namespace, PeeringName, Quantity, Role,
    Sides, SubjectName,
};
use std::io::{BufRead as _, IsTerminal as _};
use std::str::FromStr;

pub(super) struct Question {
    pub(super) flag: &'static str,
    pub(super) text: &'static str,
    pub(super) example: &'static str,
    /// Checks an answer, or several with commas between them; the error says what is wrong.
    pub(super) check: fn(&str) -> Result<(), String>,
}

impl Question {
    const fn new<T: FromStr<Err = Rule>>(
        flag: &'static str,
        text: &'static str,
        example: &'static str,
    ) -> Self {
        Self {
            flag,
            text,
            example,
            check: check_text::<T>,
        }
    }
}

pub(super) const NAME: Question =
    Question::new::<PeeringName>("--name", "The peering's name", "rome-milan");
pub(super) const LIQO_VERSION: Question =
    Question::new::<LiqoVersion>("--liqo-version", "The lowest Liqo on either cluster", "1.2");
pub(super) const GATEWAY_ADDRESS: Question = Question::new::<Address>(
    "--gateway-address",
    "The address at which the consumer reaches the provider's gateway",
    "203.0.113.7",
);
pub(super) const USER: Question =
    Question::new::<SubjectName>("--user", "User name in the consumer's credential", "rome");
pub(super) const CPU: Question =
    Question::new::<Quantity>("--cpu", "The CPUs that the consumer asks for", "4");
pub(super) const MEMORY: Question =
    Question::new::<Quantity>("--memory", "The memory that the consumer asks for", "8Gi");
pub(super) const NAMESPACES: Question = Question::new::<Namespace>(
    "--namespace",
    "The namespaces whose pods may run at the provider, with commas between them",
    "demo",
);
pub(super) const REPO: Question = Question {
    flag: "--repo",
    text: "The repository's URL, as Argo CD has it",
    example: "https://git.example.org/net/peerings.git",
    check: |_| Ok(()),
};
pub(super) const NEW_NAMESPACES: Question = Question {
    flag: "--create-namespaces",
    text: "Make these namespaces, and delete them with the peering? Type `yes` or `no`",
    example: "yes",
    check: is_yes_or_no,
};

/// A question about each of the clusters: the end of its flag, its subject, and an example for each.
macro_rules! of_each {
    ($kind:ty, $flag:literal, $what:literal, $consumer:literal, $provider:literal) => {
        Sides {
            consumer: Question::new::<$kind>(
                concat!("--consumer-", $flag),
                concat!("The consumer's ", $what),
                $consumer,
            ),
            provider: Question::new::<$kind>(
                concat!("--provider-", $flag),
                concat!("The provider's ", $what),
                $provider,
            ),
        }
    };
}

#[rustfmt::skip] // a table
static PODS: Sides<Question> = of_each!(Cidr, "pod-cidr", "pod CIDRs, with commas between them", "10.42.0.0/16", "10.52.0.0/16");
#[rustfmt::skip] // a table
static EXTERNAL: Sides<Question> = of_each!(Cidr, "external-cidr", "external CIDR, Liqo's own", "10.70.0.0/16", "10.70.0.0/16");
#[rustfmt::skip] // a table
pub(super) static ARGOCD: Sides<Question> = of_each!(ArgoCluster, "argocd-cluster", "name in Argo CD, such as `in-cluster`", "rome", "in-cluster");
#[rustfmt::skip] // a table
pub(super) static ID: Sides<Question> = of_each!(ClusterId, "id", "cluster ID", "rome", "milan");

/// The question about a fact of a cluster, and the value of its flag. A fact without a flag is used if it is known.
pub(super) fn of_fact(
    field: &str,
    role: Role,
    flags: &Init,
) -> Option<(&'static Question, Option<String>)> {
    let (questions, given) = match (field, role) {
        ("podCIDRs", Role::Consumer) => (&PODS, flags.consumer_pod_cidrs.as_slice()),
        ("podCIDRs", Role::Provider) => (&PODS, flags.provider_pod_cidrs.as_slice()),
        ("externalCIDR", Role::Consumer) => (&EXTERNAL, flags.consumer_external_cidr.as_slice()),
        ("externalCIDR", Role::Provider) => (&EXTERNAL, flags.provider_external_cidr.as_slice()),
        _ => return None,
    };
    Some((
        &questions[role],
        (!given.is_empty()).then(|| given.join(",")),
    ))
}

fn check_text<T: FromStr<Err = Rule>>(text: &str) -> Result<(), String> {
    items(text).try_for_each(|item| item.parse::<T>().map(|_| ()).map_err(reason))
}

fn is_yes_or_no(text: &str) -> Result<(), String> {
    if ["yes", "no"].contains(&text) {
        Ok(())
    } else {
        Err("type `yes` or `no`".to_owned())
    }
}

/// The values of an answer.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

fn reason(Rule { message, help, .. }: Rule) -> String {
    help.map_or(message.clone(), |help| format!("{message}; {help}"))
}

/// The source of a value.
pub(super) enum Preset {
    /// It was read from a cluster, or from the sibling.
    Read(String),
    /// It is the usual value. A user confirms it, or is shown that it is a guess.
    Guess(String),
    /// No source has it.
    Nothing,
}

pub(super) struct Asker<'a, 's> {
    pub(super) streams: &'a mut Streams<'s>,
    pub(super) interactive: bool,
    guesses: Vec<String>,
    missing: Vec<&'static str>,
}

impl<'a, 's> Asker<'a, 's> {
    pub(super) fn new(streams: &'a mut Streams<'s>) -> Self {
        let interactive = streams.terminal && std::io::stdin().is_terminal();
        Self {
            streams,
            interactive,
            guesses: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// A value: from the flag, from what is known, or from the user. A missing value is empty until [`Self::finish`].
    pub(super) fn value(
        &mut self,
        question: &Question,
        given: Option<&str>,
        known: Preset,
    ) -> Result<String> {
        let flag = question.flag;
        if let Some(given) = given {
            (question.check)(given).map_err(|reason| Error::flag(flag, reason))?;
            return Ok(given.to_owned());
        }
        let guess = match known {
            Preset::Read(value) => return Ok(value),
            Preset::Guess(guess) => Some(guess),
            Preset::Nothing => None,
        };
        if self.interactive {
            return self.ask(question, guess.as_deref());
        }
        let Some(guess) = guess else {
            self.missing.push(flag);
            return Ok(String::new());
        };
        Ok(self.note_guess(flag, guess))
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
        let hint = guess
            .map(|guess| format!(" [{}]", shown_name(guess)))
            .unwrap_or_default();
        loop {
            self.streams.note(&format!("{}{hint}:", question.text));
            let mut answer = String::new();
            let read = std::io::stdin().lock().read_line(&mut answer);
            if !read.is_ok_and(|length| length > 0) {
                return Err(Error::flag(
                    question.flag,
                    "there was no answer, so nothing was written",
                ));
            }
            let answer = answer.trim();
            match (answer.is_empty(), guess) {
                (true, Some(guess)) => return Ok(self.note_guess(question.flag, guess.to_owned())),
                (true, None) => {
                    let example = question.example;
                    self.streams
                        .note(&format!("an answer is needed, for example `{example}`"));
                }
                (false, _) => match (question.check)(answer) {
                    Ok(()) => return Ok(answer.to_owned()),
                    Err(reason) => self.streams.note(&reason),
                },
            }
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
        let reason = match self.missing.as_slice() {
            [_] => "it is missing, and there is no terminal to ask at".to_owned(),
            all => format!(
                "there is no terminal to ask at, and these are missing: {}",
                all.join(", ")
            ),
        };
        Err(Error::flag(flag, reason))
    }
}
