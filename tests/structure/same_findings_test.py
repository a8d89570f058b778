"""scripts/same-findings sees each difference between two builds that counts, and no other."""
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/same-findings"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("same_findings", str(SCRIPT))
same_findings = importlib.util.module_from_spec(importlib.util.spec_from_loader("same_findings", loader))
loader.exec_module(same_findings)

REPORT = {"faultline": "0.1.0", "seed": 1, "targets": [{"function": "foo", "seconds": 0.5, "total_seconds": 1e-3, "evaluations": 1500,
          "findings": [{"kind": "inaccuracy", "error": {"relative": 1.0}, "input": {"x": {"hex": "0x1p-24"}}}]}]}


def output(report, status=0):
    return f"exit status {status}\n{json.dumps(report, indent=2)}"


class Comparison(unittest.TestCase):
    def different(self, old, new):
        return same_findings.differences(old, new)

    def changed(self, *path, to):
        report = json.loads(json.dumps(REPORT))
        place = report
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        return self.different(output(REPORT), output(report))

    def test_times_and_the_version_are_left_out(self):
        self.assertEqual(self.changed("targets", 0, "seconds", to=12.25), [])
        self.assertEqual(self.changed("targets", 0, "total_seconds", to=3), [])
        self.assertEqual(self.changed("faultline", to="0.2.0"), [])

    def test_a_planted_difference_is_found_with_its_place(self):
        self.assertEqual(self.changed("targets", 0, "findings", 0, "input", "x", "hex", to="0x1p-25"),
                         [("$.targets[0](foo).findings[0].input.x.hex", "0x1p-24", "0x1p-25")])
        self.assertEqual(self.changed("targets", 0, "evaluations", to=1501), [("$.targets[0](foo).evaluations", "1500", "1501")])

    def test_the_same_number_written_in_another_way_is_a_difference(self):
        self.assertEqual(self.changed("targets", 0, "findings", 0, "error", "relative", to=1),
                         [("$.targets[0](foo).findings[0].error.relative", "1.0", "1")])

    def test_a_finding_that_is_missing_is_a_difference(self):
        self.assertEqual(self.changed("targets", 0, "findings", to=[]), [("$.targets[0](foo).findings", "1 elements", "0 elements")])

    def test_a_field_that_is_missing_or_moved_is_a_difference(self):
        less = {key: value for key, value in REPORT.items() if key != "seed"}
        self.assertEqual(self.different(output(REPORT), output(less)), [("$.seed", "1", None)])
        moved = {**less, "seed": 1}
        self.assertEqual(len(self.different(output(REPORT), output(moved))), 1)

    def test_the_exit_status_and_other_texts_count(self):
        self.assertEqual(self.different(output(REPORT), output(REPORT, 1)), [("", "exit status 0", "exit status 1")])
        self.assertEqual(self.different("exit status 0\n(FPCore (x) x)\n", "exit status 0\n(FPCore (x) y)\n"),
                         [("line 1", "(FPCore (x) x)", "(FPCore (x) y)")])
        self.assertEqual(len(self.different(output(REPORT), "exit status 0\n" + json.dumps(REPORT))), 1)


class Programs(unittest.TestCase):
    """Two shell scripts stand in the place of the programs."""

    def run_with(self, old, new):
        with tempfile.TemporaryDirectory() as folder:
            programs = []
            for name, text in (("old", old), ("new", new)):
                program = Path(folder) / name
                program.write_text(f"#!/bin/sh\n{text}\n")
                program.chmod(0o755)
                programs.append(program)
            return subprocess.run([SCRIPT, "--only", "export examples/one_minus_cos", *programs], capture_output=True, text=True,
                                  check=False)

    def test_the_exit_status_says_whether_there_are_differences(self):
        same = self.run_with("echo '(FPCore (x) x)'", "echo '(FPCore (x) x)'")
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        other = self.run_with("echo '(FPCore (x) x)'", "echo '(FPCore (x) y)'")
        self.assertEqual(other.returncode, 1, other.stderr)
        self.assertIn("(FPCore (x) x) -> (FPCore (x) y)", other.stdout)

    def test_programs_that_both_fail_are_not_the_same(self):
        self.assertEqual(self.run_with("exit 3", "exit 3").returncode, 1)

    def test_wrong_usage_is_status_2(self):
        run = subprocess.run([SCRIPT, "/nowhere/faultline", sys.executable], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)


if __name__ == "__main__":
    unittest.main()
