//! What `init` has to know, one row for each value: its flag, the question at a terminal, and an answer as an example.

use crate::diagnostic::Rule;
use crate::peering::values::{
    Address, Cidr, ClusterId, LiqoVersion, Namespace, PeeringName, Quantity, Role, SubjectName,
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
pub(super) const NAMESPACE: Question =
    Question::of::<Namespace>("--namespace", "A namespace whose pods the consumer offloads", "demo");

/// The questions about one of the clusters.
pub(super) struct OfCluster {
    pub(super) id: Question,
    pub(super) pod_cidrs: Question,
    pub(super) external_cidr: Question,
}

const OF_CONSUMER: OfCluster = OfCluster {
    id: Question::of::<ClusterId>("--consumer-id", "The consumer's cluster ID", "rome"),
    pod_cidrs: Question::of::<Cidr>(
        "--consumer-pod-cidr",
        "The consumer's pod CIDRs, with commas between them",
        "10.42.0.0/16",
    ),
    external_cidr: Question::of::<Cidr>(
        "--consumer-external-cidr",
        "The consumer's external CIDR, Liqo's own",
        "10.70.0.0/16",
    ),
};

const OF_PROVIDER: OfCluster = OfCluster {
    id: Question::of::<ClusterId>("--provider-id", "The provider's cluster ID", "milan"),
    pod_cidrs: Question::of::<Cidr>(
        "--provider-pod-cidr",
        "The provider's pod CIDRs, with commas between them",
        "10.52.0.0/16",
    ),
    external_cidr: Question::of::<Cidr>(
        "--provider-external-cidr",
        "The provider's external CIDR, Liqo's own",
        "10.70.0.0/16",
    ),
};

pub(super) const fn of_cluster(role: Role) -> &'static OfCluster {
    match role {
        Role::Consumer => &OF_CONSUMER,
        Role::Provider => &OF_PROVIDER,
    }
}

fn check<T: FromStr<Err = Rule>>(text: &str) -> Result<(), String> {
    items(text).try_for_each(|item| item.parse::<T>().map(|_| ()).map_err(reason))
}

/// The values of an answer.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

fn reason(Rule { message, help, .. }: Rule) -> String {
    help.map_or(message.clone(), |help| format!("{message}; {help}"))
}
