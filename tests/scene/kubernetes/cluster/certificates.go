package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// pending is the administrator's kubeconfig before the cluster is ready.
const pending = "pending.kubeconfig"

// authority signs the API server's certificate and those of its clients.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	return key, encode("EC PRIVATE KEY", der), err
}

func loadAuthority(data string) (*authority, error) {
	pair := make([][]byte, 2)
	for i, name := range []string{"ca.crt", "ca.key"} {
		text, err := os.ReadFile(filepath.Join(data, name))
		if err != nil {
			return nil, err
		}
		block, _ := pem.Decode(text)
		if block == nil {
			return nil, errors.New(name + " is not PEM")
		}
		pair[i] = block.Bytes
	}
	certificate, err := x509.ParseCertificate(pair[0])
	if err != nil {
		return nil, err
	}
	key, err := x509.ParseECPrivateKey(pair[1])
	return &authority{certificate, key}, err
}

// sign makes a key and its certificate, both as PEM. Without a certificate of its own the authority signs itself.
func (a *authority) sign(template *x509.Certificate) (certificate, key []byte, err error) {
	private, key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64)); err != nil {
		return nil, nil, err
	}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Minute), time.Now().AddDate(0, 0, 7)
	if a.certificate == nil {
		a.certificate, a.key = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, private.Public(), a.key)
	return encode("CERTIFICATE", der), key, err
}

// writeFiles writes what the parts read, and returns the administrator's kubeconfig.
func (c *cluster) writeFiles() ([]byte, error) {
	files := map[string][]byte{"admission.yaml": []byte(podSecurity)}
	var err error
	files["ca.crt"], files["ca.key"], err = new(authority).sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: c.name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"ca.crt", "ca.key"} {
		if err := os.WriteFile(filepath.Join(c.data, name), files[name], 0o600); err != nil {
			return nil, err
		}
	}
	authority, err := loadAuthority(c.data)
	if err != nil {
		return nil, err
	}
	if files["server.crt"], files["server.key"], err = authority.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{c.name, "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.ParseIP(c.address), net.ParseIP(serviceAddress)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}); err != nil {
		return nil, err
	}
	if _, files["accounts.key"], err = newKey(); err != nil {
		return nil, err
	}
	if files[pending], err = c.kubeconfig(authority, "admin", "system:masters"); err != nil {
		return nil, err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(c.data, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return files[pending], nil
}

// kubeconfig is one with everything in it, for a new client certificate.
func (c *cluster) kubeconfig(authority *authority, user, group string) ([]byte, error) {
	subject := pkix.Name{CommonName: user}
	if group != "" {
		subject.Organization = []string{group}
	}
	certificate, key, err := authority.sign(&x509.Certificate{Subject: subject, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	if err != nil {
		return nil, err
	}
	config := api.NewConfig()
	config.Clusters[c.name] = &api.Cluster{Server: c.server(), CertificateAuthorityData: encode("CERTIFICATE", authority.certificate.Raw)}
	config.AuthInfos[user] = &api.AuthInfo{ClientCertificateData: certificate, ClientKeyData: key}
	config.Contexts[c.name] = &api.Context{Cluster: c.name, AuthInfo: user}
	config.CurrentContext = c.name
	return clientcmd.Write(*config)
}
