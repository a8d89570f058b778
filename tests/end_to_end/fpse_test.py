"""The suite fpse: its paths are those of the programs, its results those that are expected, and its reports tell both."""
import csv
import ctypes
import math
import re
import signal
import struct
import subprocess
import sys
import time
import unittest

from faultline_case import FAULTLINE, ROOT, FaultlineCase

sys.path.insert(0, str(ROOT / "bench"))
from suites import fpse, fpse_cases  # noqa: E402
from suites.solving import Answer, Extent, answer_in  # noqa: E402

PROGRAMS = {entry.name: entry for entry in fpse.PROGRAMS}
VALUE = r"\(\(?(?:\|[^|]*\||\w+) (\(fp[^)]*\)|\(_ NaN 8 24\))\)"


class Track(ctypes.Structure):
    _fields_ = [(name, ctypes.c_float) for name in ("value", "rate", "alpha", "beta")]


def float_of(text):
    """A binary32 value as solve prints it."""
    if "NaN" in text:
        return math.nan
    bits = "".join(re.findall(r"#b([01]+)", text))
    return struct.unpack(">f", int(bits, 2).to_bytes(4, "big"))[0]


class Paths(FaultlineCase):
    def solve(self, problem, *options, limit="60s"):
        self.write("problem.smt2", problem)
        return self.run_faultline("solve", "problem.smt2", "--solver", "interval", "--time", limit, *options).out

    def program(self, name, form):
        return fpse.evaluate_program(self.solve, PROGRAMS[name], form)

    def test_every_result_is_the_one_that_is_expected(self):
        self.assertEqual(len(PROGRAMS), 7)
        for name in PROGRAMS:
            for form in ("single", "double"):
                result = self.program(name, form)
                self.assertTrue(result.agrees and result.extent.exact, f"{name}: {result.answer}")

    def test_the_ends_are_exact_where_the_published_ones_were_not(self):
        self.assertEqual(self.program("sum_is_the_same", "single").answer, "[1.401298464324817e-45, 32767.998046875]")
        self.assertEqual(self.program("sum_is_larger", "double").answer, "[6.103515625000001e-05, 9999.999999999998]")
        self.assertEqual(self.program("power_40", "double").answer, "1.0000000000000001e-40")
        self.assertEqual(self.program("goldberg_quadratic", "single").answer, "2.2859835624694824")
        # By the machine: the published interval has a second value, which is no solution.
        discriminant = ("#include <math.h>\n#include <stdio.h>\nstatic float of(volatile float c) { return 3.34f * 3.34f - 4.0f * 1.22f * c; }\n"
                        "int main(void) { printf(\"%d %d %d\", of(2.2859835624694824f) == 0, of(2.2859833240509033f) == 0, "
                        "of(nextafterf(2.2859835624694824f, 3)) == 0); }\n")
        self.write("discriminant.c", discriminant)
        subprocess.run(["clang-19", "-ffp-contract=off", "discriminant.c", "-lm", "-o", "discriminant"], check=True, cwd=self.scratch,
                       env=self.environment())
        self.assertEqual(subprocess.run([self.scratch / "discriminant"], check=True, capture_output=True, text=True).stdout, "1 0 0")

    def test_paths_are_as_long_as_the_published_ones(self):
        for depth in range(1, fpse_cases.DEEPEST_DICHOTOMIC + 1):
            self.assertEqual(fpse_cases.dichotomic(depth, False).constraints, 14 * depth + 3)
        for name, constraints in (("power_40", 84), ("power_350", 704)):
            self.assertEqual(self.program(name, "double").constraints, constraints)

    def compiled(self, name):
        """The program itself."""
        library = self.scratch / f"{name}.so"
        subprocess.run(["clang-19", "-O0", "-ffp-contract=off", "-shared", "-fPIC", ROOT / f"examples/fpse/{name}.c", "-o", library],
                       check=True, env=self.environment())
        return ctypes.CDLL(str(library))

    def model(self, path, inputs, limit):
        """The values of the inputs and of the result; nothing if no model was found."""
        out = self.solve(path.problem(path.result, inputs), limit=limit)
        if answer_in(out).answer != "sat":
            return answer_in(out).answer, []
        result, *values = [float_of(text) for text in re.findall(VALUE, out)]
        return "sat", [*values, result]

    def test_every_depth_of_the_dichotomic_search_is_solved_with_ulp_max(self):
        function = self.compiled("dichotomic").dichotomic
        function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float] * 3
        for depth in range(1, fpse_cases.DEEPEST_DICHOTOMIC + 1):
            answer, values = self.model(fpse_cases.dichotomic(depth, False), ("|low|", "|high|", "|level|"), "60s")
            self.assertEqual(answer, "sat", depth)
            low, high, level, result = values
            self.assertEqual(function(low, high, level), result)
            step = (high - low) / 2**depth
            self.assertTrue(step <= 1e-6 < 2 * step, "the loop ends after so many turns, and not before")
            self.assertEqual(answer_in(self.solve(fpse_cases.dichotomic(depth, True).problem())).answer, "unsat", depth)

    def test_ulp_max_saves_projections_and_does_not_change_answers(self):
        for depth in range(1, 4):
            for too_large in (False, True):
                problem = fpse_cases.dichotomic(depth, too_large).problem()
                found, without = (answer_in(self.solve(problem, *options, limit="500ms")) for options in ((), ("--no-ulp-max",)))
                self.assertIn(without.answer, (found.answer, "unknown"))
                self.assertGreater(without.projections, 2 * found.projections)

    def test_the_paths_of_the_task_are_those_of_the_program(self):
        names = [f"{whose}_reply[{i}]" for whose in ("range", "intruder", "own") for i in range(8)]
        names += [f"{whose}.{part}" for whose in ("range", "intruder", "own") for part in ("value", "rate", "alpha", "beta")]
        names += ["pressure_correction", "air_data_rate"]
        task = self.compiled("tcas_task").tcas_periodic_task_1Hz
        replies = ctypes.c_float * 8
        task.restype, task.argtypes = ctypes.c_float, [replies] * 3 + [Track] * 3 + [ctypes.c_float] * 2
        found = 0
        for number in range(fpse_cases.TCAS_PATHS):
            answer, values = self.model(fpse_cases.tcas(number), [f"|{name}|" for name in names], "500ms")
            if answer != "sat":
                continue
            found += 1
            *inputs, result = values
            expected = task(*(replies(*inputs[i:i + 8]) for i in (0, 8, 16)), *(Track(*inputs[i:i + 4]) for i in (24, 28, 32)), *inputs[36:])
            self.assertTrue(result == expected or (math.isnan(result) and math.isnan(expected)), fpse_cases.tcas_name(number))
        self.assertEqual(len({fpse_cases.tcas_name(number) for number in range(fpse_cases.TCAS_PATHS)}), fpse_cases.TCAS_PATHS)
        self.assertGreaterEqual(found, 8)


class Results(unittest.TestCase):
    def test_a_wrong_or_unproven_result_does_not_agree(self):
        def agree(published, extent=Extent(1.25, 2.5, True)):
            return fpse.agrees(extent, published, "single")

        self.assertTrue(agree(fpse.ends("1.25", "2.5")))
        self.assertTrue(agree(fpse.ends("1.2", "2.5e0")), "digits were cut off")
        self.assertFalse(agree(fpse.ends("1.250", "2.7")))
        self.assertFalse(agree(fpse.ends("1.251", "2.5")))
        self.assertTrue(agree(fpse.member("2.0")))
        self.assertFalse(agree(fpse.member("2.6")))
        self.assertFalse(agree(fpse.INFEASIBLE))
        self.assertFalse(agree(fpse.ends("1.25", "2.5"), Extent(1.25, 2.5, False)), "not proven")
        self.assertFalse(agree(fpse.value("+0.0"), Extent(-0.0, -0.0, True)), "the other zero")
        self.assertTrue(agree(fpse.INFEASIBLE, Extent(None, None, True)))

    def test_a_result_that_is_missing_shows_in_the_status_and_the_reports(self):
        howden = fpse.ProgramResult(PROGRAMS["howden"], "single", 6, 7, Extent(None, None, True))
        path = fpse.PathResult("dichotomic", 4, "found", 59, 47, Answer("unknown"), Answer("unknown"))
        evaluation = fpse.Evaluation(5, [howden], [path])
        self.assertFalse(evaluation.good())
        path.study = "tcas"
        self.assertTrue(evaluation.good(), "paths of the task are reported, not required")
        rows = [dict(zip(fpse.TITLES, row)) for row in fpse.rows(evaluation)]
        self.assertEqual([row["solver"] for row in rows], ["interval", "interval", "interval without ULP-max"])
        self.assertEqual((rows[0]["benchmark"], rows[0]["answer"]), ("howden_single", "infeasible"))
        self.assertIn('"answer": "unknown"', fpse.json_of(evaluation))
        self.assertIn("1 of 1 results agree", fpse.text_of(evaluation))
        evaluation.programs[0].extent = Extent(1.0, 2.0, True)
        self.assertFalse(evaluation.good())


class Bench(FaultlineCase):
    def test_each_question_has_a_line(self):
        run = self.run_faultline("bench", "fpse", "--time", "20ms", "--quiet", "-o", "fpse.csv", "-o", "-")
        with open(self.scratch / "fpse.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2 * 7 + 2 * (2 * 12 + 27))
        self.assertEqual([row["benchmark"] for row in run.json["rows"]], [row["benchmark"] for row in rows])
        self.assertEqual(run.status, 0 if run.json["good"] else 1)
        self.assertEqual({row["agrees"] for row in rows if row["benchmark"].startswith("howden")}, {"yes"})

    def test_ctrl_c_ends_the_suite_and_keeps_what_was_found(self):
        command = [FAULTLINE, "bench", "fpse", "--time", "60s", "-o", "fpse.csv"]
        process = subprocess.Popen(command, cwd=self.scratch, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
        time.sleep(5)  # a path without ULP-max takes all of its time
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn("interrupted; this is what was found until then", err)
        with open(self.scratch / "fpse.csv", newline="", encoding="utf-8") as file:
            self.assertIn(f"of {min(len(list(csv.DictReader(file))), 14)} results agree", out)


if __name__ == "__main__":
    unittest.main()
