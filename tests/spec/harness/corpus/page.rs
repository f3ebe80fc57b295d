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
#[derive(Debug)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) cases: Vec<Written>,
    pub(super) refused: Vec<Row>,
    pub(super) taken: Vec<Row>,
}

/// A case as it is written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) name: String,
    /// One, or those of a fleet.
    pub(super) documents: Vec<Text>,
    pub(super) screen: String,
}

/// A document as it is written.
#[derive(Debug)]
pub(super) struct Text {
    /// Its file's name, in a fleet.
    file: Option<String>,
    /// The words behind the fence, and what is between the fences; none if it is the good document.
    block: Option<(String, String)>,
}

/// What is replaced in the good document, and by what, both as they are written.
#[derive(Debug)]
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
        let text = match self
            .block
            .as_ref()
            .map(|(kind, block)| (kind.as_str(), block))
        {
            None => good.to_owned(),
            Some(("diff", diff)) => patched(good, diff)?,
            Some(("diff escaped", diff)) => patched(good, &unescaped(diff)?)?,
            Some(("yaml", text)) => text.clone(),
            Some(("yaml escaped", text)) => unescaped(text)?,
            Some((other, _)) => {
                return Err(format!("a block of `{other}`, not of `diff` or `yaml`"));
            }
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
    /// A text is a page if it is printed as it was.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut sections = text.split("\n## ");
        let title = sections
            .next()
            .and_then(|it| it.strip_prefix("# "))
            .ok_or("no title `# …`")?;
        let mut page = Self {
            title: title.trim_end().to_owned(),
            cases: vec![],
            refused: vec![],
            taken: vec![],
        };
        for section in sections {
            let (name, body) = section.split_once('\n').unwrap_or((section, ""));
            match name {
                "Refused" => page.refused = rows(body)?,
                "Taken" => page.taken = rows(body)?,
                _ if page.cases.iter().any(|case| case.name == name) => {
                    return Err(format!("there is another case `{name}`"));
                }
                _ => page.cases.push(Written::read(name, body)),
            }
        }
        let printed = page.print(|case| case.screen.clone());
        if printed == text {
            return Ok(page);
        }
        let same = printed
            .split('\n')
            .zip(text.split('\n'))
            .take_while(|(one, other)| one == other);
        Err(format!(
            "line {}: a page does not have it so",
            same.count() + 1
        ))
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

impl Written {
    /// The blocks of a case; the last one of `text` is the screen.
    fn read(name: &str, body: &str) -> Self {
        let mut case = Self {
            name: name.to_owned(),
            documents: Vec::new(),
            screen: String::new(),
        };
        let mut file = None;
        for (at, part) in body.split("\n```").enumerate() {
            if at % 2 == 1 {
                let block = part
                    .split_once('\n')
                    .map(|(kind, block)| (kind.to_owned(), format!("{block}\n")));
                let (kind, block) = block.unwrap_or((part.to_owned(), String::new()));
                if kind == "text" {
                    case.screen = block;
                } else {
                    case.documents.push(Text {
                        file: file.take(),
                        block: Some((kind, block)),
                    });
                }
                continue;
            }
            for line in part.lines().filter(|line| !line.is_empty()) {
                let named = |name: &str| Some(name.trim_matches('`').to_owned());
                match line.strip_suffix(GOOD) {
                    Some(good) => case.documents.push(Text {
                        file: named(good),
                        block: None,
                    }),
                    None => file = named(line),
                }
            }
        }
        case
    }
}

/// The rows of a table.
fn rows(body: &str) -> Result<Vec<Row>, String> {
    let row = |line: &str| -> Result<Row, String> {
        let cells = line
            .strip_prefix("| `")
            .and_then(|it| it.strip_suffix('|')?.rsplit_once("` |"));
        let edit = cells.and_then(|(edit, note)| Some((edit.split_once("` | `")?, note)));
        let ((from, to), note) =
            edit.ok_or(format!("`{line}`: two texts in backticks and a note"))?;
        Ok(Row {
            from: from.to_owned(),
            to: to.to_owned(),
            note: note.trim().to_owned(),
        })
    };
    body.lines()
        .filter(|line| line.starts_with("| "))
        .skip(2)
        .map(row)
        .collect()
}
