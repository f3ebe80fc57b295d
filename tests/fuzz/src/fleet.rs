//! fleet.yaml: any text, as `fleet check` looks at it in a folder of its own.

use crate::{SECRETS, line, shown};
use argocd_peering::testing::{Cli, Environment, Error, Look, Redacting, Streams, run};
use clap::Parser as _;
use std::sync::OnceLock;
use std::{env, fs, process};

/// A file that only this process writes.
fn file() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = env::temp_dir().join(format!("argocd-peering-fuzz-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
            .join("fleet.yaml")
            .into_os_string()
            .into_string()
            .expect("UTF-8")
    })
}

pub fn fleet(data: &[u8]) {
    fs::write(file(), data).expect("written");
    let cli =
        Cli::try_parse_from(["argocd-peering", "fleet", "check", file()]).expect("a command line");
    let (mut out, mut sink) = (Vec::new(), std::io::sink());
    let mut streams = Streams {
        out: &mut out,
        notes: Redacting::new(&mut sink),
        terminal: false,
        out_is_terminal: false,
        out_is_lost: false,
    };
    let environment = Environment::default();
    let outcome = run(&cli.command, &environment, &mut streams);
    drop(streams);
    let printed = shown(&String::from_utf8(out).expect("UTF-8"));
    match outcome {
        // no folder is there, so a fleet without a difference has no peering
        Ok(()) => assert!(
            printed.ends_with("0 documents as fleet.yaml says\n"),
            "{printed}"
        ),
        Err(Error::Invalid { wrong, .. }) => {
            assert_eq!(printed.matches(": new").count(), wrong, "{printed}");
        }
        Err(error) => {
            assert!(printed.is_empty(), "an error, and a report: {printed}");
            shown(&error.screen(Look::PLAIN));
            error.brief().lines().for_each(line);
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let cluster = |name: &str| {
        format!(
            "    - {{ name: {name}, podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16, gateway: {{ addresses: [203.0.113.1] }} }}\n"
        )
    };
    let fleet = |peerings: &str| {
        let clusters = ["rome", "milan", "turin"].map(cluster).concat();
        format!("apiVersion: argocd-peering/v1alpha1\nkind: Fleet\nspec:\n  liqoVersion: \"1.2\"\n  clusters:\n{clusters}  peerings:\n{peerings}").into_bytes()
    };
    let mut seeds = vec![
        fleet("    - mesh: [rome, milan, turin]\n"),
        fleet(
            "    - { consumers: [turin], providers: [rome, milan], directConnections: true, resources: { cpu: \"4\" } }\n",
        ),
        fleet(
            "    - mesh: [rome, milan]\n    - { consumers: [milan], providers: [rome], location: consumer, nodePort: 30001, mtu: 1300 }\n",
        ),
    ];
    let first = String::from_utf8_lossy(&seeds[0]).into_owned();
    seeds.extend(
        SECRETS
            .iter()
            .map(|secret| first.replacen("rome", secret, 1).into_bytes()),
    );
    seeds
}
