"""A problem is at a line that the user wrote: not in a library's header, and never in a harness."""
import unittest
from pathlib import Path

from faultline_case import FaultlineCase

EIGEN = """#include <eigen3/Eigen/Dense>
Eigen::Matrix2d covariance(const Eigen::Matrix<double, 3, 2>& X) { Eigen::RowVector2d m = X.colwise().mean();
  return X.transpose() * X
         - 3.0 * m.transpose() * m; }
"""

TEMPLATES = """#include <cmath>
template <class F> double derivative(F f, double x, double h) {
  return (f(x + h) - f(x)) / h; }
__attribute__((noinline)) double slope(double (*f)(double), double x) {
  return (f(x + 1e-9) - f(x)) / 1e-9; }
"""


class Places(FaultlineCase):
    def causes(self, run):
        return [finding["cause"] for finding in run.findings if "cause" in finding]

    @unittest.skipUnless(Path("/usr/include/eigen3/Eigen/Dense").exists(), "Eigen is not installed")
    def test_code_of_eigen_is_at_the_line_that_calls_it(self):
        self.write("eigen.cpp", EIGEN)
        run = self.hunt("eigen.cpp", "--evals", 3000, status=None)
        causes = self.causes(run)
        self.assertTrue(causes)
        self.assertEqual({cause["file"] for cause in causes}, {"eigen.cpp"})
        self.assertTrue(any(cause.get("within", "").startswith("eigen3/Eigen/src/") for cause in causes))

    def test_no_problem_is_in_a_harness(self):
        self.write("newton.hpp", TEMPLATES)
        run = self.hunt("newton.hpp", "--evals", 3000, status=None)
        self.assertTrue(self.causes(run))
        for finding in run.findings:
            self.assertNotIn("harness_", str(finding.get("cause", "")) + str(finding.get("diagnosis", "")))
        for problem in run.json["problems"]:
            self.assertEqual(problem["file"], "newton.hpp")


if __name__ == "__main__":
    unittest.main()
