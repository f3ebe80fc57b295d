//! Manifests that are not one peering: nothing is printed, and what contradicts each other is named.

use super::{guides, imported};

/// Who writes to a cluster chooses how many objects there are.
#[test]
fn thousands_of_problems_are_a_short_list() {
    let many = |peer: &dyn Fn(usize) -> String| -> String {
        let object = |number| {
            format!(
                "---\napiVersion: networking.liqo.io/v1beta1\nkind: Configuration\nmetadata: {{ name: c{number}, namespace: n, labels: {{ liqo.io/remote-cluster-id: {} }} }}\n",
                peer(number)
            )
        };
        (0..2000).map(object).collect()
    };
    let mut texts = guides();
    texts[0] += &many(&|_| "provider".to_owned());
    let outcome = imported(&texts, &[]);
    outcome.fails(1, "manifests").says("\n  and 1900 more");
    assert!(outcome.stderr.len() < 40_000, "{}", outcome.stderr.len());
    let mut texts = guides();
    texts[0] += &many(&|number| format!("c{number}"));
    let outcome = imported(&texts, &[]);
    outcome.fails(2, "flag").says(" and 1981 more");
    assert!(outcome.stderr.len() < 10_000, "{}", outcome.stderr.len());
}
