"""The suite of exceptions: every special function of GSL with numbers as arguments, tested by `ariadne` with its default
budget, and by its peers, `random` first, with the same number of evaluations for all.

It counts distinct places: function, source location, operation and kind. GSL's functions that end in _e return a status; the
others call GSL's error handler, which aborts. Both count as reported errors, as opposed to silent ones.
"""
import time
from collections import Counter
from dataclasses import dataclass, field

from . import common
from .common import Table, UserError

KINDS = ("overflow", "underflow", "invalid", "divide-by-zero")
VERDICTS = ("avoidable", "inherent", "unknown")


@dataclass
class Trial:
    """One strategy on all functions."""
    strategy: str
    evaluations: int | None = None  # per function; none: the strategy's default
    targets: list = field(default_factory=list)  # by name
    unfinished: list = field(default_factory=list)  # targets without a complete hunt, and the reason
    seconds: float = 0.0  # total elapsed time: compiling, searching, judging

    @property
    def title(self):
        return f"{self.strategy}, {self.evaluations} evaluations" if self.evaluations else self.strategy


@dataclass
class Counts:
    """Over some targets. Consequences (a NaN made of infinities) are not counted."""
    functions: int = 0
    functions_with_any: int = 0
    kinds: Counter = field(default_factory=Counter)
    verdicts: Counter = field(default_factory=Counter)
    silent: int = 0
    reported: int = 0
    reaching: int = 0  # that reach the output
    harmless: int = 0
    means: Counter = field(default_factory=Counter)  # by the means that found it
    evaluations: int = 0
    seconds: float = 0.0  # of search


def counts_of(targets):
    counts = Counts()
    for target in targets:
        seen = set()
        for finding in target["findings"]:
            cause = finding.get("cause")
            if "silent" not in finding or not cause or finding.get("consequence"):
                continue
            place = (*(cause.get(key) for key in ("file", "line", "column", "operation")), finding["kind"])
            if place in seen:
                continue
            seen.add(place)
            counts.kinds[finding["kind"]] += 1
            counts.verdicts[finding.get("verdict", "unknown")] += 1
            counts.silent += finding["silent"]
            counts.reported += not finding["silent"]
            counts.reaching += finding.get("reaches_output", False)
            counts.harmless += finding.get("harmless", False)
            counts.means[finding.get("found_by", "")] += 1
        counts.functions += 1
        counts.functions_with_any += bool(seen)
        counts.evaluations += target["evaluations"]
        counts.seconds += target["seconds"]
    return counts


def suitable(context, library, wanted):
    """The functions that can be tested, and the others."""
    known = common.inputs_of_functions(context, library)
    names = wanted or common.lines_of(context.benchmarks("gsl-exceptions/functions.txt"))
    if not any(name in known for name in names):
        raise UserError("none of these functions can be tested", "faultline list shows those that can", common.UNSUITABLE)
    return [name for name in names if name in known], [name for name in names if name not in known]


@dataclass
class Options:
    library: str = ""
    functions: list = field(default_factory=list)
    strategies: list = field(default_factory=list)
    evaluations: int = 20_000  # per function, for all strategies except ariadne and auto
    budget: float = 10.0
    seed: int = 1
    jobs: int = 1
    quiet: bool = False


def settings_of(options, trial):
    """The words of a hunt. With a number of evaluations, the time is no limit."""
    words = ["--for", "exceptions", "--norm", "component", "--all", "--strategy", trial.strategy, "--seed", str(options.seed)]
    if trial.evaluations:
        return words + ["--budget", "1h", "--evals", str(trial.evaluations)]
    return words + ["--budget", f"{common.shortest(options.budget)}s"]


def run(context, trial, names, options):
    if not options.quiet:
        each = f", {trial.evaluations} evaluations each" if trial.evaluations else ""
        context.note(f"{trial.strategy}: {len(names)} functions{each}")
    start = time.monotonic()
    for returns_a_status in (True, False):
        functions = [name for name in names if name.endswith("_e") == returns_a_status]
        if not functions or context.interrupted:
            continue
        words = [options.library, *settings_of(options, trial), "-j", options.jobs]
        words += ["--status", "return=0"] if returns_a_status else []
        words += [word for name in functions for word in ("-f", name)]
        for target in context.hunt(words, options.quiet)["targets"]:
            if target["outcome"] != "interrupted":
                trial.targets.append(target)
            else:
                trial.unfinished.append(f"{target['function']} ({target.get('note') or 'interrupted'})")
    trial.targets.sort(key=lambda target: target["function"])
    trial.seconds = time.monotonic() - start


# The result

def figures_text(trials, counts):
    table = Table(["exceptions in GSL's special functions", *(f">{trial.title}" for trial in trials)])

    def add(label, figure):
        table.rows.append([label, *(str(figure(one)) for one in counts)])

    add("functions", lambda one: one.functions)
    add("functions with any", lambda one: one.functions_with_any)
    add("distinct function, location, operation, kind", lambda one: one.kinds.total())
    for kind in KINDS:
        add(f"  {kind}", lambda one, kind=kind: one.kinds[kind])
    for verdict in VERDICTS:
        add(f"  {verdict}", lambda one, verdict=verdict: one.verdicts[verdict])
    add("  silent", lambda one: one.silent)
    add("  reported by the function", lambda one: one.reported)
    add("  reaching the output", lambda one: one.reaching)
    add("  harmless underflows", lambda one: one.harmless)
    add("evaluations", lambda one: one.evaluations)
    add("seconds of searching", lambda one: f"{one.seconds:.1f}")
    table.rows.append(["seconds in all", *(f"{trial.seconds:.1f}" for trial in trials)])
    return table.text() + "\n"


def ratios_text(trials, counts):
    """Compares the first strategy with the others."""
    text = ""
    for trial, other in zip(trials[1:], counts[1:]):
        def ratio(own, others):
            return f"{own / others:.2f}" if others else "-"

        parts = [f"in all {ratio(counts[0].kinds.total(), other.kinds.total())}"]
        parts += [f"{kind} {ratio(counts[0].kinds[kind], other.kinds[kind])}" for kind in KINDS]
        text += f"{trials[0].strategy} : {trial.strategy}: {', '.join(parts)}\n"
    return text


def table_text(trials, left_out):
    counts = [counts_of(trial.targets) for trial in trials]
    text = figures_text(trials, counts) + ratios_text(trials, counts)
    for trial, one in zip(trials, counts):
        parts = [f"{name or '?'} {count}" for name, count in sorted(one.means.items())]
        text += f"found by ({trial.strategy}): {', '.join(parts)}\n"
    for trial in trials:
        if trial.unfinished:
            text += f"not finished by {trial.strategy}: {common.printable(', '.join(trial.unfinished))}\n"
    return text + (f"left out: {', '.join(left_out)}\n" if left_out else "")


TITLES = ["benchmark", "strategy", "relative_error", "seconds", "evaluations", *KINDS, *VERDICTS, "silent", "reported", "reaching",
          "harmless"]


def csv_text(trials):
    rows = []
    for trial in trials:
        for target in trial.targets:
            one = counts_of([target])
            rows.append([target["function"], trial.strategy, "", f"{target['seconds']:.6f}", target["evaluations"],
                         *(one.kinds[kind] for kind in KINDS), *(one.verdicts[verdict] for verdict in VERDICTS), one.silent,
                         one.reported, one.reaching, one.harmless])
    return common.csv_text(TITLES, rows)


def json_text(context, options, trials):
    """The findings of the first strategy, with a command that searches for them again."""
    command = ["hunt", options.library, *settings_of(options, trials[0])]
    return context.render({"command": command, "seed": options.seed, "targets": trials[0].targets})


FORM = common.Form("faultline bench gsl-exceptions", "Hunts for exceptions in the special functions of the GNU Scientific Library.",
"""All public special functions that take numbers. The library is fetched and compiled if need be. ariadne (and auto) search as
long as they like within --budget; other strategies get --evals evaluations of each function.

Examples:
  faultline bench gsl-exceptions                         ariadne and random
  faultline bench gsl-exceptions -o e.csv -o e.json      a line for each function and strategy; ariadne's findings
  faultline replay e.json                                every one of them again, in a fresh process
  faultline bench gsl-exceptions -f gsl_sf_bessel_Jnu_e  one function""", (
    common.function_option("this function; of the suite's"), common.strategy_option("ariadne,random"),
    common.budget_option("10s", "for each function: 10s, 500ms, 2m"),
    common.evaluations_option("20000", "evaluations of each function, except for ariadne and auto"),
    common.SEED, common.jobs_option("functions at the same time"), common.REPORT, common.QUIET),
    "DIR", "the folder that has gsl.bc (default: build/subjects/gsl)")


def main(arguments, context):
    values = common.parse(FORM, arguments)
    options = Options(functions=values.values("function"), evaluations=values.positive("evals", 20_000), jobs=values.jobs(),
                      budget=values.duration("budget", 10.0), seed=values.whole("seed", 1), quiet=values.quiet)
    options.strategies = context.strategies("--strategy", values.value("strategy"), ["ariadne", "random"])
    if not options.strategies:
        raise UserError("there is nothing to do", "leave out --strategy none")
    reports = common.reports(values.values("o"))  # opened first, because they may be refused
    options.library = context.subject("gsl", values.operand)
    names, left_out = suitable(context, options.library, options.functions)
    trials = []
    for strategy in options.strategies:
        trials.append(Trial(strategy, None if strategy in ("ariadne", "auto") else options.evaluations))
        run(context, trials[-1], names, options)
    return common.conclude(context, reports, lambda: table_text(trials, left_out), lambda: csv_text(trials),
                           lambda: json_text(context, options, trials))
