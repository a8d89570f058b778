"""FPGen's benchmarks: the harnesses compute what the description says, and `bench fpgen` hunts in them."""
import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from faultline_case import ROOT, FaultlineCase

sys.path.insert(0, str(ROOT / "bench"))
from suites import fpgen  # noqa: E402
from suites.common import UserError  # noqa: E402

HARNESSES = ROOT / "benchmarks/fpgen"
MESCHACH = ROOT / "build/subjects/meschach"
GSL = ROOT / "build/subjects/gsl"
STATISTICS = [GSL / f"src/statistics/{part}.c" for part in ("wmean", "wvariance", "wabsdev", "wskew", "wkurtosis")]
needs_meschach = unittest.skipUnless((MESCHACH / "meschach.bc").exists(), "scripts/fetch-subjects meschach has not been run")
needs_gsl = unittest.skipUnless((GSL / "gsl.bc").exists(), "scripts/fetch-subjects gsl has not been run")


class Harnesses(FaultlineCase):
    def differing(self, group, *files):
        """The functions that do not agree with the specification, bit for bit."""
        program = self.scratch / "compare"
        specification = ROOT / "tests/end_to_end/fpgen_specification.c"
        subprocess.run(["clang-19", "-O0", "-ffp-contract=off", "-w", f"-DGROUP={group}", specification, *files, "-lm", "-o", program],
                       check=True, env=self.environment())
        lines = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60).stdout.split()
        self.assertEqual(lines[-1], "compared")
        return lines[:-1]

    def test_the_summations_are_those_that_are_published(self):
        self.assertEqual(self.differing(0, HARNESSES / "summation.c"), [])

    @needs_meschach
    def test_the_calls_of_meschach_are_those_that_are_published(self):
        include = f"-I{MESCHACH}/include/meschach"
        self.assertEqual(self.differing(1, HARNESSES / "meschach.c", MESCHACH / "meschach.bc", include), [])

    @needs_gsl
    def test_the_statistics_are_those_that_are_published(self):
        flags = ["-mlong-double-64", "-DHAVE_CONFIG_H", f"-I{GSL}/src", f"-I{GSL}/include"]
        self.assertEqual(self.differing(2, HARNESSES / "gsl_statistics.c", *STATISTICS, *flags), [])


class Bench(FaultlineCase):
    def bench(self, *words, time="300ms", **more):
        return self.run_faultline("bench", "fpgen", "--time", time, "--quiet", *words, **more)

    def rows(self, *words, **more):
        self.bench(*words, "-o", self.scratch / "result.csv", status=0, **more)
        with open(self.scratch / "result.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_benchmark_is_hunted_in_by_every_strategy_that_is_named(self):
        rows = self.rows("-f", "pairwise_sum_32", "--strategy", "random,s3fp")
        self.assertEqual([(row["benchmark"], row["strategy"]) for row in rows],
                         [("pairwise_sum_32", "random"), ("pairwise_sum_32", "s3fp")])
        for row in rows:
            self.assertGreater(float(row["relative_error"]), 1e-16)
            self.assertGreater(int(row["evaluations"]), 0)
            self.assertEqual(row["relative_error_2s"], row["relative_error"], "the budget is shorter than 2 s")
            self.assertEqual(len(row["input"].split(",")), 32)

    @needs_meschach
    @needs_gsl
    def test_all_names_of_the_published_table_have_a_line(self):
        rows = {row["benchmark"]: row for row in self.rows("--strategy", "s3fp", time="20ms")}
        with open(HARNESSES / "published/fpgen_table3.csv", newline="") as file:
            published = [row["benchmark"] for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 27)
        self.assertLessEqual(set(published), set(rows))
        for name in ("wvariance", "wsd", "wtss", "wabsdev", "wskew", "wkurtosis"):
            self.assertEqual(rows[name + "-m"]["run_of"], name)
            self.assertEqual(rows[name + "-m"]["relative_error"], rows[name]["relative_error"])

    @needs_gsl
    def test_a_twin_can_be_hunted_in_by_its_name(self):
        self.assertEqual([row["run_of"] for row in self.rows("-f", "wsd-m", "--strategy", "random")], ["wsd-m"])

    @needs_meschach
    def test_findings_come_with_a_command_that_shows_them_again(self):
        run = self.bench("-f", "LU", "--strategy", "s3fp", "-o", "-", cwd=ROOT, status=0)
        worst = run.worst("lu")
        self.assertEqual(len(worst["input"]["A"]), 16)
        for number in worst["input"]["A"]:
            self.assertLessEqual(abs(float.fromhex(number["hex"])), 100)
        words = worst["replay"].split()
        self.assertEqual(words[:2], ["faultline", "explain"])
        self.assertIn("relative", self.run_faultline(*words[1:], cwd=ROOT).out)

    def test_wrong_words_are_refused(self):
        for words, said in ((["-f", "recursive_sum_23"], "recursive_sum_32"), (["--strategy", "none"], "nothing to do"),
                            (["--strategy", "magic"], "no strategy 'magic'"), (["-o", "x.txt"], "ending")):
            with self.subTest(words):
                self.assertIn(said, self.bench(*words, status=2).err)


def number(text):
    return {"decimal": text, "hex": text}


def finding(kind, absolute, reference, computed="0x1p+0"):
    return {"kind": kind, "input": {"x": [number("1"), number("2.5")], "n": number("3")}, "error": {"absolute": absolute},
            "output": {"name": "z[2]", "computed": number(computed), "reference": number(reference)}}


def worst(*findings):
    return fpgen.worst_of({"findings": findings})


class Measure(unittest.TestCase):
    def test_the_worst_may_be_an_input_that_does_not_represent_its_cause(self):
        one = finding("inaccuracy", 1, "0x1p+0")
        one["also"] = [{"input": {"x": [number("7")]}, "relative": 1.5}]
        self.assertEqual((worst(one).error, worst(one).input), (1.5, "x=7"))

    def test_results_below_the_smallest_normal_float_are_measured_against_it(self):
        self.assertEqual(worst(finding("inaccuracy", 1, "0x0p+0")).error, 1 / fpgen.FLOOR)
        self.assertEqual(worst(finding("inaccuracy", 1, "-0x1p-130")).error, 1 / fpgen.FLOOR)
        self.assertEqual(worst(finding("inaccuracy", 1, "-0x1p-100")).error, 2.0**100)

    def test_the_largest_of_all_findings_counts(self):
        found = worst(finding("inaccuracy", 1e-3, "0x1p+0"), finding("branch-flip", 8, "0x1p+0"), finding("inaccuracy", 4, "0x1p+0"))
        self.assertEqual(found, fpgen.Worst(8, "z[2]", "x=1,2.5 n=3", True, False))
        self.assertEqual(worst(finding("overflow", 8, "0x1p+0")).error, 0, "that is no rounding error")
        self.assertEqual(worst(), fpgen.Worst())

    def test_infinities_where_the_exact_result_is_a_number_are_noted(self):
        self.assertTrue(worst(finding("overflow", 1.7976931348623157e308, "0x1p+0", "inf")).infinite)
        self.assertFalse(worst(finding("overflow", 1, "inf", "inf")).infinite)
        self.assertFalse(worst(finding("invalid", 1, "0x1p+0", "nan")).infinite)


class Benchmarks(unittest.TestCase):
    def test_there_are_27_names_of_21_programs(self):
        self.assertEqual((len(fpgen.BENCHMARKS), len(fpgen.select([]))), (27, 21))
        self.assertEqual([(one.name, one.function, one.twin) for one in fpgen.select(["wsd-m", "LU"])],
                         [("LU", "lu", ""), ("wsd-m", "wsd_m", "wsd")], "in the order of the table")

    def test_each_has_published_figures_and_a_limit(self):
        figures = fpgen.published(HARNESSES / "published")
        self.assertEqual(len(figures), 21)
        self.assertEqual(sum(figures[one.name].limit_any > 1 for one in fpgen.select([])), 19)
        self.assertEqual((figures["wvariance-w"].best, figures["wvariance-w"].to_reach), (2.0918e-05, 2.0918e-05), "S3FP's")
        self.assertEqual(figures["1-norm"].to_reach, 2.5e-16, "0 is published")
        self.assertEqual(figures["2-norm"].to_reach, 2.5e-16, "what is published cannot be, against an exact reference")

    def test_inputs_are_singles_up_to_a_hundred(self):
        words = fpgen.inputs_of(fpgen.select(["dot", "MV"]))
        pairs = set(zip(words[::2], words[1::2]))
        self.assertLessEqual({("-f", "dot"), ("-f", "matrix_vector"), ("--size", "A=4x4"), ("--size", "b=4"), ("--format", "y=binary32"),
                              ("--range", "A=-100:100")}, pairs)
        self.assertNotIn(("--range", "b=-100:100"), pairs, "an output")
        self.assertEqual(len(pairs), len(words) / 2, "each once")

    def test_published_files_that_do_not_fit_are_refused(self):
        table = "benchmark,source,random,s3fp,klee_float,fpgen\nf,mine,0,1e-3,0,2e-3\n"
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "fpgen_table3.csv").write_text(table)
            limits = Path(name) / "fpgen_limits.csv"
            limits.write_text("benchmark,any,nonzero\nf,10,5\n")
            self.assertEqual(fpgen.published(name)["f"].best, 2e-3)
            for text in ("benchmark,any,nonzero\ng,10,5\n", "benchmark,any,nonzero\n", "benchmark,any\nf,10\n",
                         "benchmark,any,nonzero\nf,ten,5\n"):
                limits.write_text(text)
                self.assertRaises(UserError, fpgen.published, name)


def result(error, short_error):
    return fpgen.Result({"seconds": 60, "evaluations": 5000, "outcome": "found"}, fpgen.Worst(error, "z", "x=1,2"), short_error)


def sample():
    """The whole suite, but for what an interrupt prevented."""
    results = {"sum": result(1e22, 0.5), "wsd": result(1e3, 1e3),  # limits: 6e23 and 1.7e7; 2e7
               "1-norm": result(2.6e-16, 2e-16), "LU": result(2.5, None)}  # limits: 3.3e-16; 1.2e87, published: 2.7
    return fpgen.Evaluation(fpgen.select([]), fpgen.published(HARNESSES / "published"),
                            trials=[fpgen.Trial("fpgen", results), fpgen.Trial("random")])


class Reports(unittest.TestCase):
    def test_the_summary_counts_what_was_reached(self):
        evaluation = sample()
        summary = fpgen.summary_of(evaluation.trials[0], evaluation)
        self.assertEqual((summary.benchmarks, summary.reached, summary.hunted_short, summary.reached_short), (4, 3, 3, 1))
        self.assertEqual((summary.large, summary.near_limit), (3, 1), "sum: 22 of 23.8 digits")
        self.assertEqual(fpgen.summary_of(evaluation.trials[1], evaluation).benchmarks, 0)

    def test_the_limit_is_that_of_the_inputs_that_were_asked_for(self):
        evaluation = sample()
        evaluation.nonzero = True
        self.assertEqual(evaluation.limit_of(fpgen.select(["sum"])[0]), 1.7e7)
        self.assertEqual(fpgen.share_of_limit(1e22, 1e11), 2.0)
        self.assertAlmostEqual(fpgen.share_of_limit(1e-3, 1e3), -1.0)
        self.assertIsNone(fpgen.share_of_limit(1e-16, 3e-16))
        self.assertIsNone(fpgen.share_of_limit(0, 1e3))

    def test_an_m_beside_its_twin_does_not_count_twice(self):
        evaluation = sample()
        evaluation.benchmarks = fpgen.select(["wsd", "wsd-m"])
        evaluation.trials[0].results["wsd-m"] = result(1e3, 1e3)
        self.assertEqual(fpgen.summary_of(evaluation.trials[0], evaluation).benchmarks, 1)
        del evaluation.trials[0].results["wsd"]
        self.assertEqual(fpgen.summary_of(evaluation.trials[0], evaluation).benchmarks, 1)

    def test_every_name_that_was_reached_has_a_row(self):
        evaluation = sample()
        rows = [dict(zip(fpgen.TITLES, row)) for row in fpgen.cells(evaluation)]
        self.assertEqual(fpgen.TITLES[:5], ("benchmark", "strategy", "relative_error", "seconds", "evaluations"))
        self.assertEqual([(row["benchmark"], row["run_of"]) for row in rows],
                         [("sum", "sum"), ("1-norm", "1-norm"), ("LU", "LU"), ("wsd", "wsd"), ("wsd-m", "wsd")])
        self.assertEqual((rows[0]["relative_error_2s"], rows[1]["share_of_limit"], rows[2]["relative_error_2s"]), ("0.5", "", ""))
        self.assertEqual(rows[4]["input"], "x=1,2")
        evaluation.whole, evaluation.benchmarks = False, fpgen.select(["wsd"])
        self.assertEqual(len(list(fpgen.cells(evaluation))), 1, "asked for by name")

    def test_the_table_shows_the_figures_beside_the_published_ones(self):
        text = fpgen.text_of(sample())
        for part in ("3 of 4", "1 of 3", "1.00e+22", "6.00e+23", "0.93", "2.73e+00", "LU", "-m"):
            self.assertIn(part, text)
        self.assertEqual(fpgen.text_of(fpgen.Evaluation([], {})), "", "interrupted before anything was done")


if __name__ == "__main__":
    unittest.main()
