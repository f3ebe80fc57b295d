//! Argo CD's ApplicationSets and the Applications that they generate (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`,
//! `applicationset/generators`).

mod generator;

use super::application::{Application, Parent, sources};
use super::passed_over::{OF_SET, PassedOver, passed_over};
use super::plugin::{calls_plugin, names_plugin};
use super::template::{Language, Parameters, Unmade};
use crate::argocd::{is_true, locate};
use crate::diagnostic::{Span, quoted};
use crate::document::Located;
use crate::input::yaml::{Node, Value};
use generator::Generators;

/// An ApplicationSet whose template has a source of this plugin, or may be a parent.
#[derive(Debug)]
pub(crate) struct ApplicationSet {
    pub(crate) span: Span,
    /// Whether its Applications get no finalizer, so that their objects stay when the set is deleted (`applicationset/utils/utils.go`,
    /// RenderTemplateParams).
    pub(crate) preserves: bool,
    /// What happens to Applications that it no longer generates.
    pub(crate) applications_sync: Option<Located<String>>,
    pub(crate) passed_over: Vec<PassedOver>,
    language: Language,
    /// Each generator, with its template: its own, completed with the set's.
    generators: Vec<(Node, Node)>,
    /// Why the whole set is not evaluated.
    unevaluated: Option<Unevaluated>,
    /// How many bytes its templates have.
    bytes: usize,
}

/// The cost of one Application, which is parsed, filled in and judged, in folders that a pattern looks at.
const EVALUATION: usize = 28;

/// The folders of a repository in which generators search: those with a document in them or below them.
pub(crate) trait Folders {
    /// The folders that a pattern finds, relative to the root; `None` if the search takes more than a run may do.
    fn find(&mut self, pattern: &str) -> Option<Vec<String>>;

    /// The folders of the documents that a file pattern finds.
    fn find_of_files(&mut self, pattern: &str) -> Option<Vec<String>>;

    /// The document of a folder.
    fn document(&self, folder: &str) -> Option<&str>;

    /// Whether a folder's path begins with this text.
    fn has(&self, start: &str) -> bool;

    /// Takes steps from those that the run has left; `None` if too few are left.
    fn spend(&mut self, steps: usize) -> Option<()>;
}

/// Why Applications are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unevaluated {
    /// Argo CD refuses them too, and generates none.
    Refused(Span, String),
    Unknown(String),
    /// The evaluation would take more than a run may do.
    TooMuch,
}

impl Unevaluated {
    /// Why it is not known what Argo CD generates; `None` where Argo CD refuses.
    pub(crate) fn unknown(self) -> Option<String> {
        match self {
            Self::Refused(..) => None,
            Self::Unknown(why) => Some(why),
            Self::TooMuch => Some("it makes more than a run compares".to_owned()),
        }
    }
}

impl From<(Unmade, Span)> for Unevaluated {
    fn from((unmade, span): (Unmade, Span)) -> Self {
        match unmade {
            Unmade::Refused(why) => Self::Refused(span, why),
            Unmade::Unknown(why) => Self::Unknown(why),
        }
    }
}

impl ApplicationSet {
    /// A set with a source of this plugin.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        let is_one =
            spec.get("template").is_some_and(is_ours) || patch(spec).is_some_and(names_plugin);
        Self::read(node)
            .filter(|it| is_one || it.generators.iter().any(|(_, template)| is_ours(template)))
    }

    /// The parents that do not depend on a generator's parameters, and the set with the generators of the others, if
    /// there are any.
    pub(super) fn of_parents(node: &Node) -> (Vec<Parent>, Option<Self>) {
        let Some(mut set) = Self::read(node) else {
            return (Vec::new(), None);
        };
        // a patch of the source, or a patch that is not a text
        let is_patched = node
            .get("spec")
            .and_then(patch)
            .is_some_and(|it| it.text().is_none_or(|it| it.contains("source")));
        if !is_patched {
            set.unevaluated = None;
        }
        let (made, fixed): (Vec<_>, Vec<_>) =
            set.generators.into_iter().partition(|(_, template)| {
                Parent::all(template)
                    .iter()
                    .any(|it| is_patched || it.is_template())
            });
        set.generators = made;
        let parents = fixed
            .iter()
            .flat_map(|(_, template)| Parent::all(template))
            .collect();
        (parents, Some(set).filter(|it| !it.generators.is_empty()))
    }

    /// Reads any set, whatever plugin its sources have.
    pub(crate) fn read(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        let template = spec.get("template").map_or_else(
            || Node {
                span: node.span,
                value: Value::Empty,
            },
            essential,
        );
        let generators = spec.items_of("generators").iter();
        let generators: Vec<_> = generators
            .map(|it| (it.clone(), own_template(it, &template)))
            .collect();
        let (is_go, options) = (
            spec.get("goTemplate").is_some_and(is_true),
            spec.items_of("goTemplateOptions"),
        );
        let is_strict = options
            .iter()
            .any(|it| it.text() == Some("missingkey=error"));
        let option = options
            .iter()
            .filter(|_| is_go)
            .find(|it| !is_option(it))
            .and_then(locate);
        let refused = option.map(|it| {
            Unevaluated::Refused(
                it.span,
                format!("Go's templates have no option {}", quoted(&it)),
            )
        });
        let patched = patch(spec)
            .map(|_| Unevaluated::Unknown("its `templatePatch` is not evaluated".into()));
        Some(Self {
            span: template.span,
            preserves: spec
                .at(&["syncPolicy", "preserveResourcesOnDeletion"])
                .is_some_and(is_true),
            applications_sync: spec
                .at(&["syncPolicy", "applicationsSync"])
                .and_then(locate),
            passed_over: passed_over(node, OF_SET),
            language: Language { is_go, is_strict },
            bytes: generators.iter().map(|(_, template)| bytes(template)).sum(),
            generators,
            unevaluated: refused.or(patched),
        })
    }

    /// The Applications that the set generates for these folders, as far as they are known, and why others are not known. `read` selects
    /// the Applications of the plugin, or those of folders of manifests.
    pub(crate) fn generate(
        &self,
        folders: &mut dyn Folders,
        read: fn(&Node) -> Vec<Application>,
    ) -> (Vec<Application>, Vec<Unevaluated>) {
        self.each(folders, |rendered, parameters, _| {
            let mut applications = read(rendered);
            for it in &mut applications {
                it.is_generated = true;
                it.made_for = folder_of(parameters).map(ToOwned::to_owned);
            }
            applications
        })
    }

    /// The parents that the set generates for these folders, as [`Self::generate`].
    pub(crate) fn parents(&self, folders: &mut dyn Folders) -> (Vec<Parent>, Vec<Unevaluated>) {
        if self.unevaluated.is_none() && !self.starts().any(|start| folders.has(&start)) {
            return (Vec::new(), Vec::new());
        }
        self.each(folders, |rendered, _, folders| {
            Parent::all(rendered)
                .into_iter()
                .filter(|it| folders.has(it.start()))
                .collect()
        })
    }

    /// Applies `make` to each template that a generator has filled.
    fn each<T>(
        &self,
        folders: &mut dyn Folders,
        make: impl Fn(&Node, &Parameters, &dyn Folders) -> Vec<T>,
    ) -> (Vec<T>, Vec<Unevaluated>) {
        let (mut all, mut unevaluated) = (Vec::new(), Vec::new());
        if let Some(why) = &self.unevaluated {
            return (all, vec![why.clone()]);
        }
        for (generator, template) in &self.generators {
            let given = Generators {
                language: self.language,
                folders,
            }
            .parameters(generator);
            let given = given.unwrap_or_else(|why| {
                unevaluated.push(why);
                Vec::new()
            });
            for parameters in given {
                match self.rendered(template, &parameters, folders) {
                    Ok(rendered) => all.extend(make(&rendered, &parameters, folders)),
                    Err(Unevaluated::TooMuch) => return (Vec::new(), vec![Unevaluated::TooMuch]),
                    Err(why) if unevaluated.contains(&why) => {}
                    Err(why) => unevaluated.push(why),
                }
            }
        }
        (all, unevaluated)
    }

    fn rendered(
        &self,
        template: &Node,
        parameters: &Parameters,
        folders: &mut dyn Folders,
    ) -> Result<Node, Unevaluated> {
        folders
            .spend(EVALUATION + self.bytes / 128)
            .ok_or(Unevaluated::TooMuch)?;
        Ok(self.language.render_node(template, parameters)?)
    }

    /// For each generator: the values of `of_git` in its Git generators, and of `of_source` in its Applications' sources, without values
    /// that have placeholders.
    pub(crate) fn of_gits_and_sources(
        &self,
        of_git: &str,
        of_source: &str,
    ) -> impl Iterator<Item = Vec<&str>> {
        self.generators.iter().map(move |(generator, template)| {
            let ours = sources(template).filter(|it| calls_plugin(it));
            let mut texts: Vec<&Node> = ours.filter_map(|it| it.get(of_source)).collect();
            of_gits(generator, of_git, &mut texts);
            texts
                .into_iter()
                .filter_map(Node::text)
                .filter(|it| !it.contains("{{"))
                .collect()
        })
    }

    /// The beginnings of the paths of the folders of manifests for which it generates Applications.
    pub(crate) fn starts(&self) -> impl Iterator<Item = String> {
        self.written().map(|it| it.start().to_owned())
    }

    /// Whether one of its parents can be in a repository that `is_ours` accepts.
    pub(crate) fn is_of(&self, is_ours: impl Fn(&str) -> bool) -> bool {
        self.written()
            .filter_map(|it| it.repo_url)
            .any(|url| url.contains("{{") || is_ours(&url))
    }

    /// The parents in its templates, with their placeholders.
    fn written(&self) -> impl Iterator<Item = Parent> {
        self.generators
            .iter()
            .flat_map(|(_, template)| Parent::all(template))
    }

    pub(crate) const fn is_go(&self) -> bool {
        self.language.is_go
    }
}

/// Whether a template has a source of this plugin.
fn is_ours(template: &Node) -> bool {
    sources(template).any(calls_plugin)
}

/// Whether Go's templates know this option (text/template `option.go`).
fn is_option(option: &Node) -> bool {
    let value = option.text().and_then(|it| it.strip_prefix("missingkey="));
    matches!(value, Some("default" | "invalid" | "zero" | "error"))
}

/// A generator's own template, completed with the set's.
fn own_template(generator: &Node, of_set: &Node) -> Node {
    let own = generator
        .entries()
        .iter()
        .find_map(|(_, kind)| kind.get("template"))
        .map(essential);
    own.map_or_else(|| of_set.clone(), |own| filled(&own, of_set))
}

/// The patch of each generated Application.
fn patch(spec: &Node) -> Option<&Node> {
    spec.get("templatePatch").filter(|it| !it.is_empty())
}

/// Collects a field of a generator's Git generators, also of nested ones. The nesting is no deeper than a YAML document
/// may be.
fn of_gits<'g>(generator: &'g Node, field: &str, texts: &mut Vec<&'g Node>) {
    for (kind, it) in generator.entries() {
        texts.extend(it.get(field).filter(|_| kind.text() == Some("git")));
        it.items_of("generators")
            .iter()
            .for_each(|it| of_gits(it, field, texts));
    }
}

/// The folder that a Git generator has found.
fn folder_of(parameters: &Parameters) -> Option<&str> {
    let path = parameters.get("path")?;
    path.get("path").unwrap_or(path).as_str()
}

/// A template without the fields that no rule looks at.
fn essential(template: &Node) -> Node {
    let mut template = template.clone();
    let Value::Map(parts) = &mut template.value else {
        return template;
    };
    for (name, part) in parts {
        if let Value::Map(fields) = &mut part.value {
            let name = name.text();
            fields.retain(|(field, _)| {
                !matches!(
                    (name, field.text()),
                    (Some("metadata"), Some("labels")) | (Some("spec"), Some("info"))
                )
            });
        }
    }
    template
}

/// A generator's own template, with the set's values where it is empty (`generator_spec_processor.go`,
/// `mergeGeneratorTemplate`).
fn filled(own: &Node, other: &Node) -> Node {
    match (&own.value, &other.value) {
        (Value::Empty, _) => other.clone(),
        (Value::Plain(text) | Value::Quoted(text), _) if text.is_empty() => other.clone(),
        (Value::List(items), _) if items.is_empty() => other.clone(),
        (Value::Map(entries), _) if entries.is_empty() => other.clone(),
        (Value::Map(entries), Value::Map(others)) => {
            let both = entries.iter().map(|(key, value)| {
                match key.text().and_then(|key| other.get(key)) {
                    Some(other) => (key.clone(), filled(value, other)),
                    None => (key.clone(), value.clone()),
                }
            });
            let rest = others
                .iter()
                .filter(|(key, _)| key.text().is_some_and(|key| own.get(key).is_none()));
            Node {
                span: own.span,
                value: Value::Map(both.chain(rest.cloned()).collect()),
            }
        }
        _ => own.clone(),
    }
}

fn bytes(node: &Node) -> usize {
    match &node.value {
        Value::Empty => 1,
        Value::Plain(text) | Value::Quoted(text) => text.len(),
        Value::List(items) => items.iter().map(bytes).sum(),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| bytes(key) + bytes(value))
            .sum(),
    }
}
