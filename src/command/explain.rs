//! `explain`: prints the page of a code, or the list of all codes.
//!
//! A page's address is stable, because its code is: a file of the repository, and a page of the site that `.ci/site.py` builds. No host is
//! named, since a fork has another one.

use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Code, Page, nearest, quoted};
#[cfg(feature = "workstation")]
use crate::object::live::Check;
use clap::Args;

/// Explain a code
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering explain cidr-host-bits

docs/document.md has the fields of peering.yaml.")]
pub struct Explain {
    /// The code in brackets after `error`; without it all codes are listed
    pub code: Option<String>,
}

pub(crate) fn explain(arguments: &Explain, streams: &mut Streams<'_>) -> Result {
    let text = match &arguments.code {
        Some(name) => page(name).map_err(|reason| Error::flag("CODE", reason))?,
        None => list(),
    };
    streams.deliver(&text)
}

/// All pages: first those of a document's errors, then those of a run's errors, then those of `doctor`'s checks.
fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = Code::ALL.iter().copied().map(Code::page).collect();
    pages.extend(super::error::pages());
    #[cfg(feature = "workstation")]
    pages.extend(Check::ALL.iter().copied().map(Check::page));
    pages
}

/// The page of a code, and its address. The error names the nearest code, or says where all codes are listed.
fn page(code: &str) -> Result<String, String> {
    // the code as it is printed, or copied together with its level and brackets
    let bare = match code.split_once('[') {
        Some(("error" | "warning" | "note", bare)) => bare,
        _ => code,
    };
    let (bare, pages) = (bare.trim_matches(['[', ']', ':']), pages());
    if let Some(Page { name, text, folder }) = pages.iter().find(|page| page.name == bare) {
        let site = folder.rsplit('/').next().unwrap_or_default();
        return Ok(format!(
            "{text}\nThis page: {folder}/{name}.md and {site}/{name}.html\n"
        ));
    }
    let codes: Vec<&str> = pages.iter().map(|page| page.name).collect();
    let advice = match nearest(bare, &codes) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`argocd-peering explain` lists all of them".to_owned(),
    };
    Err(format!("there is no code {}; {advice}", quoted(code)))
}

/// The list of codes, each on a line with its page's title.
fn list() -> String {
    let pages = pages();
    let width = pages.iter().map(|page| page.name.len()).max();
    let width = width.unwrap_or_default();
    let mut list = String::new();
    for page in pages {
        list += &format!("{:width$}  {}\n", page.name, page.title());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::{list, page, pages};
    use std::collections::BTreeSet;

    #[test]
    fn no_code_has_two_meanings() {
        let codes: BTreeSet<&str> = pages().iter().map(|page| page.name).collect();
        assert_eq!(
            codes.len(),
            pages().len(),
            "a code is both a diagnostic's and an error's"
        );
    }

    #[test]
    fn a_code_is_found_as_it_is_copied() {
        for copied in ["cidr", "[cidr]", "error[cidr]", "error[cidr]:"] {
            assert!(
                page(copied).is_ok_and(|page| page.starts_with("# cidr: ")),
                "{copied}"
            );
        }
        let slip = page("cidr-hostbits").expect_err("no code");
        assert_eq!(
            slip,
            "there is no code `cidr-hostbits`; did you mean `cidr-host-bits`?"
        );
        let other = page("bananas").expect_err("no code");
        assert_eq!(
            other,
            "there is no code `bananas`; `argocd-peering explain` lists all of them"
        );
    }

    #[test]
    fn the_list_has_one_narrow_line_a_code() {
        assert_eq!(list().lines().count(), pages().len());
        assert!(list().starts_with("syntax "), "{}", list());
        let long: Vec<String> = list()
            .lines()
            .filter(|line| line.chars().count() > 90)
            .map(ToOwned::to_owned)
            .collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
