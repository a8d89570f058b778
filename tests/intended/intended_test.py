"""Hunts in code that rounds on purpose, and is right: nothing may be found.

Rounding by adding, argument reductions, splittings, error terms, double-double arithmetic, compensated sums: in C, C++ and
Fortran, with the constants in tables, structs and other files (manifest.json). Each function was compared with exact
arithmetic on thousands of inputs when it was written. There are no exceptions to it, and one test for each set of files; C
and C++ are tried with -frounding-math, too.

usage: intended_test.py FAULTLINE [Intended.test_NAME...]
"""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
FUNCTIONS = 43
PROBLEM = re.compile(r": (error|warning|note): ")
faultline = None  # the program: main sets it


def sets_of_files():
    """The functions by the files and the array size that a hunt needs for them."""
    manifest = json.loads((HERE / "manifest.json").read_text())
    if len(manifest) != FUNCTIONS:
        raise ValueError(f"{len(manifest)} functions, not {FUNCTIONS}")
    sets = {}
    for entry in manifest:
        sizes = tuple(entry["arrays"][:1])
        files = tuple(sorted(entry["files"], key=lambda name: "numbers" not in name))  # its module comes first
        sets.setdefault((files, sizes), []).append(entry["function"])
    return sets


class Intended(unittest.TestCase):
    def check(self, files, sizes, functions, flags):
        command = [faultline, "hunt", *files, "-q", "--budget", "3s"]
        for function in functions:
            command += ["-f", function]
        for size in sizes:
            command += ["--size", str(size)]
        command += ["--", *flags] if flags else []
        run = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=280, check=False)
        found = [line for line in run.stdout.splitlines() if PROBLEM.search(line)]
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(found, [], " ".join(command))


for (names, lengths), members in sets_of_files().items():
    title = "_".join(Path(name).stem for name in names) + "".join(f"_{length}" for length in lengths)
    setattr(Intended, f"test_{title}", lambda self, a=names, b=lengths, c=members: self.check(a, b, c, []))
    if not any(name.endswith(".f90") for name in names):
        setattr(Intended, f"test_{title}_any_rounding_mode",
                lambda self, a=names, b=lengths, c=members: self.check(a, b, c, ["-frounding-math"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    faultline = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
