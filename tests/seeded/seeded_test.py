"""Hunts in small functions with one bug each, whose line is known, and in their fixed twins.

A bug is LANGUAGE/NAME.ENDING; the line at fault ends in a comment `FAULT: CLASS`. Its twin NAME.fixed.ENDING has the same
functions without the bug. A line `options: WORDS` near the top is for faultline hunt. The first finding with an error (the
largest), or else the first exception that could be avoided and follows from no other, must have its cause on the line at
fault; and the twin must have
no finding that counts. The tool names lines by judgement, so a few may be missed: MISSES says how many of all.

usage: seeded_test.py FAULTLINE [NAME...]
"""
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISSES = 2
ERRORS = ("inaccuracy", "branch-flip", "bound-violated")
FAULT = re.compile(r"(?://|!) FAULT: ([a-z-]+)$")
OPTIONS = re.compile(r"(?://|!) options: (.*)$")


class Bug:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.twin = path.with_name(f"{path.stem}.fixed{path.suffix}")
        self.options = []
        lines = path.read_text().splitlines()
        marked = [(number, FAULT.search(line)) for number, line in enumerate(lines, 1) if FAULT.search(line)]
        if len(marked) != 1:
            raise ValueError(f"{path}: {len(marked)} lines at fault")
        self.line, self.fault = marked[0][0], marked[0][1].group(1)
        for line in lines[:5]:
            found = OPTIONS.match(line)
            if found:
                self.options = found.group(1).split()


def bugs():
    """All of them, in a fixed order."""
    paths = sorted(path for folder in ("c", "cpp", "fortran") for path in (HERE / folder).iterdir())
    return [Bug(path) for path in paths if ".fixed." not in path.name]


def hunt(faultline, path, options):
    command = [faultline, "hunt", path.name, "--quiet", "-o", "-", *options]
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=240, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
    return [finding for target in json.loads(run.stdout)["targets"] for finding in target["findings"]]


def worst(findings):
    """The finding that a user reads first; what merely follows from another exception is none of its own."""
    errors = [finding for finding in findings if finding["kind"] in ERRORS]
    avoidable = [finding for finding in findings
                 if counts(finding) and not finding.get("consequence") and not finding.get("after_underflow")]
    return (errors + avoidable + [None])[0]


def counts(finding):
    """Not a harmless exception."""
    return finding["kind"] in ERRORS or finding["verdict"] == "avoidable"


def place(finding):
    cause = (finding or {}).get("cause")
    return f"{cause['line']}" if cause else "-"


def row(bug, finding):
    diagnosis = (finding or {}).get("diagnosis", {})
    fault = diagnosis.get("class", "-")
    error = (finding or {}).get("error", {}).get("relative")
    if finding and finding["kind"] not in ERRORS:
        fault = f"({finding['kind']})"
    return (f"{bug.name:22} {bug.fault:22} {fault:22} {bug.line:4} {place(finding):>4}  "
            f"{'-' if error is None else format(float(error), '.1e'):8} {diagnosis.get('remedy', {}).get('name', '-')}")


def examine(faultline, bug):
    finding = worst(hunt(faultline, bug.path, bug.options))
    noise = [other for other in hunt(faultline, bug.twin, bug.options) if counts(other)]
    right = place(finding) == str(bug.line) and finding["cause"]["file"].endswith(bug.path.name)
    return bug, finding, right, noise


def main():
    faultline, names = sys.argv[1], sys.argv[2:]
    chosen = [bug for bug in bugs() if not names or bug.name in names]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda bug: examine(faultline, bug), chosen))
    print(f"{'name':22} {'class wanted':22} {'class got':22} line  got  error    remedy")
    wrong, loud = [], []
    for bug, finding, right, noise in results:
        print(row(bug, finding) + ("" if right else "  WRONG LINE"))
        if not right:
            wrong.append(bug.name)
        for other in noise:
            loud.append(bug.name)
            print(f"    the twin is not silent: {other['kind']} at line {place(other)}, "
                  f"error {other.get('error', {}).get('relative')}, {other['verdict']}")
    classes = sum((finding or {}).get("diagnosis", {}).get("class") == bug.fault for bug, finding, _, _ in results)
    print(f"{len(chosen) - len(wrong)} of {len(chosen)} lines right, {classes} classes right, "
          f"{len(set(loud))} twins not silent")
    return 1 if len(wrong) > MISSES or loud else 0


if __name__ == "__main__":
    sys.exit(main())
