package stage

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/cgi"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

const (
	gitHost = "git.example.org"
	// guideHost is where the repository of Liqo's guide is, in which its Applications name it.
	guideHost = "github.com"
	// GuideURL is its address.
	GuideURL = "https://" + guideHost + "/rmedina97/peering-guide.git"
	// repositories is the Git server's folder.
	repositories = dir + "/git"
	// RegistryHost is a registry's name, which the same server has.
	RegistryHost = "registry.example.org"
	// CertificateFile has the certificate of this server, which signs itself.
	CertificateFile = dir + "/git.crt"
)

// StartGit serves a repository over HTTPS, as a code host does: with and without `.git` at the end of its name. A registry has the
// same server.
func (s *Stage) StartGit() error {
	peerings := filepath.Join(repositories, "net", "peerings.git")
	if err := run("git", "init", "--quiet", "--bare", "--initial-branch=main", peerings); err != nil {
		return err
	}
	if err := takesPushes(peerings); err != nil {
		return err
	}
	pair, err := certificate()
	if err != nil {
		return err
	}
	backend := &cgi.Handler{
		Path: "/usr/lib/git-core/git-http-backend",
		Env:  []string{"GIT_PROJECT_ROOT=" + repositories, "GIT_HTTP_EXPORT_ALL=", "GIT_CONFIG_NOSYSTEM=true"},
	}
	images := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := &http.Server{
		Addr:      managementAddress + ":443",
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == RegistryHost {
				images.ServeHTTP(w, r)
				return
			}
			if rest, found := strings.CutPrefix(r.URL.Path, "/net/peerings/"); found {
				r.URL.Path = "/net/peerings.git/" + rest
			}
			backend.ServeHTTP(w, r)
		}),
	}
	go func() { _ = server.ListenAndServeTLS("", "") }()
	config := "[user]\n\tname = Ada\n\temail = ada@example.org\n[http]\n\tsslCAInfo = " + CertificateFile + "\n[init]\n\tdefaultBranch = main\n"
	return os.WriteFile(filepath.Join(Home, ".gitconfig"), []byte(config), 0o644)
}

// Guide serves what tests/scene/build has cloned of the guide's repository, to which a person can push.
func (s *Stage) Guide() {
	guide := filepath.Join(repositories, "rmedina97", "peering-guide.git")
	s.must(run("git", "clone", "--quiet", "--bare", filepath.Join(s.programs, "guide.git"), guide))
	s.must(takesPushes(guide))
}

func takesPushes(repository string) error {
	return run("git", "-C", repository, "config", "http.receivepack", "true")
}

func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{gitHost, guideHost, RegistryHost}, NotBefore: time.Now().Add(-time.Minute),
		NotAfter: time.Now().AddDate(0, 0, 1), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	err = os.WriteFile(CertificateFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
