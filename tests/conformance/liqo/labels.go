package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/liqotech/liqo/pkg/consts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// partial is what of an object says whether Liqo finds it.
type partial struct {
	metav1.PartialObjectMetadata `json:",inline"`
	Data                         map[string][]byte `json:"data"`
}

// labels fails on an object that Liqo would not find: it looks up most of them by label and not by name, with the
// names of its package consts. Which label is looked up for which kind is written down here once more.
func labels(in io.Reader) error {
	for objects := json.NewDecoder(in); ; {
		var object partial
		if err := objects.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		for label, value := range wanted(object) {
			got, ok := object.Labels[label]
			if !ok || got == "" {
				return fmt.Errorf("%s %s: there is no label %s", object.Kind, object.Name, label)
			}
			if value != "" && got != value {
				return fmt.Errorf("%s %s: the label %s is %q, and Liqo looks for %q", object.Kind, object.Name, label, got, value)
			}
		}
		if _, ok := object.Labels[consts.IdentityTypeLabelKey]; ok && object.Annotations[consts.RemoteTenantNamespaceAnnotKey] == "" {
			return fmt.Errorf("%s %s: there is no annotation %s", object.Kind, object.Name, consts.RemoteTenantNamespaceAnnotKey)
		}
	}
}

// wanted are the labels of an object, with any value where it is empty.
func wanted(object partial) map[string]string {
	peer := map[string]string{consts.RemoteClusterID: ""}
	switch object.Kind {
	case "Namespace":
		if _, ok := object.Labels["pod-security.kubernetes.io/enforce"]; !ok {
			return nil // one for workloads
		}
		peer[consts.TenantNamespaceLabel] = "true"
	case "Secret":
		switch {
		case object.Data["privateKey"] != nil:
			peer[consts.GatewayResourceLabel] = consts.GatewayResourceLabelValue
		case object.Data["kubeconfig"] != nil:
			peer[consts.IdentityTypeLabelKey] = "ControlPlane"
		default:
			return nil
		}
	case "ResourceSlice":
		peer[consts.ReplicationRequestedLabel] = consts.ReplicationRequestedLabelValue
		peer[consts.ReplicationDestinationLabel] = ""
	case "PublicKey", "Configuration", "GatewayServer", "GatewayClient", "Tenant", "Identity", "VirtualNode", "ForeignCluster":
	default:
		return nil
	}
	return peer
}
