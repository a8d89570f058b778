"""The suite bounds: proved and found errors beside the published bounds."""
import csv
import sys
import unittest

from faultline_case import ROOT, FaultlineCase

sys.path.insert(0, str(ROOT / "bench"))
from suites import bounds  # noqa: E402


class Bench(FaultlineCase):
    def bench(self, *words, **more):
        return self.run_faultline("bench", "bounds", "--time", "500ms", "--quiet", *words, **more)

    def rows(self):
        with open(self.scratch / "bounds.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_bounds_are_proved_found_and_their_certificates_verified(self):
        run = self.bench("-f", "sine", "-f", "carbonGas", "--check", "-o", "bounds.csv", status=0)
        rows = {row["function"]: row for row in self.rows()}
        self.assertEqual(set(rows), {"sine", "carbonGas"})
        for row in rows.values():
            self.assertLess(0, float(row["found"]))
            self.assertLessEqual(float(row["found"]), float(row["proven"]))
            self.assertLess(float(row["proven"]), float(row["published"]))
            self.assertGreater(int(row["boxes"]), 0)
        self.assertIn("2 of 2 verified", run.out)
        rounded = self.bench("-f", "sine", "--rounded-inputs", "-o", "-", status=0).json
        self.assertGreater(rounded["functions"][0]["proven"], float(rows["sine"]["proven"]))

    def test_others_are_those_of_the_file_of_fpcores(self):
        self.bench("--others", "-f", "t_div_t1", "-o", "bounds.csv", status=0)
        [row] = self.rows()
        self.assertEqual((row["function"], row["obstacle"]), ("t_div_t1", ""))
        self.assertGreater(float(row["proven"]), 0)

    def test_everyday_functions_are_proved_and_counted(self):
        run = self.bench("--everyday", "-f", "lowpass", "-f", "drum_mode", "-o", "bounds.csv", status=0)
        rows = {row["function"]: row for row in self.rows()}
        self.assertLess(float(rows["lowpass"]["proven"]), 3 * float(rows["lowpass"]["found"]))
        self.assertIn("no bound is known for j0", rows["drum_mode"]["obstacle"])
        self.assertIn("Proved completely: 1 of 2", run.out)

    def test_unknown_names_are_refused(self):
        self.assertIn("there is no benchmark 'cosine'", self.bench("-f", "cosine", status=2).err)
        self.assertIn("there is no benchmark 'sine'", self.bench("--others", "-f", "sine", status=2).err)


def other(name, proven, stable_paths_only=False, unproven=0):
    target = {"outputs": [{"absolute": {"proven": proven, "found": 0}, "open": [{"reason": "a comparison"}]}], "unproven": unproven}
    return bounds.Row(bounds.Benchmark(name, 1e-15, "daisy_subdiv", (), stable_paths_only), target)


class Others(unittest.TestCase):
    def test_those_within_a_factor_count_unless_they_hold_for_stable_paths_only(self):
        rows = [other("as_good", 1.05e-15), other("worse", 2e-15), other("stable", 1e-15, True), other("open", None, unproven=3)]
        evaluation = bounds.Evaluation(rows)
        table = bounds.others_table(evaluation)
        self.assertIn("1 of 3 (33 %)", table)
        self.assertIn("daisy_subdiv *", table)
        self.assertEqual(list(bounds.others_cells(evaluation))[3], ("open", "1e-15", "daisy_subdiv", "", "", "0", "0", "a comparison"))


if __name__ == "__main__":
    unittest.main()
