//! The paths in Git's index (gitformat-index(5)): these files are committed, whatever is ignored.

use crate::input::file::{Links, ReadProblem, read};
use std::collections::HashSet;
use std::path::Path;

/// The most bytes of the file, and of the names in it.
const CAP: u64 = 64 << 20;

/// The paths of an index; `None` for another format, such as a split index.
pub(super) type Index = Option<HashSet<Vec<u8>>>;

pub(super) fn read_index(file: &Path) -> Index {
    match read(file, CAP, Links::Refuse) {
        // a new repository has no index
        Err(ReadProblem::Missing) if file.parent().is_some_and(Path::is_dir) => {
            Some(HashSet::new())
        }
        // the IDs are SHA-1 or SHA-256
        index => [20, 32]
            .into_iter()
            .find_map(|id| entries(index.as_ref().ok()?, id)),
    }
}

/// The names in an index whose object IDs have this many bytes.
fn entries(index: &[u8], id: usize) -> Index {
    let version =
        number(index, 4).filter(|it| index.starts_with(b"DIRC") && (2..=4).contains(it))?;
    let (mut at, mut name, mut names) = (12, Vec::new(), HashSet::new());
    let mut left = usize::try_from(CAP).ok()?;
    for _ in 0..number(index, 8)? {
        let flags = u16::from_be_bytes(*index.get(at + 40 + id..)?.first_chunk()?);
        let mut start = at + 42 + id + if flags & 0x4000 == 0 { 0 } else { 2 };
        let kept = if version == 4 {
            name.len().checked_sub(varint(index, &mut start)?)?
        } else {
            0
        };
        name.truncate(kept);
        let rest = index.get(start..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(rest.get(..length)?);
        // otherwise the index has longer IDs
        if name.len().min(0xfff) != usize::from(flags & 0xfff) {
            return None;
        }
        // version 4 stores a common beginning of names only once
        left = left.checked_sub(name.len())?;
        names.insert(name.clone());
        let end = start + length;
        at = if version == 4 {
            end + 1
        } else {
            at + ((end - at) / 8 + 1) * 8
        };
    }
    // the extensions before the checksum: with a split index the other entries are in another file, and a sparse index has folders
    while at + id < index.len() {
        let size = usize::try_from(number(index, at + 4)?).ok()?;
        if [b"link", b"sdir"]
            .iter()
            .any(|it| index.get(at..).is_some_and(|rest| rest.starts_with(*it)))
        {
            return None;
        }
        at = at.checked_add(8)?.checked_add(size)?;
    }
    Some(names)
}

fn number(index: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*index.get(at..)?.first_chunk()?))
}

/// A number in the encoding of git's `varint.c`.
fn varint(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut number = 0_usize;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number = number
            .checked_mul(128)?
            .checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some(number);
        }
        number += 1;
    }
}
