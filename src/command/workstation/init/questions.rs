//! What `init` has to know, one row for each value: its flag, the question at a terminal, and an answer as an example.

use crate::command::workstation::init::Init;
use crate::diagnostic::Rule;
use crate::peering::values::{
    Address, Cidr, ClusterId, LiqoVersion, Namespace, PeeringName, Quantity, Role, Sides, SubjectName,
};
use std::str::FromStr;

pub(super) struct Question {
    pub(super) flag: &'static str,
    pub(super) text: &'static str,
    pub(super) example: &'static str,
    /// Whether a text is an answer, or several with commas between them; and why not.
    pub(super) check: fn(&str) -> Result<(), String>,
}

impl Question {
    const fn of<T: FromStr<Err = Rule>>(
        flag: &'static str,
        text: &'static str,
        example: &'static str,
    ) -> Self {
        Self { flag, text, example, check: check::<T> }
    }
}

pub(super) const NAME: Question = Question::of::<PeeringName>("--name", "The peering's name", "rome-milan");
pub(super) const LIQO_VERSION: Question =
    Question::of::<LiqoVersion>("--liqo-version", "The lowest Liqo on either cluster", "1.2");
pub(super) const GATEWAY_ADDRESS: Question = Question::of::<Address>(
    "--gateway-address",
    "The address at which the consumer reaches the provider's gateway",
    "203.0.113.7",
);
pub(super) const USER: Question =
    Question::of::<SubjectName>("--user", "User name in the consumer's credential", "rome");
pub(super) const CPU: Question =
    Question::of::<Quantity>("--cpu", "The CPUs that the consumer asks for", "4");
pub(super) const MEMORY: Question =
    Question::of::<Quantity>("--memory", "The memory that the consumer asks for", "8Gi");
pub(super) const NAMESPACES: Question = Question::of::<Namespace>(
    "--namespace",
    "The namespaces whose pods may run at the provider, with commas between them",
    "demo",
);
pub(super) const NEW_NAMESPACES: Question = Question {
    flag: "--create-namespaces",
    text: "Make these namespaces, and delete them with the peering? Type `yes` or `no`",
    example: "yes",
    check: is_yes_or_no,
};

/// A question about each of the clusters: the end of its flag, what it asks for, and an example for each.
macro_rules! of_each {
    ($kind:ty, $flag:literal, $what:literal, $consumer:literal, $provider:literal) => {
        Sides {
            consumer: Question::of::<$kind>(
                concat!("--consumer-", $flag),
                concat!("The consumer's ", $what),
                $consumer,
            ),
            provider: Question::of::<$kind>(
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
pub(super) static ID: Sides<Question> = of_each!(ClusterId, "id", "cluster ID", "rome", "milan");

/// The question about a fact of a cluster, and what its flag sets. One without a flag is taken where it is known.
pub(super) fn of_fact(field: &str, role: Role, flags: &Init) -> Option<(&'static Question, Option<String>)> {
    let joined = |all: &[String]| (!all.is_empty()).then(|| all.join(","));
    let (questions, given) = match (field, role) {
        ("podCIDRs", Role::Consumer) => (&PODS, joined(&flags.consumer_pod_cidrs)),
        ("podCIDRs", Role::Provider) => (&PODS, joined(&flags.provider_pod_cidrs)),
        ("externalCIDR", Role::Consumer) => (&EXTERNAL, flags.consumer_external_cidr.clone()),
        ("externalCIDR", Role::Provider) => (&EXTERNAL, flags.provider_external_cidr.clone()),
        _ => return None,
    };
    Some((questions.of(role), given))
}

fn check<T: FromStr<Err = Rule>>(text: &str) -> Result<(), String> {
    items(text).try_for_each(|item| item.parse::<T>().map(|_| ()).map_err(reason))
}

fn is_yes_or_no(text: &str) -> Result<(), String> {
    if ["yes", "no"].contains(&text) { Ok(()) } else { Err("type `yes` or `no`".to_owned()) }
}

/// The values of an answer.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

fn reason(Rule { message, help, .. }: Rule) -> String {
    help.map_or(message.clone(), |help| format!("{message}; {help}"))
}
