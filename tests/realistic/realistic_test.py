"""Hunts in functions as users write them: half of them have one bug each, half of them are right.

The lines at fault of a function end in a comment `BUG`, or `BUG FUNCTION` in a helper of this function. An error must be on
one of them. No error may be in another function, and there are few errors in all: one bug is one problem.

usage: realistic_test.py FAULTLINE [--verbose] [FILE...]
"""
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUG = re.compile(r"(?://|!) BUG ?(\w*)$")
# At most, of 29 bugs: a count of steps is no float, a NaN at two zeros is a warning, a quotient by a zero deviation is a note.
MISSED, ERRORS = 3, 40


def hunt(faultline, path):
    command = [str(Path(faultline).resolve()), "hunt", path.name, "--quiet", "-j1", "-o", "-"]
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=600, check=False)
    if run.returncode not in (0, 1, 4):
        raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
    return json.loads(run.stdout)


def short(name):
    return name.split("::")[-1]


def bugs_of(path, targets):
    """For each function with a bug, its lines at fault."""
    starts = sorted((target["line"], short(target["function"])) for target in targets)
    bugs = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark = BUG.search(line)
        if mark:
            name = mark.group(1) or [function for start, function in starts if start <= number][-1]
            bugs.setdefault(name, []).append(number)
    return bugs


class Verdict:
    """What a hunt says about the functions of one file."""

    def __init__(self, path, report):
        self.path = path
        self.functions = {short(target["function"]) for target in report["targets"]}
        self.unjudged = [target["function"] for target in report["targets"] if not target.get("judged")]
        self.errors = [problem for problem in report["problems"] if problem["tier"] == "error"]
        bugs = bugs_of(path, report["targets"])
        lines = {problem["line"] for problem in self.errors}
        self.bugs = len(bugs)
        self.missed = [name for name, at in bugs.items() if not lines & set(at)]
        self.false = [problem for problem in self.errors if not {short(name) for name in problem["functions"]} & set(bugs)]


def described(problem):
    def text(value):
        return value["decimal"] if isinstance(value, dict) else f"[{', '.join(map(text, value))}]"

    at = ", ".join(f"{name}={text(value)}" for name, value in problem["input"].items())
    return f"{problem['line']}: {problem['class']} in {problem['functions'][0]}({at}), {problem['verdict']}"


def main():
    arguments = sys.argv[1:]
    verbose = "--verbose" in arguments
    faultline, *names = [argument for argument in arguments if argument != "--verbose"]
    paths = [path for folder in ("c", "cpp", "fortran") for path in sorted((HERE / folder).iterdir())
             if not names or path.name in names]
    with ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(lambda path: Verdict(path, hunt(faultline, path)), paths))
    for verdict in verdicts:
        print(f"{verdict.path.name}: {verdict.bugs - len(verdict.missed)} of {verdict.bugs} bugs, {len(verdict.errors)} errors")
        for name in verdict.missed:
            print(f"  missed: {name}")
        for name in verdict.unjudged:
            print(f"  not judged: {name}")
        for problem in verdict.errors if verbose else verdict.false:
            print(f"  {'false' if problem in verdict.false else 'error'}: {described(problem)}")
    total = {what: sum(len(getattr(verdict, what)) for verdict in verdicts)
             for what in ("functions", "missed", "errors", "false", "unjudged")}
    bugs = sum(verdict.bugs for verdict in verdicts)
    print(f"{total['functions']} functions: {bugs - total['missed']} of {bugs} bugs, {total['errors']} errors, "
          f"{total['false']} about correct functions")
    failed = total["missed"] > MISSED or total["errors"] > ERRORS or total["false"] or total["unjudged"]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
