"""The suite of exceptions: what it counts in the reports of hunts."""
import unittest

import suite_case  # noqa: F401, for the path of the suites
from suites import gsl_exceptions
from suites.gsl_exceptions import Trial, counts_of


def exception(kind, line, operation, by="sampling", silent=True, verdict="avoidable", **more):
    return {"kind": kind, "verdict": verdict, "found_by": by, "silent": silent, "reaches_output": False,
            "cause": {"file": "f.c", "line": line, "column": 3, "operation": operation}, **more}


def target(function, *findings):
    return {"function": function, "evaluations": 100, "seconds": 0.5, "findings": list(findings)}


class Counting(unittest.TestCase):
    def test_places_are_counted_once_for_each_function(self):
        overflow = exception("overflow", 7, "fmul")
        counts = counts_of([target("f", overflow, overflow, exception("underflow", 7, "fmul")), target("g", overflow), target("h")])
        self.assertEqual(counts.kinds, {"overflow": 2, "underflow": 1})
        self.assertEqual((counts.functions, counts.functions_with_any, counts.evaluations), (3, 2, 300))

    def test_consequences_and_other_findings_are_not_counted(self):
        consequence = exception("invalid", 9, "fsub", consequence=True)
        self.assertEqual(counts_of([target("f", consequence, {"kind": "crash"})]).kinds.total(), 0)

    def test_silent_and_reported_are_apart(self):
        counts = counts_of([target("f", exception("divide-by-zero", 4, "fdiv", "real", silent=False, verdict="inherent"),
                                   exception("underflow", 5, "fmul", harmless=True))])
        self.assertEqual((counts.reported, counts.silent, counts.harmless), (1, 1, 1))
        self.assertEqual((counts.verdicts["inherent"], counts.means["real"]), (1, 1))


class Results(unittest.TestCase):
    def trials(self):
        first = exception("overflow", 1, "fmul")
        return [Trial("ariadne", None, [target("f", first, exception("overflow", 2, "fmul", "real"))], [], 3),
                Trial("random", 20_000, [target("f", first)], ["g (killed)"], 4)]

    def test_the_table_says_who_found_what_and_how_much_more(self):
        text = gsl_exceptions.table_text(self.trials(), ["gsl_sf_none"])
        self.assertRegex(text, r"exceptions in GSL's special functions +ariadne +random, 20000 evaluations\n")
        self.assertRegex(text, r"distinct function, location, operation, kind +2 +1\n")
        for line in ("ariadne : random: in all 2.00, overflow 2.00, underflow -", "found by (ariadne): real 1, sampling 1\n",
                     "not finished by random: g (killed)\n", "left out: gsl_sf_none\n"):
            self.assertIn(line, text)

    def test_a_line_for_each_function_and_strategy(self):
        lines = gsl_exceptions.csv_text(self.trials()).splitlines()
        self.assertEqual(lines, ["benchmark,strategy,relative_error,seconds,evaluations,overflow,underflow,invalid,divide-by-zero,"
                                 "avoidable,inherent,unknown,silent,reported,reaching,harmless",
                                 "f,ariadne,,0.500000,100,2,0,0,0,2,0,0,2,0,0,0",
                                 "f,random,,0.500000,100,1,0,0,0,1,0,0,1,0,0,0"])


if __name__ == "__main__":
    unittest.main()
