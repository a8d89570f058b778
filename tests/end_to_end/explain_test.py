"""faultline explain: one input, and all that a hunt would say of it."""
import json
import shlex
import unittest

from faultline_case import ROOT, FaultlineCase

SOURCE = """#include <math.h>
#include <stdlib.h>
double hyp(double x, double y) {
  return sqrt(x * x + y * y);
}
int inverse(double x, double* out) {
  *out = 1 / x;
  return x == 0;
}
double pair(double x, double* doubt) {
  double d = (x + 1) - 1;
  *doubt = 1e-20;
  return d / 3;
}
double side(double x) {
  double y = (x + 1) - 1;
  return y < x ? 1 : 2;
}
double quits(double x) {
  if (x * 2 > 1)
    exit(3);
  return x;
}
double dies(double x) {
  volatile int* volatile p = 0;
  if (x > 1)
    *p = 1;
  return x;
}
double hangs(double x) {
  volatile int more = x > 1;
  while (more)
    ;
  return x;
}
double beyond_pi(double x) { return x - 3.141592653589793; }
double good(double x) { return x * 1.1 + 3; }
float single(float x) { return x * x; }
double total(const double* A, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += A[i];
  return s;
}
double long_sum(double x, int n) {
  double s = 0;
  for (int i = 1; i <= n; i++)
    s += x / i;
  return (s + 1e16) - 1e16;
}
"""


class Explain(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("f.c", SOURCE)

    def explain(self, function, *words, status):
        return self.run_faultline("explain", "f.c", "-f", function, *words, status=status)

    def refused(self, *words, says):
        run = self.explain(*words, status=2)
        self.assertEqual(run.out, "")
        for word in says:
            self.assertIn(word, run.err)

    def test_a_result_with_the_digits_of_a_rounded_constant_is_not_called_right(self):
        out = self.explain("beyond_pi", "--at", "x=3.1415926535897927", status=0).out
        self.assertNotIn("nothing is wrong", out)
        self.assertIn("unknown: the result follows the rounded constants of the code: if they move by half an ulp, it "
                      "changes by 0.5 of its size", " ".join(out.split()))
        self.assertIn("nothing is wrong", self.explain("beyond_pi", "--at", "x=5", status=0).out)

    def test_an_exception_is_told_as_a_hunt_tells_it(self):
        out = self.explain("hyp", "--at", "x=1e200,y=1", status=0).out
        for words in ("\n  result    the first exception: overflow in fmul at f.c:4:17\n", "\nf.c:4:17: overflow: fmul in hyp\n",
                      "\n  verdict   avoidable: the exact result is representable\n", "\n  detail    it reaches the output\n",
                      "\n  reported  by nothing: silent\n", "\n  hint      write hypot(x, y)"):
            self.assertIn(words, out)
        self.assertNotIn("inaccuracy", out)

    def test_an_exception_that_no_code_can_avoid_is_inherent(self):
        out = self.explain("inverse", "--at", "x=0", status=0).out
        self.assertIn("\nf.c:7:12: divide-by-zero: fdiv in inverse\n", out)
        self.assertIn("verdict   inherent: ", out)
        self.assertIn("--status return=0", out)

    def test_a_status_tells_who_is_told(self):
        out = self.explain("inverse", "--at", "x=0", "--status", "return=0", status=0).out
        self.assertIn("\n  reported  by its status\n", out)

    def test_a_claim_that_is_violated_is_told(self):
        self.assertNotIn("bound-violated", self.explain("pair", "--at", "x=1e-15", status=0).out)
        out = self.explain("pair", "--at", "x=1e-15", "--bound", "doubt", status=0).out
        self.assertIn("bound-violated: relative error", out)
        self.assertRegex(out, r"\n  detail    the error of return is \S+, doubt says 1e-20")

    def test_a_wrong_branch_is_told_with_both_values(self):
        out = self.explain("side", "--at", "x=0.9", status=0).out
        self.assertIn("branch-flip: relative error", out)
        self.assertIn("0.8999999999999999 < 0.9 is true; exact arithmetic compares 0.90000000000000002 < 0.90000000000000002", out)

    def test_ends_that_are_no_return_are_told(self):
        for function, kind, ending in (("dies", "crash", "invalid memory access"), ("hangs", "timeout", "timed out")):
            with self.subTest(function):
                out = self.explain(function, "--at", "x=2", status=0).out
                self.assertRegex(out, fr"^f.c:\d+: {function}: {ending}\n")
                self.assertRegex(out, fr"\nf.c:\d+: {kind}: {function}: {ending}\n")
                self.assertNotIn("oracle", out)
        quits = self.explain("quits", "--at", "x=1", status=0).out
        self.assertRegex(quits, r"^f.c:\d+: quits: called exit\n")
        self.assertRegex(quits, r"\nf.c:\d+:\d+: exception: exit in quits\n")
        self.assertIn("the last floating-point operation before that is at f.c:20:13: 2 > 1 is true", quits)

    def test_a_right_result_is_said_to_be_right(self):
        out = self.explain("good", "--at", "x=0.3", status=0).out
        self.assertIn("\n  result    the result is right to within 1 ulp: nothing is wrong at this input\n", out)
        self.assertNotIn("verdict", out)
        self.assertIn("inf is what exact arithmetic gives, too", self.explain("good", "--at", "x=inf", status=0).out)

    def test_an_error_that_does_not_count_says_why(self):
        run = self.run_faultline("explain", "examples/one_minus_cos.c", "-f", "one_minus_cos", "--at", "x=1e-7", "--threshold", "1e-3", cwd=ROOT, status=0)
        self.assertIn("  result    wrong by 7.2e+12 ulps, but not a finding: the relative error is not above 0.001 (--threshold)\n", run.out)

    def test_a_run_that_is_too_long_is_judged_and_says_what_to_try(self):
        for n in (200000, 3000000):
            with self.subTest(n):
                out = self.explain("long_sum", "--at", f"x=0.1,n={n}", "--most", "3", status=0).out
                self.assertEqual(out.count("the run has more than 262144 operations"), 1)
                self.assertIn("try a smaller --size, or a --hold", out)
                self.assertRegex(out, r"\n  computed  return = 2 .*\n  reference 1\.\d+ .*\n  error     relative ")

    def test_flags_of_a_run_that_is_not_recorded_are_told(self):
        self.assertIn("the hardware's flags report overflow", self.explain("long_sum", "--at", "x=1.7e308,n=3000000", status=0).out)
        self.assertNotIn("flags", self.explain("long_sum", "--at", "x=0.1,n=3000000", status=0).out)

    def test_hunts_say_that_a_run_is_too_long(self):
        run = self.hunt("f.c", "-f", "long_sum", "--hold", "n=150000", "--range", "x=0.1:0.2", "--evals", "20", "--for", "error")
        self.assertIn("the run has more than 262144 operations", run.findings[0]["detail"])

    def test_numbers_are_taken_noted_or_refused(self):
        self.assertIn("x = 9.5367431640625e-07 (0x1p-20)", self.explain("good", "--at", "x=0x1p-20", status=0).out)
        self.assertIn("note      x = 1.23456789012 is not a number of binary32: the nearest, 1.2345679, is used",
                      self.explain("single", "--at", "x=1.23456789012", status=0).out)
        self.refused("single", "--at", "x=1e60", says=["x = 1e60: beyond binary32", "3.4028235e+38"])
        self.refused("long_sum", "--at", "x=1,n=2.5", says=["n = 2.5: not a whole number"])
        self.refused("long_sum", "--at", "x=1,n=3000000000", says=["beyond int32", "2147483647"])

    def test_names_are_checked(self):
        self.refused("hyp", "--at", "xx=1,y=1", says=["hyp has no input 'xx'", "try: x"])
        self.refused("hyp", "--at", "x=1", says=["input 'y' has no value", "--at y=VALUE"])
        self.refused("hyp", "--at", "x=1,2", "--at", "y=1", says=["'x' is one number, and several are given"])
        self.refused("total", "--size", "A=3", "--at", "A=1,2", says=["'A' has 3 elements, 2 are given"])
        self.refused("total", "--size", "A=3", "--at", "A[0]=1,A[7]=2", says=["'A' has 3 elements: there is no 'A[7]'"])
        self.refused("inverse", "--at", "out=1", says=["'out' is an output of inverse, not an input"])

    def test_json_has_the_findings_of_a_hunt_and_the_operations(self):
        run = self.explain("hyp", "--at", "x=1e200,y=1", "-o", "-", status=0)
        self.assertEqual((run.err, run.json["schema"], run.json["command"][0]), ("", 1, "explain"))
        (target,) = run.json["targets"]
        (finding,) = target["findings"]
        self.assertEqual((target["function"], target["outcome"], target["evaluations"]), ("hyp", "found", 1))
        self.assertEqual((finding["kind"], finding["verdict"], finding["silent"], finding["reaches_output"]),
                         ("overflow", "avoidable", True, True))
        explanation = target["explanation"]
        self.assertEqual(explanation["input"]["x"], {"decimal": "1e+200", "hex": "0x1.4e718d7d7625ap+664"})
        self.assertEqual((explanation["ended"], explanation["oracle"], explanation["complete"]), ("returned", "lifted", True))
        self.assertEqual([operation["operation"] for operation in explanation["operations"]], ["fmul", "fmul", "fadd", "sqrt"])
        first = explanation["operations"][0]
        self.assertEqual((first["line"], first["column"], first["operands"], first["result"]), (4, 17, ["1e+200", "1e+200"], "inf"))
        self.assertEqual(float(explanation["operations"][1]["exact"]), 1)
        self.assertEqual(len(first["conditions"]), 2)
        hunted = self.hunt("f.c", "-f", "hyp", "--for", "exceptions", "--evals", "2000").findings
        same = next(other for other in hunted if other["kind"] == "overflow" and other["cause"] == finding["cause"])
        self.assertEqual(same["fingerprint"], finding["fingerprint"])

    def test_json_in_a_file_leaves_the_text_and_can_be_rendered(self):
        out = self.explain("hyp", "--at", "x=1e200,y=1", "-o", "e.json", "-o", "e.txt", status=0).out
        self.assertEqual((self.scratch / "e.txt").read_text(), out)
        report = json.loads((self.scratch / "e.json").read_text())
        self.assertIn("x * x overflows: the result is inf", self.run_faultline("report", "e.json", status=0).out)
        command = shlex.split(report["targets"][0]["findings"][0]["replay"])
        self.assertEqual(self.run_faultline(*command[1:], status=0).out, out)
        self.refused("hyp", "--at", "x=1,y=1", "-o", "e.html", says=["explain writes JSON or text", ".json"])

    def test_json_says_what_is_left_out(self):
        run = self.explain("total", "--size", "A=4", "--at", "A=1,2,3,4", "--most", "1", "-o", "-", status=0)
        explanation = run.json["targets"][0]["explanation"]
        self.assertEqual((len(explanation["operations"]), explanation["omitted"], explanation["complete"]), (1, 3, False))
        self.assertEqual(run.findings, [])

    def test_the_command_of_a_finding_shows_the_finding(self):
        run = self.hunt("f.c", "-f", "pair", "--for", "bound", "--bound", "doubt", "--range", "x=0:1", "--evals", "500")
        command = shlex.split(run.findings[0]["replay"])
        self.assertIn("bound-violated", self.run_faultline(*command[1:], status=0).out)

    def test_a_suppressed_finding_is_shown_and_does_not_count(self):
        self.write("f.c", SOURCE.replace("sqrt(x * x + y * y);", "sqrt(x * x + y * y); // faultline: ignore[overflow] never that large"))
        out = self.explain("hyp", "--at", "x=1e200,y=1", status=0).out
        self.assertIn("ignored   by the comment at f.c:4: never that large", out)


if __name__ == "__main__":
    unittest.main()
