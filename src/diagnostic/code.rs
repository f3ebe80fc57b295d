//! The stable names of everything that can be wrong with a document.

/// Declares the codes from their one list: the type, the names, and [`Code::ALL`].
macro_rules! codes {
    ($(#[$doc:meta])* pub enum Code { $( $(#[$code_doc:meta])* $code:ident = $name:literal, )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $( $(#[$code_doc])* $code, )*
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// The name: kebab-case, stable.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }
        }
    };
}

codes! {
    /// What is wrong. A value of this type is part of the program's interface: its name is printed, searched
    /// for and linked to, so a name is never given to another meaning.
    pub enum Code {
        /// Not YAML, or more of it than a `peering.yaml` can need.
        Syntax = "syntax",
        /// The same key twice in one map.
        DuplicateKey = "duplicate-key",
        /// Anchors and aliases.
        Alias = "alias",
        /// More or less than one document in the file.
        DocumentCount = "document-count",
        /// A plain scalar that YAML 1.1 and YAML 1.2 read differently.
        AmbiguousScalar = "ambiguous-scalar",
        /// Another kind of value than the field takes.
        WrongType = "wrong-type",
        /// A field that does not exist.
        UnknownField = "unknown-field",
        /// A field that must be there.
        MissingField = "missing-field",
        /// A word outside a fixed set.
        UnknownValue = "unknown-value",
        /// `apiVersion` or `kind` of something else.
        NotAPeering = "not-a-peering",
        /// Not a Liqo cluster ID.
        ClusterId = "cluster-id",
        /// Both sides are one cluster.
        SameCluster = "same-cluster",
        /// Not a name that Kubernetes takes.
        InvalidName = "invalid-name",
        /// A name that is too long, or too long for the names that are built from it.
        NameTooLong = "name-too-long",
        /// A name of digits only, where Liqo's template engine makes a number of it.
        NumericName = "numeric-name",
        /// A text that is empty, too long, or not on one line.
        InvalidText = "invalid-text",
        /// A resource that Kubernetes does not know.
        UnknownResource = "unknown-resource",
        /// A label or annotation that Kubernetes refuses.
        InvalidLabel = "invalid-label",
        /// A label or annotation that Liqo, Argo CD or Kubernetes uses itself.
        ReservedLabel = "reserved-label",
        /// A label of a Node that Liqo sets to another value.
        NodeLabel = "node-label",
        /// More labels and annotations than an object should have.
        MetadataTooLarge = "metadata-too-large",
        /// Not an IPv4 network.
        Cidr = "cidr",
        /// Bits behind the prefix.
        CidrHostBits = "cidr-host-bits",
        /// Two networks of one cluster overlap.
        CidrOverlap = "cidr-overlap",
        /// Not a port, or one that its kind of Service cannot have.
        Port = "port",
        /// Not an MTU for a tunnel.
        Mtu = "mtu",
        /// Not an address that a gateway can use.
        InvalidAddress = "invalid-address",
        /// Not the URL of a server.
        InvalidUrl = "invalid-url",
        /// A URL with a user, and perhaps a password, in it.
        PasswordInUrl = "password-in-url",
        /// An address at which a pod reaches itself, or nothing.
        OwnAddress = "own-address",
        /// A field that the chosen kind of Service does not have.
        ServiceType = "service-type",
        /// Not a Kubernetes quantity.
        Quantity = "quantity",
        /// Not a Liqo version this program writes for.
        LiqoVersion = "liqo-version",
        /// A field that this Liqo version's CRD lacks.
        NewerLiqo = "newer-liqo",
        /// Not a `WireGuard` public key.
        PublicKey = "public-key",
        /// Not a sealed file's name.
        FileName = "file-name",
        /// A key generation that is none.
        KeyGeneration = "key-generation",
        /// A seed is missing where a key is needed, or given where none is.
        Seed = "seed",
        /// Not exactly one alternative.
        Alternatives = "alternatives",
        /// A selector that Kubernetes does not take, or that does not say what it selects.
        Selector = "selector",
        /// Not a certificate as Kubernetes writes it.
        Certificate = "certificate",
        /// A subject whose kind and name do not fit together.
        Subject = "subject",
        /// Two objects of one kind and name.
        DuplicateName = "duplicate-name",
        /// Two peerings of one name, or of the same two clusters.
        DuplicatePeering = "duplicate-peering",
        /// Two taints with one key and effect.
        DuplicateTaint = "duplicate-taint",
        /// A namespace that belongs to Kubernetes or to Liqo.
        ReservedNamespace = "reserved-namespace",
        /// A namespace that already has another use.
        NamespaceTaken = "namespace-taken",
        /// A Secret or an Identity that Liqo creates itself.
        SecretTaken = "secret-taken",
        /// A `ServiceAccount` that Liqo or Kubernetes creates itself.
        ServiceAccountTaken = "service-account-taken",
        /// A virtual node that Liqo creates itself.
        VirtualNodeTaken = "virtual-node-taken",
        /// A node port or a load balancer's address that another gateway has.
        PortTaken = "port-taken",
        /// A sealed file that is named for two purposes.
        SealedFileReused = "sealed-file-reused",
        /// Two peerings say different things of one cluster.
        Disagreement = "disagreement",
        /// A setting that has no effect here.
        UnusedSetting = "unused-setting",
        /// Offloading without authentication.
        MissingAuthentication = "missing-authentication",
        /// A virtual node of a `ResourceSlice` that the document does not have.
        UnknownSlice = "unknown-slice",
        /// A virtual node without the resources that every pod needs.
        MissingResources = "missing-resources",
        /// A list that needs at least one entry.
        EmptyList = "empty-list",
    }
}

impl Code {
    /// The code of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}
