//! Edits of a document: a part that is replaced, hunks of a diff, and characters that are written with a backslash.

/// The text with one part replaced, which must be in it once.
pub(super) fn replaced(text: &str, from: &str, to: &str) -> Result<String, String> {
    match text.matches(from).count() {
        1 => Ok(text.replacen(from, to, 1)),
        count => Err(format!(
            "{from:?} is in the document {count} times, and must be there once"
        )),
    }
}

/// The text with the hunks of a diff applied, which `@@` lines separate. Each hunk's old lines, those with a blank or `-`
/// before them, must be in the text once.
pub(super) fn patched(text: &str, diff: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for hunk in diff.split("@@\n") {
        let (mut old, mut new) = (String::new(), String::new());
        for line in hunk.split_inclusive('\n') {
            let (sign, rest) = line.split_at_checked(1).ok_or("an empty line")?;
            match sign {
                " " => {
                    old += rest;
                    new += rest;
                }
                "-" => old += rest,
                "+" => new += rest,
                _ => return Err(format!("{line:?} begins with none of a blank, `-` and `+`")),
            }
        }
        if old == new {
            return Err(format!("the hunk {hunk:?} changes nothing"));
        }
        // whole lines: `a: b` is not in `aa: b`
        let found = format!("\n{text}");
        text = replaced(&found, &format!("\n{old}"), &format!("\n{new}"))?.split_off(1);
    }
    Ok(text)
}

/// A text in which `\n`, `\t`, `\u{1}`, `\\` and `\|` are one character each, and `\repeat{1000}{[}` is many.
pub(super) fn unescaped(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain += before;
        let braces = |after: &str| -> Result<(String, usize), String> {
            let inner = after
                .strip_prefix('{')
                .and_then(|it| it.split_once('}'))
                .map(|(inner, _)| inner);
            inner
                .map(|it| (it.to_owned(), it.len() + 2))
                .ok_or(format!("`{text}`: braces are missing"))
        };
        rest = if let Some(after) = after.strip_prefix("repeat") {
            let (count, length) = braces(after)?;
            let (what, more) = braces(&after[length..])?;
            let count: usize = count
                .parse()
                .map_err(|_| format!("`{count}` is not a number"))?;
            plain += &unescaped(&what)?.repeat(count);
            &after[length + more..]
        } else if let Some(after) = after.strip_prefix('u') {
            let (digits, length) = braces(after)?;
            let c = u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32);
            plain.push(c.ok_or(format!("`{digits}` is not a character"))?);
            &after[length..]
        } else {
            let mut characters = after.chars();
            plain.push(match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(c @ ('\\' | '|')) => c,
                other => return Err(format!("`{text}`: `\\{}` is nothing", other.unwrap_or(' '))),
            });
            characters.as_str()
        };
    }
    Ok(plain + rest)
}
