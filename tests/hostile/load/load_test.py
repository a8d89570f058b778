"""What innocent functions get does not depend on the functions beside them."""
import json
import unittest
from pathlib import Path

from faultline_case import FaultlineCase

HOSTILE = Path(__file__).resolve().parents[1]
ATTACKS = ("workers/constructor_of_another", "workers/constructor_that_stops", "workers/assembly_of_another",
           "workers/stop_of_another", "workers/death_of_another", "workers/death_elsewhere", "workers/done_too_early",
           "workers/slow_messages", "messages/deep", "workers/long_phase", "workers/flood_of_findings",
           "workers/flood_of_long_findings", "workers/note_of_lines", "messages/close", "messages/many_messages",
           "messages/long_frame", "messages/exit", "messages/many_made_up_findings", "memory/allocate", "memory/smash",
           "signals/kill_group", "time/loop", "time/sleep", "time/ignore")
FORMULAS = ("(1 - cos(x)) / (x * x)", "(x + {n}) - x", "x * 0.5 + {n}", "exp(x) - 1", "sqrt(x + {n}) - sqrt(x)",
            "log(1 + x)", "x / (x - {n})", "sin(x) * sin(x)")
COUNT = 24
FROM_THE_CLOCK = ("seconds", "total_seconds")
WITH_ALL_FILES = ("replay", "explain")  # commands


class Load(FaultlineCase):
    def reports(self, *files):
        self.run_faultline("hunt", *files, "-j", "2", "--evals", "300", "-q", "-o", "found.json", "--", "-w", "-I.",
                           '-DPLACE="."', "-DVICTIM=1", timeout=500)
        found = json.loads((self.scratch / "found.json").read_text())
        innocent = [target for target in found["targets"] if target["function"].startswith("innocent")]
        for target in innocent:
            for key in FROM_THE_CLOCK:
                target.pop(key, None)
            for finding in target["findings"]:
                for key in WITH_ALL_FILES:
                    finding.pop(key, None)
        return innocent, found

    def test_reports_beside_hostile_functions_are_identical(self):
        self.assertEqual(len(ATTACKS), COUNT)
        settings = 'budget = "0.3s"\n'
        text = "#include <math.h>\n"
        for i in range(COUNT):
            formula = FORMULAS[i % len(FORMULAS)].format(n=i + 1)
            text += f"double innocent_{i}(double x) {{ return {formula}; }}\n"
            settings += f'[function.innocent_{i}]\nbudget = "100s"\n'  # however busy the machine is
        self.write("innocent.c", text)
        self.write("faultline.toml", settings)
        for header in HOSTILE.glob("**/*.h"):
            self.write(header.name, header.read_text())
        hostile = []
        for i, name in enumerate(ATTACKS):
            hostile.append(f"attack_{i}.c")
            self.write(hostile[-1], (HOSTILE / f"{name}.c").read_text().replace("attack(", f"attack_{i}("))
        alone, _ = self.reports("innocent.c")
        beside, all_of_them = self.reports("innocent.c", *hostile)
        self.assertEqual(len(alone), COUNT)
        self.assertGreater(sum(len(target["findings"]) for target in alone), 5)
        self.assertGreaterEqual(len(all_of_them["targets"]), 2 * COUNT)
        self.assertEqual(beside, alone)


if __name__ == "__main__":
    unittest.main()
