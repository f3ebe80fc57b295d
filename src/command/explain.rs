//! `explain`: the page about a code, or the list of all codes.
//!
//! A page has an address that stays, because its code does: a file of the repository, and a page of the site that
//! `.ci/site.py` makes of it. No host is named: a fork has another one.

mod schema_field;

use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Code, Page, nearest, quoted};
use crate::object::live::Check;
use clap::Args;

/// Explain an error's code or a field of peering.yaml
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering explain cidr-host-bits
  argocd-peering explain spec.networking")]
pub struct Explain {
    /// The code in brackets after `error`, or a field of peering.yaml; without it all codes are listed
    pub code: Option<String>,
}

pub(crate) fn explain(arguments: &Explain, streams: &mut Streams<'_>) -> Result {
    let text = match &arguments.code {
        Some(name) => {
            let page = if schema_field::is_path(name) { schema_field::page(name) } else { page(name) };
            page.map_err(|reason| Error::flag("CODE", reason))?
        }
        None => list(),
    };
    streams.print(&text)
}

/// All pages: what can be wrong with a document first, then what can go wrong with a run, then what `doctor` checks.
fn pages() -> impl Iterator<Item = Page> {
    let documents = Code::ALL.iter().map(|code| code.page());
    documents.chain(Error::PAGES.iter().copied()).chain(checks())
}

#[cfg(feature = "workstation")]
fn checks() -> impl Iterator<Item = Page> {
    Check::ALL.iter().map(|check| check.page())
}

#[cfg(not(feature = "workstation"))]
fn checks() -> impl Iterator<Item = Page> {
    std::iter::empty()
}

/// Where a page is: the folder in the repository, and in the site.
fn place(name: &str) -> (&'static str, &'static str) {
    if checks().any(|check| check.name == name) {
        ("src/object/live/checks", "checks")
    } else {
        ("src/diagnostic/codes", "codes")
    }
}

/// What can be explained, for a shell: each code and each field.
pub(super) fn words() -> Vec<String> {
    pages().map(|page| page.name.to_owned()).chain(schema_field::paths()).collect()
}

/// The page about a code, and where it is. The error names the code that was probably meant, or says where all of them are
/// listed.
fn page(code: &str) -> Result<String, String> {
    // as it is printed, or as it is copied together with its word and brackets
    let word =
        ["error", "warning", "note"].into_iter().find_map(|word| code.strip_prefix(word)?.strip_prefix('['));
    let bare = word.unwrap_or(code).trim_matches(['[', ']', ':']);
    if let Some(Page { name, text }) = pages().find(|page| page.name == bare) {
        let (folder, site) = place(name);
        return Ok(format!(
            "{text}\nThis page: {folder}/{name}.md of the repository, {site}/{name}.html of the site\n"
        ));
    }
    let codes: Vec<&str> = pages().map(|page| page.name).collect();
    let advice = match (nearest(bare, &codes), schema_field::nearest_path(bare)) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some(path)) => format!("did you mean the field `{path}`?"),
        (None, None) => "`argocd-peering explain` lists all of them".to_owned(),
    };
    Err(format!("there is no code {}; {advice}", quoted(code)))
}

/// Each code with its page's title, one a line.
fn list() -> String {
    let width = pages().map(|page| page.name.len()).max().unwrap_or_default();
    let lines: Vec<String> =
        pages().map(|page| format!("{:width$}  {}\n", page.name, page.title())).collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::{list, page, pages};
    use std::collections::BTreeSet;

    #[test]
    fn no_code_has_two_meanings() {
        let codes: BTreeSet<&str> = pages().map(|page| page.name).collect();
        assert_eq!(codes.len(), pages().count(), "a code is both a diagnostic's and an error's");
    }

    #[test]
    fn a_code_is_found_as_it_is_copied() {
        for copied in ["cidr", "[cidr]", "error[cidr]", "error[cidr]:"] {
            assert!(page(copied).is_ok_and(|page| page.starts_with("# cidr: ")), "{copied}");
        }
        let slip = page("cidr-hostbits").expect_err("no code");
        assert_eq!(slip, "there is no code `cidr-hostbits`; did you mean `cidr-host-bits`?");
        let other = page("bananas").expect_err("no code");
        assert_eq!(other, "there is no code `bananas`; `argocd-peering explain` lists all of them");
    }

    #[test]
    fn the_list_has_one_narrow_line_a_code() {
        assert_eq!(list().lines().count(), pages().count());
        assert!(list().starts_with("syntax "), "{}", list());
        let long: Vec<String> =
            list().lines().filter(|line| line.chars().count() > 90).map(ToOwned::to_owned).collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
