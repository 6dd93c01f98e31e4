package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fileNames are what a configuration may be called, best first.
var fileNames = []string{"toolcrib.yaml", "toolcrib.json", "toolcrib.jsonc", "toolcrib.toml"}

// Places are where a file is looked for when none is named: the user's own first,
// then what a project's adds to it.
func Places(getenv func(string) string) []string {
	return append(ownPlaces(getenv), fileNames...)
}

// ownPlaces are where the user's own file may be, none where there is no home.
func ownPlaces(getenv func(string) string) []string {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // a relative one would be the working directory's
		dir, _ = os.UserConfigDir() // "" where there is no home
	}
	if !filepath.IsAbs(dir) {
		return nil
	}
	var places []string
	for _, name := range fileNames {
		places = append(places, filepath.Join(dir, ownName, name))
	}
	return places
}

// OwnFile is the user's own configuration, or where a first one goes. It is "" where
// there is no home.
func OwnFile(getenv func(string) string) string {
	places := ownPlaces(getenv)
	if found := firstThere(places); found != "" {
		return found
	}
	if len(places) == 0 {
		return ""
	}
	return places[0]
}

// Files are the files that are used when none is named: the user's own, and that of
// the working directory, where it is another one. Either may be "", not both. Its
// error is an *Error.
func (r *Reader) Files() (own, project string, err error) {
	own = firstThere(ownPlaces(r.getenv))
	var here []string
	for _, name := range fileNames {
		here = append(here, filepath.Join(r.project(), name))
	}
	if project = firstThere(here); project != "" && own != "" && sameFile(own, project) {
		project = ""
	}
	if own == "" && project == "" {
		return "", "", fileError("no configuration", "looked for %s; name one with --config, have \"toolcrib import --write\" make one of what other clients have, or write a first one:\n%s",
			strings.Join(Places(r.getenv), ", "), indent(Example))
	}
	return own, project, nil
}

func firstThere(places []string) string {
	for _, p := range places {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return ""
}

// LoadFound reads what there is when no file is named: the user's own file, and what
// that of the working directory adds to it. Its error is an *Error.
func (r *Reader) LoadFound() (Config, error) {
	file, project, err := r.Files()
	if err != nil {
		return Config{}, err
	}
	var own Config
	if file != "" {
		src, err := readFile(file)
		if err != nil {
			return Config{}, err
		}
		if own, err = r.parse(file, src); err != nil {
			return Config{}, err
		}
	}
	if project == "" {
		return own.finished(), nil
	}
	all, err := r.addProject(own, project)
	switch {
	case err != nil && file == "":
		return Config{}, err
	case err != nil: // somebody else's mistake
		all.Warnings = append(slices.Clone(all.Warnings), problemsOf(project, err)...)
		all.Used = append(slices.Clone(all.Used), project)
	}
	return all.finished(), nil
}
