//! A page of the corpus, `tests/diagnostics/<code>.md`: what has this code, and what comes close and is right.
//!
//! ````text
//! # cidr-host-bits
//!
//! ## cidr-host-bits
//!
//! ```diff
//! -    podCIDRs: [10.42.0.0/16]
//! +    podCIDRs: [10.42.3.0/16]
//! ```
//!
//! ```text
//! error[cidr-host-bits]: …
//! ```
//!
//! ## Refused
//!
//! | in the good document | here | note |
//! | --- | --- | --- |
//! | `externalCIDR: 10.70.0.0/16` | `externalCIDR: 10.70.0.1/16` | |
//!
//! ## Taken
//! ````
//!
//! A case is an edit of the good document, `good.yaml`, and the screen of it; the first one's name is the code. A document
//! that is no edit is a block of `yaml`. In a block of `diff escaped` or `yaml escaped`, and in the tables, characters
//! may be written with a backslash. The documents of a fleet have names: a line with the name in backticks before the block,
//! or the name and `: the good document`.

use super::edit::{patched, replaced, unescaped};

/// A page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) cases: Vec<Written>,
    pub(super) refused: Vec<Row>,
    pub(super) taken: Vec<Row>,
}

/// A case as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) name: String,
    /// One, or those of a fleet.
    pub(super) documents: Vec<Text>,
    pub(super) screen: String,
}

/// A document as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Its file's name, in a fleet.
    file: Option<String>,
    /// The words behind the fence, and what is between the fences; none if it is the good document.
    block: Option<(String, String)>,
}

/// What is replaced in the good document, and by what, both as they are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    from: String,
    to: String,
    /// Why, if there is something to say.
    note: String,
}

const COLUMNS: &str = "| in the good document | here | note |\n| --- | --- | --- |\n";
const GOOD: &str = ": the good document";

impl Text {
    /// Its file's name and its text.
    pub(super) fn document(&self, good: &str) -> Result<(&str, String), String> {
        let text = match self.block.as_ref().map(|(kind, block)| (kind.as_str(), block)) {
            None => good.to_owned(),
            Some(("diff", diff)) => patched(good, diff)?,
            Some(("diff escaped", diff)) => patched(good, &unescaped(diff)?)?,
            Some(("yaml", text)) => text.clone(),
            Some(("yaml escaped", text)) => unescaped(text)?,
            Some((other, _)) => return Err(format!("a block of `{other}`, not of `diff` or `yaml`")),
        };
        Ok((self.file.as_deref().unwrap_or("peering.yaml"), text))
    }
}

impl Row {
    /// The document.
    pub(super) fn document(&self, good: &str) -> Result<String, String> {
        replaced(good, &unescaped(&self.from)?, &unescaped(&self.to)?)
    }

    /// What is written instead, which names the row.
    pub(super) fn name(&self) -> &str {
        &self.to
    }
}

impl Page {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut lines = Lines { rest: text, number: 0 };
        let outcome = Self::read(&mut lines);
        outcome.map_err(|why| format!("line {}: {why}", lines.number))
    }

    fn read(lines: &mut Lines<'_>) -> Result<Self, String> {
        let title = lines.next().and_then(|line| line.strip_prefix("# ")).ok_or("no title `# …`")?;
        let mut page = Self { title: title.to_owned(), cases: vec![], refused: vec![], taken: vec![] };
        while let Some(line) = lines.next_written() {
            let name = line.strip_prefix("## ").ok_or(format!("`{line}` is not a title `## …`"))?;
            let rows = match name {
                "Refused" => &mut page.refused,
                "Taken" => &mut page.taken,
                _ => {
                    let screen = page.case(name, lines)?;
                    page.cases.push(screen);
                    continue;
                }
            };
            if !rows.is_empty() {
                return Err(format!("there is another table `{name}`"));
            }
            *rows = lines.rows()?;
        }
        Ok(page)
    }

    fn case(&self, name: &str, lines: &mut Lines<'_>) -> Result<Written, String> {
        if self.cases.iter().any(|case| case.name == name) {
            return Err(format!("there is another case `{name}`"));
        }
        if !self.refused.is_empty() || !self.taken.is_empty() {
            return Err(format!("the case `{name}` comes after a table"));
        }
        let mut documents = Vec::new();
        loop {
            let line = lines.next_written().ok_or(format!("`{name}` has no screen"))?;
            let (file, line) = match line.strip_prefix('`').filter(|_| !line.starts_with("```")) {
                Some(named) => {
                    let (file, rest) = named.split_once('`').ok_or(format!("`{line}`: no backtick"))?;
                    if rest == GOOD {
                        documents.push(Text { file: Some(file.to_owned()), block: None });
                        continue;
                    }
                    if !rest.is_empty() {
                        return Err(format!("`{rest}` after the name of a file"));
                    }
                    (Some(file.to_owned()), lines.next_written().unwrap_or_default())
                }
                None => (None, line),
            };
            let kind = line.strip_prefix("```").ok_or(format!("`{line}` is no block"))?;
            let block = lines.block()?;
            if kind == "text" {
                if file.is_some() {
                    return Err("the name of a file before the screen".to_owned());
                }
                let several = documents.len() != 1;
                if several == documents.iter().any(|it| it.file.is_none()) {
                    return Err(format!("`{name}` has one document, or several that have names"));
                }
                return Ok(Written { name: name.to_owned(), documents, screen: block });
            }
            documents.push(Text { file, block: Some((kind.to_owned(), block)) });
        }
    }

    /// The page as a text, with these screens.
    pub(super) fn print(&self, mut screen: impl FnMut(&Written) -> String) -> String {
        let mut text = format!("# {}\n", self.title);
        for case in &self.cases {
            text += &format!("\n## {}\n\n", case.name);
            for Text { file, block } in &case.documents {
                match (file, block) {
                    (Some(file), None) => text += &format!("`{file}`{GOOD}\n\n"),
                    (Some(file), Some(_)) => text += &format!("`{file}`\n\n"),
                    (None, _) => {}
                }
                if let Some((kind, block)) = block {
                    text += &format!("```{kind}\n{block}```\n\n");
                }
            }
            text += &format!("```text\n{}```\n", screen(case));
        }
        for (title, rows) in [("Refused", &self.refused), ("Taken", &self.taken)] {
            if !rows.is_empty() {
                text += &format!("\n## {title}\n\n{COLUMNS}");
                for Row { from, to, note } in rows {
                    let blank = if note.is_empty() { "" } else { " " };
                    text += &format!("| `{from}` | `{to}` |{blank}{note} |\n");
                }
            }
        }
        text
    }
}

/// The lines of a page.
struct Lines<'t> {
    rest: &'t str,
    /// Of the last line that was read.
    number: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let line = self.peek()?;
        self.rest = self.rest.get(line.len() + 1..).unwrap_or_default();
        self.number += 1;
        Some(line)
    }

    fn peek(&self) -> Option<&'t str> {
        (!self.rest.is_empty()).then(|| self.rest.split('\n').next()).flatten()
    }

    /// The next line that is not empty.
    fn next_written(&mut self) -> Option<&'t str> {
        loop {
            match self.next()? {
                "" => {}
                line => return Some(line),
            }
        }
    }

    /// What is before the next fence.
    fn block(&mut self) -> Result<String, String> {
        let mut block = String::new();
        loop {
            match self.next().ok_or("a block without an end")? {
                "```" => return Ok(block),
                line if line.starts_with("```") => return Err(format!("`{line}` inside of a block")),
                line => block += &format!("{line}\n"),
            }
        }
    }

    /// The rows of a table.
    fn rows(&mut self) -> Result<Vec<Row>, String> {
        for (line, expected) in [self.next_written(), self.next()].into_iter().zip(COLUMNS.lines()) {
            if line != Some(expected) {
                return Err(format!("a table begins with `{expected}`"));
            }
        }
        let mut rows = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.starts_with('|')) {
            self.next();
            let cells = line.strip_prefix("| `").and_then(|it| it.strip_suffix('|')?.rsplit_once("` |"));
            let edit = cells.and_then(|(edit, note)| Some((edit.split_once("` | `")?, note)));
            let ((from, to), note) = edit.ok_or(format!("`{line}`: two texts in backticks and a note"))?;
            let row = Row { from: from.to_owned(), to: to.to_owned(), note: note.trim().to_owned() };
            if rows.iter().any(|it: &Row| (&it.from, &it.to) == (&row.from, &row.to)) {
                return Err(format!("`{line}` is there twice"));
            }
            rows.push(row);
        }
        if rows.is_empty() { Err("a table without rows".to_owned()) } else { Ok(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    const GOOD: &str = "a: 1\nb: 2\n";

    const PAGE: &str = "# code

## code

```diff
-a: 1
+a: 2
```

```text
error[code]: a
```

## of a fleet

`one.yaml`: the good document

`two.yaml`

```yaml escaped
a:\\t\\u{1}
```

```text
```

## Refused

| in the good document | here | note |
| --- | --- | --- |
| `a: 1\\n` | `c: \\|` | as `c` |

## Taken

| in the good document | here | note |
| --- | --- | --- |
| `a: 1` | `a: 3` | |
";

    #[test]
    fn a_page_is_read() {
        let page = Page::parse(PAGE).expect("a page");
        let documents = |at: usize| -> Vec<_> {
            page.cases[at].documents.iter().map(|it| it.document(GOOD).expect("a document")).collect()
        };
        assert_eq!(documents(0), [("peering.yaml", "a: 2\nb: 2\n".to_owned())]);
        assert_eq!(page.cases[0].screen, "error[code]: a\n");
        assert_eq!(documents(1), [("one.yaml", GOOD.to_owned()), ("two.yaml", "a:\t\u{1}\n".to_owned())]);
        assert_eq!(page.refused[0].document(GOOD).as_deref(), Ok("c: |b: 2\n"));
        assert_eq!(page.taken[0].document(GOOD).as_deref(), Ok("a: 3\nb: 2\n"));
    }

    #[test]
    fn a_page_is_printed_as_it_was_and_with_other_screens() {
        let page = Page::parse(PAGE).expect("a page");
        assert_eq!(page.print(|case| case.screen.clone()), PAGE);
        let other = page.print(|case| format!("{}!\n", case.name));
        assert_eq!(
            other,
            PAGE.replace("error[code]: a\n", "code!\n").replace("```text\n```", "```text\nof a fleet!\n```")
        );
    }

    #[test]
    fn what_is_no_page_is_refused_with_its_line() {
        for (from, to, complaint) in [
            ("# code\n\n", "", "line 1: no title"),
            ("## of a fleet", "of a fleet", "line 14: `of a fleet` is not a title"),
            ("## of a fleet", "## code", "there is another case `code`"),
            ("## Taken", "## Refused", "there is another table `Refused`"),
            ("## Taken", "## late", "the case `late` comes after a table"),
            ("```text\n```\n", "", "is no block"),
            ("`two.yaml`\n\n", "", "one document, or several that have names"),
            ("`one.yaml`: the good document\n\n", "", "one document, or several that have names"),
            ("`one.yaml`: the good document", "`one.yaml`: the god document", "after the name of a file"),
            ("`one.yaml`: the good document", "one.yaml", "is no block"),
            ("| `a: 1` | `a: 3` | |", "| a: 1 | a: 3 | |", "two texts in backticks"),
            ("| `a: 1` | `a: 3` | |", "| `a: 1` | `a: 3` |", "two texts in backticks"),
            ("| `a: 1` | `a: 3` | |\n", "", "a table without rows"),
            ("| `a: 1` | `a: 3` | |", "| `a: 1` | `a: 3` | |\n| `a: 1` | `a: 3` | why |", "is there twice"),
            (
                "| in the good document | here | note |\n| --- | --- | --- |\n| `a: 1` | `a: 3` | |",
                "| `a: 1` | `a: 3` | |",
                "a table begins",
            ),
            ("error[code]: a\n```\n", "error[code]: a\n", "````yaml escaped` inside of a block"),
        ] {
            assert_eq!(PAGE.matches(from).count().min(1), 1, "{from}");
            let text = PAGE.replacen(from, to, 1);
            let why = Page::parse(&text).expect_err(to);
            assert!(why.starts_with("line ") && why.contains(complaint), "{to:?}: {why}");
        }
        assert!(
            Page::parse("# code\n\n## code\n\n```diff\n").is_err_and(|why| why.contains("without an end"))
        );
        assert!(Page::parse("# code\n\n## code\n").is_err_and(|why| why.contains("no screen")));
    }

    #[test]
    fn documents_that_are_not_made_are_refused() {
        for (from, to, complaint) in [
            ("-a: 1", "-a: 3", "0 times"),
            ("```diff", "```patch", "`patch`"),
            ("```diff", "```diff escaped", ""),
            ("\\u{1}", "\\u{x}", "not a character"),
        ] {
            let page = Page::parse(&PAGE.replacen(from, to, 1)).expect("a page");
            let outcomes = page.cases.iter().flat_map(|case| &case.documents).map(|it| it.document(GOOD));
            let errors: Vec<String> = outcomes.filter_map(Result::err).collect();
            assert_eq!(errors.is_empty(), complaint.is_empty(), "{to}");
            assert!(errors.iter().all(|why| why.contains(complaint)), "{to}: {errors:?}");
        }
    }
}
