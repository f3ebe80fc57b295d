//! What is generated and committed: texts that the tests compare with what the program makes now.
//!
//! `UPDATE=1 cargo test --locked` rewrites all of it, in the order below, before any test reads it.

use std::cell::Cell;
use std::fs;
use std::sync::LazyLock;

use crate::harness::{files_below, root};
use crate::{argocd, cli, command, diagnostic, document, peering, stream};

/// How it is rewritten; every failure ends with it.
pub(crate) const ADVICE: &str =
    "if that is meant: `UPDATE=1 cargo test --locked`, and look at `git diff`";

/// Files that are made together.
pub(crate) struct Group {
    make: fn() -> Vec<Made>,
    /// What is shown of a line that is different.
    shown: fn(&str) -> &str,
}

/// A file, by its path from the root, and the text that it must have.
pub(crate) struct Made {
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) static GOLDEN: Group = Group {
    make: stream::golden::made,
    shown: stream::golden::key,
};
static SCHEMA: Group = Group {
    make: document::schema::made,
    shown: str::trim_end,
};
pub(crate) static REPORT: Group = Group {
    make: command::report::made,
    shown: str::trim_end,
};
pub(crate) static SCREENS: Group = Group {
    make: diagnostic::screens::made,
    shown: str::trim_end,
};
static PAGES: Group = Group {
    make: diagnostic::pages::made,
    shown: str::trim_end,
};
pub(crate) static RIGHTS: Group = Group {
    make: command::rights::made,
    shown: str::trim_end,
};
pub(crate) static REVIEW: Group = Group {
    make: command::diff::markdown::made,
    shown: str::trim_end,
};
/// After the golden streams and the schema, from which it is made.
static COVERAGE: Group = Group {
    make: peering::coverage::made,
    shown: str::trim_end,
};

/// After the schema, from which it is made.
static DOCUMENT: Group = Group {
    make: document::reference::made,
    shown: str::trim_end,
};
pub(crate) static PICTURE: Group = Group {
    make: cli::readme::made,
    shown: str::trim_end,
};
static COMMANDS: Group = Group {
    make: cli::reference::made,
    shown: str::trim_end,
};

/// After the golden streams, whose waves it reads.
static HEALTH: Group = Group {
    make: argocd::health::made,
    shown: str::trim_end,
};

/// All of them; each is made from those before it.
static ALL: [&Group; 12] = [
    &GOLDEN, &SCHEMA, &REPORT, &SCREENS, &PAGES, &RIGHTS, &REVIEW, &COVERAGE, &DOCUMENT, &COMMANDS,
    &HEALTH, &PICTURE,
];

impl Group {
    /// Fails if a committed file is another one. What was made.
    #[track_caller]
    pub(crate) fn is_current(&self) -> Vec<Made> {
        let (made, problems) = self.compared();
        assert!(problems.is_empty(), "\n{}\n{ADVICE}", problems.join("\n"));
        made
    }

    /// What was made, and where a committed file is another one.
    fn compared(&self) -> (Vec<Made>, Vec<String>) {
        settled();
        let made = (self.make)();
        let problems = made
            .iter()
            .filter_map(|made| self.compare(made).err())
            .collect();
        (made, problems)
    }

    fn compare(&self, made: &Made) -> Result<(), String> {
        let Made { path, text } = made;
        match fs::read_to_string(root().join(path)) {
            Ok(committed) if committed == *text => Ok(()),
            Ok(committed) => Err(format!(
                "{path}: it is another one now\n{}",
                lines(&committed, text, self.shown)
            )),
            Err(error) => Err(format!("{path}: {error}")),
        }
    }
}

/// The files below a folder that are not made, but for one.
pub(crate) fn left_over(made: &[Made], folder: &str, but: &str) -> Vec<String> {
    let below = files_below(&root().join(folder), "").into_iter();
    let paths = below.map(|it| {
        it.strip_prefix(root())
            .expect("below the root")
            .display()
            .to_string()
    });
    paths
        .filter(|path| path != but && made.iter().all(|made| made.path != *path))
        .collect()
}

/// Returns when everything generated is as it will be: at once, unless this is an update.
pub(crate) fn settled() {
    thread_local! { static UPDATING: Cell<bool> = const { Cell::new(false) } }
    static UPDATED: LazyLock<()> = LazyLock::new(|| {
        UPDATING.set(true);
        for group in ALL {
            for made in (group.make)() {
                write(&made);
            }
        }
        UPDATING.set(false);
    });
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    // one group reads what another one made
    if update && !UPDATING.get() {
        LazyLock::force(&UPDATED);
    }
}

/// Leaves a file alone that is as it should be.
fn write(made: &Made) {
    let file = root().join(&made.path);
    if fs::read(&file).ok().as_deref() != Some(made.text.as_bytes()) {
        fs::create_dir_all(file.parent().expect("it lies in a folder"))
            .expect("the folder is made");
        fs::write(&file, &made.text).unwrap_or_else(|error| panic!("{}: {error}", made.path));
    }
}

/// The lines from the first to the last that are other ones: `-` as committed, `+` as made now.
fn lines(committed: &str, made: &str, shown: fn(&str) -> &str) -> String {
    const MOST: usize = 20;
    let [old, new] = [committed, made].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let before = old.iter().zip(&new).take_while(same).count();
    let after = old[before..]
        .iter()
        .rev()
        .zip(new[before..].iter().rev())
        .take_while(same)
        .count();
    let mut text = format!("  line {}", before + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        let changed = &lines[before..lines.len() - after];
        text.extend(
            changed
                .iter()
                .take(MOST)
                .map(|line| format!("\n  {sign} {}", shown(line))),
        );
        if changed.len() > MOST {
            text += &format!("\n  {sign} … and {} more", changed.len() - MOST);
        }
    }
    text
}

/// The rest has a test beside what makes it.
#[test]
fn the_pages_are_current() {
    let groups = [&SCHEMA, &PAGES, &COVERAGE, &DOCUMENT, &COMMANDS, &HEALTH].into_iter();
    let problems: Vec<String> = groups.flat_map(|group| group.compared().1).collect();
    assert!(problems.is_empty(), "\n{}\n{ADVICE}", problems.join("\n"));
}
