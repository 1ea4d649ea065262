package provider

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

// A trace line that nobody reads is formatted, written, parsed and dropped all the same. In a large plan that is half of
// the time.
func TestNoLogUnlessAskedFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		variable string
		want     bool
	}{
		"none":  {"TF_ACC=1", false},
		"trace": {"TF_LOG=TRACE", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := serveOneCall(t, test.variable)
			if got := strings.Contains(written, `"@level":"trace"`); got != test.want {
				t.Errorf("wrote %q", written)
			}
		})
	}
}

func TestDebugTellsHowToAttach(t *testing.T) {
	t.Parallel()
	p := startPlugin(t, "TF_ACC=1", "-debug")
	for {
		line, err := p.output.ReadString('\n')
		if err != nil {
			t.Fatalf("%v: %s", err, p.written)
		}
		if _, attach, found := strings.Cut(line, "TF_REATTACH_PROVIDERS='"); found {
			if !strings.Contains(attach, `{"registry.terraform.io/paimon-iac/paimon":{"Protocol":"grpc","ProtocolVersion":6,`) {
				t.Errorf("got %s", attach)
			}
			return
		}
	}
}

// serveOneCall makes a call as Terraform does, and returns what the provider wrote to standard error.
func serveOneCall(t *testing.T, variable string) string {
	t.Helper()
	p := startPlugin(t, variable)
	line, err := p.output.ReadString('\n')
	parts := strings.Split(line, "|") // core version, protocol version, network, address, protocol, certificate
	if err != nil || len(parts) < 5 {
		t.Fatalf("the handshake is %q: %v: %s", line, err, p.written)
	}
	connection, err := grpc.NewClient(parts[2]+":"+parts[3], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := connection.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := connection.Invoke(t.Context(), "/tfplugin6.Provider/GetMetadata", &emptypb.Empty{}, &emptypb.Empty{}); err != nil {
		t.Fatal(err)
	}
	p.stop()
	return p.written.String()
}

// plugin is the provider in a process of its own.
type plugin struct {
	output  *bufio.Reader
	written *bytes.Buffer // to standard error
	stop    func()
}

func startPlugin(t *testing.T, variable string, arguments ...string) plugin {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	command := exec.CommandContext(ctx, self, arguments...) //nolint:gosec // it is this test
	command.Args[0] = pluginName
	command.Env = []string{
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		"PLUGIN_PROTOCOL_VERSIONS=6",
		"TMPDIR=" + t.TempDir(),
		variable,
	}
	var written bytes.Buffer
	command.Stderr = &written
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() {
		cancel()
		_ = command.Wait() // it was killed
	})
	t.Cleanup(stop)
	return plugin{bufio.NewReader(output), &written, stop}
}
