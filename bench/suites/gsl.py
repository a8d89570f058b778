"""The GSL suite: hunts in GSL's special functions, scores the reported inputs against exact values, and compares with the
figures of others.

Two phases. Hunts: each strategy with its default budget, as a user would run it. Comparison: each strategy with the same
number of evaluations, on the one-argument functions, to rank them.

A hunt's own oracle knows the code, not the function that it implements. So every reported input is judged again, without
running the code: a finding contains the computed value, and `faultline exact` knows the mathematical function.

  error         |computed - exact| / |exact|; infinite if only the exact value is 0
  right         computed is the double nearest to the exact value or a neighbour of that: no double result is much better, so
                its error counts as 0, however large it is (a subnormal result, an overflow)
  significant   not right, and the error is above the threshold
  pole          the exact value is infinite and the computed one is not: no digit of it is right. Significant, but its error
                has no size, so it is not compared for the largest
  undefined     there is no exact value: outside of the domain
  unknown       the value could not be determined

The references of the hunt's oracle are scored, too: they are the results of the code in exact arithmetic. A reference agrees
with the function if it is within an ulp of the exact value, or ten times nearer to it than the computed value.
"""
import decimal
import difflib
import math
import struct
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from . import common
from .common import Option, Table, UserError, part_of, shortest

SIGNIFICANT_ERROR = 1e-3  # as in the studies with the published figures
# No exponent of an exact value is out of range, and 60 digits hold its 40 and the 17 of a double.
DIGITS = decimal.Context(prec=60, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[])


# Scoring

@dataclass(frozen=True)
class Exact:
    """kind: value, pole, undefined or unknown."""
    kind: str
    value: Decimal = Decimal(0)


def exact_from(text):
    """A line of `faultline exact`."""
    kind = text.split(":")[0]
    return Exact(kind) if kind in ("pole", "undefined", "unknown") else Exact("value", DIGITS.create_decimal(text))


def ordered(number):
    """The rank of a double among all: neighbours differ by 1, the zeros are equal."""
    bits, = struct.unpack("<q", struct.pack("<d", number))
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def is_right(computed, exact):
    return not math.isnan(computed) and abs(ordered(computed) - ordered(float(exact))) <= 1


def relative_error(computed, exact):
    if not math.isfinite(computed) or exact.is_infinite() or exact == 0:
        return 0.0 if computed == float(exact) else math.inf
    error = DIGITS.subtract(Decimal(computed), exact)
    return abs(float(DIGITS.divide(error, exact)))


def grade(computed, exact):
    """The grade and the relative error as it is counted."""
    if exact.kind in ("undefined", "unknown"):
        return exact.kind, 0.0
    if exact.kind == "pole":
        return "pole" if math.isfinite(computed) else "right", 0.0
    if is_right(computed, exact.value):
        return "right", 0.0
    error = relative_error(computed, exact.value)
    return "significant" if error > SIGNIFICANT_ERROR else "insignificant", error


def agrees(computed, reference, exact):
    given = DIGITS.create_decimal(reference)
    if is_right(float(given), exact):
        return True
    error = abs(DIGITS.subtract(Decimal(computed), exact))
    return DIGITS.multiply(abs(DIGITS.subtract(given, exact)), Decimal(10)) <= error


@dataclass
class Score:
    """Of all reported inputs of one function."""
    largest_error: float = 0.0
    input: str = ""  # with that error; empty if no input has one
    reported: int = 0
    significant: int = 0  # including poles
    poles: int = 0
    undefined: int = 0
    unknown: int = 0
    first_significant: bool = False
    references: int = 0  # of findings with a known exact value
    agreeing: int = 0
    disagreeing: Counter = field(default_factory=Counter)  # by class


def errors_of(target):
    return [finding for finding in target["findings"] if finding["kind"] in ("inaccuracy", "branch-flip") and "output" in finding]


def reported_inputs(target):
    """(input, computed) in the order of the report: the first is the first one that a user sees."""
    for finding in errors_of(target):
        yield finding["input"], finding["output"]["computed"]
        for witness in finding.get("also", []):
            yield witness["input"], witness["computed"]


def words_of(values):
    """The inputs of a call as a line for `faultline exact`."""
    return " ".join(value["hex"] for value in values.values())


def text_of(values):
    """0x1.8p+3, or n=3 x=0x1.8p+3. A gsl_mode_t selects a precision, and is no argument of the mathematical function."""
    cells = [(name, value["hex"]) for name, value in values.items() if name != "mode"]
    return cells[0][1] if len(cells) == 1 else " ".join(f"{name}={value}" for name, value in cells)


def class_of(finding):
    is_classified = finding["kind"] == "inaccuracy" and "diagnosis" in finding
    return finding["diagnosis"]["class"] if is_classified else finding["kind"]


def score(target, exact_at):
    """`exact_at`: the Exact at the inputs of a call, by their words."""
    total = Score()
    for values, number in reported_inputs(target):
        computed = float.fromhex(number["hex"])
        found, error = grade(computed, exact_at[words_of(values)])
        significant = found in ("significant", "pole")
        if total.reported == 0:
            total.first_significant = significant
        total.reported += 1
        total.significant += significant
        total.poles += found == "pole"
        total.undefined += found == "undefined"
        total.unknown += found == "unknown"
        if error > total.largest_error:
            total.largest_error, total.input = error, text_of(values)
    for finding in errors_of(target):
        exact, output = exact_at[words_of(finding["input"])], finding["output"]
        if exact.kind == "value" and "reference" in output:
            total.references += 1
            if agrees(float.fromhex(output["computed"]["hex"]), output["reference"]["decimal"], exact.value):
                total.agreeing += 1
            else:
                total.disagreeing[class_of(finding)] += 1
    return total


def exact_values(context, target):
    """By the words of each reported input."""
    words = list(dict.fromkeys(words_of(values) for values, _ in reported_inputs(target)))
    if not words:
        return {}
    lines = context.run(["exact", target["function"]], text="".join(line + "\n" for line in words), needed=True).splitlines()
    return dict(zip(words, map(exact_from, lines), strict=True))


# The functions and their published figures

@dataclass
class Peer:
    """The report of a public implementation on one function, measured. The error is 0 if no input could be scored."""
    seconds: float = 0.0
    largest_error: float = 0.0
    reported: int = 0
    significant: int = 0
    unknown: int = 0


@dataclass
class Function:
    name: str
    arguments: int  # one: in ATOMU's study; the precision mode does not count
    held: dict = field(default_factory=dict)  # integer inputs: orders of a function, and the precision mode
    atomu: Peer = field(default_factory=Peer)
    fpcc: Peer = field(default_factory=Peer)
    paper: float | None = None  # ATOMU's published error
    in_paper_significant: bool = False


def figure(row, title):
    """An empty cell means that nothing was found: 0."""
    try:
        value = float(row[title] or 0)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise UserError(f"'{row[title]}' in column {title} is not a measure")
    return value


def peer(row, tool):
    reported = int(figure(row, f"{tool}_inputs_reported"))
    return Peer(figure(row, f"{tool}_seconds"), figure(row, f"{tool}_max_rel_err"), reported,
                int(figure(row, f"{tool}_inputs_significant")), reported if not row[f"{tool}_max_rel_err"] else 0)


@dataclass
class Published:
    functions: list  # of one argument, in the order of gsl_univariate.csv
    first_significant: dict  # by tool: functions whose first-ranked input is significant


def published(folder):
    """The figures in benchmarks/gsl/published. Rows about functions of other studies are skipped."""
    def read(name):
        return common.read_csv(f"{folder}/{name}")

    functions = {row["function"]: Function(row["function"], 1) for row in read("gsl_univariate.csv")}
    for row in read("gsl_measured_peers.csv"):
        if function := functions.get(row["function"]):
            function.atomu, function.fpcc = peer(row, "atomu"), peer(row, "fpcc")
    for name in ("significant", "insignificant"):
        for row in read(f"atomu_{name}.csv"):
            if function := functions.get(row["function"]):
                function.paper, function.in_paper_significant = figure(row, "relative_error"), name == "significant"
    totals = {row["tool"]: int(figure(row, "first_significant")) for row in read("gsl_measured_totals.csv")}
    return Published(list(functions.values()), totals)


# Integers are held, so that the search is over the reals only: one medium order for each of GSL's names, which are valid
# together (n > l >= m). The mode is double precision: the others are inaccurate by design.
HELD = {"mode": 0, "n": 8, "l": 7, "m": 2, "j": 4}
OTHER_INTEGER = 3


def held_text(held):
    return " ".join(f"{name}={held[name]}" for name in sorted(held))


def select(functions, names):
    known = [function.name for function in functions]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known)
            raise UserError(f"-f {name}: there is no such function in the suite", ", ".join(near) or "leave out -f")
    return [function for function in functions if not names or function.name in names]


def suite_functions(context, library, figures, arity, names):
    """Returns the functions, and those of several arguments that cannot be tested, with the reasons."""
    functions = list(figures.functions) if arity != "several" else []
    if arity != "one":
        functions += [Function(name, 0) for name in common.lines_of(context.benchmarks("gsl/several.txt"))]
    functions = select(functions, names)
    inputs = common.inputs_of_functions(context, library)
    suitable, left_out = [], []
    for function in functions:
        types = dict(inputs.get(function.name, []))
        reason = "" if any(kind.startswith("binary") for kind in types.values()) else \
            "it has no floating-point input" if types else "it cannot be tested in this library"
        if reason and function.arguments == 1:
            raise UserError(f"{function.name}: {reason}", status=common.UNSUITABLE)
        if reason:
            left_out.append(f"{function.name}: {reason}")
            continue
        function.held = {name: HELD.get(name, OTHER_INTEGER) for name, kind in types.items() if not kind.startswith("binary")}
        function.arguments = function.arguments or len(types) - ("mode" in types)
        suitable.append(function)
    return suitable, left_out


# Running

@dataclass
class Trial:
    """One strategy on the functions of the suite, without those that an interrupt left out."""
    strategy: str
    evaluations: int | None = None  # per function, at most; none: the strategy's default
    targets: dict = field(default_factory=dict)
    scores: dict = field(default_factory=dict)


@dataclass
class Options:
    library: str = ""
    arity: str = "all"
    functions: list = field(default_factory=list)
    strategies: list = field(default_factory=list)
    compared: list = field(default_factory=list)
    compared_evaluations: int = 100_000
    budget: float = 10.0
    seed: int = 1
    jobs: int = 1
    quiet: bool = False


@dataclass
class Evaluation:
    options: Options
    published: Published
    functions: list
    left_out: list
    hunts: list = field(default_factory=list)
    comparison: list = field(default_factory=list)

    def functions_of(self, one):
        return [function for function in self.functions if (function.arguments == 1) == one]


def run(context, trial, functions, options):
    """Hunts in functions with the same held values together."""
    if not options.quiet:
        each = f", {trial.evaluations} evaluations each" if trial.evaluations else ""
        context.note(f"{trial.strategy}: {len(functions)} functions{each}")
    groups = {}
    for function in functions:
        groups.setdefault(tuple(sorted(function.held.items())), []).append(function.name)
    limit = ["--evals", trial.evaluations] if trial.evaluations else []
    for held, names in sorted(groups.items()):
        if context.interrupted:
            return
        words = [options.library, "--for", "error", "--threshold", SIGNIFICANT_ERROR, "--norm", "component", "--single-pass",
                 "--strategy", trial.strategy, "--budget", f"{shortest(options.budget)}s", *limit, "--seed", options.seed,
                 "-j", options.jobs]
        words += [word for name in names for word in ("-f", name)]
        words += [word for name, value in held for word in ("--hold", f"{name}={value}")]
        for target in context.hunt(words, options.quiet)["targets"]:
            if target["outcome"] != "interrupted":
                trial.targets[target["function"]] = target
                trial.scores[target["function"]] = score(target, exact_values(context, target))


def evaluate(context, options):
    figures = published(context.benchmarks("gsl/published"))
    functions, left_out = suite_functions(context, options.library, figures, options.arity, options.functions)
    evaluation = Evaluation(options, figures, functions, left_out)
    for strategy in options.strategies:
        evaluation.hunts.append(Trial(strategy))
        run(context, evaluation.hunts[-1], functions, options)
    if one_argument := evaluation.functions_of(True):
        for strategy in options.compared:
            evaluation.comparison.append(Trial(strategy, options.compared_evaluations))
            run(context, evaluation.comparison[-1], one_argument, options)
    return evaluation


# The result for scripts

TITLES = ("benchmark,strategy,relative_error,seconds,evaluations,budget,arguments,held,input,inputs_reported,inputs_significant,"
          "inputs_at_poles,inputs_undefined,inputs_unknown,first_significant,outcome,compared_error,compared_seconds,"
          "compared_evaluations,atomu,fpcc,atomu_published").split(",")


def csv_text(evaluation):
    """One line per benchmark and strategy. Error, seconds and evaluations are those of the hunt with the strategy's own budget,
    or of the comparison for strategies without such a hunt; `budget` shows which."""
    hunts = {trial.strategy: trial for trial in evaluation.hunts}
    comparison = {trial.strategy: trial for trial in evaluation.comparison}
    rows = []
    for strategy in dict.fromkeys([*hunts, *comparison]):
        trial, compared = hunts.get(strategy) or comparison[strategy], comparison.get(strategy)
        for function in evaluation.functions:
            if function.name in trial.targets:
                rows.append(csv_row(function, trial, compared))
    return common.csv_text(TITLES, rows)


def csv_row(function, trial, compared):
    def measured(of):
        target = of.targets[function.name]
        return [shortest(of.scores[function.name].largest_error), f"{target['seconds']:.6f}", target["evaluations"]]

    counts = trial.scores[function.name]
    row = [function.name, trial.strategy, *measured(trial), trial.evaluations or "own", function.arguments,
           held_text(function.held), counts.input, counts.reported, counts.significant, counts.poles, counts.undefined,
           counts.unknown, "yes" if counts.first_significant else "no", trial.targets[function.name]["outcome"]]
    row += measured(compared) if compared and function.name in compared.targets else [""] * 3
    if function.arguments == 1:
        paper = "" if function.paper is None else shortest(function.paper)
        return row + [shortest(function.atomu.largest_error), shortest(function.fpcc.largest_error), paper]
    return row + [""] * 3


def json_text(context, evaluation):
    """The findings of the first strategy."""
    trials = evaluation.hunts or evaluation.comparison
    targets = [trial.targets[function.name] for trial in trials[:1] for function in evaluation.functions
               if function.name in trial.targets]
    return context.render({"command": context.recorded(), "seed": evaluation.options.seed, "targets": targets})


# The result for people

@dataclass
class Summary:
    """Figures of a strategy or another tool over a set of functions. Those marked with * are unknown for another tool."""
    name: str
    is_peer: bool = False
    functions: int = 0
    above: int = 0  # functions with an error above 1e-3
    listed: int = 0  # that ATOMU's paper lists with such an error
    listed_above: int = 0
    listed_as_large: int = 0  # * of those: error at least that of both peers, to 1 %
    reported: int = 0
    significant: int = 0
    poles: int = 0  # *
    undefined: int = 0  # *
    unknown: int = 0
    references: int = 0  # *
    agreeing: int = 0  # *
    disagreeing: Counter = field(default_factory=Counter)  # *
    first_significant: int = 0  # of `above`
    seconds: float = 0.0
    evaluations: int = 0  # *

    def significant_share(self):
        judged = self.reported - self.undefined - self.unknown
        return f"{100 * self.significant / judged:.1f} %" if judged else "-"

    def mean(self, total):
        return total / self.functions if self.functions else 0.0


TOLERANCE = 1.01  # published results of two tools for the same input may differ in the last digits


def summary_of(trial, functions):
    """Omits functions that the trial did not reach."""
    summary = Summary(trial.strategy)
    for function in functions:
        if function.name not in trial.targets:
            continue
        counts, target = trial.scores[function.name], trial.targets[function.name]
        above = counts.significant > 0
        summary.functions += 1
        summary.above += above
        if function.in_paper_significant:
            summary.listed += 1
            summary.listed_above += above
            largest_of_peers = max(function.atomu.largest_error, function.fpcc.largest_error)
            summary.listed_as_large += counts.largest_error * TOLERANCE >= largest_of_peers
        for name in ("reported", "significant", "poles", "undefined", "unknown", "first_significant", "references", "agreeing"):
            setattr(summary, name, getattr(summary, name) + getattr(counts, name))
        summary.disagreeing += counts.disagreeing
        summary.seconds += target["seconds"]
        summary.evaluations += target["evaluations"]
    return summary


def peer_summaries(figures):
    """Those of ATOMU and FPCC, from the measured figures of all one-argument functions."""
    for name, tool in (("ATOMU", "atomu"), ("FPCC", "fpcc")):
        summary = Summary(name, is_peer=True, first_significant=figures.first_significant.get(tool, 0))
        for function in figures.functions:
            measured = getattr(function, tool)
            above = measured.largest_error > SIGNIFICANT_ERROR
            summary.functions += 1
            summary.above += above
            summary.listed += function.in_paper_significant
            summary.listed_above += function.in_paper_significant and above
            summary.reported += measured.reported
            summary.significant += measured.significant
            summary.unknown += measured.unknown
            summary.seconds += measured.seconds
        yield summary


def ranks(values):
    """Competition ranks: the largest value has rank 1, and equal values share the mean of their ranks."""
    return [sum(other > value for other in values) + (values.count(value) + 1) / 2 for value in values]


@dataclass
class RankSum:
    """Ranks by the largest error on each function, summed over the functions that all trials reached; less is better. Capped:
    errors above 1 count as 1. No digit is right there, and the size of the error only depends on how small the exact value or
    how large the wrong one is."""
    strategy: str
    total: float = 0.0
    capped: float = 0.0
    functions: int = 0
    ahead: int = 0  # functions on which it alone is first


def rank_sums(trials, functions):
    sums = [RankSum(trial.strategy) for trial in trials]
    for function in functions:
        errors = [trial.scores[function.name].largest_error for trial in trials if function.name in trial.scores]
        if len(errors) != len(trials):
            continue
        for one, rank, capped in zip(sums, ranks(errors), ranks([min(error, 1) for error in errors])):
            one.total += rank
            one.capped += capped
            one.ahead += rank == 1
            one.functions += 1
    return sums


def error_text(error):
    return common.measure(error) if error > 0 else "-"


def function_table(evaluation, one_argument):
    """One line per function. Evaluations and time are the first strategy's."""
    trials = evaluation.hunts
    table = Table(["function", *(f">{trial.strategy}" for trial in trials)]
                  + ([">ATOMU", ">FPCC", ">paper"] if one_argument else []) + [">evaluations", ">ms", "input"]
                  + ([] if one_argument else ["held"]))
    for function in evaluation.functions_of(one_argument):
        name = function.name
        reached = [trial for trial in trials if name in trial.targets]
        if not reached:
            continue
        row = [name] + [error_text(trial.scores[name].largest_error) if trial in reached else "" for trial in trials]
        if one_argument:
            row += [error_text(function.atomu.largest_error), error_text(function.fpcc.largest_error),
                    "" if function.paper is None else error_text(function.paper)]
        first = trials[0].targets.get(name)
        row += [str(first["evaluations"]), f"{1e3 * first['seconds']:.1f}"] if first else ["", ""]
        row.append(max((trial.scores[name] for trial in reached), key=lambda counts: counts.largest_error).input)
        table.rows.append(row if one_argument else row + [held_text(function.held)])
    return table.text() + "\n" if table.rows else ""


def summary_table(title, summaries, first_rows=()):
    """One column per strategy or tool, one line per figure. A figure of our own strategies only is marked with True."""
    faults = sorted({fault for summary in summaries for fault in summary.disagreeing})
    rows = [
        ("functions with an error above 1e-3", False, lambda s: part_of(s.above, s.functions)),
        *first_rows,
        ("inputs reported", False, lambda s: s.reported),
        ("  outside of the reference's domain", True, lambda s: s.undefined),
        ("  unknown to the reference", True, lambda s: s.unknown),
        ("  of the others, above 1e-3", False, Summary.significant_share),
        ("    of these at a pole of the function", True, lambda s: s.poles),
        ("first-ranked input above 1e-3, where any is", False, lambda s: part_of(s.first_significant, s.above)),
        ("references that agree with the function", True, lambda s: part_of(s.agreeing, s.references)),
        *((f"  others, by {fault}", True, lambda s, fault=fault: s.disagreeing[fault]) for fault in faults),
        ("mean evaluations per function", True, lambda s: f"{s.mean(s.evaluations):.0f}"),
        ("mean search time per function, ms", False, lambda s: f"{1e3 * s.mean(s.seconds):.1f}"),
    ]
    table = Table([title, *(f">{summary.name}" for summary in summaries)])
    for label, own, of_summary in rows:
        table.rows.append([label] + ["-" if own and summary.is_peer else str(of_summary(summary)) for summary in summaries])
    return table.text() + "\n"


def summaries_text(evaluation):
    functions = evaluation.functions_of(True)
    text = ""
    if functions:
        summaries = [summary_of(trial, functions) for trial in evaluation.hunts]
        if len(functions) == len(evaluation.published.functions):  # figures of all next to those of some would mislead
            summaries += peer_summaries(evaluation.published)
        text += summary_table("one-argument functions", summaries, [
            ("  that ATOMU's paper lists with one", False, lambda s: part_of(s.listed_above, s.listed)),
            ("  listed, error at least ATOMU's and FPCC's", True, lambda s: part_of(s.listed_as_large, s.listed))])
    others = evaluation.functions_of(False)
    for title, part in (("two-argument functions", [function for function in others if function.arguments == 2]),
                        ("functions of more arguments", [function for function in others if function.arguments != 2])):
        if part:
            text += summary_table(title, [summary_of(trial, part) for trial in evaluation.hunts])
    return text


def comparison_table(evaluation):
    functions = evaluation.functions_of(True)
    table = Table([f"{evaluation.options.compared_evaluations} evaluations each", ">rank sum", ">mean rank", ">up to 1",
                   ">first alone", ">above 1e-3", ">evaluations", ">ms"])
    trials = {trial.strategy: trial for trial in evaluation.comparison}
    for one in sorted(rank_sums(evaluation.comparison, functions), key=lambda one: (one.total, one.strategy)):
        summary = summary_of(trials[one.strategy], functions)
        table.rows.append([one.strategy, f"{one.total:.1f}", f"{one.total / one.functions:.2f}" if one.functions else "-",
                           f"{one.capped:.1f}", str(one.ahead), part_of(summary.above, summary.functions),
                           f"{summary.mean(summary.evaluations):.0f}", f"{1e3 * summary.mean(summary.seconds):.1f}"])
    return table.text() + "\n" if table.rows else ""


def table_text(evaluation):
    text = ""
    if evaluation.hunts:
        text += function_table(evaluation, True) + function_table(evaluation, False) + summaries_text(evaluation)
    text += comparison_table(evaluation)
    if evaluation.hunts:
        text += (f"By function: evaluations and ms of {evaluation.hunts[0].strategy}; the input of the largest error. ATOMU, FPCC: "
                 "their public implementations, measured; paper: ATOMU's.\n")
    if evaluation.comparison:
        text += "Ranks by the largest error on each function, ties shared; up to 1: larger errors count as 1.\n"
    if evaluation.options.jobs > 1:
        text += f"{evaluation.options.jobs} functions ran at the same time: times are those of loaded cores.\n"
    return text + "".join(f"Left out: {common.printable(function)}\n" for function in evaluation.left_out)


FORM = common.Form("faultline bench gsl", "Hunts in special functions of the GNU Scientific Library.",
"""107 functions of one argument and some of several. The library is fetched and compiled if need be. Each strategy of --strategy
hunts with its own budget; then those of --compare hunt with --evals evaluations each, and are ranked. Every reported input is
scored against exact values.

Examples:
  faultline bench gsl                               all of it
  faultline bench gsl build/subjects/gsl            with the library in this folder
  faultline bench gsl -o gsl.csv -o gsl.json        a line for each function and strategy; the first one's findings
  faultline bench gsl -f gsl_sf_sin --compare none  one function, no comparison
  faultline bench gsl --strategy none --evals 2000  the comparison only""", (
    common.function_option("this function; of the suite's"),
    Option("--arguments", "one|several|all", "Functions", "functions with this many arguments", "all"),
    common.strategy_option("auto,bracket"),
    common.budget_option("10s", "for each function: 10s, 500ms, 2m"),
    Option("--compare", "LIST", "Search", "strategies to rank, or none", "bracket,atomu,lsga,ga,random"),
    common.evaluations_option("100000", "evaluations of each function in the ranking"),
    common.SEED, common.jobs_option("functions at the same time"), common.REPORT, common.QUIET),
    "DIR", "the folder that has gsl.bc (default: build/subjects/gsl)")


def options_from(context, values):
    arity = values.value("arguments", "all")
    if arity not in ("one", "several", "all"):
        raise UserError(f"--arguments {arity}: is not a number of arguments", "one, several or all")
    options = Options(arity=arity, functions=values.values("function"), seed=values.whole("seed", 1), jobs=values.jobs(),
                      budget=values.duration("budget", 10.0), quiet=values.quiet,
                      compared_evaluations=values.positive("evals", 100_000))
    options.strategies = context.strategies("--strategy", values.value("strategy"), ["auto", "bracket"])
    options.compared = context.strategies("--compare", values.value("compare"), ["bracket", "atomu", "lsga", "ga", "random"])
    if not options.strategies and not options.compared:
        raise UserError("there is nothing to do", "leave out --strategy none or --compare none")
    return options


def main(arguments, context):
    values = common.parse(FORM, arguments)
    options = options_from(context, values)
    reports = common.reports(values.values("o"))  # opened first, because they may be refused
    options.library = context.subject("gsl", values.operand)
    evaluation = evaluate(context, options)
    return common.conclude(context, reports, lambda: table_text(evaluation), lambda: csv_text(evaluation),
                           lambda: json_text(context, evaluation))
