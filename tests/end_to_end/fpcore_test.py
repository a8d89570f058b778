"""FPCore in and out: FPBench's format is hunted in as C is, and written for others."""
import json

from faultline_case import FaultlineCase

ONE_MINUS_COS = """; the comment counts as a line
(FPCore one-minus-cos (x)
  :pre (<= 1e-9 x 3)
  (/ (- 1
        (cos x))
     (* x x)))
"""
TRIANGLE = """(FPCore area (a b c)
  :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) (> (+ a b) c) (> (+ b c) a) (> (+ c a) b))
  (let ([s (/ (+ (+ a b) c) 2)])
    (sqrt (* (* (* s (- s a)) (- s b)) (- s c)))))
"""
C = """#include <math.h>
static double square(double x) { return x * x; }
double branches(double x, double y) {
  double t = x < 0 ? -x : x;
  if (t > 2 && y > 1)
    return log(t) / y;
  double s = 0;
  if (y < 0)
    s = square(x - y);
  else if (y == 0)
    s = 1e-3f;
  return sqrt(s + t) - fmin(x, y);
}
double narrow(float x, double y) {
  float p = x * x - 1.1f;
  return (float)(y * p) + y / 3;
}
long double extended(long double x) { return (x - 0.1L) / (1 + x * x); }
double loop(double x, int n) {
  double sum = 1, term = 1;
  for (int k = 1; k <= n; ++k) {
    term *= x / k;
    if (term < 1e-3)
      sum -= term;
    else
      sum += term;
  }
  return sum;
}
double reads(const double *a) { return a[0] + a[1]; }
double early(double x) {
  for (int k = 0; k < 9; ++k) {
    x = x / 2 + 1;
    if (x > 5)
      return x;
  }
  return 0;
}
double kinds(int n, double x) {
  switch (n) {
  case 1: return sin(x);
  case 2: return cos(x);
  default: return isnan(x) ? 0 : x;
  }
}
"""


FORTRAN = """module m
contains
  real(8) function mixed(x, y, z)
    real(8), intent(in) :: x
    real(4), intent(in) :: y
    real(8), value :: z
    if (x > y) then
      mixed = sqrt(x) - y
    else
      mixed = log(y) * z
    end if
  end function
  real(8) function scaled(x, n)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    scaled = x * n
  end function
  real(8) function two(x, w)
    real(8), intent(in) :: x
    real(8), intent(out) :: w
    w = x + 1
    two = x - 1
  end function
end module
"""


class FPCore(FaultlineCase):
    def test_places_are_those_of_the_file(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        run = self.run_faultline("hunt", "f.fpcore", "--for", "error", "-o", "-", status=1)
        self.assertEqual((run.targets["one_minus_cos"]["file"], run.targets["one_minus_cos"]["line"]), ("f.fpcore", 2))
        cause = run.worst("one_minus_cos")["cause"]
        self.assertEqual((cause["file"], cause["line"], cause["column"]), ("f.fpcore", 4, 7))
        [x] = run.targets["one_minus_cos"]["inputs"]
        self.assertEqual((float(x["low"]), float(x["high"])), (1e-9, 3), "the range is that of :pre")
        text = self.run_faultline("explain", "f.fpcore", "-f", "one_minus_cos", "--at", "x=1e-7", status=None).out
        self.assertIn("line 5", text)

    def test_names_are_bound_together_or_in_turn(self):
        self.write("f.fpcore", """
(FPCore together (x) (while (< i 3) ([i 0 (+ i 1)] [s x (+ s i)]) s))
(FPCore in_turn (x) (while* (< i 3) ([i 0 (+ i 1)] [s x (+ s i)]) s))
(FPCore outer (x) (let ([a 2]) (let ([a x] [b a]) (if (< a 99) b x))))
(FPCore inner (x) (let ([a 2]) (let* ([a x] [b a]) (if (< a 99) b x))))
""")
        for function, value in (("together", "13"), ("in_turn", "16"), ("outer", "2"), ("inner", "10")):
            run = self.run_faultline("cover", "f.fpcore", "-f", function, "--hold", "x=10", "-o", "-", status=0)
            self.assertEqual({test["output"]["return"]["decimal"] for test in run.json["tests"]}, {value}, function)

    def test_range_of_the_user_comes_first(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        bound = self.run_faultline("bound", "f.fpcore", "--range", "x=1:2", "--time", "2s", "-o", "-", status=0).json
        self.assertEqual(bound["targets"][0]["outputs"][0]["complete"], True)
        self.assertLess(bound["targets"][0]["outputs"][0]["absolute"]["proven"], 1e-15)

    def test_inputs_outside_of_the_precondition_are_refused(self):
        self.write("t.fpcore", TRIANGLE)
        run = self.run_faultline("hunt", "t.fpcore", "--evals", "4000", "-o", "-", status=None)
        self.assertIn("refused by fpcore_precondition", run.targets["area"]["note"])
        for finding in run.findings:
            a, b, c = (float(finding["input"][name]["decimal"]) for name in "abc")
            self.assertTrue(a + b > c and b + c > a and c + a > b, finding["input"])

    def test_spec_is_the_meaning(self):
        self.write("f.fpcore", "(FPCore area (r) :pre (<= 1 r 2) :spec (* PI (* r r)) (* 3.1416 (* r r)))\n")
        run = self.run_faultline("hunt", "f.fpcore", "--for", "error", "--evals", "2000", "-o", "-", status=1)
        self.assertEqual(run.json["problems"][0]["class"], "wrong-method")

    def test_mistakes_are_told_with_their_place(self):
        self.write("f.fpcore", "(FPCore (x)\n  (+ x (sine y)))\n")
        run = self.run_faultline("hunt", "f.fpcore", status=3)
        self.assertIn("f.fpcore:2:8: there is no operation 'sine'", run.err)
        self.assertIn("sin", run.err.split("try:")[1])

    def test_export_reads_back_as_the_same_values(self):
        self.write("f.c", C)
        for function in ("branches", "narrow", "extended"):
            row = self.run_faultline("bench", "fpcore", "f.c", "-f", function, "-q", "-o", "-", status=0).json["functions"][0]
            self.assertEqual((row["same"], row["obstacle"]), (1000, ""), function)
        self.run_faultline("export", "f.c", "-f", "loop", "--hold", "n=6", "-o", "loop.fpcore", status=0)
        self.assertIn("(while (and (>= ", (self.scratch / "loop.fpcore").read_text())
        row = self.run_faultline("bench", "fpcore", "loop.fpcore", "-q", "-o", "-", status=0).json["functions"][0]
        self.assertEqual(row["same"], 1000)

    def test_export_takes_fortrans_numbers_which_are_passed_by_reference(self):
        self.write("old.f", "      REAL FUNCTION EXPM(X)\n      REAL X\n      EXPM = (EXP(X)-1.0)/X\n      END\n")
        self.assertEqual(self.run_faultline("export", "old.f", "-f", "expm", "-o", "-", status=0).out,
                         "(FPCore expm (x) :precision binary32 (/ (+ (exp x) -1) x))\n")
        self.write("m.f90", FORTRAN)
        for file, function in (("old.f", "expm"), ("m.f90", "mixed")):
            row = self.run_faultline("bench", "fpcore", file, "-f", function, "-q", "-o", "-", status=0).json["functions"][0]
            self.assertEqual((row["same"], row["obstacle"]), (1000, ""), function)
        self.assertIn("--hold n=4", self.run_faultline("export", "m.f90", "-f", "scaled", "-o", "-", status=2).err)
        self.assertIn("(* x 3)", self.run_faultline("export", "m.f90", "-f", "scaled", "--hold", "n=3", "-o", "-", status=0).out)
        refused = self.run_faultline("export", "m.f90", "-f", "two", "-o", "-", status=3)
        self.assertIn("its parameter 'w' is not a plain number", refused.err)

    def test_export_writes_ranges_and_refuses_with_reasons(self):
        self.write("f.c", C)
        text = self.run_faultline("export", "f.c", "-f", "branches", "--range", "x=0:1", "-o", "-", status=0).out
        self.assertIn("(FPCore branches (x y)", text)
        self.assertIn(":pre (<= 0 x 1)", text)
        self.assertIn("--hold n=4", self.run_faultline("export", "f.c", "-f", "loop", "-o", "-", status=2).err)
        self.assertIn("(cos x)", self.run_faultline("export", "f.c", "-f", "kinds", "--hold", "n=2", "-o", "-", status=0).out)
        self.assertIn("left in the middle", self.run_faultline("export", "f.c", "-f", "early", "-o", "-", status=3).err)
        self.assertIn("not a plain number", self.run_faultline("export", "f.c", "-f", "reads", "--size", "a=2", "-o", "-",
                                                            status=3).err)

    def test_certificates_of_fpcores_are_checked(self):
        self.write("f.fpcore", ONE_MINUS_COS)
        self.run_faultline("bound", "f.fpcore", "--range", "x=1:2", "--time", "2s", "-o", "f.proof.json", status=0)
        self.assertIn("verified", self.run_faultline("check", "f.proof.json", "f.fpcore", status=0).out)
        self.assertEqual(json.loads((self.scratch / "f.proof.json").read_text())["line"], 2)
        self.write("g.fpcore", "(FPCore g (x y) :pre (and (<= 0 x 2) (<= 0 y 3) (<= (+ x y) 2)) (* x y))\n")
        run = self.run_faultline("bound", "g.fpcore", "--time", "2s", "-o", "g.proof.json", status=0)
        self.assertIn("its :pre has conditions other than ranges", run.err)
        self.assertIn("verified", self.run_faultline("check", "g.proof.json", "g.fpcore", status=0).out)
