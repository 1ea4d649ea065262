//go:build linux

package provider

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// held is a request that a test holds back.
type held struct {
	reached chan struct{}
	resume  chan bool // whether the catalog gets to see it, or its answer goes out
}

// holdCreate holds back the create of a filter on APAC: before the catalog has it, or after it has acted.
func holdCreate(c *catalog, acted bool) held {
	h := held{make(chan struct{}), make(chan bool)}
	first := true
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil || !bytes.Contains(body, []byte("APAC")) || !first {
			return nil
		}
		first = false
		return func(w http.ResponseWriter, r *http.Request) {
			if acted {
				c.record.next.ServeHTTP(w, r)
			}
			close(h.reached)
			if !<-h.resume {
				panic(http.ErrAbortHandler)
			}
			if !acted {
				c.record.next.ServeHTTP(w, r)
			}
		}
	})
	return h
}

// begin starts the CLI in a process group of its own.
func (f folder) begin(arguments ...string) *exec.Cmd {
	f.t.Helper()
	command := exec.CommandContext(f.t.Context(), os.Getenv("TF_ACC_TERRAFORM_PATH"), append(arguments, "-no-color")...) //nolint:gosec // whoever runs the tests says which CLI
	command.Dir = f.path
	command.Env = f.environment
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		f.t.Fatal(err)
	}
	return command
}

// children are the processes that a process has started.
func children(t *testing.T, pid int) []int {
	t.Helper()
	var found []int
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			t.Skip("this system does not tell the children of a process:", err)
		}
		for text := range strings.FieldsSeq(string(list)) {
			child, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, child)
		}
	}
	return found
}

// ways to end a run of the CLI.
const (
	killCLI      = "kill -9 of the CLI"
	killProvider = "kill -9 of the provider"
	killBoth     = "kill -9 of both"
	interrupt    = "Ctrl-C"
	interrupts   = "two Ctrl-C"
)

// strike ends a run in one of the ways. A Ctrl-C reaches the whole process group. It returns the processes of the provider.
func strike(t *testing.T, command *exec.Cmd, way string) []int {
	t.Helper()
	cli := command.Process.Pid
	providers := children(t, cli)
	t.Cleanup(func() {
		for _, pid := range providers {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	})
	signal := func(pid int, s syscall.Signal) {
		if err := syscall.Kill(pid, s); err != nil {
			t.Error(err)
		}
	}
	if way == killCLI || way == killBoth {
		signal(cli, syscall.SIGKILL)
	}
	if way == killProvider || way == killBoth {
		for _, pid := range providers {
			signal(pid, syscall.SIGKILL)
		}
	}
	if way == interrupt || way == interrupts {
		signal(-cli, syscall.SIGINT)
		time.Sleep(300 * time.Millisecond)
	}
	if way == interrupts {
		signal(-cli, syscall.SIGINT)
		time.Sleep(300 * time.Millisecond)
	}
	return providers
}

// wantGone waits until processes have ended.
func wantGone(t *testing.T, pids []int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); slices.ContainsFunc(pids, runs); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the provider stays after Terraform is gone: %v", pids)
		}
	}
}

// runs says that a process has not ended. One whose end nobody has asked about is a zombie.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

// A replacement that is ended at its worst moments is healed by the next apply. What protects the table until then is
// what the cases say.
func TestAccCLIEndedReplacementIsHealed(t *testing.T) {
	t.Parallel()
	const dropped, created = "dropped, not created yet", "created, not told yet"
	tests := []struct {
		point, way string
		// lost says that the held request never arrives, as when its sender is gone.
		lost bool
		// meanwhile is what is in force before the next apply; empty for nothing.
		meanwhile string
	}{
		{dropped, killBoth, true, ""},
		{dropped, killProvider, true, ""},
		{dropped, killCLI, false, "APAC"},
		{dropped, interrupt, false, "APAC"},
		{dropped, interrupts, true, ""},
		{created, killBoth, true, "APAC"},
		{created, killProvider, true, "APAC"},
		{created, killCLI, false, "APAC"},
		{created, interrupts, true, "APAC"},
	}
	for _, test := range tests {
		t.Run(test.way+", "+test.point, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			f := newProject(t, c, rowFilter("f", regionIs("EU"), ""))
			f.run(0, "apply", "-auto-approve")
			f.configure(c, rowFilter("f", regionIs("APAC"), ""))
			h := holdCreate(c, test.point == created)
			command := f.begin("apply", "-auto-approve")
			select {
			case <-h.reached:
			case <-time.After(time.Minute):
				t.Fatal("the create never came")
			}
			providers := strike(t, command, test.way)
			h.resume <- !test.lost
			if err := command.Wait(); err == nil && test.way != interrupt {
				t.Error("the apply ended well")
			}
			wantFilter(t, c, test.meanwhile)
			wantGone(t, providers)
			f.applies()
			wantFilter(t, c, "APAC")
		})
	}
}

// wantFilter waits until the one row filter has a literal; empty is no filter at all. A provider whose CLI is gone
// finishes its call by itself.
func wantFilter(t *testing.T, c *catalog, literal string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		rows := c.policies("orders")
		if literal == "" && len(rows) == 0 || literal != "" && inForce(c, literal)(nil) == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the catalog has %v, not one filter with %q", rows, literal)
		}
	}
}

// An interrupted apply makes no creates any more. A replacement that is refused meanwhile would be out of the state, with
// the old definition in force, and the next apply would meet it as a stranger's.
func TestAccCLIInterruptedReplacementThatIsRefusedStaysInTheState(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, rowFilter("f", regionIs("EU"), ""))
	f.run(0, "apply", "-auto-approve")
	f.configure(c, rowFilter("f", regionIs("APAC"), ""))
	catalog := c.record.next
	var lenient atomic.Bool
	c.record.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse := refuseAPAC(r); refuse != nil && !lenient.Load() {
			refuse(w, r)
			return
		}
		catalog.ServeHTTP(w, r)
	})
	h := holdCreate(c, false)
	command := f.begin("apply", "-auto-approve")
	select {
	case <-h.reached:
	case <-time.After(time.Minute):
		t.Fatal("the create never came")
	}
	strike(t, command, interrupt)
	h.resume <- true
	if err := command.Wait(); err == nil {
		t.Error("the apply ended well")
	}
	wantFilter(t, c, "EU")
	c.record.intercept(nil)
	wantPrinted(t, f.run(1, "apply", "-auto-approve"), "no filters on APAC", "is in force")
	lenient.Store(true)
	f.applies()
	wantFilter(t, c, "APAC")
}
