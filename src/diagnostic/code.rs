//! The stable names of everything that can be wrong with a document, and the page about each.
//!
//! A code is a line of the table below and a page `codes/<name>.md`, which does not compile without each other. The pages of
//! a run's errors are in the same folder; `command::error` lists those.

use super::{page, table};
use CodeLevel::{Announcement, Error, ErrorOrNote, Note};

impl Code {
    /// The name: kebab-case, stable.
    pub const fn name(self) -> &'static str {
        self.page().name
    }

    /// The page about it.
    pub const fn page(self) -> Page {
        self.row().0
    }

    /// Whether a document with this problem is accepted: the problem is likely a mistake, but may be meant.
    pub const fn is_note(self) -> bool {
        matches!(self.row().1, Note | Announcement)
    }

    /// Whether some problems with this code are notes.
    pub const fn can_be_note(self) -> bool {
        !matches!(self.row().1, Error)
    }

    /// Whether the note only informs: there is nothing to correct in the document.
    pub const fn is_announcement(self) -> bool {
        matches!(self.row().1, Announcement)
    }
}

/// The level of a code's problems.
#[derive(Debug, Clone, Copy)]
enum CodeLevel {
    /// The document is refused.
    Error,
    /// An error, unless the rule that finds it makes it a note.
    ErrorOrNote,
    /// The document is taken.
    Note,
    /// A note that no edit of the document removes.
    Announcement,
}

table! {
    /// What is wrong. A code is part of the program's interface: its name is printed, searched for and linked to. So a name
    /// never gets another meaning. One code is one rule.
    #[derive(Hash)]
    pub enum Code: (Page, CodeLevel) {
        Syntax = (page!("syntax"), Error);
        DuplicateKey = (page!("duplicate-key"), Error);
        AmbiguousScalar = (page!("ambiguous-scalar"), Error);
        WrongType = (page!("wrong-type"), Error);
        UnknownField = (page!("unknown-field"), Error);
        MissingField = (page!("missing-field"), Error);
        UnknownValue = (page!("unknown-value"), Error);
        NotAPeering = (page!("not-a-peering"), Error);
        ClusterId = (page!("cluster-id"), Error);
        SameCluster = (page!("same-cluster"), Error);
        InvalidName = (page!("invalid-name"), Error);
        NameTooLong = (page!("name-too-long"), Error);
        InvalidText = (page!("invalid-text"), Error);
        UnknownResource = (page!("unknown-resource"), Error);
        InvalidLabel = (page!("invalid-label"), Error);
        ReservedLabel = (page!("reserved-label"), Error);
        StreamTooLarge = (page!("stream-too-large"), Error);
        Cidr = (page!("cidr"), Error);
        CidrHostBits = (page!("cidr-host-bits"), Error);
        CidrOverlap = (page!("cidr-overlap"), Error);
        Port = (page!("port"), Error);
        Mtu = (page!("mtu"), ErrorOrNote);
        InvalidAddress = (page!("invalid-address"), Error);
        InvalidUrl = (page!("invalid-url"), Error);
        Quantity = (page!("quantity"), Error);
        LiqoVersion = (page!("liqo-version"), ErrorOrNote);
        NewerLiqo = (page!("newer-liqo"), Error);
        PublicKey = (page!("public-key"), Error);
        Seed = (page!("seed"), Error);
        Selector = (page!("selector"), Error);
        Certificate = (page!("certificate"), Error);
        KeysExchange = (page!("keys-exchange"), Error);
        Unsigned = (page!("unsigned"), Announcement);
        Subject = (page!("subject"), Error);
        DuplicateName = (page!("duplicate-name"), ErrorOrNote);
        DuplicatePeering = (page!("duplicate-peering"), Error);
        ReservedNamespace = (page!("reserved-namespace"), Error);
        NamespaceTaken = (page!("namespace-taken"), Error);
        PortTaken = (page!("port-taken"), Error);
        SealedFileReused = (page!("sealed-file-reused"), ErrorOrNote);
        Disagreement = (page!("disagreement"), Error);
        ClientAddress = (page!("client-address"), Note);
        ServiceAnnotation = (page!("service-annotation"), Note);
        PlaintextSecret = (page!("plaintext-secret"), Error);
        UnusedFile = (page!("unused-file"), Note);
        IgnoredFile = (page!("ignored-file"), ErrorOrNote);
        Application = (page!("application"), Error);
        ApplicationSetting = (page!("application-setting"), Note);
        OutsidePools = (page!("outside-pools"), Note);
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
