package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// furnish makes the root of a Pod: the node's programs and devices, the Pod's volumes, and nothing of the node's files.
func (n *node) furnish(ctx context.Context, object *corev1.Pod, p *pod) error {
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", p.root, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("%s: %w", p.root, err)
	}
	for _, dir := range []string{"etc", "run", "var"} {
		if err := os.Mkdir(filepath.Join(p.root, dir), 0o755); err != nil {
			return err
		}
	}
	for link, target := range map[string]string{
		"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64", "var/run": "../run",
	} {
		if err := os.Symlink(target, filepath.Join(p.root, link)); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(p.root, "tmp"), 0o777); err != nil {
		return err
	}
	for target, source := range map[string]string{"usr": "/usr", "dev": "/dev", "proc": "/proc", "programs": n.programs} {
		if err := bind(source, filepath.Join(p.root, target)); err != nil {
			return err
		}
	}
	// There is no DNS: the names of Services are in this file, which is written in place whenever one changes.
	hosts := filepath.Join(p.root, "etc/hosts")
	if err := os.WriteFile(hosts, nil, 0o644); err != nil {
		return err
	}
	if err := syscall.Mount(filepath.Join(n.data, "hosts"), hosts, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	for _, volume := range object.Spec.Volumes {
		files, err := n.volume(ctx, object, p, volume)
		if err != nil {
			return fmt.Errorf("volume %s: %w", volume.Name, err)
		}
		dir := filepath.Join(p.root, "volumes", volume.Name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				return err
			}
		}
	}
	for _, spec := range object.Spec.Containers {
		for _, mount := range spec.VolumeMounts {
			if err := bind(filepath.Join(p.root, "volumes", mount.Name), filepath.Join(p.root, mount.MountPath)); err != nil {
				return err
			}
		}
	}
	return nil
}

func bind(source, target string) error {
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount(source, target, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	return nil
}

// volume is the files of a volume. They are not changed afterwards: who changes a Secret here starts the Pod again.
func (n *node) volume(ctx context.Context, object *corev1.Pod, p *pod, volume corev1.Volume) (map[string][]byte, error) {
	switch {
	case volume.EmptyDir != nil:
		return nil, nil
	case volume.Secret != nil:
		return n.secret(ctx, object.Namespace, volume.Secret.SecretName)
	case volume.ConfigMap != nil:
		return n.configMap(ctx, object.Namespace, volume.ConfigMap.Name)
	case volume.Projected != nil:
		files := map[string][]byte{}
		for _, source := range volume.Projected.Sources {
			some, err := n.projected(ctx, object, p, source)
			if err != nil {
				return nil, err
			}
			maps.Copy(files, some)
		}
		return files, nil
	}
	return nil, fmt.Errorf("no volume of this kind is known here: %s", volume.String())
}

func (n *node) projected(ctx context.Context, object *corev1.Pod, p *pod, source corev1.VolumeProjection) (map[string][]byte, error) {
	switch {
	case source.ServiceAccountToken != nil:
		// For an hour, which the API server makes a year (--service-account-extend-token-expiration).
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			ExpirationSeconds: source.ServiceAccountToken.ExpirationSeconds,
			BoundObjectRef:    &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: object.Name, UID: object.UID},
		}}
		token, err := n.client.CoreV1().ServiceAccounts(object.Namespace).CreateToken(ctx, object.Spec.ServiceAccountName, request, metav1.CreateOptions{})
		if err != nil {
			return nil, err
		}
		return map[string][]byte{source.ServiceAccountToken.Path: []byte(token.Status.Token)}, nil
	case source.ConfigMap != nil:
		return n.configMap(ctx, object.Namespace, source.ConfigMap.Name)
	case source.Secret != nil:
		return n.secret(ctx, object.Namespace, source.Secret.Name)
	case source.DownwardAPI != nil:
		files := map[string][]byte{}
		for _, item := range source.DownwardAPI.Items {
			value, err := n.field(object, p, item.FieldRef.FieldPath)
			if err != nil {
				return nil, err
			}
			files[item.Path] = []byte(value)
		}
		return files, nil
	}
	return nil, fmt.Errorf("no source of this kind is known here: %s", source.String())
}

func (n *node) secret(ctx context.Context, namespace, name string) (map[string][]byte, error) {
	secret, err := n.client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return secret.Data, nil
}

func (n *node) configMap(ctx context.Context, namespace, name string) (map[string][]byte, error) {
	configMap, err := n.client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	files := maps.Clone(configMap.BinaryData)
	if files == nil {
		files = map[string][]byte{}
	}
	for name, text := range configMap.Data {
		files[name] = []byte(text)
	}
	return files, nil
}

// environment is a container's, and the function that replaces $(NAME) by a value from it.
func (n *node) environment(ctx context.Context, object *corev1.Pod, p *pod, spec corev1.Container) ([]string, func(string) string, error) {
	values := map[string]string{
		"PATH":                    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"KUBERNETES_SERVICE_HOST": "10.96.0.1",
		"KUBERNETES_SERVICE_PORT": "443",
	}
	expand := expansion.MappingFuncFor(values)
	for _, variable := range spec.Env {
		value, err := expansion.Expand(variable.Value, expand), error(nil)
		if from := variable.ValueFrom; from != nil {
			var data map[string][]byte
			key := ""
			switch {
			case from.FieldRef != nil:
				value, err = n.field(object, p, from.FieldRef.FieldPath)
			case from.ConfigMapKeyRef != nil:
				key = from.ConfigMapKeyRef.Key
				data, err = n.configMap(ctx, object.Namespace, from.ConfigMapKeyRef.Name)
			case from.SecretKeyRef != nil:
				key = from.SecretKeyRef.Key
				data, err = n.secret(ctx, object.Namespace, from.SecretKeyRef.Name)
			}
			if key != "" {
				value = string(data[key])
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("variable %s: %w", variable.Name, err)
		}
		values[variable.Name] = value
	}
	var environ []string
	for name, value := range values {
		environ = append(environ, name+"="+value)
	}
	return environ, expand, nil
}

// field is what the downward API gives. The addresses are not in the object's status yet.
func (n *node) field(object *corev1.Pod, p *pod, path string) (string, error) {
	switch path {
	case "status.podIP", "status.podIPs":
		return p.address.String(), nil
	case "status.hostIP", "status.hostIPs":
		return n.address, nil
	case "spec.nodeName":
		return object.Spec.NodeName, nil
	case "spec.serviceAccountName":
		return object.Spec.ServiceAccountName, nil
	}
	if !strings.HasPrefix(path, "metadata.") {
		return "", fmt.Errorf("no field %s is known here", path)
	}
	return fieldpath.ExtractFieldPathAsString(object, path)
}
