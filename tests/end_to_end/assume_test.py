"""--assume: no illegal input is tried or reported, and bugs inside of the conditions are found."""
import math

from faultline_case import FaultlineCase, inputs_of

# Each function stops the program at an illegal input: one that is tried is a crash.
CHECKED = """#include <math.h>
#include <stdlib.h>
#define REQUIRE(condition) if (!(condition)) abort()
double area(double a, double b, double c) {
  REQUIRE(a > 0 && b > 0 && c > 0 && a + b > c && b + c > a && c + a > b);
  double s = (a + b + c) / 2;
  return sqrt(s * (s - a) * (s - b) * (s - c));
}
double entropy(const double p[4]) {
  double sum = 0, h = 0;
  for (int i = 0; i < 4; ++i) { REQUIRE(p[i] >= 0); sum += p[i]; }
  REQUIRE(fabs(sum - 1) < 1e-14);
  for (int i = 0; i < 4; ++i) h -= p[i] > 0 ? p[i] * log(p[i]) : 0;
  return h;
}
double slope(const double x[5], const double y[5]) {
  double most = 0;
  for (int i = 0; i < 4; ++i) {
    REQUIRE(x[i] < x[i + 1]);
    most += (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  }
  return most;
}
double angle(const double R[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double s = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) s += R[i][k] * R[j][k];
      REQUIRE(fabs(s) < 1e-14);
    }
  double c = (R[0][0] + R[1][1] + R[2][2] - 1) / 2;
  return acos(c > 1 ? 1 : c < -1 ? -1 : c);
}
double overlap(double lo, double hi, double x) { REQUIRE(lo < hi && lo <= x && x <= hi); return (x - lo) / (hi - lo); }
double root(double a, double b, double c) {
  double d = b * b - 4 * a * c;
  REQUIRE(a != 0 && d >= 0);
  return (-b + sqrt(d)) / (2 * a);
}
"""
ASSUMED = {"area": ("a > 0, b > 0, c > 0", "a + b > c and b + c > a and c + a > b"), "entropy": ("p >= 0", "sum(p) == 1"),
           "slope": ("x[i] < x[i+1]",), "angle": ("orthogonal(R)",), "overlap": ("lo < hi and lo <= x <= hi",),
           "root": ("a != 0", "b*b - 4*a*c >= 0")}


class Assume(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("f.c", CHECKED)

    def test_no_illegal_input_is_tried(self):
        for function, conditions in ASSUMED.items():
            with self.subTest(function):
                words = [word for condition in conditions for word in ("--assume", condition)]
                run = self.hunt("f.c", "-f", function, *words, "--evals", "20000", status=None)
                self.assertIn(run.status, (0, 1), run.err)
                kinds = {finding["kind"] for finding in run.targets[function]["findings"]}
                self.assertNotIn("crash", kinds)
                self.assertGreater(run.targets[function]["evaluations"], 500)

    def test_the_same_inputs_crash_without_conditions(self):
        run = self.hunt("f.c", "-f", "slope", "--evals", "2000", status=None)
        self.assertIn("crash", {finding["kind"] for finding in run.targets["slope"]["findings"]})

    def test_findings_are_legal_and_found(self):
        words = [word for condition in ASSUMED["area"] for word in ("--assume", condition)]
        run = self.hunt("f.c", "-f", "area", *words, "--evals", "20000", status=None)
        errors = [finding for finding in run.findings if finding["kind"] == "inaccuracy"]
        self.assertTrue(errors, "thin triangles lose all digits")
        for finding in errors:
            sides = sorted(inputs_of(finding).values())
            self.assertGreater(math.fsum((sides[0], sides[1], -sides[2])), 0)

    def test_comment_and_configuration_are_conditions_too(self):
        self.write("g.c", "#include <stdlib.h>\n// faultline: assume 1 <= x <= 2\n"
                          "double g(double x) { if (!(x >= 1 && x <= 2)) abort(); return 1 / x; }\n"
                          "double h(double y, double z) { if (!(y < z)) abort(); return z + y; }\n")
        self.write("faultline.toml", '[function.h]\nassume = "y < z"\n')
        run = self.hunt("g.c", "--for", "crashes", "--evals", "3000", status=0)
        self.assertEqual([target["outcome"] for target in run.json["targets"]], ["none", "none"])

    def test_wrong_condition_is_refused_with_its_column(self):
        run = self.run_faultline("hunt", "f.c", "-f", "overlap", "--assume", "lo < high", status=2)
        self.assertIn("column 6: overlap has no input 'high'", run.err)
        self.assertIn("  lo < high\n       ^", run.err)
        self.assertIn("its inputs are hi", run.err)

    def test_conditions_of_other_functions_are_left_out(self):
        run = self.hunt("f.c", "-f", "overlap", "-f", "root", "--assume", ASSUMED["overlap"][0], "--for", "crashes",
                        "--evals", "2000", status=None)
        self.assertEqual(run.targets["overlap"]["findings"], [])
        self.assertTrue(run.targets["root"]["findings"])

    def test_replay_keeps_the_conditions(self):
        words = [word for condition in ASSUMED["area"] for word in ("--assume", condition)]
        self.run_faultline("hunt", "f.c", "-f", "area", *words, "--evals", "20000", "-o", "r.json", status=None)
        self.assertIn("0 not", self.run_faultline("replay", "r.json", status=0).out)
