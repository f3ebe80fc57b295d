//! The documents of 64 KiB that cost most, found by trying and by `tests/fuzz`: of each, what it has thousands of.

use std::fmt::Write as _;

/// The most bytes of a `peering.yaml`.
pub(super) const CAP: usize = 64 * 1024;

const BEGIN: &str =
    "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: { name: worst }\nspec:\n";
const SIDES: &str = "  consumer: { clusterID: rome }\n  provider: { clusterID: milan }\n";
const ACCESS: &str = "  authentication:\n    subject: { kind: User, name: rome }\n    \
                      credential: { kubeconfig: { file: kubeconfig.age } }\n";
const NODES: &str =
    "  offloading:\n    resourceSlices: [{name: s,createVirtualNode: false}]\n    virtualNodes: ";

/// As many items between a beginning and an end as fit, at most so many.
fn filled(begin: &str, most: usize, item: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = begin.to_owned();
    for item in (0..most).map(item) {
        if text.len() + item.len() + end.len() > CAP {
            break;
        }
        text += &item;
    }
    text + end
}

fn networking(cidr: impl Fn(usize) -> String) -> String {
    let begin =
        format!("{BEGIN}  consumer: {{ clusterID: rome, externalCIDR: 10.70.0.0/16, podCIDRs: [");
    let end = "] }\n  provider: { clusterID: milan, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16 }\n  \
               seed: { file: peering.seed.age }\n  liqoVersion: \"1.2\"\n  networking:\n    \
               gatewayServer: { endpoint: { serviceType: NodePort, nodePort: 30742 } }\n    gatewayClient: pending\n";
    filled(&begin, CAP, |at| format!("{},", cidr(at)), end)
}

/// All of them, by what they are.
pub(crate) fn worst() -> Vec<(&'static str, String)> {
    const ALL: usize = CAP;
    let spec = format!("{BEGIN}{SIDES}");
    let access = format!("{spec}{ACCESS}");
    let deep: String = (0..28).fold(String::new(), |mut text, depth| {
        let _ = writeln!(text, "{}{}{depth}:", " ".repeat(depth), "k".repeat(1000));
        text
    });
    let common = format!(
        "{access}  commonMetadata: {{ annotations: {{ note: \"{}\" }} }}\n",
        "\\x7F".repeat(500)
    );
    let slice = |at: usize| format!("{{name: s{at:x}}},");
    let both = format!(
        "{}  reverse: {{ authentication: {{ subject: {{ kind: User, name: m }}, credential: pending }}, \
         offloading: {{ resourceSlices: [",
        filled(
            &format!("{access}  offloading: {{ resourceSlices: ["),
            1990,
            slice,
            "] }\n"
        )
    );
    let offloads = |list: &str, item: &str| {
        filled(
            &format!("{access}  offloading: {{ {list}: ["),
            ALL,
            |_| item.into(),
            "] }\n",
        )
    };
    let behind = |of: &str, item: &str, end| {
        filled(&format!("{spec}  x: 1\n{of}"), ALL, |_| item.into(), end)
    };
    let labels = format!("{spec}  commonMetadata: {{ labels: {{");
    let namespaces = format!("{common}  offloading: {{ namespaces: [");
    let namespace = |at: usize| format!("{{name: n{at:x},create: true,clusters: all}},");
    let taints = format!("{access}{NODES}[{{resourceSlice: s,taints: [");
    let taint = |at: usize| format!("{{key: k{at:x},effect: NoSchedule}},");
    let long_key = format!(
        "{BEGIN}  ? {}\n  : [{}]\n",
        "k".repeat(30_000),
        "1,".repeat(16_000)
    );
    let misindented = filled(
        "a:\n",
        ALL,
        |at| format!("   b{at}: c\n"),
        "  d: e\n f: g\n",
    );
    vec![
        (
            "unknown fields",
            filled(
                &format!("{BEGIN}  {{"),
                ALL,
                |at| format!("a{at:x},"),
                "}\n",
            ),
        ),
        (
            "unknown fields like known ones",
            filled(&spec, ALL, |at| format!("  authenticatio{at}: 1\n"), ""),
        ),
        (
            "unknown fields, one a line",
            filled(&spec, ALL, |at| format!("  a{at}:\n"), ""),
        ),
        ("missing fields", offloads("namespaces", "{},")),
        (
            "bad labels",
            filled(&labels, ALL, |at| format!("k!{at:x}: v,"), "} }\n"),
        ),
        (
            "values under long keys",
            format!("{deep}{}l: [{}]\n", " ".repeat(28), "1,".repeat(15_000)),
        ),
        ("values under one long key", long_key),
        (
            "pairs in a list",
            filled(&format!("{BEGIN}  x: ["), ALL, |_| "a: b,".into(), "]\n"),
        ),
        (
            "networks",
            networking(|at| format!("{}.{}.{}.0/24", 1 + at / 65_536, at / 256 % 256, at % 256)),
        ),
        ("equal networks", networking(|_| "10.0.0.0/8".into())),
        ("a block that is indented wrongly", misindented),
        (
            "words in braces",
            filled("a: {\n", ALL, |at| format!("x{at} y,"), "\nb\n"),
        ),
        (
            "a bracket at the end",
            filled("a:\n", ALL, |at| format!("  b{at}: c\n"), "  ]\n"),
        ),
        ("equal slices", offloads("resourceSlices", "{name: s},")),
        (
            "slices",
            filled(
                &format!("{access}  offloading: {{ resourceSlices: ["),
                1990,
                slice,
                "] }\n",
            ),
        ),
        (
            "slices of both directions",
            filled(&both, 1990, |at| format!("{{name: t{at:x}}},"), "] } }\n"),
        ),
        (
            "namespaces with escapes",
            filled(&namespaces, 990, namespace, "] }\n"),
        ),
        ("taints", filled(&taints, ALL, taint, "]}]\n")),
        ("blank lines", behind("  y: 2\n", "\n", "")),
        ("keys in comments", behind("# ", "aA=", "\n")),
        (
            "fields of secrets in comments",
            behind("# ", "token:", "\n"),
        ),
    ]
}
