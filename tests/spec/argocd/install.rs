//! What a sidecar may do in the cluster, in both ways to install it.

use crate::harness::argocd::yaml;
use serde_json::{Value, json};

/// The sidecar and its volumes, for Kustomize and for argo-helm.
fn installs() -> [(Value, Value); 2] {
    let patch = yaml("argocd-app/install/argocd-repo-server.yaml");
    let pod = &patch["spec"]["template"]["spec"];
    let containers = pod["containers"].as_array().expect("containers");
    let sidecar =
        containers.iter().find(|container| container["name"] == "argocd-peering").expect("the sidecar");
    let chart = &yaml("argocd-app/install/values.yaml")["repoServer"];
    [
        (sidecar.clone(), pod["volumes"].clone()),
        (chart["extraContainers"][0].clone(), chart["volumes"].clone()),
    ]
}

#[test]
fn both_install_the_same_sidecar() {
    let [kustomize, helm] = installs();
    assert_eq!(kustomize, helm);
}

/// What the restricted Pod Security Standard demands, and what it leaves out: a read-only root file system, a group that is not
/// root's, and bounds on memory and disk.
#[test]
fn the_sidecar_is_confined() {
    for (sidecar, volumes) in installs() {
        let context = json!({
            "runAsNonRoot": true,
            "runAsUser": 999,
            "runAsGroup": 999,
            "allowPrivilegeEscalation": false,
            "readOnlyRootFilesystem": true,
            "capabilities": { "drop": ["ALL"] },
            "seccompProfile": { "type": "RuntimeDefault" },
        });
        assert_eq!(sidecar["securityContext"], context);
        assert!(sidecar["resources"]["limits"]["memory"].is_string());
        assert_eq!(
            sidecar["command"],
            json!(["/var/run/argocd/argocd-cmp-server"]),
            "no flag raises the log level"
        );
        let volumes = volumes.as_array().expect("volumes");
        let of = |name: &str| volumes.iter().find(|volume| volume["name"] == name).expect("a volume");
        assert!(of("argocd-peering-tmp")["emptyDir"]["sizeLimit"].is_string());
        assert_eq!(of("argocd-peering-identity")["secret"]["defaultMode"], 0o444);
    }
}

/// Upstream's manifests do the same; with the chart it has to be set.
#[test]
fn the_chart_gives_the_pod_no_token() {
    assert_eq!(yaml("argocd-app/install/values.yaml")["repoServer"]["automountServiceAccountToken"], false);
}
