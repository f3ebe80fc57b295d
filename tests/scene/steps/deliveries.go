package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var sealedSecrets = Step{
	Name: "Delivery by sealed-secrets",
	Asserts: "docs/delivery.md, with the controller's own chart on both clusters. No Secret with data is in a stream; the controller " +
		"unseals both sides' keys and the kubeconfig; the tunnel is Connected. A key is replaced. The controller makes a new key, and " +
		"`reseal` with its certificate changes no Secret. A controller loses its keys: its SealedSecrets are Degraded, Secrets and " +
		"tunnel stay, and `reseal` makes them Healthy.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		for _, cluster := range stage.Clusters {
			// the first command of the page, without Helm
			s.Chart(cluster, "sealed-secrets", "kube-system", "fullnameOverride=sealed-secrets-controller", "image.tag=0.40.0")
		}
		begin(s, "SealedSecret")
		certificates(s)
		resealWithCertificates(s)
		s.Type("argocd-peering seal kubeconfig ~/provider.kubeconfig -o "+setFolder+"/kubeconfig.age --project peering-consumer=consumer "+
			"--recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt) --certificate consumer=$HOME/consumer.crt --delivery SealedSecret", map[string]string{"Type `yes`:": "yes"})
		s.Equals("for role in consumer provider; do argocd-peering generate "+setFolder+" --local --role $role --identity-file ~/.config/argocd-peering/identity.txt 2>/dev/null; done | "+
			"grep -E '^kind: \"?(Secret|SealedSecret)' | sort | uniq -c | tr -s ' '", `3 kind: "SealedSecret"`)
		revision := commit(s, "Delivered by sealed-secrets")
		bySet(s)
		untilSynced(s, revision, apps...)
		reached(s)

		rotateBy(s, "provider", func() {})
		untilSynced(s, head(s), apps...)
		reached(s)

		s.Note("the controllers make a new key, as they do every 30 days")
		for _, cluster := range stage.Clusters {
			s.Run("kubectl --context " + cluster.Name + ` -n kube-system patch deployment sealed-secrets-controller --type=json -p '[{"op":"add","path":` +
				`"/spec/template/spec/containers/0/args/-","value":"--key-cutoff-time='"$(date -u -R)"'"}]'`)
			s.Run("kubectl --context " + cluster.Name + " -n kube-system rollout status deployment sealed-secrets-controller --timeout=60s")
			s.Until("the "+cluster.Name+" has two keys", aMoment, func() (bool, string) {
				keys, _ := s.Ask("kubectl --context " + cluster.Name + " -n kube-system get secrets -l sealedsecrets.bitnami.com/sealed-secrets-key -o name")
				return strings.Count(keys, "secret/") == 2, keys
			})
		}
		before := secrets(s)
		renew(s, "New certificates")
		after := secrets(s)
		s.Holds(before == after, "no Secret has changed", differences(before, after))

		s.Note("the consumer's controller loses its keys")
		s.Run("kubectl --context consumer -n kube-system delete secrets -l sealedsecrets.bitnami.com/sealed-secrets-key")
		s.Run("kubectl --context consumer -n kube-system rollout restart deployment sealed-secrets-controller")
		s.Run("kubectl --context consumer -n kube-system rollout status deployment sealed-secrets-controller --timeout=60s")
		s.Until("the SealedSecrets are Degraded", someMinutes, func() (bool, string) {
			says, _ := s.Ask("kubectl --context consumer -n liqo-tenant-provider get sealedsecrets -o jsonpath='{.items[*].status.conditions[*].message}'")
			return strings.Contains(says, "no key could decrypt secret") && s.App(consumerApp).Status.Health.Status == "Degraded", says
		})
		after = secrets(s)
		s.Holds(before == after, "no Secret has changed", differences(before, after))
		printed, err := ping(s, 1340)
		s.Holds(err == nil, "a ping crosses the tunnel", printed)
		renew(s, "Certificates of the new keys")
		reached(s)
		removeSet(s)
	},
}

var externalSecrets = Step{
	Name: "Delivery by external-secrets",
	Asserts: "docs/delivery.md, with the operator's own chart on both clusters; a Secret in a namespace of its own is the store. The " +
		"operator fills both sides' keys and the kubeconfig, and the tunnel is Connected. A key is replaced: first the store, and then the " +
		"commit. Another one comes too late: the sync fails, and with the retries of the page it heals by itself as soon as the store has " +
		"the key. A renewed kubeconfig arrives without a commit, after `refreshInterval`.",
	Liqo: true,
	Run: func(s *stage.Stage) {
		for _, cluster := range stage.Clusters {
			s.Chart(cluster, "external-secrets", "external-secrets", "installCRDs=true", "webhook.create=false", "certController.create=false",
				"crds.conversion.enabled=false")
			s.Run("kubectl --context " + cluster.Name + " apply -f ~/argocd-peering/tests/scene/external-secrets/store.yaml")
		}
		begin(s, "Secret")
		sealCredential(s, setFolder)
		for _, cluster := range stage.Clusters {
			fill(s, cluster)
			key := publicKey(s, setFolder, cluster.Name)
			kubeconfig := ""
			if cluster == stage.Consumer {
				kubeconfig = ", kubeconfig: { key: liqo, property: kubeconfig }"
			}
			s.Edit(setFolder+"/peering.yaml", "    clusterID: "+cluster.Name+"\n", "    clusterID: "+cluster.Name+"\n    delivery: External\n"+
				"    publicKey: "+key+"\n    external:\n      secretStoreRef: { kind: ClusterSecretStore, name: vault }\n      refreshInterval: 10s\n"+
				"      keys: { privateKey: { key: liqo, property: privateKey }, publicKey: { key: liqo, property: publicKey }"+kubeconfig+" }\n")
		}
		s.Run("argocd-peering validate peerings")
		revision := commit(s, "Delivered by external-secrets")
		s.Write(strings.Replace(s.Read("argocd-app/applicationset.yaml"), "limit: 5\n", "limit: -1\n", 1), "applicationset.yaml")
		applyApplications(s, "~/applicationset.yaml")
		made(s)
		untilSynced(s, revision, apps...)
		reached(s)

		rotateBy(s, "consumer", func() { fill(s, stage.Consumer) })
		untilSynced(s, head(s), apps...)
		reached(s)

		rotateBy(s, "provider", func() {})
		s.Until("the provider's sync fails, and is tried again", someMinutes, func() (bool, string) {
			says, _ := s.Ask("kubectl -n argocd get application " + providerApp + " -o jsonpath='{.status.operationState.phase} {.status.operationState.message}'")
			return strings.Contains(says, "Retrying"), says
		})
		s.Run("kubectl --context provider -n liqo-tenant-consumer get events --field-selector involvedObject.kind=ExternalSecret -o jsonpath='{range .items[*]}{.message}{\"\\n\"}{end}' | sort -u | tail -3")
		fill(s, stage.Provider)
		untilSynced(s, head(s), apps...)
		reached(s)

		const credential = "kubectl --context consumer -n liqo-tenant-provider get secrets -l liqo.io/identity-type=ControlPlane -o jsonpath='{.items[0].data.kubeconfig}' | sha256sum"
		old, err := s.Ask(credential)
		s.Holds(err == nil, "there is a kubeconfig", old)
		s.Run("rm " + setFolder + "/kubeconfig.age")
		sealCredential(s, setFolder)
		fill(s, stage.Consumer)
		s.Until("the renewed kubeconfig is there, without a commit", someMinutes, func() (bool, string) {
			now, err := s.Ask(credential)
			return err == nil && now != old, now
		})
		commit(s, "The sealed file of the kubeconfig that is in the store")
		refresh(s)
		removeSet(s)
	},
}

// begin writes a peering with a delivery for both sides where the ApplicationSet looks for one, and commits nothing yet.
func begin(s *stage.Stage, delivery string) {
	s.Credential(stage.Provider, "consumer", stage.Home+"/provider.kubeconfig")
	newFolder(s, "--no-applications")
	if delivery != "Secret" {
		for _, cluster := range stage.Clusters {
			s.Edit(setFolder+"/peering.yaml", "    clusterID: "+cluster.Name+"\n", "    clusterID: "+cluster.Name+"\n    delivery: "+delivery+"\n")
		}
	}
	s.Edit(setFolder+"/peering.yaml", "credential: pending", "credential: { kubeconfig: { file: kubeconfig.age } }")
}

// newFolder makes the folder of the scene's peering where the ApplicationSet looks for one, with further flags.
func newFolder(s *stage.Stage, flags string) {
	s.Type("argocd-peering init "+setFolder+" "+flags+" --name consumer-provider --consumer-id consumer --provider-id provider "+
		"--consumer-pod-cidr 10.42.0.0/16 --provider-pod-cidr 10.42.0.0/16 --liqo-version 1.2 --gateway-address 172.16.183.16 "+
		"--user consumer --cpu 1 --memory 1Gi --project peering-consumer=consumer --project peering-provider=provider "+
		"--recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt)", map[string]string{"Type `yes`:": "yes"})
}

// certificates fetches those of both controllers, as docs/delivery.md says.
func certificates(s *stage.Stage) {
	for _, cluster := range stage.Clusters {
		s.Run("kubeseal --context " + cluster.Name + " --fetch-cert > ~/" + cluster.Name + ".crt")
	}
}

func resealWithCertificates(s *stage.Stage) {
	s.Type("argocd-peering reseal "+setFolder+"/peering.seed.age --identity-file ~/.config/argocd-peering/identity.txt --recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt) "+
		"--certificate consumer=$HOME/consumer.crt --certificate provider=$HOME/provider.crt --delivery SealedSecret", map[string]string{"Type `yes`:": "yes"})
}

// renew puts the controllers' newest certificates into both sealed files, and waits until they are used.
func renew(s *stage.Stage, message string) {
	certificates(s)
	resealWithCertificates(s)
	s.Type("argocd-peering reseal "+setFolder+"/kubeconfig.age --identity-file ~/.config/argocd-peering/identity.txt --recipient $(age-keygen -y ~/.config/argocd-peering/identity.txt) "+
		"--certificate consumer=$HOME/consumer.crt --delivery SealedSecret", map[string]string{"Type `yes`:": "yes"})
	revision := commit(s, message)
	refresh(s)
	untilSynced(s, revision, apps...)
}

// fill puts what a side's Secrets hold into its cluster's store, through a pipe.
func fill(s *stage.Stage, of stage.Cluster) {
	s.Run("argocd-peering keys export " + setFolder + " --role " + of.Name + " --identity-file ~/.config/argocd-peering/identity.txt | jq '.secrets | map(.data) | add | " +
		`{apiVersion: "v1", kind: "Secret", metadata: {name: "liqo", namespace: "vault"}, stringData: .}' | ` +
		"kubectl --context " + of.Name + " apply --server-side -f -")
}

// rotateBy replaces a side's key, in a commit of its own after what comes before it.
func rotateBy(s *stage.Stage, role string, before func()) {
	s.Run("argocd-peering seed rotate " + setFolder + " --role " + role + " --identity-file ~/.config/argocd-peering/identity.txt")
	before()
	commit(s, "A new key for the "+role)
	refresh(s)
}

// reached waits until the tunnel is up with the keys that the document now has, and a ping crosses it.
func reached(s *stage.Stage) {
	for i, cluster := range stage.Clusters {
		other := stage.Clusters[1-i]
		expected := publicKey(s, setFolder, cluster.Name)
		s.Until("the "+other.Name+" has the "+cluster.Name+"'s public key", someMinutes, func() (bool, string) {
			key, _ := s.Ask("kubectl --context " + other.Name + " -n liqo-tenant-" + cluster.Name + " get publickeies.networking.liqo.io -o jsonpath='{.items[0].spec.publicKey}'")
			return key == expected, key
		})
	}
	s.Until("a ping crosses the tunnel", someMinutes, func() (bool, string) {
		printed, err := ping(s, 1340)
		return err == nil, printed
	})
	tunnel(s)
}

// secrets are those that the deliveries bring, with what is in them, as a hash.
func secrets(s *stage.Stage) string {
	all := ""
	for i, cluster := range stage.Clusters {
		text, err := s.Ask("for secret in $(kubectl --context " + cluster.Name + " -n liqo-tenant-" + stage.Clusters[1-i].Name + " get secrets -o name); do " +
			"echo " + cluster.Name + " $secret $(kubectl --context " + cluster.Name + " -n liqo-tenant-" + stage.Clusters[1-i].Name + " get $secret -o jsonpath='{.metadata.uid} {.data}' | sha256sum); done")
		s.Holds(err == nil && text != "", "there are Secrets on the "+cluster.Name, text)
		all += text + "\n"
	}
	return all
}
