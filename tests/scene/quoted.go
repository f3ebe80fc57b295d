package main

import (
	"fmt"
	"os"
	"strings"
)

// notPlayed are commands of the tutorial that the scene replaces: it brings its own clusters, repositories and identity.
var notPlayed = []string{
	"mkdir -p ~/.config", "git clone ", "docker build ", "docker push ", "cd peerings", "argocd-peering liqo-values ", "liqoctl install ",
	"kubectl -n argocd rollout status ", "argocd-peering doctor ",
}

// checkQuotes compares a page with a transcript: each command of the page was run, and each line of output was seen.
func checkQuotes(page, transcript string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	var seen, commands, missing []string
	for _, line := range strings.Split(transcript, "\n") {
		seen = append(seen, line)
		if command, found := strings.CutPrefix(line, "$ "); found {
			commands = append(commands, plain(command))
		}
	}
	for _, block := range blocks(string(text), "sh") {
		block = strings.NewReplacer("\\\n", " ", "&&\n", "&& ").Replace(asPlayed(block))
		for _, line := range strings.Split(block, "\n") {
			if command := plain(line); !hasPrefix(command, notPlayed) && !anyMatches(commands, command) {
				missing = append(missing, "command: "+command)
			}
		}
	}
	for _, block := range blocks(string(text), "text") {
		for _, line := range strings.Split(asPlayed(block), "\n") {
			if !anyMatches(seen, line) {
				missing = append(missing, "output: "+line)
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s shows what this run does not have:\n%s", page, strings.Join(missing, "\n"))
	}
	return nil
}

// blocks are the fenced blocks of a page in this language.
func blocks(page, language string) (found []string) {
	for i, part := range strings.Split(page, "```") {
		if block, is := strings.CutPrefix(part, language+"\n"); i%2 == 1 && is {
			found = append(found, strings.TrimSuffix(block, "\n"))
		}
	}
	return found
}

// asPlayed gives the clusters of the page the names that they have in the scene.
func asPlayed(text string) string {
	return strings.NewReplacer("rome", "consumer", "milan", "provider").Replace(text)
}

// plain is a command without what differs from reader to reader: contexts, the recipient, comments.
func plain(command string) string {
	command = strings.NewReplacer(
		`"$(age-keygen -y ~/.config/argocd-peering/identity.txt)"`, "age1…",
		`"$(age-keygen -y ~/identity.txt)"`, "age1…",
	).Replace(command)
	command = strings.ReplaceAll(command, "/.config/argocd-peering/identity.txt", "/identity.txt")
	command = strings.ReplaceAll(command, " --identity-file ~/identity.txt", "")
	command, _, _ = strings.Cut(command, " # ")
	command = strings.Join(strings.Fields(strings.ReplaceAll(command, " >/dev/null", "")), " ")
	return strings.NewReplacer(
		"liqoctl --context consumer", "liqoctl", "liqoctl --context provider", "liqoctl",
		"kubectl --context consumer ", "kubectl ", "kubectl --context provider ", "kubectl ", "kubectl --context argocd ", "kubectl ",
	).Replace(command)
}

func hasPrefix(text string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return text == ""
}

func anyMatches(seen []string, shown string) bool {
	for _, line := range seen {
		if matches(line, shown) {
			return true
		}
	}
	return false
}

// matches compares a line of the transcript with a line of the page, in which `…` stands for any text. The width of columns does
// not count, and the transcript may go on with a filter.
func matches(seen, shown string) bool {
	rest := strings.Join(strings.Fields(seen), " ")
	shown = strings.Join(strings.Fields(shown), " ")
	for i, part := range strings.Split(shown, "…") {
		at := strings.Index(rest, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == "" || strings.HasSuffix(shown, "…") || strings.HasPrefix(rest, " | ")
}
