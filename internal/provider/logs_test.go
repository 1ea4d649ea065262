package provider

import "testing"

func TestLogsAreSilentUnlessSomeLogIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment []string
		silent      bool
	}{
		"nothing":        {nil, true},
		"other settings": {[]string{"HOME=/", "TF_ACC=1", "MY_TF_LOG=1"}, true},
		"everything":     {[]string{"HOME=/", "TF_LOG=TRACE"}, false},
		"the provider":   {[]string{"TF_LOG_PROVIDER=DEBUG"}, false},
		"a file":         {[]string{"TF_LOG_PATH=log"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := map[string]string{}
			err := silenceLogs(test.environment, func(name, value string) error {
				set[name] = value
				return nil
			})
			if err != nil || (set["TF_LOG_SDK"] == "off") != test.silent || (set["TF_LOG_PROVIDER_PAIMON"] == "off") != test.silent {
				t.Errorf("set %v, %v", set, err)
			}
		})
	}
}
