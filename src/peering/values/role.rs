//! The two sides of a peering.

use crate::document::words;

words! {
    /// A cluster's side of a peering. The consumer offloads pods, the provider runs them.
    Role {
        /// The cluster that offloads pods.
        Consumer = "consumer",
        /// The cluster that runs them.
        Provider = "provider",
    }
}

impl Role {
    /// Both, the consumer first.
    pub const BOTH: [Self; 2] = [Self::Consumer, Self::Provider];

    /// The role of this word, exactly.
    pub fn find(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|role| role.word() == word)
    }

    /// The other side.
    pub const fn peer(self) -> Self {
        match self {
            Self::Consumer => Self::Provider,
            Self::Provider => Self::Consumer,
        }
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

    /// The thing of one side.
    pub const fn of_mut(&mut self, role: Role) -> &mut T {
        match role {
            Role::Consumer => &mut self.consumer,
            Role::Provider => &mut self.provider,
        }
    }

    /// Both things, each made for its side.
    pub fn make(mut make: impl FnMut(Role) -> T) -> Self {
        Self { consumer: make(Role::Consumer), provider: make(Role::Provider) }
    }
}

impl<T> Sides<Option<T>> {
    /// Both things, if both exist.
    pub fn both(self) -> Option<Sides<T>> {
        Some(Sides { consumer: self.consumer?, provider: self.provider? })
    }
}
