//! What plugin.yaml says.

use crate::harness::argocd::{plugin_arguments, words, yaml};
use serde_json::json;
use std::path::Path;

/// Both plugin files of this repository.
const FILES: [&str; 2] = ["plugin.yaml", "argocd-app/install/plugin-with-discovery.yaml"];

/// A version would become a part of the name that Applications write.
#[test]
fn the_name_has_no_version_in_it() {
    for file in FILES {
        let plugin = yaml(file);
        assert_eq!(plugin["apiVersion"], "argoproj.io/v1alpha1", "{file}");
        assert_eq!(plugin["kind"], "ConfigManagementPlugin", "{file}");
        assert_eq!(plugin["metadata"]["name"], "argocd-peering", "{file}");
        assert_eq!(plugin["spec"].get("version"), None, "{file}");
    }
}

#[test]
fn only_the_variant_discovers() {
    let [plain, variant] = FILES.map(yaml);
    assert_eq!(plain["spec"].get("discover"), None);
    assert_eq!(variant["spec"]["discover"], json!({ "fileName": "./peering.yaml" }));
    assert_eq!(plain["spec"]["generate"], variant["spec"]["generate"], "they run the same");
    assert_eq!(plain["spec"]["parameters"], variant["spec"]["parameters"], "and announce the same");
}

/// No shell, no `init`, no credentials of Git; the identity's path is written there and cannot come from elsewhere.
#[test]
fn the_program_is_run_directly_and_the_identity_is_fixed() {
    for file in FILES {
        let plugin = yaml(file);
        assert_eq!(words(&plugin, "/spec/generate/command"), ["/usr/local/bin/argocd-peering"], "{file}");
        let arguments = words(&plugin, "/spec/generate/args");
        let [generate, flag, identity] = arguments.as_slice() else { panic!("{file}: {arguments:?}") };
        assert_eq!((generate.as_str(), flag.as_str()), ("generate", "--identity-file"), "{file}");
        assert!(Path::new(identity).is_absolute(), "{file}: the folder is in the hands of the repository");
        assert!(!arguments.iter().any(|word| word.contains(['$', '`', ';', '|', '&'])), "{file}");
        for field in ["init", "preserveFileMode", "provideGitCreds"] {
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
        let parameters = plugin["spec"]["parameters"].as_object().expect("parameters");
        assert_eq!(parameters.keys().collect::<Vec<_>>(), ["static"], "{file}: nothing is run to announce");
        let announced = parameters["static"].as_array().expect("a list");
        let [role, cluster] = announced.as_slice() else { panic!("{file}: {announced:?}") };
        for (parameter, name, required, words) in [
            (role, "role", true, ["consumer", "provider"].as_slice()),
            (cluster, "cluster", false, ["destination.name"].as_slice()),
        ] {
            assert_eq!(parameter["name"], name, "{file}");
            assert_eq!(parameter["required"], required, "{file}");
            let title = parameter["title"].as_str().expect("a title");
            assert!(words.iter().all(|word| title.contains(word)), "{file}: {title}");
            for field in ["string", "array", "map", "collectionType"] {
                assert_eq!(parameter.get(field), None, "{file}: {field}");
            }
        }
    }
}
