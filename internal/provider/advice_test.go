package provider

import (
	"errors"
	"net/http"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func TestErrorsEndAsSentencesDo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"no": "no.", "no.": "no.", "is there a proxy in between?": "is there a proxy in between?"} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("got %s", got)
		}
	}
}

// Where the clock is to blame, nothing is said about the credentials.
func TestAdviceGivesWayToWhatTheClientKnows(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]bool{"": true, "the clock of this machine is 3h0m0s behind": false} {
		refusal := &rest.Error{Operation: wire.GetConfig, Code: http.StatusForbidden, Hint: hint}
		if got := withAdvice("", "no.", refusal, connectionAdvices()).Detail(); (got != "no.") != want {
			t.Errorf("%q: got %s", hint, got)
		}
	}
}
