//! What the document would not be valid with is an error at the manifest: its file, its object, its field.

use super::{guides, imported, replaced};

#[test]
fn a_mistake_is_named_at_the_manifest_and_its_field() {
    let selector = "    nodeSelectorTerms: []\n";
    let slice = "    cpu: '1'\n";
    for (role, from, to, named) in [
        (
            0,
            "      external:\n      - 10.70.0.0/16    # Replace with the actual remote cluster CIDR\n",
            "",
            "Configuration.networking.liqo.io liqo-tenant-provider/provider (FILE), `spec.remote.cidr.external`: networking needs",
        ),
        (
            0,
            "      - 10.42.0.0/16 ",
            "      - 10.42.0.1/16 ",
            "provider (FILE), `spec.remote.cidr.pod[0]`: `10.42.0.1/16` has host bits",
        ),
        (
            0,
            slice,
            "    gpu: '1'\n",
            "ResourceSlice.authentication.liqo.io liqo-tenant-provider/test (FILE), `spec.resources.gpu`: ",
        ),
        (0, slice, "    cpu: '1 core'\n", "test (FILE), `spec.resources.cpu`: "),
        (
            0,
            selector,
            "    nodeSelectorTerms: [null]\n",
            "NamespaceOffloading.offloading.liqo.io demo/offloading (FILE), `spec.clusterSelector.nodeSelectorTerms[0]`: ",
        ),
        (
            0,
            selector,
            "    nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Is, values: [b] }] }]\n",
            "offloading (FILE), `spec.clusterSelector.nodeSelectorTerms[0].matchExpressions[0].operator`: `Is` is not",
        ),
        (
            0,
            "podOffloadingStrategy: Remote",
            "podOffloadingStrategy: Far",
            "offloading (FILE), `spec.podOffloadingStrategy`: `Far`",
        ),
        (
            0,
            "    - 172.16.183.16 ",
            "    - vpn.test:51840 ",
            "GatewayClient.networking.liqo.io liqo-tenant-provider/client (FILE), `spec.endpoint.addresses[0]`: ",
        ),
        (
            0,
            "    addresses:\n    - 172.16.183.16   # Replace with the actual endpoint address of the remote cluster\n",
            "",
            "client (FILE), `spec.endpoint.addresses`: ",
        ),
        (
            1,
            "    serviceType: NodePort\n",
            "    serviceType: External\n",
            "GatewayServer.networking.liqo.io liqo-tenant-consumer/server (FILE), `spec.endpoint.serviceType`: ",
        ),
        (
            1,
            "  tenantCondition: Active",
            "  tenantCondition: Paused",
            "Tenant.authentication.liqo.io liqo-tenant-consumer/my-tenant (FILE), `spec.tenantCondition`: `Paused`",
        ),
        (
            1,
            "  name: myuser",
            "  name: system:anonymous",
            "RoleBinding.rbac.authorization.k8s.io liqo-tenant-consumer/liqo-binding-liqo-remote-controlplane (FILE), `subjects[0].name`: ",
        ),
        (
            0,
            "  name: client\n",
            "  name: client\n  annotations: { \"a b\": x }\n",
            "client (FILE), `metadata.annotations",
        ),
    ] {
        let mut texts = guides();
        texts[role] = replaced(&texts[role], from, to);
        let outcome = imported(&texts, &[]);
        let file = if role == 0 { "consumer.yaml" } else { "provider.yaml" };
        let (before, after) = named.split_once("FILE").expect("a place");
        outcome.fails(1, "manifests").says(before).says(&format!("{file}{after}")).silent_on("as imported");
        assert_eq!(outcome.stdout, "");
    }
}

/// A Configuration of one side is no error of the other side's.
#[test]
fn a_side_without_a_configuration_is_named() {
    let [consumer, provider] = guides();
    let start = consumer.find("apiVersion: networking.liqo.io/v1beta1\nkind: Configuration").expect("it");
    let end = start + consumer[start..].find("---").expect("the next");
    let text = format!("{}{}", &consumer[..start], &consumer[end..]);
    let outcome = imported(&[text, provider], &[]);
    outcome
        .fails(1, "manifests")
        .says("consumer has no Configuration for provider")
        .silent_on("externalCIDR");
}
