//! How large a stream gets: the largest is taken, what would be larger is refused before it is built, and both in the
//! memory that a sidecar has.

use crate::harness::{KUBECONFIG, Peering, Run};

/// The most bytes of a `peering.yaml`.
const CAP: usize = 64 * 1024;

/// The most bytes of manifests that Argo CD itself reads of a folder (argo-cd `reposerver.max.combined.directory.manifests.size`,
/// GHSA-jhqp-vf4w-rpwq).
const STREAM: usize = 10_000_000;

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
";

/// One byte, of which a stream has six.
const ESCAPE: &str = "\\x7F";

/// `commonMetadata` with so many bytes that a stream escapes.
fn common(escapes: usize) -> String {
    format!(
        "  commonMetadata: {{ annotations: {{ note: \"{}\" }} }}\n",
        ESCAPE.repeat(escapes)
    )
}

/// So many items of a list in flow style.
fn items(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| item(number) + ",").collect()
}

/// A peering that offloads this.
fn offloading(common: &str, lists: &str) -> Peering {
    let document = format!("{BEGINNING}{common}  offloading:\n{lists}");
    assert!(document.len() <= CAP, "{} bytes", document.len());
    Peering::sealed(&[["rome", "milan"]], KUBECONFIG, &document)
}

/// In no more memory than this, in MiB.
fn within(run: Run, mebibytes: usize) -> Run {
    run.through(&[
        "sh",
        "-c",
        &format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes * 1024),
    ])
}

#[track_caller]
fn is_refused(peering: &Peering, words: &str) {
    for role in ["consumer", "provider"] {
        within(peering.run(role), 64)
            .run()
            .fails(1, "stream-too-large")
            .says(words);
    }
    for command in [
        &["generate", "--public", "--role", "consumer"][..],
        &["validate"],
    ] {
        let run = Run::new(command.iter().copied())
            .arg(&peering.folder)
            .typed(&peering.folder);
        within(run, 200).run().fails(1, "stream-too-large");
    }
}

#[test]
fn as_many_namespaces_as_a_stream_holds() {
    let namespaces = |count| {
        format!(
            "    namespaces: [{}]\n",
            items(count, |it| format!(
                "{{name: n{it},create: true,clusters: all}}"
            ))
        )
    };
    let outcome = within(offloading("", &namespaces(1000)).run("consumer"), 128).run();
    // the tenant namespace, the credential and the summary; of each namespace itself and its offloading
    assert_eq!(
        outcome
            .stream()
            .lines()
            .filter(|line| *line == "---")
            .count(),
        3 + 2000
    );
    is_refused(
        &offloading("", &namespaces(1001)),
        "`offloading` has 2002 objects: the limit is 2000",
    );
}

/// A few bytes of a document that every object repeats, and that six bytes of a stream stand for.
#[test]
fn as_much_common_metadata_as_a_stream_repeats() {
    let slices = |count| {
        format!(
            "    resourceSlices: [{}]\n",
            items(count, |it| format!("{{name: s{it}}}"))
        )
    };
    let outcome = within(offloading(&common(4076), &slices(256)).run("consumer"), 128).run();
    let size = outcome.stream().len();
    assert!(size > STREAM / 2 && size < STREAM, "{size} bytes");
    is_refused(
        &offloading(&common(4070), &slices(257)),
        "bytes: the limit is 1048576",
    );
    is_refused(
        &offloading(&common(1000), &slices(4200)),
        "`offloading` has 4200 objects",
    );
}

/// A virtual node without a quota of its own has its slice's resources.
#[test]
fn as_many_resources_as_virtual_nodes_repeat() {
    let resources = items(1000, |it| format!("example.org/a{it}: 1"));
    let lists = |count| {
        let nodes = items(count, |it| format!("{{resourceSlice: s,name: n{it}}}"));
        format!(
            "    resourceSlices: [{{name: s,createVirtualNode: false,resources: {{cpu: 1,memory: 1Gi,pods: 1,{resources}}}}}]\n    \
             virtualNodes: [{nodes}]\n"
        )
    };
    let size = within(offloading("", &lists(30)).run("consumer"), 128)
        .run()
        .stream()
        .len();
    assert!(size < STREAM, "{size} bytes");
    let own = "{resourceQuota: {hard: {cpu: 1,memory: 1Gi,pods: 1}},resourceSlice";
    let own = lists(300).replace("{resourceSlice", own);
    let own = within(offloading("", &own).run("consumer"), 128).run();
    assert!(own.stream().len() < STREAM);
    is_refused(&offloading("", &lists(900)), "901 objects repeat 29660400");
}
