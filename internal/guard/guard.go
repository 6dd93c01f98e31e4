// Package guard decides what of the servers reaches whom.
//
//	definition ──► Scan ──► findings: hidden instructions, invisible characters, ...
//	listing ─────► Pins ──► the definitions that were approved; changed ones are held
//	tool, caller ► Policy ► allow, deny, ask
//	text ────────► Redactor ► the same without secrets
//	decision ────► Audit ──► a line in a file
//
// A server says what its tools are, and a model believes it. So a definition is
// looked at for text that speaks to a model behind its user's back, and is kept:
// when a server says another time something else, agents go on seeing what they
// saw until a person has read the difference.
//
// The package starts nothing, calls no server and holds no lock while somebody
// reads: what decides is an immutable value behind an atomic pointer.
package guard
