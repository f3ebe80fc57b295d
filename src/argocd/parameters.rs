//! The role, from wherever it is said: `--role`, else the plugin parameter, else the plugin's `env`.
//!
//! Argo CD hands parameters over as JSON in `ARGOCD_APP_PARAMETERS`: `null` or a list of `{name, string | array |
//! map}` (argo-cd `pkg/apis/application/v1alpha1/types.go`, `ApplicationSourcePluginParameters`).

use crate::argocd::environment::Environment;
use crate::command::error::ParameterProblem;
use crate::diagnostic::quoted;
use crate::peering::values::role::Role;
use serde::Deserialize;
use serde_json::Value;

/// The one parameter.
const ROLE: &str = "role";

#[derive(Deserialize)]
struct Parameter {
    name: String,
    string: Option<Value>,
    array: Option<Value>,
    map: Option<Value>,
}

/// The role that the caller wants.
///
/// # Errors
/// When it is not said, said twice, not a role, or when there are other parameters: a parameter that does
/// nothing is a mistake somewhere.
pub fn role(flag: Option<&str>, environment: &Environment) -> Result<Role, ParameterProblem> {
    let parameter = parameter(environment.get("ARGOCD_APP_PARAMETERS"))?;
    let said = [
        ("--role", flag),
        ("the plugin parameter `role`", parameter.as_deref()),
        ("the variable `ROLE` of the plugin's `env`", environment.get("ARGOCD_ENV_ROLE")),
    ];
    let mut said = said.into_iter().filter_map(|(place, role)| Some((place, role?)));
    let (place, role) =
        said.next().filter(|(_, role)| !role.is_empty()).ok_or(ParameterProblem::RoleMissing)?;
    Role::find(role).ok_or_else(|| ParameterProblem::RoleUnknown(place, quoted(role)))
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
    use super::role;
    use crate::argocd::environment::Environment;
    use crate::command::error::ParameterProblem as P;
    use crate::peering::values::role::Role;

    fn said(json: &str) -> Result<Role, P> {
        role(None, &Environment::from([("ARGOCD_APP_PARAMETERS", json)]))
    }

    #[test]
    fn the_parameter() {
        assert_eq!(said(r#"[{"name":"role","string":"consumer"}]"#), Ok(Role::Consumer));
        assert_eq!(said(r#"[{"name":"role","string":"provider","later":1}]"#), Ok(Role::Provider));
        for nothing in ["", "null", "[]", r#"[{"name":"role"}]"#, r#"[{"name":"role","string":""}]"#] {
            assert_eq!(said(nothing), Err(P::RoleMissing), "{nothing}");
        }
        for wrong in [r#"[{"name":"role","string":"Consumer"}]"#, r#"[{"name":"role","string":" consumer"}]"#]
        {
            assert!(matches!(said(wrong), Err(P::RoleUnknown(..))), "{wrong}");
        }
        for wrong in [
            r#"[{"name":"role","array":["consumer"]}]"#,
            r#"[{"name":"role","map":{}}]"#,
            r#"[{"name":"role","string":1}]"#,
            r#"[{"name":"role","string":"consumer","array":[]}]"#,
        ] {
            assert!(matches!(said(wrong), Err(P::RoleType(_))), "{wrong}");
        }
        let twice = r#"[{"name":"role","string":"consumer"},{"name":"role","string":"consumer"}]"#;
        assert!(matches!(said(twice), Err(P::Duplicate(_))));
        assert!(matches!(said(r#"[{"name":"rolle","string":"consumer"}]"#), Err(P::Unknown(_))));
        for malformed in ["{", "{}", "[1]", "\"role\"", r#"[{"string":"consumer"}]"#] {
            assert_eq!(said(malformed), Err(P::Malformed), "{malformed}");
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
