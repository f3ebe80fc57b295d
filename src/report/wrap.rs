//! Long lines on a terminal.

/// Breaks lines that are longer than `columns` between words, and indents what follows as the line begins. A text between backticks
/// stays whole, so that a command can still be copied.
pub(crate) fn wrap(text: &str, columns: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.lines() {
        let words = line.trim_start_matches(' ');
        let indent = " ".repeat(line.len() - words.len());
        wrapped += &indent;
        let mut column = indent.len();
        for (index, unit) in split_units(words).iter().enumerate() {
            let width = count_columns(unit);
            if index > 0 && column + 1 + width > columns {
                wrapped += "\n";
                wrapped += &indent;
                column = indent.len();
            } else if index > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped += unit;
            column += width;
        }
        wrapped.push('\n');
    }
    wrapped
}

/// The words of a line; those between two backticks are one.
fn split_units(line: &str) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    let mut is_code = false;
    for word in line.split(' ') {
        match units.last_mut() {
            Some(unit) if is_code => *unit = format!("{unit} {word}"),
            _ => units.push(word.to_owned()),
        }
        is_code ^= word.matches('`').count() % 2 == 1;
    }
    units
}

/// The columns that a text takes: a colour takes none.
fn count_columns(text: &str) -> usize {
    let mut width = 0;
    let mut is_colour = false;
    for character in text.chars() {
        match (is_colour, character) {
            (false, '\x1b') => is_colour = true,
            (true, 'm') => is_colour = false,
            (true, _) => {}
            (false, _) => width += 1,
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_are_broken_between_words_and_never_in_a_command() {
        let text = "short\n  help: see `kubectl get pods -A` and the \x1b[1mlogs\x1b[0m of `a`/`b` in a cluster x\n";
        assert_eq!(
            wrap(text, 22),
            "short\n  help: see\n  `kubectl get pods -A`\n  and the \x1b[1mlogs\x1b[0m of\n  `a`/`b` in a cluster\n  x\n"
        );
        assert_eq!(wrap(text, 200), text);
        // what is too long is alone in its line
        let long = "  docs/howto/adopt.md or docs/teardown.md\n";
        let broken = "  docs/howto/adopt.md\n  or\n  docs/teardown.md\n";
        assert_eq!(wrap(long, 12), broken);
    }
}
