//! RENDER: objects to text, one template a kind.
//!
//! An error here is a bug of this program: the templates are compiled in, and what they show was checked.

mod engine;
mod scalar;

use crate::diagnostic::Bug;
use crate::peering::kubeconfig::Kubeconfig;
use crate::stream::plan::Plan;
use crate::stream::plan::resource::Resource;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::{Engine, Template};
use serde::Serialize;
use zeroize::Zeroizing;

/// A template, embedded under its file's name.
macro_rules! template {
    ($name:literal) => {
        Template { name: $name, text: include_str!(concat!("render/templates/", $name, ".yaml.j2")) }
    };
}

/// The stream of a plan: one YAML document an object, each after its `---`.
///
/// # Errors
/// Only for a bug in a template.
pub fn render(plan: &Plan) -> Result<Zeroizing<String>, Bug> {
    let mut engine = Engine::new();
    let mut stream = Zeroizing::new(String::with_capacity(1024 * plan.resources().len()));
    for resource in plan.resources() {
        let view = View { wave: resource.wave().to_string(), resource };
        let document = engine.render(template_of(resource), &view)?;
        stream.push_str("---\n");
        stream.push_str(&document);
    }
    Ok(stream)
}

/// A kubeconfig as it stands in a Secret's `data`: base64 of its YAML.
///
/// # Errors
/// Only for a bug in its template.
pub fn kubeconfig(kubeconfig: &Kubeconfig) -> Result<Zeroizing<String>, Bug> {
    let text = Engine::new().render(template!("kubeconfig"), &kubeconfig.expose())?;
    Ok(Zeroizing::new(STANDARD.encode(text.as_bytes())))
}

const fn template_of(resource: &Resource) -> Template {
    match resource {
        Resource::TenantNamespace(_) => template!("tenant-namespace"),
        Resource::KeySecret(_) => template!("key-secret"),
        Resource::PublicKey(_) => template!("public-key"),
        Resource::Configuration(_) => template!("configuration"),
        Resource::GatewayServer(_) => template!("gateway-server"),
        Resource::GatewayClient(_) => template!("gateway-client"),
        Resource::RoleBinding(_) => template!("role-binding"),
        Resource::Tenant(_) => template!("tenant"),
        Resource::ServiceAccount(_) => template!("service-account"),
        Resource::TokenSecret(_) => template!("token-secret"),
        Resource::IdentitySecret(_) => template!("identity-secret"),
        Resource::Identity(_) => template!("identity"),
        Resource::VirtualNode(_) => template!("virtual-node"),
        Resource::ResourceSlice(_) => template!("resource-slice"),
        Resource::WorkloadNamespace(_) => template!("workload-namespace"),
        Resource::NamespaceOffloading(_) => template!("namespace-offloading"),
    }
}

/// What a template sees: the wave, and the object's own fields.
#[derive(Serialize)]
struct View<'r> {
    wave: String,
    #[serde(flatten)]
    resource: &'r Resource,
}
