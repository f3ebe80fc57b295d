//! The README: its size, and that what it shows is what the program does.

use super::documentation::blocks;
use crate::harness::checkout::Checkout;
use crate::harness::objects::documents;
use crate::harness::terminal::Terminal;
use crate::harness::{ROLES, committed};
use std::fs;

/// A first screen, and not a manual.
#[test]
fn it_is_short() {
    let page = committed("README.md");
    let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(page.lines().count() <= 120, "{} lines", page.lines().count());
    assert!(long.is_empty(), "{long:?}");
}

/// Its document gives each cluster the kinds that it names.
#[test]
fn its_document_makes_these_kinds() {
    let page = committed("README.md");
    let checkout = Checkout::of(the_document(&page));
    for role in ROLES {
        let stream = checkout.plugin(role).run().stream().to_owned();
        let made: Vec<String> =
            documents(&stream).iter().map(|it| it["kind"].to_string().replace('"', "")).collect();
        let start = format!("- **{role}**: ");
        let (_, rest) = page.split_once(&start).expect("a list of kinds");
        let shown = rest.split("\n- ").next().and_then(|it| it.split("\n\n").next()).expect("its end");
        assert_eq!(shown.split_whitespace().collect::<Vec<_>>().join(" "), made.join(", "), "{role}");
    }
}

/// The mistake is in its document, and the message is the program's.
#[test]
fn its_message_is_what_the_mistake_shows() {
    let page = committed("README.md");
    let shown = blocks(&page, "text").concat();
    let folder = tempfile::tempdir().expect("a folder");
    let document = the_document(&page).replacen("10.42.0.0/16", "10.42.3.0/16", 1);
    fs::write(folder.path().join("peering.yaml"), document).expect("written");
    let command = ["generate", "--public", "--role", "consumer"];
    let seen = Terminal::of(100).run(&command, folder.path(), &[("NO_COLOR", "1")]);
    assert_eq!((seen.code, seen.shown.replace('\r', "").trim_end()), (Some(1), shown.trim_end()));
}

fn the_document(page: &str) -> String {
    blocks(page, "yaml").concat()
}
