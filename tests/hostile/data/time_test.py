"""Every command keeps its time: twice its budget and a second, whatever the code does."""
import json
import time
import unittest

from faultline_case import FaultlineCase

BUDGET = 1  # second
SLACK = 8  # for compiling, and a busy machine
LOOP = "double f(double x) { double s = x; for (long i = 0; i < 100000000000L; ++i) s = s * 1.0000001 + 1e-9; return s; }\n"
RECURSION = "double g(double x, int d) { if (d > 60) return x; return g(x * 1.01, d + 1) + g(x * 0.99, d + 1); }\n" \
            "double f(double x) { return g(x, 0); }\n"
BRANCHES = "double f(double x) { double s = x; for (long i = 0; i < 100000000000L; ++i) if (s > 1) s /= 2; else s *= 3; " \
           "return s; }\n"
ASSEMBLY = "__asm__(\".rept 2000000000\\n.byte 0\\n.endr\\n\");\ndouble f(double x) { return x - 1; }\n"


class Time(FaultlineCase):
    def timed(self, *words, seconds=2 * BUDGET + 1, status=None):
        start = time.monotonic()
        run = self.run_faultline(*words, status=status)
        took = time.monotonic() - start
        self.assertLess(took, seconds + SLACK, f"{' '.join(map(str, words))}\n{run.err}")
        return run

    def codes(self):
        self.write("faultline.toml", f'budget = "{BUDGET}s"\n')
        for number, code in enumerate((LOOP, RECURSION, BRANCHES)):
            yield self.write(f"f{number}.c", code)

    def test_bound_ends(self):
        for file in self.codes():
            run = self.timed("bound", file, "-f", "f", "--time", f"{BUDGET}s", "--range", "x=1:2", "-q", status=4)
            self.assertNotIn("internal error", run.err)

    def test_cover_ends(self):
        for file in self.codes():
            self.timed("cover", file, "-f", "f")

    def test_explain_ends(self):
        for file in self.codes():
            self.timed("explain", file, "-f", "f", "--at", "x=1.5")

    def test_replay_and_tests_of_what_does_not_end(self):
        for file in self.codes():
            self.timed("hunt", file, "-f", "f", "-q", "-o", "f.json")
            found = json.loads((self.scratch / "f.json").read_text())
            findings = sum(len(target["findings"]) for target in found["targets"])
            self.timed("replay", "f.json", seconds=(2 * BUDGET + 1) * max(findings, 1))

    def test_vectors_of_what_does_not_end(self):
        self.write("quick.c", "double f(double x) { return x * 3 + 1; }\n")
        self.run_faultline("hunt", "quick.c", "--evals", "300", "-q", "-o", "f.csv")
        self.assertGreater(len((self.scratch / "f.csv").read_text().splitlines()), 12)
        for file in self.codes():
            run = self.timed("vectors", "f.csv", file)
            self.assertIn("time was up", run.out)

    def test_long_meaning_is_refused_and_a_shorter_one_is_quick(self):
        for terms, status in ((32_000, 2), (4_000, 1)):
            self.write("f.c", "#include <math.h>\n// faultline: means " + "+".join("x" * terms) +
                       "\ndouble f(double x) { return (1 - cos(x)) / (x * x); }\n")
            run = self.timed("hunt", "f.c", "--budget", f"{BUDGET}s", "-q", status=status)
            self.assertEqual("too long" in run.err, status == 2)
            self.assertLess(len(run.err), 1000)

    def test_compilers_end(self):
        levels = [f"#define A{i + 1}(x) A{i}(x) A{i}(x)" for i in range(60)]
        self.write("f.c", "\n".join(["#define A0(x) x", *levels, "double f(double x) { return x A60(+ 1); }"]))
        run = self.timed("list", "f.c", "--compile-time", "2s", seconds=6, status=4)
        self.assertIn("the compiler was stopped after 2 s", run.err)
        self.assertIn("--compile-time", run.err)

    def test_assembly_of_any_length_ends(self):
        self.write("f.c", ASSEMBLY)
        run = self.timed("hunt", "f.c", "--compile-time", "2s", "--budget", f"{BUDGET}s", "-q", seconds=6)
        self.assertIn(run.status, (3, 4), run.err)


if __name__ == "__main__":
    unittest.main()
