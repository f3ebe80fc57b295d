package kit

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

// Plugin files of this repository.
const (
	PluginFile    = "plugin.yaml"
	DiscoveryFile = "argocd-app/install/plugin-with-discovery.yaml"
)

// Server is Argo CD's cmp-server, in this process, on a socket of its own.
type Server struct {
	Client apiclient.ConfigManagementPluginServiceClient
	// WorkDir is where it puts what it is sent.
	WorkDir string
	// Received is how many bytes the repo-server has sent.
	Received *atomic.Int64
	// Socket is where it listens.
	Socket string
	// Stop ends it.
	Stop func()
}

// counted counts what its connections read.
type counted struct {
	net.Listener
	bytes *atomic.Int64
}

func (c counted) Accept() (net.Conn, error) {
	connection, err := c.Listener.Accept()
	return countedConnection{connection, c.bytes}, err
}

type countedConnection struct {
	net.Conn
	bytes *atomic.Int64
}

func (c countedConnection) Read(buffer []byte) (int, error) {
	n, err := c.Conn.Read(buffer)
	c.bytes.Add(int64(n))
	return n, err
}

// Serve starts the cmp-server with a plugin file of this repository, in which nothing but the two paths of the image
// is replaced. It sets variables of this process, so there is one at a time.
func Serve(t testing.TB, pluginFile, identity string) *Server {
	t.Helper()
	return ServeIn(t, pluginFile, identity, ShortDir(t))
}

// ServeIn is Serve with a work folder of the caller's choice.
func ServeIn(t testing.TB, pluginFile, identity, workDir string) *Server {
	t.Helper()
	sockets, configDir := ShortDir(t), ShortDir(t)
	t.Setenv(common.EnvPluginSockFilePath, sockets)
	t.Setenv(common.EnvCMPWorkDir, workDir)

	text, err := os.ReadFile(filepath.Join(Root(t), pluginFile))
	Must(t, err)
	config := string(text)
	for from, to := range map[string]string{
		`"/usr/local/bin/argocd-peering"`:             Binary(t),
		`"/etc/argocd-peering/identity/identity.txt"`: identity,
	} {
		if strings.Count(config, from) != 1 {
			t.Fatalf("%s has %s %d times", pluginFile, from, strings.Count(config, from))
		}
		config = strings.Replace(config, from, fmt.Sprintf("%q", to), 1)
	}
	WriteFile(t, config, configDir, common.PluginConfigFileName)

	pluginConfig, err := plugin.ReadPluginConfig(configDir)
	Must(t, err)
	server, err := cmpserver.NewServer(plugin.CMPServerInitConstants{PluginConfig: *pluginConfig})
	Must(t, err)
	service, err := server.CreateGRPC()
	Must(t, err)
	listener, err := net.Listen("unix", pluginConfig.Address())
	Must(t, err)
	received := new(atomic.Int64)
	go func() { _ = service.Serve(counted{listener, received}) }()
	t.Cleanup(service.Stop)

	connection, client, err := apiclient.NewConfigManagementPluginClientSet(pluginConfig.Address()).NewConfigManagementPluginClient()
	Must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	return &Server{
		Client: client, WorkDir: common.GetCMPWorkDir(), Received: received, Socket: pluginConfig.Address(), Stop: service.Stop,
	}
}

// Generate asks for manifests as the repo-server does: the checkout as a tgz in chunks, then one reply.
func (s *Server) Generate(ctx context.Context, checkout, path string, environ []string) ([]string, error) {
	stream, err := s.Client.GenerateManifest(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(stream.Context(), filepath.Join(checkout, path), checkout, stream, environ, nil); err != nil {
		return nil, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return response.Manifests, nil
}

// GenerateCall is Generate within the minute that Argo CD gives it.
func (s *Server) GenerateCall(t testing.TB, checkout string, call Call) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.Generate(ctx, checkout, call.Path, call.Environ(t))
}

// Match asks whether the plugin wants a folder.
func (s *Server) Match(t testing.TB, checkout, path string, environ []string) *apiclient.RepositoryResponse {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := s.Client.MatchRepository(ctx)
	Must(t, err)
	Must(t, cmp.SendRepoStream(ctx, filepath.Join(checkout, path), checkout, stream, environ, nil))
	response, err := stream.CloseAndRecv()
	Must(t, err)
	return response
}
