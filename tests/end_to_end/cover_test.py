"""faultline cover: what is claimed of an input is so, and what is infeasible stays so."""
import json
import subprocess
import unittest

from faultline_case import FaultlineCase

SLIDES = """float foo(float x) {
  float y = 1.0e12f, z = 0;
  if (x < 10000.0f)
    z = x + y;
  if (z > y)
    return 1;
  return 0;
}
"""

NEEDLES = """#include <math.h>
double needle(double x, double *y) {
  *y = x * 3;
  if (*y == 0.75) return 1;
  if (exp(x) > 2 && exp(x) < 2.0000001) return 2;
  if (x > 5 && x < 4) return 3;
  return 0;
}
"""

TRIANGLE = """int triangle(double a, double b, double c) {
  if (a <= 0 || b <= 0 || c <= 0)
    return -1;
  if (a + b <= c || b + c <= a || c + a <= b)
    return 0;
  if (a == b && b == c)
    return 3;
  if (a == b || b == c || c == a) return 2;
  if (a * a + b * b == c * c)
    return 4;
  return 1;
}
"""

RATE = """float rate(float t) {
  if (t < -40) return 0;
  if (t == 37.5f) return 1;
  if (t > 100) {
    if (t > 3e20f) return 2;
    return 3;
  }
  return t / 100;
}
"""


class Cover(FaultlineCase):
    def cover(self, *words, status):
        run = self.run_faultline("cover", *words, "--quiet")
        self.assertEqual(run.status, status, run.out + run.err)
        return run.out

    def test_the_infeasible_path_of_the_slides_is_proved_infeasible(self):
        self.write("foo.c", SLIDES)
        report = json.loads(self.cover("foo.c", "-f", "foo", "-o", "-", status=0))
        standings = {(b["line"], b["outcome"]): b for b in report["branches"]}
        self.assertEqual(standings[5, "true"]["standing"], "infeasible")
        self.assertEqual(standings[5, "true"]["solver"], "interval")
        self.assertEqual(standings[3, "true"]["standing"], "covered")
        self.assertTrue(report["complete"])

    def test_written_tests_compile_and_pass_and_notice_a_change(self):
        self.write("needle.c", NEEDLES)
        out = self.cover("needle.c", "-f", "needle", "-o", "needle_test.c", "-o", "needle_test.cpp", status=0)
        self.assertIn("infeasible", out)
        build = ["clang-19", "-w", "needle_test.c", "needle.c", "-lm", "-o", "tests"]
        subprocess.run(build, cwd=self.scratch, check=True)
        self.assertEqual(subprocess.run(["./tests"], cwd=self.scratch, check=False).returncode, 0)
        self.write("needle.c", NEEDLES.replace("return 2;", "return 2.5;"))
        subprocess.run(build, cwd=self.scratch, check=True)
        self.assertNotEqual(subprocess.run(["./tests"], cwd=self.scratch, check=False, capture_output=True).returncode, 0)
        subprocess.run(["clang++-19", "-fsyntax-only", "needle_test.cpp"], cwd=self.scratch, check=True)

    def test_the_same_seed_gives_the_same_report(self):
        self.write("needle.c", NEEDLES)
        reports = []
        for _ in range(2):
            report = json.loads(self.cover("needle.c", "-f", "needle", "-o", "-", status=0))
            report["seconds"] = 0
            reports.append(report)
        self.assertEqual(*reports)

    def test_a_triangle_is_covered_by_sides_that_people_think_of(self):
        self.write("triangle.c", TRIANGLE)
        report = json.loads(self.cover("triangle.c", "-f", "triangle", "-o", "-", "-o", "triangle_test.c", status=0))
        right = next(b for b in report["branches"] if b["line"] == 9 and b["outcome"] == "true")
        self.assertEqual(sorted(side["decimal"] for side in right["input"].values()), ["3", "4", "5"])
        for test in report["tests"]:
            for side in test["input"].values():
                self.assertIn(side["decimal"], [str(i) for i in range(11)])
        subprocess.run(["clang-19", "-w", "triangle_test.c", "triangle.c", "-lm", "-o", "tests"], cwd=self.scratch, check=True)
        self.assertEqual(subprocess.run(["./tests"], cwd=self.scratch, check=False).returncode, 0)

    def test_constants_of_the_code_are_met_and_extremes_only_where_there_is_nothing_else(self):
        self.write("rate.c", RATE)
        report = json.loads(self.cover("rate.c", "-f", "rate", "-o", "-", status=0))
        shown = {(b["line"], b["outcome"]): float(b["input"]["t"]["decimal"]) for b in report["branches"]}
        self.assertEqual(shown[3, "true"], 37.5)
        self.assertGreater(shown[5, "true"], 1e20)
        for (line, outcome), value in shown.items():
            self.assertTrue((line, outcome) == (5, "true") or abs(value) <= 1e6, (line, outcome, value))

    def test_patterns_name_one_function_or_are_refused(self):
        self.write("two.c", "double left(double x) { return x > 1 ? x : 1; }\ndouble right(double x) { return x; }\n")
        self.cover("two.c", "-f", "lef*", status=0)
        run = self.run_faultline("cover", "two.c", "-f", "*t", status=2)
        self.assertIn("one of left, right", run.err)

    def test_open_outcomes_make_the_exit_status_4(self):
        self.write("hash.c", "#include <math.h>\nint f(double x) { return sin(x) == 0.5 && cos(x) == 0.25 ? 1 : 0; }")
        out = self.cover("hash.c", "-f", "f", "--budget", "2s", status=4)
        self.assertIn("open", out)

    def test_wrong_usage_is_said_before_the_work(self):
        self.write("foo.c", SLIDES)
        for words, says in ((["-o", "tests.txt"], "the ending does not say"), (["--loop-bound", "0"], "--loop-bound"),
                            (["-f", "fooo"], "there is no function")):
            run = self.run_faultline("cover", "foo.c", *(["-f", "foo"] if "-f" not in words else []), *words)
            self.assertIn(run.status, (2, 3))
            self.assertIn(says, run.err)


if __name__ == "__main__":
    unittest.main()
