"""--means: the mathematics as the oracle."""
import json

from faultline_case import FaultlineCase

AREA = "double area(double r) { return 3.1416 * r * r; }\n"
# The formula of the other side below 1.
BRANCH = """#include <math.h>
double gain(double x) {
  if (x < 1)
    return 1 / (1 + x * x);
  return 1 / (1 + x);
}
"""
SERIES = """double exponential(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 8; ++k) { term *= x / k; sum += term; }
  return sum;
}
"""
GAP = "#include <math.h>\ndouble gap(double x) { return sqrt(x + 1) - sqrt(x); }\n"


class Meaning(FaultlineCase):
    def hunted(self, source, *words, status=1, name="f.c"):
        self.write(name, source)
        return self.run_faultline("hunt", name, "--for", "error", "--evals", "3000", "--fail-on", "warning", "-o", "-", *words, status=status)

    def problems(self, run):
        return [problem["class"] for problem in run.json["problems"]]

    def test_wrong_constant_is_seen(self):
        run = self.hunted(AREA, "--means", "pi*r^2")
        self.assertEqual(self.problems(run), ["wrong-method"])
        finding = run.worst("area")
        self.assertEqual((finding["oracle"], finding["verdict"]), ("meaning", "avoidable"))
        self.assertAlmostEqual(finding["method"]["relative"], 2.338e-6, delta=1e-8)
        self.assertLess(finding["rounding"]["relative"], 1e-15)
        self.assertEqual(finding["cause"]["line"], 1)
        self.assertNotIn("remedy", finding["diagnosis"])
        self.assertEqual(self.hunted(AREA, status=0).findings, [], "without a meaning, there is no finding")

    def test_wrong_branch_is_seen_on_its_side_only(self):
        run = self.hunted(BRANCH, "--means", "1/(1 + x)", "--range", "x=0:10")
        self.assertEqual(self.problems(run), ["wrong-method"])
        for finding in run.findings:
            self.assertLess(float(finding["input"]["x"]["decimal"]), 1)

    def test_truncated_series_is_seen(self):
        run = self.hunted(SERIES, "--means", "exp(x)", "--range", "x=-4:4")
        self.assertEqual(self.problems(run), ["wrong-method"])

    def test_right_code_is_silent(self):
        self.write("f.c", AREA.replace("3.1416", "3.14159265358979323846"))
        run = self.run_faultline("hunt", "f.c", "--evals", "3000", "-o", "-", "--means", "pi*r^2")
        self.assertEqual([problem for problem in run.json["problems"] if problem["class"] == "wrong-method"], [])

    def test_rounding_stays_rounding(self):
        run = self.hunted(GAP, "--means", "sqrt(x + 1) - sqrt(x)")
        self.assertEqual(self.problems(run), ["cancellation"])
        finding = run.worst("gap")
        self.assertEqual(finding["oracle"], "meaning")
        self.assertLess(finding["method"]["relative"], 1e-15)
        self.assertIn("remedy", finding["diagnosis"])

    def test_configuration_and_comment_say_it_too(self):
        self.write("faultline.toml", '[function.area]\nmeans = "pi*r^2"\n')
        self.assertEqual(self.problems(self.hunted(AREA)), ["wrong-method"])
        (self.scratch / "faultline.toml").unlink()
        for comment in ("// faultline: means pi*r^2\n", "/* faultline: means pi*r^2 */\n/* more */\n"):
            self.assertEqual(self.problems(self.hunted(comment + AREA)), ["wrong-method"], comment)
        self.assertEqual(self.problems(self.hunted("// faultline: means pi*r^2\n\n" + AREA, status=0)), [],
                         "an empty line is between them")
        fortran = "! faultline: means 3*x\nreal(8) function triple(x)\n  real(8), intent(in) :: x\n  triple = 3.01d0 * x\nend function\n"
        self.assertEqual(self.problems(self.hunted(fortran, name="f.f90")), ["wrong-method"])

    def test_the_command_line_has_more_weight_than_the_file_and_that_than_the_comment(self):
        self.write("faultline.toml", 'means = "3.1416*r^2"\n')
        source = "// faultline: means pi*r^2\n" + AREA
        self.assertEqual(self.problems(self.hunted(source, status=0)), [])
        self.assertEqual(self.problems(self.hunted(source, "--means", "area=pi*r^2")), ["wrong-method"])
        self.assertEqual(self.problems(self.hunted(source, "--means", "none", status=0)), [])

    def test_each_function_and_output_has_its_own(self):
        both = AREA + "void scale(double x, double* twice, double* thrice) { *twice = 2 * x; *thrice = 3.01 * x; }\n"
        run = self.hunted(both, "--means", "area=3.1416*r^2", "--means", "scale.thrice=3*x", "--means", ".twice=2*x")
        self.assertEqual([(finding["output"]["name"]) for finding in run.findings], ["thrice"])

    def test_errors_point_at_their_column(self):
        for means, says in (("pi*q^2", ["column 4", "there is no input q", "\npi*q^2\n   ^\n", "the inputs are: r"]),
                            ("pi*r^", ["column 6", "\npi*r^\n     ^\n"]),
                            ("bessel(0, r)", ["column 1", "there is no function bessel", "besselj"]),
                            ("arae=r", ["no function arae", "area"]),
                            ("area.diameter=r", ["has no output diameter", "return"])):
            self.write("f.c", AREA)
            run = self.run_faultline("hunt", "f.c", "--means", means, status=2)
            for part in says:
                self.assertIn(part, run.err)
        run = self.run_faultline("explain", "f.c", "-f", "area", "--at", "r=1", "--means", "pi*q", status=2)
        self.assertIn("there is no input q", run.err)

    def test_undefined_inputs_are_not_judged(self):
        run = self.hunted(AREA, "--means", "if(r < 1e9, undefined, 3.1416*r^2)", status=4)
        self.assertEqual(run.targets["area"]["outcome"], "unknown")  # no everyday input could be judged
        self.assertEqual(run.findings, [])
        self.assertIn("the meaning is not defined there", run.targets["area"]["note"])

    def test_well_known_functions_are_known(self):
        source = "#include <math.h>\ndouble i0(double x) { return x < 30 ? 1 + x * x / 4 : exp(x) / sqrt(6.28 * x); }\n"
        self.assertEqual(self.problems(self.hunted(source, "--means", "auto")), ["wrong-method"])
        self.assertEqual(self.problems(self.hunted(AREA, "--means", "auto", status=0)), [], "area is not a known function")

    def test_findings_replay_and_are_explained(self):
        self.write("f.c", "// faultline: means pi*r^2\n" + AREA)
        self.run_faultline("hunt", "f.c", "--for", "error", "--evals", "2000", "--fail-on", "warning", "-o", "f.json", status=1)
        self.assertIn("0 not", self.run_faultline("replay", "f.json", status=0).out)
        shown = self.run_faultline("explain", "f.c", "-f", "area", "--at", "r=2").out
        self.assertIn("method 2.34e-06, rounding", shown)
        self.assertIn("wrong method", shown)

    def test_the_same_seed_finds_the_same(self):
        runs = [self.hunted(SERIES, "--means", "exp(x)").findings for _ in range(2)]
        self.assertEqual(json.dumps(runs[0]), json.dumps(runs[1]))


if __name__ == "__main__":
    import unittest
    unittest.main()
