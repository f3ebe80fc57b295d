//! The stable names of everything that can be wrong with a document.

/// What is wrong. A value of this type is part of the program's interface: its name is printed, searched
/// for and linked to, so a name is never given to another meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Not YAML, or more of it than a `peering.yaml` can need.
    Syntax,
    /// The same key twice in one map.
    DuplicateKey,
    /// Anchors and aliases.
    Alias,
    /// More or less than one document in the file.
    DocumentCount,
    /// A plain scalar that YAML 1.1 and YAML 1.2 read differently.
    AmbiguousScalar,
    /// Another kind of value than the field takes.
    WrongType,
    /// A field that does not exist.
    UnknownField,
    /// A field that must be there.
    MissingField,
    /// A word outside a fixed set.
    UnknownValue,
    /// `apiVersion` or `kind` of something else.
    NotAPeering,
    /// Not a Liqo cluster ID.
    ClusterId,
    /// Both sides are one cluster.
    SameCluster,
    /// Not a Kubernetes object name, or too long for what is made from it.
    Name,
    /// Not a label or annotation that Kubernetes takes.
    Label,
    /// Not an IPv4 network.
    Cidr,
    /// Bits behind the prefix.
    CidrHostBits,
    /// Two networks of one cluster overlap.
    CidrOverlap,
    /// Not a port, or one that its kind of Service cannot have.
    Port,
    /// Not an MTU for a tunnel.
    Mtu,
    /// Not an address that a gateway client can dial.
    Address,
    /// A field that the chosen kind of Service does not have.
    ServiceType,
    /// Not a Kubernetes quantity.
    Quantity,
    /// Not a Liqo version this program writes for.
    LiqoVersion,
    /// A field that this Liqo version's CRD lacks.
    NewerLiqo,
    /// Not a `WireGuard` public key.
    PublicKey,
    /// Not a sealed file's name.
    FileName,
    /// A key generation that is none.
    KeyGeneration,
    /// A seed is missing where a key is needed, or given where none is.
    Seed,
    /// Not exactly one alternative.
    Alternatives,
    /// Two things of one name.
    Duplicate,
    /// Two peerings say different things of one cluster.
    Disagreement,
    /// A part that does nothing without another one.
    Requires,
}

impl Code {
    /// The name: kebab-case, stable.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::DuplicateKey => "duplicate-key",
            Self::Alias => "alias",
            Self::DocumentCount => "document-count",
            Self::AmbiguousScalar => "ambiguous-scalar",
            Self::WrongType => "wrong-type",
            Self::UnknownField => "unknown-field",
            Self::MissingField => "missing-field",
            Self::UnknownValue => "unknown-value",
            Self::NotAPeering => "not-a-peering",
            Self::ClusterId => "cluster-id",
            Self::SameCluster => "same-cluster",
            Self::Name => "name",
            Self::Label => "label",
            Self::Cidr => "cidr",
            Self::CidrHostBits => "cidr-host-bits",
            Self::CidrOverlap => "cidr-overlap",
            Self::Port => "port",
            Self::Mtu => "mtu",
            Self::Address => "address",
            Self::ServiceType => "service-type",
            Self::Quantity => "quantity",
            Self::LiqoVersion => "liqo-version",
            Self::NewerLiqo => "newer-liqo",
            Self::PublicKey => "public-key",
            Self::FileName => "file-name",
            Self::KeyGeneration => "key-generation",
            Self::Seed => "seed",
            Self::Alternatives => "alternatives",
            Self::Duplicate => "duplicate",
            Self::Disagreement => "disagreement",
            Self::Requires => "requires",
        }
    }
}
