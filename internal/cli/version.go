package cli

import "runtime/debug"

// version is what the build says of itself: a tag, or the commit it was made of.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
