//! The README: its size, and that what it shows is what the program does.

use super::documentation::blocks;
use crate::generated::{Made, PICTURE};
use crate::harness::{
    Checkout, ROLES, Repository, Run, Seen, Terminal, committed, documents, root,
};

/// Its document gives each cluster the kinds that it names.
#[test]
fn its_document_makes_these_kinds() {
    let page = committed("README.md");
    let checkout = Checkout::of(the_document(&page));
    for role in ROLES {
        let stream = checkout.plugin(role).run().stream().to_owned();
        let made: Vec<String> = documents(&stream)
            .iter()
            .map(|it| it["kind"].to_string().replace('"', ""))
            .collect();
        let start = format!("- **{role}**: ");
        let (_, rest) = page.split_once(&start).expect("a list of kinds");
        let shown = rest
            .split("\n- ")
            .next()
            .and_then(|it| it.split("\n\n").next())
            .expect("its end");
        assert_eq!(
            shown.split_whitespace().collect::<Vec<_>>().join(" "),
            made.join(", "),
            "{role}"
        );
    }
}

/// What it shows of the output is in the output, in this order.
#[test]
fn its_output_is_the_programs() {
    let shown = blocks(&committed("README.md"), "text").concat();
    let mut printed = String::new();
    for role in ROLES {
        let command = [
            "generate",
            "examples/quickstart",
            "--public",
            "--role",
            role,
        ];
        printed += Run::new(command).within(root()).run().stream();
    }
    let mut rest = printed.as_str();
    for part in shown.split("…\n").filter(|part| !part.is_empty()) {
        let found = rest.split_once(part);
        (_, rest) = found.unwrap_or_else(|| panic!("not in the output, or earlier: {part}"));
    }
}

/// What its picture shows was printed on a terminal.
#[test]
fn its_picture_is_of_a_run() {
    PICTURE.is_current();
    let Made { path, text } = made().remove(0);
    let is_shown = committed("README.md").contains(&path);
    assert!(
        is_shown
            && text.contains("diff peerings --from main")
            && text.contains("Interrupts traffic")
    );
}

/// A hazard that is named before it is pushed: a changed port of the README's document, on a terminal.
pub(crate) fn made() -> Vec<Made> {
    const FOLDER: &str = "peerings/consumer-provider";
    let repository = Repository::new(FOLDER);
    let document = format!("{FOLDER}/peering.yaml");
    repository.write(&document, the_document(&committed("README.md")));
    repository.commit();
    repository.edit(&document, "nodePort: 32750", "nodePort: 32751");
    let command = ["diff", "peerings", "--from", "main"];
    let path = std::env::var("PATH").expect("a PATH");
    let Seen { shown, .. } =
        Terminal::of(COLUMNS)
            .whole()
            .run(&command, &repository.root(), &[("PATH", &path)]);
    let screen = format!(
        "\x1b[1m$\x1b[0m argocd-peering {}\n{}",
        command.join(" "),
        shown.replace('\r', "")
    );
    let drawn = anstyle_svg::Term::new()
        .min_width_px(0)
        .render_svg(screen.trim_end());
    vec![Made {
        path: "docs/pictures/terminal.svg".into(),
        text: described(&drawn),
    }]
}

/// A telephone shows so many in a readable size.
const COLUMNS: u16 = 46;

/// With what every picture here has: words for people who cannot see it, and a size that fits the page. A terminal is dark on
/// any screen.
fn described(drawn: &str) -> String {
    const WORDS: &str = "<title id=\"t\">A command on a terminal</title>\n  <desc id=\"d\">diff names each object that a change of a port \
                         touches, and that it interrupts traffic.</desc>\n  <style>@media (prefers-color-scheme: dark) { svg { color-scheme: dark; } }</style>";
    // of the old palette, dark red and brown can hardly be read on black
    let drawn = &drawn
        .replace("#AA0000", "#FF7B72")
        .replace("#AA5500", "#E3B341")
        .replace("#5555FF", "#79C0FF");
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
