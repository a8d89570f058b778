"""Random small C functions with a twin in Python that computes the same formulas exactly.

A program is one function and what belongs to it: tables, structs, helpers, named constants. Its text exists three times: `c`, which
Faultline reads; `marked`, the same with each branch recording its outcome (faultline_took); `exact`, a Python function over gmpy2's
floats of 300 bits. The same seed gives the same program.

What exact arithmetic makes of a program is defined as in docs/how-it-works.md: every operation, conversion of an integer and
operation on constants is exact, and comparisons are decided by exact values. Bits are only used in ways that have an exact meaning
(signs), or in programs that are marked as `bits`, of which nothing but branches is compared.
"""
import random
import struct
from dataclasses import dataclass, field


def to_float(value):
    """The nearest float of 32 bits."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


@dataclass
class Input:
    name: str
    type: str  # d, f or i
    low: float
    high: float

    @property
    def words(self):
        if self.type == "i" and self.low == self.high:
            return ["--hold", f"{self.name}={self.low}"]
        return ["--range", f"{self.name}={self.low!r}:{self.high!r}"]


@dataclass
class Program:
    name: str
    inputs: list
    result: str  # d or f
    c: str
    marked: str
    exact: str
    bits: bool
    features: set = field(default_factory=set)


C_TYPES = {"d": "double", "f": "float", "i": "int"}
# Functions of one number: C's name, the argument in C, the same in Python.
FUNCTIONS = [("sin", "{}", "sin({})"), ("cos", "{}", "cos({})"), ("atan", "{}", "atan({})"), ("tanh", "{}", "tanh({})"),
             ("cbrt", "{}", "cbrt({})"), ("exp", "-fabs{s}({})", "exp(-abs({}))"), ("log1p", "fabs{s}({})", "log1p(abs({}))"),
             ("expm1", "-fabs{s}({})", "expm1(-abs({}))"), ("sqrt", "fabs{s}({})", "sqrt(abs({}))"), ("floor", "{}", "floor({})"),
             ("ceil", "{}", "ceil({})"), ("trunc", "{}", "trunc({})"), ("log", "1 + fabs{s}({})", "log(1 + abs({}))"),
             ("erf", "{}", "erf({})"), ("asinh", "{}", "asinh({})")]
PAIRS = [("fmin", "min({}, {})"), ("fmax", "max({}, {})"), ("hypot", "hypot({}, {})"), ("copysign", "copysign({}, {})"),
         ("fdim", "max({} - {}, 0)"), ("atan2", "atan2({}, {})"), ("fmod", "fmod({}, {})")]
INDENT = "  "


class Writer:
    """Writes one program. An expression is a pair: its text in C and in Python."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.id = seed
        self.globals, self.body, self.twin = [], [], []
        self.depth = 1
        self.branches = self.count = 0
        self.features = set()
        self.variables = []  # name, type
        self.bits = False

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def write(self, c, python):
        self.body += [INDENT * self.depth + line for line in ([c] if isinstance(c, str) else c)]
        self.twin += [INDENT * self.depth + line for line in ([python] if isinstance(python, str) else python)]

    # Numbers

    def number(self, type_):
        r = self.r
        value = r.choice([lambda: float(r.randint(1, 9)), lambda: 2.0**r.randint(-4, 4), lambda: round(r.uniform(0.1, 3), 2),
                          lambda: round(r.uniform(0.001, 0.01), 5), lambda: round(r.uniform(10, 1000), 1), lambda: r.uniform(0, 2),
                          lambda: 10.0**r.randint(3, 9)])()
        if type_ == "f":
            return f"{value!r}f", f"num({to_float(value)!r})"
        return repr(value), f"num({value!r})"

    def constant(self, type_, depth=2):
        """A constant expression that rounds, more often than not."""
        if depth == 0 or self.r.random() < 0.2:
            return self.number(type_)
        left, right = self.constant(type_, depth - 1), self.constant(type_, depth - 1)
        operator = self.r.choice("+-*//")
        if operator == "/" and depth > 1:
            right = self.number(type_)  # not zero
        return f"({left[0]} {operator} {right[0]})", f"({left[1]} {operator} {right[1]})"

    def leaf(self, type_):
        same = [name for name, other in self.variables if other == type_]
        if same and self.r.random() < 0.8:
            name = self.r.choice(same)
            return name, name
        # A converted constant is a number of the other format; here it would be a rounding.
        other = [name for name, other in self.variables if other in "df" and other != type_ and name[0] != "k"]
        if other and not same and self.r.random() < 0.8:
            name = self.r.choice(other)
            return f"({C_TYPES[type_]}){name}", name
        if self.r.random() < 0.3:
            self.features.add("constant expression")
            return self.constant(type_)
        return self.number(type_)

    def expression(self, type_, depth):
        r, k = self.r, self.r.random()
        if depth <= 0 or k < 0.08:
            return self.leaf(type_)
        s = "f" if type_ == "f" else ""
        a = self.expression(type_, depth - 1)
        if k < 0.52:
            b, operator = self.expression(type_, depth - 1), r.choice("++--**")
            return f"({a[0]} {operator} {b[0]})", f"({a[1]} {operator} {b[1]})"
        if k < 0.62:
            b, c = self.expression(type_, depth - 1), self.number(type_)
            return f"({a[0]} / (fabs{s}({b[0]}) + {c[0]}))", f"({a[1]} / (abs({b[1]}) + {c[1]}))"
        if k < 0.74:
            self.features.add("libm")
            name, c, python = r.choice(FUNCTIONS)
            return f"{name}{s}({c.format(a[0], s=s)})", python.format(a[1])
        if k < 0.80:
            self.features.add("libm")
            b = self.expression(type_, depth - 1)
            name, python = r.choice(PAIRS)
            return f"{name}{s}({a[0]}, {b[0]})", python.format(a[1], b[1])
        if k < 0.83:
            b, c = self.expression(type_, depth - 1), self.expression(type_, depth - 1)
            return f"fma{s}({a[0]}, {b[0]}, {c[0]})", f"({a[1]} * {b[1]} + {c[1]})"
        if k < 0.87:
            self.features.add("branch")
            b = self.expression(type_, depth - 1)
            operator = r.choice(["<", ">", "<=", ">="])
            c = (a, b) if r.random() < 0.5 else (self.expression(type_, depth - 1), self.expression(type_, depth - 1))
            return (f"({a[0]} {operator} {b[0]} ? {c[0][0]} : {c[1][0]})", f"({c[0][1]} if {a[1]} {operator} {b[1]} else {c[1][1]})")
        if k < 0.91:
            other = "d" if type_ == "f" else "f"
            a = self.expression(other, depth - 1)
            if any(name in a[1] for name, _ in self.variables if name[0] != "k"):
                return f"(({C_TYPES[type_]}){a[0]})", a[1]
            return self.leaf(type_)
        if k < 0.96:
            return self.integer_conversion(type_, a, s)
        return f"(-{a[0]})", f"(-{a[1]})"

    def integer_conversion(self, type_, a, s):
        self.features.add("integer")
        integers = [name for name, other in self.variables if other == "i"]
        if integers and self.r.random() < 0.7:
            n = self.r.choice(integers)
            c, python = self.r.choice([("{}", "{}"), ("({} * {} + 1)", "({} * {} + 1)"), ("({} & 5)", "({} & 5)"),
                                       ("({} / 3)", "tdiv({}, 3)"), ("({} * 4194305LL)", "({} * 4194305)")])
            return f"(({C_TYPES[type_]}){c.format(n, n)})", f"num({python.format(n, n)})"
        # What is converted is small: no conversion is undefined.
        bounded = f"fmod{s}({a[0]}, 1000)" if self.r.random() < 0.2 else f"(8 * tanh{s}({a[0]}))"
        exact = f"fmod({a[1]}, 1000)" if bounded.startswith("fmod") else f"(8 * tanh({a[1]}))"
        return f"(({C_TYPES[type_]})(int){bounded})", f"trunc({exact})"

    # Statements

    def declare(self, type_, value, stem="v"):
        name = self.fresh(stem)
        self.write(f"{C_TYPES[type_]} {name} = {value[0]};", f"{name} = {value[1]}")
        self.variables.append((name, type_))
        return name

    def condition(self):
        """Opens a branch; its line is its own."""
        type_ = self.r.choice("dddf")
        a, b = self.expression(type_, 2), self.leaf(type_) if self.r.random() < 0.5 else self.number(type_)
        operator = self.r.choice(["<", ">", "<=", ">=", "==", "!="] if self.r.random() < 0.2 else ["<", ">"])
        self.branches += 1
        return f"BRANCH({self.branches - 1}, {a[0]} {operator} {b[0]})", f"{a[1]} {operator} {b[1]}"

    def scoped(self, write):
        """A block: its variables end with it."""
        known = list(self.variables)
        self.depth += 1
        write()
        self.depth -= 1
        self.variables = known

    def branch(self):
        self.features.add("branch")
        type_ = self.r.choice("ddf")
        name = self.declare(type_, self.expression(type_, 1))
        test = self.condition()

        def assign():
            value = self.expression(type_, 2)
            self.write(f"{name} = {value[0]};", f"{name} = {value[1]}")

        self.write(f"if ({test[0]}) {{", f"if {test[1]}:")
        self.scoped(assign)
        if self.r.random() < 0.6:
            self.write("} else {", "else:")
            self.scoped(assign)
        self.write("}", [])

    def loop(self):
        self.features.add("loop")
        type_, r = self.r.choice("dddf"), self.r
        turns = r.choice([2, 3, 3, 4, 5, 8, 12])
        start = self.expression(type_, 1) if r.random() < 0.6 else self.number(type_)
        name, i = self.declare(type_, start, "s"), self.fresh("i")
        self.write(f"for (int {i} = 0; {i} < {turns}; {i}++) {{", f"for {i} in range({turns}):")
        other = self.table_element(type_, i, turns) if r.random() < 0.5 else self.leaf(type_)
        factor = self.number(type_) if r.random() < 0.3 else (f"0.{r.randint(1, 9)}", f"num(0.{r.randint(1, 9)})")
        if factor[0].startswith("0.") and "e" not in factor[0]:
            value = round(r.uniform(-0.95, 0.95), 2)
            text = f"{value!r}{'f' if type_ == 'f' else ''}"
            factor = (f"({text})", f"num({(to_float(value) if type_ == 'f' else value)!r})")
        update = r.choice([("{n} * {k} + {o}", "{n} * {k} + {o}"), ("{n} + {o} / ({i} + 1)", "{n} + {o} / ({i} + 1)"),
                           ("{o} - {n} * {k}", "{o} - {n} * {k}"), ("{n} + {k} * ({o} - {n})", "{n} + {k} * ({o} - {n})")])
        fill = [dict(n=name, k=factor[side], o=other[side], i=i) for side in (0, 1)]
        self.scoped(lambda: self.write(f"{name} = {update[0].format(**fill[0])};", f"{name} = {update[1].format(**fill[1])}"))
        self.write("}", [])

    def search_loop(self):
        """A loop whose turns depend on the data."""
        self.features.add("loop")
        name, k = self.declare("d", self.expression("d", 1), "w"), self.fresh("k")
        limit = round(self.r.uniform(0.5, 40), 1)
        self.branches += 1
        self.write([f"int {k} = 0;", f"while (BRANCH({self.branches - 1}, fabs({name}) > {limit}) && {k} < 6) {{"],
                   [f"{k} = 0", f"while abs({name}) > num({limit}) and {k} < 6:"])
        factor = round(self.r.uniform(0.1, 0.7), 2)
        self.scoped(lambda: self.write([f"{name} = {name} * {factor};", f"{k}++;"], [f"{name} = {name} * num({factor})", f"{k} += 1"]))
        self.write("}", [])

    def table(self, type_, size):
        self.features.add("table")
        name = f"t{self.id}_{self.fresh('')}"
        where = self.r.choice(["global", "static", "local"])
        # With static storage, an initialiser is data: where a variable chooses the element, its rounded value counts.
        rounds = where == "local" and self.r.random() < 0.5
        values = [self.constant(type_, 1) if rounds else self.number(type_) for _ in range(size)]
        begin = "" if where == "local" else "static const "
        text = f"{begin}{C_TYPES[type_]} {name}[{size}] = {{{', '.join(value[0] for value in values)}}};"
        self.twin.append(f"{INDENT * self.depth}{name} = [{', '.join(value[1] for value in values)}]")
        if where == "global":
            self.globals.append(text)
        else:
            self.body.append(INDENT * self.depth + text)
        return name

    def table_element(self, type_, index, size):
        # The table stands before the loop that reads it.
        line, twin = self.body.pop(), self.twin.pop()
        name = self.table(type_, size)
        self.body.append(line)
        self.twin.append(twin)
        return f"{name}[{index}]", f"{name}[{index}]"

    def lookup(self):
        name = self.table("d", 4)
        a, index = self.expression("d", 1), self.fresh("j")
        self.write(f"int {index} = (int)(8 + 8 * tanh({a[0]})) & 3;", f"{index} = int(trunc(8 + 8 * tanh({a[1]}))) & 3")
        self.declare("d", (f"{name}[{index}]", f"{name}[{index}]"))

    def struct(self):
        self.features.add("struct")
        kind, name = f"P{self.id}_{self.fresh('')}", self.fresh("p")
        self.globals.append(f"typedef struct {{ double a, b, c; }} {kind};")
        values = [self.number("d"), self.constant("d", 1) if self.r.random() < 0.5 else self.number("d"), self.leaf("d")]
        if self.r.random() < 0.5:
            values[2] = self.number("d")
        formula = self.r.choice(["{a} / {b}", "{a} * {c} + {b}", "({a} - {b}) / (fabs({c}) + 1)", "{a} / 3 + {b} / 7 - {c}"])
        way, helper = self.r.choice(["value", "pointer", "made"]), f"h{kind}"
        texts, access = [value[0] for value in values], "p->" if way == "pointer" else "p."
        if way == "made":
            self.globals.append(f"static {kind} make{kind}(double c) {{ {kind} p = {{{texts[0]}, {texts[1]}, 0}}; p.c = c; return p; }}")
            self.write(f"{kind} {name} = make{kind}({texts[2]});", [])
        else:
            self.write(f"{kind} {name} = {{{', '.join(texts)}}};", [])
        parameter = f"const {kind} *p" if way == "pointer" else f"{kind} p"
        self.globals.append(f"static double {helper}({parameter}) {{ return {formula.format(**{f: access + f for f in 'abc'})}; }}")
        self.write([], f"{name} = ({', '.join(value[1] for value in values)})")
        exact = formula.replace("fabs", "abs").format(**{f: f"{name}[{k}]" for k, f in enumerate("abc")})
        self.declare("d", (f"{helper}({'&' if way == 'pointer' else ''}{name})", f"({exact})"))

    def named_constant(self):
        self.features.add("constant expression")
        type_ = self.r.choice("dddf")
        value = self.constant(type_)
        name = f"k{self.id}_{self.fresh('')}"
        text = f"static const {C_TYPES[type_]} {name} = {value[0]};"
        if self.r.random() < 0.5:
            self.globals.append(text)
        else:
            self.body.append(INDENT * self.depth + text)
        self.write([], f"{name} = {value[1]}")
        self.variables.append((name, type_))

    def sign_bits(self):
        """Signs by bits, which have an exact meaning."""
        self.features.add("bits")
        a, bits = self.expression("d", 1), self.fresh("u")
        way = self.r.choice(["fabs", "negate", "sign"])
        self.write([f"union {{ double d; uint64_t u; }} {bits} = {{ {a[0]} }};"], f"{bits} = {a[1]}")
        if way == "sign":
            self.branches += 1
            name = self.declare("d", self.number("d"))
            self.write([f"if (BRANCH({self.branches - 1}, {bits}.u >> 63))", f"  {name} = {bits}.d * 2;"],
                       [f"if {bits} < 0:", f"  {name} = {bits} * 2"])
            return
        self.write(f"{bits}.u {'&= ~0 + (1ull << 63)' if way == 'fabs' else '^= 1ull << 63'};", [])
        self.declare("d", (f"{bits}.d", f"abs({bits})" if way == "fabs" else f"(-{bits})"))

    def other_bits(self):
        """Bits that have no exact meaning: only what the code does natively is compared."""
        self.features.add("bits")
        self.bits = True
        a, bits = self.expression("d", 1), self.fresh("u")
        self.write([f"uint64_t {bits};", f"{{ double z = {a[0]}; memcpy(&{bits}, &z, 8); }}"], [])
        self.branches += 1
        name = self.declare("d", self.number("d"))
        test = self.r.choice(["({u} & 255) < {n}", "({u} >> 52 & 2047) > {e}", "(uint32_t)({u} >> 32) < 0x{h:x}u", "({u} & 3) == 1"])
        test = test.format(u=bits, n=self.r.randint(1, 200), e=1023 + self.r.randint(-8, 8), h=0x3ff00000 + (self.r.randint(-64, 64) << 14))
        value = self.expression("d", 1)
        self.write([f"if (BRANCH({self.branches - 1}, {test}))", f"  {name} = {value[0]};"], [])

    def program(self):
        r = self.r
        inputs = []
        for name in ("x", "y", "z")[:r.choice([1, 1, 1, 2, 2, 3])]:
            type_ = r.choice("dddf")
            low, high = r.choice([(1.0, 2.0), (0.0, 4.0), (-2.0, 3.0), (0.001, 0.01), (100.0, 1e6), (-1.0, 1.0), (0.5, 0.625)])
            if type_ == "f":
                low, high = to_float(low), to_float(high)
            inputs.append(Input(f"{name}{self.id}", type_, low, high))
        if r.random() < 0.25:
            low = r.choice([3, -5, 0, 1, 16777217])
            inputs.append(Input(f"n{self.id}", "i", low, low + r.choice([0, 0, 1, 3])))
        self.variables = [(given.name, given.type) for given in inputs]
        statements = [self.branch, self.branch, self.loop, self.loop, self.search_loop, self.lookup, self.struct, self.named_constant,
                      self.named_constant, self.sign_bits, self.other_bits,
                      lambda: self.declare("f", self.expression("f", 2)), lambda: self.declare("d", self.expression("d", 3))]
        for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4])):
            r.choice(statements)()
        result = r.choice("dddf")
        value = self.expression(result, r.choice([2, 3, 4]))
        self.write(f"return {value[0]};", f"return {value[1]}")
        name = f"f{self.id}"
        parameters = ", ".join(f"{C_TYPES[given.type]} {given.name}" for given in inputs)
        c = "\n".join([*self.globals, f"{C_TYPES[result]} {name}({parameters}) {{", *self.body, "}"]) + "\n"
        exact = f"def {name}({', '.join(given.name for given in inputs)}):\n" + "\n".join(self.twin) + "\n"
        return Program(name, inputs, result, plainly(c), c, exact, self.bits, self.features)


def plainly(text):
    """The text without marks of branches."""
    while (at := text.find("BRANCH(")) >= 0:
        begin, depth, k = text.index(",", at) + 2, 1, at + len("BRANCH(")
        while depth:
            depth += {"(": 1, ")": -1}.get(text[k], 0)
            k += 1
        text = text[:at] + "(" + text[begin:k - 1] + ")" + text[k:]
    return text


def program(seed):
    return Writer(seed).program()


HEADER = """#include <math.h>
#include <stdint.h>
#include <string.h>
"""
MARKS = """static unsigned char took[64][2];
unsigned char *faultline_took(void) { return took[0]; }
#define BRANCH(id, condition) ({ int outcome = !!(condition); took[id][outcome] = 1; outcome; })
"""
