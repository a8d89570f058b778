"""faultline bound: what is proved holds, what is found is there, and what is neither is said to be so."""
import math
from fractions import Fraction

from faultline_case import FaultlineCase

CODE = """#include <math.h>
double scaled(double x) { return 3 * x; }
double versine(double x) { return (1 - cos(x)) / (x * x); }
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
double bits(double x) { union { double d; unsigned long u; } v = { x }; double t[2] = { x + 1, x * 3 }; return t[v.u & 1]; }
double twice(double x, int n) { return n > 2 ? x * 0.1 : x; }
"""


class Proof(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("code.c", CODE)

    def bound(self, function, *words, status=0):
        return self.run_faultline("bound", "code.c", "-f", function, "-o", "-", *words, status=status).json["targets"][0]

    def test_both_sides_meet(self):
        target = self.bound("scaled", "--range", "x=1:1.25")
        output = target["outputs"][0]
        self.assertTrue(output["complete"])
        self.assertEqual(output["absolute"]["proven"], 2.0**-52)
        x = float.fromhex(output["absolute"]["input"]["x"]["hex"])
        error = abs(Fraction(3 * x) - 3 * Fraction(x))
        self.assertLessEqual(Fraction(output["absolute"]["found"]), error, "the input has this error")
        self.assertGreater(output["absolute"]["found"] * 1.1, output["absolute"]["proven"])

    def test_map_tells_where_it_is_safe(self):
        target = self.bound("versine", "--range", "x=1e-9:1", "--threshold", "1e-6", status=1)
        safe = [box["x"] for box in target["map"]["safe"]]
        self.assertEqual(safe[-1][1], 1)
        self.assertLess(safe[-1][0], 1e-4)
        unsafe = [box["x"] for box in target["map"]["unsafe"]]
        self.assertLess(min(low for low, _ in unsafe), 1e-8)
        self.assertLess(max(high for _, high in unsafe), safe[-1][0])
        # Below 1e-8 the difference is 0: the border lies where half an ulp is 1e-6 of x^2 / 2.
        self.assertGreater(safe[-1][0], math.sqrt(2**-53 * 2 / 1e-6) / 2)

    def test_arrays_and_held_integers_are_bounded(self):
        words = ("--size", "a=4", "--size", "b=4", "--range", "a=-1:1", "--range", "b=-1:1", "--time", "2s")
        output = self.bound("dot", *words)["outputs"][0]
        self.assertLessEqual(output["absolute"]["proven"], 1.6e-15)  # 4 products, 3 sums
        self.assertGreater(output["absolute"]["found"], 3e-16)
        self.assertEqual(self.bound("twice", "--range", "x=1:2", "--hold", "n=1")["outputs"][0]["absolute"]["proven"], 0)

    def test_what_hangs_on_bits_is_not_proved(self):
        output = self.bound("bits", "--range", "x=0:1", status=4)["outputs"][0]
        self.assertFalse(output["complete"])
        self.assertIsNone(output["absolute"]["proven"])
        self.assertIn("code.c:5", output["open"][0]["reason"])

    def test_ranges_and_values_that_are_missing_are_asked_for(self):
        run = self.run_faultline("bound", "code.c", "-f", "scaled", status=2)
        self.assertIn("--range x=LO:HI", run.err)
        run = self.run_faultline("bound", "code.c", "-f", "twice", "--range", "x=1:2", status=2)
        self.assertIn("--hold n=", run.err)

    def test_screen_rounds_away_from_the_truth(self):
        run = self.run_faultline("bound", "code.c", "-f", "scaled", "--range", "x=1:1.25", status=0)
        self.assertIn("2.23e-16", run.out)  # 2^-52 is 2.2204e-16
