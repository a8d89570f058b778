"""Hunts in iterations and series: half of them are wrong by rounding, half because they stop too early.

manifest.json says of each function which it is, at which line its loop ends, and an input that shows it. What a hunt tells
must be that first: truncation at that loop, or a rounding error. MISSED are those that no way
is known to tell of: a quadrature whose number of points stands in its formula.

usage: iterative_test.py FAULTLINE [Iterative.test_NAME...]
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
METHODS = 20
MISSED = {"runge_integral"}
faultline = None  # the program: main sets it


def methods():
    manifest = json.loads((HERE / "manifest.json").read_text())
    if len(manifest) != METHODS:
        raise ValueError(f"{len(manifest)} functions, not {METHODS}")
    return manifest


def problems(method):
    """What a hunt tells: errors and warnings, and all that is called truncation."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "found.json"
        command = [faultline, "hunt", method["file"], "-f", method["function"], "--budget", "5s", "-q", "-o", str(out)]
        for name, value in method["input"].items():
            if isinstance(value, list):
                command += ["--size", f"{name}={len(value)}"]
        run = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode not in (0, 1):
            raise RuntimeError(f"status {run.returncode}: {' '.join(command)}\n{run.stderr}{run.stdout}")
        found = json.loads(out.read_text())["problems"]
        return [problem for problem in found if problem["tier"] != "note" or problem["class"] == "truncation"]


class Iterative(unittest.TestCase):
    def check(self, method):
        found = problems(method)
        text = json.dumps(found, indent=2)
        self.assertTrue(found, "nothing was found")
        if method["wrong_by"] == "rounding":
            self.assertNotEqual(found[0]["class"], "truncation", text)
            return
        self.assertEqual(found[0]["class"], "truncation", text)
        if method["stops_by"] == "tolerance":
            self.assertEqual(found[0]["line"], method["line"], text)
            self.assertEqual(found[0]["tier"], "error", text)
        else:
            self.assertEqual(found[0]["tier"], "note", text)


for each in methods():
    test = lambda self, method=each: self.check(method)
    name = each["function"].replace("::", "_")
    setattr(Iterative, f"test_{name}", unittest.expectedFailure(test) if each["function"] in MISSED else test)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    faultline = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
