//! AppProjects as Argo CD uses them: with the lists of global projects (argo-cd `util/argo/argo.go`, `GetAppVirtualProject`).

use super::{File, Led};
use crate::argocd::global_projects::Settings;
use crate::argocd::project::AppProject;
use crate::diagnostic::{all_of, quoted};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const UNREAD: &str =
    "`globalProjects` is written in a form that is not read: write it as a list of selectors";
const SEVERAL: &str = "which of several `argocd-cm` is of its Argo CD is not known";
const ELSEWHERE: &str = "the global project whose lists it also has is not among what was read";

/// The cost of a comparison with a project, including its message.
const PROJECT: usize = 64;

/// The most comparisons of projects with the needs of streams, by the projects' weights: enough for a project of five thousand destinations
/// and the ten thousand needs of as many namespaces.
const COMPARED_MAX: usize = 100_000_000;

/// The AppProjects of files, each with the number of its file, or those of a cluster.
pub(crate) struct Projects<'f> {
    pub(super) of_name: BTreeMap<&'f str, Vec<(&'f AppProject, usize)>>,
    settings: Vec<&'f Settings>,
    /// The projects that no Application here names, in the form in which they add their lists to others.
    unnamed: Vec<AppProject>,
    /// How many comparisons the run may still make.
    left: usize,
}

/// A project with the lists of its global projects, as far as they are known.
pub(super) struct Virtual<'f> {
    pub(super) file: usize,
    pub(super) project: Cow<'f, AppProject>,
    pub(super) globals: Globals,
    /// The project with everything that a global project could permit.
    pub(super) widest: AppProject,
}

/// Why it is not known whether a project permits something, and whether the run was asked to judge it.
pub(super) type Unknown = (Cow<'static, str>, bool);

/// What is known of a project's global projects.
pub(super) enum Globals {
    /// The global projects are known. The text is for a help.
    Known(String),
    /// There are no settings here.
    Unsaid,
    /// There are settings here, but they do not tell.
    Unknown(Unknown),
}

/// The run may make no more comparisons.
pub(super) struct Spent;

impl<'f> Projects<'f> {
    pub(super) fn of(files: &'f [File], led: &[Led<'_>]) -> Self {
        let numbered = files.iter().enumerate();
        let all = numbered
            .flat_map(|(number, it)| it.declared.projects.iter().map(move |it| (it, number)));
        let created = files.iter().filter(|it| !it.is_passed_over);
        let mut projects = Self::new(
            all,
            created
                .clone()
                .flat_map(|it| &it.declared.settings)
                .collect(),
        );
        // the names of generated Applications
        let made = led
            .iter()
            .filter_map(|it| Some(it.application.project.as_ref()?.value.as_str()));
        let written = files
            .iter()
            .flat_map(|it| &it.declared.named_projects)
            .map(String::as_str);
        let named: BTreeSet<&str> = written.chain(made).collect();
        let unnamed = created.flat_map(|it| &it.declared.projects);
        let unnamed = unnamed.filter(|it| !named.contains(it.name.as_str()));
        projects.unnamed = unnamed.map(AppProject::as_global).collect();
        projects
    }

    pub(crate) fn new(
        all: impl Iterator<Item = (&'f AppProject, usize)>,
        settings: Vec<&'f Settings>,
    ) -> Self {
        let mut of_name = BTreeMap::<&str, Vec<_>>::new();
        all.for_each(|it| of_name.entry(&it.0.name).or_default().push(it));
        Self {
            of_name,
            settings,
            unnamed: Vec::new(),
            left: COMPARED_MAX,
        }
    }

    pub(super) fn with_globals(
        &mut self,
        (project, file): (&'f AppProject, usize),
        asked: usize,
    ) -> Result<Virtual<'f>, Spent> {
        let globals = self.globals(project);
        let found = globals.as_deref().unwrap_or_default();
        let all = found.iter().chain([&project]).map(|it| it.weight());
        let all = all
            .chain(self.settings.iter().map(|it| it.weight))
            .sum::<usize>();
        let left = self.left.checked_sub((PROJECT + all).saturating_mul(asked));
        self.left = left.ok_or(Spent)?;
        let own = Cow::Borrowed(project);
        let whole = found
            .iter()
            .fold(own, |it, global| Cow::Owned(it.into_owned().with(global)));
        let globals = match globals {
            Ok(all) => Globals::Known(inherited(&all)),
            Err(why) => why,
        };
        Ok(Virtual {
            file,
            project: whole,
            globals,
            widest: project.widest(),
        })
    }

    /// The global projects of a project, or why they are not known.
    fn globals(&self, project: &AppProject) -> Result<Vec<&'f AppProject>, Globals> {
        let own = self
            .settings
            .iter()
            .filter(|it| project.may_be_in(it.namespace.as_ref()));
        let own: Vec<_> = own
            .map(|it| it.globals_of(project).map(|globals| (it, globals)))
            .collect();
        if own.is_empty() {
            return Err(Globals::Unsaid);
        }
        let own: Vec<_> = own
            .into_iter()
            .collect::<Option<_>>()
            .ok_or_else(|| Globals::Unknown((UNREAD.into(), true)))?;
        // a part of the settings, such as a patch, has no global projects
        let mut own = own
            .iter()
            .filter(|(settings, _)| settings.names().next().is_some());
        let names = own.next().map_or(&[][..], |(_, names)| names);
        if own.any(|(_, other)| other != names) {
            return Err(Globals::Unknown((SEVERAL.into(), false)));
        }
        let all: Option<_> = names
            .iter()
            .map(|name| self.beside(project, name))
            .collect();
        all.ok_or_else(|| Globals::Unknown((ELSEWHERE.into(), false)))
    }

    /// The only project of this name that can be of the same Argo CD.
    fn beside(&self, project: &AppProject, name: &str) -> Option<&'f AppProject> {
        let mut all = self
            .of_name
            .get(name)?
            .iter()
            .filter(|it| project.may_be_beside(it.0));
        all.next().filter(|_| all.next().is_none()).map(|it| it.0)
    }

    /// Whether a possible global project permits what another project refuses: it can be of the same Argo CD, and no Application names it.
    pub(super) fn may_be_lifted(
        &mut self,
        of: &AppProject,
        refuses: impl Fn(&AppProject) -> bool,
    ) -> Result<bool, Spent> {
        for other in self.unnamed.iter().filter(|it| it.may_be_beside(of)) {
            self.left = self
                .left
                .checked_sub(PROJECT + other.weight())
                .ok_or(Spent)?;
            if !refuses(other) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn inherited(globals: &[&AppProject]) -> String {
    let names: Vec<String> = globals.iter().map(|it| quoted(&it.name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("; it also has the lists of the global project {one}"),
        all => format!(
            "; it also has the lists of the global projects {}",
            all_of(all)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{COMPARED_MAX, PROJECT, Projects};
    use crate::argocd::declared::Declared;

    /// A spent bound is no answer, and all that asks has one bound.
    #[test]
    fn the_bound_is_the_runs() {
        const TEXT: &str = "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: { name: a }\nspec: { destinations: [] }\n";
        let all = Declared::of_text(TEXT).projects;
        let [one] = all.as_slice() else {
            panic!("{all:?}")
        };
        let mut projects = Projects::new([(one, 0)].into_iter(), Vec::new());
        projects.unnamed.push(one.as_global());
        assert!(
            projects
                .with_globals((one, 0), COMPARED_MAX / PROJECT)
                .is_ok()
        );
        assert!(projects.with_globals((one, 0), 1).is_err());
        assert!(projects.may_be_lifted(one, |_| true).is_err());
    }
}
