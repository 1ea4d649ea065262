package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// handshakes starts the provider so many times as Terraform does, and returns how long each start took until the line with
// which it says where it listens.
func handshakes(ctx context.Context, provider string, times int) ([]time.Duration, error) {
	took := make([]time.Duration, times)
	for i := range took {
		var err error
		if took[i], err = handshake(ctx, provider); err != nil {
			return nil, fmt.Errorf("start the provider: %w", err)
		}
	}
	return took, nil
}

func handshake(ctx context.Context, provider string) (time.Duration, error) {
	ctx, kill := context.WithCancel(ctx)
	defer kill()
	command := exec.CommandContext(ctx, provider)
	command.Env = append(os.Environ(),
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2", "PLUGIN_PROTOCOL_VERSIONS=6")
	out, err := command.StdoutPipe()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	if err := command.Start(); err != nil {
		return 0, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	took := time.Since(begun)
	kill()
	_ = command.Wait() // killed, as was meant
	if err == nil && !strings.HasPrefix(line, "1|6|") {
		err = fmt.Errorf("no handshake: %q", line)
	}
	return took, err
}
