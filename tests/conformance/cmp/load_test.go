package cmp

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"argocd-peering.example/conformance/internal/kit"
)

// same fails unless the call gives these manifests.
func same(t testing.TB, server *kit.Server, checkout string, call kit.Call, want []string) {
	t.Helper()
	got, err := server.GenerateCall(t, checkout, call)
	if err != nil {
		t.Error(err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("got %d manifests that are not the %d of before", len(got), len(want))
	}
}

// children are the processes of the program that this process, as the cmp-server, has started and that still run.
func children(t testing.TB) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	kit.Must(t, err)
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if field(pid, "PPid:") != os.Getpid() {
			continue
		}
		// It is vanishing, or has not become the program yet.
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err != nil || exe != kit.Binary(t) {
			continue
		}
		pids = append(pids, pid)
	}
	return pids
}

// field is a number of /proc/<pid>/status, or -1.
func field(pid int, name string) int {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return -1
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == name {
			if number, err := strconv.Atoi(words[1]); err == nil {
				return number
			}
		}
	}
	return -1
}

// Argo CD limits neither its concurrent calls nor the cmp-server's processes.
func TestLoad(t *testing.T) {
	const callers = 64
	span := time.Minute
	if testing.Short() {
		span = 2 * time.Second
	}
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.PluginFile, example.Identity(t))
	checkout := example.Checkout(t)
	want := map[string][]string{}
	for _, role := range kit.Roles {
		manifests, err := server.GenerateCall(t, checkout, kit.CallOf(example, role))
		kit.Must(t, err)
		want[role] = manifests
	}

	var calls atomic.Int64
	var slowest [callers]time.Duration
	peak := 0
	end := time.Now().Add(span)
	var all sync.WaitGroup
	for i := range callers {
		role := kit.Roles[i%len(kit.Roles)]
		all.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				start := time.Now()
				same(t, server, checkout, kit.CallOf(example, role), want[role])
				slowest[i] = max(slowest[i], time.Since(start))
				calls.Add(1)
			}
		})
	}
	all.Go(func() {
		for time.Now().Before(end) && !t.Failed() {
			for _, pid := range children(t) {
				peak = max(peak, field(pid, "VmHWM:"))
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	all.Wait()
	t.Logf("%d calls by %d callers in %s, the slowest took %s; the most memory seen of one run: %d KiB",
		calls.Load(), callers, span, slices.Max(slowest[:]).Round(time.Millisecond), peak)
	// The sidecar's limit is 512 MiB, for all runs at a time and the cmp-server. A change runs the tests' own build, which takes more than
	// the release's.
	if !testing.Short() && peak > 16<<10 {
		t.Errorf("one run took %d KiB", peak)
	}
	if left := children(t); len(left) != 0 {
		t.Errorf("%d processes are left", len(left))
	}
}

// inMidRun stops a run of the program, so that something can happen to it, and says what the call then ended with.
func inMidRun(t *testing.T, server *kit.Server, checkout string, call kit.Call, limit time.Duration, happen func(pid int)) ([]string, error) {
	t.Helper()
	type reply struct {
		manifests []string
		err       error
	}
	// A run takes milliseconds, so it may be over before it is seen. Then the next one is tried.
	for range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		replies := make(chan reply, 1)
		go func() {
			manifests, err := server.Generate(ctx, checkout, call.Path, call.Environ(t))
			replies <- reply{manifests, err}
		}()
		for {
			if pids := children(t); len(pids) == 1 && syscall.Kill(pids[0], syscall.SIGSTOP) == nil {
				happen(pids[0])
				got := <-replies
				cancel()
				if got.err == nil && len(got.manifests) != 0 {
					break // it had finished already
				}
				return got.manifests, got.err
			}
			select {
			case <-replies:
			default:
				continue
			}
			break
		}
		cancel()
	}
	t.Fatal("no run of the program was caught")
	return nil, nil
}

func TestFaults(t *testing.T) {
	example := kit.Quickstart(t)
	server := kit.Serve(t, kit.PluginFile, example.Identity(t))
	checkout := example.Checkout(t)
	call := kit.CallOf(example, "provider")
	want, err := server.GenerateCall(t, checkout, call)
	kit.Must(t, err)

	t.Run("killed", func(t *testing.T) {
		manifests, err := inMidRun(t, server, checkout, call, time.Minute, func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) })
		if err == nil || !strings.Contains(err.Error(), "signal: killed") {
			t.Errorf("got %d manifests and %v", len(manifests), err)
		}
		t.Log(err)
		same(t, server, checkout, call, want)
	})
	t.Run("deadline exceeded", func(t *testing.T) {
		start := time.Now()
		manifests, err := inMidRun(t, server, checkout, call, time.Second, func(int) {})
		if err == nil || !strings.Contains(err.Error(), "signal: killed") && !strings.Contains(err.Error(), "DeadlineExceeded") {
			t.Errorf("got %d manifests and %v", len(manifests), err)
		}
		t.Logf("after %s: %v", time.Since(start).Round(time.Millisecond), err)
		same(t, server, checkout, call, want)
	})
	if left := children(t); len(left) != 0 {
		t.Errorf("%d processes are left", len(left))
	}
}

func TestFullDisk(t *testing.T) {
	workDir := kit.ShortDir(t)
	if err := syscall.Mount("conformance", workDir, "tmpfs", 0, "size=256k"); err != nil {
		t.Fatalf("mounting a small file system, which needs root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(workDir, syscall.MNT_DETACH) })
	example := kit.Quickstart(t)
	server := kit.ServeIn(t, kit.PluginFile, example.Identity(t), workDir)
	checkout := example.Checkout(t)
	call := kit.CallOf(example, "consumer")
	want, err := server.GenerateCall(t, checkout, call)
	kit.Must(t, err)

	filler := filepath.Join(workDir, "filler")
	for size := 256 << 10; size >= 1; size /= 2 {
		file, err := os.OpenFile(filler, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		kit.Must(t, err)
		for err == nil {
			_, err = file.Write(make([]byte, size))
		}
		_ = file.Close()
	}
	manifests, err := server.GenerateCall(t, checkout, call)
	// A server that stops before everything is sent is reported by gRPC as EOF, and Argo CD's client then does not ask
	// for the reason (util/cmp/stream.go).
	if err == nil || !strings.Contains(err.Error(), "no space left on device") && !strings.HasSuffix(err.Error(), "error sending stream: EOF") {
		t.Errorf("got %d manifests and %v", len(manifests), err)
	}
	t.Log(err)

	kit.Must(t, os.Remove(filler))
	same(t, server, checkout, call, want)
	left, err := os.ReadDir(server.WorkDir)
	kit.Must(t, err)
	if len(left) != 0 {
		t.Errorf("%d folders are left in the work folder", len(left))
	}
}
