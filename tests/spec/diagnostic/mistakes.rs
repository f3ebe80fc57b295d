//! A newcomer's mistakes in the quickstart: each is mended by what its message says, and by nothing else.

use crate::harness::checkout::document;
use crate::harness::library::{Diagnostic, diagnostics, problems};

/// How the quickstart is edited, what is said then, and what a reader does with it.
struct Mistake {
    /// What was typed instead of what.
    typed: (&'static str, &'static str),
    code: &'static str,
    /// The words of the message or its help from which the fix is taken.
    says: &'static str,
    /// What the reader replaces where the caret stands (in its line), and by what.
    fix: (&'static str, &'static str),
}

const MISTAKES: [Mistake; 15] = [
    // a field's name from memory
    Mistake {
        typed: ("podCIDRs: [10.42.0.0/16]\n", "podCIDR: [10.42.0.0/16]\n"),
        code: "unknown-field",
        says: "did you mean `podCIDRs`?",
        fix: ("podCIDR:", "podCIDRs:"),
    },
    // the other spelling of ID
    Mistake {
        typed: ("clusterID: consumer", "clusterId: consumer"),
        code: "unknown-field",
        says: "did you mean `clusterID`?",
        fix: ("clusterId", "clusterID"),
    },
    // one network, as the other field has it
    Mistake {
        typed: ("podCIDRs: [10.42.0.0/16]\n", "podCIDRs: 10.42.0.0/16\n"),
        code: "wrong-type",
        says: "a list with one item is written `[10.42.0.0/16]`",
        fix: ("10.42.0.0/16", "[10.42.0.0/16]"),
    },
    // an address of a node instead of the network
    Mistake {
        typed: ("externalCIDR: 10.70.0.0/16\n\n  provider", "externalCIDR: 10.70.0.7/16\n\n  provider"),
        code: "cidr-host-bits",
        says: "the network is `10.70.0.0/16`",
        fix: ("10.70.0.7/16", "10.70.0.0/16"),
    },
    // a version without quotes is a number
    Mistake {
        typed: ("liqoVersion: \"1.0\"", "liqoVersion: 1.0"),
        code: "ambiguous-scalar",
        says: "quote it: `\"1.0\"`",
        fix: ("1.0", "\"1.0\""),
    },
    // a name with a capital
    Mistake {
        typed: ("name: demo", "name: Demo"),
        code: "invalid-name",
        says: "did you mean `demo`?",
        fix: ("Demo", "demo"),
    },
    // the port that the gateway listens on, as the node port
    Mistake {
        typed: ("nodePort: 32750", "nodePort: 51840"),
        code: "port",
        says: "30000 to 32767",
        fix: ("nodePort: 51840", "nodePort: 31840"),
    },
    // address and port in one, as everywhere else
    Mistake {
        typed: ("addresses: [172.16.183.16]", "addresses: [\"172.16.183.16:32750\"]"),
        code: "invalid-address",
        says: "the port has a field of its own, `port`",
        fix: ("addresses: [\"172.16.183.16:32750\"]", "addresses: [172.16.183.16], port: 32750"),
    },
    // Kubernetes' word in another case
    Mistake {
        typed: ("serviceType: NodePort", "serviceType: nodeport"),
        code: "unknown-value",
        says: "did you mean `NodePort`?",
        fix: ("nodeport", "NodePort"),
    },
    // the field as a Service has it
    Mistake {
        typed: ("serviceType: NodePort", "type: NodePort"),
        code: "unknown-field",
        says: "did you mean `serviceType`?",
        fix: ("{ type:", "{ serviceType:"),
    },
    // the unit as disks have it
    Mistake {
        typed: ("memory: 1Gi", "memory: 1GB"),
        code: "quantity",
        says: "did you mean `1G`?",
        fix: ("1GB", "1G"),
    },
    // where the pods may run is not guessed
    Mistake {
        typed: ("        clusters: thisPeer\n", ""),
        code: "missing-field",
        says: "`thisPeer`, `all` or a `clusterSelector`",
        fix: ("      - name: demo\n", "      - name: demo\n        clusters: thisPeer\n"),
    },
    // a folder of one's own for secrets
    Mistake {
        typed: ("seed: { file: peering.seed.age }", "seed: { file: secrets/peering.seed.age }"),
        code: "file-name",
        says: "a sealed file stands beside peering.yaml",
        fix: ("secrets/peering.seed.age", "peering.seed.age"),
    },
    // the same cluster copied into both sides
    Mistake {
        typed: ("clusterID: provider", "clusterID: consumer"),
        code: "same-cluster",
        says: "the two IDs differ",
        fix: ("clusterID: consumer", "clusterID: provider"),
    },
    // a tab from an editor
    Mistake {
        typed: ("    mtu: 1340", "\tmtu: 1340"),
        code: "syntax",
        says: "spaces",
        fix: ("\tmtu", "    mtu"),
    },
];

#[test]
fn the_quickstart_is_right() {
    assert!(problems(&document()).is_ok());
}

#[test]
fn each_mistake_is_mended_from_its_message_alone() {
    for Mistake { typed: (from, to), code, says, fix: (wrong, right) } in MISTAKES {
        let quickstart = document();
        assert!(quickstart.contains(from), "{from:?} is in the quickstart");
        let text = quickstart.replacen(from, to, 1);
        let found: Vec<Diagnostic> = diagnostics(problems(&text).expect_err(to));
        let said: Vec<String> = found
            .iter()
            .map(|it| format!("{}: {}: {}", it.code.name(), it.message, it.help.clone().unwrap_or_default()))
            .collect();
        let first =
            found.iter().find(|it| it.code.name() == code).unwrap_or_else(|| panic!("{code}: {said:?}"));
        let words = format!("{} {}", first.message, first.help.clone().unwrap_or_default());
        assert!(words.contains(says), "{to:?}: `{says}` is not in: {words}");
        // one mistake is not a page of errors
        assert!(found.len() <= 2, "{to:?}: {said:?}");
        // the place that is shown is the line of the fix
        let line = text
            .get(..first.primary.span.start)
            .map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
        let (before, rest) = text.split_at(line);
        assert!(
            rest.lines().next().is_some_and(|line| line.contains(wrong.lines().next().unwrap_or_default())),
            "{to:?}: the caret is at {rest:.60}"
        );
        let mended = format!("{before}{}", rest.replacen(wrong, right, 1));
        let again = problems(&mended);
        assert!(again.is_ok(), "{to:?}: still wrong after the fix:\n{again:?}");
    }
}
