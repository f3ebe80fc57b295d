use super::*;
use std::str::FromStr;

fn all<T: FromStr>(good: &[&str], bad: &[&str]) {
    for text in good {
        assert!(text.parse::<T>().is_ok(), "{text:?} refused");
    }
    for text in bad {
        assert!(text.parse::<T>().is_err(), "{text:?} taken");
    }
}

#[test]
fn cluster_ids() {
    let (longest, longer) = ("a".repeat(63), "a".repeat(64));
    all::<ClusterId>(
        &["a", "0a", "rome-1", "on", "yes", "1e3", &longest],
        &["", &longer, "Rome", "-a", "a-", "a.b", "a_b", "1234", "é"],
    );
}

#[test]
fn gateway_names_leave_room_for_the_label() {
    let (longest, longer) = ("a".repeat(58), "a".repeat(59));
    all::<GatewayName>(&["a", &longest], &["", &longer, "12", "a.b"]);
    let rule = longer.parse::<GatewayName>().expect_err("64 characters");
    assert!(rule.message.contains("instance: liqo-aaa") && rule.message.contains("64 characters"));
    assert_eq!(
        rule.help.as_deref(),
        Some("a gateway: at most 58 characters")
    );
}

#[test]
fn slice_names_leave_room_for_the_certificate() {
    let (longest, longer) = ("a".repeat(51), "a".repeat(52));
    all::<SliceName>(&["a", "1", &longest], &["", &longer, "A"]);
}

#[test]
fn names_of_virtual_nodes_are_values_of_labels() {
    let (longest, longer) = ("a".repeat(63), "a".repeat(64));
    all::<VirtualNodeName>(
        &["a", "gpu.milan", &longest],
        &["", &longer, "A", "a_b", "a."],
    );
}

#[test]
fn object_names_are_subdomains() {
    let longer = "a".repeat(254);
    all::<ObjectName>(
        &["a", "a.b", "liqo-binding-liqo-remote-controlplane"],
        &["", ".", "a..b", "A", &longer],
    );
}

#[test]
fn configuration_names_leave_room_for_nftables_rules() {
    let (longest, longer) = ("a".repeat(207), "a".repeat(208));
    all::<ConfigurationName>(&["a", "a.b", &longest], &["", &longer, "A"]);
    let rule = longer
        .parse::<ConfigurationName>()
        .expect_err("254 characters");
    assert!(
        rule.message
            .contains("-<network>-<network>` of it, 254 characters"),
        "{}",
        rule.message
    );
}

#[test]
fn role_bindings_are_named_as_rbac_allows() {
    let longer = "a".repeat(254);
    all::<RoleBindingName>(
        &[
            "a",
            "liqo:x",
            "system:a:b",
            "A_b",
            "...",
            "a b",
            "liqo-binding-liqo-remote-controlplane",
        ],
        &["", ".", "..", "a/b", "a%b", "a\nb", &longer],
    );
}

#[test]
fn peerings_leave_room_for_the_role() {
    let (longest, longer) = ("a".repeat(244), "a".repeat(245));
    all::<PeeringName>(
        &["rome-milan", "rome.milan", "1", &longest],
        &[
            "",
            &longer,
            "ROME",
            "../x",
            "Rome & Milan / 2",
            "{{ .role }}",
            "a\u{202e}b",
            "rome-",
            "r_m",
        ],
    );
    let rule = "Rome.Milan".parse::<PeeringName>().expect_err("capitals");
    assert_eq!(rule.help.as_deref(), Some("did you mean `rome.milan`?"));
}

#[test]
fn titles_can_be_seen() {
    all::<Title>(
        &[
            "in-cluster",
            "Production (Rome)",
            "Köln",
            "https://1.2.3.4",
            "東京",
        ],
        &[
            "",
            " ",
            "a\nb",
            "a\u{202e}b",
            "\u{200b}",
            "a\u{2066}b",
            "a\u{feff}",
            "a\u{3164}",
            "a\u{2800}b",
            "\u{e0041}a",
        ],
    );
}

#[test]
fn resources_are_qualified_names() {
    all::<ResourceName>(
        &[
            "cpu",
            "nvidia.com/gpu",
            "example.org/cpu",
            "ephemeral-storage",
            "hugepages-2Mi",
            "storage",
        ],
        &[
            "",
            "/",
            "a/",
            "/a",
            "a/b/c",
            "nvidia.com/",
            "cpu ",
            "-a",
            "CPU",
            "memroy",
            "pod",
            "gpu",
        ],
    );
}

#[test]
fn file_names_do_not_leave_the_folder() {
    all::<FileName>(
        &["peering.seed.age", "a"],
        &[
            "",
            ".",
            "..",
            "../a",
            "/etc/passwd",
            "a/b",
            "-a",
            ".hidden",
            "a b",
            "é",
            DOCUMENT,
        ],
    );
}
