"""The suite smt: each file goes to each solver, and wrong answers are counted."""
import csv
import sys
import unittest

from faultline_case import ROOT, FaultlineCase

sys.path.insert(0, str(ROOT / "bench"))
from suites import smt  # noqa: E402

HEAD = "(set-logic QF_FP)\n(declare-fun x () (_ FloatingPoint 8 24))\n"


class Bench(FaultlineCase):
    def bench(self, *words, **more):
        return self.run_faultline("bench", "smt", "set", "--quiet", *words, **more)

    def rows(self):
        with open(self.scratch / "smt.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_every_file_is_given_to_every_solver(self):
        self.write("set/a.smt2", HEAD + "(set-info :status unsat)(assert (fp.lt x x))(check-sat)")
        self.write("set/deep/b.smt2", HEAD + "(assert (fp.eq x x))(check-sat)(assert false)(check-sat)")
        self.write("set/c.txt", "no problem")
        run = self.bench("--solver", "interval,newton", "-j", "2", "--time", "1s", "-o", "smt.csv", "-o", "smt.json", status=0)
        self.assertEqual([(row["benchmark"], row["strategy"], row["answer"], row["status"]) for row in self.rows()],
                         [("a.smt2", "interval", "unsat", "unsat"), ("a.smt2", "newton", "unknown", "unsat"),
                          ("deep/b.smt2", "interval", "sat", "unknown"), ("deep/b.smt2", "newton", "sat", "unknown")])
        self.assertRegex(run.out, r"\. +interval +1 of 1 +0 +1 +0 of 0 +1 of 1 +0 ")
        self.assertIn('"solver": "newton"', (self.scratch / "smt.json").read_text())

    def test_an_answer_against_the_status_is_counted_as_wrong(self):
        self.write("set/a.smt2", HEAD + "(set-info :status sat)(assert (fp.lt x x))(check-sat)")
        run = self.bench("--solver", "interval", "-o", "smt.csv", status=1)
        self.assertIn("Wrong: interval on a.smt2: unsat (status sat)", run.out)
        self.assertEqual([row["wrong"] for row in self.rows()], ["1"])

    def test_what_cannot_be_run_is_refused(self):
        self.assertIn("set: No such file or directory", self.bench(status=2).err)
        self.write("set/c.txt", "no problem")
        self.assertIn("there is no .smt2 file", self.bench(status=2).err)
        self.write("set/a.smt2", HEAD + "(assert (fp.lt x y))(check-sat)")
        self.assertIn("a.smt2:3:18: undeclared symbol 'y'", self.bench("--solver", "interval", status=2).err)
        self.assertIn("there is no solver 'magic'", self.bench("--solver", "magic", status=2).err)


class Scripts(unittest.TestCase):
    def test_the_first_check_ends_a_script(self):
        begin = HEAD + '(set-info :source |(check-sat) ; |) ; (check-sat)\n(set-info :status sat)(echo "(check-sat)")(check-sat)'
        self.assertEqual(smt.first_check(begin + "(set-info :status unsat)(assert false)(check-sat)"), (begin + "\n", "sat"))
        self.assertEqual(smt.first_check("(assert true)"), ("(assert true)", "unknown"))

    def test_a_model_makes_every_unsat_wrong(self):
        runs = [smt.Run("a", "one", "unsat", 1, "unknown"), smt.Run("a", "two", "sat", 1, "unknown"),
                smt.Run("b", "one", "unsat", 1, "unknown"), smt.Run("b", "two", "unknown", 1, "sat")]
        smt.compare(runs)
        self.assertEqual([run.wrong for run in runs], [True, False, False, False])


if __name__ == "__main__":
    unittest.main()
