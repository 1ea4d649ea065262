package dlf

import (
	"regexp"
	"strings"
)

// Endpoint is what the host of an official address says.
type Endpoint struct {
	Region    string
	Algorithm Algorithm
	// Public says that it is reached over the internet, where only https is answered.
	Public bool
}

// The official hosts: inside a VPC, over the internet, and the newer name of the first.
var (
	vpcHost     = regexp.MustCompile(`^(?:pre-)?([a-z]{2}(?:-[a-z0-9]+)+?)(?:-vpc|-intranet)?\.dlf\.aliyuncs\.com$`)
	openAPIHost = regexp.MustCompile(`^dlfnext(-vpc)?\.([a-z]{2}(?:-[a-z0-9]+)+)\.aliyuncs\.com$`)
)

// EndpointOf reads a host name without its port. Any other host says nothing: a word in the name of a gateway is no region.
func EndpointOf(host string) (Endpoint, bool) {
	host = strings.ToLower(host)
	if m := vpcHost.FindStringSubmatch(host); m != nil {
		return Endpoint{Region: m[1], Algorithm: Default}, true
	}
	if m := openAPIHost.FindStringSubmatch(host); m != nil {
		return Endpoint{Region: m[2], Algorithm: OpenAPI, Public: m[1] == ""}, true
	}
	return Endpoint{}, false
}
