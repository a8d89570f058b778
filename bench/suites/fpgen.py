"""The FPGen suite: hunts for large rounding errors in summations, linear algebra and weighted statistics, on inputs of 4 to 32
numbers, next to the results of FPGen (Guo, Rubio-González, ICSE 2020).

The error is FPGen's: |r - r0| / max(FLT_MIN, |r0|), the largest over all outputs. r0 is the result of the lifted oracle: the code
in exact arithmetic. FPGen's own reference is coarser (benchmarks/fpgen/published).

The limit is time, not the number of evaluations: every strategy has the same seconds for each benchmark. The result within two
seconds is that of a separate hunt with this budget before the long one. A strategy may plan by its budget, so the state of the
long hunt after two seconds would be a result that no user can get.
"""
import difflib
import json
import math
import os
import sys
from dataclasses import dataclass, field

from .common import (QUIET, REPORT, SEED, Form, Option, Table, UserError, budget_option, conclude, csv_text, function_option,
                     jobs_option, measure, parse, part_of, read_csv, reports, shortest, strategy_option)

FORM = Form(
    "faultline bench fpgen", "Hunts for rounding errors in array code: the evaluation of FPGen (ICSE 2020).",
    """21 programs with 4 to 32 inputs: three summations, nine calls of Meschach, nine of GSL's
weighted statistics. Inputs are binary32 values in [-100, 100]. The libraries are fetched and compiled if need be. Each
strategy hunts in each program for 2 s, and then anew for the time that --time gives.

Examples:
  faultline bench fpgen                             all of it: about 25 minutes
  faultline bench fpgen --strategy fpgen --time 10s -o fpgen.csv
  faultline bench fpgen -f LU -f QR --nonzero       two programs, exact results of 0 excluded""",
    (function_option("this benchmark; of the 21 that differ"), strategy_option("fpgen,random,s3fp"),
     budget_option("20s", "for each benchmark: 20s, 500ms, 2m", "--time"),
     Option("--nonzero", "", "Search", "only inputs whose exact result is at least FLT_MIN in magnitude"), SEED,
     jobs_option("benchmarks at the same time"), REPORT, QUIET))


# FPGen's benchmarks: the harness function of each (benchmarks/fpgen), how it is compiled, and the shapes of its arrays.
#
# There are 27 names. Six of them end in -m: they compute the mean first and pass it on, which makes the same operations on the
# same numbers, so every input has the same error as in the twin. The result of the twin is used for both. An -m is run if it is
# named.

@dataclass(frozen=True)
class Benchmark:
    name: str  # as in the published table
    function: str
    library: str  # summation, meschach or gsl
    arrays: dict  # the extents by name
    outputs: tuple = ()  # arrays that are only written
    twin: str = ""  # for an -m: the name without it

    @property
    def published_name(self):
        return self.twin or self.name


def statistics():
    for name, has_twin in (("wmean", False), ("wvariance", True), ("wsd", True), ("wvariance-w", False), ("wsd-w", False),
                           ("wtss", True), ("wabsdev", True), ("wskew", True), ("wkurtosis", True)):
        arrays, function = {"w": (4,), "x": (4,)}, name.replace("-", "_")
        yield Benchmark(name, function, "gsl", arrays)
        if has_twin:
            yield Benchmark(f"{name}-m", f"{function}_m", "gsl", arrays, twin=name)


VECTOR, MATRIX = (4,), (4, 4)
# In the order of the published table, each -m after its twin.
BENCHMARKS = (
    *(Benchmark(name, name, "summation", {"L": (32,)}) for name in ("recursive_sum_32", "pairwise_sum_32", "compensated_sum_32")),
    Benchmark("sum", "sum", "meschach", {"x": VECTOR}),
    Benchmark("1-norm", "one_norm", "meschach", {"x": VECTOR}),
    Benchmark("2-norm", "two_norm", "meschach", {"x": VECTOR}),
    Benchmark("dot", "dot", "meschach", {"x": VECTOR, "y": VECTOR}),
    Benchmark("convolution", "convolution", "meschach", {"x": VECTOR, "y": VECTOR, "z": (7,)}, ("z",)),
    Benchmark("MV", "matrix_vector", "meschach", {"x": VECTOR, "A": MATRIX, "b": VECTOR}, ("b",)),
    Benchmark("MM", "matrix_matrix", "meschach", {"A": MATRIX, "B": MATRIX, "C": MATRIX}, ("C",)),
    Benchmark("LU", "lu", "meschach", {"A": MATRIX}),
    Benchmark("QR", "qr", "meschach", {"A": MATRIX}),
    *statistics())


def select(names):
    """The named benchmarks; without names, all except the -m."""
    known = [benchmark.name for benchmark in BENCHMARKS]
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known)
            raise UserError(f"-f {name}: there is no such benchmark in the suite",
                            f"{'the nearest names' if close else 'the benchmarks'}: {', '.join(close or known)}")
    return [benchmark for benchmark in BENCHMARKS if (benchmark.name in names if names else not benchmark.twin)]


def sources(library, context):
    """The files, and the flags of the compiler."""
    folder = context.benchmarks("fpgen")
    if library == "summation":
        return [f"{folder}/summation.c"], []
    subject = context.subject(library)
    root = os.path.dirname(subject)
    if library == "meschach":
        return [f"{folder}/meschach.c", subject], [f"-I{root}/include/meschach"]
    parts = ("wmean", "wvariance", "wabsdev", "wskew", "wkurtosis")
    return ([f"{folder}/gsl_statistics.c", *(f"{root}/src/statistics/{part}.c" for part in parts)],
            ["-mlong-double-64", "-DHAVE_CONFIG_H", f"-I{root}/src", f"-I{root}/include"])


def inputs_of(benchmarks):
    """The options for the inputs of benchmarks that share a library: binary32 values in [-100, 100]."""
    options = {}  # arrays of the same name have the same shape
    for benchmark in benchmarks:
        options[("-f", benchmark.function)] = None
        for name, extents in benchmark.arrays.items():
            options[("--size", f"{name}={'x'.join(map(str, extents))}")] = None
            if name not in benchmark.outputs:
                options.update({("--format", f"{name}=binary32"): None, ("--range", f"{name}=-100:100"): None})
    return [word for option in options for word in option]


# The published figures, next to which the suite prints its own, and the limits (benchmarks/fpgen/published).

@dataclass
class Figures:
    random: float  # in two hours, as the next three
    s3fp: float
    klee_float: float
    fpgen: float
    limit_any: float = 0
    limit_nonzero: float = 0

    @property
    def best(self):
        return max(self.random, self.s3fp, self.klee_float, self.fpgen)

    @property
    def to_reach(self):
        """The best. If no error can exceed a few ulps (the limit shows this of the two norms), 2.5e-16, since the published ones are
        against a coarser reference."""
        return 2.5e-16 if self.limit_any < 1e-15 else self.best


def figure(row, title, path):
    if title not in row:
        raise UserError(f"{path}: there is no column '{title}'")
    try:
        if (value := float(row[title])) >= 0:
            return value
    except ValueError:
        pass
    raise UserError(f"{path}: '{row[title]}' in column {title} is not a measure")


def published(folder):
    """The figures by benchmark."""
    table, limits = f"{folder}/fpgen_table3.csv", f"{folder}/fpgen_limits.csv"
    figures = {row["benchmark"]: Figures(*(figure(row, title, table) for title in ("random", "s3fp", "klee_float", "fpgen")))
               for row in read_csv(table)}
    for row in read_csv(limits):
        if row["benchmark"] not in figures:
            raise UserError(f"{limits}: '{row['benchmark']}' is not a benchmark of {table}")
        of = figures[row["benchmark"]]
        of.limit_any, of.limit_nonzero = figure(row, "any", limits), figure(row, "nonzero", limits)
    for name, of in figures.items():
        if not (of.limit_any > 0 and of.limit_nonzero > 0):
            raise UserError(f"{limits}: there is no limit of {name}")
    return figures


# Hunts

SHORT_SECONDS = 2.0
FLOOR = 1.17549435e-38  # FLT_MIN
THRESHOLD = 1e-16  # an error that counts: half an ulp
NO_LIMIT = 1 << 50  # of evaluations: the time is the limit
END_OF_SEARCH = 0.6  # of a hunt's budget; the rest is for judging


@dataclass(frozen=True)
class Worst:
    """The largest error that a hunt found."""
    error: float = 0.0  # 0: none
    output: str = ""  # A[3]
    input: str = ""  # A=1,2,3: in the form of explain's --at
    flip: bool = False  # the error is that the computed and the exact run take different branches
    infinite: bool = False  # on other inputs the result is infinite where it should not be, which exceeds every finite error


def finite(number):
    return math.isfinite(float.fromhex(number["hex"]))


def as_measure(value):
    """JSON has no infinity: the largest double means it."""
    return math.inf if value >= sys.float_info.max else value


def input_text(values):
    """A=1,2,3 x=4"""
    return " ".join(f"{name}={','.join(cell['decimal'] for cell in (value if isinstance(value, list) else [value]))}"
                    for name, value in values.items())


def errors_in(target):
    """(error, finding, input) of each reported input, by FPGen's measure."""
    for finding in target["findings"]:
        if finding["kind"] not in ("inaccuracy", "branch-flip") or "error" not in finding or "reference" not in finding.get("output", {}):
            continue
        exact = abs(float.fromhex(finding["output"]["reference"]["hex"]))
        yield as_measure(finding["error"]["absolute"]) / (exact if exact > FLOOR else FLOOR), finding, finding["input"]
        for witness in finding.get("also", ()):  # the hunt measures with the same floor
            yield as_measure(witness["relative"]), finding, witness["input"]


def worst_of(target):
    outputs = [finding["output"] for finding in target["findings"] if "reference" in finding.get("output", {})]
    infinite = any(not finite(output["computed"]) and "nan" not in output["computed"]["hex"] and finite(output["reference"])
                   for output in outputs)
    error, finding, values = max(errors_in(target), key=lambda one: one[0], default=(0.0, None, None))
    if not error > 0:
        return Worst(infinite=infinite)
    return Worst(error, finding["output"]["name"], input_text(values), finding["kind"] == "branch-flip", infinite)


@dataclass
class Result:
    target: dict  # of the hunt's JSON
    worst: Worst
    short_error: float | None = None  # within two seconds; None if that hunt was not made


@dataclass
class Trial:
    strategy: str
    results: dict = field(default_factory=dict)  # by name; without those that an interrupt prevented


@dataclass
class Evaluation:
    benchmarks: list  # the requested ones
    figures: dict
    nonzero: bool = False  # only inputs whose exact result is at least FLT_MIN in magnitude
    whole: bool = True  # no benchmark was named
    jobs: int = 1
    trials: list = field(default_factory=list)

    def figures_of(self, benchmark):
        """A twin has those of its name."""
        return self.figures[benchmark.published_name]

    def limit_of(self, benchmark):
        figures = self.figures_of(benchmark)
        return figures.limit_nonzero if self.nonzero else figures.limit_any


class Hunts:
    """Runs one strategy with one budget on the benchmarks, library by library, so that each library is read once."""

    def __init__(self, evaluation, context, seed, quiet):
        self.evaluation, self.context, self.seed, self.quiet = evaluation, context, seed, quiet
        self.sources = {library: sources(library, context)
                        for library in dict.fromkeys(benchmark.library for benchmark in evaluation.benchmarks)}

    def run(self, strategy, seconds):
        """The targets by benchmark."""
        targets = {}
        if not self.quiet and not self.context.interrupted:
            self.context.note(f"{strategy}: {len(self.evaluation.benchmarks)} benchmarks, {shortest(seconds)} s each")
        for library in self.sources:
            group = [benchmark for benchmark in self.evaluation.benchmarks if benchmark.library == library]
            if self.context.interrupted:
                break
            try:
                report = json.loads(self.context.run(self.hunt(library, group, strategy, seconds), self.quiet))
            except UserError:  # an interrupt reaches the compiler, too
                if not self.context.interrupted:
                    raise
                break
            by_function = {target["function"]: target for target in report["targets"] if target["outcome"] != "interrupted"}
            targets.update({benchmark.name: by_function[benchmark.function] for benchmark in group
                            if benchmark.function in by_function})
        return targets

    def hunt(self, library, group, strategy, seconds):
        files, flags = self.sources[library]
        # Branches: a pivot chosen differently in exact arithmetic makes an error like any other. The norm is the published one.
        return ["hunt", *files, *inputs_of(group), "--for", "error,exceptions,branches", "--threshold", THRESHOLD, "--single-pass",
                "--norm", "component", "--floor", FLOOR, *["--nonzero"] * self.evaluation.nonzero, "--strategy", strategy, "--evals",
                NO_LIMIT, "--budget", f"{seconds / END_OF_SEARCH!r}s", "--seed", self.seed, "-j", self.evaluation.jobs, "--no-config",
                "-o", "-", "--", *flags]


def trial_of(strategy, seconds, hunts):
    trial = Trial(strategy)
    brief = hunts.run(strategy, SHORT_SECONDS) if seconds > SHORT_SECONDS else {}
    for name, target in hunts.run(strategy, seconds).items():
        result = trial.results[name] = Result(target, worst_of(target))
        if seconds <= SHORT_SECONDS:
            result.short_error = result.worst.error
        elif name in brief:
            result.short_error = worst_of(brief[name]).error
    return trial


# The summary: a strategy's figures over the benchmarks.

NEAR_THE_LIMIT = 0.9


def share_of_limit(error, limit):
    """How close an error is to the limit: log10(error) / log10(limit). None if the limit is not above 1 or nothing was found."""
    return math.log10(error) / math.log10(limit) if limit > 1 and error > 0 else None


@dataclass
class Summary:
    strategy: str
    benchmarks: int = 0
    reached: int = 0  # benchmarks with an error of at least the best published one (Figures.to_reach)
    reached_short: int = 0  # the same within two seconds
    hunted_short: int = 0  # number of benchmarks run with two seconds
    large: int = 0  # benchmarks whose limit is above 1
    near_limit: int = 0  # of `large`: with 90 % of the limit's logarithm
    seconds: float = 0.0  # of search, over all benchmarks
    evaluations: int = 0


def summary_of(trial, evaluation):
    """Omits benchmarks that the trial did not reach. An -m that was run in addition to its twin does not count twice."""
    summary = Summary(trial.strategy)
    for benchmark in evaluation.benchmarks:
        result = trial.results.get(benchmark.name)
        if not result or benchmark.twin in trial.results:
            continue
        limit, to_reach = evaluation.limit_of(benchmark), evaluation.figures_of(benchmark).to_reach
        has_short = result.short_error is not None
        summary.benchmarks += 1
        summary.reached += result.worst.error >= to_reach
        summary.hunted_short += has_short
        summary.reached_short += has_short and result.short_error >= to_reach
        summary.large += limit > 1
        summary.near_limit += (share_of_limit(result.worst.error, limit) or 0) >= NEAR_THE_LIMIT
        summary.seconds += result.target["seconds"]
        summary.evaluations += result.target["evaluations"]
    return summary


# Reports

TITLES = ("benchmark", "strategy", "relative_error", "seconds", "evaluations", "relative_error_2s", "published_best", "fpgen",
          "limit_any", "limit_nonzero", "share_of_limit", "nonzero", "run_of", "output", "branch_flip", "infinite", "outcome", "input")


def yes(value):
    return "yes" if value else "no"


def cells(evaluation):
    """One row per benchmark and strategy. If the whole suite was run, the six -m have rows too: the run of their twin, which the
    column run_of names."""
    for trial in evaluation.trials:
        for benchmark in evaluation.benchmarks:
            if result := trial.results.get(benchmark.name):
                twins = [other.name for other in BENCHMARKS if evaluation.whole and other.twin == benchmark.name]
                for name in (benchmark.name, *twins):
                    yield row_of(name, benchmark, trial, result, evaluation)


def row_of(name, benchmark, trial, result, evaluation):
    figures, worst = evaluation.figures_of(benchmark), result.worst
    share = share_of_limit(worst.error, evaluation.limit_of(benchmark))
    return (name, trial.strategy, shortest(worst.error), f"{result.target['seconds']:.6f}", result.target["evaluations"],
            "" if result.short_error is None else shortest(result.short_error), shortest(figures.best), shortest(figures.fpgen),
            shortest(figures.limit_any), shortest(figures.limit_nonzero), "" if share is None else f"{share:.4f}",
            yes(evaluation.nonzero), benchmark.name, worst.output, yes(worst.flip), yes(worst.infinite), result.target["outcome"],
            worst.input)


def findings_json(evaluation, context, seed):
    """The first strategy's findings, one target per benchmark."""
    targets = [trial.results[benchmark.name].target for trial in evaluation.trials[:1] for benchmark in evaluation.benchmarks
               if benchmark.name in trial.results]
    return context.render({"schema": 1, "command": context.recorded(), "seed": seed, "targets": targets})


def error_text(error):
    return measure(error) if error > 0 else "-"


def remarks(worst):
    return ", ".join(["branch flip"] * worst.flip + ["also infinite"] * worst.infinite)


def benchmark_table(evaluation):
    table = Table(["benchmark", *(f">{trial.strategy}" for trial in evaluation.trials), ">published", ">FPGen",
                   ">limit, non-zero" if evaluation.nonzero else ">limit, any", ">log ratio", ">in 2 s", ">seconds", ">evaluations",
                   ""])
    for benchmark in evaluation.benchmarks:
        results = [trial.results.get(benchmark.name) for trial in evaluation.trials]
        if not any(results):
            continue
        figures, limit, first = evaluation.figures_of(benchmark), evaluation.limit_of(benchmark), results[0]
        row = [benchmark.name, *(error_text(result.worst.error) if result else "" for result in results), error_text(figures.best),
               error_text(figures.fpgen), measure(limit)]
        if first:  # the last columns are the first strategy's
            share = share_of_limit(first.worst.error, limit)
            row += ["-" if share is None else f"{share:.2f}", "-" if first.short_error is None else error_text(first.short_error),
                    f"{first.target['seconds']:.1f}", str(first.target["evaluations"]), remarks(first.worst)]
        table.rows.append(row + [""] * (len(table.titles) - len(row)))
    return table.text() + "\n" if table.rows else ""


def summary_table(evaluation):
    table = Table(["strategy", ">at least the published best", ">in 2 s", ">at 90 % of the limit's logarithm", ">seconds",
                   ">evaluations"])
    for trial in evaluation.trials:
        summary = summary_of(trial, evaluation)
        table.rows.append([summary.strategy, part_of(summary.reached, summary.benchmarks),
                           part_of(summary.reached_short, summary.hunted_short), part_of(summary.near_limit, summary.large),
                           f"{summary.seconds:.1f}", str(summary.evaluations)])
    return table.text() + "\n"


def notes(evaluation):
    text = (f"Errors are |r - r0| / max(FLT_MIN, |r0|), the largest of all outputs; r0 is the code in exact arithmetic"
            f"{', and at least FLT_MIN in magnitude' if evaluation.nonzero else ''}.\n"
            "Published: the best of four tools in two hours; for 1-norm and 2-norm 2.5e-16 is asked for. Log ratio: "
            "log10(error) / log10(limit).\n"
            "In 2 s: a hunt of its own with that budget. Log ratio, in 2 s, seconds and evaluations are of "
            f"{evaluation.trials[0].strategy}.\n"
            "Also infinite: on other inputs the computed result is an infinity, and the exact one a number.\n")
    if evaluation.whole:
        text += "The six names that end in -m compute the same values: the results of their twins are used.\n"
    if evaluation.jobs > 1:
        text += f"{evaluation.jobs} benchmarks ran at the same time: less is found on loaded cores.\n"
    return text


def text_of(evaluation):
    """Empty if an interrupt came before anything was done."""
    return benchmark_table(evaluation) + summary_table(evaluation) + notes(evaluation) if evaluation.trials else ""


def main(arguments, context):
    said = parse(FORM, arguments)
    names, seed, seconds = said.values("function"), said.whole("seed", 1), said.duration("time", 20.0)
    strategies = context.strategies("--strategy", said.value("strategy"), ("fpgen", "random", "s3fp"))
    if not strategies:
        raise UserError("there is nothing to do", "--strategy fpgen")
    evaluation = Evaluation(select(names), published(context.benchmarks("fpgen/published")), said.has("nonzero"), not names,
                            said.jobs())
    made = reports(said.values("o"))  # opened first, because they may be refused
    hunts = Hunts(evaluation, context, seed, said.quiet)
    for strategy in strategies:
        if not context.interrupted:
            evaluation.trials.append(trial_of(strategy, seconds, hunts))
    return conclude(context, made, lambda: text_of(evaluation), lambda: csv_text(TITLES, cells(evaluation)),
                    lambda: findings_json(evaluation, context, seed))
