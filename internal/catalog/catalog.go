// Package catalog is what the gateway knows, as values that never change.
//
//	Listing ──┐                        ┌─ Server ─ Tool, Tool, ...
//	Listing ──┼─► Build (with Rules) ─► Snapshot
//	Listing ──┘                        └─ Problems
//
// A Listing is everything one server said, at one moment. Build reads all of
// them into a Snapshot: every tool gets an identifier that a script can write, a
// category, tags and a fingerprint, and can be found by its identifier, its
// original name, its server, its category or a tag. What could not be read, and
// what had to be renamed, is in Problems.
//
// A Snapshot is safe for any number of readers, and costs them no lock: nobody
// can change it. A change makes a new one with Snapshot.Next, which takes over
// what it already worked out for listings that said the same again.
//
// The same listings and rules give the same snapshot, down to its Version, in
// whatever order they come.
//
// The package asks no server, keeps no file, ranks nothing. What a server
// wrote is kept as it was: whoever shows it to an agent makes it fit to be shown.
package catalog
