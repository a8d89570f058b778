"""faultline run on benchmarks/programs: right digits against builds in binary128, and seeded faults (-DFAULT=n)."""
import math
import re

from faultline_case import ROOT, long
from run_test import RunCase

FOLDER = ROOT / "benchmarks/programs"
COMPILERS = {".c": ("$CC", "gcc"), ".cpp": ("$CXX", "g++"), ".F90": ("$FC", "gfortran")}
# Small sizes, as binary128 is slow.
ARGUMENTS = {"conjugate_gradients": "60", "n_body": "300", "hydro": "100", "molecular_dynamics": "40", "multigrid": "64", "fft": "4096",
             "monte_carlo": "20000", "lu": "60", "ode_solver": "4"}
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix in COMPILERS)
STEPS = {("conjugate_gradients", 2): "1000"}  # as many as the fault needs
MISSED = {("fft", 1)}  # costs a digit of one printed number


def floats(text):
    """The printed numbers with a fraction: not the counts of steps."""
    return [float(word) for word in re.sub(r"(steps|cycles)\s+\d+", "", text).split() if re.fullmatch(r"[-+]?[\d.]+([eE][-+]?\d+)?", word)]


def faults(source):
    return sorted({int(number) for number in re.findall(r"FAULT [!=]= (\d+)", source.read_text())})


def places(source, fault):
    """The lines whose comment names the fault."""
    return {number for number, line in enumerate(source.read_text().splitlines(), 1)
            if re.search(rf"[!/*].*faults? (\d+ and )?{fault}\b", line)}


class RunPrograms(RunCase):
    def build_program(self, source, fault=0):
        self.sh(f"{COMPILERS[source.suffix][0]} -O2 -g -DFAULT={fault} {source} -o app -lm")

    def right_digits(self, source):
        """Of each printed number: those that run says, and those that a build in binary128 shows."""
        self.sh(f"{COMPILERS[source.suffix][1]} -O1 -DQUAD {source} -o quad -lquadmath -lm")
        exact = floats(self.sh(f"./quad {ARGUMENTS[source.stem]}").stdout)
        self.build_program(source)
        self.run_program(ARGUMENTS[source.stem])
        self.assertEqual(len(exact), len(self.told["outputs"]))
        for output, truth in zip(self.told["outputs"], exact):
            error = abs(float(output["text"]) - truth) / abs(truth) if truth else float(output["text"] != "0")
            yield output["digits"], -math.log10(min(max(error, 1e-16), 1))

    def test_right_digits_are_those_of_a_build_in_binary128(self):
        numbers, low = 0, 0
        for source in SOURCES:
            with self.subTest(source.name):
                for told, right in self.right_digits(source):
                    numbers += 1
                    low += told < right - 1
                    # the truth is printed with 17 digits
                    self.assertLess(told, right + (0.1 if right < 14 else 0.4), source.name)
        self.assertGreater(numbers, 70)
        self.assertLess(low, 0.05 * numbers)

    def check_fault(self, source, fault):
        self.build_program(source, fault)
        done = self.run_program(STEPS.get((source.stem, fault), ARGUMENTS[source.stem]))
        expected = places(source, fault)
        self.assertTrue(expected)
        first = [problem["line"] for problem in self.told["problems"][:3]]
        if (source.stem, fault) not in MISSED:
            self.assertTrue(expected & set(first), f"{expected}: {done.err}")
        others = [problem for problem in self.told["problems"] if problem["tier"] == "error" and problem["line"] not in expected]
        self.assertEqual(others, [])
        self.assertLess(len(done.err.splitlines()), 60)

    def test_seeded_faults_are_named_at_their_line(self):
        for name, fault in (("conjugate_gradients.c", 1), ("hydro.cpp", 1), ("fft.c", 3), ("lu.F90", 2), ("n_body.cpp", 1),
                            ("ode_solver.c", 3)):
            with self.subTest(name, fault=fault):
                self.check_fault(FOLDER / name, fault)

    @long
    def test_all_seeded_faults_are_named_at_their_line(self):
        tried = [(source, fault) for source in SOURCES for fault in faults(source)]
        self.assertGreater(len(tried), 20)
        for source, fault in tried:
            with self.subTest(source.name, fault=fault):
                self.check_fault(source, fault)

    def test_programs_without_a_fault_show_no_error(self):
        for source in SOURCES:
            with self.subTest(source.name):
                self.build_program(source)
                self.run_program(ARGUMENTS[source.stem])
                self.assertEqual([problem for problem in self.told["problems"] if problem["tier"] == "error"], [])
                self.assertTrue(self.told["run"]["repeated"])
