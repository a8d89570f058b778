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
        self.assertRegex(head, r"^examples/one_minus_cos.c:10:27: inaccuracy: relative error \S+ in one_minus_cos: cancellation\n")
        self.assertIn("   10 |   double difference = 1.0 - cos(x);\n      |                           ^\n", head)
        self.assertRegex(head, r"\n  why       subtracting .* cancels .* bits; the operand .* carried an error of ")
        self.assertRegex(head, r"\n  verdict   avoidable: ")
        hint = re.search(r"\n  hint      write 2 \* sin\(x / 2\) \* sin\(x / 2\) for 1 - cos\(x\): the relative error becomes (\S+)", head)
        self.assertLess(float(hint.group(1)), 1e-15)
        self.assertRegex(head, r"\n  simplest  x = 1e-08 ")
        self.assertRegex(head, r"<- cause\n")

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

    def test_the_simplest_input_shows_at_least_half_of_the_error(self):
        run = self.run_faultline("hunt", "examples/quadratic.cpp", "--for", "error", "-o", "-", cwd=ROOT, status=1)
        simpler = [finding for finding in run.findings if "simplest" in finding]
        self.assertTrue(simpler)
        for finding in simpler:
            self.assertGreaterEqual(finding["simplest"]["relative"], finding["error"]["relative"] / 2)
            worst = [value["decimal"] for value in finding["input"].values()]
            simplest = [value["decimal"] for value in finding["simplest"]["input"].values()]
            self.assertLessEqual(sum(map(len, simplest)), sum(map(len, worst)) + 4 * len(worst))

    def test_the_table_has_the_largest_error_first(self):
        run = self.run_faultline("hunt", "examples/quadratic.cpp", "examples/one_minus_cos.c", "examples/averages.c", cwd=ROOT, status=1)
        table = run.out[run.out.index("largest error"):].splitlines()[1:]
        errors = [line.split()[-3] for line in table if re.search(r"\d\.\d{3}$", line)]
        numbers = [float("-1" if error == "-" else error) for error in errors]
        self.assertEqual(numbers, sorted(numbers, reverse=True))

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
        self.assertRegex(first, r"slow.c:7:\d+: inaccuracy: relative error \S+ in slow so far, at x = .*; the search goes on")
        self.assertIn("slow.c:7:", out, "and it is in the result")


if __name__ == "__main__":
    unittest.main()
