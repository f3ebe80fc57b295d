package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var describe = Step{
	Name: "Describe a peering, as the tutorial does",
	Asserts: "The tutorial's commands, word for word, in a new checkout: an identity, `init` with its questions, the consumer's half of the " +
		"exchange of keys, and the stream of the consumer.",
	Run: func(s *stage.Stage) { describePeering(s, "1.2", s.Liqo) },
}

// describePeering answers init's questions, with Liqo's exchange of keys or with a sealed kubeconfig.
func describePeering(s *stage.Stage, liqoVersion string, exchange bool) {
	s.Run("git clone --quiet " + stage.RepoURL + " peerings")
	s.Run("git commit --quiet --allow-empty --message 'a repository for peerings' && git push --quiet origin main")

	const page = "docs/tutorial.md"
	for _, command := range s.Block(page, "age-keygen -o ~/.config/argocd-peering/identity.txt") {
		s.Run(command)
	}
	prepared := s.Block(page, "argocd-peering init ")
	s.Run(prepared[len(prepared)-2]) // the list of recipients, in the clone that is there already
	created := played(last(prepared))
	folder = strings.Fields(created)[2]
	documentFile = folder + "/peering.yaml"
	credential := played(last(s.Block(page, "argocd-peering authenticate consumer ")))
	if !exchange {
		created += " --user consumer"
		credential = played(last(s.Block("docs/howto/exchange-keys.md", "argocd-peering seal kubeconfig ")))
	}
	for _, command := range []string{created, credential} {
		s.Type(command, map[string]string{
			"The consumer's cluster ID":      "consumer",
			"The consumer's pod CIDRs":       "10.42.0.0/16",
			"The provider's cluster ID":      "provider",
			"The provider's pod CIDRs":       "10.42.0.0/16",
			"The lowest Liqo":                liqoVersion,
			"The provider's gateway address": "172.16.183.16",
			"The CPUs":                       "1",
			"The memory":                     "1Gi",
			"The namespaces to offload":      "demo",
			"Make these namespaces":          "yes",
			"Type `yes`:":                    "yes",
		})
	}
	s.Run("argocd-peering validate peerings")
	stream := s.Run(played(last(s.Block(page, "argocd-peering validate peerings"))) + " | grep -E '^(kind|  name):' | paste - -")
	s.Holds(strings.Contains(stream, "ResourceSlice") && strings.Contains(stream, "NamespaceOffloading"),
		"the consumer's stream has a ResourceSlice and a NamespaceOffloading", stream)
}

// last is the command of a block that the others prepare.
func last(commands []string) string { return commands[len(commands)-1] }

// played is a command of the tutorial with the names of the stage's clusters.
func played(command string) string {
	return strings.NewReplacer("rome", stage.Consumer.Name, "milan", stage.Provider.Name).Replace(command)
}
