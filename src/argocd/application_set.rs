//! The ApplicationSet of `argocd-app`, known by its form. What any other set makes only Argo CD knows: `argocd appset generate` prints it.

use super::application::{Application, sources};
use super::plugin::calls_plugin;
use crate::argocd::{is_true, locate};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value};

/// A set in the form of argocd-app/applicationset.yaml: both roles of each folder `PARENT/CONSUMER/PROVIDER`.
#[derive(Debug)]
pub(crate) struct ApplicationSet {
    pub(crate) span: Span,
    /// Whether its Applications get no finalizer, so that their objects stay when the set is deleted (argo-cd
    /// `applicationset/utils/utils.go`, RenderTemplateParams).
    pub(crate) preserves: bool,
    /// What happens to Applications that it no longer generates.
    pub(crate) applications_sync: Option<Located<String>>,
    /// The folder above those of the consumers, from the root of the repository; empty for the root.
    pub(crate) parent: String,
    template: Node,
}

/// The most bytes of a template: it is filled in for each folder. That of argocd-app has one thousand.
const TEMPLATE_MAX: usize = 8 << 10;

impl ApplicationSet {
    /// The set; `None` if it has another form.
    pub(super) fn from_node(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        let template = spec.get("template")?;
        let is_plain = spec.get("goTemplate").is_some_and(is_true)
            && spec.get("templatePatch").is_none_or(Node::is_empty)
            && bytes(template) <= TEMPLATE_MAX;
        let matrix = only_entry(only_item(spec.items_of("generators"))?, "matrix")?;
        let [one, other] = only_entry(matrix, "generators")?.items() else {
            return None;
        };
        let list = only_entry(one, "list").or(only_entry(other, "list"))?;
        let git = only_entry(one, "git").or(only_entry(other, "git"))?;
        if !is_plain || !has_both_roles(list) {
            return None;
        }
        for (key, _) in git.entries() {
            let Some("repoURL" | "revision" | "directories" | "requeueAfterSeconds") = key.text()
            else {
                return None;
            };
        }
        let source = template.find(&["spec", "source"])?;
        let is_same = git.text_of("repoURL") == source.text_of("repoURL")
            && git.text_of("revision") == source.text_of("targetRevision");
        let is_ours = sources(template).count() == 1 && calls_plugin(source);
        if !is_same || !is_ours {
            return None;
        }
        let pattern = only_entry(only_item(git.items_of("directories"))?, "path")?.text()?;
        let parent = pattern.strip_suffix("*/*")?;
        let is_folder = parent.is_empty() || (parent.ends_with('/') && !parent.starts_with('/'));
        let preserves = spec.find(&["syncPolicy", "preserveResourcesOnDeletion"]);
        let applications_sync = spec.find(&["syncPolicy", "applicationsSync"]);
        let set = Self {
            span: template.span,
            preserves: preserves.is_some_and(is_true),
            applications_sync: applications_sync.and_then(locate),
            parent: parent.trim_end_matches('/').to_owned(),
            template: template.clone(),
        };
        // the template has only placeholders that are known here, and takes the folder that was found
        let path = format!("{parent}a/b");
        let made = set.applications(&path);
        let mut paths = made.iter().map(|it| it.source.path.as_deref());
        let is_form = is_folder && !parent.contains(['*', '?', '[', '\\']);
        (is_form && made.len() == 2 && paths.all(|it| it == Some(&path))).then_some(set)
    }

    /// The Applications for a folder, by its path in the repository.
    pub(crate) fn applications(&self, path: &str) -> Vec<Application> {
        let mut all = Vec::new();
        for role in ["consumer", "provider"] {
            if let Some(filled) = filled(&self.template, &SetFolder { path, role }) {
                all.extend(Application::from_node(&filled));
            }
        }
        for it in &mut all {
            it.is_generated = true;
        }
        all
    }
}

/// What the generators of this form give.
struct SetFolder<'p> {
    path: &'p str,
    role: &'p str,
}

impl SetFolder<'_> {
    /// The value of a placeholder; `None` for one that is not argocd-app's.
    fn value(&self, placeholder: &str) -> Option<&str> {
        let words: Vec<&str> = placeholder.split_whitespace().collect();
        let index = match *words.as_slice() {
            [".role"] => return Some(self.role),
            [".path.path"] => return Some(self.path),
            ["index", ".path.segments", index] => index,
            [
                "index",
                ".path.segments",
                "(ternary",
                consumer,
                provider,
                ref rest @ ..,
            ] if *rest == ["(eq", ".role", "\"consumer\"))"] => {
                let is_consumer = self.role == "consumer";
                if is_consumer { consumer } else { provider }
            }
            _ => return None,
        };
        self.path.split('/').nth(index.parse().ok()?)
    }

    fn fill(&self, text: &str) -> Option<String> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("{{") {
            let (placeholder, after) = after.split_once("}}")?;
            filled += before;
            filled += self.value(placeholder)?;
            rest = after;
        }
        Some(filled + rest)
    }
}

/// A template with the values of a folder; `None` if it has other placeholders.
fn filled(node: &Node, folder: &SetFolder<'_>) -> Option<Node> {
    let value = match &node.value {
        Value::Plain(text) if !text.contains("{{") => Value::Plain(text.clone()),
        Value::Plain(text) | Value::Quoted(text) => Value::Quoted(folder.fill(text)?),
        Value::Empty => Value::Empty,
        Value::List(items) => {
            let filled = items.iter().map(|item| filled(item, folder));
            Value::List(filled.collect::<Option<_>>()?)
        }
        Value::Map(entries) => {
            let mut all = Vec::new();
            for (key, value) in entries {
                all.push((key.clone(), filled(value, folder)?));
            }
            Value::Map(all)
        }
    };
    let span = node.span;
    Some(Node { span, value })
}

/// How many bytes the texts of a template have.
fn bytes(node: &Node) -> usize {
    match &node.value {
        Value::Empty => 1,
        Value::Plain(text) | Value::Quoted(text) => text.len(),
        Value::List(items) => items.iter().map(bytes).sum(),
        Value::Map(entries) => entries.iter().map(|(key, it)| bytes(key) + bytes(it)).sum(),
    }
}

/// Whether the elements of a list generator are the two roles.
fn has_both_roles(list: &Node) -> bool {
    let Some(elements) = only_entry(list, "elements") else {
        return false;
    };
    let mut roles = Vec::new();
    for element in elements.items() {
        roles.push(only_entry(element, "role").and_then(Node::text));
    }
    roles.sort_unstable();
    roles == [Some("consumer"), Some("provider")]
}

/// The item of a list of one.
const fn only_item(items: &[Node]) -> Option<&Node> {
    if let [item] = items { Some(item) } else { None }
}

/// The value of this key, if the map has no other one.
fn only_entry<'n>(map: &'n Node, key: &str) -> Option<&'n Node> {
    match map.entries() {
        [(name, value)] if name.text() == Some(key) => Some(value),
        _ => None,
    }
}
