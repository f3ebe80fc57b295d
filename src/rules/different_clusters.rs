//! A peering has two different clusters, and each has its own key.

use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::peering::values::{ApiServer, READ_CLUSTER_ID};
use crate::peering::{Peering, Role};

/// Liqo refuses a peering of a cluster with itself.
pub(super) fn check_different_clusters(peering: &Peering, problems: &mut Problems) {
    let (consumer, provider) = (&peering.clusters.consumer, &peering.clusters.provider);
    if consumer.id == provider.id {
        let message = format!("both sides are the cluster `{}`", provider.id);
        let help = format!("write each side's own ID; {READ_CLUSTER_ID}");
        let rule = Rule::new(Code::SameCluster, message).help(help);
        let problem = rule.mark(provider.id.span);
        problems.push(problem.also(consumer.id.span, "the consumer's"));
    }
    if let (Some(consumer), Some(provider)) = (&consumer.public_key, &provider.public_key)
        && consumer == provider
    {
        let help = "remove your side's; on the other side, `argocd-peering keys` prints its own";
        let rule = Rule::new(Code::PublicKey, "both sides have the same `publicKey`").help(help);
        let problem = rule.mark(provider.span);
        problems.push(problem.also(consumer.span, "the consumer's"));
    }
}

/// The API server of an Identity must not be the user's own: Liqo would send it the other cluster's credential. A proxy
/// resolves such an address to its own cluster's server (liqo `deployments/liqo/templates/liqo-proxy-deployment.yaml`).
pub(super) fn check_api_server(peering: &Peering, user: Role, problems: &mut Problems) {
    let Some(authentication) = peering.authentication(user) else {
        return;
    };
    let credential = &authentication.credential;
    let Some(identity) = credential.identity() else {
        return;
    };
    let server = identity.api_server.as_str();
    if authentication.proxy_url.is_none() && ApiServer::is_of_every_cluster(server) {
        let server = quoted(server);
        let message = format!("{server} is the {user}'s own API server in its pods");
        let help = "write the URL of the other cluster's API server, or set `proxyURL`";
        problems.add(Code::InvalidAddress, credential.span, message, help);
    }
}
