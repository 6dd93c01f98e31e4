package mcptest

import "context"

// behaviours by name. It is a function so that nothing can change the table.
func behaviours() map[string]behaviour {
	return map[string]behaviour{
		"good":         eraServer(rules{eras: Dual}, "version"),
		"legacy":       eraServer(rules{eras: LegacyOnly}, "version"),
		"legacy-32602": eraServer(rules{eras: LegacyOnly, early: earlyInvalid}, "version"),
		"silent-probe": eraServer(rules{eras: LegacyOnly, early: earlySilent}, "version"),
		"exit-probe":   eraServer(rules{eras: LegacyOnly, early: earlyExit}, "version"),
		"modern":       eraServer(rules{eras: ModernOnly}, "refuse"),

		"mute":           {run: mute},
		"noread":         {run: noread, args: []string{"after"}},
		"exit-now":       {run: exitNow, args: []string{"message", "code"}},
		"exit-midcall":   {run: exitMidcall, args: []string{"tool", "half", "code"}},
		"slow-start":     {run: slowStart, args: []string{"ms"}},
		"stderr-flood":   {run: stderrFlood, args: []string{"rate", "seconds"}},
		"huge-line":      {run: hugeLine, args: []string{"bytes", "valid", "at"}},
		"long-lines":     {run: longLines, args: []string{"bytes"}},
		"banner":         {run: banner, args: []string{"bytes"}},
		"early-requests": {run: earlyRequests, args: []string{"asks"}},
		"ignore-term":    {run: ignoreTerm},
		"forks":          {run: forks, args: []string{"n", "leave", "hold", "pids"}},
		"linger":         {run: linger},
		"pages":          {run: runPages, args: pageArgs()},
		"malformed":      {run: malformed},
		"odd":            {run: runOdd, args: []string{"eras"}},
	}
}

// eraServer is the good server with other rules about who may come in. Argument
// version is the only legacy version it speaks; refuse is the code that a
// modern-only server has for initialize.
func eraServer(u rules, known ...string) behaviour {
	return behaviour{args: known, run: func(ctx context.Context, s *streams) error {
		u.version = s.args.text("version", "")
		u.refuseWith = s.args.num("refuse", -32022)
		return s.converse(ctx, newGood(&u), u, hooks{})
	}}
}
