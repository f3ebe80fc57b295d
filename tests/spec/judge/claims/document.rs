//! Documents of a fleet, and what is found between them.

use crate::harness::library::conflicting_words;
use crate::harness::{put, quickstart, read};
use std::path::Path;

const TEMPLATE: &str = "\
apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata:
  name: CONSUMER-PROVIDER
spec:
  liqoVersion: \"1.2\"
  seed: { file: peering.seed.age }
  consumer:
    clusterID: CONSUMER
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
  provider:
    clusterID: PROVIDER
    podCIDRs: [10.42.0.0/16]
    externalCIDR: 10.70.0.0/16
  networking:
    gatewayServer:
      endpoint: { serviceType: LoadBalancer }
    gatewayClient:
      endpoint: { addresses: [172.20.0.16] }
  authentication:
    subject: { kind: User, name: CONSUMER }
    credential: { kubeconfig: { file: kubeconfig.age } }
  offloading:
    resourceSlices:
      - resources: { cpu: \"20\" }
";

/// A peering of two clusters, with replacements (each of which must have a place).
pub(crate) fn peering(consumer: &str, provider: &str, edits: &[(&str, &str)]) -> String {
    let mut text = TEMPLATE
        .replace("CONSUMER", consumer)
        .replace("PROVIDER", provider);
    for (from, to) in edits {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// A folder with a document and sealed files, which no folder of another number has. Without an identity nothing but their form is looked
/// at.
pub(crate) fn put_peering(folder: &Path, document: &str, number: usize) {
    put(folder.join("peering.yaml"), document);
    for sealed in ["peering.seed.age", "kubeconfig.age"] {
        let text = read(&quickstart().join(sealed));
        let line = text.lines().rev().nth(2).expect("a line of its payload");
        let other = format!("{number:04}{}", &line[4..]);
        put(folder.join(sealed), text.replace(line, &other));
    }
}

/// What is found between documents, each of which is valid alone: the code, the message, and the words that it points at,
/// first those of the later document.
pub(crate) fn found(documents: &[String]) -> Vec<String> {
    let all = conflicting_words(documents);
    all.iter()
        .map(|(code, message, later, first)| format!("{code}: {message} | {later} | {first}"))
        .collect()
}
