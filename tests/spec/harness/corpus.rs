//! The corpus: what has each code, and what comes close and is right. A page a code, `tests/diagnostics/<code>.md`; see
//! [`page`] for its form.

mod edit;
mod page;

use std::sync::LazyLock;

use self::page::{Page, Row, Written};
use super::library::{self, Code, Error, Look, WorkstationError, printed};
use super::{read, root};
use crate::generated::Made;

/// A document without any problem, of which most of the others are edits.
pub(crate) const GOOD: &str = include_str!("../../diagnostics/good.yaml");

/// Where it is.
pub(crate) const GOOD_PATH: &str = "tests/diagnostics/good.yaml";

/// Where the pages are.
pub(crate) const FOLDER: &str = "tests/diagnostics";

/// Something wrong.
#[derive(Clone)]
pub(crate) struct Case {
    /// The page's code, and what is wrong in particular.
    pub(crate) name: String,
    pub(crate) code: String,
    /// One, or those of a fleet with their files' names.
    documents: Vec<(String, String)>,
}

impl Case {
    fn new(page: &Page, written: &Written) -> Self {
        let code = page.title.clone();
        let name = if written.name == code {
            code.clone()
        } else {
            format!("{code}: {}", written.name)
        };
        let document = |text: &page::Text| {
            let (file, text) = text
                .document(GOOD)
                .unwrap_or_else(|why| panic!("{name}: {why}"));
            (file.to_owned(), text)
        };
        Self {
            documents: written.documents.iter().map(document).collect(),
            name,
            code,
        }
    }

    fn of_row(page: &Page, row: &Row) -> Self {
        let name = format!("{}: {}", page.title, row.name());
        let text = row
            .document(GOOD)
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        Self {
            documents: vec![("peering.yaml".to_owned(), text)],
            name,
            code: page.title.clone(),
        }
    }

    /// Whether it is valid, and shown by `validate` alone.
    pub(crate) fn is_note(&self) -> bool {
        let mut notes = Code::ALL.iter().filter(|code| code.is_note());
        if self.is_fleet() {
            return notes.any(|code| code.name() == self.code);
        }
        library::check_file(self.text().as_bytes()).is_ok()
    }

    pub(crate) fn is_fleet(&self) -> bool {
        self.documents.len() > 1
    }

    /// Whether its files are those of a repository, and not only documents.
    pub(crate) fn is_repository(&self) -> bool {
        self.documents.iter().any(|(file, _)| file.contains('/'))
    }

    /// The document; of a fleet the last one, in which the problem is shown.
    pub(crate) fn text(&self) -> &str {
        &self.documents.last().expect("a case has a document").1
    }

    /// What is wrong.
    pub(crate) fn error(&self) -> Error {
        self.check().expect_err(&self.name)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_with(self.text())
    }

    /// What is wrong if [`Self::text`] is this.
    pub(crate) fn check_with(&self, text: &str) -> Result<(), Error> {
        let Some((_, others)) = self.documents.split_last().filter(|_| self.is_fleet()) else {
            library::check_file(text.as_bytes())?;
            return library::notes(text, &self.code);
        };
        let others = others
            .iter()
            .map(|(file, text)| (file.as_str(), text.as_str()));
        let last = self.documents.last().map(|(file, _)| (file.as_str(), text));
        let files: Vec<_> = others.chain(last).collect();
        let errors = if self.is_repository() {
            library::repository(&files, &self.code)
        } else {
            library::conflicts(&files)
        };
        let is_document =
            |(file, _): &&(String, String)| !file.contains('/') || file.ends_with("peering.yaml");
        let (wrong, peerings) = (
            errors.len(),
            self.documents.iter().filter(is_document).count(),
        );
        if errors.is_empty() {
            Ok(())
        } else {
            Err(WorkstationError::Invalid {
                errors,
                wrong,
                peerings,
                judged: library::Judged::default(),
            }
            .into())
        }
    }
}

/// A page a code of a document, by the codes' order; a screen that is out of date does not matter here.
fn pages() -> &'static [Page] {
    static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
        let page = |code: &Code| {
            let path = format!("{FOLDER}/{}.md", code.name());
            let page = Page::parse(&read(&root().join(&path)))
                .unwrap_or_else(|why| panic!("{path}, {why}"));
            assert_eq!(page.title, code.name(), "{path}: its title");
            assert_eq!(
                page.cases.first().map(|case| &case.name),
                Some(&page.title),
                "{path}: its first case"
            );
            page
        };
        Code::ALL.iter().map(page).collect()
    });
    &PAGES
}

/// Those that have a screen.
pub(crate) fn shown() -> Vec<Case> {
    let cases = pages()
        .iter()
        .flat_map(|page| page.cases.iter().map(move |case| Case::new(page, case)));
    cases.collect()
}

/// All of them: also those in the tables of what is refused.
pub(crate) fn all() -> Vec<Case> {
    let rows = pages()
        .iter()
        .flat_map(|page| page.refused.iter().map(move |row| Case::of_row(page, row)));
    shown().into_iter().chain(rows).collect()
}

/// What is next to something wrong, and right: a name and a document.
pub(crate) fn taken() -> Vec<(String, String)> {
    let taken = |page: &Page, row: &Row| {
        let Case {
            name,
            mut documents,
            ..
        } = Case::of_row(page, row);
        (name, documents.remove(0).1)
    };
    pages()
        .iter()
        .flat_map(|page| page.taken.iter().map(move |row| taken(page, row)))
        .collect()
}

/// A case by its name: the code, or `code: in particular`.
pub(crate) fn case(name: &str) -> Case {
    shown()
        .into_iter()
        .find(|case| case.name == name)
        .unwrap_or_else(|| panic!("no case {name}"))
}

/// The pages with the screens that the program makes now.
pub(crate) fn made() -> Vec<Made> {
    let made = |page: &Page| Made {
        path: format!("{FOLDER}/{}.md", page.title),
        text: page.print(|case| printed(&Case::new(page, case).error().screen(Look::PLAIN))),
    };
    pages().iter().map(made).collect()
}
