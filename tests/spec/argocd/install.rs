//! What plugin.yaml says, and what a sidecar may do in the cluster, in each way to install it.

use crate::harness::argocd::{plugin_arguments, words, yaml};
use crate::harness::library::Cli;
use crate::harness::{Text, committed, files_below, read, root};
use clap::Parser as _;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The sidecar and its volumes, for Kustomize and for argo-helm.
fn installs() -> [(Value, Value); 2] {
    let patch = yaml("argocd-app/install/argocd-repo-server.yaml");
    let pod = &patch["spec"]["template"]["spec"];
    let containers = pod["containers"].as_array().expect("containers");
    let sidecar = containers
        .iter()
        .find(|container| container["name"] == "argocd-peering")
        .expect("the sidecar");
    let chart = &yaml("argocd-app/install/values.yaml")["repoServer"];
    [
        (sidecar.clone(), pod["volumes"].clone()),
        (
            chart["extraContainers"][0].clone(),
            chart["volumes"].clone(),
        ),
    ]
}

/// OpenShift chooses the user, so that one is left out there.
#[test]
fn all_install_the_same_sidecar() {
    let repo = &yaml("argocd-app/install/openshift.yaml")["spec"]["repo"];
    let [kustomize, helm] = installs();
    assert_eq!(kustomize, helm);
    let (mut sidecar, volumes) = kustomize;
    let context = sidecar["securityContext"]
        .as_object_mut()
        .expect("a context");
    for user in ["runAsUser", "runAsGroup"] {
        assert_eq!(context.remove(user), Some(json!(999)));
    }
    // Not every release of the operator has `cmdParams`, for argocd-cmd-params-cm. The variable is what is made of its entry.
    let paths =
        json!({ "name": "ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS", "value": "true" });
    assert_eq!(
        *repo,
        json!({ "env": [paths], "sidecarContainers": [sidecar], "volumes": volumes })
    );
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
        // no flag raises the log level
        assert_eq!(
            sidecar["command"],
            json!(["/var/run/argocd/argocd-cmp-server"])
        );
        let volumes = volumes.as_array().expect("volumes");
        let of = |name: &str| {
            volumes
                .iter()
                .find(|volume| volume["name"] == name)
                .expect("a volume")
        };
        assert!(of("argocd-peering-tmp")["emptyDir"]["sizeLimit"].is_string());
        assert_eq!(
            of("argocd-peering-identity")["secret"]["defaultMode"],
            0o444
        );
    }
}

/// A server that does not answer is found by the container's probes, with a command of the image that needs no file: without an
/// identity the repo-server still serves others.
#[test]
fn the_probes_ask_the_server_of_the_sidecar() {
    for (sidecar, _) in installs() {
        for probe in ["startupProbe", "livenessProbe"] {
            let command = &sidecar[probe]["exec"]["command"];
            assert_eq!(
                command,
                &json!(["/usr/local/bin/argocd-peering", "healthcheck"]),
                "{probe}"
            );
            let command: Vec<_> = command
                .as_array()
                .expect("words")
                .iter()
                .map(Value::as_str)
                .collect();
            Cli::try_parse_from(command.into_iter().flatten()).expect("a command of this program");
        }
        // it would take a running repo-server away from all Applications
        assert!(sidecar["readinessProbe"].is_null());
    }
    committed("Dockerfile").has("/argocd-peering /usr/local/bin/argocd-peering\n");
}

/// Upstream's manifests give the pod no token, and have policies; with the chart both have to be set.
#[test]
fn the_chart_does_what_upstream_does() {
    let chart = yaml("argocd-app/install/values.yaml");
    assert_eq!(chart["repoServer"]["automountServiceAccountToken"], false);
    assert_eq!(chart["global"]["networkPolicy"], json!({ "create": true }));
}

/// A policy with a rule that names neither a port nor a pod would allow everything.
#[test]
fn the_pod_of_the_sidecar_hears_and_reaches_little() {
    let policy = yaml("argocd-app/install/network-policy.yaml");
    let spec = &policy["spec"];
    let selector = json!({ "matchLabels": { "app.kubernetes.io/name": "argocd-repo-server" } });
    assert_eq!(spec["podSelector"], selector);
    assert_eq!(spec["policyTypes"], json!(["Ingress", "Egress"]));
    let ports = |direction: &str| -> Vec<i64> {
        let rules = spec[direction].as_array().expect("rules");
        let ports = rules
            .iter()
            .flat_map(|rule| rule["ports"].as_array().expect("ports of each rule"));
        ports
            .map(|port| port["port"].as_i64().expect("a number"))
            .collect()
    };
    assert_eq!(
        (ports("ingress"), ports("egress")),
        (vec![8081, 8084], vec![53, 53, 6379, 443, 22])
    );
    let ingress = spec["ingress"].as_array().expect("rules");
    assert!(
        ingress.iter().all(|rule| rule["from"].is_array()),
        "{ingress:?}"
    );
    // the sidecar's server is on a socket among files, and the program calls nobody
    let calls = |file: &PathBuf| {
        let text = read(file);
        ["TcpStream", "TcpListener", "UdpSocket", "ToSocketAddrs"]
            .iter()
            .any(|word| text.contains(word))
    };
    let source = root().join("src");
    let found: Vec<_> = files_below(&source, ".rs")
        .into_iter()
        .filter(calls)
        .collect();
    assert_eq!(found, [""; 0].map(PathBuf::from));
}

/// Both plugin files of this repository.
const FILES: [&str; 2] = [
    "plugin.yaml",
    "argocd-app/install/plugin-with-discovery.yaml",
];

#[test]
fn only_the_variant_discovers() {
    let [plain, variant] = FILES.map(yaml);
    assert_eq!(plain["spec"].get("discover"), None);
    assert_eq!(
        variant["spec"]["discover"],
        json!({ "fileName": "./peering.yaml" })
    );
    assert_eq!(
        plain["spec"]["generate"], variant["spec"]["generate"],
        "they run the same"
    );
    assert_eq!(
        plain["spec"]["parameters"], variant["spec"]["parameters"],
        "and announce the same"
    );
}

/// No shell, no `init`, no credentials of Git; the identity's path is written there and cannot come from elsewhere. A version would
/// become a part of the name that Applications write.
#[test]
fn the_program_is_run_directly_and_the_identity_is_fixed() {
    for file in FILES {
        let plugin = yaml(file);
        assert_eq!(plugin["apiVersion"], "argoproj.io/v1alpha1", "{file}");
        assert_eq!(plugin["kind"], "ConfigManagementPlugin", "{file}");
        assert_eq!(plugin["metadata"]["name"], "argocd-peering", "{file}");
        assert_eq!(
            words(&plugin, "/spec/generate/command"),
            ["/usr/local/bin/argocd-peering"],
            "{file}"
        );
        let arguments = words(&plugin, "/spec/generate/args");
        let [generate, flag, identity] = arguments.as_slice() else {
            panic!("{file}: {arguments:?}")
        };
        assert_eq!(
            (generate.as_str(), flag.as_str()),
            ("generate", "--identity-file"),
            "{file}"
        );
        assert!(
            Path::new(identity).is_absolute(),
            "{file}: the folder is in the hands of the repository"
        );
        assert!(
            !arguments
                .iter()
                .any(|word| word.contains(['$', '`', ';', '|', '&'])),
            "{file}"
        );
        for field in ["version", "init", "preserveFileMode", "provideGitCreds"] {
            assert_eq!(plugin["spec"].get(field), None, "{file}: {field}");
        }
    }
    assert_eq!(plugin_arguments(Path::new("identity.txt"))[0], "generate");
}

/// The UI shows the title and nothing else of a parameter, and an announced default is never sent.
#[test]
fn both_parameters_are_announced_in_the_file_and_say_their_words() {
    for file in FILES {
        let plugin = yaml(file);
        let parameters = plugin["spec"]["parameters"]
            .as_object()
            .expect("parameters");
        assert_eq!(
            parameters.keys().collect::<Vec<_>>(),
            ["static"],
            "{file}: nothing is run to announce"
        );
        let announced = parameters["static"].as_array().expect("a list");
        let [role, cluster] = announced.as_slice() else {
            panic!("{file}: {announced:?}")
        };
        for (parameter, name, required, words) in [
            (role, "role", true, ["consumer", "provider"].as_slice()),
            (cluster, "cluster", false, ["destination.name"].as_slice()),
        ] {
            assert_eq!(parameter["name"], name, "{file}");
            assert_eq!(parameter["required"], required, "{file}");
            let title = parameter["title"].as_str().expect("a title");
            assert!(
                words.iter().all(|word| title.contains(word)),
                "{file}: {title}"
            );
            for field in ["string", "array", "map", "collectionType"] {
                assert_eq!(parameter.get(field), None, "{file}: {field}");
            }
        }
    }
}
