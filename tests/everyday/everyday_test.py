"""Hunts in small functions with one textbook bug each, which inputs of everyday size show.

The line at fault ends in a comment `bug: CLASS`, or `bug: CLASS|CLASS` where more than one name is fair. What a hunt without
any options lists first must be that bug: on its line, under its name, at an everyday input, and as an error that could be
avoided. There are no exceptions to it, and one test for each file.

usage: everyday_test.py FAULTLINE [Everyday.test_NAME...]
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUGS = 20
BUG = re.compile(r"(?://|!) bug: ([a-z|-]+)$")
SMALLEST, LARGEST = 1e-9, 1e9  # magnitudes of an everyday input, unless it is 0
faultline = None  # the program: main sets it


def marked(path):
    """The line at fault, and the classes that its bug may be given."""
    lines = path.read_text().splitlines()
    found = [(number, BUG.search(line)) for number, line in enumerate(lines, 1) if BUG.search(line)]
    if len(found) != 1:
        raise ValueError(f"{path}: {len(found)} lines at fault")
    return found[0][0], found[0][1].group(1).split("|")


def bugs():
    """All of them, in a fixed order."""
    paths = sorted(path for path in HERE.iterdir() if path.suffix in (".c", ".cpp", ".f90"))
    if len(paths) != BUGS:
        raise ValueError(f"{HERE}: {len(paths)} files, not {BUGS}")
    return paths


def problems(path):
    """What a hunt in this file lists, most important first."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "found.json"
        command = [faultline, "hunt", path.name, "-o", str(out)]
        run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=240, check=False)
        if run.returncode not in (0, 1):
            raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
        return json.loads(out.read_text())["problems"]


def is_everyday(value):
    size = abs(float.fromhex(value["hex"]))
    return size == 0 or SMALLEST <= size <= LARGEST


class Everyday(unittest.TestCase):
    def check(self, path):
        line, classes = marked(path)
        found = problems(path)
        self.assertTrue(found, f"{path.name}: no problem was found, but there is one at line {line}")
        first = found[0]
        text = f"{path.name}: the first problem is\n{json.dumps(first, indent=2)}"
        self.assertEqual(first["tier"], "error", text)
        self.assertIs(first["everyday"], True, text)
        self.assertEqual(first["line"], line, text)
        self.assertIn(first["class"], classes, text)
        self.assertEqual(first["verdict"], "avoidable", text)
        self.assertTrue(first["input"], text)
        for name, value in first["input"].items():
            self.assertTrue(is_everyday(value), f"{name} is not of everyday size; {text}")


for source in bugs():
    setattr(Everyday, f"test_{source.stem}", lambda self, path=source: self.check(path))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    faultline = sys.argv.pop(1)
    unittest.main()
