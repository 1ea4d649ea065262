package main

import (
	"os"
	"syscall"
)

// peak is the largest resident memory of a process, or of one that it waited for, in bytes. It is never less than its parent's
// was when it was started; Terraform is larger than its providers and than this program, and the provider than its stand-in.
func peak(ended *os.ProcessState) int64 {
	if u, ok := ended.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss * 1024
	}
	return 0
}
