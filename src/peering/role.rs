//! The two sides of a peering.

use std::fmt;

/// Which cluster of a peering a stream is for. The consumer offloads pods, the provider runs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The cluster that offloads pods.
    Consumer,
    /// The cluster that runs them.
    Provider,
}

impl Role {
    /// Both, the consumer first.
    pub const BOTH: [Self; 2] = [Self::Consumer, Self::Provider];

    /// The words that name the roles.
    pub const WORDS: [&'static str; 2] = ["consumer", "provider"];

    /// The word for this role.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Consumer => "consumer",
            Self::Provider => "provider",
        }
    }

    /// The role that a word names, exactly.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|role| role.word() == word)
    }

    /// The other side.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::Consumer => Self::Provider,
            Self::Provider => Self::Consumer,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// One thing for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sides<T> {
    /// The consumer's.
    pub consumer: T,
    /// The provider's.
    pub provider: T,
}

impl<T> Sides<T> {
    /// The thing of one side.
    pub const fn of(&self, role: Role) -> &T {
        match role {
            Role::Consumer => &self.consumer,
            Role::Provider => &self.provider,
        }
    }

    /// Both things, each made for its side.
    pub fn make(mut make: impl FnMut(Role) -> T) -> Self {
        Self { consumer: make(Role::Consumer), provider: make(Role::Provider) }
    }
}
