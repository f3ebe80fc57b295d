//! `validate --liqo-values`: the values that Liqo is installed with, against the document.

use crate::harness::checkout::quickstart;
use crate::harness::committed;
use crate::harness::run::{Outcome, Run};
use std::fs;

/// The good document, and Liqo's values of a cluster in a file.
fn said(cluster: &str, text: &str) -> Outcome {
    said_of(&committed("tests/diagnostics/good.yaml"), cluster, text, &[])
}

fn said_of(document: &str, cluster: &str, text: &str, more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("x")).expect("a folder");
    fs::write(folder.path().join("x/peering.yaml"), document).expect("written");
    for sealed in ["peering.seed.age", "kubeconfig.age"] {
        fs::copy(quickstart().join(sealed), folder.path().join("x").join(sealed)).expect("a sealed file");
    }
    fs::write(folder.path().join("values.yaml"), text).expect("written");
    let flag = format!("--liqo-values={cluster}=values.yaml");
    let run = Run::new(["validate", "x/peering.yaml", &flag]).args(more.iter().copied());
    run.within(folder.path()).run()
}

/// Nothing is wrong, and nothing is remapped.
#[track_caller]
fn agrees(cluster: &str, text: &str) {
    let outcome = said(cluster, text);
    outcome.done();
    outcome.silent_on("remaps");
}

#[track_caller]
fn contradicts(cluster: &str, text: &str, words: &str) {
    let outcome = said(cluster, text);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    outcome.says("error[liqo-values]").says(words);
}

const VALUES: &str = "discovery:
  config:
    clusterID: rome
ipam:
  podCIDR: 10.42.0.0/16
  externalCIDR: \"10.70.0.0/16\"
";

#[test]
fn values_are_compared_where_they_say_something() {
    agrees("rome", VALUES);
    // the list counts, where there is one (liqo deployments/liqo/templates/liqo-ipam-networks.yaml)
    agrees("rome", "ipam: { podCIDR: 10.1.0.0/16, podCIDRs: [10.42.0.0/16] }\n");
    let pods = VALUES.replace("10.42.0.0/16", "10.99.0.0/16");
    contradicts("rome", &pods, "Liqo has `ipam.podCIDR` 10.99.0.0/16, and here it is 10.42.0.0/16");
    said("rome", &pods).says("::: values.yaml:5:12").says("- Liqo's values");
    // `null` is the chart's default, which is none (Helm pkg/chartutil/coalesce.go)
    for none in ["ipam: {}", "ipam: { podCIDR: \"\", podCIDRs: [] }", "ipam: { podCIDR: null }"] {
        said("rome", none).fails(2, "flag").says("sets neither `ipam.podCIDRs` nor `ipam.podCIDR`");
    }
    let several = "ipam: { podCIDRs: [10.42.0.0/16, 10.44.0.0/16] }\n";
    contradicts("rome", several, "`ipam.podCIDRs` 10.42.0.0/16, 10.44.0.0/16, and here it is 10.42.0.0/16");
    let external = VALUES.replace("10.70.0.0/16", "10.99.0.0/16");
    contradicts("rome", &external, "Liqo has `ipam.externalCIDR` 10.99.0.0/16");
    contradicts("milan", "ipam: { podCIDR: 10.42.0.0/16 }\n", "and here it is 10.43.0.0/16");
    // the chart's default is a fact, unless something of the cluster's own is there
    let usual =
        "values.yaml does not set `ipam.externalCIDR`, so Liqo has 10.70.0.0/16, and here it is 10.71.0.0/16";
    contradicts("milan", "ipam: { podCIDR: 10.43.0.0/16 }\n", usual);
    said("milan", "ipam: { podCIDR: 10.43.0.0/16, reservedSubnets: [10.70.8.0/24] }\n").done();
}

/// (liqo pkg/ipam/ipam.go, NetworkAcquire: what is outside the pools takes no place in the tree)
#[test]
fn what_liqo_has_for_itself_is_no_network_of_a_peering() {
    let of_rome = "which meets `ipam.externalCIDR` 10.70.0.0/16: a cluster has no address twice";
    let ipam = |more: &str| format!("ipam: {{ podCIDR: 10.42.0.0/16, {more} }}\n");
    for key in ["reservedSubnets: [10.64.0.0/12]", "serviceCIDR: 10.64.0.0/12", "internalCIDR: 10.70.0.0/16"]
    {
        contradicts("rome", &ipam(key), of_rome);
    }
    for key in ["reservedSubnets: [10.43.128.0/17]", "serviceCIDR: 10.43.128.0/17"] {
        let outcome = said("rome", &ipam(key));
        let name = key.split(':').next().expect("a key");
        outcome.says(&format!(
            "note: values.yaml:1: Liqo on rome has `ipam.{name}` 10.43.128.0/17, so it remaps 10.43.0.0/16 of milan"
        ));
        outcome.done();
    }
    // next to them, and the cluster's own pods, which may be reserved
    agrees("rome", &ipam("reservedSubnets: [10.44.0.0/16, 10.42.0.0/16], serviceCIDR: 10.96.0.0/12"));
    let same = "Liqo has `ipam.podCIDR` 10.42.0.0/16, which meets `ipam.serviceCIDR` 10.42.0.0/16";
    contradicts("rome", &ipam("serviceCIDR: 10.42.0.0/16"), same);
    contradicts(
        "rome",
        &ipam("internalCIDR: 10.42.128.0/17"),
        "which meets `ipam.internalCIDR` 10.42.128.0/17",
    );
    let services = "serviceCIDR: 10.96.0.0/12, internalCIDR: 10.100.0.0/16";
    contradicts(
        "rome",
        &ipam(services),
        "`ipam.serviceCIDR` 10.96.0.0/12, which meets `ipam.internalCIDR` 10.100.0.0/16",
    );
    let own = "an address that only this cluster has";
    for address in [
        "10.96.0.1",
        "\"10.96.0.1:443\"",
        "https://10.96.0.1:6443",
        "https://10.42.3.1:6443",
        "https://127.0.0.1:6443",
        "localhost",
        "https://kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local:443",
    ] {
        let values = ipam("serviceCIDR: 10.96.0.0/12") + &format!("apiServer: {{ address: {address} }}\n");
        contradicts("rome", &values, own);
    }
    let values = ipam("serviceCIDR: 10.96.0.0/12") + "apiServer: { address: https://rome.test:6443 }\n";
    agrees("rome", &values);
}

/// The good document, for a version of Liqo.
fn of_version(version: &str, from: &str, to: &str, values: &str) -> Outcome {
    let good = committed("tests/diagnostics/good.yaml").replace(from, to);
    let document = good.replacen("spec:\n", &format!("spec:\n  liqoVersion: \"{version}\"\n"), 1);
    said_of(&document, "rome", values, &[])
}

/// (liqo v1.0.0, v1.1.2 and v1.2.0 pkg/ipam/ipam.go, NetworkAcquire)
#[test]
fn what_is_outside_of_the_pools_is_refused_or_remapped_by_version() {
    let values = "ipam: { podCIDR: 10.42.0.0/16, serviceCIDR: 10.96.0.0/12 }\n";
    let peer = |version: &str, network: &str| of_version(version, "10.43.0.0/16", network, values);
    for network in ["100.64.0.0/16", "240.0.0.0/12", "34.118.224.0/20"] {
        for version in ["1.0", "1.1"] {
            let outcome = peer(version, network);
            assert_eq!(outcome.code, Some(1), "{outcome}");
            outcome.says("error[liqo-values]").says("is outside of `ipam.pools`");
        }
        let outcome = peer("1.2", network);
        outcome.done();
        outcome.says(&format!(
            "note: {network} of milan is outside of `ipam.pools` of Liqo on rome, so it is remapped"
        ));
    }
    // in a pool of its own, nothing is wrong
    let pooled = values.replace("serviceCIDR", "pools: [10.0.0.0/8, 100.64.0.0/10], serviceCIDR");
    of_version("1.1", "10.43.0.0/16", "100.64.0.0/16", &pooled).done();
    // its own, by version: pods and Services may be outside from 1.2 on, an external CIDR that is set may not
    let own = "ipam: { podCIDR: 100.64.0.0/16, serviceCIDR: 100.96.0.0/16, externalCIDR: 10.70.0.0/16 }\n";
    of_version("1.1", "10.42.0.0/16", "100.64.0.0/16", own).says("Liqo before 1.2 refuses it");
    of_version("1.2", "10.42.0.0/16", "100.64.0.0/16", own).done();
    let external = "ipam: { podCIDR: 10.42.0.0/16, externalCIDR: 100.70.0.0/16 }\n";
    for version in ["1.0", "1.2"] {
        let outcome = of_version(version, "10.70.0.0/16", "100.70.0.0/16", external);
        outcome.says("`ipam.externalCIDR` 100.70.0.0/16, which is outside of `ipam.pools`");
        assert_eq!(outcome.code, Some(1), "{outcome}");
    }
    // the version of the chart counts, if it is known
    let chart = "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: liqo\n  version: v1.2.0\n  valuesContent: |\n    ipam: { podCIDR: 10.42.0.0/16 }\n";
    of_version("1.0", "10.43.0.0/16", "100.64.0.0/16", chart).done();
    // what the chart has where nothing is set counts too
    let narrow = "ipam: { podCIDR: 10.64.0.0/16, pools: [10.64.0.0/12, 10.43.0.0/16] }\n";
    of_version("1.1", "10.42.0.0/16", "10.64.0.0/16", narrow)
        .says("Liqo has `ipam.internalCIDR` 10.80.0.0/16, its default, which is outside of `ipam.pools`");
    of_version("1.2", "10.42.0.0/16", "10.64.0.0/16", narrow).done();
    // a network that no pool has room for is not remapped
    let wide = |network: &str, pools: &str| {
        let values =
            format!("ipam: {{ podCIDR: 10.42.0.0/16, serviceCIDR: 10.96.0.0/12, pools: [{pools}] }}\n");
        of_version("1.2", "10.43.0.0/16", network, &values)
    };
    let outcome = wide("11.0.0.0/8", "10.0.0.0/8");
    outcome.says("Liqo on rome cannot remap 11.0.0.0/8: `ipam.pools` (10.0.0.0/8) has no free /8");
    assert_eq!(outcome.code, Some(1), "{outcome}");
    wide("11.0.0.0/9", "10.0.0.0/8").done();
    wide("11.0.0.0/8", "10.0.0.0/8, 12.0.0.0/8").done();
    // nor one that only the cluster's own pods meet, or the chart's external and internal CIDRs, which are not set
    let pods = "ipam: { podCIDR: 240.0.0.0/16, pools: [10.0.0.0/8, 240.0.0.0/4] }\n";
    let outside = "ipam: { podCIDR: 100.64.0.0/16, serviceCIDR: 34.118.224.0/20 }\n";
    for (own, network, values) in
        [("240.0.0.0/16", "240.0.0.0/4", pods), ("100.64.0.0/16", "240.0.0.0/8", outside)]
    {
        let good = committed("tests/diagnostics/good.yaml").replace("10.42.0.0/16", own);
        let document =
            good.replace("10.43.0.0/16", network).replacen("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n", 1);
        let outcome = said_of(&document, "rome", values, &[]);
        outcome.says(&format!("Liqo on rome cannot remap {network}"));
        assert_eq!(outcome.code, Some(1), "{outcome}");
    }
}

/// Another network than the good document's, in each form in which Helm's values are written.
#[test]
fn what_installs_liqo_has_its_values_in_many_forms() {
    let ipam = "ipam: { podCIDR: 10.52.0.0/16 }";
    let object = |head: &str, rest: &str| format!("{head}\nmetadata: {{ name: liqo }}\nspec:\n{rest}");
    let application = |source: &str| object("apiVersion: argoproj.io/v1alpha1\nkind: Application", source);
    let forms = [
        format!("liqo: {{ {ipam} }}\nglobal: {{}}\n"),
        format!("# one\n---\n{ipam}\n"),
        application(&format!("  source: {{ chart: liqo, helm: {{ valuesObject: {{ {ipam} }} }} }}\n")),
        application(&format!(
            "  source: {{ path: charts/all, helm: {{ valuesObject: {{ liqo: {{ {ipam} }} }} }} }}\n"
        )),
        application(
            "  source: { path: x/liqo, helm: { parameters: [{ name: liqo.ipam.podCIDR, value: 10.52.0.0/16 }] } }\n",
        ),
        application(&format!(
            "  sources:\n  - {{ repoURL: x, ref: values }}\n  - {{ chart: liqo, helm: {{ values: \"{ipam}\" }} }}\n"
        )),
        object(
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet",
            &format!(
                "  template: {{ spec: {{ source: {{ chart: liqo, helm: {{ valuesObject: {{ {ipam} }} }} }} }} }}\n"
            ),
        ),
        object(
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease",
            &format!("  chart: {{ spec: {{ chart: liqo, version: v1.1.2 }} }}\n  values: {{ {ipam} }}\n"),
        ),
        object(
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease",
            &format!("  chartRef: {{ kind: OCIRepository, name: liqo }}\n  values: {{ {ipam} }}\n"),
        ),
        object(
            "apiVersion: helm.crossplane.io/v1beta1\nkind: Release",
            &format!("  forProvider: {{ chart: {{ name: liqo, version: v1.1.2 }}, values: {{ {ipam} }} }}\n"),
        ),
        object(
            "apiVersion: helm.crossplane.io/v1beta1\nkind: Release",
            "  forProvider: { chart: { name: liqo }, set: [{ name: ipam.podCIDR, value: 10.52.0.0/16 }] }\n",
        ),
        object(
            "apiVersion: helm.cattle.io/v1\nkind: HelmChart",
            &format!("  chart: https://x.test/liqo-v1.1.2.tgz\n  valuesContent: \"{ipam}\"\n"),
        ),
        object(
            "apiVersion: helm.cattle.io/v1\nkind: HelmChart",
            "  chart: liqo/liqo\n  set: { ipam.podCIDR: 10.52.0.0/16 }\n",
        ),
        object(
            "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig",
            &format!("  valuesContent: \"{ipam}\"\n"),
        ),
        format!(
            "releases:\n- {{ name: liqo, chart: liqo/liqo, values: [{{ {ipam} }}] }}\n- {{ name: x, chart: x/x }}\n"
        ),
        "net: &pods 10.52.0.0/16\nipam: { podCIDR: *pods }\n".to_owned(),
        "shared: &all { podCIDR: 10.52.0.0/16 }\nipam: { <<: *all, serviceCIDR: 10.96.0.0/12 }\n".to_owned(),
        format!("a: &a {{ cpu: 1 }}\nb: *a\n{ipam}\n"),
        "a: &a { podCIDR: 10.52.0.0/16 }\nb: &b\n  <<: *a\nipam:\n  <<: [{ x: 1 }, *b]\n".to_owned(),
        format!("peers:\n  {ipam}\nother: {{ x: 1 }}\n"),
        format!("ipam: {{ mode: x }}\nliqo:\n  {ipam}\n"),
        application(
            "  source: { path: charts/all, helm: { parameters: [{ name: peers.ipam.podCIDR, value: 10.52.0.0/16 }] } }\n",
        ),
        application(&format!("  source: {{ path: charts/all, helm: {{ values: \"liqo: {{ {ipam} }}\" }} }}\n")),
        application(&format!(
            "  sourceHydrator: {{ drySource: {{ path: charts/liqo, helm: {{ valuesObject: {{ {ipam} }} }} }} }}\n"
        )),
        format!(
            "apiVersion: v1\nkind: List\nitems:\n- {{ apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {{ source: {{ chart: liqo, helm: {{ valuesObject: {{ {ipam} }} }} }} }} }}\n"
        ),
        object(
            "apiVersion: helm.toolkit.fluxcd.io/v2beta1\nkind: HelmRelease",
            &format!("  chartRef: {{ kind: HelmChart, name: network }}\n  valuesFrom: []\n  values: {{ {ipam} }}\n"),
        ),
        object(
            "apiVersion: helm.cattle.io/v1\nkind: HelmChart",
            &format!("  chartContent: H4sI\n  valuesContent: \"{ipam}\"\n"),
        ),
        object(
            "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig",
            &format!(
                "  valuesContent: \"{ipam}\"\n---\napiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {{ name: liqo }}\nspec: {{ chart: liqo, valuesContent: \"ipam: {{ podCIDR: 10.1.0.0/16 }}\" }}\n"
            ),
        ),
        format!(
            "templates:\n  usual: &usual\n    chart: liqo/liqo\n    values: [{{ {ipam} }}]\nreleases:\n- name: liqo\n  <<: *usual\n"
        ),
        "releases:\n- { name: liqo, chart: liqo/liqo, set: [{ name: ipam.podCIDRs, values: [10.52.0.0/16] }] }\n".to_owned(),
        format!("helm: {{ chart: liqo, repo: https://x.test, values: {{ {ipam} }} }}\n"),
        format!("kind: Kustomization\nhelmCharts: [{{ name: liqo, valuesInline: {{ {ipam} }} }}]\n"),
    ];
    for form in forms {
        let outcome = said("rome", &form);
        assert_eq!(outcome.code, Some(1), "{form}\n{outcome}");
        outcome.says("` 10.52.0.0/16, and here it is 10.42.0.0/16");
        said("rome", &form.replace("10.52", "10.42")).done();
    }
}

#[test]
fn a_key_that_liqo_does_not_read_is_named() {
    for (values, key, right) in [
        (
            "networking: { internal: { podCIDR: 10.52.0.0/16 } }",
            "networking.internal.podCIDR",
            "ipam.podCIDR",
        ),
        ("podCIDR: 10.52.0.0/16", "podCIDR", "ipam.podCIDR"),
        ("ipam: { internal: { podCIDRs: [10.52.0.0/16] } }", "ipam.internal.podCIDRs", "ipam.podCIDR"),
        (
            "networkManager: { config: { podCIDR: 10.52.0.0/16 } }",
            "networkManager.config.podCIDR",
            "ipam.podCIDR",
        ),
        ("ipam: { podCIDR: 10.42.0.0/16 }\nexternalCIDR: 10.9.0.0/16", "externalCIDR", "ipam.externalCIDR"),
        ("ipam: { podCidr: 10.42.0.0/16 }", "ipam.podCidr", "ipam.podCIDR"),
        (
            "ipam: { podCIDR: 10.42.0.0/16, externalCidr: 10.9.0.0/16 }",
            "ipam.externalCidr",
            "ipam.externalCIDR",
        ),
        (
            "ipam: { podCIDR: 10.42.0.0/16, serviceCIDRs: [10.9.0.0/16] }",
            "ipam.serviceCIDRs",
            "ipam.serviceCIDR",
        ),
        ("ipam: { podCIDR: 10.42.0.0/16, pool: [10.0.0.0/8] }", "ipam.pool", "ipam.pools"),
        (
            "ipam: { podCIDR: 10.42.0.0/16 }\ndiscovery: { clusterID: oslo }",
            "discovery.clusterID",
            "discovery.config.clusterID",
        ),
        (
            "ipam: { podCIDR: 10.42.0.0/16 }\ndiscovery: { config: { clusterIDOverride: rome } }",
            "discovery.config.clusterIDOverride",
            "discovery.config.clusterID",
        ),
    ] {
        let outcome = said("rome", values);
        outcome.fails(2, "flag").says(&format!("`{key}` is nothing to Liqo 1.x: write `{right}`"));
    }
    // another chart's use of the word, where Liqo's own has a value
    agrees(
        "rome",
        "podCIDR: &pods 10.42.0.0/16\nipam: { podCIDR: *pods }\ncilium: { podCIDRs: [10.9.0.0/16] }\n",
    );
}

#[test]
fn values_that_are_elsewhere_are_read_or_named() {
    let flux = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chart: { spec: { chart: liqo } }\n  valuesFrom: [{ kind: ConfigMap, name: x }]\n";
    said("rome", flux).fails(2, "flag").says("values.yaml:5: `valuesFrom` is not read");
    let argo = |file: &str| {
        format!(
            "kind: Application\napiVersion: argoproj.io/v1alpha1\nspec:\n  sources:\n  - {{ chart: liqo, helm: {{ valueFiles: [{file}] }} }}\n"
        )
    };
    for file in ["$values/liqo/rome.yaml", "https://x.test/values.yaml", "/../../etc/passwd", "../other.yaml"]
    {
        said("rome", &argo(file)).fails(2, "flag").says("`valueFiles` names");
    }
    // a document that is no values is no network either
    let outcome = said("rome", &argo("$values/x/peering.yaml"));
    outcome.fails(2, "flag").says("x/peering.yaml:9: `spec.consumer.podCIDRs` is nothing to Liqo 1.x");
    for (value, why) in [
        ("{{ .pods }}", "is a template: render it first"),
        ("${PODS:=10.42.0.0/16}", "is a template: render it first"),
        ("$(PODS)", "is a template: render it first"),
        ("<path:secret/data/x#pods>", "is a template: render it first"),
        ("ENC[AES256_GCM,data:x,type:str]", "is encrypted by SOPS"),
        ("10.42.0.0", "`ipam.podCIDR`: `10.42.0.0` is not an IPv4 network; add the prefix length"),
        ("10.42.0.1/16", "`ipam.podCIDR`: `10.42.0.1/16` has host bits set"),
        ("fd00:42::/56", "Liqo's IPAM supports IPv4 only"),
    ] {
        let outcome = said("rome", &format!("ipam: {{ podCIDR: \"{value}\" }}\n"));
        outcome.fails(2, "flag").says("values.yaml:1: `").says(why);
    }
    let id = "discovery: { config: { clusterID: \"${CLUSTER}\" } }\nipam: { podCIDR: 10.42.0.0/16 }\n";
    said("rome", id).fails(2, "flag").says("values.yaml:1: `${CLUSTER}` is a template");
    // what is reserved need be no network of a cluster
    agrees("rome", "ipam: { podCIDR: 10.42.0.0/16, reservedSubnets: [169.254.0.0/16] }\n");
    let reserved = "ipam: { podCIDR: 10.42.0.0/16, reservedSubnets: [10.70.8.1/16] }\n";
    said("rome", reserved).fails(2, "flag").says("`ipam.reservedSubnets`: `10.70.8.1/16` has host bits set");
}

/// Helm lays the files that are named over the chart's own.
#[test]
fn a_chart_of_the_checkout_has_its_own_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    let quickstart = quickstart().display().to_string();
    file(".git/config", "liqo: { ipam: { podCIDR: 10.42.0.0/16 } }\n");
    file("net/over.yaml", "liqo: { ipam: { podCIDR: 10.42.0.0/16 } }\n");
    let ask = |files: &str| {
        let source = format!("{{ path: net, helm: {{ valueFiles: [{files}] }} }}");
        file("app.yaml", &format!("kind: Application\nspec:\n  source: {source}\n"));
        let run = Run::new(["validate", &quickstart, "--liqo-values", "consumer=app.yaml"]);
        run.within(folder.path()).run()
    };
    ask("over.yaml").done();
    file("net/values.yaml", "liqo: { discovery: { config: { clusterID: other } } }\n");
    ask("over.yaml").fails(2, "flag").says("values.yaml:1: the cluster's ID is other there");
    ask("/.git/config").fails(2, "flag").says("which is not in this checkout");
    let many = vec!["over.yaml"; 33].join(", ");
    ask(&many).fails(2, "flag").says("app.yaml:3: more than 32 files of values");
}

#[test]
fn what_is_laid_over_values_and_not_read_is_named() {
    let argo = "kind: ApplicationSet\nspec:\n  template: { spec: { source: { chart: liqo, helm: { valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } } } } } }\n";
    let release = "kind: Release\nspec:\n  forProvider:\n    chart: { name: liqo }\n    values: { ipam: { podCIDR: 10.42.0.0/16 } }\n";
    let helmfile = "releases:\n- chart: liqo/liqo\n  values: [{ ipam: { podCIDR: 10.42.0.0/16 } }]\n";
    for (before, more, named) in [
        (argo, "  templatePatch: \"spec: {}\"\n", "values.yaml:4: `templatePatch` is not read"),
        (
            release,
            "    set: [{ name: ipam.podCIDR, valueFrom: { secretKeyRef: { name: x, key: y } } }]\n",
            "`valueFrom` is not read",
        ),
        (release, "    valuesFrom: [{ secretKeyRef: { name: x, key: y } }]\n", "`valuesFrom` is not read"),
        (helmfile, "  secrets: [x.yaml]\n", "`secrets` is not read"),
        (helmfile, "  setString: [{ name: ipam.podCIDR, value: x }]\n", "`setString` is not read"),
    ] {
        said("rome", before).done();
        said("rome", &format!("{before}{more}")).fails(2, "flag").says(named);
    }
    // a layer that cannot be read is no empty one
    let text = "kind: HelmChart\nspec:\n  chart: liqo\n  set: { ipam.podCIDR: 10.42.0.0/16 }\n  valuesContent: |\n    ipam: [\n";
    said("rome", text).fails(2, "flag").says("not YAML: a `]` is missing");
    // a file that a chart of another repository has is none of this one
    let chart = "kind: Application\nspec:\n  source: { chart: liqo, helm: { valueFiles: [values.yaml] } }\n";
    said("rome", chart).fails(2, "flag").says("which is not in this checkout");
}

#[test]
fn a_later_file_of_a_cluster_overrides() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("x")).expect("a folder");
    fs::write(folder.path().join("x/peering.yaml"), committed("tests/diagnostics/good.yaml"))
        .expect("written");
    for sealed in ["peering.seed.age", "kubeconfig.age"] {
        fs::copy(quickstart().join(sealed), folder.path().join("x").join(sealed)).expect("a sealed file");
    }
    fs::write(folder.path().join("a.yaml"), "ipam: { podCIDR: 10.1.0.0/16 }\n").expect("written");
    fs::write(folder.path().join("b.yaml"), "ipam: { podCIDR: 10.42.0.0/16 }\n").expect("written");
    let run = |files: [&str; 2]| {
        let flags = files.map(|file| format!("--liqo-values=rome={file}"));
        Run::new(["validate", "x/peering.yaml"]).args(flags).within(folder.path()).run()
    };
    run(["a.yaml", "b.yaml"]).done();
    run(["b.yaml", "a.yaml"]).says("Liqo has `ipam.podCIDR` 10.1.0.0/16");
    // the files that what installs Liqo names, of the same checkout
    fs::write(
        folder.path().join("c.yaml"),
        "releases: [{ name: liqo, chart: liqo/liqo, values: [a.yaml, { ipam: { podCIDR: 10.42.0.0/16 } }] }]\n",
    )
    .expect("written");
    run(["c.yaml", "c.yaml"]).done();
    run(["c.yaml", "a.yaml"]).says("::: a.yaml:1");
    fs::write(folder.path().join("bad.yaml"), "{{ x }}: {\n").expect("written");
    fs::write(folder.path().join("d.yaml"), "releases: [{ chart: liqo/liqo, values: [bad.yaml, b.yaml] }]\n")
        .expect("written");
    run(["d.yaml", "d.yaml"]).fails(2, "flag").says("bad.yaml:1: not YAML");
}

/// (argo-cd util/helm/cmd.go)
#[test]
fn an_application_of_liqos_chart_has_them_too() {
    let application = |helm: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: liqo }}\nspec:\n  source:\n    chart: liqo\n    helm:\n{helm}"
        )
    };
    agrees("rome", &application("      valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } }\n"));
    let values = "      values: |\n        ipam:\n          podCIDR: 10.99.0.0/16\n";
    contradicts("rome", &application(values), "Liqo has `ipam.podCIDR` 10.99.0.0/16");
    let parameters = "      parameters: [{ name: ipam.podCIDR, value: 10.98.0.0/16 }]\n";
    contradicts("rome", &application(&format!("{parameters}{values}")), "`ipam.podCIDR` 10.98.0.0/16");
    let object = "      valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } }\n";
    agrees("rome", &application(&format!("{object}{values}")));
    // (Helm pkg/strvals/parser.go; Argo CD makes a map of them, so the last of a name counts)
    let set = |parameters: &str| application(&format!("      parameters: [{parameters}]\n"));
    agrees("rome", &set("{ name: ipam.podCIDRs, value: \"{10.42.0.0/16}\" }"));
    agrees("rome", &set("{ name: \"ipam.podCIDRs[0]\", value: 10.42.0.0/16 }"));
    said("rome", &set("{ name: ipam.podCIDR, value: \"\" }")).fails(2, "flag").says("sets neither");
    let twice = "{ name: ipam.podCIDR, value: 10.1.0.0/16 }, { name: ipam.podCIDR, value: 10.42.0.0/16 }";
    agrees("rome", &set(twice));
    let list = set(
        "{ name: ipam.podCIDR, value: 10.42.0.0/16 }, { name: ipam.reservedSubnets, value: \"{192.168.2.0/24, 10.64.0.0/12}\" }",
    );
    contradicts(
        "rome",
        &list,
        "Liqo has `ipam.reservedSubnets` 10.64.0.0/12, which meets `ipam.externalCIDR`",
    );
    let item = "      valuesObject: { ipam: { podCIDRs: [10.42.0.0/16, 10.44.0.0/16] } }\n      parameters: [{ name: \"ipam.podCIDRs[1]\", value: 10.45.0.0/16 }]\n";
    contradicts("rome", &application(item), "`ipam.podCIDRs` 10.42.0.0/16, 10.45.0.0/16, and here");
    let bare = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: { source: { chart: liqo } }\n";
    said("rome", bare).fails(2, "flag").says("sets neither");
    // another chart may have Liqo's as a dependency, or be a copy of it; of two it is not known which
    let other = application(values).replace("chart: liqo", "chart: another");
    contradicts("rome", &other, "Liqo has `ipam.podCIDR` 10.99.0.0/16");
    said("rome", &format!("{other}---\n{other}")).fails(2, "flag").says("installs Liqo 2 times");
    said("rome", &other.replace("kind: Application", "kind: Applications"))
        .fails(2, "flag")
        .says("is neither Helm values of Liqo nor an Application of Liqo's chart");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    said("rome", &VALUES.replace("clusterID: rome", "clusterID: oslo"))
        .fails(2, "flag")
        .says("values.yaml:3: the cluster's ID is oslo there, and rome in the flag");
    said("oslo", "ipam: { podCIDR: 10.42.0.0/16 }\n")
        .fails(2, "flag")
        .says("no peering here has the cluster oslo");
    said("rome", "a: [\n").fails(2, "flag").says("values.yaml:1: not YAML");
    let bomb: String =
        (1..9).map(|it| format!("a{it}: &a{it} [{}]\n", format!("*a{}, ", it - 1).repeat(9))).collect();
    said("rome", &format!("a0: &a0 [x]\n{bomb}{VALUES}")).fails(2, "flag").says("larger than");
    let two = "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec: { chart: liqo }\n";
    said("rome", &format!("{two}---\n{two}")).fails(2, "flag").says("installs Liqo 2 times");
    // what is wrong with the document comes first: without it nobody knows its clusters
    let wrong =
        committed("tests/diagnostics/good.yaml").replace("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0]");
    let outcome = said_of(&wrong, "rome", VALUES, &[]);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    outcome.says("error[cidr]").silent_on("no peering here");
    said("rome", &"#".repeat(1 << 20)).fails(2, "flag");
    said("rome", &"#".repeat((1 << 20) + 1)).fails(3, "file").says("values.yaml");
    let no_file = Run::new(["validate", "examples/quickstart", "--liqo-values=rome=/nowhere"]);
    no_file.within(crate::harness::root()).run().fails(3, "file");
    let no_cluster = Run::new(["validate", "examples/quickstart", "--liqo-values=values.yaml"]);
    no_cluster.within(crate::harness::root()).run().fails(2, "flag").says("write CLUSTER=FILE");
}

#[test]
fn a_report_has_both_places() {
    let pods = VALUES.replace("10.42.0.0/16", "10.99.0.0/16");
    let good = committed("tests/diagnostics/good.yaml");
    let outcome = said_of(&good, "rome", &pods, &["--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let mut findings = report["findings"].as_array().expect("a list").iter();
    let found = findings.find(|it| it["code"] == "liqo-values").expect("it");
    assert_eq!(found["path"], "spec.consumer.podCIDRs", "{outcome}");
    assert_eq!(found["related"][0]["file"], "values.yaml", "{outcome}");
    assert_eq!(found["related"][0]["range"]["line"], 5, "{outcome}");
}
