"""Functions whose inputs are integers only: they have floating-point operations, too."""
from faultline_case import FaultlineCase

FUNCTIONS = """#include <stdlib.h>
double factorial(unsigned n) { double p = 1; for (unsigned i = 2; i <= n; i++) p *= i; return p; }
double quotient(int n, int m) { return (double)n / m; }
double third(int n) { double a = n * 0.1, b = n * 0.3; return (a + a + a) - b; }
double table(int n) { if (n == 17) abort(); return n * 0.5; }
"""
STRATEGIES = ("auto", "bracket", "random", "ga", "lsga", "s3fp", "demc", "atomu", "fpgen", "paths")


class Integers(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("f.c", FUNCTIONS)

    def kinds(self, run, function):
        return {finding["kind"] for finding in run.targets[function]["findings"]}

    def test_functions_of_integers_are_listed(self):
        self.assertIn("4 of 4", self.run_faultline("list", "f.c", status=0).out)

    def test_overflow_is_found_among_the_integers(self):
        run = self.hunt("f.c", "-f", "factorial", "--range", "n=0:400", status=0)
        self.assertIn("overflow", self.kinds(run, "factorial"))
        self.assertLess(run.targets["factorial"]["evaluations"], 2 * 401)
        run = self.hunt("f.c", "-f", "factorial", "--range", "n=0:170", status=0)
        self.assertEqual(self.kinds(run, "factorial"), set())

    def test_exceptions_of_a_quotient_are_found(self):
        self.assertLessEqual({"divide-by-zero", "invalid"}, self.kinds(self.hunt("f.c", "-f", "quotient", status=0), "quotient"),
                             "what exact arithmetic has as well is evidence, and no problem")

    def test_rounding_error_is_found(self):
        run = self.hunt("f.c", "-f", "third", "--for", "error")
        self.assertGreater(run.worst("third")["error"]["relative"], 0.1)

    def test_the_one_integer_that_crashes_is_found(self):
        run = self.hunt("f.c", "-f", "table", "--for", "crashes", "--range", "n=0:4000")
        (finding,) = run.targets["table"]["findings"]
        self.assertEqual(finding["input"]["n"]["decimal"], "17")

    def test_every_strategy_ends_on_many_integers(self):
        for strategy in STRATEGIES:
            with self.subTest(strategy):
                run = self.hunt("f.c", "-f", "third", "-f", "quotient", "--range", "n=-1000000:1000000", "--evals", "1500",
                                "--strategy", strategy, status=None)
                self.assertIn(run.status, (0, 1))
                self.assertTrue(all(target["evaluations"] <= 1600 for target in run.json["targets"]))

    def test_hunt_is_the_same_again(self):
        def hunt():
            report = self.hunt("f.c", "--range", "n=0:60", status=1).json
            for target in report["targets"]:
                del target["seconds"], target["total_seconds"]
            return report
        self.assertEqual(hunt(), hunt())
