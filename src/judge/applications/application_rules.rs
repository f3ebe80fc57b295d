//! What Argo CD or the plugin refuses in an Application, and likely mistakes. The rules are for Applications of files, of sets and of API
//! servers.

use super::{error, first_line, note, span_or, warning};
use crate::argocd::application::{Application, Ignored, PluginSource};
use crate::argocd::caller::Environment;
use crate::argocd::parameters::{self, ParameterProblem};
use crate::argocd::plugin::{PLUGIN, is_plugin};
use crate::custody::{normal_path, sealed_files_of};
use crate::diagnostic::{Diagnostic, quoted};
use crate::document::Located;
use crate::input::file::{cleaned, leads_out};
use crate::object::Manifest;
use crate::peering::{Peering, Role};
use crate::stream::Plan;
use std::path::{Path, PathBuf};

/// The rules. Each examines one Application; errors come first.
const RULES: [fn(&Application) -> Option<Diagnostic>; 7] = [
    hidden_by_sources,
    two_source_types,
    bad_destination,
    bad_path,
    bad_parameters,
    other_plugin_name,
    paths_elsewhere,
];

/// The faults of an Application itself, whatever document it leads to.
pub(crate) fn own_faults(application: &Application) -> Vec<Diagnostic> {
    RULES.iter().filter_map(|rule| rule(application)).collect()
}

/// The role that it asks for, if it is one.
pub(crate) fn role_of(application: &Application) -> Option<Role> {
    Role::find(application.source.role.as_ref()?)
}

/// (argo-cd `pkg/apis/application/v1alpha1/types.go`, GetSources)
fn hidden_by_sources(it: &Application) -> Option<Diagnostic> {
    let by = it.source.hidden_by?;
    let message = format!("`{by}` is set: Argo CD ignores the plugin's `source`");
    Some(error(message, "keep one of them", it.source.plugin.span))
}

/// (argo-cd `pkg/apis/application/v1alpha1/types.go`, ExplicitType)
fn two_source_types(it: &Application) -> Option<Diagnostic> {
    let Located { value, span } = it.source.other_type.as_ref()?;
    let message = format!("beside `plugin` its source has `{value}`: Argo CD refuses two types");
    let help = "remove it";
    Some(error(message, help, *span))
}

/// (argo-cd `util/argo/argo.go`, GetDestinationCluster)
fn bad_destination(it: &Application) -> Option<Diagnostic> {
    let start = first_line(it.span);
    let (message, at) = match (&it.destination, &it.server) {
        (Some(name), Some(_)) => ("its destination has both `name` and `server`", name.span),
        (None, None) => ("its destination has neither `name` nor `server`", start),
        _ => return None,
    };
    let help = "write only `name`, the document's `argocdCluster`";
    Some(error(message, help, at))
}

/// (argo-cd `util/argo/argo.go`, validateSourcePermissions; `util/app/path/path.go`, Path)
fn bad_path(it: &Application) -> Option<Diagnostic> {
    let plugin = it.source.plugin.span;
    let repo = it.source.repo_url.as_deref();
    if repo.is_none_or(String::is_empty) {
        let help = "write the URL of this folder's repository";
        return Some(error("its source has no `repoURL`", help, plugin));
    }
    let Some(path) = &it.source.path else {
        return Some(error("its source has no `path`", FOLDER, plugin));
    };
    let what = refusal(&path.value)?;
    let message = format!("its `path` {} is {what}", quoted(&path.value));
    Some(error(message, FOLDER, path.span))
}

const FOLDER: &str =
    "write the folder of peering.yaml from the repository's root: `peerings/rome-milan` or `.`";

/// Why Argo CD refuses the path, if it does.
pub(super) fn refusal(path: &str) -> Option<&'static str> {
    if path.starts_with('/') {
        return Some("absolute (`app path is absolute`)");
    }
    leads_out(Path::new(path)).then_some("outside of the repository")
}

/// The path, if Argo CD accepts it but the terms of a sealed file cannot name it.
pub(super) fn other_spelling(it: &Application) -> Option<&Located<String>> {
    let path = it.source.path.as_ref()?;
    (normal_path(&path.value).is_none() && refusal(&path.value).is_none()).then_some(path)
}

/// The error for such a path, if the stream needs a sealed file.
pub(super) fn path_not_in_terms_spelling(
    it: &Application,
    peering: &Peering,
    role: Role,
) -> Option<Diagnostic> {
    let path = other_spelling(it)?;
    let shown = quoted(path);
    let message = format!("its `path` {shown} has another spelling, so no sealed file opens");
    let is_needed = sealed_files_of(peering, role).next().is_some();
    let fault = if is_needed { error } else { note };
    Some(fault(message, FOLDER, path.span))
}

/// The plugin's own check of the parameters. Argo CD expands a `$` in a variable, so the value that the plugin gets is not known then.
fn bad_parameters(it: &Application) -> Option<Diagnostic> {
    let source = &it.source;
    // Argo CD passes an empty list on too
    let given = ("ARGOCD_APP_PARAMETERS", source.parameters.as_str());
    let environment = match &source.variable {
        Some(variable) if variable.contains('$') => return None,
        Some(variable) => Environment::from([given, ("ARGOCD_ENV_ROLE", variable)]),
        None => Environment::from([given]),
    };
    let problem = parameters::requested_stream(None, &environment, Role::find).err()?;
    let at = match &problem {
        ParameterProblem::RoleUnknown(..) => source.role.as_ref(),
        ParameterProblem::Type(name, _) => parameter(source, name),
        ParameterProblem::Duplicate(name) | ParameterProblem::Unknown(name) => {
            parameter(source, name)
        }
        _ => None,
    };
    let (message, help) = match &problem {
        ParameterProblem::Malformed => {
            let message =
                "its `plugin.parameters` are not a list of `name` and `string`".to_owned();
            (message, ParameterProblem::RoleMissing.help())
        }
        problem => (problem.to_string(), problem.help()),
    };
    Some(error(message, help, span_or(at, source.plugin.span)))
}

/// The last parameter of this name, as a problem shows it.
fn parameter<'s>(source: &'s PluginSource, name: &str) -> Option<&'s Located<String>> {
    let mut places = source.places.iter().rev();
    places.find(|it| it.value == name || quoted(it) == name)
}

/// (argo-cd `cmpserver/plugin/config.go`, `Address`)
fn other_plugin_name(it: &Application) -> Option<Diagnostic> {
    let name = &it.source.plugin;
    if name.value == PLUGIN {
        return None;
    }
    let what = if name.is_empty() {
        "its plugin has no name".to_owned()
    } else {
        format!("its plugin is {}", quoted(name))
    };
    let message = format!("{what}, and plugin.yaml's name is `{PLUGIN}` without a version");
    let help = format!(
        "write `name: {PLUGIN}`, unless your plugin.yaml has another `metadata.name` or a `spec.version`"
    );
    let fault = if is_plugin(name) || name.is_empty() {
        note
    } else {
        error
    };
    Some(fault(message, &help, name.span))
}

/// (argo-cd `util/app/path/path.go`, GetSourceRefreshPaths, AppFilesHaveChanged)
fn paths_elsewhere(it: &Application) -> Option<Diagnostic> {
    let (paths, folder) = (it.generate_paths.as_ref()?, it.source.path.as_ref()?);
    let folder = Path::new(folder.value.as_str());
    for path in paths.value.split(';') {
        let place = match path.strip_prefix('/') {
            _ if path.is_empty() => continue,
            Some(path) => PathBuf::from(path),
            None => folder.join(path),
        };
        // a pattern is not judged, and the folder itself or one above it is right
        if path.contains(['*', '?', '[']) || cleaned(folder).starts_with(cleaned(&place)) {
            return None;
        }
    }
    let shown = quoted(paths);
    let message = format!("its annotation `manifest-generate-paths` is {shown}, not its folder");
    let help = "write `.`: a commit to the folder would render nothing";
    Some(warning(message, help, paths.span))
}

/// Argo CD does not sync a change by itself if it is only in ignored fields (argo-cd `controller/appcontroller.go`,
/// autoSync).
pub(super) fn ignored_secret_data(it: &Application, plan: &Plan) -> Option<Diagnostic> {
    let mut ignored = it.ignored.iter();
    let Ignored { kind, what, .. } = ignored.find(|field| hides_secret(field, plan))?;
    let (shown, kind) = (quoted(what), quoted(kind));
    let message =
        format!("`ignoreDifferences` has {shown} of {kind}: a new key there is not synced");
    Some(warning(message, "remove it", what.span))
}

/// Whether a field is the data of a Secret of the plan.
fn hides_secret(field: &Ignored, plan: &Plan) -> bool {
    let mut manifests = plan.manifests.iter();
    let is_secret = |it: &Manifest| it.kind().live.kind() == "Secret";
    field.covers_secret_data()
        && manifests.any(|it| is_secret(it) && field.matches_object(it.meta().place()))
}

/// Two settings that an Identity needs, if Liqo renews its certificate. Observed on whole Argo CD 3.6: without the first, Argo CD and Liqo
/// overwrite each other forever; without the second, each sync writes the certificate of Git, and Liqo writes its own again.
pub(super) fn leaves_certificate(it: &Application, plan: &Plan) -> Option<Diagnostic> {
    let mut manifests = plan.manifests.iter();
    let identity = manifests.find(|it| it.kind().live.kind() == "Identity")?;
    let is_ignored = it.ignores_certificate(identity.meta().place());
    let (message, help, at) = match (is_ignored, it.sync.overwrites_ignored()) {
        (false, _) => (
            "Argo CD replaces the Identity's certificate, which Liqo renews, with Git's",
            "add `ignoreDifferences: [{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams/signedCRT] }]` to its `spec`, and `RespectIgnoreDifferences=true` to its `syncOptions`",
            first_line(it.span),
        ),
        (true, Some(at)) => (
            "each sync replaces Liqo's renewed certificate with Git's",
            "add `RespectIgnoreDifferences=true` to its `syncOptions`",
            at,
        ),
        (true, None) => return None,
    };
    Some(warning(message, help, at))
}
