"""faultline bound: what is proved holds, what is found is there, and what is neither is said to be so."""
import json
import math
import re
from fractions import Fraction

from faultline_case import FaultlineCase

CODE = """#include <math.h>
double scaled(double x) { return 3 * x; }
double versine(double x) { return (1 - cos(x)) / (x * x); }
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
double bits(double x) { union { double d; unsigned long u; } v = { x }; double t[2] = { x + 1, x * 3 }; return t[v.u & 1]; }
double twice(double x, int n) { return n > 2 ? x * 0.1 : x; }
double quotient(double x, double y) { return (x - y) / (x + y); }
double root(double x) { return sqrt(x) + 1; }
double pole(double x) { return 1 / (x - 3); }
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

    def test_map_has_bounds_witnesses_and_shares(self):
        drawn = self.bound("versine", "--range", "x=-1:1", "--threshold", "1e-6", status=1)["map"]
        for colour in ("safe", "unsafe", "open"):
            self.assertEqual(len(drawn[colour]), len(drawn["bounds"][colour]))
        self.assertTrue(all(bound <= 1e-6 for bound in drawn["bounds"]["safe"]))
        self.assertAlmostEqual(sum(drawn["shares"].values()), 1)
        self.assertEqual(len(drawn["unsafe"]), len(drawn["witnesses"]))
        for box, witness in zip(drawn["unsafe"], drawn["witnesses"]):
            x = float.fromhex(witness["input"]["x"]["hex"])
            self.assertTrue(box["x"][0] <= x <= box["x"][1])
            self.assertGreater(witness["error"], 1e-6)
            exact = 0.5 - x * x / 24  # and less than 1e-14 more, as |x| is below 1e-3
            self.assertGreater(abs((1 - math.cos(x)) / (x * x) / exact - 1), 0.9e-6)

    def test_screen_says_where_it_is_safe(self):
        run = self.run_faultline("bound", "code.c", "-f", "versine", "--range", "x=-1:1", "--threshold", "1e-6", "--quiet", status=1)
        self.assertRegex(run.out, r"safe for \|x\| >= 1\.[1-9]e-05 \(proved\); wrong by up to 99.9 % within \|x\| <= [89]\.\de-06")

    def test_bounds_that_leave_boxes_out_are_told_apart(self):
        words = ("code.c", "-f", "versine", "--range", "x=0.5:1", "--quiet")
        self.assertRegex(self.run_faultline("bound", *words, status=0).out, r"found +proven +ratio +found at")
        run = self.run_faultline("bound", "code.c", "-f", "versine", "--range", "x=-1:1", "--quiet", status=4)
        self.assertRegex(run.out, r"found +proven elsewhere +ratio +found at")
        within = re.search(r"not proved: \d+ boxes within x in \[-(\S+), (\S+)\]", run.out)
        self.assertLess(max(float(end) for end in within.groups()), 1e-3)  # all are around 0
        self.assertNotRegex(run.out, r"e[+-]\d\d +\d+\.\d\d +x=")  # a ratio of figures for different inputs

    def test_the_largest_safe_box_around_a_point_is_grown(self):
        words = ("--range", "x=1:1000", "--range", "y=1:1000", "--threshold", "1e-12")
        around = self.bound("quotient", *words, "--around", "x=4,y=2", status=None)["around"]
        self.assertEqual(around["point"], {"x": 4, "y": 2})
        (left, right), (bottom, top) = around["box"]["x"], around["box"]["y"]
        self.assertTrue(1 <= left < 4 < right and 1 <= bottom < 2 < top)
        self.assertGreater(left, top, "the result is 0 where x is y")
        self.assertLessEqual(around["bound"], 1e-12)
        run = self.run_faultline("bound", "code.c", "-f", "quotient", *words, "--around", "z=1", status=2)
        self.assertIn("no such input", run.err)
        run = self.run_faultline("bound", "code.c", "-f", "quotient", *words, "--around", "x=1e9", status=2)
        self.assertIn("not in its range", run.err)
        run = self.run_faultline("bound", "code.c", "-f", "quotient", *words[:4], "--around", "x=4,y=2", status=2)
        self.assertIn("--threshold", run.err)

    def test_hunts_in_given_ranges_prove_that_there_is_nothing(self):
        run = self.hunt("code.c", "-f", "root", "--range", "x=0:100", status=0)
        target = run.targets["root"]
        self.assertEqual(target["outcome"], "proved")
        self.assertLess(target["proof"]["bound"], 1e-3)
        self.assertEqual(target["proof"]["threshold"], 1e-3)
        again = self.hunt("code.c", "-f", "root", "--range", "x=0:100", "--seed", "7", status=0)
        self.assertEqual(again.targets["root"]["proof"], target["proof"], "no search is part of it")
        run = self.run_faultline("hunt", "code.c", "-f", "root", "--range", "x=0:100", "--quiet", "-o", "r.xml", "-o", "r.sarif", status=0)
        self.assertIn("1 proved", run.out)
        self.assertNotIn("<error", (self.scratch / "r.xml").read_text())
        invocation = json.loads((self.scratch / "r.sarif").read_text())["runs"][0]["invocations"][0]
        self.assertEqual(invocation["toolExecutionNotifications"], [])
        run = self.run_faultline("hunt", "code.c", "-f", "root", "--range", "x=0:100", status=0)
        self.assertIn("proved: no error above 0.001 for x in [0, 100]", run.out)

    def test_what_is_not_proved_or_not_asked_for_is_none(self):
        self.assertNotIn("proof", self.hunt("code.c", "-f", "root", "--for", "error", status=0).targets["root"])
        target = self.hunt("code.c", "-f", "pole", "--range", "x=1:4", "--for", "error", status=0).targets["pole"]
        self.assertEqual((target["outcome"], target["proof"]["proved"]), ("none", False), "it divides by 0 at 3")
        self.assertTrue(target["proof"]["reason"])

    def test_integers_with_few_values_are_proved_one_by_one(self):
        words = ("-f", "twice", "--range", "x=1:2", "--for", "error")
        self.assertEqual(self.hunt("code.c", *words, "--range", "n=0:5", status=0).targets["twice"]["outcome"], "proved")
        self.assertEqual(self.hunt("code.c", *words, "--range", "n=0:500", status=0).targets["twice"]["outcome"], "none")

    def test_problems_say_where_they_are_proved_not_to_be(self):
        run = self.hunt("code.c", "-f", "versine", "--range", "x=-1:1", "--for", "error")
        self.assertRegex(run.json["problems"][0]["when"], r"safe for \|x\| >= \d\.?\d*e-0[67] \(proved\)")
        self.assertTrue(run.targets["versine"]["proof"]["map"]["safe"])
