//! EMIT: checks the stream, then writes it in one piece, or not at all.
//!
//! Argo CD prunes what a successful run leaves out, and shows a document without a `kind` in an error that everyone
//! sees. So a stream that is not complete is never written.
//!
//! The check needs no reader of YAML: a stream has only the few forms of lines that the templates write, and anything
//! else is refused. A test holds that a reader of YAML accepts whatever passes here.

use super::Plan;
use crate::diagnostic::Bug;
use crate::object::{Meta, SYNC_WAVE, inside};
use std::collections::BTreeSet;

/// Checks that a stream has all objects of the plan, each complete and once.
///
/// # Errors
/// Only for a bug in a template. Nothing of the stream is quoted.
pub fn check_stream(stream: &str, plan: &Plan) -> Result<(), Bug> {
    let body = stream.strip_prefix("---\n");
    let body = body.and_then(|body| body.strip_suffix('\n'));
    let mut documents = body.ok_or_else(not_the_plan)?.split("\n---\n");
    // of two objects with one name, Argo CD keeps the last and only warns
    let mut seen = BTreeSet::new();
    for manifest in &plan.manifests {
        let meta = manifest.meta();
        let mut lines = documents.next().ok_or_else(not_the_plan)?.splitn(4, '\n');
        let four = (lines.next(), lines.next(), lines.next(), lines.next());
        let (Some(version), Some(kind), Some("metadata:"), Some(rest)) = four else {
            return Err(Bug::new("no metadata"));
        };
        let fields = rest.strip_prefix(&meta.lines());
        let fields = fields.filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        let Some(fields) = fields.filter(|_| is_head(version, kind) && is_complete(meta)) else {
            return Err(Bug::new("an object is not the plan's"));
        };
        // the metadata was compared above and is not read again
        let head = [version, kind, "metadata: []"];
        if !are_one_record(head.into_iter().chain(fields.split('\n').skip(1))) {
            return Err(Bug::new("the stream does not read back"));
        }
        if !seen.insert((&meta.name, &meta.namespace, kind, version)) {
            return Err(Bug::new("two objects of one name"));
        }
    }
    documents.next().map_or(Ok(()), |_| Err(not_the_plan()))
}

fn not_the_plan() -> Bug {
    Bug::new("the stream is not the plan")
}

/// Whether an object begins with its version and its kind.
fn is_head(version: &str, kind: &str) -> bool {
    version.starts_with("apiVersion: \"")
        && kind.starts_with("kind: \"")
        && !version.ends_with(" \"\"")
        && !kind.ends_with(" \"\"")
}

/// Whether the metadata has what Argo CD and Liqo need, and no key twice. A user's label may be empty, a label that Liqo reads may not.
fn is_complete(meta: &Meta) -> bool {
    !meta.name.is_empty()
        && meta.annotations.iter().any(|(key, _)| key == SYNC_WAVE)
        && meta.labels.iter().all(has_its_value)
        && are_unique(&meta.labels)
        && are_unique(&meta.annotations)
}

fn has_its_value((key, value): &(String, String)) -> bool {
    !value.is_empty() || !key.contains("liqo.io/")
}

fn are_unique(pairs: &[(String, String)]) -> bool {
    let mut keys = BTreeSet::new();
    pairs.iter().all(|(key, _)| keys.insert(key))
}

/// A list or a record that is being read.
struct Block<'t> {
    column: usize,
    /// The keys so far; none for a list.
    keys: Option<BTreeSet<&'t str>>,
}

/// The blocks around a line, from the outermost.
struct OpenBlocks<'t> {
    open: Vec<Block<'t>>,
    /// Whether a key or a dash waits for its content. A field without a value reads as `null`, which the API server drops
    /// or refuses.
    waits: bool,
}

/// Whether the lines are one record in these forms, with no key twice and no field without a value.
fn are_one_record<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    let mut blocks = OpenBlocks {
        open: Vec::new(),
        waits: true,
    };
    let is_read = lines.all(|line| blocks.read_line(line).is_some());
    let outermost = blocks.open.first();
    is_read && !blocks.waits && matches!(outermost, Some(block) if block.keys.is_some())
}

impl<'t> OpenBlocks<'t> {
    /// Reads a line. None if the line is not allowed there.
    fn read_line(&mut self, line: &'t str) -> Option<()> {
        let mut text = line.trim_start_matches(' ');
        let mut column = line.len() - text.len();
        while let Some(item) = text.strip_prefix("- ") {
            self.begin(column, None)?;
            text = item;
            column += 2;
        }
        let Some((key, value)) = field(text) else {
            // an item on the line of its dash
            let is_item = column > line.len() - line.trim_start_matches(' ').len();
            self.waits = false;
            return (is_item && is_scalar(text)).then_some(());
        };
        self.begin(column, Some(key))?;
        self.waits = value.is_empty();
        let scalar = value.strip_prefix(' ');
        (self.waits || value == " []" || scalar.is_some_and(is_scalar)).then_some(())
    }

    /// Begins an item of a list, or a key of a record, at this column.
    fn begin(&mut self, column: usize, key: Option<&'t str>) -> Option<()> {
        if self.waits {
            let due = self.open.last().map_or(0, |around| around.column + 2);
            if column != due {
                return None;
            }
            let keys = key.is_some().then(BTreeSet::new);
            self.open.push(Block { column, keys });
        }
        self.open.retain(|block| block.column <= column);
        self.waits = true;
        let block = self.open.last_mut()?;
        match (&mut block.keys, key) {
            _ if block.column != column => None,
            (Some(keys), Some(key)) => keys.insert(key).then_some(()),
            (None, None) => Some(()),
            _ => None,
        }
    }
}

/// A key, and the text after its colon. A key without quotes is one of the program's own.
fn field(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('"') {
        let (key, value) = text.split_once(':')?;
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let bytes = key.as_bytes();
        let is_word = bytes.first().is_some_and(u8::is_ascii_alphabetic);
        return (is_word && bytes.iter().all(is_letter)).then_some((key, value));
    }
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    })?;
    let (key, value) = text.split_at_checked(end + 2)?;
    let value = value.strip_prefix(':')?;
    Some((inside(key)?, value))
}

fn is_scalar(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    inside(text).is_some()
        || matches!(text, "true" | "false")
        || !digits.is_empty() && digits.as_bytes().iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::{are_one_record, check_stream, is_complete};
    use crate::object::{Meta, SYNC_WAVE, Secret, SecretMeta};
    use crate::peering::networking::keys::KIND;
    use crate::stream::{Plan, render};

    fn passes(change: fn(SecretMeta) -> SecretMeta) -> bool {
        let meta = change(
            SecretMeta::new("name", "namespace")
                .label("a", 1)
                .annotation("b", 1),
        );
        let secret = Secret {
            meta: meta.sync(KIND.wave),
            kind: &KIND,
            secret_type: None,
            immutable: false,
            data: Vec::new(),
        };
        let plan = Plan {
            manifests: vec![secret.into()],
        };
        check_stream(&render(&plan).expect("a stream"), &plan).is_ok()
    }

    /// The metadata is compared with the plan's and not read again, so the plan's must be right.
    #[test]
    fn a_key_that_is_twice_in_metadata_is_refused() {
        assert!(passes(|meta| meta.label("b", 1).annotation("a", 1)));
        assert!(!passes(|meta| meta.label("a", 2)));
        assert!(!passes(|meta| meta.annotation("b", 2)));
    }

    #[test]
    fn an_object_without_what_argo_cd_and_liqo_go_by_is_not_whole() {
        for (is_one, name, (key, value), annotation) in [
            (true, "a", ("liqo.io/remote-cluster-id", "milan"), SYNC_WAVE),
            (true, "a", ("team", ""), SYNC_WAVE),
            (false, "", ("team", ""), SYNC_WAVE),
            (false, "a", ("liqo.io/remote-cluster-id", ""), SYNC_WAVE),
            (false, "a", ("team", ""), "note"),
        ] {
            let labels = vec![(key.to_owned(), value.to_owned())];
            let annotations = vec![(annotation.to_owned(), "1".to_owned())];
            let meta = Meta {
                labels,
                annotations,
                ..Meta::cluster(name)
            };
            assert_eq!(
                is_complete(&meta),
                is_one,
                "{name}, {key}: {value}, {annotation}"
            );
        }
    }

    #[test]
    fn a_key_is_a_word_or_in_quotes() {
        for line in [
            "a: 1",
            "a-b: 1",
            "\"a b\": 1",
            "\"a\\\"b\": 1",
            "\"a\\\\\": 1",
        ] {
            assert!(are_one_record([line].into_iter()), "{line}");
        }
        for line in [
            "a b: 1",
            "a.b: 1",
            "1a: 1",
            "-a: 1",
            ": 1",
            "\"a\\\": 1",
            "\"a\"b: 1",
        ] {
            assert!(!are_one_record([line].into_iter()), "{line}");
        }
    }
}
