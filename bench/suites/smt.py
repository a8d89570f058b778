"""The suite `smt`: every SMT-LIB file of a folder, with each solver alone and a time limit per file. Only the first check of a file is
used.

An answer is wrong if it contradicts the file's own :status, or if another solver proved the opposite: faultline solve verifies every
model before it prints it. Each run is a process with a hard limit, so a solver that crashes or does not end costs one file.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field

from .common import (QUIET, REPORT, SEED, Failure, Form, Option, Table, UserError, budget_option, conclude, csv_text, jobs_option, parse,
                     part_of, reports, shortest)
from .solving import Answer, answer_in

FORM = Form(
    "faultline bench smt", "Runs the solvers on a folder of floating-point problems.",
    """Every .smt2 file of the folder and of those in it, each solver alone and for so long, in a process of its own. The
exit status is 1 if an answer contradicts a file's :status or another solver's model.

Examples:
  faultline bench smt problems/                                  all solvers, 10 s a file
  faultline bench smt problems/ --solver interval,newton --time 2s
  faultline bench smt problems/ -o smt.csv                       a line for each file and solver""",
    (Option("--solver", "LIST", "Search", "which solvers", "all"), budget_option("10s", "a file: 10s, 500ms, 2m", "--time"), SEED,
     jobs_option("files at the same time"), REPORT, QUIET),
    operand="DIR", operand_help="a folder of SMT-LIB files")

GRACE = 5  # seconds to read the file and to finish by itself
HINT = "bench smt DIR"


@dataclass
class Run:
    benchmark: str  # the file, relative to the folder
    solver: str  # the tested solver
    answer: str
    seconds: float
    status: str  # of the file: sat, unsat or unknown
    by: str = ""  # the solver within a portfolio that answered
    reason: str = ""
    wrong: bool = False

    @property
    def group(self):
        return os.path.dirname(self.benchmark) or "."

    @property
    def is_contradiction(self):
        return {self.answer, self.status} == {"sat", "unsat"}


def smt_files(folder):
    """The .smt2 files of a folder and its subfolders, sorted."""
    try:
        os.listdir(folder)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}", HINT) from None
    files = sorted(str(path) for path in pathlib.Path(folder).rglob("*.smt2") if path.is_file())
    if not files:
        raise UserError(f"{folder}: there is no .smt2 file", HINT)
    return files


TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')


def first_check(text):
    """The script up to the end of its first check, and the :status that holds there."""
    depth, status, words = 0, "unknown", []
    for token in TOKEN.finditer(text):
        word = token[0]
        if word.startswith(";"):
            continue
        words.append(word)
        depth += (word == "(") - (word == ")")
        if depth <= 0:
            if words[1:3] == ["set-info", ":status"] and words[3] in ("sat", "unsat"):
                status = words[3]
            if words[1:2] in (["check-sat"], ["check-sat-assuming"]):
                return text[:token.end()] + "\n", status
            words = []
    return text, status


def compare(runs):
    """A model that satisfies the formula proves sat: every unsat is wrong then."""
    satisfiable = {run.benchmark for run in runs if run.answer == "sat"}
    for run in runs:
        run.wrong = run.is_contradiction or (run.answer == "unsat" and run.benchmark in satisfiable)


def finished(process, text, seconds, context):
    """The output of the process; nothing: it was killed, after these seconds or by an interrupt."""
    end, given = time.monotonic() + seconds, text
    while True:
        try:
            return process.communicate(given, timeout=min(0.2, max(end - time.monotonic(), 0)))
        except subprocess.TimeoutExpired:
            given = None  # communicate remembers it
            if context.interrupted or time.monotonic() >= end:
                os.killpg(process.pid, signal.SIGKILL)  # with the solvers that it started
                process.communicate()
                return None


def solve(file, text, solver, options, context):
    """The Answer; None: interrupted."""
    command = [str(context.faultline), "solve", "-", "--solver", solver, "--time", f"{shortest(options.seconds)}s", "--seed",
               str(options.seed)]
    begin = time.monotonic()
    # A group of its own: Ctrl-C in a terminal comes to us.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          process_group=0) as process:
        outputs = finished(process, text, options.seconds + GRACE, context)
    if context.interrupted:
        return None
    seconds = time.monotonic() - begin
    if outputs is None:
        return Answer("unknown", solver, seconds, reason="it did not end in time")
    if process.returncode in (0, 1, 4):
        return answer_in(outputs[0])
    if process.returncode < 0 or process.returncode > 3:
        return Answer("unknown", solver, seconds, reason=f"it ended with status {process.returncode}")
    raise Failure(outputs[1].replace("standard input:", f"{file}:", 1), process.returncode)


@dataclass
class Options:
    folder: str
    solvers: list
    seconds: float = 10
    seed: int = 1
    jobs: int = 1


def runs_on(file, options, context):
    """Each solver on the file, one after the other."""
    with open(file, encoding="utf-8", errors="surrogateescape") as stream:
        text, status = first_check(stream.read())
    runs = []
    for solver in options.solvers:
        answer = None if context.interrupted else solve(file, text, solver, options, context)
        if answer:
            runs.append(Run(os.path.relpath(file, options.folder), solver, answer.answer, answer.seconds, status, answer.solver,
                            answer.reason))
    return runs


def run_smt(options, context, on_runs):
    """All runs, by file, then by solver. `on_runs` is called with the runs on each file and their number so far."""
    files = smt_files(options.folder)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(runs_on, file, options, context) for file in files]
        done = 0
        try:
            for future in concurrent.futures.as_completed(waiting):
                done += len(future.result())
                on_runs(future.result(), done, len(files) * len(options.solvers))
        except Exception:
            pool.shutdown(cancel_futures=True)
            raise
    runs = [run for future in waiting for run in future.result()]
    compare(runs)
    return runs


# Reports

@dataclass
class Tally:
    """The results of one solver on one group of files."""
    runs: list = field(default_factory=list)

    def count(self, answer=None, status=None):
        return sum(answer in (None, run.answer) and status in (None, run.status) for run in self.runs)

    def cells(self):
        return [part_of(self.count("sat") + self.count("unsat"), len(self.runs)), str(self.count("sat")), str(self.count("unsat")),
                *(part_of(self.count(status, status), self.count(status=status)) for status in ("sat", "unsat")),
                str(sum(run.wrong for run in self.runs)), f"{sum(run.seconds for run in self.runs):.1f}"]


def table(runs, seconds):
    rows = Table(["files", "solver", ">solved", ">sat", ">unsat", ">known sat", ">known unsat", ">wrong", ">seconds"])
    for group in dict.fromkeys(run.group for run in runs):
        for solver in dict.fromkeys(run.solver for run in runs):
            tally = Tally([run for run in runs if (run.group, run.solver) == (group, solver)])
            rows.rows.append([group, solver, *tally.cells()])
    text = (f"{rows.text()}\n{seconds:g} s per file. Known: files with this :status. Wrong: contradicts :status, or unsat where "
            "another solver has a model.\nSeconds: all files together, unsolved ones with the time they took.\n")
    return text + "".join(f"Wrong: {run.solver} on {run.benchmark}: {run.answer} (status {run.status})\n" for run in runs if run.wrong)


TITLES = ("benchmark", "strategy", "answer", "seconds", "status", "wrong", "by")


def cells(runs):
    return [(run.benchmark, run.solver, run.answer, f"{run.seconds:.4f}", run.status, int(run.wrong), run.by) for run in runs]


def json_of(runs, seconds, version, command):
    keys = ("benchmark", "solver", "answer", "seconds", "status", "wrong", "by", "reason")
    entries = [{key: asdict(run)[key] for key in keys} for run in runs]
    return json.dumps({"faultline": version, "schema": 1, "command": command, "limit": seconds, "runs": entries}, indent=2) + "\n"


def solvers(context, typed):
    """Those of a comma list; all without one. The help of faultline solve lists them."""
    section = context.run(["solve", "--help"]).partition("Solvers:\n")[2].partition("\n\n")[0]
    known = re.findall(r"^  (\S+) ", section, re.MULTILINE)
    chosen = typed.split(",") if typed else known
    for name in chosen:
        if name not in known:
            raise UserError(f"--solver {typed}: there is no solver '{name}'", f"a comma list of {', '.join(known)}")
    return chosen


def main(arguments, context):
    said = parse(FORM, arguments)
    if not said.operand:
        raise UserError("no folder given", "faultline bench smt DIR")
    options = Options(said.operand, solvers(context, said.value("solver")), said.duration("time", 10.0), said.whole("seed", 1),
                      said.jobs())
    made = reports(said.values("o"))  # opened first, because they may be refused

    def progress(runs, done, everything):
        if runs and not said.quiet and (sys.stderr.isatty() or done // 50 > (done - len(runs)) // 50 or done == everything):
            context.progress(f"{done} of {everything}: {runs[-1].benchmark}: {', '.join(run.answer for run in runs)}")

    runs = run_smt(options, context, progress)
    version = context.run(["--version"], needed=True).split()[-1]
    status = conclude(context, made, lambda: table(runs, options.seconds), lambda: csv_text(TITLES, cells(runs)),
                      lambda: json_of(runs, options.seconds, version, context.command))
    return status or int(any(run.wrong for run in runs))
