//! The stable names of everything that can be wrong with a document, and the page about each.
//!
//! A code is a line of the table below and a page `codes/<name>.md`, which does not compile without each other. The pages of
//! a run's errors are in the same folder; `command::error` lists those.

use super::{page, table};

impl Code {
    /// The name: kebab-case, stable.
    pub const fn name(self) -> &'static str {
        self.page().name
    }

    /// The page about it.
    pub const fn page(self) -> Page {
        self.row()
    }

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

table! {
    /// What is wrong. A code is part of the program's interface: its name is printed, searched for and linked to. So a name
    /// never gets another meaning. One code is one rule.
    #[derive(Hash)]
    pub enum Code: Page {
        Syntax = page!("syntax");
        DuplicateKey = page!("duplicate-key");
        AmbiguousScalar = page!("ambiguous-scalar");
        WrongType = page!("wrong-type");
        UnknownField = page!("unknown-field");
        MissingField = page!("missing-field");
        UnknownValue = page!("unknown-value");
        NotAPeering = page!("not-a-peering");
        ClusterId = page!("cluster-id");
        SameCluster = page!("same-cluster");
        InvalidName = page!("invalid-name");
        NameTooLong = page!("name-too-long");
        InvalidText = page!("invalid-text");
        UnknownResource = page!("unknown-resource");
        InvalidLabel = page!("invalid-label");
        ReservedLabel = page!("reserved-label");
        StreamTooLarge = page!("stream-too-large");
        Cidr = page!("cidr");
        CidrHostBits = page!("cidr-host-bits");
        CidrOverlap = page!("cidr-overlap");
        Port = page!("port");
        Mtu = page!("mtu");
        InvalidAddress = page!("invalid-address");
        InvalidUrl = page!("invalid-url");
        Quantity = page!("quantity");
        LiqoVersion = page!("liqo-version");
        NewerLiqo = page!("newer-liqo");
        PublicKey = page!("public-key");
        Seed = page!("seed");
        Selector = page!("selector");
        Certificate = page!("certificate");
        KeysExchange = page!("keys-exchange");
        Unsigned = page!("unsigned");
        Subject = page!("subject");
        DuplicateName = page!("duplicate-name");
        DuplicatePeering = page!("duplicate-peering");
        ReservedNamespace = page!("reserved-namespace");
        NamespaceTaken = page!("namespace-taken");
        PortTaken = page!("port-taken");
        SealedFileReused = page!("sealed-file-reused");
        Disagreement = page!("disagreement");
        ClientAddress = page!("client-address");
        ServiceAnnotation = page!("service-annotation");
        PlaintextSecret = page!("plaintext-secret");
        UnusedFile = page!("unused-file");
        IgnoredFile = page!("ignored-file");
        Application = page!("application");
        ApplicationSetting = page!("application-setting");
        OutsidePools = page!("outside-pools");
    }
}

/// The page about a rule of documents, an error of a run, or a check of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// The name: kebab-case, stable, and used for no other page.
    pub name: &'static str,
    /// The page in Markdown. The first line is `# name: title`.
    pub text: &'static str,
    /// The folder of its file in the repository.
    pub folder: &'static str,
}

impl Page {
    /// The title in the first line.
    pub fn title(self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, title)| title)
    }
}
