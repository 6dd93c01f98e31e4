package demo

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// combine does one operation of two values.
func combine(ctx context.Context, sign byte, v, w value) (value, error) {
	if err := ctx.Err(); err != nil {
		return value{}, err
	}
	out := value{rat: new(big.Rat), approx: v.approx || w.approx}
	switch sign {
	case '+':
		out.rat.Add(v.rat, w.rat)
	case '-':
		out.rat.Sub(v.rat, w.rat)
	case '*':
		out.rat.Mul(v.rat, w.rat)
	case '/', '%':
		if w.rat.Sign() == 0 {
			return value{}, errors.New("division by zero: change the expression so that no divisor is 0")
		}
		out.rat.Quo(v.rat, w.rat)
		if sign == '%' { // what is left, with the sign of the divisor
			whole := new(big.Rat).SetInt(floor(out.rat))
			out.rat.Sub(v.rat, whole.Mul(whole, w.rat))
		}
	case '^':
		return power(v, w)
	}
	return out, out.check()
}

// power raises to a whole number, or takes a square root.
func power(v, w value) (value, error) {
	if w.rat.Cmp(big.NewRat(1, 2)) == 0 {
		return squareRoot(v)
	}
	if !w.rat.IsInt() || w.approx {
		return value{}, errors.New("an exponent must be a whole number, or 1/2 for a square root")
	}
	if v.rat.Sign() == 0 && w.rat.Sign() < 0 {
		return value{}, errors.New("0 cannot be raised to a negative power")
	}
	bits := int64(max(v.rat.Num().BitLen(), v.rat.Denom().BitLen(), 1))
	n := new(big.Int).Abs(w.rat.Num())
	trivial := v.rat.Sign() == 0 || v.rat.IsInt() && v.rat.Num().CmpAbs(big.NewInt(1)) == 0
	if trivial {
		n.And(n, big.NewInt(1)) // 0, 1 and -1 only care whether it is odd
		if v.rat.Sign() == 0 && w.rat.Sign() > 0 {
			n.SetInt64(1)
		}
	}
	if !n.IsInt64() || n.Int64() > maxBits || n.Int64()*bits > 2*maxBits {
		return value{}, errTooBig
	}
	num := new(big.Int).Exp(v.rat.Num(), n, nil)
	den := new(big.Int).Exp(v.rat.Denom(), n, nil)
	if w.rat.Sign() < 0 {
		num, den = den, num
	}
	out := value{rat: new(big.Rat).SetFrac(num, den), approx: v.approx}
	return out, out.check()
}

func squareRoot(v value) (value, error) {
	if v.rat.Sign() < 0 {
		return value{}, errors.New("a negative number has no real square root")
	}
	num, den := new(big.Int).Sqrt(v.rat.Num()), new(big.Int).Sqrt(v.rat.Denom())
	if root := new(big.Rat).SetFrac(num, den); new(big.Rat).Mul(root, root).Cmp(v.rat) == 0 {
		return value{rat: root, approx: v.approx}, nil
	}
	f := new(big.Float).SetPrec(precision).SetRat(v.rat)
	root, _ := f.Sqrt(f).Rat(nil)
	return value{rat: root, approx: true}, nil
}

// floor rounds down: Div does so for a positive divisor, as a Rat's always is.
func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

// Constants to more digits than are ever shown.
const (
	piDigits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"
	eDigits  = "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759"
)

func constant(name string) (value, error) {
	switch name {
	case "pi", "π":
		return approximate(piDigits)
	case "e":
		return approximate(eDigits)
	}
	if functionNamed(name) != nil {
		return value{}, fmt.Errorf("%s is a function: write %s(...)", name, name)
	}
	return value{}, fmt.Errorf("no constant or function %q: known are pi, e, %s", shorten(name), functionNames())
}

func approximate(text string) (value, error) {
	rat, err := parseNumber(text)
	return value{rat: rat, approx: true}, err
}

// A function of an expression. It takes least to most values.
type function struct {
	name        string
	least, most int
	do          func(args []value) (value, error)
}

func functions() []function {
	half := big.NewRat(1, 2)
	whole := func(v value, n *big.Int) (value, error) {
		return value{rat: new(big.Rat).SetInt(n), approx: v.approx}, nil
	}
	pick := func(sign int) func([]value) (value, error) {
		return func(args []value) (value, error) {
			best := args[0]
			for _, v := range args[1:] {
				if v.rat.Cmp(best.rat)*sign > 0 {
					best = v
				}
			}
			return best, nil
		}
	}
	return []function{
		{"abs", 1, 1, func(a []value) (value, error) {
			return value{rat: new(big.Rat).Abs(a[0].rat), approx: a[0].approx}, nil
		}},
		{"ceil", 1, 1, func(a []value) (value, error) {
			return whole(a[0], new(big.Int).Neg(floor(new(big.Rat).Neg(a[0].rat))))
		}},
		{"floor", 1, 1, func(a []value) (value, error) { return whole(a[0], floor(a[0].rat)) }},
		{"max", 1, maxExpression, pick(1)},
		{"min", 1, maxExpression, pick(-1)},
		{"round", 1, 1, func(a []value) (value, error) { // halves away from zero, as at school
			n := floor(new(big.Rat).Add(new(big.Rat).Abs(a[0].rat), half))
			if a[0].rat.Sign() < 0 {
				n.Neg(n)
			}
			return whole(a[0], n)
		}},
		{"sqrt", 1, 1, func(a []value) (value, error) { return squareRoot(a[0]) }},
	}
}

func functionNamed(name string) *function {
	for _, f := range functions() {
		if f.name == name {
			return &f
		}
	}
	return nil
}

func functionNames() string {
	var names []string
	for _, f := range functions() {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func apply(name string, args []value) (value, error) {
	f := functionNamed(name)
	switch {
	case f == nil:
		return value{}, fmt.Errorf("no function %q: known are %s", shorten(name), functionNames())
	case len(args) < f.least || len(args) > f.most:
		return value{}, fmt.Errorf("%s takes %d value, and got %d", name, f.least, len(args))
	}
	return f.do(args)
}
