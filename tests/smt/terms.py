"""Terms at random, of floats, rounding modes and words, with their values under an assignment of the variables."""
import itertools
from fractions import Fraction

import arithmetic as ieee
from arithmetic import MODES, OPEN

TINY = [(2, 2), (2, 3), (3, 2), (3, 3)]
WORD = 4  # bits of the words


class Term:
    """A text, its sort, and its value under an assignment of the variables; OPEN where the standard leaves it open."""

    def __init__(self, sort, text, evaluate):
        self.sort, self.text, self.evaluate = sort, text, evaluate


def strict(function, *terms):
    """A function that is open where an operand is."""
    def evaluate(env):
        values = [term.evaluate(env) for term in terms]
        return OPEN if any(value is OPEN for value in values) else function(*values)
    return evaluate


def conjunction(terms):
    def evaluate(env):
        values = [term.evaluate(env) for term in terms]
        return False if any(value is False for value in values) else OPEN if any(value is OPEN for value in values) else True
    return evaluate


def disjunction(terms):
    def evaluate(env):
        values = [term.evaluate(env) for term in terms]
        return True if any(value is True for value in values) else OPEN if any(value is OPEN for value in values) else False
    return evaluate


def float_sort(f):
    return f"(_ FloatingPoint {f[0]} {f[1]})"


def pattern(bits, f):
    digits = format(bits, f"0{ieee.width(f)}b")
    if ieee.is_nan(bits, f):
        return f"(_ NaN {f[0]} {f[1]})"
    return f"(fp #b{digits[0]} #b{digits[1:1 + f[0]]} #b{digits[1 + f[0]:]})"


def decimal(q):
    text = f"{abs(q.numerator)}.0" if q.denominator == 1 else f"(/ {abs(q.numerator)}.0 {q.denominator}.0)"
    return f"(- {text})" if q < 0 else text


class Maker:
    """Terms at random, over variables of these formats."""

    def __init__(self, rng, formats, modes=0, words=0, floats=2):
        self.rng, self.formats = rng, formats
        self.variables = {}  # name: (sort, values)
        for i in range(floats):
            f = rng.choice(formats)
            self.variables["xyz"[i]] = (f, ieee.all_values(f) if f in TINY else None)
        for i in range(modes):
            self.variables[f"r{i}"] = ("mode", MODES)
        for i in range(words):
            self.variables[f"b{i}"] = ("word", range(1 << WORD))

    def variable(self, sort):
        names = [name for name, (its, _) in self.variables.items() if its == sort]
        if not names:
            return None
        name = self.rng.choice(names)
        return Term(sort, name, lambda env: env[name])

    def mode(self):
        if (variable := self.variable("mode")) and self.rng.random() < 0.7:
            return variable
        mode = self.rng.choice(MODES)
        return Term("mode", mode, lambda env: mode)

    def constant(self, f):
        if f in TINY:
            bits = self.rng.choice(ieee.all_values(f))
        else:
            bits = self.rng.choice([self.rng.getrandbits(ieee.width(f)), 0, 1, ieee.infinity(f), ieee.infinity(f) - 1,
                                    ieee.rounded(Fraction(self.rng.randint(-50, 50), self.rng.choice([1, 2, 3, 10])), "RNE", f)])
            bits = ieee.canonical(bits, f)
        return Term(f, pattern(bits, f), lambda env: bits)

    def word(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            if (variable := self.variable("word")) and rng.random() < 0.8:
                return variable
            bits = rng.getrandbits(WORD)
            return Term("word", "#b" + format(bits, f"0{WORD}b"), lambda env: bits)
        mask = (1 << WORD) - 1
        if rng.random() < 0.5:
            f = rng.choice(self.formats)
            mode, a, signed = self.mode(), self.float(f, depth - 1), rng.random() < 0.5
            return Term("word", f"((_ fp.to_{'s' if signed else 'u'}bv {WORD}) {mode.text} {a.text})",
                        strict(lambda m, x: ieee.to_word(m, x, f, WORD, signed), mode, a))
        a, b = self.word(depth - 1), self.word(depth - 1)
        name, function = rng.choice([
            ("bvadd", lambda x, y: (x + y) & mask), ("bvsub", lambda x, y: (x - y) & mask), ("bvmul", lambda x, y: (x * y) & mask),
            ("bvand", lambda x, y: x & y), ("bvxor", lambda x, y: x ^ y), ("bvudiv", lambda x, y: x // y if y else mask),
            ("bvurem", lambda x, y: x % y if y else x), ("bvshl", lambda x, y: (x << y) & mask), ("bvlshr", lambda x, y: x >> y),
            ("bvsdiv", signed_quotient), ("bvsrem", signed_rest), ("bvsmod", signed_modulus), ("bvashr", lambda x, y: (as_signed(x) >> y) & mask)])
        return Term("word", f"({name} {a.text} {b.text})", strict(function, a, b))

    def float(self, f, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            variable = self.variable(f)
            return variable if variable and rng.random() < 0.85 else self.constant(f)
        kind = rng.choice(["add", "sub", "mul", "div", "fma", "sqrt", "rem", "rti", "min", "max", "abs", "neg", "convert", "real", "integer",
                           "pattern", "ite"])
        if kind in ("real", "integer", "pattern") and rng.random() < 0.5:
            kind = "convert"
        return getattr(self, "make_" + kind, lambda *_: self.simple(kind, f, depth))(f, depth)

    def simple(self, kind, f, depth):
        a, b, mode = self.float(f, depth - 1), self.float(f, depth - 1), self.mode()
        if kind in ("add", "sub", "mul", "div"):
            function = getattr(ieee, kind)
            return Term(f, f"(fp.{kind} {mode.text} {a.text} {b.text})", strict(lambda m, x, y: function(m, x, y, f), mode, a, b))
        if kind == "rem":
            return Term(f, f"(fp.rem {a.text} {b.text})", strict(lambda x, y: ieee.rem(x, y, f), a, b))
        if kind in ("min", "max"):
            return Term(f, f"(fp.{kind} {a.text} {b.text})", strict(lambda x, y: ieee.smaller(x, y, f, kind == "max"), a, b))
        if kind == "abs":
            return Term(f, f"(fp.abs {a.text})", strict(lambda x: ieee.negate(x, f) if ieee.is_negative(x, f) else x, a))
        return Term(f, f"(fp.neg {a.text})", strict(lambda x: ieee.negate(x, f), a))

    def make_fma(self, f, depth):
        mode, a, b, c = self.mode(), *(self.float(f, depth - 1) for _ in range(3))
        return Term(f, f"(fp.fma {mode.text} {a.text} {b.text} {c.text})", strict(lambda m, x, y, z: ieee.fma(m, x, y, z, f), mode, a, b, c))

    def make_sqrt(self, f, depth):
        mode, a = self.mode(), self.float(f, depth - 1)
        return Term(f, f"(fp.sqrt {mode.text} {a.text})", strict(lambda m, x: ieee.sqrt(m, x, f), mode, a))

    def make_rti(self, f, depth):
        mode, a = self.mode(), self.float(f, depth - 1)
        return Term(f, f"(fp.roundToIntegral {mode.text} {a.text})", strict(lambda m, x: ieee.round_to_integral(m, x, f), mode, a))

    def make_convert(self, f, depth):
        other = self.rng.choice(self.formats)
        mode, a = self.mode(), self.float(other, depth - 1)
        return Term(f, f"((_ to_fp {f[0]} {f[1]}) {mode.text} {a.text})", strict(lambda m, x: ieee.convert(m, x, other, f), mode, a))

    def make_real(self, f, depth):
        mode, q = self.mode(), Fraction(self.rng.randint(-40, 40), self.rng.choice([1, 2, 3, 5, 8, 16]))
        return Term(f, f"((_ to_fp {f[0]} {f[1]}) {mode.text} {decimal(q)})", strict(lambda m: ieee.rounded(q, m, f), mode))

    def make_integer(self, f, depth):
        mode, a, signed = self.mode(), self.word(depth - 1), self.rng.random() < 0.5
        name = "to_fp" if signed else "to_fp_unsigned"
        return Term(f, f"((_ {name} {f[0]} {f[1]}) {mode.text} {a.text})", strict(lambda m, x: ieee.of_word(m, x, WORD, signed, f), mode, a))

    def make_pattern(self, f, depth):
        if ieee.width(f) != WORD:
            return self.make_convert(f, depth)
        a = self.word(depth - 1)
        return Term(f, f"((_ to_fp {f[0]} {f[1]}) {a.text})", strict(lambda x: ieee.canonical(x, f), a))

    def make_ite(self, f, depth):
        condition, a, b = self.truth(depth - 1), self.float(f, depth - 1), self.float(f, depth - 1)

        def evaluate(env):
            chosen = condition.evaluate(env)
            return OPEN if chosen is OPEN else (a if chosen else b).evaluate(env)
        return Term(f, f"(ite {condition.text} {a.text} {b.text})", evaluate)

    def atom(self, depth):
        rng = self.rng
        f = rng.choice(self.formats)
        kind = rng.choice(["lt", "leq", "eq", "same", "class", "real", "word", "mode"])
        if kind == "word" and self.variable("word"):
            a, b = self.word(depth), self.word(depth)
            name, function = rng.choice([("=", lambda x, y: x == y), ("bvult", lambda x, y: x < y), ("bvsle", lambda x, y: as_signed(x) <= as_signed(y))])
            return Term("Bool", f"({name} {a.text} {b.text})", strict(function, a, b))
        if kind == "mode" and self.variable("mode"):
            a, b = self.mode(), self.mode()
            return Term("Bool", f"(= {a.text} {b.text})", strict(lambda x, y: x == y, a, b))
        a, b = self.float(f, depth), self.float(f, depth)
        if kind == "class":
            name, function = rng.choice([("NaN", lambda x: ieee.is_nan(x, f)), ("Infinite", lambda x: ieee.is_infinite(x, f)),
                                         ("Zero", lambda x: ieee.is_zero(x, f)), ("Subnormal", lambda x: is_subnormal(x, f)),
                                         ("Negative", lambda x: ieee.is_negative(x, f) and not ieee.is_nan(x, f))])
            return Term("Bool", f"(fp.is{name} {a.text})", strict(function, a))
        if kind == "real":
            q = Fraction(rng.randint(-30, 30), rng.choice([1, 2, 3, 7, 16]))
            name, function = rng.choice([("<", lambda x: x < q), (">=", lambda x: x >= q), ("=", lambda x: x == q)])
            number = lambda x: OPEN if ieee.is_nan(x, f) or ieee.is_infinite(x, f) else function(ieee.value(x, f))
            return Term("Bool", f"({name} (fp.to_real {a.text}) {decimal(q)})", strict(number, a))
        if kind == "lt":
            return Term("Bool", f"(fp.lt {a.text} {b.text})", strict(lambda x, y: ieee.less(x, y, f), a, b))
        if kind == "leq":
            return Term("Bool", f"(fp.leq {a.text} {b.text})", strict(lambda x, y: ieee.less(x, y, f) or ieee.equal(x, y, f), a, b))
        if kind == "eq":
            return Term("Bool", f"(fp.eq {a.text} {b.text})", strict(lambda x, y: ieee.equal(x, y, f), a, b))
        return Term("Bool", f"(= {a.text} {b.text})", strict(lambda x, y: x == y, a, b))

    def truth(self, depth):
        rng = self.rng
        if rng.random() < 0.6:
            return self.atom(depth)
        a, b = self.atom(depth), self.atom(depth)
        kind = rng.choice(["and", "or", "not"])
        if kind == "and":
            return Term("Bool", f"(and {a.text} {b.text})", conjunction([a, b]))
        if kind == "or":
            return Term("Bool", f"(or {a.text} {b.text})", disjunction([a, b]))
        return Term("Bool", f"(not {a.text})", strict(lambda x: not x, a))

    def assignments(self):
        names = list(self.variables)
        for values in itertools.product(*(self.variables[name][1] for name in names)):
            yield dict(zip(names, values))

    def count(self):
        total = 1
        for _, values in self.variables.values():
            total *= len(values)
        return total

    def declarations(self):
        sorts = {"mode": "RoundingMode", "word": f"(_ BitVec {WORD})"}
        return "".join(f"(declare-fun {name} () {sorts[sort] if sort in sorts else float_sort(sort)})\n"
                       for name, (sort, _) in self.variables.items())


def as_signed(x):
    return x - (1 << WORD) if x >> (WORD - 1) else x


def signed_quotient(x, y):
    a, b = as_signed(x), as_signed(y)
    quotient = (1 if a < 0 else -1) if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient % (1 << WORD)


def signed_rest(x, y):
    a, b = as_signed(x), as_signed(y)
    rest = a if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1)
    return rest % (1 << WORD)


def signed_modulus(x, y):
    a, b = as_signed(x), as_signed(y)
    return (a if b == 0 else a % b) % (1 << WORD)


def is_subnormal(a, f):
    return not ieee.is_zero(a, f) and (a & (ieee.sign_bit(f) - 1)) < 1 << (f[1] - 1)
