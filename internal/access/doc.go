// Package access is the vocabulary of access control in a Paimon catalog: resource types and their locators, which
// access fits which type, principals, column ranges, expiry, permissions, policies, and the identities that name
// them. Everything is a pure value; nothing here knows Terraform, HTTP or a server.
package access
