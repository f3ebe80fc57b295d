//! The role: from `--role`, else the plugin parameter, else the plugin's `env`.
//!
//! Argo CD passes parameters as JSON in `ARGOCD_APP_PARAMETERS`: `null` or a list of `{name, string | array |
//! map}` (argo-cd `pkg/apis/application/v1alpha1/types.go`, `ApplicationSourcePluginParameters`).

use crate::argocd::environment::Environment;
use crate::diagnostic::quoted;
use serde::Deserialize;
use serde_json::Value;

/// The one parameter.
const ROLE: &str = "role";

/// Why `role` or another parameter was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterProblem {
    /// No role anywhere.
    #[error("the plugin parameter `role` is missing")]
    RoleMissing,
    /// Where it is, and a value that is not a role.
    #[error("{0} is {1}, which is not a role")]
    RoleUnknown(&'static str, String),
    /// `role` is a list or a map.
    #[error("the plugin parameter `role` must be a `string`, not {0}")]
    RoleType(&'static str),
    /// The same parameter twice.
    #[error("the plugin parameter {0} is given twice")]
    Duplicate(String),
    /// A parameter that does not exist.
    #[error("there is no plugin parameter {0}")]
    Unknown(String),
    /// `ARGOCD_APP_PARAMETERS` is not what Argo CD writes.
    #[error("the environment variable ARGOCD_APP_PARAMETERS is not the JSON that Argo CD writes")]
    Malformed,
}

impl ParameterProblem {
    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Malformed => "leave that variable to Argo CD; for your own run use --role",
            Self::Unknown(_) => "the only plugin parameter is `role`",
            Self::RoleMissing | Self::RoleUnknown(..) | Self::RoleType(_) | Self::Duplicate(_) => {
                "set it in the Application: `source.plugin.parameters: [{name: role, string: consumer}]`, or `provider`; for your own run use --role"
            }
        }
    }
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    string: Option<Value>,
    array: Option<Value>,
    map: Option<Value>,
}

/// The role that the caller wants, if `read` knows the word. It must not be missing or given twice, and there must be no
/// other parameter: one without effect is a mistake.
///
/// # Errors
/// What is wrong with the parameters.
pub fn role<R>(
    flag: Option<&str>,
    environment: &Environment,
    read: impl Fn(&str) -> Option<R>,
) -> Result<R, ParameterProblem> {
    let parameter = parameter(environment.get("ARGOCD_APP_PARAMETERS"))?;
    let places = [
        ("--role", flag),
        ("the plugin parameter `role`", parameter.as_deref()),
        ("the variable `ROLE` of the plugin's `env`", environment.get("ARGOCD_ENV_ROLE")),
    ];
    // the first that is set, even if it is empty
    let (place, role) = places
        .into_iter()
        .find_map(|(place, role)| Some((place, role?)))
        .filter(|(_, role)| !role.is_empty())
        .ok_or(ParameterProblem::RoleMissing)?;
    read(role).ok_or_else(|| ParameterProblem::RoleUnknown(place, quoted(role)))
}

fn parameter(json: Option<&str>) -> Result<Option<String>, ParameterProblem> {
    let Some(json) = json.filter(|json| !json.is_empty()) else {
        return Ok(None);
    };
    let parameters: Option<Vec<Parameter>> =
        serde_json::from_str(json).map_err(|_| ParameterProblem::Malformed)?;
    let mut role = None;
    for parameter in parameters.unwrap_or_default() {
        if parameter.name != ROLE {
            return Err(ParameterProblem::Unknown(quoted(&parameter.name)));
        }
        if role.is_some() {
            return Err(ParameterProblem::Duplicate(quoted(ROLE)));
        }
        role = Some(match (parameter.string, parameter.array, parameter.map) {
            (_, Some(_), _) => return Err(ParameterProblem::RoleType("an `array`")),
            (_, _, Some(_)) => return Err(ParameterProblem::RoleType("a `map`")),
            (Some(Value::String(text)), None, None) => text,
            (Some(_), None, None) => return Err(ParameterProblem::RoleType("something else")),
            (None, None, None) => String::new(),
        });
    }
    Ok(role.filter(|role| !role.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::ParameterProblem as P;
    use crate::argocd::environment::Environment;

    #[derive(Debug, PartialEq, Eq)]
    enum Role {
        Consumer,
        Provider,
    }

    fn role(flag: Option<&str>, environment: &Environment) -> Result<Role, P> {
        super::role(flag, environment, |word| match word {
            "consumer" => Some(Role::Consumer),
            "provider" => Some(Role::Provider),
            _ => None,
        })
    }

    fn role_in(json: &str) -> Result<Role, P> {
        role(None, &Environment::from([("ARGOCD_APP_PARAMETERS", json)]))
    }

    #[test]
    fn the_parameter() {
        assert_eq!(role_in(r#"[{"name":"role","string":"consumer"}]"#), Ok(Role::Consumer));
        assert_eq!(role_in(r#"[{"name":"role","string":"provider","later":1}]"#), Ok(Role::Provider));
        for nothing in ["", "null", "[]", r#"[{"name":"role"}]"#, r#"[{"name":"role","string":""}]"#] {
            assert_eq!(role_in(nothing), Err(P::RoleMissing), "{nothing}");
        }
        for wrong in [r#"[{"name":"role","string":"Consumer"}]"#, r#"[{"name":"role","string":" consumer"}]"#]
        {
            assert!(matches!(role_in(wrong), Err(P::RoleUnknown(..))), "{wrong}");
        }
        for wrong in [
            r#"[{"name":"role","array":["consumer"]}]"#,
            r#"[{"name":"role","map":{}}]"#,
            r#"[{"name":"role","string":1}]"#,
            r#"[{"name":"role","string":"consumer","array":[]}]"#,
        ] {
            assert!(matches!(role_in(wrong), Err(P::RoleType(_))), "{wrong}");
        }
        let twice = r#"[{"name":"role","string":"consumer"},{"name":"role","string":"consumer"}]"#;
        assert!(matches!(role_in(twice), Err(P::Duplicate(_))));
        assert!(matches!(role_in(r#"[{"name":"rolle","string":"consumer"}]"#), Err(P::Unknown(_))));
        for malformed in ["{", "{}", "[1]", "\"role\"", r#"[{"string":"consumer"}]"#] {
            assert_eq!(role_in(malformed), Err(P::Malformed), "{malformed}");
        }
    }

    #[test]
    fn the_flag_wins_and_the_environment_comes_last() {
        let parameter = ("ARGOCD_APP_PARAMETERS", r#"[{"name":"role","string":"consumer"}]"#);
        let variable = ("ARGOCD_ENV_ROLE", "provider");
        let both = Environment::from([parameter, variable]);
        assert_eq!(role(Some("provider"), &both), Ok(Role::Provider));
        assert_eq!(role(None, &both), Ok(Role::Consumer));
        assert_eq!(role(None, &Environment::from([variable])), Ok(Role::Provider));
        let null = Environment::from([("ARGOCD_APP_PARAMETERS", "null"), variable]);
        assert_eq!(role(None, &null), Ok(Role::Provider));
        assert_eq!(role(None, &Environment::default()), Err(P::RoleMissing));
    }
}
