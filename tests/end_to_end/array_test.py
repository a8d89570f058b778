"""Hunts over arrays: --strategy fpgen, a floor for relative errors, --nonzero, and ranges and formats for all floats."""
import itertools
import shlex
import struct
import time
import unittest

from faultline_case import ROOT, FaultlineCase

SMALLEST = 1.17549435e-38
SUM = "double sum(const double *a) { return ((a[0] + a[1]) + a[2]) + a[3]; }\n"
MIXED = "double mixed(double x, float y, int n, const double *a) { return (x + 1e17) - 1e17 + y * n + a[1]; }\n"
SWALLOWED = "a=100,0x1p-47,-100,-0x1p-47"  # the sum is 0, computed as -2^-47


def is_single(value):
    return struct.unpack("f", struct.pack("f", value))[0] == value


def reference_of(finding):
    return float.fromhex(finding["output"]["reference"]["hex"])


class Arrays(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("sum.c", SUM)
        self.write("mixed.c", MIXED)

    def test_arrays_of_any_size_end_in_time_without_a_crash(self):
        self.write("long.c", "double total(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n")
        for size, kind in itertools.product(("1", "1200", "100000"), ("error", "exceptions", "branches")):
            began = time.monotonic()
            run = self.hunt("long.c", "--size", f"a={size}", "--for", kind, "--budget", "1s", status=None)
            outcome = run.targets["total"]["outcome"]
            self.assertIn(outcome, ("found", "none", "timed-out", "unknown"), (size, kind, run.err))
            # Twice the budget and a second, and as much again for compiling on a busy machine: half a minute was the mistake.
            self.assertLess(time.monotonic() - began, 12, (size, kind))

    def hunt_sum(self, *words, **more):
        return self.hunt("sum.c", "--size", "4", "--range", "-100:100", "--format", "binary32", "--strategy", "fpgen", "--for", "error",
                         "--evals", "5000", *words, **more)

    def test_a_sum_of_32_is_wrong_by_twenty_orders_of_magnitude(self):
        for function in ("recursive_sum_32", "pairwise_sum_32", "compensated_sum_32"):
            with self.subTest(function):
                run = self.hunt_example("benchmarks/fpgen/summation.c", "-f", function, "--size", "32", "--range", "-100:100", "--format",
                                        "binary32", "--strategy", "fpgen", "--for", "error", "--evals", "6000", "--floor", SMALLEST)
                worst = run.worst(function)
                self.assertGreater(worst["error"]["relative"], 1e20)
                values = [float.fromhex(value["hex"]) for value in worst["input"]["L"]]
                self.assertEqual(len(values), 32)
                self.assertTrue(all(abs(value) <= 100 and is_single(value) for value in values))
                self.assertEqual(worst["strategy"], "fpgen")

    def test_a_hunt_without_options_breaks_a_dot_product(self):
        self.write("dot.c", "double dot(const double *x, const double *y) { double s = 0; for (int i = 0; i < 8; i++) s += x[i] * y[i]; return s; }\n")
        words = ("dot.c", "--size", "8", "--range", "-100:100", "--format", "binary32", "--for", "error")
        run = self.hunt(*words)
        self.assertGreater(run.worst("dot")["error"]["relative"], 1e10)
        again = self.hunt(*words)
        timeless = [{**each.targets["dot"], "seconds": 0, "total_seconds": 0} for each in (run, again)]
        self.assertEqual(*timeless)

    def test_findings_have_results_that_are_not_zero_if_asked_for(self):
        for words, smallest in (([], SMALLEST), (["--floor", "1e-20"], 1e-20)):
            for strategy in ("fpgen", "auto"):
                with self.subTest(words, strategy=strategy):
                    run = self.hunt("sum.c", "--size", "4", "--range", "-100:100", "--strategy", strategy, "--for", "error", "--evals",
                                    "5000", "--nonzero", *words)
                    self.assertTrue(run.findings)
                    for finding in run.findings:
                        self.assertGreaterEqual(abs(reference_of(finding)), smallest)

    def test_without_that_results_of_zero_are_found(self):
        worst = self.hunt_sum().worst("sum")
        self.assertEqual(reference_of(worst), 0)

    def test_errors_are_measured_by_the_floor(self):
        worst = self.hunt_sum("--floor", "1e-30").worst("sum")
        self.assertEqual(reference_of(worst), 0)
        self.assertAlmostEqual(worst["error"]["relative"] * 1e-30 / worst["error"]["absolute"], 1)
        self.hunt_sum("--floor", "1e-3", status=0)  # nothing is so wrong that it matters

    def test_findings_are_explained_with_their_floor(self):
        worst = self.hunt_sum("--floor", "1e-30").worst("sum")
        words = shlex.split(worst["replay"])
        self.assertEqual(words[:2], ["faultline", "explain"])
        self.assertEqual(float(words[words.index("--floor") + 1]), 1e-30)
        relative = f"{worst['error']['relative']:.2e}"
        self.assertIn(f"relative {relative}", self.run_faultline(*words[1:], status=0).out)

    def test_findings_are_replayed_with_their_floor(self):
        for words in (["--floor", "1e-30"], ["--nonzero"], ["--floor", "1e-30", "--nonzero"]):
            with self.subTest(words):
                relative = self.hunt_sum(*words).worst("sum")["error"]["relative"]
                self.hunt_sum(*words, "-o", "found.json")
                replayed = self.run_faultline("replay", "found.json", status=0).out
                self.assertRegex(replayed, r"[1-9]\d* reproduced, 0 not")
                self.assertIn(f"{relative:.2e}", replayed)

    def test_explain_measures_by_a_floor(self):
        explain = ("explain", "sum.c", "-f", "sum", "--size", "4", "--at", SWALLOWED)
        self.assertIn("relative inf, absolute 7.11e-15", self.run_faultline(*explain, status=0).out)
        self.assertIn("relative 7.11e+15, absolute 7.11e-15", self.run_faultline(*explain, "--floor", "1e-30", status=0).out)
        self.assertIn("relative 7.11e-15, absolute 7.11e-15", self.run_faultline(*explain, "--floor", "1", status=0).out)

    def spaces(self, *words):
        run = self.hunt("mixed.c", "--size", "2", "--for", "error", "--evals", "300", *words, status=None)
        return {cell["name"]: cell for cell in run.targets["mixed"]["inputs"]}

    def test_a_range_without_a_name_is_that_of_all_floats(self):
        plain = self.spaces()
        for words in (["--range", "-1:0.5"], ["--range=-1:0.5"], ["--range", "*=-1:0.5"]):
            with self.subTest(words):
                inputs = self.spaces(*words, "--range", "x=2:3")
                self.assertEqual((inputs["x"]["low"], inputs["x"]["high"]), ("2", "3"))
                for name in ("y", "a[0]", "a[1]"):
                    self.assertEqual((inputs[name]["low"], inputs[name]["high"]), ("-1", "0.5"))
                self.assertEqual(inputs["n"], plain["n"], "an integer")

    def test_a_format_without_a_name_is_that_of_all_floats(self):
        for word in ("binary32", "*=binary32"):
            with self.subTest(word):
                inputs = self.spaces("--format", word, "--format", "x=binary64")
                self.assertEqual({name: cell["format"] for name, cell in inputs.items()},
                                 {"x": "binary64", "y": "binary32", "n": "int32", "a[0]": "binary32", "a[1]": "binary32"})

    def test_a_hunt_with_nothing_free_comes_to_an_end(self):
        run = self.hunt("mixed.c", "--size", "2", "--strategy", "fpgen", "--hold", "x=3.5", "--hold", "y=0.5", "--hold", "n=2", "--hold",
                        "a=1", "--for", "error")
        self.assertEqual(run.targets["mixed"]["evaluations"], 1)

    def test_the_same_seed_finds_the_same(self):
        first, again, other = (self.hunt_sum("--seed", seed).findings for seed in (3, 3, 4))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_slips_are_refused_with_what_to_try(self):
        for words, said in ((["--floor", "0"], "above 0"), (["--floor", "-1"], "above 0"), (["--floor", "nan"], "above 0"),
                            (["--floor", "tiny"], "above 0"), (["--floor"], "missing"), (["--range", "1:-1"], "low end"),
                            (["--range", "5"], "':'"), (["--range", "a:b"], "not a number"), (["--format", "binary128"], "binary32"),
                            (["--format", "=binary32"], "NAME=VALUE"), (["--range", "-1:1", "--range", "*=0:1"], "twice")):
            with self.subTest(words):
                run = self.run_faultline("hunt", "sum.c", "--size", "4", "--evals", "100", *words, status=2)
                self.assertIn(said, run.err)
                self.assertIn("try:", run.err)
                self.assertEqual(run.out, "")


if __name__ == "__main__":
    unittest.main()
