//! Everyone who will be able to open a sealed file.

use crate::command::error::Error;
use crate::command::workstation::flags::RecipientFlags;
use crate::custody::{Named, Recipient};
use crate::input::file::{Links, Way, read_text, shown_path_in_ascii};
use std::path::PathBuf;

/// A recipients file is small.
const CAP: u64 = 64 * 1024;

/// At least one.
pub(super) struct Receivers {
    pub(super) named: Vec<Named>,
    /// The files that name some and are of a checkout.
    pub(super) of_checkouts: Vec<PathBuf>,
}

impl Receivers {
    pub(super) fn new(flags: &RecipientFlags) -> Result<Self, Error> {
        let mut named = Vec::new();
        for flag in &flags.recipients {
            let recipient = recipient(flag.trim(), "--recipient", "")?;
            named.push(Named { recipient, place: "--recipient".into() });
        }
        for path in &flags.recipients_files {
            for (index, line) in read_text(path, CAP, Links::Follow)?.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    let place = format!("{}, line {}", shown_path_in_ascii(path), index + 1);
                    let recipient = recipient(line, "--recipients-file", &format!("{place}: "))?;
                    named.push(Named { recipient, place });
                }
            }
        }
        named.extend(flags.listed.iter().flat_map(|(_, named)| named).cloned());
        if named.is_empty() {
            let reason = "there is no recipient: give `age1…` (`age-keygen -y identity.txt` prints it), or a --recipients-file with one on each line";
            return Err(Error::flag("--recipient", reason));
        }
        let lists = flags.recipients_files.iter().chain(flags.listed.as_ref().map(|(file, _)| file));
        let of_checkouts = lists.filter(|list| Way::of(list).is_of_checkout()).cloned().collect();
        Ok(Self { named, of_checkouts })
    }
}

/// How texts begin that are no X25519 recipients, and what they are (C2SP `age.md`; age `cmd/age/parse.go`, parseRecipient; `tag` and
/// `pq` are of age 1.3).
const OTHER_KINDS: [(&str, &str); 15] = [
    ("AGE-SECRET-KEY-", "an identity, the secret half"),
    ("AGE-PLUGIN-", "an identity of an age plugin"),
    ("SSH-", "an SSH key"),
    ("ECDSA-SHA2-", "an SSH key"),
    ("SK-", "an SSH key of a hardware key"),
    ("GITHUB:", "a place of SSH keys"),
    ("HTTPS://", "a place of keys"),
    ("ARN:", "a key of a cloud's KMS"),
    ("- ", "an item of a YAML list"),
    ("\"", "a text in quotes"),
    ("AGE1PQ1", "a post-quantum recipient"),
    ("AGE1TAGPQ1", "a post-quantum recipient of a hardware key"),
    ("AGE1TAG1", "a recipient of a hardware key (`tag`)"),
    ("\u{feff}", "a line that begins with a byte order mark: save the file as UTF-8 without one"),
    ("-----BEGIN", "a key in PEM"),
];

fn recipient(text: &str, flag: &'static str, place: &str) -> Result<Recipient, Error> {
    Recipient::parse(text).ok_or_else(|| Error::flag(flag, format!("{place}this is {}", kind_of(text))))
}

/// What a text is that is not an X25519 recipient.
fn kind_of(text: &str) -> String {
    const EXPECTED: &str = "an age X25519 recipient (`age1` and 58 characters, as `age-keygen -y` prints it)";
    let upper = text.to_ascii_uppercase();
    // `age1NAME1…`: digits of Bech32 have no `1`
    let is_plugins =
        upper.strip_prefix("AGE1").is_some_and(|rest| rest.contains('1') && !rest.contains([' ', ',']));
    let is_commented =
        text.split_once(['#', ' ', ',']).is_some_and(|(first, _)| Recipient::parse(first.trim()).is_some());
    match OTHER_KINDS.iter().find(|(prefix, _)| upper.starts_with(prefix)) {
        Some((_, what)) => format!("{what}, and not {EXPECTED}"),
        None if is_plugins => format!("a recipient of an age plugin, and not {EXPECTED}"),
        None if is_commented => {
            "a recipient with other text on its line: a comment, or another recipient, has a line of its own"
                .to_owned()
        }
        None => format!("not {EXPECTED}"),
    }
}
