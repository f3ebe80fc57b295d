//! The largest document that is read gives its streams.

use crate::harness::peering::{KUBECONFIG, Peering};

/// The most bytes of a `peering.yaml`.
const CAP: usize = 64 * 1024;

const BEGINNING: &str = "
apiVersion: argocd-peering/v1alpha1
kind: Peering
metadata: { name: largest }
spec:
  consumer: { clusterID: rome }
  provider: { clusterID: milan }
  authentication:
    subject: { kind: User, name: rome }
    credential: { kubeconfig: { file: kubeconfig.age } }
  offloading:
    namespaces: [";

#[test]
fn as_many_namespaces_as_a_document_holds() {
    let mut document = BEGINNING.to_owned();
    let mut namespaces = 0;
    loop {
        let more = format!("{{name: n{namespaces},create: true,clusters: all}},");
        if document.len() + more.len() + "]\n".len() > CAP {
            break;
        }
        document += &more;
        namespaces += 1;
    }
    document += "]\n";
    assert!(namespaces > 1500, "{namespaces}");
    let stream = Peering::sealed(&[["rome", "milan"]], KUBECONFIG, &document).stream("consumer");
    // the tenant namespace and the credential; of each namespace itself and its offloading
    let objects = stream.lines().filter(|line| *line == "---").count();
    assert_eq!(objects, 2 + 2 * namespaces);
}
