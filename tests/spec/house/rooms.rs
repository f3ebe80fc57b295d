//! The rooms of `src`, from the top to the bottom: each imports only from those below it.

use super::sources::{is_test, lines, sources};
use super::tree::Tree;

/// What is in no room: `lib.rs` declares them, `testing` has what the tests call, and `playground` is another program's process.
const OUTSIDE: [&str; 3] = ["src/lib.rs", "src/testing.rs", "src/playground.rs"];

/// The order. `main` is the process.
const ORDER: [&str; 16] = [
    "main",
    "cli",
    "command",
    "report",
    "judge",
    "state",
    "stream",
    "custody",
    "rules",
    "peering",
    "object",
    "argocd",
    "document",
    "input",
    "diagnostic",
    "uri",
];

/// An import: where it is, the room that it is in, and the room that it is from.
struct Import<'t> {
    place: String,
    by: &'t str,
    from: &'static str,
}

/// What is imported from above, and modules that are in no room.
pub(crate) fn order(tree: &Tree) -> Vec<String> {
    let place = |room: &str| ORDER.iter().position(|it| *it == room);
    let mut problems = Vec::new();
    for (path, text) in sources(tree).filter(|(path, _)| !OUTSIDE.contains(path) && !is_test(path))
    {
        if place(room_of(path)).is_none() {
            problems.push(format!(
                "{path}: `{}` is not a room of tests/spec/house/rooms.rs",
                room_of(path)
            ));
        }
        for import in imports(path, text) {
            if place(import.from) < place(import.by) {
                let Import { place, by, from } = import;
                problems.push(format!(
                    "{place}: `{by}` imports from `{from}`, which is above it"
                ));
            }
        }
    }
    problems
}

/// The map of the rooms is the first thing that a reader sees.
pub(crate) fn map(tree: &Tree) -> Vec<String> {
    let text = tree.text("src/lib.rs").unwrap_or_default();
    let declared = text
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let described = |room: &&str| text.contains(&format!("//! - `{room}`: "));
    declared
        .filter(|room| !described(room))
        .map(|room| format!("src/lib.rs: `{room}` has no line"))
        .collect()
}

/// `src/rules/fleet.rs` is in `rules`, `src/rules.rs` as well.
pub(super) fn room_of(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    inside.split(['/', '.']).next().unwrap_or(inside)
}

/// All imports of a file from other rooms.
fn imports<'t>(path: &'t str, text: &str) -> Vec<Import<'t>> {
    let depth = path.trim_end_matches(".rs").split('/').skip(1).count();
    let code = code(text);
    let mut found = Vec::new();
    for (at, word) in ["crate::", "argocd_peering::", "super::"]
        .iter()
        .flat_map(|word| code.match_indices(word))
    {
        let (before, mut rest) = (&code[..at], &code[at + word.len()..]);
        if before.ends_with(|it: char| it.is_alphanumeric() || "_:".contains(it)) {
            continue; // the end of another word, or the middle of a path
        }
        let mut up = 1;
        while let Some(more) = rest.strip_prefix("super::") {
            (rest, up) = (more, up + 1);
        }
        if word == "super::" && up != depth {
            continue; // a path inside the room
        }
        let place = format!("{path}:{}", before.matches('\n').count() + 1);
        let rooms = ORDER
            .iter()
            .filter(|room| **room != room_of(path) && names(rest).contains(room));
        found.extend(rooms.map(|from| Import {
            place: place.clone(),
            by: room_of(path),
            from,
        }));
    }
    found
}

/// The code of a file, each line in its place: nothing where a comment or a test is.
pub(super) fn code(text: &str) -> String {
    let mut code = vec![""; text.lines().count()];
    for (number, line) in lines(text) {
        let comment = line.find("//").filter(|at| !line[..*at].ends_with(':'));
        code[number - 1] = &line[..comment.unwrap_or(line.len())];
    }
    code.join("\n")
}

/// The names that a path goes on with: one, or those between its braces.
fn names(path: &str) -> Vec<&str> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, it) in group.char_indices() {
        match it {
            ',' | '}' if depth == 0 => {
                names.push(word(group[start..at].trim_start()));
                start = at + 1;
                if it == '}' {
                    break;
                }
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

fn word(text: &str) -> &str {
    let end = text
        .find(|it: char| !it.is_alphanumeric() && it != '_')
        .unwrap_or(text.len());
    &text[..end]
}
