"""What `faultline solve` prints, read back; and paths of programs as its problems."""
import re
import struct
from dataclasses import dataclass

ANSWERS = ("sat", "unsat", "unknown")
EFFORT = r"(?P<seconds>\d+\.\d+) s(?:, (?P<projections>\d+) projections)?"
ENDING = re.compile(rf"^; (?P<solver>\S+), {EFFORT}$(?:\n; (?P<reason>.*))?", re.MULTILINE)
EXTENT = re.compile(rf"^; extent of .*: (?:empty|\[\S+ (?P<low>\S+), \S+ (?P<high>\S+)\]), (?P<open>not )?exact; {EFFORT}$", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """The answer to one check. `projections` are the cost of the interval solver, the same on every machine."""
    answer: str
    solver: str = ""
    seconds: float = 0
    projections: int = 0
    reason: str = ""


def answer_in(out):
    """The answer in the output of a problem with one check."""
    ending = ENDING.search(out)
    answer = next(line for line in out.splitlines() if line in ANSWERS)
    return Answer(answer, ending["solver"], float(ending["seconds"]), int(ending["projections"] or 0), ending["reason"] or "")


@dataclass(frozen=True)
class Extent:
    """The least and the greatest value of a float over all models; None: there is no model."""
    low: float | None
    high: float | None
    exact: bool  # both are proved
    seconds: float = 0
    projections: int = 0

    @property
    def infeasible(self):
        return self.low is None


def extent_in(out):
    """The first extent in the output of solve --extent."""
    found = EXTENT.search(out)
    low, high = (None if found[end] is None else float.fromhex(found[end]) for end in ("low", "high"))
    return Extent(low, high, not found["open"], float(found["seconds"]), int(found["projections"] or 0))


# The layout of a format: struct's codes, the bits of the exponent and of the significand.
LAYOUTS = {"single": (">f", ">I", 8, 23), "double": (">d", ">Q", 11, 52)}


def rounded(text, form):
    """The number of the format that is nearest to a decimal."""
    code = LAYOUTS[form][0]
    return struct.unpack(code, struct.pack(code, float(text)))[0]


class Path:
    """A path of a program as an SMT-LIB problem, built as in symbolic execution: assignments in three-address code, and the
    tests that the path passes.

    Constraints and variables are counted as in FPSE (ICST 2013): every assignment is a constraint and makes a variable, every
    test is a constraint, and every input is a variable. A copy is no term of the problem, but counts.
    """

    def __init__(self, form):
        self.form, self.sort = form, "Float32" if form == "single" else "Float64"
        self.constraints = self.variables = 0
        self.result = ""
        self._lines = ["(set-logic QF_FP)"]

    def number(self, text):
        """A literal of the program, rounded once."""
        floating, whole, exponent, significand = LAYOUTS[self.form]
        bits = struct.unpack(whole, struct.pack(floating, float(text)))[0]
        digits = f"{bits:0{1 + exponent + significand}b}"
        return f"(fp #b{digits[0]} #b{digits[1:1 + exponent]} #b{digits[1 + exponent:]})"

    def input(self, name, value=None):
        """A value is asserted, so that the solver must do the computation."""
        self.variables += 1
        self._lines.append(f"(declare-fun |{name}| () {self.sort})")
        if value is not None:
            self.constraints += 1
            self._lines.append(f"(assert (= |{name}| {self.number(value)}))")
        return f"|{name}|"

    def assign(self, operation, a, b):
        self.constraints += 1
        self.variables += 1
        name = f"t{self.variables}"
        self._lines.append(f"(define-fun {name} () {self.sort} ({operation} RNE {a} {b}))")
        return name

    def add(self, a, b):
        return self.assign("fp.add", a, b)

    def subtract(self, a, b):
        return self.assign("fp.sub", a, b)

    def multiply(self, a, b):
        return self.assign("fp.mul", a, b)

    def divide(self, a, b):
        return self.assign("fp.div", a, b)

    def copy(self, a):
        self.constraints += 1
        self.variables += 1
        return a

    def test(self, relation, a, b, outcome=True):
        """The outcome of a test of the program."""
        self.constraints += 1
        condition = f"({relation} {a} {b})"
        self._lines.append(f"(assert {condition if outcome else f'(not {condition})'})")

    def returns(self, term):
        """The result of the program, or the value in question."""
        self.result = term

    def problem(self, asks="", more=()):
        """The text of the problem. `more` are terms whose values are asked for."""
        terms = " ".join(filter(None, (asks, *more)))
        return "\n".join([*self._lines, "(check-sat)", *([f"(get-value ({terms}))"] if terms else [])]) + "\n"
