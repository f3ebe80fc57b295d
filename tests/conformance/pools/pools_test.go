// Package pools asks Liqo's own IPAM, of each release, which networks it takes, and compares that with what `validate` reports.
package pools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"argocd-peering.example/conformance/internal/kit"
	"github.com/Masterminds/sprig/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// ipamValues are those of the chart's values that networks come from.
type ipamValues struct {
	Pools           []string `json:"pools,omitempty"`
	PodCIDR         string   `json:"podCIDR,omitempty"`
	ServiceCIDR     string   `json:"serviceCIDR,omitempty"`
	ExternalCIDR    string   `json:"externalCIDR,omitempty"`
	InternalCIDR    string   `json:"internalCIDR,omitempty"`
	ReservedSubnets []string `json:"reservedSubnets,omitempty"`
}

// clusters are values of the consumer's Liqo, by what is special in them.
var clusters = map[string]ipamValues{
	"as usual":                   {},
	"pods of EKS":                {PodCIDR: "100.64.0.0/16"},
	"Services of GKE":            {ServiceCIDR: "34.118.224.0/20"},
	"everything is outside":      {PodCIDR: "100.64.0.0/16", ServiceCIDR: "34.118.224.0/20"},
	"a narrow pool":              {Pools: []string{"10.64.0.0/12"}},
	"pods of GKE":                {PodCIDR: "240.0.0.0/16"},
	"an own external CIDR":       {ExternalCIDR: "100.100.0.0/16"},
	"an own internal CIDR":       {InternalCIDR: "10.90.0.0/16"},
	"half of a pool is reserved": {ReservedSubnets: []string{"10.128.0.0/9"}},
	"all pools are reserved":     {ReservedSubnets: []string{"10.128.0.0/9", "192.168.0.0/16", "172.16.0.0/12"}},
	"pools of the shared space":  {Pools: []string{"10.0.0.0/8", "100.64.0.0/10"}, PodCIDR: "100.64.0.0/16"},
	"one small pool":             {Pools: []string{"10.0.0.0/9"}},
	"a pool of everything":       {Pools: []string{"10.0.0.0/8", "240.0.0.0/4"}, PodCIDR: "240.0.0.0/16"},
}

// peers are the pods' networks of the other cluster.
var peers = []string{
	"10.42.0.0/16", "10.43.0.0/16", "10.70.0.0/16", "10.80.0.0/16", "10.200.0.0/16", "10.96.0.0/12", "10.128.0.0/9", "10.0.0.0/8", "192.168.0.0/16",
	"192.168.0.0/24", "172.16.0.0/12", "172.20.0.0/16", "100.64.0.0/10", "100.64.0.0/16", "240.0.0.0/8", "240.0.0.0/4", "34.118.224.0/20",
}

// externals are the external CIDRs that a cluster can have: the chart's default, and what one with these pods has in its place.
var externals = []string{"10.70.0.0/16", "172.31.0.0/16"}

func externalBeside(peer string) string {
	if netip.MustParsePrefix(externals[0]).Overlaps(netip.MustParsePrefix(peer)) {
		return externals[1]
	}
	return externals[0]
}

// with is the values of a cluster on top of another's.
func (v ipamValues) with(set ipamValues) ipamValues {
	text, err := json.Marshal(set)
	if err == nil {
		v.Pools, v.ReservedSubnets = slices.Clone(v.Pools), slices.Clone(v.ReservedSubnets)
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic(err)
	}
	return v
}

func TestPools(t *testing.T) {
	if testing.Short() {
		t.Skip("Liqo's IPAM is compiled with another client of Kubernetes for each release")
	}
	for _, tag := range kit.LiqoTags(t) {
		t.Run(tag, func(t *testing.T) {
			liqo := bring(t, tag)
			answers := map[string]int{}
			for name, set := range clusters {
				for _, peer := range peers {
					for _, fault := range liqo.compare(t, set, peer, answers) {
						t.Errorf("%s, and the peer has %s: %s", name, peer, fault)
					}
				}
			}
			if answers["refused"] == 0 || answers["remapped"] == 0 || answers["kept"] == 0 {
				t.Errorf("the table has no such answers: %v", answers)
			}
			t.Log(answers)
		})
	}
}

// release is a Liqo's IPAM, its chart and the chart's own values.
type release struct {
	ipam, document string
	chart          *template.Template
	usual          ipamValues
	repository     string
}

func bring(t *testing.T, tag string) release {
	t.Helper()
	folder := filepath.Join(kit.Root(t), "tests", "conformance", "liqo")
	run := func(args ...string) string {
		command := exec.Command("go", args...)
		command.Dir = folder
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %v", command.Args, err)
		}
		return strings.TrimSpace(string(output))
	}
	liqo := release{ipam: filepath.Join(kit.ShortDir(t), "ipam"), document: "peering.yaml", repository: kit.ShortDir(t)}
	run("build", "-modfile="+tag+".mod", "-o", liqo.ipam, "./ipam")
	chart := filepath.Join(run("list", "-modfile="+tag+".mod", "-f", "{{.Module.Dir}}", "github.com/liqotech/liqo/pkg/ipam"), "deployments", "liqo")
	var values struct{ Ipam ipamValues }
	text, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	kit.Must(t, err)
	kit.Must(t, yaml.Unmarshal(text, &values))
	// what a cluster has to set
	liqo.usual = values.Ipam.with(ipamValues{PodCIDR: "10.42.0.0/16", ServiceCIDR: "10.96.0.0/12"})
	text, err = os.ReadFile(filepath.Join(chart, "templates", "liqo-ipam-networks.yaml"))
	kit.Must(t, err)
	functions := sprig.TxtFuncMap()
	functions["include"] = func(string, any) string { return "" }
	liqo.chart, err = template.New("").Funcs(functions).Parse(string(text))
	kit.Must(t, err)

	example := kit.Quickstart(t)
	example.CopyTo(t, liqo.repository)
	minor := strings.TrimPrefix(tag[:strings.LastIndex(tag, ".")], "v")
	kit.Edit(t, filepath.Join(liqo.repository, liqo.document), `liqoVersion: "1.0"`, fmt.Sprintf("liqoVersion: %q", minor))
	return liqo
}

// answer is what the IPAM gives for a network.
type answer struct{ network, gives string }

func (a answer) isRefused() bool { return strings.HasPrefix(a.gives, "refused: ") }

// ask has the IPAM give the cluster's own networks, those first that have to be as they are, and then those of the peer
// (liqo pkg/liqo-controller-manager/networking/external-network/configuration, network.go: without a label of remapping or sharing).
func (r release) ask(t *testing.T, values ipamValues, peer string) (own, others []answer) {
	t.Helper()
	var in map[string]any
	text, err := json.Marshal(map[string]any{"Values": map[string]any{"ipam": values}})
	kit.Must(t, err)
	kit.Must(t, json.Unmarshal(text, &in))
	var rendered bytes.Buffer
	kit.Must(t, r.chart.Execute(&rendered, in))
	var fixed, free []*unstructured.Unstructured
	for _, network := range kit.Objects(t, []string{rendered.String()}) {
		if network.GetLabels()["ipam.liqo.io/network-not-remapped"] == "true" {
			fixed = append(fixed, network)
		} else {
			free = append(free, network)
		}
	}
	owns := append(fixed, free...)
	asked := slices.Clone(owns)
	for _, cidr := range []string{peer, externalBeside(peer)} {
		asked = append(asked, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "ipam.liqo.io/v1alpha1", "kind": "Network", "spec": map[string]any{"cidr": cidr},
		}})
	}
	var input, stderr bytes.Buffer
	for _, network := range asked {
		text, err := network.MarshalJSON()
		kit.Must(t, err)
		input.Write(text)
	}
	command := exec.Command(r.ipam, values.Pools...)
	command.Stdin, command.Stderr = &input, &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		cidr, _, err := unstructured.NestedString(asked[i].Object, "spec", "cidr")
		kit.Must(t, err)
		if answer := (answer{cidr, line}); i < len(owns) {
			own = append(own, answer)
		} else {
			others = append(others, answer)
		}
	}
	return own, others
}

// compare is where `validate --liqo-values` differs from the IPAM.
func (r release) compare(t *testing.T, set ipamValues, peer string, answers map[string]int) (faults []string) {
	t.Helper()
	values := r.usual.with(set)
	own, others := r.ask(t, values, peer)

	// a person's file has what differs from the chart
	person, err := yaml.Marshal(map[string]any{"ipam": ipamValues{PodCIDR: values.PodCIDR, ServiceCIDR: values.ServiceCIDR}.with(set)})
	kit.Must(t, err)
	file := filepath.Join(r.repository, "values.yaml")
	kit.WriteFile(t, string(person), file)
	external := externals[0]
	if values.ExternalCIDR != "" {
		external = values.ExternalCIDR
	}
	document := filepath.Join(r.repository, r.document)
	before, err := os.ReadFile(document)
	kit.Must(t, err)
	defer func() { kit.Must(t, os.WriteFile(document, before, 0o644)) }()
	kit.Edit(t, document, "podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16", fmt.Sprintf("podCIDRs: [%s]\n    externalCIDR: %s", values.PodCIDR, external))
	kit.Edit(t, document, "podCIDRs: [10.42.0.0/16] #", fmt.Sprintf("podCIDRs: [%s] #", peer))
	kit.Edit(t, document, "remaps it\n    externalCIDR: 10.70.0.0/16", "remaps it\n    externalCIDR: "+externalBeside(peer))

	var report struct {
		Findings []struct{ Code, Level, Message, Path string }
	}
	output, notes, _ := kit.Validate(t, r.repository, &report, r.document, "--liqo-values", "consumer="+file)
	// reported tells whether an error of the values about a field has a text
	reported := func(path, text string) bool {
		for _, it := range report.Findings {
			if it.Level == "error" && it.Code != "liqo-values" {
				t.Fatalf("the document is wrong: %+v", it)
			}
			if it.Code == "liqo-values" && strings.HasPrefix(it.Path, path) && strings.Contains(it.Message, text) {
				return true
			}
		}
		return false
	}
	say := func(it answer, what string) {
		faults = append(faults, fmt.Sprintf("Liqo's IPAM says of %s: %s; validate %s: %s%s", it.network, it.gives, what, output, notes))
	}
	for _, it := range own {
		isReported := reported("spec.consumer", " "+it.network+",")
		if it.isRefused() != isReported {
			say(it, fmt.Sprintf("reports it: %t", isReported))
		}
	}
	for i, it := range others {
		path := []string{"spec.provider.podCIDRs", "spec.provider.externalCIDR"}[i]
		isRefused, isRemapped := reported(path, it.network), strings.Contains(notes, it.network+" of provider")
		switch {
		case it.isRefused():
			answers["refused"]++
		case it.gives != it.network:
			answers["remapped"]++
		default:
			answers["kept"]++
		}
		// that another cluster has the same pods or external CIDR is usual, and no note
		if it.isRefused() != isRefused || isRemapped && (it.isRefused() || it.gives == it.network) {
			say(it, fmt.Sprintf("reports it: %t, notes it: %t", isRefused, isRemapped))
		}
	}
	return faults
}
