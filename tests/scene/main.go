// Command scene plays the whole of a peering: a commit, two Applications, two clusters. tests/scene/run starts it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"argocd-peering.example/scene/stage"
	"argocd-peering.example/scene/steps"
)

func main() {
	var options stage.Options
	flag.StringVar(&options.Root, "root", "", "this repository")
	flag.StringVar(&options.Programs, "programs", "", "folder with what tests/scene/run builds")
	flag.StringVar(&options.CRDs, "crds", "", "folder with Liqo's CRDs, where Liqo does not run")
	flag.StringVar(&options.Logs, "logs", "", "folder for what the processes print")
	liqo := flag.String("liqo", "", "run this release of Liqo as well, or with a comma the consumer's and the provider's")
	transcript := flag.String("transcript", "", "the file to write")
	set := flag.String("versions", "", "Argo CD's, Kubernetes' and Liqo's, as tests/scene/versions has them")
	quoted := flag.String("quoted", "", "a page whose commands and outputs this run must have")
	played := flag.String("played", "", "the page with the tables of what was played, if it is to get this one")
	skip := flag.String("skip", "", "the numbers of steps to leave out, with commas; then the transcript is not a whole one")
	many := flag.Int("many", 0, "play steps.Many with so many peerings, in place of the scene")
	adopt := flag.Bool("adopt", false, "play steps.Adopt in place of the scene")
	pair := flag.String("pair", "", "play steps.Pair in place of the scene, with this liqoVersion")
	fleet := flag.Bool("fleet", false, "play steps.Fleet in place of the scene")
	hold := flag.String("hold", "", "play a list of steps.Hold in place of the scene: installed, connected, fleet")
	until := flag.Int("until", 0, "the number of the last step; 0 for all")
	flag.Parse()
	if *liqo != "" {
		options.Liqo = strings.Split(*liqo, ",")
	}
	list := steps.All
	if *many > 0 {
		list = steps.Many(*many)
	}
	if *adopt {
		list = steps.Adopt
	}
	if *pair != "" {
		list = steps.Pair(*pair)
	}
	if *fleet {
		options.Third = true
		list = steps.Fleet
	}
	if *hold != "" {
		options.Third = *hold == "fleet"
		if list = steps.Hold[*hold]; list == nil {
			fmt.Fprintln(os.Stderr, "scene: -hold is installed, connected or fleet")
			os.Exit(2)
		}
	}
	if *until > 0 && *until < len(list) {
		list = list[:*until]
	}
	count, err := play(options, list, *transcript, strings.Split(*skip, ","))
	if err == nil && *quoted != "" {
		var text []byte
		if text, err = os.ReadFile(*transcript); err == nil {
			err = checkQuotes(*quoted, string(text))
		}
	}
	if err == nil && *played != "" {
		if *pair != "" {
			err = pairs.record(*played, options.Liqo, "ran")
		} else {
			err = sets.record(*played, strings.Fields(*set), fmt.Sprintf("all %d", count))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scene:", err)
		os.Exit(1)
	}
}

// took is a line of the table of times.
type took struct {
	what string
	time time.Duration
}

// play plays the steps, writes the transcript, and gives how many steps there were.
func play(options stage.Options, list []steps.Step, transcript string, skip []string) (int, error) {
	start := time.Now()
	s, err := stage.New(options)
	if err != nil {
		return 0, err
	}
	defer s.End()
	var times []took
	for _, part := range []struct {
		what  string
		begin func() error
	}{
		{"clusters", s.StartClusters},
		{"Liqo on each", s.InstallLiqo},
		{"Git server", s.StartGit},
		{"Argo CD", s.InstallArgoCD},
	} {
		begun := time.Now()
		if err := part.begin(); err != nil {
			return 0, fmt.Errorf("%s: %w", part.what, err)
		}
		times = append(times, took{part.what, time.Since(begun)})
		fmt.Printf("    %s: %s\n", part.what, time.Since(begun).Round(time.Second))
	}
	versions, err := s.Versions()
	if err != nil {
		return 0, err
	}
	failed, number, left := "", 0, []string{}
	for i, step := range list {
		if step.Liqo && options.Liqo == nil || slices.Contains(skip, fmt.Sprint(i+1)) {
			left = append(left, step.Name)
			continue
		}
		number++
		var duration time.Duration
		duration, failed = s.Play(number, step.Name, step.Asserts, func() { step.Run(s) })
		times = append(times, took{fmt.Sprintf("%d. %s", number, step.Name), duration})
		if failed != "" {
			failed = fmt.Sprintf("step %d, %s: %s", number, step.Name, failed)
			break
		}
	}
	times = append(times, took{"all of it", time.Since(start)})
	text := page(versions, times, left, s.String(), options.Liqo != nil)
	if failed != "" {
		transcript = filepath.Join(options.Logs, "transcript.md")
	}
	if err := os.WriteFile(transcript, []byte(text), 0o644); err != nil {
		return 0, err
	}
	if failed != "" {
		return 0, fmt.Errorf("%s\nthe transcript and the logs are in %s", failed, options.Logs)
	}
	fmt.Println(table(times))
	return number, nil
}

func table(times []took) string {
	text := "| part | seconds |\n| --- | ---: |\n"
	for _, line := range times {
		text += fmt.Sprintf("| %s | %.1f |\n", line.what, line.time.Seconds())
	}
	return text
}

func page(versions string, times []took, left []string, transcript string, liqo bool) string {
	text := "# A scene\n\nMade by `tests/scene/run`; do not edit. What runs is described in " +
		"tests/scene/README.md.\n\n" + versions + "\n"
	if !liqo {
		text += "Liqo did not run: the clusters have its CRDs only.\n\n"
	}
	if len(left) > 0 {
		text += "These steps were left out: " + strings.Join(left, "; ") + ".\n\n"
	}
	return text + table(times) + transcript
}
