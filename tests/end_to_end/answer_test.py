"""What a newcomer sees first: the cause, the sentence, the verdict and a hint that was tried out."""
import re
import signal
import subprocess
import time
import unittest

from faultline_case import FAULTLINE, ROOT, FaultlineCase

LONG = """
#include <math.h>
double slow(double x) {
  double s = 0;
  for (int i = 0; i < 20000; i++)
    s += sin(x * i) * 1e-9;
  double d = (x + 1e16) - 1e16;
  return d + s * x;
}
"""


class Answer(FaultlineCase):
    def test_the_first_hunt_says_what_where_why_and_what_to_do(self):
        run = self.run_faultline("hunt", "examples/one_minus_cos.c", cwd=ROOT, status=1)
        head = run.out.split("\n\n")[0]
        self.assertTrue(head.startswith("examples/one_minus_cos.c:10:27: error: one_minus_cos: 1.0 - cos(x) cancels, no correct digit left [cancellation]\n"), head)
        self.assertIn("   10 |   double difference = 1.0 - cos(x);\n      |                       ~~~~^~~~~~~~\n", head)
        self.assertRegex(head, r"\n  try    x=1e-8  one_minus_cos  0, exact 0.5\n")
        self.assertRegex(head, r"\n  why    subtracting .* cancels .* bits; the operand .* carried an error")
        self.assertRegex(head, r"\n  when   \|x\| < \S+; about \d+ % of everyday inputs\n")
        fix = re.search(r"\n  fix    write 2 \* sin\(x / 2\) \* sin\(x / 2\) for 1 - cos\(x\): error \S+ -> (\S+) \(tried on",
                        head)
        self.assertLess(float(fix.group(1)), 1e-15)

    def test_explain_prints_the_numbers_of_figure_1(self):
        """Zou et al., POPL 2020, Figure 1: foo(1e-7), operation by operation."""
        run = self.run_faultline("explain", "examples/one_minus_cos.c", "-f", "one_minus_cos", "--at", "x=1e-7", cwd=ROOT, status=0)
        rows = {line.split("=")[0].split()[-1]: line for line in run.out.splitlines() if re.match(r"\s+\d+:\d+\s+v\d = ", line)}
        for row, numbers in (("v2", ("1e-07", "1.0000e-14", "9.99999999999995004e-01", "3.9964e-18")),
                             ("v3", ("2.0016e+14, 2.0016e+14", "4.99600361081320443e-15", "7.9928e-04")),
                             ("v4", ("1, 1", "9.99999999999999841e-15", "6.8449e-17")),
                             ("v5", ("1, 1", "4.99600361081320499e-01", "7.9928e-04"))):
            for number in numbers:
                self.assertIn(number, rows[row])

    def test_the_textbook_bug_of_the_quadratic_formula_comes_first(self):
        """Its own comment names it; it used to be merged into an error of 6e226 at 1e-276."""
        run = self.run_faultline("hunt", "examples/quadratic.cpp", cwd=ROOT, status=1)
        self.assertLessEqual(len(run.out.splitlines()), 60)
        self.assertTrue(run.out.startswith("examples/quadratic.cpp:16:17: error: naive_root: -b_ + root cancels"), run.out[:200])
        problems = self.hunt_example("examples/quadratic.cpp").json["problems"]
        self.assertLessEqual(len(problems), 6)
        first = problems[0]
        self.assertEqual((first["line"], first["class"], first["tier"], first["everyday"], first["verdict"]),
                         (16, "cancellation", "error", True, "avoidable"))
        self.assertLess(first["remedy"]["error"], 2 ** -24)  # half an ulp: the representative is the instance for float
        self.assertGreaterEqual(first["remedy"]["tried"], 1000)
        for problem in problems:
            if "quadratic_root_stable" in problem["functions"]:
                self.assertNotEqual(problem["tier"], "error")

    def test_the_table_has_the_functions_with_errors_first_and_tells_the_worst_of_all(self):
        run = self.run_faultline("hunt", "examples/quadratic.cpp", "examples/one_minus_cos.c", "examples/averages.c", cwd=ROOT, status=1)
        table = run.out[run.out.index("worst everyday"):].splitlines()[1:]
        rows = [line for line in table if re.search(r"  (none|\d+ (error|warning|note)s?.*)$", line)]
        self.assertEqual(len(rows), 9)
        errors = ["error" in row for row in rows]
        self.assertEqual(errors, sorted(errors, reverse=True))
        for row in rows:
            self.assertRegex(row, r"^  \w+ +(\d\.\d\de[+-]\d+|0|inf) ", "the largest error, however small")

    def test_a_long_hunt_tells_its_first_finding_at_once(self):
        source = self.write("slow.c", LONG)
        process = subprocess.Popen([FAULTLINE, "hunt", source, "--budget", "30s", "--for", "error"], cwd=self.scratch, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment())
        first = ""
        end = time.monotonic() + 60
        while "so far" not in first and time.monotonic() < end:
            first = process.stderr.readline()
            if not first:
                break
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertRegex(first, r"slow.c:7:\d+: inaccuracy: relative error \S+ in slow so far, at x=.*; the search goes on")
        self.assertIn("slow.c:7:", out, "and it is in the result")


if __name__ == "__main__":
    unittest.main()
