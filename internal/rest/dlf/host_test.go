package dlf

import (
	"strings"
	"testing"
)

func TestOnlyOfficialHostsTellRegionAndAlgorithm(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]Endpoint{
		"cn-hangzhou-vpc.dlf.aliyuncs.com":           {"cn-hangzhou", Default, false},
		"cn-hangzhou-intranet.dlf.aliyuncs.com":      {"cn-hangzhou", Default, false},
		"cn-hangzhou.dlf.aliyuncs.com":               {"cn-hangzhou", Default, false},
		"pre-cn-hangzhou-vpc.dlf.aliyuncs.com":       {"cn-hangzhou", Default, false},
		"us-east-1-vpc.dlf.aliyuncs.com":             {"us-east-1", Default, false},
		"us-east-1-intranet.dlf.aliyuncs.com":        {"us-east-1", Default, false},
		"ap-southeast-1-vpc.dlf.aliyuncs.com":        {"ap-southeast-1", Default, false},
		"cn-wulanchabu-vpc.dlf.aliyuncs.com":         {"cn-wulanchabu", Default, false},
		"cn-shanghai-finance-1-vpc.dlf.aliyuncs.com": {"cn-shanghai-finance-1", Default, false},
		"CN-Hangzhou-VPC.dlf.aliyuncs.com":           {"cn-hangzhou", Default, false},
		"dlfnext.cn-hangzhou.aliyuncs.com":           {"cn-hangzhou", OpenAPI, true},
		"dlfnext-vpc.cn-hangzhou.aliyuncs.com":       {"cn-hangzhou", OpenAPI, false},
		"dlfnext.eu-central-1.aliyuncs.com":          {"eu-central-1", OpenAPI, true},

		"127.0.0.1":                                {},
		"":                                         {},
		"my-catalog.example.com":                   {},
		"dlf-cn-hangzhou.aliyuncs.com":             {},
		"dlfnext.aliyuncs.com":                     {},
		"dlf.aliyuncs.com":                         {},
		"cn-hangzhou-vpc.dlf.aliyuncs.com.evil":    {},
		"evil.cn-hangzhou-vpc.dlf.aliyuncs.com":    {},
		"cn-hangzhou-vpc.dlfXaliyuncs.com":         {},
		"dlfnext.cn-hangzhou.aliyuncs.com.example": {},
		"dlfnext-cn-hangzhou.aliyuncs.com":         {},
	} {
		got, official := EndpointOf(host)
		if got != want || official != (want != Endpoint{}) {
			t.Errorf("%s: got %+v, %v", host, got, official)
		}
	}
}

func TestOneAlgorithmNeedsNoRegion(t *testing.T) {
	t.Parallel()
	for _, name := range Algorithms() {
		if got, want := Algorithm(name).NeedsRegion(), name != "openapi"; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func FuzzEndpoint(f *testing.F) {
	f.Add("pre-cn-hangzhou-vpc.dlf.aliyuncs.com")
	f.Add("dlfnext-vpc.us-east-1.aliyuncs.com")
	f.Add("dlfnext.example.com")
	f.Fuzz(func(t *testing.T, host string) {
		e, official := EndpointOf(host)
		if official != (e != Endpoint{}) {
			t.Fatalf("%q: %+v, %v", host, e, official)
		}
		if official && (!strings.HasSuffix(strings.ToLower(host), ".aliyuncs.com") || !strings.Contains(strings.ToLower(host), e.Region) ||
			strings.Trim(e.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasSuffix(e.Region, "-vpc") && e.Algorithm == Default) {
			t.Errorf("%q: %+v", host, e)
		}
	})
}
