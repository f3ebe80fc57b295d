package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/util/retry"
)

// register creates the Node, or says that it is still there: the node-lifecycle-controller wants to hear it.
func (n *node) register(ctx context.Context) error {
	n.beat = time.Now()
	nodes := n.client.CoreV1().Nodes()
	_, err := nodes.Create(ctx, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.name, Labels: map[string]string{
			corev1.LabelHostname: n.name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
			"node-role.kubernetes.io/control-plane": "", // Liqo wants to know where the API server is
		}},
		Spec: corev1.NodeSpec{PodCIDR: n.prefix.Masked().String(), PodCIDRs: []string{n.prefix.Masked().String()}},
	}, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		return err
	}
	// controllers write to it at the same time
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		node, err := nodes.Get(ctx, n.name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Status.Capacity = corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("16"), corev1.ResourceMemory: resource.MustParse("64Gi"),
			corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
		}
		node.Status.Allocatable = node.Status.Capacity
		node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: n.address}, {Type: corev1.NodeHostName, Address: n.name}}
		node.Status.Conditions = []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Ready", Message: "tests/scene/kubernetes/node runs",
			LastHeartbeatTime: metav1.Now(), LastTransitionTime: node.CreationTimestamp,
		}}
		_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

// report writes the status of a Pod if it changed.
func (n *node) report(ctx context.Context, object *corev1.Pod, p *pod) error {
	status := object.Status.DeepCopy()
	status.Phase, status.StartTime = corev1.PodRunning, &p.started
	status.HostIP, status.HostIPs = n.address, []corev1.HostIP{{IP: n.address}}
	status.PodIP, status.PodIPs = p.address.String(), []corev1.PodIP{{IP: p.address.String()}}
	status.InitContainerStatuses, status.ContainerStatuses = nil, nil
	for _, spec := range object.Spec.InitContainers {
		status.InitContainerStatuses = append(status.InitContainerStatuses, corev1.ContainerStatus{
			Name: spec.Name, Image: spec.Image, ImageID: spec.Image, Ready: true,
			State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: p.started, FinishedAt: p.started}},
		})
	}
	ready := corev1.ConditionTrue
	for _, spec := range object.Spec.Containers {
		container := corev1.ContainerStatus{
			Name: spec.Name, Image: spec.Image, ImageID: spec.Image, ContainerID: fmt.Sprintf("process://%s/%s", object.UID, spec.Name),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: p.started}}, Ready: true,
		}
		if c := p.containers[spec.Name]; c != nil {
			container.RestartCount, container.Ready = c.restarts, c.ready(p, spec)
			container.State.Running.StartedAt = c.since
			if c.ended.Load() {
				container.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "see " + c.log}}
			}
		}
		container.Started = &container.Ready
		if !container.Ready {
			ready = corev1.ConditionFalse
		}
		status.ContainerStatuses = append(status.ContainerStatuses, container)
	}
	status.Conditions = []corev1.PodCondition{
		condition(object, corev1.PodScheduled, corev1.ConditionTrue), condition(object, corev1.PodInitialized, corev1.ConditionTrue),
		condition(object, corev1.ContainersReady, ready), condition(object, corev1.PodReady, ready),
	}
	if equality.Semantic.DeepEqual(*status, object.Status) {
		return nil
	}
	object = object.DeepCopy()
	object.Status = *status
	_, err := n.client.CoreV1().Pods(object.Namespace).UpdateStatus(ctx, object, metav1.UpdateOptions{})
	if errors.IsConflict(err) || errors.IsNotFound(err) {
		return nil // the next event brings the newer one
	}
	return err
}

// condition keeps the time since when it has been so.
func condition(object *corev1.Pod, kind corev1.PodConditionType, value corev1.ConditionStatus) corev1.PodCondition {
	for _, old := range object.Status.Conditions {
		if old.Type == kind && old.Status == value {
			return old
		}
	}
	return corev1.PodCondition{Type: kind, Status: value, LastTransitionTime: metav1.Now().Rfc3339Copy()}
}

// ready is true once the container's probe was answered, until it is started again.
func (c *container) ready(p *pod, spec corev1.Container) bool {
	if c.ended.Load() {
		return false
	}
	if !c.probed {
		c.probed = probe(p, spec)
	}
	return c.probed
}

func probe(p *pod, spec corev1.Container) bool {
	const patience = 300 * time.Millisecond
	if spec.ReadinessProbe == nil {
		return true
	}
	address := func(port intstr.IntOrString) string {
		for _, named := range spec.Ports {
			if named.Name == port.StrVal {
				port = intstr.FromInt32(named.ContainerPort)
			}
		}
		return net.JoinHostPort(p.address.String(), port.String())
	}
	switch handler := spec.ReadinessProbe; {
	case handler.HTTPGet != nil:
		client := http.Client{Timeout: patience}
		response, err := client.Get("http://" + address(handler.HTTPGet.Port) + handler.HTTPGet.Path)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode < http.StatusBadRequest
	case handler.GRPC != nil:
		connection, err := net.DialTimeout("tcp", address(intstr.FromInt32(handler.GRPC.Port)), patience)
		if err != nil {
			return false
		}
		return connection.Close() == nil
	}
	return true
}
