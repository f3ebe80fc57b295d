//! What each code means: the rule, why there is one and who says so, an example, and the way out.
//!
//! The one place for it: `argocd-peering explain` prints it, and `docs/diagnostics.md` is made from it. Every [`Code`]
//! has an arm in `document`, every error of a run an entry in `run`; a test holds the examples against the corpus in
//! `tests/diagnostics`.

mod document;
mod run;

use crate::diagnostic::{Code, nearest, quoted};

/// What a code means. All of it is plain text; `example` and `fix` keep their lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code, as it stands in brackets behind `error`.
    pub code: &'static str,
    /// What is right, in one sentence.
    pub rule: &'static str,
    /// Why: what Liqo, Kubernetes or Argo CD does otherwise.
    pub reason: &'static str,
    /// Who says so: files of the upstream repositories, RFCs.
    pub source: &'static str,
    /// A wrong excerpt of `peering.yaml`; for an error of a run the situation.
    pub example: &'static str,
    /// The same, mended; for an error of a run what to do.
    pub fix: &'static str,
}

/// All of them: what can be wrong with a document first, then what can go wrong with a run.
pub fn all() -> impl Iterator<Item = Explanation> {
    Code::ALL.iter().map(|code| of(*code)).chain(run::ALL.iter().copied())
}

/// What a diagnostic's code means.
#[must_use]
pub const fn of(code: Code) -> Explanation {
    document::of(code)
}

/// What a code means, whichever it is.
///
/// # Errors
/// With a message that names the code that was probably meant, or says where all of them are listed.
pub fn find(code: &str) -> Result<Explanation, String> {
    // as it is printed, or as it is copied together with its word and brackets
    let bare = code.trim_start_matches("error").trim_matches(['[', ']', ':']);
    all().find(|explanation| explanation.code == bare).ok_or_else(|| {
        let codes: Vec<&str> = all().map(|explanation| explanation.code).collect();
        let advice = match nearest(bare, &codes) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`argocd-peering explain` lists all of them".to_owned(),
        };
        format!("there is no code {}; {advice}", quoted(code))
    })
}

/// Each code with its rule, one a line.
#[must_use]
pub fn list() -> String {
    let width = all().map(|explanation| explanation.code.len()).max().unwrap_or_default();
    all().map(|it| format!("{:width$}  {}\n", it.code, it.rule)).collect::<Vec<_>>().concat()
}

impl Explanation {
    /// The whole of it as text, in lines of at most 80 characters where words allow it.
    #[must_use]
    pub fn text(&self) -> String {
        format!(
            "{}\n\n{}\n\n{}\n\nExample:\n\n{}\nFix:\n\n{}",
            wrapped(&format!("{}: {}", self.code, self.rule)),
            wrapped(self.reason),
            wrapped(&format!("Source: {}", self.source)),
            indented(self.example),
            indented(self.fix)
        )
    }
}

/// Words in lines of at most 80 characters.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Each line behind four spaces, each followed by a line break.
fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::{Explanation, all, find, list};
    use crate::command::error::Error;
    use std::collections::BTreeSet;

    #[test]
    fn every_error_of_a_run_is_explained_and_no_code_has_two_meanings() {
        let explained: BTreeSet<&str> = all().map(|it| it.code).collect();
        for code in Error::CODES {
            assert!(explained.contains(code), "{code}");
        }
        assert_eq!(explained.len(), all().count(), "a code is both a diagnostic's and an error's");
        assert_eq!(explained.len(), super::Code::ALL.len() + Error::CODES.len(), "a code that nothing has");
    }

    #[test]
    fn explanations_are_complete_sentences_of_plain_text() {
        for Explanation { code, rule, reason, source, example, fix } in all() {
            assert!(rule.ends_with('.') && reason.ends_with('.'), "{code}: sentences end with a full stop");
            assert!(rule.len() <= 160, "{code}: the rule is one line of a list");
            for text in [rule, reason, source, example, fix] {
                assert!(!text.is_empty() && text.trim() == text.trim_matches('\n'), "{code}: {text:?}");
            }
            for text in [rule, reason, source] {
                assert!(!text.contains('\n') && !text.contains("  "), "{code}: {text:?}");
            }
        }
    }

    #[test]
    fn a_code_is_found_as_it_is_copied() {
        for copied in ["cidr", "[cidr]", "error[cidr]", "error[cidr]:"] {
            assert_eq!(find(copied).map(|it| it.code), Ok("cidr"), "{copied}");
        }
        let slip = find("cidr-hostbits").expect_err("no code");
        assert_eq!(slip, "there is no code `cidr-hostbits`; did you mean `cidr-host-bits`?");
        let other = find("bananas").expect_err("no code");
        assert_eq!(other, "there is no code `bananas`; `argocd-peering explain` lists all of them");
    }

    #[test]
    fn the_list_has_one_line_a_code() {
        assert_eq!(list().lines().count(), all().count());
        assert!(list().starts_with("syntax "), "{}", list());
    }

    #[test]
    fn an_explanation_is_narrow() {
        for explanation in all() {
            let text = explanation.text();
            let long = text.lines().find(|line| line.chars().count() > 100 && line.contains(' '));
            assert_eq!(long, None, "{}", explanation.code);
        }
    }
}
