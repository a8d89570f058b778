"""faultline bench: an evaluation suite as a user runs it."""
import csv
import os
import re
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, ROOT, FaultlineCase

FOLDER = ROOT / "build/subjects/gsl"
FUNCTIONS = ("-f", "gsl_sf_legendre_P2", "-f", "gsl_sf_sin")


@unittest.skipUnless((FOLDER / "gsl.bc").exists(), "scripts/fetch-subjects gsl has not been run")
class Bench(FaultlineCase):
    def bench(self, *words, **more):
        return self.run_faultline("bench", "gsl", FOLDER, *FUNCTIONS, *words, **more)

    def rows(self, name):
        with open(self.scratch / name, encoding="ascii", newline="") as file:
            return list(csv.DictReader(file))

    def test_gsl_suite_scores_and_ranks(self):
        run = self.bench("--strategy", "auto", "--compare", "atomu,random", "--evals", "2000", "-o", "gsl.csv", status=0)
        rows = {(row["benchmark"], row["strategy"]): row for row in self.rows("gsl.csv")}
        self.assertEqual(len(rows), 2 * 3)
        for function in ("gsl_sf_legendre_P2", "gsl_sf_sin"):
            row = rows[function, "auto"]
            self.assertGreater(float(row["relative_error"]), 1e-3)
            self.assertGreater(int(row["inputs_significant"]), 0)
            self.assertGreater(float(row["seconds"]), 0)
            self.assertEqual(row["inputs_unknown"], "0")
            self.assertLessEqual(int(rows[function, "random"]["evaluations"]), 2000)
        for line in ("functions with an error above 1e-3  ", "first-ranked input above 1e-3", "rank sum"):
            self.assertIn(line, run.out)
        self.assertRegex(run.out, r"functions with an error above 1e-3 +2 of 2\n")

    def test_findings_of_a_suite_are_those_of_a_hunt(self):
        run = self.bench("--strategy", "random", "--compare", "none", "--quiet", "-o", "-", status=0)
        self.assertEqual(run.err, "")
        words = (FOLDER / "gsl.bc", *FUNCTIONS, "--strategy", "random", "--for", "error")
        hunted = self.hunt(*words).targets
        self.assertEqual(set(run.targets), set(hunted))
        for function, target in run.targets.items():
            ids = [finding["id"] for finding in target["findings"]]
            self.assertEqual(ids, [finding["id"] for finding in hunted[function]["findings"]])

    def test_exceptions_of_gsl_are_counted_and_replay(self):
        words = ("bench", "gsl-exceptions", FOLDER, "-f", "gsl_sf_bessel_J0_e", "-f", "gsl_sf_lnbeta", "-f", "gsl_sf_fact")
        run = self.run_faultline(*words, "--evals", "2000", "--quiet", "-o", "e.csv", "-o", "e.json", status=0)
        self.assertEqual(len(self.rows("e.csv")), 2 * 3)
        table = {row["benchmark"]: row for row in self.rows("e.csv") if row["strategy"] == "ariadne"}
        self.assertGreater(int(table["gsl_sf_bessel_J0_e"]["overflow"]), 0)
        self.assertGreater(int(table["gsl_sf_lnbeta"]["silent"]), 0)
        self.assertEqual(int(table["gsl_sf_lnbeta"]["reported"]), 0, "only libm sets errno there")
        self.assertRegex(run.out, r"functions +3 +3\n")
        self.assertIn("found by (ariadne): ", run.out)
        again = self.run_faultline("replay", "e.json", status=0)
        self.assertRegex(again.out.splitlines()[-1], r"^[1-9]\d* reproduced, 0 not$")

    def moved(self):
        """The executable in a source tree of its own."""
        program = self.scratch / "tree/build/bin/faultline"
        program.parent.mkdir(parents=True)
        shutil.copy(FAULTLINE, program)
        shutil.copy(FAULTLINE + "-bench", f"{program}-bench")
        (self.scratch / "tree/build/share").symlink_to(Path(FAULTLINE).resolve().parents[1] / "share")
        return program

    def run_moved(self, program):
        command = [program, "bench", "gsl", "-f", "gsl_sf_legendre_P2", "--strategy", "random", "--compare", "none"]
        return subprocess.run(command, cwd=self.scratch, env=self.environment(), capture_output=True, text=True, timeout=90, check=False)

    def test_library_is_fetched_by_the_script_of_the_tree(self):
        program = self.moved()
        self.write("tree/scripts/fetch-subjects", "#!/bin/sh\necho fetching $1\ncd \"$(dirname \"$0\")/..\" && mkdir -p build/subjects "
                   f"&& ln -s '{FOLDER}' build/subjects/gsl\n")
        (self.scratch / "tree/scripts/fetch-subjects").chmod(0o755)
        run = self.run_moved(program)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("fetching gsl\n", run.stderr)
        self.assertNotIn("fetching", run.stdout)

    def test_script_that_fails_is_an_error(self):
        program = self.moved()
        self.write("tree/scripts/fetch-subjects", "#!/bin/sh\nexit 1\n")
        (self.scratch / "tree/scripts/fetch-subjects").chmod(0o755)
        run = self.run_moved(program)
        self.assertEqual(run.returncode, 3)
        self.assertIn("gsl could not be fetched", run.stderr)

    def test_installed_program_asks_for_the_folder(self):
        run = self.run_moved(self.moved())
        self.assertEqual(run.returncode, 2)
        self.assertIn("faultline bench gsl DIR", run.stderr)

    def test_ctrl_c_ends_a_suite_and_keeps_what_was_found(self):
        command = [FAULTLINE, "bench", "gsl", FOLDER, "--strategy", "random", "--compare", "none", "-o", "gsl.csv"]
        process = subprocess.Popen(command, cwd=self.scratch, env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        while not re.search(r"s, [1-9]\d* of \d+ functions, ", process.stderr.readline()):  # lines of progress
            self.assertIsNone(process.poll(), "it should be hunting")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn("interrupted", err)
        self.assertIn("functions with an error above 1e-3", out)
        done = len(self.rows("gsl.csv"))
        self.assertTrue(0 < done < 107, done)


if __name__ == "__main__":
    unittest.main()
