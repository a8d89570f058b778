"""Findings that users suppress: comments in the source, and a baseline."""
import json
import unittest

from faultline_case import FaultlineCase

QUICK = ("--evals", "2000", "--for", "error")
C = """#include <math.h>
double f(double x) {
  return 1 - cos(x);%s
}
"""
FORTRAN = """function f(x) result(y)
  double precision, intent(in) :: x
  double precision :: y%s
  y = 1d0 - cos(x)
end function
"""


class Noise(FaultlineCase):
    def suppressed(self, source, line):
        """The hunt in this file finds nothing that counts, and the comment in this line is the reason."""
        run = self.hunt(source, *QUICK, status=0)
        finding = run.findings[0]
        self.assertEqual(finding["suppressed"]["line"], line)
        self.assertEqual(finding["suppressed"]["reason"], "x is above 0.1")
        self.assertEqual(run.json["targets"][0]["outcome"], "none")
        self.assertEqual(run.err, "")

    def test_comments_suppress_in_c_cpp_and_fortran(self):
        comment = "faultline: ignore[cancellation, inaccuracy] x is above 0.1"
        for name in ("f.c", "f.cpp"):
            self.write(name, C % f" // {comment}")
            self.suppressed(name, 3)
        self.write("f.c", C % f" /* {comment} */")
        self.suppressed("f.c", 3)
        self.write("f.c", (C % "").replace("  return", f"  // {comment}\n  return"))
        self.suppressed("f.c", 3)
        self.write("f.c", (C % "").replace("double f", f"// {comment}\ndouble f"))
        self.suppressed("f.c", 2)
        self.write("f.f90", FORTRAN % f"\n  ! {comment}")
        self.suppressed("f.f90", 4)
        self.write("f.f90", f"! {comment}\n" + FORTRAN % "")
        self.suppressed("f.f90", 1)

    def test_terminal_counts_them_and_all_shows_them(self):
        self.write("f.c", C % " // faultline: ignore x is above 0.1")
        run = self.run_faultline("hunt", "f.c", *QUICK, status=0)
        self.assertNotIn("cos(x)", run.out)
        self.assertIn("1 finding suppressed by comments; --all shows it\n", run.out)
        self.assertIn("no problems in 1 function", run.out)
        run = self.run_faultline("hunt", "f.c", *QUICK, "--all", "-o", "f.json", "-o", "f.txt", status=0)
        self.assertIn("cos(x)", run.out)
        self.assertIn("by the comment at f.c:3: x is above 0.1", run.out)
        self.assertNotIn("suppressed by comments", run.out)
        self.assertIn("cos(x)", (self.scratch / "f.txt").read_text())
        self.assertIn("cos(x)", self.run_faultline("report", "f.json", status=0).out)

    def test_a_comment_without_a_reason_or_of_another_kind_is_not_obeyed(self):
        self.write("f.c", C % " // faultline: ignore[cancellation]")
        run = self.hunt("f.c", *QUICK, status=1)
        self.assertIn("f.c:3: warning: the comment 'faultline: ignore' has no effect: it has no reason", run.err)
        self.write("f.c", C % " // faultline: ignore[overflow] cannot be")
        run = self.hunt("f.c", *QUICK, status=1)
        self.assertEqual(run.err, "")  # overflows were not looked for
        self.assertNotIn("suppressed", run.findings[0])

    def test_an_unused_comment_is_mentioned(self):
        self.write("f.c", "double f(double x) {\n  return x + 1; // faultline: ignore[cancellation] why\n}\n"
                          "double g(double x) {\n  return x + 2; // faultline: ignore[cancellation] why\n}\n")
        run = self.hunt("f.c", "-f", "f", "--range", "0:1", *QUICK, status=0)
        self.assertEqual(run.err, "faultline: f.c:2: note: the comment 'faultline: ignore' suppresses no finding\n")

    def test_a_baseline_lets_known_findings_pass_and_new_ones_fail(self):
        self.write("f.c", C % "")
        self.run_faultline("hunt", "f.c", *QUICK, "--quiet", "-o", "known.json", status=1)
        run = self.run_faultline("hunt", "f.c", *QUICK, "--baseline", "known.json", "-o", "now.json", "-o", "now.sarif",
                                 status=0)
        self.assertNotIn("cos(x)", run.out)
        self.assertIn("1 finding known from known.json; --all shows it\n", run.out)
        finding = json.loads((self.scratch / "now.json").read_text())["targets"][0]["findings"][0]
        self.assertEqual(finding["baseline"], "known")
        result = json.loads((self.scratch / "now.sarif").read_text())["runs"][0]["results"][0]
        self.assertEqual(result["baselineState"], "unchanged")

        self.write("f.c", "// moved\n\n" + (C % "").replace("double f", "double g(double x) {\n  return exp(x) - 1;\n}\n\n"
                                                            "double f").replace("  return 1", "      return 1"))
        run = self.run_faultline("hunt", "f.c", *QUICK, "--baseline", "known.json", "--fail-on", "warning", status=1)
        self.assertNotIn("cos(x)", run.out)
        self.assertIn("exp(x) - 1", run.out)
        self.assertIn("1 finding known from known.json", run.out)
        self.assertIn("1 warning in 2 functions (2 findings)", run.out)
        novelty = {target["function"]: [finding["baseline"] for finding in target["findings"]]
                   for target in self.hunt("f.c", *QUICK, "--baseline", "known.json").json["targets"]}
        self.assertEqual(novelty, {"g": ["new", "new"], "f": ["known"]})

    def test_what_was_repaired_is_counted(self):
        self.write("f.c", C % "")
        self.run_faultline("hunt", "f.c", *QUICK, "--quiet", "-o", "known.json", status=1)
        self.write("f.c", (C % "").replace("1 - cos(x)", "2 * sin(x / 2) * sin(x / 2)"))
        run = self.run_faultline("hunt", "f.c", *QUICK, "--baseline", "known.json", "-o", "now.json", status=0)
        self.assertIn("1 finding of known.json not found again\n", run.out)
        self.assertEqual(json.loads((self.scratch / "now.json").read_text())["baseline"], {"file": "known.json", "gone": 1})

    def test_a_baseline_stands_in_the_configuration_too(self):
        self.write("f.c", C % "")
        self.run_faultline("hunt", "f.c", *QUICK, "--quiet", "-o", "known.json", status=1)
        self.write("faultline.toml", 'baseline = "known.json"\n')
        self.hunt("f.c", *QUICK, status=0)
        self.run_faultline("hunt", "f.c", *QUICK, "--no-config", status=1)
        self.write("faultline.toml", '[function.f]\nbaseline = "known.json"\n')
        run = self.run_faultline("hunt", "f.c", *QUICK, status=2)
        self.assertIn("faultline.toml:2:1: baseline", run.err)

    def test_replay_works_although_the_baseline_is_gone(self):
        self.write("f.c", C % "")
        self.run_faultline("hunt", "f.c", *QUICK, "--quiet", "-o", "known.json", status=1)
        self.run_faultline("hunt", "f.c", *QUICK, "--quiet", "--baseline", "known.json", "-o", "now.json", status=0)
        (self.scratch / "known.json").unlink()
        self.assertIn("1 reproduced, 0 not", self.run_faultline("replay", "now.json", status=0).out)

    def test_a_missing_baseline_says_how_to_make_one(self):
        self.write("f.c", C % "")
        run = self.run_faultline("hunt", "f.c", "--baseline", "known.json", status=2)
        self.assertEqual(run.err, "faultline: error: --baseline known.json: there is no such file\n"
                                  "  try: faultline hunt ... -o known.json makes it; leave out --baseline that time\n")


if __name__ == "__main__":
    unittest.main()
