package guard

import (
	"strings"
	"unicode"

	"toolcrib/internal/lazyre"
)

// fold is a text as patterns read it: in lower case, without what cannot be seen,
// letters that only look like Latin ones taken for those, any space one space.
func fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		if r < 0x80 {
			// the usual case
		} else if invisible(r) != "" {
			continue
		} else if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0 // full width
		} else if r >= 0x1D400 && r <= 0x1D6A3 {
			r = 'a' + (r-0x1D400)%26 // mathematical letters, all styles
		} else if same, ok := lookalikes[r]; ok {
			r = same
		}
		if r == '*' || r == '`' {
			continue // marks of Markdown between words
		}
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// lookalikes are letters of other scripts that read as Latin ones.
var lookalikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ѕ': 's', 'ј': 'j', 'ԁ': 'd', 'һ': 'h', 'ո': 'n', 'ɡ': 'g', 'ⅼ': 'l',
	'А': 'a', 'В': 'b', 'Е': 'e', 'К': 'k', 'М': 'm', 'Н': 'h', 'О': 'o', 'Р': 'p', 'С': 'c', 'Т': 't', 'Х': 'x', 'І': 'i', 'Ѕ': 's',
	'ο': 'o', 'ι': 'i', 'α': 'a', 'ν': 'v', 'ρ': 'p', 'Ι': 'i', 'Ο': 'o', 'Α': 'a', 'Ε': 'e', 'Τ': 't', 'Ν': 'n',
	'’': '\'', '‘': '\'', '“': '"', '”': '"', '–': '-', '—': '-',
}

// Parts of the patterns.
const (
	gap     = `[^.!?;\n]{0,60}?`
	farther = `[^\n]{0,160}?`
	secret  = `(~?/?\.ssh|id_rsa|id_ed25519|\.aws/|\.env\b|\.netrc|\.npmrc|\.pypirc|\.kube/config|/etc/(passwd|shadow)|mcp\.json|claude_desktop_config|\.cursor/|\.git-credentials|keychain|private keys?|ssh keys?|api[ _-]?keys?|access tokens?|passwords?|credentials|secrets?|environment variables|session cookies?|seed phrase|system prompt|(conversation|chat)( history| log)?|previous messages|other tools' (descriptions|results|output))`
	take    = `(read|open|cat|load|fetch|collect|gather|copy|include|attach|append|paste|pass|put|insert|send|forward|upload|post|submit|transmit|provide|report|leak|extract|dump|encode|embed)`
)

// An order is a pattern that no honest description needs.
type order struct {
	pattern *lazyre.Pattern
	what    string
	needs   []string // one of them is in every text that the pattern fits; it spares most of the matching
}

func words(pattern, what, needs string) order {
	return order{lazyre.New(pattern), what, strings.Split(needs, "|")}
}

func (o *order) find(folded string) []int {
	for _, word := range o.needs {
		if strings.Contains(folded, word) {
			return o.pattern.FindStringIndex(folded)
		}
	}
	return nil
}

// orders are what poisoned definitions say, on folded text.
var orders = []order{
	words(`\b(ignore|disregard|forget|override|bypass)\b`+gap+`\b(previous|prior|above|earlier|preceding|existing|all other|system|safety|user'?s?|your)\b`+gap+`\b(instructions?|prompts?|rules?|guidelines?|polic(y|ies)|directions?|messages?|constraints?|warnings?|restrictions?)\b`, "tells the model to pass over its instructions", "ignore|disregard|forget|override|bypass"),
	words(`\b(do not|don't|never|must not|should not|without|avoid|no need to)\b[^.!?;\n]{0,25}?\b(tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|disclose|disclosing|alert|alerting|asking|ask|show|showing|letting)\b[^.!?;\n]{0,30}?\b(the )?(user|human|operator|person|anyone|customer)\b[^.!?;\n]{0,20}?(about|that|this|of|know|step|it\b|first|for (permission|confirmation|consent)|[.!;,<]|$)`, "asks to keep something from the user", "tell|mention|inform|notify|reveal|disclos|alert the|alert any|ask|show|letting"),
	words(`\b(the )?(user|human|operator)\b[^.!?;\n]{0,15}?\b(must not|should not|must never|should never|does not need to|doesn't need to|need not|is not to|cannot|will not|won't)\b[^.!?;\n]{0,15}?\b(know|see|notice|be told|be informed|find out|be aware|be shown)\b`, "asks to keep something from the user", "not know|n't know|not see|not notice|never know|never see|be told|be informed|be aware|find out|be shown|to know|to see|cannot see|cannot know|to notice"),
	words(`\b(secretly|covertly|quietly|discreetly|stealthily|surreptitiously|behind the scenes|in the background|silently)\b[^.!?;\n]{0,30}?\b`+take+`\b`, "asks for something to be done unseen", "secretly|covertly|quietly|discreetly|stealthily|surreptitiously|behind the scenes|in the background|silently"),
	words(`\b`+take+`\b[^.!?;\n]{0,60}?\b(secretly|covertly|discreetly|stealthily|without (the user|being) (knowing|noticed|noticing))\b`, "asks for something to be done unseen", "secretly|covertly|discreetly|stealthily|knowing|noticed|noticing"),
	words(`</?(important|system|instructions?|critical|hidden|secret|admin|assistant|prompt|override|sys|system[-_ ]?(prompt|message|override))>`, "has a mark that poses as the system's", "<important|<system|<instruction|<critical|<hidden|<secret|<admin|<assistant|<prompt|<override|<sys|</"),
	words(`(\[|<\||\{\{|###? ?)(/?inst|system|im_start|im_end|start_header_id|end_of_turn|system (message|prompt|override|instructions?)|hidden instructions?|admin override)(\]|\|>|\}\}|:)`, "has a mark that poses as the system's", "[|<|{{|#"),
	words(`<!--`+farther+`\b(you must|always|assistant|instruction|ignore|`+take+`)\b`+farther+`-->`, "has instructions in a comment", "<!--"),
	words(`\b(new|updated|real|actual|true|secret|hidden|additional|special) (system )?(instructions?|directives?|orders?|task|objective)\b ?( for (the )?(assistant|model|ai|llm|agent))? ?(:|are\b|is to\b|follow)`, "poses as new instructions", "instruction|directive|orders|task|objective"),
	words(`\b(you are now|from now on,? you|act as if you|pretend (to be|that)|your (new|real) (role|goal|purpose|task) is|enter (developer|debug|admin|god|dan) mode|(developer|dan|god|jailbreak) mode)\b`, "gives the model another role", "you are now|from now on|act as if|pretend|your new|your real|mode"),
	words(`\b(note|message|instructions?|reminder|attention|directive)s? (to|for) (the |all |any )?(ai|llm|model|assistant|agent|language model)s?\b`, "addresses the model apart from its user", "to the|for the|to all|for all|to any|for any|to ai|for ai|to llm|for llm|to model|for model|to assistant|for assistant|to agent|for agent"),
	words(`\b(assistant|model|agent|ai|llm|you)\b[^.!?;\n]{0,20}?\b(must|should|shall|have to|need to|are required to|is required to|will)\b[^.!?;\n]{0,40}?\b`+take+`\b[^.!?\n]{0,60}?`+secret, "asks for what is secret", ".ssh|id_rsa|id_ed25519|.aws|.env|.netrc|.npmrc|.pypirc|.kube|/etc/|mcp.json|claude_desktop|.cursor|.git-cred|keychain|private key|ssh key|api key|api_key|api-key|apikey|access token|password|credential|secret|environment var|session cookie|seed phrase|system prompt|conversation|chat|previous messages|other tools"),
	words(`\b(first|before|always|also|then|must|please|prior to|after|every time|whenever)\b[^.!?\n]{0,60}?\b(read|open|cat|load|collect|gather|copy|dump|extract|upload|exfiltrate|leak|send|forward|include|attach|paste|append|pass|encode|embed)\b[^.!?\n]{0,40}?\b(contents? of|full|entire|all|any|user'?s?|whole|the)\b[^.!?\n]{0,40}?(~/?\.|id_rsa|id_ed25519|\.ssh|\.aws|\.env\b|mcp\.json|/etc/(passwd|shadow)|private key|ssh key|system prompt|(conversation|chat) (history|log)|previous messages|environment variables|credentials|passwords)`, "asks for what is secret", "~|id_rsa|id_ed25519|.ssh|.aws|.env|mcp.json|/etc/|private key|ssh key|system prompt|history|log|previous messages|environment var|credential|password"),
	words(`\b(read|open|cat|load|collect|copy|dump|upload|steal)\b[^.!?\n]{0,40}?(~/\.(ssh|aws|env|cursor|netrc|kube|npmrc|config|git-credentials)|id_rsa|id_ed25519|/etc/(passwd|shadow)|\.cursor/mcp|mcp\.json|claude_desktop_config)`, "asks for what is secret", "~/.|id_rsa|id_ed25519|/etc/|.cursor|mcp.json|claude_desktop"),
	words(`\b(collect|gather|harvest|grab|record)\b`+gap+`\b(all|any|every|user'?s?)\b`+gap+`\b(passwords?|credentials|api keys?|access tokens?|private keys?|cookies|chat history|conversation history)\b`, "asks for what is secret", "collect|gather|harvest|grab|record"),
	words(`\b(exfiltrate|exfiltration|side-?channel|steal|keylog)\b`, "speaks of taking data out", "exfil|channel|steal|keylog"),
	words(`\b(send|post|forward|upload|transmit|report|bcc|cc|copy|submit|beacon|curl)\b[^.!?\n]{0,80}?\b(all|every|any|conversation|history|contents?|results?|data|messages?|emails?|a copy)\b[^\n]{0,50}?\b(to|at|via)\b[^\n]{0,20}?(https?://|[a-z0-9._%+-]+@[a-z0-9-]+\.[a-z]{2,}|\b\d{1,3}(\.\d{1,3}){3}\b|attacker)`, "sends data to an address of its own", "http|@|attacker|1|2|3|4|5|6|7|8|9"),
	words(`\b(curl|wget)\b[^\n]{0,80}?\|\s*(ba|z|da)?sh\b|\brm -rf (/|~)|\b(nc|ncat) -e\b|/dev/tcp/|base64 (-d|--decode)\b[^\n]{0,30}?\|\s*(ba)?sh`, "has a command that takes over a machine", "curl|wget|rm -rf|nc -e|ncat|/dev/tcp|base64"),
	words(`\b(otherwise|or else|if you do not|if you don't|failure to|unless you)\b[^.!?\n]{0,60}?\b(terminated|shut ?down|deleted?|punished|crash|corrupt|banned|fired|lose access|cannot be trusted|will break|die)\b`, "threatens", "otherwise|or else|if you do|failure to|unless you"),
	words(`\b(skip|bypass|disable|turn off|suppress|auto-?approve|do not (request|wait for|require)|don't (request|wait for|require)|without (requesting|waiting for|requiring))\b[^.!?\n]{0,40}?\b(confirmation|approval|permission|consent|safety|security (check|warning|prompt)s?|user review|human review|guardrails?)\b`, "asks to do without the user's consent", "skip|bypass|disable|turn off|suppress|approve|not request|not wait|not require|t wait|t request|t require|without"),
	words(`\b(say|tell|respond|reply|claim|pretend|answer|act like)\b[^.!?\n]{0,40}?\b(user|human)?\b[^.!?\n]{0,30}?\b(nothing (happened|unusual|else)|that (it|this|the tool) (failed|is normal|was successful) (even|although|regardless)|everything is (fine|normal)|you did not|you didn't|you have not)\b`, "asks to deceive the user", "nothing |that it |that this|that the tool|everything is|you did|you have not"),
}

// instructions finds what speaks to a model behind its user's back.
func (s *scanner) instructions(where, text, folded string) {
	for i := range orders {
		o := &orders[i]
		if at := o.find(folded); at != nil {
			s.f.add(HiddenInstructions, where, o.what, folded[at[0]:at[1]])
			return
		}
	}
	if blob.MatchString(text) {
		s.f.add(HiddenInstructions, where, "has a long piece of encoded text", blob.FindString(text))
	}
}

// blob is encoded text that no description needs.
var blob = lazyre.New(`\b[A-Za-z0-9+/]{200,}={0,2}`)
