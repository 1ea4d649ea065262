package devcatalog

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"sync"
	"time"
)

// requestLog writes one JSON line for each request. Headers and bodies stay out of it, and with them every credential.
type requestLog struct {
	mutex sync.Mutex
	lines *json.Encoder
}

// logLine is what is written of a request; path and query are as they came over the wire.
type logLine struct {
	Method       string  `json:"method"`
	Path         string  `json:"path"`
	Query        string  `json:"query"`
	Status       int     `json:"status"`
	Milliseconds float64 `json:"milliseconds"`
}

// newRequestLog returns a log that writes nothing when there is no writer.
func newRequestLog(to io.Writer) *requestLog {
	if to == nil {
		to = io.Discard
	}
	lines := json.NewEncoder(to)
	lines.SetEscapeHTML(false)
	return &requestLog{lines: lines}
}

func (l *requestLog) write(r *http.Request, status int, took time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	// A log that cannot be written is no reason to fail a request that has been answered.
	_ = l.lines.Encode(logLine{
		Method:       r.Method,
		Path:         r.URL.EscapedPath(),
		Query:        r.URL.RawQuery,
		Status:       status,
		Milliseconds: math.Round(took.Seconds()*1e6) / 1e3,
	})
}
