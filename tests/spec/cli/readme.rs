//! The README: its size, and that what it shows is what the program does.

use super::documentation::blocks;
use crate::generated::{Made, PICTURE};
use crate::harness::checkout::Checkout;
use crate::harness::objects::documents;
use crate::harness::terminal::{Seen, Terminal};
use crate::harness::{ROLES, committed};
use std::fmt::Write as _;
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

/// What its picture shows was printed on a terminal.
#[test]
fn its_picture_is_of_a_run() {
    PICTURE.is_current();
    let Made { path, text } = made().remove(0);
    assert!(
        committed("README.md").contains(&path)
            && text.contains("cidr-host-bits")
            && text.contains("nterrupts")
    );
}

/// A mistake that is found, and a hazard that is named before it is pushed: in the README's document, on a terminal.
pub(crate) fn made() -> Vec<Made> {
    const FOLDER: &str = "peerings/consumer-provider";
    let good = the_document(&committed("README.md"));
    let temp = tempfile::tempdir().expect("a folder");
    for (folder, document) in [
        (FOLDER, good.replacen("10.42.0.0/16", "10.42.3.0/16", 1)),
        ("main", good.clone()),
        ("branch", good.replacen("nodePort: 32750", "nodePort: 32751", 1)),
    ] {
        let folder = temp.path().join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("peering.yaml"), document).expect("written");
    }
    let mut screen = String::new();
    for command in [["validate", FOLDER].as_slice(), &["diff", "main", "branch"]] {
        let Seen { shown, .. } = Terminal::of(COLUMNS).whole().run(command, temp.path(), &[]);
        let _ = write!(
            screen,
            "\x1b[1m$\x1b[0m argocd-peering {}\n{}\n",
            command.join(" "),
            shown.replace('\r', "")
        );
    }
    let drawn = anstyle_svg::Term::new().render_svg(&wrapped(screen.trim_end()));
    vec![Made { path: "docs/pictures/terminal.svg".into(), text: described(&drawn) }]
}

const COLUMNS: u16 = 96;

/// As a terminal breaks lines that are longer than it is wide; what colours them takes no place.
fn wrapped(screen: &str) -> String {
    let (mut text, mut column, mut is_escape) = (String::new(), 0, false);
    for c in screen.chars() {
        is_escape |= c == '\x1b';
        if !is_escape && c != '\n' && column == COLUMNS {
            text.push('\n');
            column = 0;
        }
        text.push(c);
        column = if c == '\n' { 0 } else { column + u16::from(!is_escape) };
        is_escape &= c != 'm';
    }
    text
}

/// With what every picture here has: words for people who cannot see it, and a size that fits the page. A terminal is dark on
/// any screen.
fn described(drawn: &str) -> String {
    const WORDS: &str = "<title id=\"t\">Two commands on a terminal</title>\n  <desc id=\"d\">validate names the line of a network \
                         with host bits, and diff names each object that a change of a port touches and that it interrupts \
                         traffic.</desc>\n  <style>@media (prefers-color-scheme: dark) { svg { color-scheme: dark; } }</style>";
    // of the old palette, dark red and brown can hardly be read on black
    let drawn =
        &drawn.replace("#AA0000", "#FF7B72").replace("#AA5500", "#E3B341").replace("#5555FF", "#79C0FF");
    let size = |name: &str| {
        let rest = drawn.split_once(&format!("{name}=\"")).expect("a size").1;
        rest.split("px").next().expect("pixels").to_owned()
    };
    let head = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"t d\" ",
        size("width"),
        size("height")
    );
    let (start, rest) = drawn
        .replacen("<svg ", &head, 1)
        .split_once(">\n")
        .map(|(one, two)| (one.to_owned(), two.to_owned()))
        .expect("lines");
    format!("{start}>\n  {WORDS}\n{}\n", rest.trim_end())
}

fn the_document(page: &str) -> String {
    blocks(page, "yaml").concat()
}
