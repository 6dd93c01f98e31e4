package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"toolcrib/internal/config"
	"toolcrib/internal/guard"
)

// policyOf translates what the file says.
func policyOf(c config.Config) *guard.Policy {
	p := &guard.Policy{
		ReadOnly: c.Policy.ReadOnly, Default: guard.Verdict(c.Policy.Default), Block: c.Trust.Findings == config.FindingsBlock,
	}
	at := func(key string, at config.Position) string {
		return fmt.Sprintf("policy.%s at %s:%s", key, filepath.Base(c.File), at)
	}
	for _, r := range c.Policy.Rules {
		one := guard.Rule{Terms: termsOf(r.Terms), Verdict: guard.Verdict(r.Verdict), Why: r.Why, Where: at("rules", r.At)}
		if r.At == (config.Position{}) { // it comes of what an entry hides
			one.Where = "the entry of server " + strings.Join(r.Servers, ", ")
		}
		p.Rules = append(p.Rules, one)
	}
	for _, l := range c.Policy.Limits {
		p.Limits = append(p.Limits, guard.Limit{
			Terms: termsOf(l.Terms), PerMinute: l.PerMinute, PerHour: l.PerHour, AtOnce: l.AtOnce, Each: as[guard.Share](l.Each), Where: at("limits", l.At),
		})
	}
	for _, r := range c.Policy.Profiles {
		p.Roles = append(p.Roles, guard.Role{Name: r.Name, Who: r.Who, Scopes: r.Scopes, ReadOnly: r.ReadOnly, Default: guard.Verdict(r.Default)})
	}
	return p
}

func termsOf(t config.Terms) guard.Terms {
	return guard.Terms{
		Who: t.Who, Scopes: t.Scopes, Servers: t.Servers, Tools: t.Tools, Categories: t.Categories, Tags: t.Tags, Annotations: as[guard.Annotation](t.Annotations),
	}
}

// as is a list of words in the type that another package has for them.
func as[T ~string](words []string) []T {
	var out []T
	for _, w := range words {
		out = append(out, T(w))
	}
	return out
}
