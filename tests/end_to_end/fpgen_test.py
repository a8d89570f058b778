"""FPGen's benchmarks: the harnesses compute what the description says, and `bench fpgen` hunts in them."""
import csv
import subprocess
import unittest

from faultline_case import ROOT, FaultlineCase

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


if __name__ == "__main__":
    unittest.main()
