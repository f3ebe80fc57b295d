package steps

import (
	"strings"

	"argocd-peering.example/scene/stage"
)

var describe = Step{
	Name: "Describe a peering, as the README does",
	Asserts: "The README's commands, word for word, in a new checkout: an identity, `init` with its questions, the sealed credential, " +
		"and the stream of the consumer.",
	Run: func(s *stage.Stage) {
		s.Run("git clone --quiet " + stage.RepoURL + " peerings")
		s.Run("git commit --quiet --allow-empty --message 'a repository for peerings' && git push --quiet origin main")

		commands := s.Block("README.md", "age-keygen -o ~/identity.txt")
		s.Holds(len(commands) == 4, "the README has four commands", strings.Join(commands, "\n"))
		folder = strings.Fields(commands[1])[2]
		documentFile = folder + "/peering.yaml"
		said := s.Run(commands[0])
		_, recipient, _ := strings.Cut(strings.TrimSpace(said), "age1")
		recipient = "age1" + recipient
		for _, command := range commands[1:3] {
			if strings.Contains(command, "seal kubeconfig") {
				// who runs the provider gives it to the consumer, for the user in the document
				s.Credential("consumer", stage.Home+"/provider.kubeconfig")
			}
			s.Type(strings.ReplaceAll(command, "age1…", recipient), map[string]string{
				"The consumer's cluster ID":       "consumer",
				"The consumer's pod CIDRs":        "10.42.0.0/16",
				"The provider's cluster ID":       "provider",
				"The provider's pod CIDRs":        "10.42.0.0/16",
				"The lowest Liqo":                 "1.2",
				"reaches the provider's gateway":  "172.16.183.16",
				"The CPUs":                        "1",
				"The memory":                      "1Gi",
				"Type `yes` if sealing on these ": "yes",
			})
		}
		s.Edit(documentFile, "credential: pending", "credential: { kubeconfig: { file: kubeconfig.age } }")
		s.Edit(documentFile, "    # namespaces: # whose pods", "    namespaces: # whose pods")
		s.Edit(documentFile, "    #   - { name: demo,", "      - { name: demo,")
		s.Run("argocd-peering validate peerings")
		stream := s.Run(commands[3] + " | grep -E '^(kind|  name):' | paste - -")
		s.Holds(strings.Contains(stream, "ResourceSlice") && strings.Contains(stream, "NamespaceOffloading"),
			"the consumer's stream has a ResourceSlice and a NamespaceOffloading", stream)
	},
}
