"""What the hunt decides for the user, it tells: the ranges of integers, and what it could not judge."""
import unittest

from faultline_case import FaultlineCase

SOURCE = "#include <math.h>\ndouble f(double x, int n) { return n > 60 ? 1 - cos(x) : x * n; }\n"
QUICK = ("--evals", "2000", "--for", "error")
# 400,000 additions: no tape holds them.
LONG = "double f(double x) { double s = 1; for (int i = 1; i < 400000; ++i) s += x / i; %s return s; }\n"


class Assumed(FaultlineCase):
    def test_the_range_of_an_integer_is_told_if_nobody_gave_one(self):
        self.write("f.c", SOURCE)
        run = self.run_faultline("hunt", "f.c", *QUICK, status=0)
        self.assertIn("n of f in -4:20; --range NAME=LO:HI", run.out)
        run = self.hunt("f.c", *QUICK, status=0)
        self.assertEqual([cell.get("assumed", False) for cell in run.json["targets"][0]["inputs"]], [False, True])
        self.run_faultline("hunt", "f.c", *QUICK, "-o", "f.json", status=0)
        self.assertIn("n of f in -4:20", self.run_faultline("report", "f.json", status=0).out)
        run = self.run_faultline("hunt", "f.c", *QUICK, "--range", "n=0:100", status=1)
        self.assertNotIn("--range NAME", run.out)

    def test_a_range_that_the_type_does_not_have_is_refused(self):
        self.write("f.c", SOURCE)
        for option, value in (("--range", "n=0:99999999999"), ("--hold", "n=2147483648")):
            run = self.run_faultline("hunt", "f.c", option, value, status=2)
            self.assertIn("-2147483648 and 2147483647", run.err)

    def test_runs_that_could_not_be_judged_are_no_clean_bill(self):
        self.write("f.c", LONG % "while (s == s) s = s * 0.5 + 1;")
        run = self.hunt("f.c", *QUICK, status=4)
        self.assertEqual(run.json["targets"][0]["outcome"], "unknown")
        self.assertRegex(run.json["targets"][0]["note"], "outgrew the tape, and could not be judged .*timed out")


if __name__ == "__main__":
    unittest.main()
