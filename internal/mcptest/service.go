package mcptest

import "fmt"

// newService makes a service by name on top of a good one, which counts.
func newService(name string, g *good, list []string) (service, error) {
	known := map[string][]string{"": nil, "good": nil, "odd": nil, "pages": pageArgs()}
	keys, ok := known[name]
	if !ok {
		return nil, fmt.Errorf("no service %q: use good, odd or pages", name)
	}
	a, err := parseArgs(list, keys)
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", name, err)
	}
	switch name {
	case "pages":
		return newPages(g, a), nil
	case "odd":
		return &odd{good: g}, nil
	}
	return g, nil
}
