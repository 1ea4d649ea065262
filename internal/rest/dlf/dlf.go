// Package dlf proves to Alibaba Cloud Data Lake Formation who asks: it signs requests with an access key, tells from an
// address of DLF how that is done there, and gets temporary keys from where Alibaba Cloud puts them.
package dlf

import "time"

// Credentials are an access key, with a security token when it is a temporary one.
type Credentials struct {
	AccessKeyID     string
	AccessKeySecret string
	SecurityToken   string    // empty for a key that lasts
	Expiration      time.Time // zero when nobody said
}

// Algorithm is a way to sign, by the name that Paimon gives it.
type Algorithm string

// The ways to sign.
const (
	// Default is what the addresses inside a VPC expect.
	Default Algorithm = "default"
	// OpenAPI is what the public addresses expect. It needs no region.
	OpenAPI Algorithm = "openapi"
	// OpenAPIv4 is the successor of OpenAPI, never assumed.
	OpenAPIv4 Algorithm = "openapi-v4"
)

// Algorithms are the names of the ways to sign.
func Algorithms() []string {
	return []string{string(Default), string(OpenAPI), string(OpenAPIv4)}
}

// NeedsRegion says that a region is part of the signature.
func (a Algorithm) NeedsRegion() bool { return a != OpenAPI }
