//! The role and the cluster that an Application asks for. The role is from `--role`, else from the plugin parameter, else from the plugin's
//! `env`; the cluster from its parameter.
//!
//! Argo CD passes parameters as JSON in `ARGOCD_APP_PARAMETERS`: `null` or a list of `{name, string | array | map}` (argo-cd
//! `pkg/apis/application/v1alpha1/types.go`, `ApplicationSourcePluginParameters`).

use crate::argocd::caller::Environment;
use crate::diagnostic::{quoted, reasons};
use serde::Deserialize;
use serde_json::Value;

/// What an Application asks the plugin for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedStream<R> {
    /// The side whose stream is asked for.
    pub role: R,
    /// The parameter `cluster`: the destination of the Application, under Argo CD's name. Argo CD itself does not
    /// report it to a plugin.
    pub cluster: Option<String>,
}

const ROLE: &str = "set `source.plugin.parameters: [{name: role, string: consumer}]`, or `provider`; in your own run set --role, with --local or --public";

reasons! {
    /// Why a parameter was not accepted.
    pub enum ParameterProblem {
        /// No role anywhere.
        RoleMissing
            error("the plugin parameter `role` is missing")
            help ROLE;
        /// The place of the value, and a value that is not a role.
        RoleUnknown(place: &'static str, word: String)
            error("{0} is {1}, which is not a role")
            help ROLE;
        /// A parameter is a list or a map.
        Type(parameter: &'static str, other: &'static str)
            error("the plugin parameter `{0}` must be a `string`, not {1}")
            help "write it as in `source.plugin.parameters: [{name: role, string: consumer}]`";
        /// The Application's destination is not the cluster of the document: its name, the role, and the document's
        /// name.
        OtherCluster(asked: String, role: &'static str, written: String)
            error("the plugin parameter `cluster` is {0}, but the document's {1} is {2}")
            help "move the folder, or correct the destination, `clusterID` or `argocdCluster`";
        /// A parameter without a name. Argo CD passes it on (`types.go`, `json:"name,omitempty"`).
        Unnamed
            error("a plugin parameter has no `name`")
            help ROLE;
        /// The same parameter twice.
        Duplicate(parameter: String)
            error("the plugin parameter {0} is given twice")
            help ROLE;
        /// A parameter that does not exist.
        Unknown(parameter: String)
            error("there is no plugin parameter {0}")
            help "use `role` or `cluster`";
        /// `ARGOCD_APP_PARAMETERS` is not what Argo CD writes.
        Malformed
            error("ARGOCD_APP_PARAMETERS is not Argo CD's JSON")
            help "in your own run, unset it and use --role";
    }
}

#[derive(Deserialize)]
struct Parameter {
    #[serde(default)]
    name: String,
    string: Option<Value>,
    array: Option<Value>,
    map: Option<Value>,
}

/// What the caller asks for; `read` reads the word of the role. A role is required, no parameter may be given twice,
/// and an unknown parameter is an error: without effect, it is a mistake.
///
/// # Errors
/// What is wrong with the parameters.
pub fn requested_stream<R>(
    flag: Option<&str>,
    environment: &Environment,
    read: impl Fn(&str) -> Option<R>,
) -> Result<RequestedStream<R>, ParameterProblem> {
    let [parameter, cluster] = parameters(environment)?;
    let places = [
        ("--role", flag),
        ("the plugin parameter `role`", parameter.as_deref()),
        (
            "the variable `ROLE` of the plugin's `env`",
            environment.value("ARGOCD_ENV_ROLE"),
        ),
    ];
    // the first place that has a value counts, even if the value is empty
    let given = places.into_iter().find(|(_, word)| word.is_some());
    let Some((place, Some(word))) = given.filter(|(_, word)| *word != Some("")) else {
        return Err(ParameterProblem::RoleMissing);
    };
    match read(word) {
        Some(role) => Ok(RequestedStream { role, cluster }),
        None => Err(ParameterProblem::RoleUnknown(place, quoted(word))),
    }
}

/// `role` and `cluster`. An empty value counts as missing.
fn parameters(environment: &Environment) -> Result<[Option<String>; 2], ParameterProblem> {
    let mut found = [("role", None), ("cluster", None)];
    let json = environment.filled("ARGOCD_APP_PARAMETERS");
    let json = json.as_deref().unwrap_or("null");
    let Ok(given) = serde_json::from_str::<Option<Vec<Parameter>>>(json) else {
        return Err(ParameterProblem::Malformed);
    };
    for parameter in given.unwrap_or_default() {
        let Some((name, value)) = found.iter_mut().find(|(name, _)| *name == parameter.name) else {
            return Err(match parameter.name.as_str() {
                "" => ParameterProblem::Unnamed,
                name => ParameterProblem::Unknown(quoted(name)),
            });
        };
        if value.is_some() {
            return Err(ParameterProblem::Duplicate(quoted(name)));
        }
        *value = Some(match (parameter.string, parameter.array, parameter.map) {
            (_, Some(_), _) => return Err(ParameterProblem::Type(name, "an `array`")),
            (_, _, Some(_)) => return Err(ParameterProblem::Type(name, "a `map`")),
            (Some(Value::String(text)), None, None) => text,
            (Some(_), None, None) => return Err(ParameterProblem::Type(name, "something else")),
            (None, None, None) => String::new(),
        });
    }
    Ok(found.map(|(_, value)| value.filter(|value| !value.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::ParameterProblem as P;
    use crate::argocd::caller::Environment;

    #[derive(Debug, PartialEq, Eq)]
    enum Role {
        Consumer,
        Provider,
    }

    fn role(flag: Option<&str>, environment: &Environment) -> Result<Role, P> {
        super::requested_stream(flag, environment, find).map(|asked| asked.role)
    }

    fn find(word: &str) -> Option<Role> {
        match word {
            "consumer" => Some(Role::Consumer),
            "provider" => Some(Role::Provider),
            _ => None,
        }
    }

    fn role_in(json: &str) -> Result<Role, P> {
        role(None, &Environment::from([("ARGOCD_APP_PARAMETERS", json)]))
    }

    #[test]
    fn the_parameter() {
        assert_eq!(
            role_in(r#"[{"name":"role","string":"consumer"}]"#),
            Ok(Role::Consumer)
        );
        assert_eq!(
            role_in(r#"[{"name":"role","string":"provider","later":1}]"#),
            Ok(Role::Provider)
        );
        for nothing in [
            "",
            "null",
            "[]",
            r#"[{"name":"role"}]"#,
            r#"[{"name":"role","string":""}]"#,
        ] {
            assert_eq!(role_in(nothing), Err(P::RoleMissing), "{nothing}");
        }
        for wrong in [
            r#"[{"name":"role","string":"Consumer"}]"#,
            r#"[{"name":"role","string":" consumer"}]"#,
        ] {
            assert!(matches!(role_in(wrong), Err(P::RoleUnknown(..))), "{wrong}");
        }
        for wrong in [
            r#"[{"name":"role","array":["consumer"]}]"#,
            r#"[{"name":"role","map":{}}]"#,
            r#"[{"name":"role","string":1}]"#,
            r#"[{"name":"role","string":"consumer","array":[]}]"#,
        ] {
            assert!(matches!(role_in(wrong), Err(P::Type("role", _))), "{wrong}");
        }
        let twice = r#"[{"name":"role","string":"consumer"},{"name":"role","string":"consumer"}]"#;
        assert!(matches!(role_in(twice), Err(P::Duplicate(_))));
        assert!(matches!(
            role_in(r#"[{"name":"rolle","string":"consumer"}]"#),
            Err(P::Unknown(_))
        ));
        assert_eq!(role_in(r#"[{"string":"consumer"}]"#), Err(P::Unnamed));
        for malformed in ["{", "{}", "[1]", "\"role\""] {
            assert_eq!(role_in(malformed), Err(P::Malformed), "{malformed}");
        }
    }

    #[test]
    fn the_flag_wins_and_the_environment_comes_last() {
        let parameter = (
            "ARGOCD_APP_PARAMETERS",
            r#"[{"name":"role","string":"consumer"}]"#,
        );
        let variable = ("ARGOCD_ENV_ROLE", "provider");
        let both = Environment::from([parameter, variable]);
        assert_eq!(role(Some("provider"), &both), Ok(Role::Provider));
        assert_eq!(role(None, &both), Ok(Role::Consumer));
        assert_eq!(
            role(None, &Environment::from([variable])),
            Ok(Role::Provider)
        );
        let null = Environment::from([("ARGOCD_APP_PARAMETERS", "null"), variable]);
        assert_eq!(role(None, &null), Ok(Role::Provider));
        assert_eq!(role(None, &Environment::default()), Err(P::RoleMissing));
    }
}
