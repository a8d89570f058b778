"""A repair is a diff that git takes and compilers accept, it repairs, and it never harms; what cannot be repaired is refused."""
import shutil
import subprocess
import unittest

from faultline_case import FaultlineCase

ONE_PLACE = """#include <math.h>

double versine(double x) { return 1.0 - cos(x); }
"""
TEMPORARIES = """#include <math.h>

double ratio(double x) {
  double e = exp(x);
  double numerator = e - 1;
  return numerator / x;
}
"""
CXX = """#include <cmath>

namespace area {

double slope(double x) {
  const double c = std::cos(x);
  return (1.0 - c) / x;
}

} // namespace area
"""
FORTRAN = """module m
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains
  function versine(x) result(r)
    real(dp), intent(in) :: x
    real(dp) :: r
    r = 1.0_dp - cos(x)
  end function versine
end module m
"""
MACRO = """#include <math.h>
#define VERSINE(x) (1.0 - cos(x))
double versine(double x) { return VERSINE(x); }
"""
HARMLESS = "double half(double x) { return x / 2; }\n"
ILL = """#include <math.h>
double angle(double t) { return fmod(t * 1.1, 2 * M_PI); }
"""
WRONG_PATCH = """--- a/versine.c
+++ b/versine.c
@@ -1,3 +1,3 @@
 #include <math.h>
 
-double versine(double x) { return 1.0 - cos(x); }
+double versine(double x) { return x * x / 2; }
"""
GOOD_PATCH = WRONG_PATCH.replace("x * x / 2", "2 * sin(x / 2) * sin(x / 2)")


class Fix(FaultlineCase):
    def fix(self, name, text, *options, status=0):
        self.write(name, text)
        return self.run_faultline("fix", name, "--time", "60s", *options, status=status)

    def applied(self, name, diff):
        """The file after `git apply`."""
        (self.scratch / "the.patch").write_text(diff)
        subprocess.run(["git", "init", "-q"], cwd=self.scratch, check=True)
        subprocess.run(["git", "apply", "the.patch"], cwd=self.scratch, check=True)
        shutil.rmtree(self.scratch / ".git")
        return (self.scratch / name).read_text()

    def compiles(self, name, *compiler):
        subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", name], cwd=self.scratch, check=True)

    def test_a_diff_applies_compiles_and_repairs(self):
        run = self.fix("versine.c", ONE_PLACE)
        self.assertIn("before", run.err)
        self.assertIn("sin(", self.applied("versine.c", run.out))
        self.compiles("versine.c", "gcc")
        self.run_faultline("hunt", "versine.c", "--scope", "everyday", "-q")  # no error is left

    def test_temporaries_are_seen_through(self):
        run = self.fix("ratio.c", TEMPORARIES)
        self.assertIn("expm1(x)", self.applied("ratio.c", run.out))
        self.compiles("ratio.c", "gcc")

    def test_cxx_gets_the_standard_library(self):
        run = self.fix("slope.cpp", CXX)
        changed = self.applied("slope.cpp", run.out)
        self.assertIn("std::sin(", changed)
        self.compiles("slope.cpp", "g++")

    def test_fortran_gets_fortran(self):
        run = self.fix("m.f90", FORTRAN)
        changed = self.applied("m.f90", run.out)
        self.assertIn("sin(", changed)
        self.assertNotIn("1.0_dp - cos(x)\n", changed)
        self.run_faultline("hunt", "m.f90", "--scope", "everyday", "-q")

    def test_json_states_what_was_measured(self):
        fix = self.fix("versine.c", ONE_PLACE, "-o", "-").json["fixes"][0]
        self.assertGreater(fix["error"]["before"]["relative"], 0.5)
        self.assertLess(fix["error"]["after"]["relative"], 1e-15)
        self.assertEqual(fix["worse"], 0)
        self.assertGreaterEqual(fix["tried"], 100_000)
        self.assertLess(fix["bits"]["after"], fix["bits"]["before"])
        text = ONE_PLACE
        for edit in sorted(fix["edits"], key=lambda edit: -edit["offset"]):
            text = text[: edit["offset"]] + edit["text"] + text[edit["offset"] + edit["length"] :]
        self.assertEqual(text, self.applied("versine.c", fix["patch"]))

    def test_files_are_changed_on_request(self):
        self.fix("versine.c", ONE_PLACE, "--write", "-o", "versine.md", "-o", "versine.patch")
        self.assertNotEqual((self.scratch / "versine.c").read_text(), ONE_PLACE)
        self.assertIn("```diff", (self.scratch / "versine.md").read_text())
        self.assertIn("+++ b/versine.c", (self.scratch / "versine.patch").read_text())

    def test_a_foreign_patch_is_judged(self):
        self.write("good.patch", GOOD_PATCH)
        self.write("wrong.patch", WRONG_PATCH)
        self.fix("versine.c", ONE_PLACE, "--check", "good.patch")
        run = self.fix("versine.c", ONE_PLACE, "--check", "wrong.patch", status=1)
        self.assertIn("worse at", run.err)

    def test_a_macro_is_refused(self):
        run = self.fix("macro.c", MACRO, status=1)
        self.assertEqual(run.out, "")
        self.assertIn("macro", run.err)

    def test_there_is_nothing_to_repair(self):
        self.fix("half.c", HARMLESS, status=4)

    def test_an_ill_conditioned_problem_is_refused(self):
        run = self.fix("angle.c", ILL, "-f", "angle", "--at", "t=1e15", status=1)
        self.assertIn("ill-conditioned", run.err)


if __name__ == "__main__":
    unittest.main()
