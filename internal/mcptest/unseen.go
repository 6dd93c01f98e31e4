package mcptest

// Unseen are texts of characters that nobody sees, or that terminals act on: each kind
// that a server could hide something with.
var Unseen = []string{
	"\x1b[31m", "\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\", "\x1bPq\x1b\\", "\u009b31m", // sequences
	"\x00", "\x07", "\b", "\x0b", "\x7f", "\u0080", "\u009f", // controls
	"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2069", "\u200e", "\u200f", "\u061c", // direction
	"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u3164", "\u115f", // without width
	"\ufe00", "\ufe0f", "\U000E0100", "\U000E01EF", // variation
	"\U000E0001", "\U000E0049", "\U000E0067", "\U000E007F", // tags
}
