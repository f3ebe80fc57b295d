//! Characters that cannot be seen, or that change what others look like.

use std::ops::RangeInclusive;

/// Unicode's control and format characters (general categories Cc, Cf, Zl, Zp), what it calls default ignorable
/// (`DerivedCoreProperties.txt`), and the one empty letter that neither has, U+2800. In the order of their codes.
///
/// A table, and no crate at run time: `icu_properties` would bring 35 more crates, some with unsafe code, and
/// `unicode-general-category` 49 KB and nothing about what is default ignorable. A test holds the table against the crate
/// `regex`, code by code, so a new release of Unicode fails it.
const UNSEEN: [RangeInclusive<char>; 28] = [
    '\0'..='\u{1f}',
    '\u{7f}'..='\u{9f}',
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether a character has no place in a name, and must not reach a terminal.
pub(crate) fn is_unseen(c: char) -> bool {
    if matches!(c, ' '..='~') {
        return false;
    }
    let at = UNSEEN.partition_point(|range| *range.end() < c);
    UNSEEN.get(at).is_some_and(|range| range.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::is_unseen;

    #[test]
    fn the_table_is_unicodes() {
        let pattern = r"^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]$";
        let unicodes = regex::Regex::new(pattern).expect("a pattern");
        let differ: Vec<String> = ('\0'..=char::MAX)
            .filter(|c| unicodes.is_match(c.encode_utf8(&mut [0; 4])) != is_unseen(*c))
            .map(|c| format!("U+{:04X}", u32::from(c)))
            .collect();
        assert_eq!(differ, [""; 0]);
    }
}
