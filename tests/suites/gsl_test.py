"""The GSL suite: how inputs are scored, and what is summed up from the scores."""
import math
import unittest
from decimal import Decimal

import suite_case
from suites import common, gsl
from suites.gsl import Exact, Function, Peer, Published, Trial


def exact(value, exponent=0):
    return Exact("value", Decimal(value) * Decimal(2) ** exponent)


def number(value):
    return {"decimal": repr(value), "hex": float(value).hex()}


def finding(values, computed, kind="inaccuracy", reference=None, **more):
    output = {"name": "return", "computed": number(computed)}
    if reference is not None:
        output["reference"] = {"decimal": reference, "hex": reference}
    return {"kind": kind, "input": {name: number(value) for name, value in values.items()}, "output": output, **more}


def target(*findings, function="f", seconds=0.0, evaluations=0):
    return {"function": function, "findings": list(findings), "seconds": seconds, "evaluations": evaluations, "outcome": "found"}


def score(of, function):
    """`function`: the Exact for the first input."""
    return gsl.score(of, {gsl.words_of(values): function(float.fromhex(next(iter(values.values()))["hex"]))
                          for values, _ in gsl.reported_inputs(of)})


class Scoring(unittest.TestCase):
    def grade(self, computed, reference):
        return gsl.grade(computed, reference)[0]

    def test_the_error_is_relative(self):
        self.assertEqual(gsl.grade(3.0, exact(2)), ("significant", 0.5))
        self.assertEqual(self.grade(2.001, exact(2)), "insignificant")
        self.assertEqual(gsl.grade(-2.0, exact(2))[1], 2)

    def test_a_zero_that_is_missed_is_an_infinite_error(self):
        self.assertEqual(gsl.grade(1e-300, exact(0)), ("significant", math.inf))
        self.assertEqual(self.grade(0.0, exact(0)), "right")
        self.assertEqual(self.grade(-0.0, exact(0)), "right")
        self.assertEqual(gsl.grade(0.0, exact("1e-20"))[1], 1)

    def test_neighbours_of_the_nearest_double_are_right(self):
        third = 1 / 3
        after = math.nextafter(third, 1)
        self.assertEqual(self.grade(after, exact(third)), "right")
        self.assertEqual(self.grade(math.nextafter(after, 1), exact(third)), "insignificant")
        self.assertEqual(gsl.grade(0.0, exact(1, -1100)), ("right", 0), "underflow: nothing is better")
        self.assertEqual(self.grade(2.0**-1074, exact(1, -1100)), "right")
        self.assertEqual(self.grade(2.0**-1073, exact(1, -1100)), "significant")
        self.assertEqual(self.grade(math.inf, exact(1, 1100)), "right", "overflow")
        self.assertEqual(self.grade(-math.inf, exact(1, 1100)), "significant")

    def test_no_number_where_there_is_one_is_an_infinite_error(self):
        self.assertEqual(gsl.grade(math.nan, exact(1))[1], math.inf)
        self.assertEqual(gsl.grade(math.inf, exact(1))[1], math.inf)
        self.assertEqual(gsl.grade(1.0, gsl.exact_from("inf"))[1], math.inf)

    def test_exact_values_have_any_exponent(self):
        self.assertEqual(gsl.grade(1.0, gsl.exact_from("1.5e+4000000000")), ("significant", 1.0))
        self.assertEqual(gsl.grade(1e-300, gsl.exact_from("1e-4000000000"))[1], math.inf)
        self.assertEqual(gsl.grade(0.0, gsl.exact_from("-1e-4000000000"))[0], "right")

    def test_unknown_values_are_neither_good_nor_bad(self):
        self.assertEqual(self.grade(1.0, gsl.exact_from("undefined: the logarithm of 0")), "undefined")
        self.assertEqual(self.grade(1e16, gsl.exact_from("pole: the gamma function has a pole there")), "pole")
        self.assertEqual(self.grade(math.inf, Exact("pole")), "right")
        self.assertEqual(self.grade(1.0, gsl.exact_from("unknown: it takes too long")), "unknown")

    def test_reported_inputs_are_errors_in_their_order(self):
        also = [{"input": {"n": number(3), "x": number(4)}, "computed": number(0.25)}]
        of = target(finding({"n": 3, "x": 0.5, "mode": 0}, 1.5, also=also), finding({"n": 3, "x": 1}, math.inf, "branch-flip"),
                    finding({"n": 3, "x": 2}, 1.0, "overflow"))
        inputs = list(gsl.reported_inputs(of))
        self.assertEqual([computed["decimal"] for _, computed in inputs], ["1.5", "0.25", "inf"])
        self.assertEqual(gsl.text_of(inputs[0][0]), "n=0x1.8000000000000p+1 x=0x1.0000000000000p-1", "a mode is no argument")
        self.assertEqual(len(gsl.words_of(inputs[0][0]).split()), 3, "the catalogue knows the mode")

    def test_a_functions_score_counts_every_grade(self):
        def identity(x):
            return Exact("undefined") if x == 0 else Exact("unknown") if x < 0 else exact(x)

        findings = [finding({"x": x}, 1.0) for x in (1, 2, 4, 0, -1)]
        total = score(target(*findings), identity)
        self.assertEqual((total.reported, total.significant, total.undefined, total.unknown), (5, 2, 1, 1))
        self.assertEqual((total.largest_error, total.input, total.first_significant), (0.75, "0x1.0000000000000p+2", False))
        findings[:2] = findings[1::-1]
        self.assertTrue(score(target(*findings), identity).first_significant)

    def test_references_agree_if_they_are_near_to_the_function(self):
        classified = {"diagnosis": {"class": "cancellation"}}
        of = target(finding({"x": 1, "y": 0}, 1.5, reference="1", **classified),
                    finding({"x": 1, "y": 1}, 1.5, reference="1.04", **classified),
                    finding({"x": 1, "y": 2}, 1.5, reference="1.06", **classified),
                    finding({"x": 2, "y": 3}, 1.5, reference="-2", **classified), finding({"x": 4, "y": 4}, 1.0))
        total = score(of, exact)
        self.assertEqual((total.references, total.agreeing), (4, 2), "1.06 is not ten times nearer than 1.5")
        self.assertEqual(total.disagreeing, {"cancellation": 2})


class Ranks(unittest.TestCase):
    def test_the_largest_is_first_and_ties_share_the_mean(self):
        self.assertEqual(gsl.ranks([1, 3, 2]), [3, 1, 2])
        self.assertEqual(gsl.ranks([0, math.inf]), [2, 1])
        self.assertEqual(gsl.ranks([]), [])
        self.assertEqual(gsl.ranks([5, 5]), [1.5, 1.5])
        self.assertEqual(gsl.ranks([7, 0, 0, 0]), [1, 3, 3, 3])
        self.assertEqual(gsl.ranks([math.inf, 1, math.inf]), [1.5, 3, 1.5])

    def test_only_functions_that_all_reached_are_summed(self):
        trials = [trial("a", f=2.0, g=4.0), trial("b", f=8.0)]
        a, b = gsl.rank_sums(trials, [Function("f", 1), Function("g", 1)])
        self.assertEqual((a.total, b.total, a.functions, b.ahead), (2, 1, 1, 1))
        self.assertEqual((a.capped, b.capped), (1.5, 1.5), "errors above 1 count as 1")


def trial(strategy, evaluations=None, **errors):
    """The exact value is 1; the error of each function is as given."""
    result = Trial(strategy, evaluations)
    for name, error in errors.items():
        result.targets[name] = target(finding({"x": 1}, 1.0 + error), function=name, seconds=0.002, evaluations=500)
        result.scores[name] = score(result.targets[name], lambda x: exact(1))
    return result


class Results(unittest.TestCase):
    def evaluation(self):
        functions = [Function("f", 1, {"mode": 0}, Peer(0.1, 0.5, 4, 2), Peer(0.2, 0.25, 3, 3), 0.75, True), Function("g", 1),
                     Function("h", 2, {"n": 8, "mode": 0})]
        figures = Published(functions[:2], {"atomu": 1, "fpcc": 1})
        return gsl.Evaluation(gsl.Options(compared_evaluations=1000), figures, functions, ["i: it has no floating-point input"],
                              [trial("auto", f=0.5, g=0.0, h=2.0), trial("bracket", f=0.25)],
                              [trial("random", 1000, f=0.125, g=0.0), trial("auto", 1000, f=0.5)])

    def test_a_line_for_each_benchmark_and_strategy(self):
        lines = gsl.csv_text(self.evaluation()).splitlines()
        self.assertEqual([line.split(",")[:2] for line in lines[1:]],
                         [["f", "auto"], ["g", "auto"], ["h", "auto"], ["f", "bracket"], ["f", "random"], ["g", "random"]])
        row = dict(zip(lines[0].split(","), lines[1].split(",")))
        self.assertEqual((row["relative_error"], row["seconds"], row["budget"], row["held"]), ("0.5", "0.002000", "own", "mode=0"))
        self.assertEqual((row["compared_error"], row["atomu"], row["atomu_published"]), ("0.5", "0.5", "0.75"))
        h = dict(zip(lines[0].split(","), lines[3].split(",")))
        self.assertEqual((h["arguments"], h["held"], h["atomu"], h["compared_error"]), ("2", "mode=0 n=8", "", ""))
        self.assertEqual(lines[5].split(",")[5], "1000", "the comparison stands in for a missing hunt")

    def test_tables_have_our_figures_beside_those_of_others(self):
        text = gsl.table_text(self.evaluation())
        self.assertRegex(text, r"functions with an error above 1e-3 +1 of 2 +1 of 1 +1 of 2 +1 of 2\n")
        self.assertRegex(text, r"listed, error at least ATOMU's and FPCC's +1 of 1 +0 of 1 +- +-\n")
        self.assertRegex(text, r"of the others, above 1e-3 +50.0 % +100.0 % +50.0 % +100.0 %\n")
        self.assertRegex(text, r"\n  f +5.00e-01 +2.50e-01 +5.00e-01 +2.50e-01 +7.50e-01 +500 +2.0  0x1")
        self.assertRegex(text, r"two-argument functions +auto +bracket\n")
        self.assertRegex(text, r"1000 evaluations each .*\n  auto +1.0 +1.00 +1.0 +1 +1 of 1 ")
        self.assertIn("Left out: i: it has no floating-point input\n", text)

    def test_figures_of_all_do_not_stand_beside_those_of_some(self):
        evaluation = self.evaluation()
        evaluation.functions = evaluation.functions[:1]
        self.assertNotIn("ATOMU", gsl.summaries_text(evaluation).splitlines()[0])


class PublishedFigures(unittest.TestCase):
    def test_they_are_those_of_the_papers(self):
        figures = gsl.published(suite_case.ROOT / "benchmarks/gsl/published")
        self.assertEqual(len(figures.functions), 107)
        self.assertEqual(figures.first_significant, {"atomu": 31, "fpcc": 42})
        atomu, fpcc = gsl.peer_summaries(figures)
        self.assertEqual((atomu.above, fpcc.above, atomu.listed), (42, 42, 42))
        self.assertEqual((atomu.significant_share(), fpcc.significant_share()), ("13.6 %", "99.6 %"))

    def test_names_of_other_functions_are_refused_with_the_nearest(self):
        with self.assertRaises(common.UserError) as refused:
            gsl.select([Function("gsl_sf_sin", 1)], ["gsl_sf_sine"])
        self.assertEqual(refused.exception.hint, "gsl_sf_sin")


if __name__ == "__main__":
    unittest.main()
