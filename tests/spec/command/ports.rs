//! `ports`: each connection that the documents lead to, and what is not known of it.

use crate::harness::{Checkout, Run, Schema, committed, document, root};
use serde_json::Value;

fn examples(words: &[&str]) -> String {
    Run::new([&["ports"], words].concat())
        .within(root().join("examples"))
        .run()
        .done()
        .to_owned()
}

/// The lines of the quickstart's table, with one space between two columns.
fn lines(text: &str) -> Vec<String> {
    let checkout = Checkout::of(text);
    let table = checkout.program(["ports", "."]).run().done().to_owned();
    table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_peering_has_its_tunnel_its_api_server_and_what_is_inside() {
    assert_eq!(
        lines(&document()),
        [
            "WHERE FROM TO ADDRESS PORT WHY",
            "consumer-provider consumer gateway provider gateway 172.16.183.16 32750/UDP the tunnel",
            "consumer-provider consumer nodes provider API server not known not known/TCP Liqo uses the other cluster: it is the `server` of the kubeconfig in `kubeconfig.age`",
            "inside consumer nodes and gateway consumer nodes and gateway its nodes,its gateway pod 6091/UDP Geneve from each node to the gateway, both ways: another port, if `networking.genevePort` of its Liqo is set",
            "inside provider nodes and gateway provider nodes and gateway its nodes,its gateway pod 6091/UDP Geneve from each node to the gateway, both ways: another port, if `networking.genevePort` of its Liqo is set",
        ]
    );
}

/// The client of a gateway is the one that dials, whichever cluster offloads.
#[test]
fn the_side_without_the_server_dials() {
    let table = examples(&["gateway-on-consumer"]);
    let line = table
        .lines()
        .find(|line| line.contains("the tunnel"))
        .expect("a tunnel");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        words[1..5],
        ["udine", "gateway", "trieste", "gateway"],
        "the consumer listens"
    );
}

#[test]
fn what_is_not_known_is_named() {
    let endpoint = |from: &str, to: &str| {
        assert!(document().contains(from), "{from}");
        lines(&document().replace(from, to))
    };
    let client = document()
        .lines()
        .find(|line| line.contains("addresses:"))
        .expect("a client")
        .to_owned();
    let pending = document().replace(
        &format!("    gatewayClient:\n{client}\n"),
        "    gatewayClient: pending\n",
    );
    assert!(
        lines(&pending)[1].ends_with("not known 32750/UDP the tunnel: `gatewayClient` is pending"),
        "{:?}",
        lines(&pending)
    );
    let chosen = pending.replace(", nodePort: 32750", "");
    assert!(lines(&chosen)[1].ends_with(
        "not known not known/UDP the tunnel: `gatewayClient` is pending, and Kubernetes chooses the node port"
    ));
    let translated = endpoint(
        "addresses: [172.16.183.16]",
        "addresses: [gw.example.org, 172.20.0.1], port: 443",
    );
    assert!(translated[1].contains(
        "gw.example.org,172.20.0.1 443/UDP the tunnel: the server's Service has port 32750"
    ));
    let credential = document()
        .lines()
        .find(|line| line.contains("credential:"))
        .expect("a credential")
        .to_owned();
    let of = |way: &str| lines(&document().replace(&credential, way));
    assert!(of("    credential: pending")[2].ends_with("the credential is pending"));
    assert!(
        of("    credential: { existingSecret: {} }")[2].ends_with("the kubeconfig in the Secret")
    );
    let proxied = of(&format!(
        "{credential}\n    proxyURL: http://proxy.example.org"
    ));
    assert!(
        proxied[2].contains("consumer nodes proxy proxy.example.org 80/TCP"),
        "{proxied:?}"
    );
    assert!(
        proxied[3].contains("proxy provider API server not known"),
        "{proxied:?}"
    );
}

/// An address of an external network needs no hole in a firewall.
#[test]
fn what_is_behind_the_tunnel_is_named() {
    let table = examples(&["in-band"]);
    let line = table
        .lines()
        .find(|line| line.contains("8118/TCP"))
        .expect("a proxy");
    assert!(
        line.ends_with("through the tunnel, so nothing more is open between the clusters"),
        "{line}"
    );
    assert!(
        !examples(&["liqo-identity"]).contains("through the tunnel"),
        "an address that is outside"
    );
}

/// An Identity is public, and the usual port of its URL is 443. Clusters of several peerings have one line for what is inside.
#[test]
fn many_peerings_are_one_table() {
    let table = examples(&[
        "liqo-identity",
        "hub-and-spoke",
        "bidirectional",
        "offloading-only",
    ]);
    let count = |words: &str| table.lines().filter(|line| line.contains(words)).count();
    assert!(count("API server") >= 5, "{table}");
    let mut inside: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("inside"))
        .collect();
    let all = inside.len();
    inside.sort_unstable();
    inside.dedup();
    assert!(all > 2 && inside.len() == all, "{table}");
    assert!(table.lines().any(|line| line.contains("API server")
        && line.contains("/TCP")
        && !line.contains("not known")));
}

/// (RFC 9110, section 4.2)
#[test]
fn a_url_without_a_port_has_the_usual_one() {
    let identity = committed("examples/liqo-identity/peering.yaml");
    let usual = lines(&identity.replace(":6443", ""));
    assert!(
        usual.iter().any(|line| line.contains(" 443/TCP ")),
        "{usual:?}"
    );
    assert!(
        !lines(&identity)
            .iter()
            .any(|line| line.contains(" 443/TCP ")),
        "{identity}"
    );
}

#[test]
fn markdown_and_json_have_the_same_rows() {
    let all = [
        "quickstart",
        "everything",
        "liqo-identity",
        "load-balancer",
        "network-only",
    ];
    let rows = examples(&all).lines().count() - 1;
    let markdown = examples(&[&all[..], &["--format", "markdown"]].concat());
    assert!(
        markdown.starts_with("| where | from | to | address | port | why |\n|---|"),
        "{markdown}"
    );
    assert_eq!(markdown.lines().count() - 2, rows);
    assert!(
        markdown
            .lines()
            .skip(2)
            .all(|line| line.matches('|').count() == 7 && line.matches('`').count() == 12),
        "{markdown}"
    );
    let json = examples(&[&all[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).expect("JSON");
    Schema::at("docs/ports.schema.json").takes(&json);
    assert_eq!(json["flows"].as_array().map(Vec::len), Some(rows));
    assert_eq!(json["version"], 1);
}
