//! Argo CD's ApplicationSets: the Applications that they generate (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`,
//! `applicationset/generators`).

mod generator;

use super::application::{Application, calls_plugin, locate};
use super::template::{Language, Parameters, Unmade};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value};

/// An ApplicationSet with a template that has a source of this plugin.
#[derive(Debug)]
pub(crate) struct ApplicationSet {
    pub(crate) span: Span,
    /// Whether its Applications get no finalizer, so that their objects stay when the set goes (`applicationset/utils/utils.go`,
    /// RenderTemplateParams).
    pub(crate) preserves: bool,
    /// What becomes of Applications that it no longer generates.
    pub(crate) applications_sync: Option<Located<String>>,
    language: Language,
    /// Each generator, with what its own template leaves of the set's.
    generators: Vec<(Node, Node)>,
    /// `templatePatch`
    is_patched: bool,
    /// How many bytes its templates have.
    bytes: usize,
}

/// The folders of a repository that have a document, which generators look for.
pub(crate) trait Folders {
    /// Those that a pattern finds, from the root; none if that is more than a run may look at.
    fn find(&mut self, pattern: &str) -> Option<Vec<String>>;

    /// The document of a folder.
    fn document(&self, folder: &str) -> Option<&str>;

    /// Takes steps from what a run may do, if they are left.
    fn spend(&mut self, steps: usize) -> Option<()>;
}

/// Why Applications are not known.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unevaluated {
    /// Argo CD makes none of them either.
    Refused(Span, String),
    Unknown(String),
    /// It would take more than a run may do.
    TooMuch,
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
    pub(super) fn of(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        let template =
            spec.get("template").map_or_else(|| Node { span: node.span, value: Value::Empty }, essential);
        let own = |generator: &Node| {
            let own = generator.entries().iter().find_map(|(_, kind)| kind.get("template")).map(essential);
            own.map_or_else(|| template.clone(), |own| filled(&own, &template))
        };
        let generators = spec.get("generators").map_or(&[][..], Node::items);
        let generators: Vec<_> = generators.iter().map(|it| (it.clone(), own(it))).collect();
        let is_ours = |template: &Node| sources(template).any(calls_plugin);
        if !is_ours(&template) && !generators.iter().any(|(_, template)| is_ours(template)) {
            return None;
        }
        let flag = |path: &[&str]| spec.at(path).and_then(Node::text) == Some("true");
        let options = spec.get("goTemplateOptions").map_or(&[][..], Node::items);
        let is_strict = options.iter().any(|it| it.text() == Some("missingkey=error"));
        Some(Self {
            span: template.span,
            preserves: flag(&["syncPolicy", "preserveResourcesOnDeletion"]),
            applications_sync: spec.at(&["syncPolicy", "applicationsSync"]).and_then(locate),
            language: Language { is_go: flag(&["goTemplate"]), is_strict },
            bytes: generators.iter().map(|(_, template)| bytes(template)).sum(),
            generators,
            is_patched: spec.get("templatePatch").is_some(),
        })
    }

    /// The Applications that it generates for these folders, as far as they are known; then why the others are not.
    pub(crate) fn generate(&self, folders: &mut dyn Folders) -> (Vec<Application>, Vec<Unevaluated>) {
        let (mut applications, mut unevaluated) = (Vec::new(), Vec::new());
        if self.is_patched {
            return (applications, vec![Unevaluated::Unknown("its `templatePatch` is not evaluated".into())]);
        }
        for (generator, template) in &self.generators {
            let made = generator::parameters(generator, self.language, &Parameters::new(), folders);
            let made = made.unwrap_or_else(|why| {
                unevaluated.push(why);
                Vec::new()
            });
            for parameters in made {
                match self.application(template, &parameters, folders) {
                    Ok(made) => applications.extend(made),
                    Err(Unevaluated::TooMuch) => return (Vec::new(), vec![Unevaluated::TooMuch]),
                    Err(why) if unevaluated.contains(&why) => {}
                    Err(why) => unevaluated.push(why),
                }
            }
        }
        (applications, unevaluated)
    }

    fn application(
        &self,
        template: &Node,
        parameters: &Parameters,
        folders: &mut dyn Folders,
    ) -> Result<Vec<Application>, Unevaluated> {
        folders.spend(1 + self.bytes / 128).ok_or(Unevaluated::TooMuch)?;
        let rendered = self.language.render_node(template, parameters)?;
        let mut applications = Application::of(&rendered);
        for it in &mut applications {
            it.is_generated = true;
            it.made_for = folder_of(parameters).map(ToOwned::to_owned);
        }
        Ok(applications)
    }

    pub(crate) const fn is_go(&self) -> bool {
        self.language.is_go
    }
}

/// The folder that a Git generator has found.
fn folder_of(parameters: &Parameters) -> Option<&str> {
    let path = parameters.get("path")?;
    path.get("path").unwrap_or(path).as_str()
}

/// The sources of an Application or of a template.
pub(super) fn sources(application: &Node) -> impl Iterator<Item = &Node> {
    let list = application.at(&["spec", "sources"]).map_or(&[][..], Node::items);
    let one = [&["spec", "source"][..], &["spec", "sourceHydrator", "drySource"]];
    one.into_iter().filter_map(|path| application.at(path)).chain(list)
}

/// A template without what no rule looks at.
fn essential(template: &Node) -> Node {
    let mut template = template.clone();
    let Value::Map(parts) = &mut template.value else { return template };
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

/// What a generator's own template leaves empty is the set's (`generator_spec_processor.go`, `mergeGeneratorTemplate`).
fn filled(own: &Node, other: &Node) -> Node {
    let is_empty = |node: &Node| match &node.value {
        Value::Empty => true,
        Value::Plain(text) | Value::Quoted(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
    };
    match (&own.value, &other.value) {
        _ if is_empty(own) => other.clone(),
        (Value::Map(entries), Value::Map(others)) => {
            let both = |(key, value): &(Node, Node)| {
                let other = key.text().and_then(|key| other.get(key));
                (key.clone(), other.map_or_else(|| value.clone(), |other| filled(value, other)))
            };
            let lacks = |(key, _): &&(Node, Node)| key.text().is_some_and(|key| own.get(key).is_none());
            let entries = entries.iter().map(both).chain(others.iter().filter(lacks).cloned());
            Node { span: own.span, value: Value::Map(entries.collect()) }
        }
        _ => own.clone(),
    }
}

fn bytes(node: &Node) -> usize {
    match &node.value {
        Value::Empty => 1,
        Value::Plain(text) | Value::Quoted(text) => text.len(),
        Value::List(items) => items.iter().map(bytes).sum(),
        Value::Map(entries) => entries.iter().map(|(key, value)| bytes(key) + bytes(value)).sum(),
    }
}
