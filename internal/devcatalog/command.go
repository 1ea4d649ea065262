package devcatalog

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// shutdownGrace is how long requests in flight may take to end.
const shutdownGrace = 10 * time.Second

// options are the flags of the command.
type options struct {
	listen       string
	database     string
	seed         string
	tableRoot    string
	latency      time.Duration
	faultRate    float64
	maxPageSize  int
	purgeExpired bool
	clock        string
	log          string
	breakage     string
}

// option describes one flag; the flag package cannot be asked for the name of its value.
type option struct {
	name, value, meaning string
}

func (o *options) flags() (*flag.FlagSet, []option) {
	set := flag.NewFlagSet("devcatalog", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&o.listen, "listen", "127.0.0.1:8765", "")
	set.StringVar(&o.database, "database", "", "")
	set.StringVar(&o.seed, "seed", "", "")
	set.StringVar(&o.tableRoot, "table-root", "", "")
	set.DurationVar(&o.latency, "latency", 0, "")
	set.Float64Var(&o.faultRate, "fault-rate", 0, "")
	set.IntVar(&o.maxPageSize, "max-page-size", wire.MaxPageSize, "")
	set.BoolVar(&o.purgeExpired, "purge-expired", false, "")
	set.StringVar(&o.clock, "clock", "", "")
	set.StringVar(&o.log, "log", "", "")
	// Not described: nobody who looks for help is to find it.
	set.StringVar(&o.breakage, "break", "", "")
	return set, []option{
		{"listen", "HOST:PORT", "address to listen on; port 0 picks one; outside loopback the seed must have credentials"},
		{"database", "FILE", "SQLite file to keep everything in; without it, memory"},
		{"seed", "FILE", "YAML file with what a new database starts with, and with the principals of every start"},
		{"table-root", "DIR", "folder for the files of tables, which readers and writers use; without it, no data is taken"},
		{"latency", "DURATION", "wait before each answer"},
		{"fault-rate", "SHARE", "share of requests, 0 to 1, answered 503, half of them after they have acted"},
		{"max-page-size", "ROWS", "largest page of a listing"},
		{"purge-expired", "", "remove permissions that are over instead of listing them"},
		{"clock", "RFC3339", "fixed time for expiry and the Date header; without it, the system's"},
		{"log", "FILE", "append one JSON line for each request"},
	}
}

func help(set *flag.FlagSet, described []option) string {
	var text strings.Builder
	text.WriteString("Usage: devcatalog [flags]\n\nServes a Paimon REST catalog. The first line on standard output is its base URL.\n\n")
	for _, o := range described {
		value := set.Lookup(o.name).DefValue
		if value == "" {
			value = "none"
		}
		fmt.Fprintf(&text, "  --%-26s %s (default %s)\n", o.name+" "+o.value, o.meaning, value)
	}
	return text.String()
}

// Main is the command: it serves a catalog until the context ends, and returns the exit status.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	set, described := o.flags()
	err := set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(stdout, help(set, described))
		return status(err, stderr)
	}
	if err == nil && set.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	if err == nil {
		err = o.serve(ctx, stdout)
	}
	return status(err, stderr)
}

// status tells what went wrong in one line, and the exit status that goes with it.
func status(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	// When standard error cannot be written, the status still says it.
	_, _ = fmt.Fprintln(stderr, "devcatalog:", strings.ReplaceAll(err.Error(), "\n", "; "))
	return 1
}

// serve runs the catalog until the context ends, and then answers the requests in flight.
func (o *options) serve(ctx context.Context, stdout io.Writer) (err error) {
	config, err := o.config()
	if err != nil {
		return err
	}
	address, err := o.address(config.Seed)
	if err != nil {
		return err
	}
	if o.log != "" {
		file, err := os.OpenFile(o.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("--log: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		config.Log = file
	}
	catalog, err := New(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, catalog.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	// The kernel takes connections from here on, so the URL is good.
	if _, err := fmt.Fprintf(stdout, "http://%s\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serveUntilDone(ctx, listener, catalog.Handler())
}

func serveUntilDone(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	return nil
}

// config reads the files and values that the flags name.
func (o *options) config() (Config, error) {
	config := Config{
		Database:     o.database,
		Latency:      o.latency,
		FaultRate:    o.faultRate,
		MaxPageSize:  o.maxPageSize,
		PurgeExpired: o.purgeExpired,
		Break:        o.breakage,
	}
	if o.maxPageSize == 0 {
		return Config{}, errors.New("--max-page-size must be at least 1")
	}
	if o.tableRoot != "" {
		var err error
		if config.TableRoot, err = folder(o.tableRoot); err != nil {
			return Config{}, fmt.Errorf("--table-root: %w", err)
		}
	}
	if o.clock != "" {
		now, err := time.Parse(time.RFC3339, o.clock)
		if err != nil {
			return Config{}, fmt.Errorf("--clock: %w", err)
		}
		config.Clock = func() time.Time { return now }
	}
	if o.seed != "" {
		text, err := os.ReadFile(o.seed)
		if err != nil {
			return Config{}, fmt.Errorf("--seed: %w", err)
		}
		if config.Seed, err = ParseSeed(text); err != nil {
			return Config{}, fmt.Errorf("--seed %s: %w", o.seed, err)
		}
	}
	return config, nil
}

// folder is the absolute path of a folder that exists: readers have another working directory.
func folder(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(absolute)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", path)
	}
	return absolute, err
}

// address resolves where to listen, and refuses to open a catalog that asks for no credentials to other machines.
func (o *options) address(seed *Seed) (string, error) {
	address, err := net.ResolveTCPAddr("tcp", o.listen)
	if err != nil {
		return "", fmt.Errorf("--listen: %w", err)
	}
	if !address.IP.IsLoopback() && !seed.hasCredentials() {
		return "", fmt.Errorf("--listen %s is not a loopback address: other machines may connect only when the seed gives a principal a token or keys", o.listen)
	}
	return address.String(), nil
}
