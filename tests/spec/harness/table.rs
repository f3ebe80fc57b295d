//! Tables of cases, as files beside the tests that read them. Parts are between empty lines, `#` begins a comment, and the words of
//! a line have spaces between them: one that has a space itself, or the end of a line, is written as JSON.

/// The lines of each part.
pub(crate) fn parts(text: &'static str) -> Vec<Vec<&'static str>> {
    let lines = |part: &'static str| part.lines().filter(|line| !line.starts_with('#')).collect();
    text.split("\n\n")
        .map(lines)
        .filter(|it: &Vec<_>| !it.is_empty())
        .collect()
}

/// The lines that are neither empty nor a comment.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The rows of a table, and after the last ` => ` of each what is said of it.
pub(crate) fn rows(text: &'static str) -> Vec<(&'static str, &'static str)> {
    lines(text)
        .map(|line| {
            line.rsplit_once(" => ")
                .unwrap_or_else(|| panic!("no row: {line}"))
        })
        .collect()
}

/// The words of a line.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while !rest.is_empty() {
        let end = if rest.starts_with('"') {
            let mut json = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            words.push(
                json.next()
                    .expect("a word")
                    .unwrap_or_else(|error| panic!("{line}: {error}")),
            );
            json.byte_offset()
        } else {
            let end = rest.find(' ').unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            end
        };
        rest = rest[end..].trim_start();
    }
    words
}

/// A text after some changes: `replace A B`, of the first one only `first A B`; `append A`, `prepend A`, so many times
/// `repeat 400 A`; `is A`; the text itself so many times `times 3`.
pub(crate) fn changed(text: &str, changes: &[String]) -> String {
    let mut text = text.to_owned();
    let mut words = changes.iter();
    while let Some(how) = words.next() {
        let mut word = || {
            words
                .next()
                .unwrap_or_else(|| panic!("{changes:?}: a word is missing"))
        };
        text = match how.as_str() {
            "replace" | "first" => {
                let (from, to) = (word(), word());
                assert!(text.contains(from.as_str()), "{from:?} is not in:\n{text}");
                text.replacen(from, to, if how == "first" { 1 } else { usize::MAX })
            }
            "append" => format!("{text}{}", word()),
            "prepend" => format!("{}{text}", word()),
            "repeat" => {
                let count = word().parse().expect("a number");
                format!("{}{text}", word().repeat(count))
            }
            "is" => word().clone(),
            "times" => text.repeat(word().parse().expect("a number")),
            _ => panic!("{changes:?}: {how} is no change"),
        };
    }
    text
}
