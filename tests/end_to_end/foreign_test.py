"""Code that is not instrumented makes the outputs: what cannot be judged must not pass for right."""
import json
import unittest

from faultline_case import FaultlineCase

PRODUCT = """subroutine product4(a, b, c)
  implicit none
  real(8), intent(in) :: a(4,4), b(4,4)
  real(8), intent(out) :: c(4,4)
  c = matmul(a, b)
end subroutine
"""
CANCEL = ",".join(["1e20", "0", "0", "0", "1", "0", "0", "0", "-1e20", "0", "0", "0", "0", "0", "0", "0"])


class Foreign(FaultlineCase):
    def test_matmul_of_the_fortran_library_is_followed(self):
        self.write("product.f90", PRODUCT)
        self.assertNotIn("note", self.hunt("product.f90", "--evals", "500", status=None).targets["product4"])
        ones, zeros = ",".join(["1"] * 16), ",".join(["0"] * 16)
        run = self.run_faultline("explain", "product.f90", "-f", "product4", "--at", f"a={CANCEL}", "--at", f"b={ones}", "--at",
                                 f"c={zeros}", status=0)
        self.assertIn("computed  c[0] = 0 ", run.out)
        self.assertIn("reference 1 ", run.out)

    def test_loop_in_its_place_is_judged(self):
        self.write("loop.f90", PRODUCT.replace("  c = matmul(a, b)\n", "  integer :: i, j, k\n  do i = 1, 4\n  do j = 1, 4\n"
                   "  c(i,j) = 0d0\n  do k = 1, 4\n  c(i,j) = c(i,j) + a(i,k) * b(k,j)\n  end do\n  end do\n  end do\n"))
        self.assertNotIn("note", self.hunt("loop.f90", "--evals", "500", status=None).targets["product4"])

    def test_constants_beside_a_foreign_call_stay_conclusive(self):
        self.write("constant.c", "double scalb(double, double);\ndouble f(double x) { return scalb(x, -2000) > 7 ? x * x : 3; }\n")
        run = self.hunt("constant.c", "--evals", "500", status=0)
        self.assertNotIn("note", run.targets["f"])


class RoundedArguments(FaultlineCase):
    """What a function that is not instrumented makes of rounded values may be anything."""

    def test_explain_says_unknown_and_names_the_function(self):
        self.write("f.c", "double scalb(double, double);\ndouble f(double x) { return 1 + scalb(x * 3, 2); }\n")
        run = self.run_faultline("explain", "f.c", "-f", "f", "--at", "x=0.1", status=0)
        self.assertIn("depends on scalb", run.out)
        self.assertNotIn("accurate", run.out)
        exact = self.run_faultline("explain", "f.c", "-f", "f", "--at", "x=0.5", status=0)
        self.assertNotIn("depends on scalb", exact.out)

    def test_hunt_is_inconclusive_and_names_the_function(self):
        self.write("f.c", "double scalb(double, double);\ndouble f(double x) { return 1 + scalb(x * 3, 2); }\n")
        target = self.hunt("f.c", "--evals", "500", status=4).targets["f"]
        self.assertEqual(target["outcome"], "unknown")
        self.assertIn("scalb", target["note"])

    def test_array_function_of_the_fortran_library_is_named(self):
        self.write("n.f90", "real(8) function n(x)\n  real(8), intent(in) :: x(3)\n  n = 1 + norm2(x * 3)\nend function\n")
        run = self.run_faultline("explain", "n.f90", "-f", "n", "--at", "x=0.1,0.2,0.3", status=0)
        self.assertIn("Norm2", run.out)
        self.assertNotIn("accurate", run.out)


class FollowedThroughLibraries(FaultlineCase):
    """Errors before a call of libm, of Fortran's library or of complex arithmetic are found behind it."""

    def relative_error(self, file, function, *at):
        words = [word for value in at for word in ("--at", value)]
        out = self.run_faultline("explain", file, "-f", function, *words, status=0).out
        self.assertNotIn("unknown", out)
        return float(out.split("error     relative ")[1].split(",")[0])

    def test_modulo_of_a_rounded_product(self):
        self.write("carrier.f90", "real(8) function carrier(f, t)\n  real(8), intent(in) :: f, t\n"
                                  "  carrier = sin(6.283185307179586476925d0 * modulo(f * t, 1d0))\nend function\n")
        self.assertGreater(self.relative_error("carrier.f90", "carrier", "f=1234567.8", "t=45678.9"), 1e-5)

    def test_quotient_and_root_of_complex_numbers(self):
        self.write("c.cpp", "#include <cmath>\n#include <complex>\nusing C = std::complex<double>;\n"
                            "double quotient(double x) { return (C(1 - std::cos(x), 0) / C(3, 1)).real() * 2; }\n"
                            "double root(double x) { return std::sqrt(C(1 - std::cos(x), 1e-30)).real() * 2; }\n"
                            "double power(double x) { return 1 - std::pow(C(std::cos(x), std::sin(x)), C(2, 0)).real(); }\n"
                            "double exponential(double x) { return (std::exp(C(0, x)) - C(1, 0)).real(); }\n")
        for function in ("quotient", "root", "power", "exponential"):
            with self.subTest(function):
                self.assertGreater(self.relative_error("c.cpp", function, "x=1.1e-7"), 1e-4)

    def test_bessel_functions_and_long_double(self):
        self.write("b.c", "#include <math.h>\ndouble bessel(double x) { return 1 - j0(x); }\n"
                          "long double tail(long double x) { return 1 - tanhl(x); }\n")
        self.assertGreater(self.relative_error("b.c", "bessel", "x=1.1e-7"), 1e-4)
        self.hunt("b.c", "-f", "tail", "--for", "error", status=1)


class EndsInExactArithmetic(FaultlineCase):
    SOURCE = ("#include <stdlib.h>\ndouble f(double x) {\n  double e = (x + 1) - 1;\n  if (e == x)\n    exit(1);\n"
              "  return e;\n}\n")

    def test_flip_to_exit_is_found_shown_and_reproduced(self):
        self.write("f.c", self.SOURCE)
        file = self.scratch / "findings.json"
        run = self.run_faultline("hunt", "f.c", "--for", "branches", "--range", "x=0.1:0.9", "--evals", "500", "--fail-on", "warning", "-o", file,
                                 status=1)
        self.assertIn("called exit", run.out)
        (finding,) = json.loads(file.read_text())["targets"][0]["findings"]
        self.assertEqual(finding["kind"], "branch-flip")
        self.assertNotIn("error", finding)
        self.assertEqual(finding["cause"]["line"], 4)
        self.assertIn("called exit", finding["detail"])
        self.assertEqual(self.run_faultline("replay", file, status=0).out.splitlines()[-1], "1 reproduced, 0 not")
        explained = self.run_faultline("explain", "f.c", "-f", "f", "--at", "x=0.1", status=0).out
        self.assertIn("branch-flip", explained)
        self.assertIn("called exit", explained)


class Lengths(FaultlineCase):
    def test_lists_show_what_a_size_holds(self):
        self.write("m.c", "double f(const double* A, int rows, int cols) { double s = 0; for (int i = 0; i < rows * cols; ++i) "
                          "s += A[i]; return s; }\n")
        run = self.run_faultline("list", "m.c", "--size", "A=3x4", status=0)
        self.assertIn("A[0..11]: binary64, rows: int32 (held at 3), cols: int32 (held at 4)", run.out)

    def test_structs_with_a_size_are_hunted_as_an_array(self):
        self.write("area.c", "typedef struct { double x, y; } Point;\ndouble area(const Point* p, int n) { double s = 0; "
                             "for (int i = 0; i < n; ++i) { int j = (i + 1) % n; s += p[i].x * p[j].y - p[j].x * p[i].y; } "
                             "return s / 2; }\n")
        run = self.run_faultline("list", "area.c", "--size", "p=4", status=0)
        self.assertIn("p[0..3].x: binary64, p[0..3].y: binary64, n: int32 (held at 4)", run.out)
        file = self.scratch / "findings.json"
        self.run_faultline("hunt", "area.c", "--size", "p=4", "--evals", "3000", "--for", "error", "--quiet", "--fail-on", "note",
                           "-o", file, status=1)
        finding = json.loads(file.read_text())["targets"][0]["findings"][0]
        self.assertIn("p[3].y", finding["input"])
        self.assertEqual(self.run_faultline("replay", file, status=0).out.splitlines()[-1].split(", ")[-1], "0 not")

    def test_wrong_size_is_named_with_the_nearest_parameter(self):
        self.write("s.c", "double f(const double* coefficients, const double* x) { return coefficients[0] * x[0]; }\n")
        for words in (["hunt"], ["hunt", "-f", "f"], ["list"]):
            run = self.run_faultline(words[0], "s.c", *words[1:], "--size", "coeficients=3", status=2)
            self.assertIn("--size coeficients: no such parameter", run.err)
            self.assertIn("coefficients", run.err.split("try:")[1])


if __name__ == "__main__":
    unittest.main()
