//! How types and functions are called, and how much is said. Each list and each number here may only shrink: take out what
//! is renamed, and lower a number with each change that makes it smaller.

use super::sources::{is_test, lines, sources};
use super::tree::Tree;
use std::collections::BTreeMap;

/// Words that name a gap in a sentence and no thing, alone or together.
const FUNCTION_WORDS: &str = "a about above after again against all alone among an and any are around as asked at be \
     been before below beside between both but by check checked done down during each first for found from get given gone \
     got had has have here how if in into is it its last least left less made many more most much next no none not of off \
     on once one ones only onto or other out over own per put read rest said same seen shown since so some such taken than \
     that the there these this those through to too two under until up via was were what when where which while who whole \
     whom whose why with within without";

/// Participles and adjectives that name no thing alone.
const PARTICIPLES: &str = "changed declared described ended exchanged gives hidden holds kept known lacking looked \
     mends moved named need placed present reads related searched stated templated tries usual wanted way written";

/// Types that are called after such a word.
const BAD_TYPES: &str = "Check Shown";

/// Functions that are called after function words only, each with how many there are.
const BAD_FUNCTIONS: &str = "after=2 get=3 is_read=1";

/// What traits of Rust's own call their functions.
const OF_TRAITS: [&str; 2] = ["from", "next"];

/// Names that more than one type has.
const NAMES_TWICE: &str =
    "Error=3 Fields=3 Finding=2 Keys=2 Place=5 Seed=2 Side=6 Target=4 Texts=2 Value=5";

/// Closures with a parameter `it` that are longer than a line.
const LONG_CLOSURES: usize = 4;

/// Closures in a thousand lines of code, and words of text in them.
const CLOSURES: usize = 32;
const WORDS: usize = 449;

/// Texts of more than 25 words, and headlines of more than 12: the rest belongs to the page that each code has.
const LONG_TEXTS: usize = 15;
const LONG_HEADLINES: usize = 0;

/// What the program's sources say.
#[derive(Default)]
struct Wording {
    /// The names of the types, and of the functions, each with its files.
    types: BTreeMap<String, Vec<String>>,
    functions: BTreeMap<String, Vec<String>>,
    /// The texts, each with the code before it.
    texts: Vec<(String, String)>,
    closures: usize,
    long_closures: usize,
    lines: usize,
}

impl Wording {
    fn of_tree(tree: &Tree) -> Self {
        let mut all = Self::default();
        for (path, text) in sources(tree).filter(|(path, _)| !is_test(path)) {
            let kept: Vec<&str> = lines(text).into_iter().map(|(_, line)| line).collect();
            let (code, texts) = code_and_texts(&kept.join("\n"));
            all.texts.extend(texts);
            all.add_code(path, &code);
        }
        all
    }

    fn add_code(&mut self, path: &str, code: &str) {
        let path = path.to_owned();
        let all: Vec<&str> = code.lines().map(str::trim).collect();
        self.lines += all.iter().filter(|line| !line.is_empty()).count();
        for (index, line) in all.iter().enumerate() {
            let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            let mut names = line.split(|letter: char| !is_name(letter));
            while let Some(word) = names.next() {
                let table = match word {
                    "struct" | "enum" | "type" | "trait" => &mut self.types,
                    "fn" => &mut self.functions,
                    _ => continue,
                };
                if let Some(name) = names.next().filter(|name| !name.is_empty()) {
                    table.entry(name.to_owned()).or_default().push(path.clone());
                }
            }
            for (parameters, rest) in closures(line) {
                let follows = rest.is_empty() || (rest == "{" && all.get(index + 1).is_some());
                let has_it = parameters
                    .split(|letter| !is_name(letter))
                    .any(|name| name == "it");
                self.closures += 1;
                self.long_closures += usize::from(has_it && follows);
            }
        }
    }
}

/// The closures that begin in a line: their parameters, and what follows these.
fn closures(line: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = line[from..].find('|').map(|at| from + at) {
        let before = line[..start].trim_end();
        let begins =
            before.is_empty() || before.ends_with(['(', ',', '=', '{']) || before.ends_with("move");
        let Some(length) = line[start + 1..].find('|').filter(|_| begins) else {
            from = start + 1;
            continue;
        };
        let end = start + 1 + length;
        // a leading `|` of a pattern's alternatives is none
        if !before.is_empty() || line[end + 1..].trim_start().len() + 3 > line.len() - end {
            found.push((&line[start + 1..end], line[end + 1..].trim()));
        }
        from = end + 1;
    }
    found
}

/// The code without comments and texts, and the texts, each with the code before it.
fn code_and_texts(text: &str) -> (String, Vec<(String, String)>) {
    let (mut code, mut texts) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"', '\'', 'r']) {
        code.push_str(&rest[..start]);
        rest = &rest[start..];
        let first = rest.chars().next().expect("what was found");
        let raw = rest
            .strip_prefix('r')
            .filter(|_| !code.ends_with(|it: char| it.is_alphanumeric() || it == '_'));
        let hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = &rest[rest.find("*/").map_or(rest.len(), |end| end + 2)..];
        } else if raw.is_some_and(|raw| raw[hashes..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = &rest[hashes + 2..];
            let length = inside.find(&end).expect("the end of a raw string");
            code.push('\u{1}');
            rest = &inside[length + end.len()..];
        } else if first == '"' {
            let length = text_length(&rest[1..]);
            texts.push((rest[1..=length].to_owned(), code.trim_end().to_owned()));
            code.push('\u{1}');
            rest = &rest[length + 2..];
        } else if let Some(length) = character_length(rest) {
            code.push('\u{1}');
            rest = &rest[length..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code.push_str(rest);
    (code, texts)
}

/// The length of a text up to its closing quote.
fn text_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.find(|letter| {
        let is_end = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        is_end
    });
    end.expect("the end of a string")
}

/// The length of a character in quotes; a lifetime has none.
fn character_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let mut letters = inside.char_indices();
    let (_, first) = letters.next()?;
    let end = match first {
        '\\' => 2 + inside.get(2..)?.find('\'')?,
        _ => letters.next().filter(|(_, next)| *next == '\'')?.0,
    };
    Some(end + 2)
}

/// The words of a name: `PeeringName`, `peering_name`.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || letter == '_' {
            words.push(String::new());
        }
        words
            .last_mut()
            .expect("one")
            .extend(letter.to_lowercase().filter(|it| *it != '_'));
    }
    words.retain(|word| !word.is_empty());
    words
}

fn bare(name: &str) -> &str {
    name.split_once('=').map_or(name, |(name, _)| name)
}

fn is_gap(name: &str) -> bool {
    words_of_name(name)
        .iter()
        .all(|word| FUNCTION_WORDS.split(' ').any(|it| it == word))
}

/// What stands in the sources and in no list, and what stands in a list alone. An entry with a number stands for at most so many.
fn compared(found: &[String], list: &str, what: &str) -> Vec<String> {
    let number = |name: &str| {
        name.split_once('=')
            .map_or(1, |(_, number)| number.parse().expect("a number"))
    };
    let listed: BTreeMap<&str, usize> = list
        .split_whitespace()
        .map(|it| (bare(it), number(it)))
        .collect();
    let most = |name: &str| listed.get(bare(name)).copied().unwrap_or_default();
    let new = found.iter().filter(|it| number(it) > most(it));
    let mut problems: Vec<_> = new.map(|it| format!("{it}: {what}")).collect();
    let gone = listed
        .keys()
        .filter(|name| found.iter().all(|it| bare(it) != **name));
    problems
        .extend(gone.map(|name| format!("{name} is gone: take it out of its list in wording.rs")));
    problems
}

/// What is more than a number.
fn counted(number: usize, most: usize, what: &str) -> Vec<String> {
    let problem =
        (number > most).then(|| format!("{number} {what}, and at most {most} may be: say less"));
    problem.into_iter().collect()
}

pub(crate) fn types(tree: &Tree) -> Vec<String> {
    let all = Wording::of_tree(tree).types;
    let is_bad =
        |name: &&String| is_gap(name) || PARTICIPLES.split(' ').any(|it| it == name.to_lowercase());
    let bad: Vec<String> = all.keys().filter(is_bad).cloned().collect();
    compared(
        &bad,
        BAD_TYPES,
        "a type is a noun that is understood without the sentence around it",
    )
}

pub(crate) fn functions(tree: &Tree) -> Vec<String> {
    let all = Wording::of_tree(tree).functions;
    let bad = all
        .iter()
        .filter(|(name, _)| is_gap(name) && !OF_TRAITS.contains(&name.as_str()));
    compared(
        &with_counts(bad),
        BAD_FUNCTIONS,
        "a function is a verb and its noun, or says what it returns",
    )
}

/// Names with the number of their files, as the lists have them.
fn with_counts<'n>(names: impl Iterator<Item = (&'n String, &'n Vec<String>)>) -> Vec<String> {
    names
        .map(|(name, files)| format!("{name}={}", files.len()))
        .collect()
}

pub(crate) fn type_names(tree: &Tree) -> Vec<String> {
    let all = Wording::of_tree(tree).types;
    // a trait's type, as of `FromStr`
    let twice = all
        .iter()
        .filter(|(name, files)| files.len() > 1 && *name != "Err");
    compared(
        &with_counts(twice),
        NAMES_TWICE,
        "types of one name: one word, one meaning",
    )
}

pub(crate) fn closure_counts(tree: &Tree) -> Vec<String> {
    let all = Wording::of_tree(tree);
    let mut problems = counted(
        all.long_closures,
        LONG_CLOSURES,
        "closures of several lines have a parameter `it`",
    );
    problems.extend(counted(
        all.closures * 1000 / all.lines,
        CLOSURES,
        "closures in a thousand lines",
    ));
    problems
}

pub(crate) fn word_counts(tree: &Tree) -> Vec<String> {
    let all = Wording::of_tree(tree);
    let sentences = all.texts.iter().filter(|(text, _)| text.contains(' '));
    let words: usize = sentences.map(|(text, _)| count_words(text)).sum();
    let long = all
        .texts
        .iter()
        .filter(|(text, _)| count_words(text) > 25)
        .count();
    let is_headline = |before: &str| {
        ["error(", "message =", "message = format!("]
            .iter()
            .any(|it| before.ends_with(it))
            || before.ends_with(',')
                && before
                    .rsplit('(')
                    .next()
                    .is_some_and(|it| it.trim_start().starts_with("Code::"))
    };
    let headlines = all
        .texts
        .iter()
        .filter(|(text, before)| is_headline(before) && count_words(text) > 12);
    let mut problems = counted(
        words * 1000 / all.lines,
        WORDS,
        "words of text in a thousand lines",
    );
    problems.extend(counted(long, LONG_TEXTS, "texts have more than 25 words"));
    problems.extend(counted(
        headlines.count(),
        LONG_HEADLINES,
        "headlines have more than 12 words",
    ));
    problems
}

/// The words of a text; what is in backticks or in braces is one.
fn count_words(text: &str) -> usize {
    let mut plain = String::new();
    let mut inside = None;
    for letter in text.chars() {
        match (inside, letter) {
            (Some(end), _) if letter == end => inside = None,
            (Some(_), _) => {}
            (None, '`') => inside = Some('`'),
            (None, '{') => inside = Some('}'),
            _ => plain.push(letter),
        }
        if inside.is_some() && !plain.ends_with('x') {
            plain.push('x');
        }
    }
    plain
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '\'')
        .filter(|word| word.starts_with(char::is_alphabetic))
        .count()
}

/// A message is masked on its way out, so a text of the program must not look like a secret.
pub(crate) fn masked_texts(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (text, _) in Wording::of_tree(tree).texts {
        let is_message = text.contains(' ')
            && !text.contains("-----BEGIN")
            && !text.contains('\n')
            && !text.contains("\\n");
        if is_message && argocd_peering::testing::printed(&text) != text {
            problems.push(format!(
                "{text:?}: a part of this is masked when it is printed"
            ));
        }
    }
    problems
}
