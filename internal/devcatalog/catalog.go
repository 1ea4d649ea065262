// Package devcatalog is a Paimon REST catalog in one process: databases, tables, views and functions, permissions on
// them, row filters and column masks. It keeps the whole management contract, every check, status, error body, limit and
// canonical form, for trying out and for tests. It holds no data files, but it knows where writers keep them and what
// they have committed.
//
// A request runs through router.go (who calls, which operation), one handler in a handle_*.go file (the contract's order
// of checks) and the store_*.go files (one SQLite transaction). dlf.go tells who has signed a request, authorize.go
// who may do what, schema_change.go what a table can become.
package devcatalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Config says what a catalog is made of. The zero Config is an empty catalog in memory, open to everyone.
type Config struct {
	// Seed is what the catalog starts with; nil is a warehouse "demo" with nothing in it.
	Seed *Seed
	// Database is the SQLite file; empty keeps everything in memory.
	Database string
	// TableRoot is the folder below which writers keep the files of tables; empty is a catalog without data, which takes
	// no commits.
	TableRoot string
	// Latency is waited before each answer.
	Latency time.Duration
	// FaultRate is the share of requests, from 0 to 1, that are answered 503, half of them after they have acted.
	FaultRate float64
	// MaxPageSize caps the pages of listings; 0 is the contract's maximum.
	MaxPageSize int
	// PurgeExpired removes permissions that are over instead of listing them.
	PurgeExpired bool
	// Clock tells the time; nil is the system's.
	Clock func() time.Time
	// Log gets one JSON line for each request; nil logs nothing.
	Log io.Writer
	// Break is the name of a fault, see break.go; empty is a catalog as it should be.
	Break string
}

func (c Config) check() error {
	switch {
	case c.FaultRate < 0 || c.FaultRate > 1:
		return fmt.Errorf("the fault rate %v is not between 0 and 1", c.FaultRate)
	case c.MaxPageSize < 0 || c.MaxPageSize > wire.MaxPageSize:
		return fmt.Errorf("the page size %d is not between 1 and %d", c.MaxPageSize, wire.MaxPageSize)
	case c.Latency < 0:
		return fmt.Errorf("the latency %v is negative", c.Latency)
	case c.Break != "" && breaks[c.Break] == breakage{}:
		return fmt.Errorf("there is no way to break that is called %q", c.Break)
	default:
		return nil
	}
}

// defaultWarehouse is the warehouse of a catalog without a seed.
const defaultWarehouse = "demo"

// Catalog is a running catalog. It must be closed.
type Catalog struct {
	store        *store
	directory    *directory
	warehouse    string
	tableRoot    string
	maxPageSize  int
	purgeExpired bool
	clock        func() time.Time
	latency      time.Duration
	faultRate    float64
	log          *requestLog
	broken       breakage
	routes       []route
}

// New opens the catalog's database and, when it is new, loads the seed into it.
func New(ctx context.Context, config Config) (*Catalog, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	c := &Catalog{
		tableRoot:    config.TableRoot,
		maxPageSize:  config.MaxPageSize,
		purgeExpired: config.PurgeExpired,
		clock:        config.Clock,
		latency:      config.Latency,
		faultRate:    config.FaultRate,
		log:          newRequestLog(config.Log),
		broken:       breaks[config.Break],
	}
	if c.maxPageSize == 0 {
		c.maxPageSize = wire.MaxPageSize
	}
	if c.clock == nil {
		c.clock = time.Now
	}
	c.routes = c.operations()
	var err error
	if c.store, err = openStore(config.Database); err != nil {
		return nil, err
	}
	if err := c.start(ctx, config.Seed); err != nil {
		return nil, errors.Join(err, c.store.close())
	}
	return c, nil
}

// start takes the principals from the seed and, into a new database, everything else.
func (c *Catalog) start(ctx context.Context, seed *Seed) (err error) {
	given := seed
	if seed == nil {
		given = &Seed{Warehouse: defaultWarehouse}
	}
	if c.directory, err = newDirectory(given.Principals); err != nil {
		return err
	}
	c.directory.anySignature = c.broken.anySignature
	return c.store.within(ctx, func(t *tx) error {
		fresh, err := t.create(ctx)
		if err != nil {
			return err
		}
		c.warehouse = given.Warehouse
		switch {
		case fresh:
			return c.load(ctx, t, given)
		case seed == nil:
			c.warehouse, err = t.warehouse(ctx)
			return err
		default:
			return t.renameWarehouse(ctx, given.Warehouse)
		}
	})
}

// Close ends the catalog. Its handler must not be used any more.
func (c *Catalog) Close() error {
	return c.store.close()
}
