package steps

import (
	"regexp"
	"strings"

	"argocd-peering.example/scene/stage"
)

var fromRegistry = Step{
	Name: "From a registry",
	Asserts: "docs/howto/use-an-oci-artifact.md: `init --repo oci://…` writes the Applications, `oras` pushes the folders, and both " +
		"Applications become Synced with the artifact. With Argo CD 3.6 and newer, the ApplicationSet with the generator `oci` takes them " +
		"over, and writes no object. The next tag drains the peering. The one after it has no folder, and nothing is deleted: the set leaves its " +
		"Applications at the tag before, and Applications without a set report that the path does not exist.",
	Run: func(s *stage.Stage) {
		s.Run(s.Inline("docs/howto/use-an-oci-artifact.md", "argocd repo add "))
		for _, role := range []string{"consumer", "provider"} {
			s.Run("kubectl -n argocd patch appproject peering-" + role + ` --type=json -p '[{"op":"add","path":"/spec/sourceRepos/-","value":"` + artifact + `"}]'`)
		}
		newFolder(s, "--repo "+artifact)
		s.Edit(setFolder+"/peering.yaml", "credential: pending", "credential: { kubeconfig: { file: kubeconfig.age } }")
		sealCredential(s, setFolder, "--repo "+artifact)
		digest := push(s, "1.0.0")
		take := func(tag string) {
			s.Run("sed -i 's/targetRevision: .*/targetRevision: " + tag + "/' " + setFolder + "/application-*.yaml && " +
				"cat " + setFolder + "/application-*.yaml")
			applyApplications(s, setFolder+"/application-consumer.yaml", setFolder+"/application-provider.yaml")
		}
		take("1.0.0")
		untilSynced(s, digest, apps...)
		if s.ArgoCDSince(6) {
			before := written(s, apps...)
			take = takeBySet(s)
			take("1.0.0")
			s.Until("the Applications are the set's", aMoment, func() (bool, string) {
				owners, _ := s.Ask("kubectl -n argocd get applications -o jsonpath='{.items[*].metadata.ownerReferences[*].kind}'")
				return owners == "ApplicationSet ApplicationSet", owners
			})
			untilSynced(s, digest, apps...)
			untouched(s, before, apps...)
		}
		if s.Liqo {
			tunnel(s)
		}
		s.Edit(setFolder+"/peering.yaml", "\nspec:\n", "\nspec:\n  state: Drained\n")
		digest = push(s, "1.0.1")
		take("1.0.1")
		untilSynced(s, digest, apps...)
		before := written(s, apps...)
		s.Run("mv " + setFolder + " ~/removed")
		push(s, "1.0.2")
		s.Run("mv ~/removed " + setFolder)
		take("1.0.2")
		if s.ArgoCDSince(6) {
			lookAgain(s)
			s.Equals("kubectl -n argocd get applications -o jsonpath='{.items[*].spec.source.targetRevision}'", "1.0.1 1.0.1")
		} else {
			for _, app := range apps {
				untilSays(s, app, "ComparisonError", "app path does not exist")
			}
		}
		untouched(s, before, apps...)
		if !s.ArgoCDSince(6) {
			// the deletion renders the stream once more
			take("1.0.1")
			untilSynced(s, digest, apps...)
		}
		deleteApps(s, apps...)
		s.Run("kubectl -n argocd delete applicationset peerings --ignore-not-found && rm -r " + setFolder)
	},
}

// push runs the commands of the page with a tag, and gives the artifact's digest.
func push(s *stage.Stage, tag string) string {
	printed := ""
	for _, command := range s.Block("docs/howto/use-an-oci-artifact.md", "oras push ") {
		command = strings.Replace(command, "oras push ", "oras push --ca-file "+stage.CertificateFile+" ", 1)
		printed = s.Run(strings.ReplaceAll(command, ":1.0.0", ":"+tag))
	}
	s.Run("rm peerings.tar.gz")
	digest := regexp.MustCompile(`Digest: (sha256:[0-9a-f]{64})`).FindStringSubmatch(printed)
	s.Holds(digest != nil, "oras prints the digest", printed)
	return digest[1]
}

// takeBySet has the ApplicationSet take the artifact in place of the Git repository.
func takeBySet(s *stage.Stage) func(tag string) {
	return func(tag string) {
		s.Write(strings.NewReplacer("- git:", "- oci:", stage.RepoURL, artifact, "refs/heads/main", tag).Replace(s.Read("argocd-app/applicationset.yaml")),
			"applicationset.yaml")
		s.Run("diff ~/argocd-peering/argocd-app/applicationset.yaml ~/applicationset.yaml || [ $? = 1 ]")
		applyApplications(s, "~/applicationset.yaml")
	}
}

// artifact is where the folders are in the registry.
const artifact = "oci://" + stage.RegistryHost + "/net/peerings"
