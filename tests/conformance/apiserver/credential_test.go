package apiserver

import (
	"context"
	"crypto"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"argocd-peering.example/conformance/internal/kit"
	"gopkg.in/go-jose/go-jose.v2/jwt"
	authentication "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiserverserviceaccount "k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/certificates/signer"
	serviceaccountcontroller "k8s.io/kubernetes/pkg/controller/serviceaccount"
)

// authority is a key and its certificate, as files.
func authority(t *testing.T) (keyFile, certificateFile string) {
	t.Helper()
	folder := kit.ShortDir(t)
	keyFile, certificateFile = filepath.Join(folder, "key"), filepath.Join(folder, "certificate")
	pem, err := keyutil.MakeEllipticPrivateKeyPEM()
	kit.Must(t, err)
	kit.Must(t, os.WriteFile(keyFile, pem, 0o600))
	key, err := keyutil.ParsePrivateKeyPEM(pem)
	kit.Must(t, err)
	certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "clients"}, key.(crypto.Signer))
	kit.Must(t, err)
	text, err := cert.EncodeCertificates(certificate)
	kit.Must(t, err)
	kit.Must(t, os.WriteFile(certificateFile, text, 0o600))
	return keyFile, certificateFile
}

// tokenRequests has the API server sign tokens, which keeps its key to itself here.
type tokenRequests struct {
	client kubernetes.Interface
}

func (r tokenRequests) GenerateToken(ctx context.Context, claims *jwt.Claims, _ interface{}) (string, error) {
	namespace, name, err := apiserverserviceaccount.SplitUsername(claims.Subject)
	if err != nil {
		return "", err
	}
	// a Secret's token does not end; one that lives an hour would not be sealed
	seconds := int64(365 * 24 * 60 * 60)
	request := &authentication.TokenRequest{Spec: authentication.TokenRequestSpec{ExpirationSeconds: &seconds}}
	answer, err := r.client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return answer.Status.Token, nil
}

// issuingCluster is an API server with kube-controller-manager's own controllers for certificates and tokens.
func issuingCluster(t *testing.T, name string) *cluster {
	t.Helper()
	keyFile, certificateFile := authority(t)
	cluster := newCluster(t, etcd(t), name, "--authorization-mode=RBAC", "--client-ca-file="+certificateFile)
	client, err := kubernetes.NewForConfig(cluster.config)
	kit.Must(t, err)
	ctx, stop := context.WithCancel(klog.NewContext(context.Background(), klog.Background()))
	t.Cleanup(stop)
	shared := informers.NewSharedInformerFactory(client, 0)
	requests := shared.Certificates().V1().CertificateSigningRequests()
	certificates, err := signer.NewKubeAPIServerClientCSRSigningController(ctx, client, requests, certificateFile, keyFile, 365*24*60*60*1e9)
	kit.Must(t, err)
	tokens, err := serviceaccountcontroller.NewTokensController(klog.Background(), shared.Core().V1().ServiceAccounts(), shared.Core().V1().Secrets(), client,
		serviceaccountcontroller.TokensControllerOptions{TokenGenerator: tokenRequests{client}, RootCA: cluster.config.TLSClientConfig.CAData})
	kit.Must(t, err)
	shared.Start(ctx.Done())
	go certificates.Run(ctx, 1)
	go tokens.Run(ctx, 1)
	return cluster
}

// A credential is made at an API server through the real kubectl, signed by kube-controller-manager's own code, tried and sealed;
// and the API server takes what the consumer's stream has of it for the user that the document names.
func TestCredential(t *testing.T) {
	tag := kit.LiqoTags(t)[len(kit.LiqoTags(t))-1]
	for _, subject := range []string{"User", "ServiceAccount"} {
		t.Run(subject, func(t *testing.T) {
			issuing := issuingCluster(t, "credential-"+strings.ToLower(subject))
			issuing.install(t, crdsOf(t, tag))
			folder := pending(t, subject)
			provider := kit.Example{Name: "consumer-provider", Dir: folder}
			namespaced := func(kinds ...string) {
				for _, object := range provider.Local(t, "provider") {
					for _, kind := range kinds {
						if object.GetKind() == kind {
							_, err := issuing.client(object).Create(t.Context(), object, metav1.CreateOptions{})
							kit.Must(t, err)
						}
					}
				}
			}
			namespaced("Namespace")
			namespaced("ServiceAccount", "RoleBinding")
			issuing.bringControlPlaneRole(t, tag)

			seal := func() (string, error) {
				return confirmed(t, person(t, map[string]*cluster{"provider": issuing}), "seal", "kubeconfig", "--from-context=provider",
					"-o", filepath.Join(folder, "kubeconfig.age"), "--recipient="+kit.Quickstart(t).Recipient(t),
					// the API server listens on this machine only, and no consumer is here
					"--server=https://192.0.2.1:6443")
			}
			notes, err := seal()
			if err != nil {
				t.Fatalf("%v\n%s", err, notes)
			}
			if !strings.Contains(notes, "tried: the credential may write Liqo's objects in liqo-tenant-consumer") {
				t.Errorf("it was not tried:\n%s", notes)
			}
			t.Log(notes)

			document := filepath.Join(folder, "peering.yaml")
			user := map[string]string{"User": "consumer-liqo", "ServiceAccount": "system:serviceaccount:liqo-tenant-consumer:consumer-liqo"}[subject]
			if got := issuing.taken(t, provider); got != user {
				t.Errorf("the API server takes the credential for %q, not for %q", got, user)
			}
			// a second person's certificate, with rights of its own, is not sealed
			if subject == "User" {
				issuing.bring(t, `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: too-much }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: consumer-liqo }]
`, "provider", tag)
				kit.Edit(t, document, "credential: { kubeconfig: { file: kubeconfig.age } }", "credential: pending")
				kit.Must(t, os.Remove(filepath.Join(folder, "kubeconfig.age")))
				if notes, err := seal(); err == nil || !strings.Contains(notes, "may do more at the provider than Liqo needs") {
					t.Errorf("an administrator's credential was sealed: %v\n%s", err, notes)
				}
			}
		})
	}
}

// pending is a copy of the quickstart without a credential, for this kind of subject.
func pending(t *testing.T, subject string) string {
	t.Helper()
	folder := filepath.Join(kit.ShortDir(t), "peerings", "consumer-provider")
	kit.Quickstart(t).CopyTo(t, folder)
	kit.Must(t, os.Remove(filepath.Join(folder, "kubeconfig.age")))
	document := filepath.Join(folder, "peering.yaml")
	kit.Edit(t, document, "credential: { kubeconfig: { file: kubeconfig.age } }", "credential: pending")
	kit.Edit(t, document, "{ kind: User, name: myuser }", "{ kind: "+subject+", name: consumer-liqo }")
	return folder
}

// bringControlPlaneRole creates the ClusterRole of Liqo's chart.
func (c *cluster) bringControlPlaneRole(t *testing.T, tag string) {
	t.Helper()
	chart, _, _ := strings.Cut(crdsOf(t, tag), "/charts/")
	rules, err := os.ReadFile(filepath.Join(chart, "files", "liqo-remote-controlplane-ClusterRole.yaml"))
	kit.Must(t, err)
	c.bring(t, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: liqo-remote-controlplane }\n"+string(rules), "provider", tag)
}

// taken is the user for whom the API server takes the credential of the consumer's stream.
func (c *cluster) taken(t *testing.T, example kit.Example) string {
	t.Helper()
	for _, object := range example.Local(t, "consumer") {
		encoded, found, _ := unstructured.NestedString(object.Object, "data", "kubeconfig")
		if object.GetKind() != "Secret" || !found {
			continue
		}
		text, err := base64.StdEncoding.DecodeString(encoded)
		kit.Must(t, err)
		config, err := clientcmd.RESTConfigFromKubeConfig(text)
		kit.Must(t, err)
		if config.Host != "https://192.0.2.1:6443" {
			t.Errorf("it is for %s", config.Host)
		}
		config.Host = c.config.Host
		client, err := kubernetes.NewForConfig(config)
		kit.Must(t, err)
		review, err := client.AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authentication.SelfSubjectReview{}, metav1.CreateOptions{})
		kit.Must(t, err)
		return review.Status.UserInfo.Username
	}
	t.Fatal("the consumer's stream has no credential")
	return ""
}
