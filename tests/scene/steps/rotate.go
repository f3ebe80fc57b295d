package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var rotateProvider = rotate("provider", stage.Provider, "liqo-tenant-consumer", stage.Consumer, "liqo-tenant-provider")

var rotateConsumer = rotate("consumer", stage.Consumer, "liqo-tenant-provider", stage.Provider, "liqo-tenant-consumer")

// rotate replaces the key of a side, whose gateway reads a Secret in its tenant namespace; the other side has the public key.
func rotate(role string, of stage.Cluster, tenant string, other stage.Cluster, otherTenant string) Step {
	return Step{
		Name: "The " + role + "'s key is replaced",
		Asserts: "`seed rotate` for the " + role + ", in a commit of its own. Its cluster has a new key Secret and no longer the old one, " +
			"the gateway names the new one, and the other cluster has the new public key. Nothing else is written.",
		Run: func(s *stage.Stage) {
			secrets := "kubectl --context " + of.Name + " -n " + tenant + " get secrets -o name | grep gw-keys"
			old, err := s.Ask(secrets)
			s.Holds(err == nil && strings.Count(old, "\n") == 0, "there is one key Secret", old)
			gateway := "kubectl --context " + of.Name + " -n " + tenant + " get pods -o name | grep gw-"
			oldPod := ""
			if s.Liqo {
				oldPod, err = s.Ask(gateway)
				s.Holds(err == nil, "there is a gateway", oldPod)
			}
			s.Run("argocd-peering seed rotate " + folder + " --role " + role + " --identity-file ~/.config/argocd-peering/identity.txt")
			revision := commit(s, "A new key for the "+role)
			refresh(s)
			untilSynced(s, revision, apps...)
			now := strings.TrimSpace(s.Run(secrets))
			s.Holds(now != old && strings.Count(now, "\n") == 0, "there is one key Secret, another one", now)
			kind := map[string]string{"provider": "gatewayservers", "consumer": "gatewayclients"}[role]
			s.Equals("kubectl --context "+of.Name+" -n "+tenant+" get "+kind+".networking.liqo.io wg-"+other.Name+" -o jsonpath='{.spec.secretRef.name}'",
				strings.TrimPrefix(now, "secret/"))
			expected := publicKey(s, folder, role)
			s.Equals("kubectl --context "+other.Name+" -n "+otherTenant+" get publickeies.networking.liqo.io -o jsonpath='{.items[0].spec.publicKey}'", expected)
			if s.Liqo {
				s.Until("the gateway is another Pod", someMinutes, func() (bool, string) {
					pod, err := s.Ask(gateway)
					return err == nil && pod != oldPod && strings.Count(pod, "pod/") == 1, pod
				})
				s.Until("a ping crosses the tunnel with the new key", someMinutes, func() (bool, string) {
					printed, err := ping(s, 1340)
					return err == nil, printed
				})
				tunnel(s)
			}
		},
	}
}

// publicKey is the one of a side, as a person reads it.
func publicKey(s *stage.Stage, folder, role string) string {
	key, err := s.Ask("argocd-peering keys " + folder + " --identity-file ~/.config/argocd-peering/identity.txt 2>/dev/null | grep -A1 '^" + role + ":' | grep -oE '[A-Za-z0-9+/]{43}='")
	s.Holds(err == nil, "`argocd-peering keys` prints the "+role+"'s public key", key)
	return key
}
