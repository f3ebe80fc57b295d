//! What pods may use on a virtual node, in the words of Kubernetes' ResourceQuota.

use crate::diagnostic::Code;
use crate::document::{Located, records, words};
use crate::peering::context::Context;
use crate::peering::values::{Resources, Text};

records! {
    /// What pods may use on a virtual node.
    #[derive(Default)]
    ResourceQuota {
        /// `cpu`, `memory`, `pods` and what else the Node has. Default: the slice's resources.
        "hard" => hard: optional Located<Resources>;
        /// Kubernetes' scopes.
        "scopes" => scopes: or_empty Vec<Text>;
        /// Kubernetes' scope selector.
        "scopeSelector" => scope_selector: optional ScopeSelector;
    }

    /// Scopes by expression.
    ScopeSelector {
        /// All of them must hold.
        "matchExpressions" => expressions: required Vec<Located<ScopeExpression>>;
    }

    /// One scope.
    ScopeExpression {
        /// The scope, for example `PriorityClass`.
        "scopeName" => scope_name: required Text;
        /// How it is compared.
        "operator" => operator: required ScopeOperator;
        /// What it is compared with, with `In` and `NotIn`.
        "values" => values: or_empty Vec<Text>;
    }
}

words! {
    /// How a scope compares.
    ScopeOperator {
        /// The value is one of these.
        In = "In",
        /// The value is none of these.
        NotIn = "NotIn",
        /// There is a value.
        Exists = "Exists",
        /// There is no value.
        DoesNotExist = "DoesNotExist",
    }
}

/// Kubernetes' rules of a scope (`k8s.io/kubernetes/pkg/apis/core/validation`,
/// validateScopedResourceSelectorRequirement).
pub(super) fn check(context: &mut Context<'_, '_>, written: Option<&ResourceQuota>) {
    let selector = written.and_then(|it| it.scope_selector.as_ref());
    for scope in selector.into_iter().flat_map(|it| &it.expressions) {
        let operator = scope.operator;
        let (takes, help) = match (operator, scope.values.is_empty()) {
            (ScopeOperator::In | ScopeOperator::NotIn, true) => {
                ("at least one of `values`", "for example `values: [high]`")
            }
            (ScopeOperator::Exists | ScopeOperator::DoesNotExist, false) => {
                ("no `values`", "remove them, or set `operator: In`")
            }
            _ => continue,
        };
        context.problems.refuse(Code::Selector, scope.span, format!("`{operator}` takes {takes}"), help);
    }
}
