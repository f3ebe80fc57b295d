//! AppProjects as Argo CD asks them: with the lists of global projects (argo-cd `util/argo/argo.go`, `GetAppVirtualProject`).

use super::File;
use crate::argocd::global_projects::Settings;
use crate::argocd::project::AppProject;
use crate::diagnostic::{all_of, quoted};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Why it is not known which global projects there are for one.
pub(super) const UNSAID: &str = "a global project may permit more, and no `argocd-cm` is below the paths";
const UNREAD: &str = "`globalProjects` is written in a form that is not read";
const SEVERAL: &str = "which of several `argocd-cm` is of its Argo CD is not known";
const ELSEWHERE: &str = "the global project whose lists it also has is not among what was read";

/// What a project's own comparison takes, with its message.
const PROJECT: usize = 64;

/// How much may be asked of other projects than an Application's, by the weights of both. What is more is not judged.
const LIFTED_MAX: usize = 4_000_000;

/// The AppProjects of files, each with the number of its file, or of a cluster.
pub(crate) struct Projects<'f> {
    pub(super) of_name: BTreeMap<&'f str, Vec<(&'f AppProject, usize)>>,
    settings: Vec<&'f Settings>,
    everything: Option<AppProject>,
    /// Of `LIFTED_MAX`.
    left: usize,
}

/// A project with the lists of its global projects, as far as they are known.
pub(super) struct Virtual<'f> {
    pub(super) file: usize,
    pub(super) project: Cow<'f, AppProject>,
    /// With all that a global project can permit.
    pub(super) widest: Option<AppProject>,
    /// Why its global projects are not known.
    pub(super) unknown: Option<&'static str>,
    /// What a help has to say of them.
    pub(super) inherits: String,
}

impl<'f> Projects<'f> {
    pub(super) fn of(files: &'f [File]) -> Self {
        let numbered = files.iter().enumerate();
        let all = numbered.flat_map(|(number, it)| it.declared.projects.iter().map(move |it| (it, number)));
        let created = files.iter().filter(|it| !it.is_passed_over);
        Self::new(all, created.flat_map(|it| &it.declared.settings).collect())
    }

    pub(crate) fn new(
        all: impl Iterator<Item = (&'f AppProject, usize)>,
        settings: Vec<&'f Settings>,
    ) -> Self {
        let mut of_name = BTreeMap::<&str, Vec<_>>::new();
        all.for_each(|it| of_name.entry(&it.0.name).or_default().push(it));
        Self { of_name, settings, everything: AppProject::of_everything(), left: LIFTED_MAX }
    }

    /// None if asking it so often takes more than is left.
    pub(super) fn with_globals(
        &self,
        (project, file): (&'f AppProject, usize),
        asked: usize,
        left: &mut usize,
    ) -> Option<Virtual<'f>> {
        let globals = self.globals(project);
        let all = globals.iter().flatten().chain([&project]).map(|it| it.weight());
        let all = all.chain(self.settings.iter().map(|it| it.weight)).sum::<usize>();
        *left = left.checked_sub((PROJECT + all).saturating_mul(asked))?;
        let (globals, unknown) = globals.map_or_else(|why| (Vec::new(), Some(why)), |all| (all, None));
        let widest = unknown.and(self.everything.as_ref()).map(|it| project.clone().with(it));
        let names: Vec<String> = globals.iter().map(|it| quoted(&it.name)).collect();
        let inherits = format!("; it also has the lists of the global project {}", all_of(&names));
        let inherits = if names.is_empty() { String::new() } else { inherits };
        let own = Cow::Borrowed(project);
        let whole = globals.iter().fold(own, |it, global| Cow::Owned(it.into_owned().with(global)));
        Some(Virtual { file, project: whole, widest, unknown, inherits })
    }

    /// The global projects of one, or why they are not known.
    fn globals(&self, project: &AppProject) -> Result<Vec<&'f AppProject>, &'static str> {
        let own = self.settings.iter().filter(|it| project.may_be_in(it.namespace.as_ref()));
        let own: Vec<_> = own.map(|it| it.globals_of(project).map(|globals| (it, globals))).collect();
        if own.is_empty() {
            return Err(UNSAID);
        }
        let own: Vec<_> = own.into_iter().collect::<Option<_>>().ok_or(UNREAD)?;
        // a part of the settings, as a patch is, has none
        let mut own = own.iter().filter(|(settings, _)| settings.names().next().is_some());
        let names = own.next().map_or(&[][..], |(_, names)| names);
        if own.any(|(_, other)| other != names) {
            return Err(SEVERAL);
        }
        names.iter().map(|name| self.beside(project, name).ok_or(ELSEWHERE)).collect()
    }

    /// The one project of a name that can be of the same Argo CD.
    fn beside(&self, project: &AppProject, name: &str) -> Option<&'f AppProject> {
        let mut all = self.of_name.get(name)?.iter().filter(|it| project.may_be_beside(it.0));
        all.next().filter(|_| all.next().is_none()).map(|it| it.0)
    }

    /// Whether settings that are not here can have a project permitted what it does not permit itself: its labels select a global project
    /// that is not here, or one that is here permits it.
    pub(super) fn may_be_lifted(&mut self, of: &AppProject, permits: impl Fn(&AppProject) -> bool) -> bool {
        let others = self.of_name.values().flatten().map(|it| it.0);
        let mut others = others.filter(|it| it.name != of.name && it.may_be_beside(of));
        let left = &mut self.left;
        !of.labels.is_empty()
            || others.any(|other| {
                *left = left.saturating_sub(PROJECT + of.weight() + other.weight());
                *left == 0 || permits(&of.clone().with(other))
            })
    }
}
