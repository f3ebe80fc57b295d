// Command node plays the one node of a cluster, its kubelet and its kube-proxy, without containers:
//
//	node --name NAME --address ADDRESS --pods PREFIX --kubeconfig FILE --programs DIR --data DIR
//
// It runs in the network namespace that is the node, with ADDRESS in it, and in a mount namespace of its own. A
// container whose image has the name of a program in DIR becomes a process of that program, in the network namespace and
// below the root of its Pod. Other containers only get a status. A Service is a rule of nftables. When this program
// ends, also when it is killed, its processes end, and with them the namespaces and mounts.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	discoverylisters "k8s.io/client-go/listers/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// node does everything in one goroutine. Others only wait for something and then poke it.
type node struct {
	name, address, programs, data string
	prefix                        netip.Prefix
	client                        kubernetes.Interface

	podLister     corelisters.PodLister
	serviceLister corelisters.ServiceLister
	sliceLister   discoverylisters.EndpointSliceLister

	pods map[types.UID]*pod
	// last is the address that the newest Pod got.
	last  netip.Addr
	rules string
	beat  time.Time
	poked chan struct{}
}

func main() {
	n := &node{pods: map[types.UID]*pod{}, poked: make(chan struct{}, 1)}
	flag.StringVar(&n.name, "name", "", "the Node's name")
	flag.StringVar(&n.address, "address", "", "its address")
	prefix := flag.String("pods", "", "the addresses of its Pods")
	kubeconfig := flag.String("kubeconfig", "", "an administrator's")
	flag.StringVar(&n.programs, "programs", "", "folder of programs, named like the images, or of folders of them, named like the tags")
	flag.StringVar(&n.data, "data", "", "folder for logs")
	flag.Parse()
	var err error
	if n.prefix, err = netip.ParsePrefix(*prefix); err == nil {
		n.last = n.prefix.Addr().Next() // the first one is often a gateway
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
		defer stop()
		err = n.run(ctx, *kubeconfig)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func (n *node) run(ctx context.Context, kubeconfig string) error {
	// A child is killed when the thread that started it ends, so all are started from this one, which stays.
	runtime.LockOSThread()
	if err := n.prepare(); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	if n.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if err := n.register(ctx); err != nil {
		return err
	}

	everything := informers.NewSharedInformerFactory(n.client, 0)
	mine := informers.NewSharedInformerFactoryWithOptions(n.client, 0, informers.WithTweakListOptions(func(options *metav1.ListOptions) {
		options.FieldSelector = fields.OneTermEqualSelector("spec.nodeName", n.name).String()
	}))
	pods, services := mine.Core().V1().Pods(), everything.Core().V1().Services()
	slices := everything.Discovery().V1().EndpointSlices()
	n.podLister, n.serviceLister, n.sliceLister = pods.Lister(), services.Lister(), slices.Lister()
	for _, informer := range []cache.SharedIndexInformer{pods.Informer(), services.Informer(), slices.Informer()} {
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { n.poke() },
			UpdateFunc: func(any, any) { n.poke() },
			DeleteFunc: func(any) { n.poke() },
		}); err != nil {
			return err
		}
	}
	for _, factory := range []informers.SharedInformerFactory{everything, mine} {
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
	}

	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for ctx.Err() == nil {
		n.reconcile(ctx)
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-n.poked:
		}
	}
	for _, pod := range n.pods {
		pod.stop()
	}
	return nil
}

func (n *node) poke() {
	select {
	case n.poked <- struct{}{}:
	default:
	}
}

// reconcile brings processes, rules and statuses to what the API server says. What fails is tried again at the next
// tick.
func (n *node) reconcile(ctx context.Context) {
	wanted, err := n.podLister.List(labels.Everything())
	if err != nil {
		log.Print(err)
		return
	}
	found := map[types.UID]bool{}
	for _, object := range wanted {
		found[object.UID] = true
		if err := n.reconcilePod(ctx, object); err != nil {
			log.Printf("%s/%s: %v", object.Namespace, object.Name, err)
		}
	}
	for uid, pod := range n.pods {
		if !found[uid] {
			pod.stop()
			delete(n.pods, uid)
		}
	}
	if err := n.proxy(ctx); err != nil {
		log.Print(err)
	}
	if time.Since(n.beat) > 10*time.Second {
		if err := n.register(ctx); err != nil {
			log.Print(err)
		}
	}
}

func (n *node) reconcilePod(ctx context.Context, object *corev1.Pod) error {
	running := n.pods[object.UID]
	if object.DeletionTimestamp != nil {
		if running != nil {
			running.stop()
			delete(n.pods, object.UID)
		}
		none := int64(0)
		err := n.client.CoreV1().Pods(object.Namespace).Delete(ctx, object.Name, metav1.DeleteOptions{
			GracePeriodSeconds: &none, Preconditions: metav1.NewUIDPreconditions(string(object.UID)),
		})
		if errors.IsNotFound(err) || errors.IsConflict(err) {
			return nil // somebody else did
		}
		return err
	}
	if running == nil {
		var err error
		if running, err = n.newPod(ctx, object); err != nil {
			return err
		}
		n.pods[object.UID] = running
	}
	if err := running.keep(); err != nil {
		return err
	}
	return n.report(ctx, object, running)
}

// prepare gives this program's mount namespace a list of network namespaces of its own, which goes with it.
func (n *node) prepare() error {
	for _, dir := range []string{filepath.Join(n.data, "pods"), "/run/netns"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(n.data, "hosts"), nil, 0o644); err != nil {
		return err
	}
	return syscall.Mount("tmpfs", "/run/netns", "tmpfs", 0, "mode=755")
}

// command runs one of Linux's tools.
func command(name string, args ...string) error {
	if output, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w: %s", name, args, err, output)
	}
	return nil
}
