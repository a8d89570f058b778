"""The bounds suite: the largest absolute error of FPBench's functions over their ranges, proved and found, next to the best published
bounds (benchmarks/bounds).

--everyday bounds functions as programs contain them, without published bounds.

--others bounds further functions with published bounds: FPCores, whose ranges are their preconditions. Some of those figures hold
only for stable paths: inputs for which the run and exact arithmetic take the same branches. Bounds proved here have no such
condition, so these figures are shown, but not counted.
"""
import json
import math
import os
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass, field

from .common import (QUIET, REPORT, SEED, Failure, Form, Option, Table, UserError, budget_option, conclude, csv_text, function_option,
                     parse, part_of, read_csv, reports, shortened, shortest)

FORM = Form(
    "faultline bench bounds", "Bounds the errors of functions for which bounds are published.",
    """Functions of FPBench over their ranges: the largest absolute error, proved from above and found
from below, beside the smallest upper bound that FPTaylor, Fluctuat, VCFloat2, PRECiSA or Daisy have published. Those of
VCFloat2 take inputs as the floats they are; the others count their rounding, as --rounded-inputs does.

Examples:
  faultline bench bounds                         all of it
  faultline bench bounds -f kepler0 --time 60s   more time for one function
  faultline bench bounds --rounded-inputs -o -   JSON on standard output
  faultline bench bounds --check                 and the certificates, verified, with their times
  faultline bench bounds --others                84 more functions with published bounds, as FPCores
  faultline bench bounds --everyday --time 5s    50 functions as programs contain them, without published bounds""",
    (function_option("this function"), budget_option("10s", "for each function: 10s, 2m", "--time"),
     Option("--rounded-inputs", "", "Inputs", "count half a unit in the last place for each input, as others do"),
     Option("--check", "", "Checks", "verify the certificates, as faultline check does"),
     Option("--others", "", "What to bound", "the other functions with published bounds instead"),
     Option("--everyday", "", "What to bound", "formulas, loops and selections of programs instead"),
     Option("-j,--jobs", "N", "Search", "threads that verify", "one a processor"), SEED, REPORT, QUIET))

NEAR = 1.1  # the ratio to the best published bound up to which one of the others counts as equally good


@dataclass(frozen=True)
class Benchmark:
    name: str
    best: float  # the smallest published upper bound
    tool: str  # the tool that proved it
    ranges: tuple = ()  # x=LO:HI
    stable_paths_only: bool = False


@dataclass(frozen=True)
class Checked:
    """The result of faultline check for a certificate."""
    boxes: int
    bytes: int  # of the file
    seconds: float  # without reading it
    refusal: str = ""


@dataclass(frozen=True)
class Row:
    benchmark: Benchmark
    target: dict = field(default_factory=dict)  # of the JSON of faultline bound; empty: it was refused
    checked: Checked | None = None  # if requested
    refusal: str = ""

    @property
    def absolute(self):
        return self.target["outputs"][0]["absolute"] if self.target.get("outputs") else {}

    @property
    def proven(self):
        proven = self.absolute.get("proven")
        return math.inf if proven is None else proven

    @property
    def found(self):
        return self.absolute.get("found", 0)

    @property
    def seconds(self):
        return self.target.get("seconds", 0)

    @property
    def to_published(self):
        return self.proven / self.benchmark.best

    @property
    def to_found(self):
        return self.proven / self.found if self.found else math.inf

    @property
    def obstacle(self):
        """Why there is no bound; empty: there is one."""
        if self.refusal or not self.target.get("unproven"):
            return self.refusal
        unproven = self.target["outputs"][0]["open"] if self.target["outputs"] else []
        return unproven[0]["reason"] if unproven else "not proved"


@dataclass(frozen=True)
class Evaluation:
    rows: list
    rounded_inputs: bool = False
    threads: int = 1  # for checking

    def within(self, factor):
        """How many bounds are at most this many times the published one."""
        return sum(row.to_published <= factor for row in self.rows)

    def total(self, what):
        return sum(row.target.get(what, 0) for row in self.rows)

    def mean_to_found(self):
        """Geometric."""
        return math.exp(sum(math.log(row.to_found) for row in self.rows) / len(self.rows)) if self.rows else 0

    def inputs(self):
        return "are reals that were rounded (--rounded-inputs)" if self.rounded_inputs else "are exact floats"


def published_in(path, names, hint):
    """The benchmarks of a file; with names, only these."""
    benchmarks = []
    for row in read_csv(path):
        benchmark = Benchmark(row["benchmark"], float(row.get("best_upper") or 0), row.get("best_tool", ""),
                              tuple(row.get("ranges", "").split()), row.get("stable_paths_only") == "yes")
        if not benchmark.best > 0 and "best_upper" in row:
            raise UserError(f"{path}: {benchmark.name} has no bound")
        benchmarks.append(benchmark)
    for name in names:
        if name not in [benchmark.name for benchmark in benchmarks]:
            raise UserError(f"there is no benchmark '{name}'", hint)
    return [benchmark for benchmark in benchmarks if not names or benchmark.name in names]


def bound(context, words):
    """The JSON of the function, or its refusal; one of the two is empty."""
    try:
        out = context.run(["bound", *words, "--no-config", "-o", "-"])
        return json.loads(out)["targets"][0], ""
    except UserError:
        if context.interrupted:
            return {}, "interrupted"
        raise
    except Failure as failure:
        found = re.search(r"^faultline: error: (.*)", failure.text, re.MULTILINE)
        if not found:
            raise
        return {}, found[1]


def checked(context, file, threads):
    """None: no certificate was written."""
    if not os.path.exists(file) or context.interrupted:
        return None
    try:
        result = json.loads(context.run(["check", file, "-j", threads, "-o", "-"]))
    except UserError:
        if context.interrupted:
            return None
        raise
    return Checked(result["boxes"], os.path.getsize(file), result["seconds"], result.get("refusal", {}).get("reason", ""))


def evaluate(said, context):
    """The rows, one for each function; an interrupt ends them early."""
    folder, others, everyday = context.benchmarks("bounds"), said.has("others"), said.has("everyday")
    benchmarks = published_in(f"{folder}/{'others' if others else 'everyday' if everyday else 'published'}.csv", said.values("function"),
                              f"faultline bench bounds{' --others' * others}{' --everyday' * everyday} lists all")
    source = f"{folder}/{'others.fpcore' if others else 'everyday.c' if everyday else 'functions.c'}"
    threads = said.jobs() if said.has("jobs") else os.cpu_count() or 1
    words = ["--ratio", "1", "--time", f"{shortest(said.duration('time', 10.0))}s", "--seed", said.whole("seed", 1),
             *["--rounded-inputs"] * said.has("rounded-inputs")]
    evaluation = Evaluation([], said.has("rounded-inputs"), threads)
    for benchmark in benchmarks:
        if context.interrupted:
            break
        if not said.quiet and sys.stderr.isatty():
            context.note(benchmark.name)
        with tempfile.TemporaryDirectory(prefix="faultline-bench-") as temporary:
            proof = pathlib.Path(temporary) / "certificate.proof.json"
            certificate = ["-o", proof] if said.has("check") and not others else []
            ranges = [word for one in benchmark.ranges for word in ("--range", one)]
            target, refusal = bound(context, [source, "-f", benchmark.name, *ranges, *words, *certificate])
            if refusal and not others and not context.interrupted:
                raise UserError(f"{benchmark.name}: {refusal}")
            if target or not context.interrupted:
                evaluation.rows.append(Row(benchmark, target, checked(context, proof, threads), refusal))
    return evaluation


# Reports

def number(value):
    """For JSON, which has no infinities."""
    return value if math.isfinite(value) else None


def certificates_table(evaluation):
    table = Table(["certificate", ">boxes", ">MB", ">proving s", ">checking s", ""])
    seen = [row for row in evaluation.rows if row.checked]
    for row in seen:
        refusal = row.checked.refusal
        table.rows.append([row.benchmark.name, str(row.checked.boxes), f"{row.checked.bytes / 1e6:.2f}",
                           f"{row.target['proving_seconds']:.2f}", f"{row.checked.seconds:.2f}",
                           f"refused: {refusal}" if refusal else "verified"])
    if not seen:
        return ""
    verified = sum(not row.checked.refusal for row in seen)
    return (f"\n{table.text()}\n{part_of(verified, len(seen))} verified, in {sum(row.checked.seconds for row in seen):.1f} s on "
            f"{evaluation.threads} thread{'s' * (evaluation.threads != 1)}; proving took {evaluation.total('proving_seconds'):.1f} s "
            "on one.\n")


def table(evaluation):
    rows = Table(["function", ">found", ">proven", ">proven/found", ">published", "by", ">proven/published", ">boxes", ">s to 1 %",
                  ">s"])
    for row in evaluation.rows:
        rows.rows.append([row.benchmark.name, f"{row.found:.3e}", f"{row.proven:.3e}", f"{row.to_found:.3f}",
                          f"{row.benchmark.best:.2e}", row.benchmark.tool, f"{row.to_published:.3f}", str(row.target["boxes"]),
                          f"{row.target['nearly_seconds']:.3f}", f"{row.seconds:.2f}"])
    return (f"{rows.text()}\nAbsolute errors; inputs {evaluation.inputs()}. Proven at most 1.02 times the published bound: "
            f"{part_of(evaluation.within(1.02), len(evaluation.rows))}; at most 0.9 times: {evaluation.within(0.9)}.\n"
            f"Proven/found, geometric mean: {evaluation.mean_to_found():.3f}. {evaluation.total('nearly_seconds'):.2f} s in all until "
            f"the bound was within 1 % of the final one; {evaluation.total('seconds'):.1f} s with the rest of the proof and the "
            f"search.\n{certificates_table(evaluation)}")


TITLES = ("function", "found", "proven", "published", "tool", "boxes", "evaluations", "nearly_seconds", "seconds")


def cells(evaluation):
    for row in evaluation.rows:
        yield (row.benchmark.name, shortest(row.found), shortest(row.proven), shortest(row.benchmark.best), row.benchmark.tool,
               row.target["boxes"], row.target["evaluations"], shortest(row.target["nearly_seconds"]), shortest(row.seconds))


def json_of(evaluation):
    functions = []
    for row in evaluation.rows:
        functions.append({"function": row.benchmark.name, "ranges": row.benchmark.ranges, "found": row.found,
                          "proven": number(row.proven), "published": row.benchmark.best, "tool": row.benchmark.tool,
                          **{key: row.target[key] for key in ("boxes", "evaluations", "seconds", "proving_seconds",
                                                              "nearly_seconds")}})
        if row.checked:
            functions[-1]["certificate"] = {"verified": not row.checked.refusal, "refusal": row.checked.refusal,
                                            "boxes": row.checked.boxes, "bytes": row.checked.bytes, "seconds": row.checked.seconds}
    return json.dumps({"suite": "bounds", "rounded_inputs": evaluation.rounded_inputs,
                       "mean_proven_to_found": number(evaluation.mean_to_found()), "functions": functions}, indent=2) + "\n"


def others_table(evaluation):
    rows = Table(["function", ">published", "by", ">proven", ">proven/published", ">found", ">s", ""])
    for row in evaluation.rows:
        proven = ("-", "-") if row.obstacle else (f"{row.proven:.3e}", f"{row.to_published:.3f}")
        rows.rows.append([row.benchmark.name, f"{row.benchmark.best:.2e}",
                          row.benchmark.tool + " *" * row.benchmark.stable_paths_only, *proven, f"{row.found:.3e}",
                          f"{row.seconds:.2f}", shortened(row.obstacle, 60)])
    counted = Evaluation([row for row in evaluation.rows if not row.benchmark.stable_paths_only])
    good, share = counted.within(NEAR), 100 / max(len(counted.rows), 1)
    return (f"{rows.text()}\nAbsolute errors; inputs {evaluation.inputs()}. Proven at most {NEAR} times the best published bound: "
            f"{part_of(good, len(counted.rows))} ({good * share:.0f} %).\n* holds for stable paths only, and does not count.\n")


OTHERS_TITLES = ("function", "published", "tool", "stable_paths_only", "proven", "found", "seconds", "obstacle")


def others_cells(evaluation):
    for row in evaluation.rows:
        yield (row.benchmark.name, shortest(row.benchmark.best), row.benchmark.tool, "yes" * row.benchmark.stable_paths_only,
               "" if row.obstacle else shortest(row.proven), shortest(row.found), shortest(row.seconds), row.obstacle)


def others_json(evaluation):
    functions = [{"function": row.benchmark.name, "published": row.benchmark.best, "tool": row.benchmark.tool,
                  "stable_paths_only": row.benchmark.stable_paths_only, "proven": None if row.obstacle else number(row.proven),
                  "found": row.found, "seconds": row.seconds, "obstacle": row.obstacle} for row in evaluation.rows]
    return json.dumps({"suite": "bounds", "others": True, "rounded_inputs": evaluation.rounded_inputs, "functions": functions},
                      indent=2) + "\n"


def median(numbers):
    return sorted(numbers)[len(numbers) // 2] if numbers else 0


def everyday_table(evaluation):
    rows = Table(["function", ">found", ">proven", ">proven/found", ">s", ""])
    for row in evaluation.rows:
        proven = ("-", "-") if row.obstacle else (f"{row.proven:.3e}", f"{row.to_found:.3f}")
        rows.rows.append([row.benchmark.name, f"{row.found:.3e}", *proven, f"{row.seconds:.2f}", shortened(row.obstacle, 60)])
    proved = sum(not row.obstacle for row in evaluation.rows)
    return (f"{rows.text()}\nAbsolute errors; inputs {evaluation.inputs()}. Proved completely: {part_of(proved, len(evaluation.rows))}. "
            f"Proven/found, median: {median([row.to_found for row in evaluation.rows]):.3f}.\n")


def everyday_json(evaluation):
    functions = [{"function": row.benchmark.name, "ranges": row.benchmark.ranges, "proven": None if row.obstacle else number(row.proven),
                  "found": row.found, "seconds": row.seconds, "obstacle": row.obstacle} for row in evaluation.rows]
    return json.dumps({"suite": "bounds", "everyday": True, "rounded_inputs": evaluation.rounded_inputs,
                       "median_proven_to_found": number(median([row.to_found for row in evaluation.rows])), "functions": functions},
                      indent=2) + "\n"


EVERYDAY_TITLES = ("function", "proven", "found", "seconds", "obstacle")


def everyday_cells(evaluation):
    for row in evaluation.rows:
        yield (row.benchmark.name, "" if row.obstacle else shortest(row.proven), shortest(row.found), shortest(row.seconds), row.obstacle)


def main(arguments, context):
    said = parse(FORM, arguments)
    made = reports(said.values("o"))  # opened first, because they may be refused
    evaluation = evaluate(said, context)
    if said.has("everyday"):
        return conclude(context, made, lambda: everyday_table(evaluation),
                        lambda: csv_text(EVERYDAY_TITLES, everyday_cells(evaluation)), lambda: everyday_json(evaluation))
    if said.has("others"):
        return conclude(context, made, lambda: others_table(evaluation), lambda: csv_text(OTHERS_TITLES, others_cells(evaluation)),
                        lambda: others_json(evaluation))
    return conclude(context, made, lambda: table(evaluation), lambda: csv_text(TITLES, cells(evaluation)), lambda: json_of(evaluation))
