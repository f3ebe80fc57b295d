//! A line of a `.gitignore` or a `.gitattributes` (gitignore(5), gitattributes(5)), and the paths that it matches.

/// A line of such a file.
pub(super) struct Pattern {
    pub(super) line: usize,
    /// The parts between `/`. A single part gets `**` before it, since it matches at any depth.
    pub(super) parts: Vec<String>,
    pub(super) is_negated: bool,
    is_of_folders: bool,
    /// A macro with a filter, or a pattern in quotes: it is compared with no path.
    pub(super) is_unread: bool,
}

impl Pattern {
    /// None for an empty line or a comment.
    pub(super) fn of(line: usize, text: &str) -> Option<Self> {
        let text = if text.ends_with("\\ ") {
            text
        } else {
            text.trim_end_matches(' ')
        };
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let (is_negated, text) = text
            .strip_prefix('!')
            .map_or((false, text), |rest| (true, rest));
        let (is_of_folders, text) = text
            .strip_suffix('/')
            .map_or((false, text), |rest| (true, rest));
        let above = (!text.contains('/')).then_some("**");
        let text = text.strip_prefix('/').unwrap_or(text);
        let parts = above
            .into_iter()
            .chain(text.split('/'))
            .map(ToOwned::to_owned)
            .collect();
        Some(Self {
            line,
            parts,
            is_negated,
            is_of_folders,
            is_unread: false,
        })
    }

    /// The line as a pattern for filters. The last word about a filter counts.
    pub(super) fn of_filter(line: usize, text: &str) -> Option<Self> {
        let (pattern, words) = text.trim_start().split_once([' ', '\t'])?;
        let mut words = words.split_ascii_whitespace();
        let word = words
            .rfind(|it| it.trim_start_matches(['-', '!']).split('=').next() == Some("filter"))?;
        let is_unread = pattern.starts_with('"') || pattern.starts_with("[attr]");
        // Git accepts no negative pattern here
        let it = Self::of(line, pattern).filter(|_| !pattern.starts_with('!'))?;
        Some(Self {
            is_negated: !word.starts_with("filter="),
            is_unread,
            ..it
        })
    }

    /// Whether the pattern matches a path, which is relative to the pattern's folder.
    pub(super) fn is_about(&self, path: &[String], is_folder: bool) -> bool {
        if self.is_unread || self.is_of_folders && !is_folder {
            return false;
        }
        match (self.parts.as_slice(), path) {
            ([any, name], [.., last]) if any == "**" && name != "**" => {
                matches(name.as_bytes(), last.as_bytes())
            }
            (parts, path) => are_about(parts, path),
        }
    }
}

/// Whether the parts of a pattern match all parts of a path. `**` matches any number of folders.
fn are_about(parts: &[String], path: &[String]) -> bool {
    // for each number of the path's parts, whether the pattern's parts so far match them
    let mut reached = vec![false; path.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for (index, part) in parts.iter().enumerate() {
        // at the end it matches what is inside a folder, not the folder
        let least = usize::from(index + 1 == parts.len());
        let mut next = vec![false; path.len() + 1];
        for (at, _) in reached
            .iter()
            .enumerate()
            .filter(|(_, is_reached)| **is_reached)
        {
            if part == "**" {
                next.iter_mut().skip(at + least).for_each(|it| *it = true);
            } else if path
                .get(at)
                .is_some_and(|name| matches(part.as_bytes(), name.as_bytes()))
                && let Some(it) = next.get_mut(at + 1)
            {
                *it = true;
            }
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

/// Whether a pattern is a name: `*`, `?`, `[…]` and `\`, as fnmatch(3) has them.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // after the last `*`, and where it was tried
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() || at < pattern.len() {
        let byte = name.get(place).copied();
        let step = match (pattern.get(at), byte) {
            (Some(b'*'), _) => {
                star = Some((at + 1, place));
                at += 1;
                continue;
            }
            (Some(b'?'), Some(_)) => Some(1),
            (Some(b'['), Some(byte)) => class(pattern.get(at..).unwrap_or_default(), byte),
            (Some(b'\\'), Some(byte)) => (pattern.get(at + 1) == Some(&byte)).then_some(2),
            (Some(expected), Some(byte)) => (*expected == byte).then_some(1),
            _ => None,
        };
        match (step, star) {
            (Some(length), _) => (at, place) = (at + length, place + 1),
            (None, Some((after, tried))) if tried < name.len() => {
                star = Some((after, tried + 1));
                (at, place) = (after, tried + 1);
            }
            (None, _) => return false,
        }
    }
    true
}

/// The length of `[…]`, if a byte is of it.
fn class(pattern: &[u8], byte: u8) -> Option<usize> {
    let is_negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let begin = 1 + usize::from(is_negated);
    let (mut at, mut is_in) = (begin, false);
    // `]` first is itself
    while at == begin || *pattern.get(at)? != b']' {
        let rest = pattern.get(at..)?;
        let (length, is_one) = match rest {
            [b'[', b':', name @ ..] => {
                let length = name.windows(2).position(|two| two == b":]")?;
                (length + 4, is_of_class(name.get(..length)?, byte))
            }
            [b'\\', one, ..] => (2, *one == byte),
            [from, b'-', to, ..] if *to != b']' => (3, (*from..=*to).contains(&byte)),
            [one, ..] => (1, *one == byte),
            [] => return None,
        };
        (at, is_in) = (at + length, is_in || is_one);
    }
    (is_in != is_negated).then_some(at + 1)
}

/// (git `wildmatch.c`)
fn is_of_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => matches!(byte, b' '..=b'~'),
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => false,
    }
}
