// Command cluster runs the control plane of one Kubernetes cluster, without containers, until it is told to stop:
//
//	cluster run  --name NAME --address ADDRESS --data DIR    etcd, API server, controller-manager, scheduler
//	cluster sign --name NAME --address ADDRESS --data DIR --user USER [--group GROUP]
//	                                                         prints a kubeconfig with a client certificate
//
// ADDRESS is one of this network namespace and not of the loopback interface; the API server listens at its port 6443.
// When the cluster is ready, DIR has admin.kubeconfig. What the parts log is in DIR/*.log.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// parts are run as processes of this program, because they share variables that each of them sets for itself.
var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
}

func main() {
	if len(os.Args) > 1 {
		if part := parts[os.Args[1]]; part != nil {
			os.Args = os.Args[1:]
			os.Exit(cli.Run(part()))
		}
	}
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// cluster is what a cluster is called, where its API server is, and where its files are.
type cluster struct {
	name, address, data string
}

func (c *cluster) server() string { return fmt.Sprintf("https://%s:%d", c.address, port) }

func command(args []string) error {
	usage := errors.New("usage: cluster run|sign --name NAME --address ADDRESS --data DIR [--user USER [--group GROUP]]")
	if len(args) == 0 {
		return usage
	}
	flags, c := flag.NewFlagSet(args[0], flag.ContinueOnError), &cluster{}
	flags.StringVar(&c.name, "name", "", "what the cluster is called in a kubeconfig")
	flags.StringVar(&c.address, "address", "", "where the API server listens")
	flags.StringVar(&c.data, "data", "", "folder of all files")
	user := flags.String("user", "", "name in the client certificate")
	group := flags.String("group", "", "group in the client certificate")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if c.name == "" || c.address == "" || c.data == "" || flags.NArg() != 0 || (args[0] == "sign") != (*user != "") {
		return usage
	}
	switch args[0] {
	case "run":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
		defer stop()
		return c.run(ctx)
	case "sign":
		authority, err := loadAuthority(c.data)
		if err != nil {
			return err
		}
		kubeconfig, err := c.kubeconfig(authority, *user, *group)
		if err == nil {
			_, err = os.Stdout.Write(kubeconfig)
		}
		return err
	}
	return usage
}
