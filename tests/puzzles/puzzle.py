"""Runs puzzles: hunts in each file and compares with the expectations in the file's own first lines.

  options: WORDS                                    for faultline hunt, after the file
  expect: FUNCTION KIND line N [above E] [operation OP] [verdict V] [output NAME]
  allow:  FUNCTION KIND line N                      may be found too: right, but not what the puzzle is about
  silent: FUNCTION [KIND | all]                     nothing of this kind; without one, no inaccuracy and no branch-flip
  known:  REASON                                    the search is too weak for what is expected: not finding it passes,
                                                    and finding it under every seed fails, so that the mark goes

Alternatives are separated by |; `any` instead of `line N` leaves the line open, but not the file. Whatever rounding error is
reported must be expected or allowed, at its line: a wrong finding fails like a missing one.

usage: puzzle.py FAULTLINE PUZZLE... [--seed N]...
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ERRORS = ("inaccuracy", "branch-flip")
DIRECTIVE = re.compile(r"\s*(?://|!)\s*(options|expect|allow|silent|known):\s*(.*)")


class Pattern:
    """What an expect or allow line says."""

    def __init__(self, text):
        words = text.split()
        self.text = text
        self.function, self.kinds = words[0], words[1].split("|")
        rest = [word for word in words[2:] if word != "any"]
        wishes = dict(zip(rest[::2], rest[1::2], strict=True))
        unknown = wishes.keys() - {"line", "above", "operation", "verdict", "output"}
        if unknown:
            raise ValueError(f"{text}: what is {unknown}?")
        self.wishes = wishes

    def matches(self, function, finding):
        cause = finding.get("cause", {})
        facts = {"line": str(cause.get("line")), "operation": cause.get("operation"), "verdict": finding["verdict"],
                 "output": finding.get("output", {}).get("name")}
        if function != self.function or finding["kind"] not in self.kinds:
            return False
        for key, wish in self.wishes.items():
            if key == "above":
                if not float(finding["error"]["relative"]) > float(wish):
                    return False
            elif wish != "any" and facts[key] not in wish.split("|"):
                return False
        return True


class Puzzle:
    def __init__(self, path):
        self.path = path
        self.options, self.known = [], ""
        self.expected, self.allowed, self.silent = [], [], []
        for line in path.read_text().splitlines():
            found = DIRECTIVE.match(line)
            if not found:
                continue
            word, text = found.groups()
            if word == "options":
                self.options += text.split()
            elif word == "known":
                self.known = text
            elif word == "silent":
                function, *kinds = text.split()
                self.silent.append((function, kinds))
            else:
                (self.expected if word == "expect" else self.allowed).append(Pattern(text))

    def hunt(self, faultline, seed):
        command = [faultline, "hunt", self.path.name, "--seed", str(seed), "--quiet", "-o", "-", *self.options]
        run = subprocess.run(command, cwd=self.path.parent, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode not in (0, 1):
            raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
        return json.loads(run.stdout)

    def solved(self, report):
        return all(any(pattern.matches(*item) for item in found_in(report)) for pattern in self.expected)

    def problems(self, report):
        functions = {target["function"] for target in report["targets"]}
        named = {pattern.function for pattern in self.expected + self.allowed} | {function for function, _ in self.silent}
        for function in sorted(named - functions):
            yield f"{function} is not a target"
        for pattern in self.expected:
            if not self.known and not any(pattern.matches(*item) for item in found_in(report)):
                yield f"not found: {pattern.text}"
        for function, finding in found_in(report):
            yield from self.problems_of(function, finding)

    def problems_of(self, function, finding):
        shown = describe(function, finding)
        kind = finding["kind"]
        for silent, kinds in self.silent:
            if silent == function and (kind in (kinds or ERRORS) or "all" in kinds):
                yield f"not silent: {shown}"
                return
        if "cause" in finding and finding["cause"]["file"] != self.path.name:
            yield f"wrong file: {shown}"
        same_kind = [pattern for pattern in self.expected + self.allowed if pattern.function == function and kind in pattern.kinds]
        # The input that speaks for a cause may have a smaller error than the largest, which is a finding beside it.
        larger = {**finding, "error": {**finding.get("error", {}), "relative": 1e300}}
        if kind in ERRORS and not any(pattern.matches(function, finding) or pattern.matches(function, larger) for pattern in same_kind):
            yield f"wrong finding: {shown}"


def found_in(report):
    """Half of the digits lost is no failure: puzzles are about those."""
    return [(target["function"], finding) for target in report["targets"] for finding in target["findings"]
            if "half_digits" not in finding]


def describe(function, finding):
    cause, error = finding.get("cause"), finding.get("error", {}).get("relative")
    where = f"{cause['file']}:{cause['line']} {cause['operation']}" if cause else "no cause"
    return f"{finding['kind']} in {function}, {where}, error {error}, verdict {finding['verdict']}: {finding['replay']}"


def problems_of(puzzle, faultline, seeds):
    reports = {seed: puzzle.hunt(faultline, seed) for seed in seeds}
    problems = [f"{puzzle.path.name}, seed {seed}: {problem}" for seed, report in reports.items() for problem in puzzle.problems(report)]
    if puzzle.known and all(map(puzzle.solved, reports.values())):
        problems.append(f"{puzzle.path.name}: all is found: remove the mark 'known: {puzzle.known}'")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("faultline")
    parser.add_argument("puzzles", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, action="append")
    chosen = parser.parse_args()
    puzzles = [Puzzle(path.resolve()) for path in chosen.puzzles]
    problems = [problem for puzzle in puzzles for problem in problems_of(puzzle, chosen.faultline, chosen.seed or [1])]
    print("\n".join(problems) or "as expected")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
