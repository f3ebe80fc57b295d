//! The way out: everything for people goes through here, and nowhere else is it masked as a whole.

use super::readable::Parts;
use super::seen::redacted;
use super::{Reading, masked};
use std::io::{self, Write};

/// A text as it leaves the process: without what could be key material, but for what is marked as readable, and without any
/// secret that this run has seen. Line by line: what counts over lines is masked where a document enters a text.
pub fn printed(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(text: &str) -> String {
    let parts = Parts::of(text);
    let text = masked(&parts.text, &parts.readable, Reading::Text);
    let mut whole = String::with_capacity(text.len());
    let mut from = 0;
    for (at, escape) in parts.escapes {
        // masking moves nothing
        whole += text.get(from..at).unwrap_or_default();
        whole += escape;
        from = at;
    }
    whole += text.get(from..).unwrap_or_default();
    without_commands(redacted(&whole))
}

/// GitHub and Azure Pipelines take `##[` and `##vso[` for commands wherever they are in the log of a job (actions/runner
/// `src/Runner.Common/ActionCommand.cs`); in `###[` the first `#` is left when one is parted, so it is done twice.
pub(crate) fn without_commands(text: String) -> String {
    if text.contains("##") { text.replace("##", "#\\#").replace("##", "#\\#") } else { text }
}

/// A writer that shows each line as [`printed`] does.
pub struct Redacting<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Redacting<W> {
    /// Hides secrets in what goes to this writer.
    pub const fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }

    fn pass(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let lines = std::mem::replace(&mut self.line, rest);
        self.inner.write_all(printed(&String::from_utf8_lossy(&lines)).as_bytes())
    }
}

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            self.pass(end + 1)?;
        }
        Ok(bytes.len())
    }

    /// What is left of a line goes too: a progress display has no line breaks.
    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.line.len())?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Redacting<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::super::readable::{readable, shown_name};
    use super::super::seen::remember;
    use super::{Redacting, printed};
    use std::io::Write as _;

    /// No other test opens or derives it.
    const KEY: &str = "pU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw=";

    /// A document's line is shown, and a job's log is read by the code host.
    #[test]
    fn a_text_gives_the_code_host_no_command() {
        for text in ["##[error]a", "a ###[group]b", "##vso[task.setvariable]x", "####[a"] {
            let shown = printed(text);
            assert!(!shown.contains("##"), "{shown}");
            assert!(shown.contains('['), "{shown}");
        }
        assert_eq!(printed("# a #[b]"), "# a #[b]");
    }

    #[test]
    fn what_was_seen_is_hidden() {
        remember("canary of redaction");
        remember("short");
        assert_eq!(printed("a canary of redaction, short"), "a ***, short");
        let mut out = Vec::new();
        {
            let mut writer = Redacting::new(&mut out);
            // in pieces, as formatting writes
            let (all, half) = ("canary of redaction", "canary of");
            write!(writer, "one {all} two\nthree {half}").expect("memory");
            write!(writer, " redaction\nfour").expect("memory");
        }
        assert_eq!(String::from_utf8(out).expect("text"), "one *** two\nthree ***\nfour");
    }

    #[test]
    fn what_is_marked_stays_readable_and_the_rest_does_not() {
        let path = "/srv/Anna/work2/Infra2/liqo/rome-milan/prod";
        let text = format!("{}: {KEY}, not {KEY}\n", shown_name(path)).replacen(KEY, &readable(KEY), 1);
        assert_eq!(printed(&text), format!("{path}: {KEY}, not {}\n", "*".repeat(KEY.len())));
        assert_eq!(printed(&shown_name("peerings/rome-milan")), "peerings/rome-milan");
        assert_eq!(printed(&shown_name(&format!("a/{KEY}"))), format!("a/{}", "*".repeat(KEY.len())));
        // a name is one line
        assert_eq!(printed(&shown_name("a\nb\u{1b}[31m")), "a?b?[31m");
    }

    /// What is public is no part of a key, so the words beside it are none either.
    #[test]
    fn what_is_marked_hides_nothing_beside_it() {
        let path = "/tmp/.tmpnH3MJF/_cmp_server/5f0c6a52-3a0e-4b43-8f6e-2f6f6d1c7a11/list";
        let text = format!("note: {} is in a Git checkout: anyone can change it", shown_name(path));
        assert_eq!(printed(&text), format!("note: {path} is in a Git checkout: anyone can change it"));
        let halves = KEY.split_at(22);
        let text = format!("{} {} {}", halves.0, shown_name(path), halves.1);
        assert_eq!(printed(&text), format!("{} {path} {}", "*".repeat(22), "*".repeat(22)));
    }

    #[test]
    fn nobody_marks_from_outside() {
        let marked = readable(KEY);
        for text in [super::super::mask(&marked), super::super::mask_document(&marked), shown_name(&marked)] {
            assert!(!printed(&text).contains(KEY.get(20..30).expect("ASCII")), "{text}");
        }
    }

    #[test]
    fn colours_stay_where_they_are() {
        let text = format!("\u{1b}[1m\u{1b}[91merror\u{1b}[0m: {KEY}\u{1b}[38;5;12m |\u{1b}[0m");
        assert_eq!(printed(&text), text.replace(KEY, &"*".repeat(KEY.len())));
        for progress in ["\r12/345", "\r\u{1b}[K"] {
            assert_eq!(printed(progress), progress);
        }
        assert_eq!(printed("12\r345"), "12?345");
        assert_eq!(printed("\u{1b}]0;title\u{7} \u{1b}[2J"), "?]0;title? ?[2J");
    }
}
