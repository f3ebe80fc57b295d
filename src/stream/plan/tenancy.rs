//! The authentication module of one side: what it shows to the other, and what lets the other in.

use super::resource::{Identity, IdentitySecret, Resource, RoleBinding, ServiceAccount, Subject, Tenant};
use super::{Material, OwnKubeconfig, PLACEHOLDER, Side, of};
use crate::diagnostic::Bug;
use crate::peering::authentication::{Authentication, Credential, SubjectKind, TenantCondition};
use crate::stream::render;
use zeroize::Zeroizing;

impl Side<'_> {
    /// The credential that this side shows to the other.
    ///
    /// # Errors
    /// Only for a bug: its sealed file was not opened.
    pub(super) fn credential(
        &self,
        authentication: &Authentication,
        material: &Material,
    ) -> Result<Option<Resource>, Bug> {
        let named = |default: String| {
            let name = self.own.names.identity.as_ref().map_or(default, ToString::to_string);
            self.place(&name, of(&self.own.extras.identity))
        };
        let remote_namespace = self.peer.tenant_namespace.to_string();
        Ok(match &authentication.credential {
            // as Liqo calls the Secret that it makes of `liqoctl`'s Identity
            Credential::Kubeconfig(_) => Some(Resource::IdentitySecret(IdentitySecret {
                place: named(format!("kubeconfig-controlplane-{}", self.peer.id)),
                remote_namespace,
                kubeconfig: match &material.kubeconfig {
                    Some(OwnKubeconfig::Opened(kubeconfig)) => render::kubeconfig(kubeconfig)?,
                    Some(OwnKubeconfig::Closed) => Zeroizing::new(PLACEHOLDER.to_owned()),
                    None => return Err(Bug::new("a credential without its kubeconfig")),
                },
            })),
            // as `liqoctl` calls it; Liqo makes the Secret `kubeconfig-<name>` of it
            Credential::Identity(identity) => Some(Resource::Identity(Identity {
                place: named(format!("controlplane-{}", self.peer.id)),
                remote_namespace,
                api_server: identity.api_server.as_str().to_owned(),
                ca: identity.ca.as_str().to_owned(),
                signed_crt: identity.signed_crt.as_str().to_owned(),
                proxy_url: authentication.proxy_url.as_ref().map(|url| url.as_str().to_owned()),
            })),
            Credential::ExistingSecret | Credential::Pending => None,
        })
    }

    /// What lets the other cluster in.
    pub(super) fn admission(&self, authentication: &Authentication) -> Vec<Resource> {
        let (names, extras) = (&self.own.names, &self.own.extras);
        let subject = &authentication.subject;
        let mut resources = Vec::new();
        if subject.kind == SubjectKind::ServiceAccount {
            let token = format!("{}-token", subject.name);
            let account = subject.name.to_string();
            resources.push(Resource::ServiceAccount(self.place(&account, of(&extras.service_account))));
            resources.push(Resource::TokenSecret(ServiceAccount {
                place: self.place(&token, of(&extras.service_account)),
                account,
            }));
        }
        // Liqo deletes a drained Tenant's binding, and Argo CD would put it back (liqo `tenant_controller.go`)
        if authentication.condition != TenantCondition::Drained {
            resources.push(Resource::RoleBinding(RoleBinding {
                place: self.place(&names.role_binding, of(&extras.role_binding)),
                subject: Subject {
                    kind: subject.kind.word(),
                    name: subject.name.to_string(),
                    account: subject.kind == SubjectKind::ServiceAccount,
                },
            }));
        }
        resources.push(Resource::Tenant(Tenant {
            place: self.place(&names.tenant, of(&extras.tenant)),
            condition: authentication.condition.word(),
            proxy_url: authentication.proxy_url.as_ref().map(|url| url.as_str().to_owned()),
        }));
        resources
    }
}
