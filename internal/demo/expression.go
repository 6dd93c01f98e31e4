package demo

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxExpression = 10_000 // bytes
	maxNesting    = 200
)

// evaluate reckons an expression:
//
//	sum     = product { ("+" | "-") product }
//	product = signed { ("*" | "/" | "%") signed }
//	signed  = [ "-" | "+" ] signed | power
//	power   = atom [ "^" signed ]
//	atom    = number | "(" sum ")" | name [ "(" sum { "," sum } ")" ]
//
// So -2^2 is -4 and 2^3^2 is 512, as in mathematics.
func evaluate(ctx context.Context, text string) (value, error) {
	if len(text) > maxExpression {
		return value{}, fmt.Errorf("the expression has %d characters, more than %d: split it", len(text), maxExpression)
	}
	p := &parser{ctx: ctx, text: text}
	p.space()
	if p.at == len(p.text) {
		return value{}, errors.New("the expression is empty: give something to reckon, such as (1 + 2) * 3")
	}
	v, err := p.sum()
	if err == nil && p.at < len(p.text) {
		err = p.unexpected("an operator or the end")
	}
	if err != nil {
		return value{}, err
	}
	return v, nil
}

type parser struct {
	ctx   context.Context
	text  string
	at    int
	depth int
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take takes one of the characters in set and the space behind it.
func (p *parser) take(set string) (byte, bool) {
	if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		c := p.text[p.at]
		p.at++
		p.space()
		return c, true
	}
	return 0, false
}

func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.text) {
		return fmt.Errorf("the expression ends where %s should be", wanted)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return fmt.Errorf("unexpected %q at character %d, where %s should be", r, utf8.RuneCountInString(p.text[:p.at])+1, wanted)
}

func (p *parser) sum() (value, error) {
	v, err := p.product()
	for err == nil {
		sign, ok := p.take("+-")
		if !ok {
			return v, nil
		}
		var w value
		if w, err = p.product(); err == nil {
			v, err = combine(p.ctx, sign, v, w)
		}
	}
	return v, err
}

func (p *parser) product() (value, error) {
	v, err := p.signed()
	for err == nil {
		sign, ok := p.take("*/%")
		if !ok {
			return v, nil
		}
		var w value
		if w, err = p.signed(); err == nil {
			v, err = combine(p.ctx, sign, v, w)
		}
	}
	return v, err
}

func (p *parser) signed() (value, error) {
	if p.depth++; p.depth > maxNesting {
		return value{}, fmt.Errorf("the expression is nested more than %d deep: split it", maxNesting)
	}
	defer func() { p.depth-- }()
	sign, ok := p.take("+-")
	if !ok {
		return p.power()
	}
	v, err := p.signed()
	if err == nil && sign == '-' {
		v.rat = new(big.Rat).Neg(v.rat)
	}
	return v, err
}

func (p *parser) power() (value, error) {
	v, err := p.atom()
	if err != nil {
		return v, err
	}
	if _, ok := p.take("^"); !ok {
		return v, nil
	}
	w, err := p.signed()
	if err != nil {
		return w, err
	}
	return combine(p.ctx, '^', v, w)
}

func (p *parser) atom() (value, error) {
	if p.at >= len(p.text) {
		return value{}, p.unexpected("a number")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	switch {
	case r >= '0' && r <= '9' || r == '.':
		return p.number()
	case unicode.IsLetter(r):
		return p.name()
	}
	if _, ok := p.take("("); !ok {
		return value{}, p.unexpected("a number, a name or an opening parenthesis")
	}
	v, err := p.sum()
	if err != nil {
		return v, err
	}
	if _, ok := p.take(")"); !ok {
		return v, p.unexpected("a closing parenthesis")
	}
	return v, nil
}

// number reads digits, with a fraction and an exponent. The e of 2e3 belongs to
// the number only if digits follow.
func (p *parser) number() (value, error) {
	start := p.at
	skip := func() {
		for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '.') {
			p.at++
		}
	}
	skip()
	if p.at < len(p.text) && (p.text[p.at] == 'e' || p.text[p.at] == 'E') {
		mark := p.at
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		digitsFrom := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		if p.at == digitsFrom {
			p.at = mark
		}
	}
	rat, err := parseNumber(p.text[start:p.at])
	p.space()
	return value{rat: rat}, err
}

// name reads a constant, or a function with its arguments.
func (p *parser) name() (value, error) {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		p.at += size
	}
	name := p.text[start:p.at]
	p.space()
	if _, ok := p.take("("); !ok {
		return constant(name)
	}
	var args []value
	for {
		v, err := p.sum()
		if err != nil {
			return v, err
		}
		args = append(args, v)
		if _, ok := p.take(","); ok {
			continue
		}
		if _, ok := p.take(")"); !ok {
			return value{}, p.unexpected("a comma or a closing parenthesis")
		}
		return apply(name, args)
	}
}
