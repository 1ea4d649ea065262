package main

import "testing"

func TestLogsAreWantedWhenAnyLogVariableIsSet(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment []string
		want        bool
	}{
		"nothing":        {nil, false},
		"other settings": {[]string{"HOME=/", "TF_ACC=1", "MY_TF_LOG=1"}, false},
		"everything":     {[]string{"HOME=/", "TF_LOG=TRACE"}, true},
		"the provider":   {[]string{"TF_LOG_PROVIDER=DEBUG"}, true},
		"a file":         {[]string{"TF_LOG_PATH=log"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := wantsLog(test.environment); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
