// Package release holds the scripts that make a release, and the test that what they
// sign is checked by what SECURITY.md says.
package release
