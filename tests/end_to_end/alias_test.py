"""--alias: pointers that share memory, from the hunt to the replay."""
import unittest

from faultline_case import FaultlineCase

# Apart it is exact; in place it divides by what it has just made small.
NORMALISE = """
void normalise(const double *x, double *y) {
  y[0] = (x[0] + 1e8) - 1e8;
  y[1] = x[1] / x[0];
}
"""


class Alias(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("normalise.c", NORMALISE)
        self.words = ["normalise.c", "-f", "normalise", "--size", "x=2", "--range", "x=0.001:1", "--for", "error"]

    def test_a_call_in_place_has_its_own_errors(self):
        apart = self.hunt(*self.words, "--size", "y=2", "--output", "y[1]", status=0)
        self.assertEqual(apart.findings, [])
        together = self.hunt(*self.words, "--alias", "y=x", "--output", "x[1]", "--threshold", "1e-9")
        self.assertEqual(together.worst("normalise")["output"]["name"], "x[1]")
        self.assertEqual([entry["name"] for entry in together.targets["normalise"]["inputs"]], ["x[0]", "x[1]"])

    def test_findings_are_replayed_and_explained_in_place(self):
        self.run_faultline("hunt", *self.words, "--alias", "y=x", "--threshold", "1e-9", "-o", "found.json", status=1)
        self.assertRegex(self.run_faultline("replay", "found.json", status=0).out, r"[1-9]\d* reproduced, 0 not")
        shown = self.hunt(*self.words, "--alias", "y=x", "--threshold", "1e-9")
        command = shown.worst("normalise")["replay"]
        self.assertIn("--alias y=x", command)
        explained = self.run_faultline(*command.split()[1:])
        self.assertIn("x[0]", explained.out)
        self.assertEqual(explained.err, "")

    def test_other_functions_of_the_hunt_are_left_alone(self):
        self.write("both.c", NORMALISE + "double other(const double *x) { return (x[0] + 1e8) - 1e8; }")
        words = ["both.c", "--size", "x=2", "--range", "x=0.001:1", "--alias", "y=x", "--threshold", "1e-9", "-o", "f.json"]
        self.run_faultline("hunt", *words, status=1)
        self.assertIn(" 0 not", self.run_faultline("replay", "f.json", status=0).out)

    def test_the_list_says_who_shares_memory(self):
        listed = self.run_faultline("list", "normalise.c", "--size", "x=2", "--alias", "y=x", status=0).out
        self.assertRegex(listed, r"shared +y = x")
        self.assertRegex(listed, r"outputs x\[0..1\]")

    def test_tests_of_cover_call_in_place(self):
        self.write("sign.c", "void f(const double *x, double *y) { y[0] = 1; if (x[0] - x[1] > 0) y[1] = 2; }")
        self.run_faultline("cover", "sign.c", "-f", "f", "--size", "x=2", "--alias", "y=x", "-o", "tests.c")
        self.assertRegex((self.scratch / "tests.c").read_text(), r"\bf\((\w+), \1\)")

    def test_slips_are_refused_with_what_to_try(self):
        for alias, said in (("y=z", "no parameter 'z'"), ("z=x", "no parameter 'z'"), ("y", "NAME=VALUE"), ("x=x", "twice")):
            for command in (["hunt", *self.words], ["list", "normalise.c", "--size", "2"]):
                with self.subTest(alias, command=command[0]):
                    run = self.run_faultline(*command, "--alias", alias, status=2)
                    self.assertIn(said, run.err)
                    self.assertIn("try:", run.err)


if __name__ == "__main__":
    unittest.main()
