//! Everyone who will be able to open a sealed file.

use crate::command::error::Error;
use crate::command::workstation::flags::RecipientFlags;
use crate::custody::{Named, Recipient};
use crate::input::file::Way;
use crate::input::file::{self, Links, shown_path_in_ascii, utf8};
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
            let bytes = file::read(path, CAP, Links::Follow).map_err(file::named(path))?;
            for (index, line) in utf8(&bytes).map_err(file::named(path))?.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    let place = format!("{}, line {}", shown_path_in_ascii(path), index + 1);
                    let recipient = recipient(line, "--recipients-file", &format!("{place}: "))?;
                    named.push(Named { recipient, place });
                }
            }
        }
        if named.is_empty() {
            let reason = "there is no recipient: give `age1…` (`age-keygen -y identity.txt` prints it), or a --recipients-file with one on each line";
            return Err(Error::Flag { flag: "--recipient", reason: reason.into() });
        }
        let lists = flags.recipients_files.iter();
        let of_checkouts = lists.filter(|list| Way::of(list).is_of_checkout()).cloned().collect();
        Ok(Self { named, of_checkouts })
    }
}

fn recipient(text: &str, flag: &'static str, place: &str) -> Result<Recipient, Error> {
    Recipient::parse(text).ok_or_else(|| {
        let what = if text.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
            "this is an identity, the secret half; `age-keygen -y` prints its recipient"
        } else {
            "this is not an age X25519 recipient (`age1` and 58 characters, as `age-keygen -y` prints it)"
        };
        Error::Flag { flag, reason: format!("{place}{what}") }
    })
}
