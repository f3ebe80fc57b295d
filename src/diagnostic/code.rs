//! The stable names of everything that can be wrong with a document, and the page about each.
//!
//! A code is a line of the list below and a page `codes/<name>.md`, which does not compile without each other. The pages of
//! a run's errors are in the same folder; `command::error` lists those.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// Declares the codes from their one list: the type, the names, the pages, and [`Code::ALL`].
macro_rules! codes {
    ($(#[$doc:meta])* pub enum Code { $( $code:ident = $name:literal, )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $( #[doc = include_str!(concat!("codes/", $name, ".md"))] $code, )*
        }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// The name: kebab-case, stable.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }

            /// The page about it.
            pub const fn page(self) -> Page {
                let text = match self {
                    $(Self::$code => include_str!(concat!("codes/", $name, ".md")),)*
                };
                Page { name: self.name(), text, folder: CODES }
            }
        }
    };
}

impl Code {
    /// Whether a document with this problem is accepted: the problem is likely a mistake, but may be meant.
    pub const fn is_note(self) -> bool {
        matches!(
            self,
            Self::ClientAddress
                | Self::Unsigned
                | Self::ServiceAnnotation
                | Self::OutsidePools
                | Self::UnusedFile
                | Self::ApplicationSetting
        )
    }

    /// Whether some problems with this code are notes.
    pub const fn can_be_note(self) -> bool {
        self.is_note()
            || matches!(
                self,
                Self::DuplicateName
                    | Self::IgnoredFile
                    | Self::LiqoVersion
                    | Self::Mtu
                    | Self::SealedFileReused
            )
    }

    /// Whether the note only informs: there is nothing to correct in the document.
    pub const fn is_announcement(self) -> bool {
        matches!(self, Self::Unsigned)
    }
}

codes! {
    /// What is wrong. A code is part of the program's interface: its name is printed, searched for and linked to. So a name
    /// never gets another meaning. One code is one rule.
    pub enum Code {
        Syntax = "syntax",
        DuplicateKey = "duplicate-key",
        AmbiguousScalar = "ambiguous-scalar",
        WrongType = "wrong-type",
        UnknownField = "unknown-field",
        MissingField = "missing-field",
        UnknownValue = "unknown-value",
        NotAPeering = "not-a-peering",
        ClusterId = "cluster-id",
        SameCluster = "same-cluster",
        InvalidName = "invalid-name",
        NameTooLong = "name-too-long",
        InvalidText = "invalid-text",
        UnknownResource = "unknown-resource",
        InvalidLabel = "invalid-label",
        ReservedLabel = "reserved-label",
        StreamTooLarge = "stream-too-large",
        Cidr = "cidr",
        CidrHostBits = "cidr-host-bits",
        CidrOverlap = "cidr-overlap",
        Port = "port",
        Mtu = "mtu",
        InvalidAddress = "invalid-address",
        InvalidUrl = "invalid-url",
        Quantity = "quantity",
        LiqoVersion = "liqo-version",
        NewerLiqo = "newer-liqo",
        PublicKey = "public-key",
        Seed = "seed",
        Selector = "selector",
        Certificate = "certificate",
        KeysExchange = "keys-exchange",
        Unsigned = "unsigned",
        Subject = "subject",
        DuplicateName = "duplicate-name",
        DuplicatePeering = "duplicate-peering",
        ReservedNamespace = "reserved-namespace",
        NamespaceTaken = "namespace-taken",
        PortTaken = "port-taken",
        SealedFileReused = "sealed-file-reused",
        Disagreement = "disagreement",
        ClientAddress = "client-address",
        ServiceAnnotation = "service-annotation",
        PlaintextSecret = "plaintext-secret",
        UnusedFile = "unused-file",
        IgnoredFile = "ignored-file",
        Application = "application",
        ApplicationSetting = "application-setting",
        OutsidePools = "outside-pools",
    }
}

// The name of a finding in reports, and the page about it: a rule of documents, an error of a run, or a check of clusters. A doc comment
// would become the schema's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String")]
pub struct Page {
    /// The name: kebab-case, stable, and used for no other page.
    pub name: &'static str,
    /// The page in Markdown. The first line is `# name: title`.
    pub text: &'static str,
    /// The folder of its file in the repository.
    pub folder: &'static str,
}

/// The folder of the codes' pages.
pub(crate) const CODES: &str = "src/diagnostic/codes";

impl Page {
    /// The title in the first line.
    pub fn title(self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, title)| title)
    }
}

/// Only the name: `argocd-peering explain NAME` prints the text.
impl Serialize for Page {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
