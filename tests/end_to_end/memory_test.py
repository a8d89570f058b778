"""Accesses outside of variables and arguments are crashes with a line, and intended idioms are none."""
import unittest

from faultline_case import FaultlineCase

CODE = r"""
#include <stdlib.h>
#include <string.h>
double table(double x) { static const double t[4] = {1, 2, 4, 8}; int i = (int)(x * 4);
  return t[i]; }
double one_too_many(double x) { double w[3];
  for (int i = 0; i <= 3; i++) w[i] = x * i;
  return w[0] + w[1] + w[2]; }
static double at(const double *p, int i) {
  return p[i]; }
double inlined(double x, int n) { double w[3] = {x, x + 1, x + 2}; return at(w, n); }
double block(double x, int n) { double *w = malloc(n * sizeof *w), s;
  w[n] = x;
  s = w[n] + 1; free(w); return s; }
double copied(double x, int n) { double from[4] = {x, x, x, x}, to[4] = {0};
  memcpy(to, from, n * sizeof *to);
  return to[0]; }
double two(int n, const double a[3], const double b[3]) { double s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s + b[0]; }
"""

IDIOMS = r"""
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
double clamped(double x) { static const double t[4] = {1, 2, 4, 8}; if (!(x >= 0 && x < 1)) return 0; return t[(int)(x * 4)]; }
double polynomial(double x) { static const double c[5] = {1, .5, .25, .125, .0625}; double s = 0;
  for (int i = 4; i >= 0; --i) s = s * x + c[i]; return s; }
double end_pointer(double x) { double w[3] = {x, x, x}, s = 0; for (double *p = w; p != w + 3; ++p) s += *p; return s; }
double flat(double x) { double a[2][3] = {{x, x, x}, {x, x, x}}, s = 0; for (int i = 0; i < 6; i++) s += a[0][i]; return s; }
struct list { int n; double v[]; };
double flexible(double x) { struct list *l = malloc(sizeof *l + 3 * sizeof(double)); double s = 0; l->n = 3;
  for (int i = 0; i < l->n; i++) l->v[i] = x; for (int i = 0; i < l->n; i++) s += l->v[i]; free(l); return s; }
struct whole { double before, inner, after; };
static double outer(double *inner) { return ((struct whole *)((char *)inner - offsetof(struct whole, inner)))->before; }
double container(double x) { struct whole w = {x, 1, 2}; return outer(&w.inner) + (&w.before)[2]; }
union bits { double d; unsigned char b[8]; };
double bytes(double x) { union bits u = {x}; int s = 0; for (int i = 0; i < 8; i++) s += u.b[i]; return s + x; }
static double first(const double *a) { --a; return a[1] + a[2]; }
double shifted(double x) { double w[2] = {x, 1}; return first(w); }
double variable(double x, int n) { if (n < 1 || n > 9) return 0; double w[n]; for (int i = 0; i < n; i++) w[i] = x;
  return w[n - 1]; }
double either(double x, int n) { double a[2] = {x, 1}, b[4] = {x, 1, 2, 3}; const double *p = n ? a : b; return p[n ? 1 : 3]; }
double nothing(double x) { double w[2] = {x, x}; size_t n = 0; memset(w + 2, 0, n); return w[1]; }
"""

CXX = r"""
#include <array>
#include <vector>
double fixed(double x, int n) { std::array<double, 3> w{x, x + 1, x + 2};
  return w[n]; }
double growing(double x, int n) { std::vector<double> w(4, x);
  return w[n]; }
double counted(double x) { std::vector<double> w(4, x); double s = 0; for (double v : w) s += v; return s; }
"""

FORTRAN = """
real(8) function picked(x, i)
  real(8), intent(in) :: x
  integer, intent(in) :: i
  real(8) :: w(3)
  w = [x, x + 1, x + 2]
  picked = w(i)
end function
real(8) function summed(x)
  real(8), intent(in) :: x
  real(8) :: w(3)
  integer :: i
  do i = 1, 3
    w(i) = x * i
  end do
  summed = w(1) + w(2) + w(3)
end function
"""


class Memory(FaultlineCase):
    def crashes(self, *words):
        run = self.hunt("--evals", 300, "--for", "crashes", *words, status=None)
        return {name: [(f["kind"], f.get("cause", {}).get("line", 0), f["detail"]) for f in target["findings"]]
                for name, target in run.targets.items()}

    def expect_outside(self, found, lines):
        for function, line in lines.items():
            outside = [(kind, at) for kind, at, detail in found[function] if "outside of" in detail]
            self.assertIn(("crash", line), outside, function)

    def test_an_access_outside_of_a_variable_is_a_crash_with_its_line(self):
        self.write("code.c", CODE)
        found = self.crashes("code.c", "--size", 3)
        self.expect_outside(found, {"table": 5, "one_too_many": 7, "inlined": 10, "block": 13, "copied": 16})

    def test_code_that_is_not_optimised_is_checked_too(self):
        self.write("code.c", CODE)
        found = self.crashes("code.c", "-f", "table", "-f", "one_too_many", "--", "-O0")
        self.expect_outside(found, {"table": 5, "one_too_many": 7})

    def test_one_array_argument_is_not_read_through_another(self):
        self.write("code.c", CODE)
        found = self.crashes("code.c", "-f", "two", "--range", "n=1:6")
        self.assertIn("went beyond its arguments", str(found["two"]))

    def test_explain_does_not_call_such_a_run_right(self):
        self.write("code.c", CODE)
        run = self.run_faultline("explain", "code.c", "-f", "table", "--at", "x=9", status=None)
        self.assertIn("reads outside of t, which has 32 bytes", run.out)
        self.assertNotIn("nothing is wrong", run.out)

    def test_no_bound_covers_such_an_access(self):
        self.write("code.c", CODE)
        run = self.run_faultline("bound", "code.c", "-f", "table", "--range", "x=0:10", "--time", "1s", "-o", "-", status=None)
        for output in run.json["targets"][0].get("outputs", []):
            self.assertIsNone(output["absolute"].get("proven"))
        hunted = self.hunt("code.c", "-f", "table", "--range", "x=0:10", "--evals", 300, status=None)
        self.assertNotIn("proved", hunted.out if isinstance(hunted.out, str) else "")

    def test_intended_idioms_are_silent(self):
        self.write("idioms.c", IDIOMS)
        for flags in ([], ["--", "-O0"]):
            for function, findings in self.crashes("idioms.c", *flags).items():
                self.assertEqual(findings, [], function)

    def test_containers_are_checked(self):
        self.write("code.cpp", CXX)
        found = self.crashes("code.cpp")
        self.expect_outside(found, {"fixed": 5, "growing": 7})
        self.assertEqual(found["counted"], [])

    def test_fortran_arrays_are_checked(self):
        self.write("code.f90", FORTRAN)
        found = self.crashes("code.f90")
        self.expect_outside(found, {"picked": 7})
        self.assertEqual(found["summed"], [])


if __name__ == "__main__":
    unittest.main()
