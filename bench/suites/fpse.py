"""The FPSE suite: path conditions over floats, solved by interval propagation, next to the results of FPSE (Bagnara, Carlier, Gori,
Gotlieb, ICST 2013).

Two parts. Programs: seven small ones, where every value must be exact; the set of solutions is given by its least and greatest
value, proven. Paths: the two case studies, which measure the savings from filtering by ULP-max; each path is solved with it and
without. In addition to seconds, projections are counted, which are the same on every machine.
"""
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from .common import QUIET, REPORT, Form, Table, UserError, budget_option, conclude, csv_text, parse, reports, shortest
from .fpse_cases import DEEPEST_DICHOTOMIC, TCAS_PATHS, dichotomic, tcas, tcas_name
from .solving import Answer, Extent, Path, answer_in, extent_in, rounded

SOLVER = "interval"
FORM = Form(
    "faultline bench fpse", "Solves path conditions over floats: the evaluation of FPSE (ICST 2013).",
    """Seven small programs in single and double, whose results are compared with what is
published, and the paths of two case studies (examples/fpse), solved with filtering by ULP-max and without. The exit
status is 0 if all results agree and every path of dichotomic() is solved with ULP-max, else 1.

Examples:
  faultline bench fpse                               all of it
  faultline bench fpse --time 30s -o fpse.csv        more time for each path; a line for each result
  faultline bench fpse -o -                          JSON on standard output""",
    (budget_option("5s", "for each question: 5s, 500ms, 2m", "--time"), REPORT, QUIET))


# The seven programs of FPSE's "selected experimental results" (slides of ICST 2013), each in single and in double, with the
# results that the authors expect and those that FPSE computed.

@dataclass(frozen=True)
class Published:
    """As printed on the slide: digits may be truncated."""
    kind: str = "infeasible"  # or: value (the only one), member (one of several), ends (of all)
    least: str = ""
    greatest: str = ""  # equal except for `ends`

    def __str__(self):
        return {"infeasible": "infeasible", "ends": f"[{self.least}, {self.greatest}]"}.get(self.kind, self.least)


def value(text):
    return Published("value", text, text)


def member(text):
    return Published("member", text, text)


def ends(least, greatest):
    return Published("ends", least, greatest)


INFEASIBLE = Published()


def goldberg_sum(path):
    a, b, c = path.input("a", "2.0e-30"), path.input("b", "1.0e30"), path.input("c", "1.0e-30")
    path.returns(path.subtract(path.subtract(path.add(a, b), b), c))


def goldberg_quadratic(path):
    """D == B*B - 4*A*C"""
    a, b, d, c = path.input("A", "1.22"), path.input("B", "3.34"), path.input("D", "0.0"), path.input("C")
    square = path.multiply(b, b)
    product = path.multiply(path.multiply(path.number("4"), a), c)
    path.test("fp.eq", d, path.subtract(square, product))
    path.returns(c)


def sum_is_larger(path):
    x, y = path.input("x"), path.input("y", "1.0e12")
    path.test("fp.lt", x, path.number("1.0e4"))
    path.test("fp.gt", path.add(x, y), y)
    path.returns(x)


def sum_is_the_same(path):
    x, y = path.input("x"), path.input("y", "1.0e12")
    path.test("fp.gt", x, path.number("0"))
    path.test("fp.eq", path.add(x, y), y)
    path.returns(x)


def power(path, times):
    """z = 1; for (; y != 0; ++y) z *= x; return 1 / z; with y < 0. Unrolling determines the results of the tests of y; the last
    one implies all of them."""
    x, y, z = path.input("x", "10"), path.input("y", f"-{times}"), path.number("1")
    for _ in range(times):
        z = path.multiply(z, x)
        y = path.add(y, path.number("1"))
    path.test("fp.eq", y, path.number("0"))
    path.returns(path.divide(path.number("1"), z))


def howden(path):
    a, b = path.input("a"), path.input("b")
    x1 = path.add(path.multiply(a, b), path.number("2"))
    path.test("fp.gt", x1, path.number("100"))
    x3 = path.subtract(path.subtract(path.number("100"), x1), path.number("50"))
    path.test("fp.gt", x3, path.number("50"))
    path.returns(a)


@dataclass(frozen=True)
class Program:
    name: str
    build: Callable  # path.result is the value in question
    expected: dict  # by format
    fpse: dict


def program(name, build, single, double):
    """Each pair is what is expected, and what FPSE computed."""
    return Program(name, build, {"single": single[0], "double": double[0]}, {"single": single[1], "double": double[1]})


PROGRAMS = (
    program("goldberg_sum", goldberg_sum, (value("-1.000000003e-30"), value("-1.000000003e-30")),
            (value("-1.0e-30"), value("-1.0e-30"))),
    program("goldberg_quadratic", goldberg_quadratic,
            (member("2.2859835624694824"), ends("2.2859833240509033", "2.2859835624694824")),
            (member("2.2859836065573770"), ends("2.2859836065573766", "2.2859836065573770"))),
    program("sum_is_larger", sum_is_larger, (INFEASIBLE, INFEASIBLE), (ends("6.103e-5", "9.999e3"), ends("6.103e-5", "9.999e3"))),
    program("sum_is_the_same", sum_is_the_same,
            (ends("1.4012984643248171e-45", "3.2767998046875000e+04"), ends("1.4012984643248171e-45", "3.2768000000000000e+04")),
            (ends("4.9406564584124654e-324", "6.1035156250000000e-05"), ends("4.9406564584124654e-324", "6.1035156250000000e-05"))),
    program("power_40", lambda path: power(path, 40), (value("+0.0"), value("+0.0")),
            (value("1.000000000001e-40"), value("1.000000000001e-40"))),
    program("power_350", lambda path: power(path, 350), (value("+0.0"), value("+0.0")), (value("+0.0"), value("+0.0"))),
    program("howden", howden, (INFEASIBLE, INFEASIBLE), (INFEASIBLE, INFEASIBLE)),
)


def last_unit(decimal):
    """One unit of the last digit of a decimal number."""
    digits, _, exponent = decimal.partition("e")
    return Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))


def near(number, decimal):
    if not Fraction(decimal):
        return number == 0 and math.copysign(1, number) == math.copysign(1, float(decimal))
    return abs(Fraction(number) - Fraction(decimal)) < last_unit(decimal)


def agrees(extent, published, form):
    """True if ends differ by less than one unit of the last printed digit, and zeros are the same zero. A member agrees if it is
    between the ends."""
    if not extent.exact or extent.infeasible or published.kind == "infeasible":
        return extent.exact and extent.infeasible and published.kind == "infeasible"
    if published.kind == "member":
        return extent.low <= rounded(published.least, form) <= extent.high
    return near(extent.low, published.least) and near(extent.high, published.greatest)


# Results

@dataclass
class ProgramResult:
    program: Program
    form: str
    constraints: int
    variables: int
    extent: Extent

    @property
    def expected(self):
        return self.program.expected[self.form]

    @property
    def agrees(self):
        return agrees(self.extent, self.expected, self.form)

    @property
    def answer(self):
        """Infeasible, a value, or [least, greatest]; with a ? if it is not proven."""
        extent = self.extent
        if extent.infeasible:
            return "infeasible"
        low, high = shortest(extent.low), shortest(extent.high)
        return (low if low == high else f"[{low}, {high}]") + ("" if extent.exact else " ?")


@dataclass
class PathResult:
    study: str  # dichotomic or tcas
    depth: int  # of dichotomic
    path: str
    constraints: int
    variables: int
    with_ulp_max: Answer
    without: Answer

    @property
    def solved(self):
        return self.with_ulp_max.answer != "unknown"

    # The cost without ULP-max relative to the cost with it. An unanswered question counts with the effort spent on it, so the
    # ratio is a lower bound then.
    @property
    def ratio_of_projections(self):
        return self.without.projections / max(self.with_ulp_max.projections, 1)

    @property
    def ratio_of_times(self):
        return self.without.seconds / max(self.with_ulp_max.seconds, 1e-6)


@dataclass
class Evaluation:
    seconds: float = 5  # for each question
    programs: list = field(default_factory=list)
    paths: list = field(default_factory=list)

    def good(self):
        """True if every program agrees, and every path of dichotomic() was solved with ULP-max."""
        return all(result.agrees for result in self.programs) and all(
            path.solved for path in self.paths if path.study == "dichotomic")


def evaluate_program(solve, entry, form):
    path = Path(form)
    entry.build(path)
    extent = extent_in(solve(path.problem(path.result), "--extent"))
    return ProgramResult(entry, form, path.constraints, path.variables, extent)


def evaluate_path(solve, study, depth, name, path):
    problem = path.problem()
    return PathResult(study, depth, name, path.constraints, path.variables, answer_in(solve(problem)),
                      answer_in(solve(problem, "--no-ulp-max")))


def questions(evaluation):
    """A name and a function of `solve` for each question; the function keeps the result."""
    for entry in PROGRAMS:
        for form in ("single", "double"):
            yield entry.name, lambda solve, entry=entry, form=form: evaluation.programs.append(evaluate_program(solve, entry, form))

    def path(study, depth, name, built):
        return lambda solve: evaluation.paths.append(evaluate_path(solve, study, depth, name, built))

    for too_large in (False, True):
        for depth in range(1, DEEPEST_DICHOTOMIC + 1):
            yield f"dichotomic, depth {depth}", path("dichotomic", depth, "too large" if too_large else "found",
                                                     dichotomic(depth, too_large))
    for number in range(TCAS_PATHS):
        yield f"tcas, path {number + 1}", path("tcas", 0, tcas_name(number), tcas(number))


def evaluate(seconds, context, quiet):
    evaluation = Evaluation(seconds)

    def solve(problem, *options):
        return context.run(["solve", "-", "--solver", SOLVER, "--time", f"{shortest(seconds)}s", *options], text=problem)

    for name, ask in questions(evaluation):
        if context.interrupted:
            break
        if not quiet and sys.stderr.isatty():
            context.note(name)
        try:
            ask(solve)
        except UserError:
            if not context.interrupted:
                raise
    return evaluation


# Reports

TITLES = ("benchmark", "solver", "answer", "seconds", "projections", "constraints", "variables", "expected", "fpse", "agrees")
NUMBERS = {"seconds": float, "projections": int, "constraints": int, "variables": int}


def rows(evaluation):
    """One row per program and format, and two per path, with ULP-max and without."""
    for result in evaluation.programs:
        yield (f"{result.program.name}_{result.form}", SOLVER, result.answer, f"{result.extent.seconds:.6f}",
               str(result.extent.projections), str(result.constraints), str(result.variables), str(result.expected),
               str(result.program.fpse[result.form]), "yes" if result.agrees else "no")
    for path in evaluation.paths:
        name = f"dichotomic {path.depth}: {path.path}" if path.study == "dichotomic" else f"tcas: {path.path}"
        for solver, answer in ((SOLVER, path.with_ulp_max), (f"{SOLVER} without ULP-max", path.without)):
            yield (name, solver, answer.answer, f"{answer.seconds:.6f}", str(answer.projections), str(path.constraints),
                   str(path.variables), "", "", "")


def json_of(evaluation):
    entries = [{title: NUMBERS.get(title, str)(cell) for title, cell in zip(TITLES, row) if cell} for row in rows(evaluation)]
    return json.dumps({"suite": "fpse", "time_limit_seconds": evaluation.seconds, "good": evaluation.good(), "rows": entries},
                      indent=2) + "\n"


def milliseconds(seconds):
    return f"{1e3 * seconds:.1f}"


def program_table(evaluation):
    table = Table(["program", "format", ">constraints", "expected", "FPSE", "ours, exact", "agrees", ">ms"])
    for result in evaluation.programs:
        table.rows.append([result.program.name, result.form, str(result.constraints), str(result.expected),
                           str(result.program.fpse[result.form]), result.answer, "yes" if result.agrees else "NO",
                           milliseconds(result.extent.seconds)])
    return table.text() + "\n" if table.rows else ""


STUDIES = {"dichotomic": "dichotomic()", "tcas": "tcas_periodic_task_1Hz()"}


def path_table(evaluation, study):
    table = Table([STUDIES[study], ">constraints", ">variables", "without", ">projections", ">ms", "with ULP-max", ">projections",
                   ">ms", ">ratio", ">of times"])
    for path in evaluation.paths:
        if path.study != study:
            continue
        bound = "> " if path.without.answer == "unknown" else ""
        name = f"{path.depth} turn{'' if path.depth == 1 else 's'}, {path.path}" if study == "dichotomic" else path.path
        table.rows.append([name, str(path.constraints), str(path.variables)]
                          + [cell for answer in (path.without, path.with_ulp_max)
                             for cell in (answer.answer, str(answer.projections), milliseconds(answer.seconds))]
                          + [f"{bound}{ratio:.1f}" if path.solved else "-"
                             for ratio in (path.ratio_of_projections, path.ratio_of_times)])
    return table.text() + "\n" if table.rows else ""


def summary(evaluation):
    text = (f"{sum(result.agrees for result in evaluation.programs)} of {len(evaluation.programs)} results agree with what is "
            "expected.\n")
    for study, name in STUDIES.items():
        paths = [path for path in evaluation.paths if path.study == study]
        text += (f"{name}: of {len(paths)} paths, {sum(path.solved for path in paths)} solved with ULP-max, "
                 f"{sum(path.without.answer != 'unknown' for path in paths)} without; "
                 f"{sum(path.solved and path.ratio_of_projections >= 2 for path in paths)} with at most half the projections.\n")
    return text + (f"unknown: not solved in {shortest(evaluation.seconds)} s; ratios, of projections and of times, are lower bounds "
                   "then.\n")


def text_of(evaluation):
    return program_table(evaluation) + path_table(evaluation, "dichotomic") + path_table(evaluation, "tcas") + summary(evaluation)


def main(arguments, context):
    said = parse(FORM, arguments)
    seconds = said.duration("time", 5.0)
    made = reports(said.values("o"))  # opened first, because they may be refused
    evaluation = evaluate(seconds, context, said.quiet)
    status = conclude(context, made, lambda: text_of(evaluation), lambda: csv_text(TITLES, rows(evaluation)),
                      lambda: json_of(evaluation))
    return status or int(not evaluation.good())
