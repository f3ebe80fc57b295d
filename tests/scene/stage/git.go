package stage

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/cgi"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	gitHost = "git.example.org"
	// gitCertificate is the Git server's, which signs itself.
	gitCertificate = dir + "/git.crt"
)

// StartGit serves one repository over HTTPS, as a code host does: with and without `.git` at the end of its name.
func (s *Stage) StartGit() error {
	repositories := filepath.Join(dir, "git")
	if err := run("git", "init", "--quiet", "--bare", "--initial-branch=main", filepath.Join(repositories, "net", "peerings.git")); err != nil {
		return err
	}
	if err := run("git", "-C", filepath.Join(repositories, "net", "peerings.git"), "config", "http.receivepack", "true"); err != nil {
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
	server := &http.Server{
		Addr:      managementAddress + ":443",
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if rest, found := strings.CutPrefix(r.URL.Path, "/net/peerings/"); found {
				r.URL.Path = "/net/peerings.git/" + rest
			}
			backend.ServeHTTP(w, r)
		}),
	}
	go func() { _ = server.ListenAndServeTLS("", "") }()
	config := "[user]\n\tname = Ada\n\temail = ada@example.org\n[http]\n\tsslCAInfo = " + gitCertificate + "\n[init]\n\tdefaultBranch = main\n"
	return os.WriteFile(filepath.Join(Home, ".gitconfig"), []byte(config), 0o644)
}

func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{gitHost}, NotBefore: time.Now().Add(-time.Minute),
		NotAfter: time.Now().AddDate(0, 0, 1), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	err = os.WriteFile(gitCertificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
