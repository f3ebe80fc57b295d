// Command chart renders a Helm chart as Helm does, for a cluster without images:
//
//	chart --chart DIR --release NAME --namespace NAME [--values FILE] --out DIR [NAME=VALUE ...]
//
// It writes crds.yaml, objects.yaml and webhooks.yaml, to be applied in this order: a webhook refuses objects of the chart
// itself as long as its program does not run. Left out are hooks, which are of an uninstallation, DaemonSets, for which
// there is no kernel module, and the APIService of metrics.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	dir := flag.String("chart", "", "folder of the chart")
	release := flag.String("release", "", "name of the release")
	namespace := flag.String("namespace", "", "its namespace")
	var values []string
	flag.Func("values", "file of values; repeatable, a later one overrides", func(file string) error {
		values = append(values, file)
		return nil
	})
	out := flag.String("out", "", "folder for what is rendered")
	flag.Parse()
	if err := render(*dir, *release, *namespace, values, *out, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func render(dir, release, namespace string, valuesFiles []string, out string, sets []string) error {
	chart, err := loader.Load(dir)
	if err != nil {
		return err
	}
	values := chartutil.Values{}
	for _, file := range valuesFiles {
		over, err := chartutil.ReadValuesFile(file)
		if err != nil {
			return err
		}
		values = chartutil.CoalesceTables(over, values)
	}
	for _, set := range sets {
		if err := strvals.ParseInto(set, values); err != nil {
			return err
		}
	}
	if err := chartutil.ProcessDependencies(chart, values); err != nil {
		return err
	}
	options := chartutil.ReleaseOptions{Name: release, Namespace: namespace, Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, options, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	rendered, err := engine.Render(chart, all)
	if err != nil {
		return err
	}
	files := map[string]*bytes.Buffer{"crds.yaml": {}, "objects.yaml": {}, "webhooks.yaml": {}}
	for _, definition := range chart.CRDObjects() {
		fmt.Fprintf(files["crds.yaml"], "---\n%s\n", definition.File.Data)
	}
	for _, name := range slices.Sorted(maps.Keys(rendered)) {
		if filepath.Ext(name) != ".yaml" {
			continue // NOTES.txt
		}
		for _, text := range strings.Split("\n"+rendered[name], "\n---") {
			var object metav1.PartialObjectMetadata
			if err := yaml.Unmarshal([]byte(text), &object); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			file := "objects.yaml"
			switch object.Kind {
			case "", "DaemonSet", "APIService":
				continue
			case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
				file = "webhooks.yaml"
			}
			if _, hook := object.Annotations["helm.sh/hook"]; hook {
				continue
			}
			fmt.Fprintf(files[file], "---\n%s\n", text)
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(out, name), content.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
