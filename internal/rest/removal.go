package rest

import (
	"context"
	"errors"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// breather is the time between two looks at what became of a request whose answer was lost.
const breather = time.Second

// remove makes a record absent. That the resource is gone is success, and where a failure does not say whether the record
// is gone, a look at the server does, and another one a breather later. It is sent once: a removal whose answer was lost may
// still be on its way, however long one waits, and would remove what is created after a second one.
func remove[R any](ctx context.Context, c *Client, id access.Identity, kept *listings[R], send func() error) error {
	err := send()
	if id.Access.IsPolicy() && IsMissing(err, wire.ErrorPolicy) {
		err = nil
	}
	kept.wrote(id, nil, err)
	switch {
	case err == nil || isGone(err, id.Resource):
		return nil
	case !IsUncertain(err) && !IsMissing(err, wire.ErrorPrincipal):
		return err
	}
	absent, lookErr := isAbsent(ctx, id, kept)
	if lookErr == nil && !absent && IsUncertain(err) {
		if waited := c.sleep(ctx, breather); waited != nil {
			return errors.Join(err, waited)
		}
		absent, _ = isAbsent(ctx, id, kept)
	}
	if absent {
		return nil
	}
	return err
}

// isAbsent asks the server whether a record is not there, be it that the resource is not.
func isAbsent[R any](ctx context.Context, id access.Identity, kept *listings[R]) (bool, error) {
	_, found, err := kept.look(ctx, id)
	if isGone(err, id.Resource) {
		return true, nil
	}
	return err == nil && !found, err
}

// sleep waits, unless the context ends first.
func (c *Client) sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(c.pace(delay))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// isGone says that err is the server's definite word that the resource, or what contains it, does not exist. A 404
// without the contract's error body is never that. Nor is one about the catalog, which was there a moment ago, in the
// handshake: it means that prefix or warehouse is wrong.
func isGone(err error, resource access.Resource) bool {
	if resource.Database == "" {
		return false
	}
	types := []string{string(resource.Type), string(access.Database)}
	if resource.Type == access.Column {
		types = append(types, string(access.Table))
	}
	return IsMissing(err, types...)
}
