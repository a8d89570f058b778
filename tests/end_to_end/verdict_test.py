"""What a maintainer need not check again: an error that is called avoidable is avoidable, a NaN counts unless the code reports it,
and a range that the user gives is everyday."""
from faultline_case import FaultlineCase

ILL_CONDITIONED = """#include <math.h>
double angle(double t) { return fmod(t * 1.1, 2 * M_PI); }
double longitude(double t) { return fmod(t * 129597740.63 + 100.25, 1296000.0); }
double hann(int i, int n) { double s = sin(M_PI * i / (n - 1)); return s * s; }
double slope(double degrees) { return tan(degrees * M_PI / 180); }
"""
AVOIDABLE = """#include <math.h>
double versine(double x) { return 1 - cos(x); }
double root(double a, double b, double c) { return (-b + sqrt(b * b - 4 * a * c)) / (2 * a); }
"""
LIBM = """#include <errno.h>
#include <math.h>
double sigmoid(double x) { return exp(x) / (1 + exp(x)); }
double softplus(double x) { return log(1 + exp(x)); }
int checked(double x, double *result) { double e = exp(x); *result = e / (1 + e); return errno; }
"""
SEPARATION = """
real(8) function separation(ra1, dec1, ra2, dec2)
  implicit none
  real(8), intent(in) :: ra1, dec1, ra2, dec2
  separation = acos(sin(dec1) * sin(dec2) + cos(dec1) * cos(dec2) * cos(ra1 - ra2))
end function
"""
STUMPFF = """#include <math.h>
double stumpff(double z) { return (1 - cos(sqrt(z))) / z; }
"""


class Verdict(FaultlineCase):
    def problems(self, name, text, *options, status=1):
        self.write(name, text)
        return self.hunt(name, *options, status=status).json["problems"]

    def tiers(self, problems, function):
        return {problem["tier"] for problem in problems if function in problem["functions"]}

    def test_ill_conditioned_problems_are_no_errors(self):
        problems = self.problems("ill.c", ILL_CONDITIONED, "--for", "error")
        for function in ("angle", "longitude", "hann", "slope"):
            self.assertIn("note", self.tiers(problems, function), problems)
            self.assertNotIn("error", self.tiers(problems, function), problems)

    def test_avoidable_problems_are_errors(self):
        problems = self.problems("bad.c", AVOIDABLE, "--for", "error")
        for function in ("versine", "root"):
            self.assertIn("error", self.tiers(problems, function), problems)

    def test_a_nan_that_only_errno_of_libm_reports_is_an_error(self):
        problems = self.problems("libm.c", LIBM, "--for", "exceptions")
        for function in ("sigmoid", "softplus"):
            self.assertIn("error", self.tiers(problems, function), problems)
        self.assertNotIn("error", self.tiers(problems, "checked"), problems)

        self.run_faultline("hunt", "libm.c", "-f", "sigmoid", "--quiet", status=1)

    def test_a_nan_of_fortran_is_an_error(self):
        problems = self.problems("separation.f90", SEPARATION, "--for", "exceptions")
        self.assertIn(("invalid", "error"), [(problem["class"], problem["tier"]) for problem in problems])

    def test_a_range_hides_nothing_that_is_shown_without_it(self):
        for ends in (None, "1e-10:1", "1e-12:1", "1e-12:100", "1e-300:1e300"):
            options = ("--range", f"z={ends}") if ends else ()
            problems = self.problems("stumpff.c", STUMPFF, "--for", "error", *options)
            self.assertIn("cancellation", [problem["class"] for problem in problems], ends)

    def test_a_range_is_everyday(self):
        self.write("stumpff.c", STUMPFF)
        for ends, tier in (("1e-12:1e-3", "warning"), ("1e-20:1e-3", "error")):
            report = self.hunt("stumpff.c", "--for", "error", "--range", f"z={ends}").json
            self.assertEqual({(problem["tier"], problem["everyday"]) for problem in report["problems"]}, {(tier, True)})
            (target,) = report["targets"]
            self.assertEqual(target["largest_everyday"], target["largest"])
