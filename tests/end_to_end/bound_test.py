"""Outputs that claim to bound the error of another: which are found to lie, and which are believed."""
import json
import re
import unittest

from faultline_case import FaultlineCase

RESULT = "#include <math.h>\nstruct result { double val, err; };\n"
# 1 - cos(x) cancels. One claims the rounding of the quotient only, the other one that of the cosine too.
OPTIMIST = RESULT + """void optimist(double x, struct result* r) {
  r->val = (1 - cos(x)) / (x * x);
  r->err = 0x1p-52 * fabs(r->val);
}
"""
HONEST = RESULT + """void honest(double x, struct result* r) {
  r->val = (1 - cos(x)) / (x * x);
  r->err = 0x1p-51 * fabs(r->val) + 0x1p-52 / (x * x);
}
"""
# A float has 24 bits, so the error is at most 30 times the claim.
SINGLE = """double single(double x, double* doubt) {
  *doubt = x * 0x1p-24 / 30;
  return (float)x;
}
"""
FACTOR = re.compile(r": ([0-9.e+]+) times too small$")


def factor_of(finding):
    return float(FACTOR.search(finding["detail"]).group(1))


class Bound(FaultlineCase):
    def hunt_single(self, *words, status=1):
        self.write("single.c", SINGLE)
        return self.hunt("single.c", "--for", "bound", "--range", "x=1:2", *words, status=status)

    def test_error_estimate_that_is_too_small_is_found(self):
        self.write("optimist.c", OPTIMIST)
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                run = self.hunt("optimist.c", "--for", "bound", "--seed", seed)
                (finding,) = run.findings
                self.assertEqual((finding["kind"], finding["output"]["name"]), ("bound-violated", "r.val"))
                self.assertRegex(finding["detail"], r"^the error of r\.val is .*, r\.err says ")
                self.assertGreater(finding["error"]["absolute"], 1e-3)

    def test_detail_tells_the_claim_and_how_much_it_is_too_small(self):
        run = self.hunt_single("--bound", "doubt")
        (finding,) = run.findings
        self.assertRegex(finding["detail"], r"^the error of return is [0-9.e-]+, doubt says [0-9.e-]+: [0-9.]+ times too small$")
        x = float.fromhex(finding["input"]["x"]["hex"])
        self.assertAlmostEqual(factor_of(finding), finding["error"]["absolute"] / (x * 2**-24 / 30), delta=0.1)

    def test_broken_claim_is_reproduced(self):
        self.write("optimist.c", OPTIMIST)
        self.run_faultline("hunt", "optimist.c", "--for", "bound", "--quiet", "-o", "findings.json", status=1)
        report = json.loads((self.scratch / "findings.json").read_text())
        self.assertEqual([finding["kind"] for finding in report["targets"][0]["findings"]], ["bound-violated"])
        run = self.run_faultline("replay", "findings.json", status=0)
        self.assertEqual(run.out.splitlines()[-1], "1 reproduced, 0 not")

    def test_broken_claim_of_a_named_output_is_reproduced(self):
        self.write("single.c", SINGLE)
        self.run_faultline("hunt", "single.c", "--for", "bound", "--bound", "doubt", "--range", "x=1:2", "--quiet", "-o",
                           "findings.json", status=1)
        run = self.run_faultline("replay", "findings.json", status=0)
        self.assertEqual(run.out.splitlines()[-1], "1 reproduced, 0 not")

    def test_honest_error_estimate_is_believed(self):
        self.write("honest.c", HONEST)
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                run = self.hunt("honest.c", "--for", "bound", "--seed", seed, status=0)
                self.assertEqual(run.targets["honest"]["outcome"], "none")

    def test_honest_error_estimate_does_not_hide_the_error(self):
        self.write("honest.c", HONEST)
        kinds = {finding["kind"] for finding in self.hunt("honest.c", "--for", "error,bound").findings}
        self.assertEqual(kinds, {"inaccuracy"})

    def test_bound_names_the_output_that_claims(self):
        self.hunt_single(status=0)  # nothing is called err
        (finding,) = self.hunt_single("--bound", "doubt").findings
        self.assertEqual((finding["kind"], finding["output"]["name"]), ("bound-violated", "return"))

    def test_bound_names_a_field(self):
        self.write("optimist.c", OPTIMIST.replace("err", "spread"))
        self.hunt("optimist.c", "--for", "bound", status=0)
        (finding,) = self.hunt("optimist.c", "--for", "bound", "--bound", "r.spread").findings
        self.assertEqual((finding["kind"], finding["output"]["name"]), ("bound-violated", "r.val"))

    def test_bound_factor_decides_what_counts(self):
        for factor in (1, 10, 25):
            with self.subTest(factor=factor):
                (finding,) = self.hunt_single("--bound", "doubt", "--bound-factor", factor).findings
                self.assertGreater(factor_of(finding), factor)
        self.hunt_single("--bound", "doubt", "--bound-factor", "31", status=0)

    def test_bound_of_no_output_is_refused_with_the_list(self):
        self.write("optimist.c", OPTIMIST)
        for name in ("r.error", "r"):
            run = self.run_faultline("hunt", "optimist.c", "--bound", name, status=2)
            for words in (f"--bound {name}: there is no output of that name", "r.err, r.val"):
                self.assertIn(words, run.err)

    def test_bound_factor_that_is_no_number_is_refused(self):
        self.write("optimist.c", OPTIMIST)
        for factor in ("0", "-1", "ten"):
            run = self.run_faultline("hunt", "optimist.c", "--bound-factor", factor, status=2)
            self.assertIn(f"--bound-factor {factor}", run.err)


if __name__ == "__main__":
    unittest.main()
