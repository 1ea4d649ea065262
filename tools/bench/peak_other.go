//go:build !linux

package main

import "os"

// peak is 0: other systems count in other units, or tell nothing.
func peak(*os.ProcessState) int64 {
	return 0
}
