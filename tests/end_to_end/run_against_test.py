"""faultline run --against: where two runs part, and whether rounding explains it. Ten pairs of builds, five with a bug."""
import json
import subprocess

from capture_test import CaptureCase
from faultline_case import FAULTLINE

# A rod that cools, an iteration to a tolerance, and a sum.
ROD = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef REAL
#define REAL double
#endif
enum { cells = 200 };
static double rod[cells], next[cells];

static REAL exchange(REAL left, REAL here, REAL right) {
  REAL flow = left - 2 * here + right;
  return flow / 5;
}

static void cool(double step) {
  for (int i = 1; i < cells - 1; i++) {
    double source = 0;
    if (rod[i] < 0.75)
      source = 0.1 * rod[i];
    next[i] = rod[i] + step * (exchange(rod[i - 1], rod[i], rod[i + 1]) + source);
  }
  for (int i = 1; i < cells - 1; i++)
    rod[i] = next[i];
}

static double heat(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < cells; i++)
    sum += rod[i] * rod[i] / 3;
  return sum;
}

static double root(double a) {
  double x = 1 + a / 7;
  for (int i = 0; i < 100; i++) {
    double change = (x * x - a) / (2 * x);
    x -= change;
    if (fabs(change) < 1e-12)
      break;
  }
  return x;
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 300;
  for (int i = 0; i < cells; i++)
    rod[i] = 0.5 + 0.5 * sin(0.03 * i);
  for (int s = 0; s < steps; s++)
    cool(0.05);
  double all = heat();
  printf("steps %d\n", steps);
  printf("heat %.17g\n", all);
  printf("root %.17g\n", root(all));
  for (int i = 10; i < cells; i += 5)
    printf("cell %.17g\n", rod[i]);
  return 0;
}
"""


def line_of(text):
    (number,) = [i for i, line in enumerate(ROD.splitlines(), 1) if text in line]
    return number


CLANG, GCC = "clang-19", "gcc"


class AgainstCase(CaptureCase):
    def build(self, folder, flags, bug=None, compiler=CLANG, source=ROD):
        if bug:
            self.assertEqual(source.count(bug[0]), 1, bug)
            source = source.replace(*bug)
        self.write(f"{folder}/app.c", source)
        self.sh(f"cd {folder} && $CC {flags} app.c -o app -lm", FAULTLINE_CC=compiler)
        return f"{folder}/app"

    def against(self, other, *words, status=0, options=(), **environment):
        done = self.run_faultline("run", "-o", "two.json", "--against", other, *options, "--", *words, status=status,
                                  XDG_CACHE_HOME=str(self.folder / "cache"), **environment)
        self.told = json.loads((self.scratch / "two.json").read_text(encoding="utf-8"))
        self.assertLess(len(done.err.splitlines()), 30)
        return done

    def assert_rounding(self, line, why):
        self.assertEqual(self.told["verdict"], "rounding", self.told)
        self.assertEqual(self.told["first"]["line"], line, self.told)
        self.assertIsNone(self.told["hidden"], self.told)
        self.assertIn(why, self.told["text"])

    def assert_different(self, *lines):
        self.assertEqual(self.told["verdict"], "different", self.told)
        self.assertIn(self.told["first"]["line"], lines, self.told)


class TenPairs(AgainstCase):
    def test_levels_of_optimisation(self):
        first, second = self.build("one", "-O0"), self.build("two", "-O3 -ffast-math")
        for steps in ("1000", "1500", "2000"):
            if self.sh(f"{first} {steps}").stdout != self.sh(f"{second} {steps}").stdout:
                break
        done = self.against(second, first, steps)
        self.assertEqual(self.told["verdict"], "rounding", self.told)
        self.assertIn("explained by rounding (reassociation at", done.err)

    def test_levels_of_optimisation_and_an_uninitialised_value(self):
        first = self.build("one", "-O0")
        second = self.build("two", "-O3", ("double source = 0;", "double source;"))
        self.against(second, first)
        self.assert_different(line_of("next[i] = rod[i] + step"))

    def test_fused_operations(self):
        first, second = self.build("one", "-O2 -mfma -ffp-contract=off"), self.build("two", "-O2 -mfma -ffp-contract=on")
        self.against(second, first)
        self.assertEqual(self.told["verdict"], "rounding", self.told)
        self.assertIn("fused multiplication and addition in one build", self.told["reason"]["text"])

    def test_fused_operations_and_another_tolerance(self):
        first = self.build("one", "-O2 -mfma -ffp-contract=off")
        second = self.build("two", "-O2 -mfma -ffp-contract=on", ("1e-12", "1e-1"))
        self.against(second, first)
        self.assert_different(line_of("fabs(change) < 1e-12"))

    def test_gcc_and_clang(self):
        first, second = self.build("one", "-O2 -mfma", compiler=GCC), self.build("two", "-O2")
        self.against(second, first)
        self.assertEqual(self.told["verdict"], "rounding", self.told)
        self.assertIn("fused multiplication and addition in one build", self.told["reason"]["text"])

    def test_gcc_and_clang_and_a_float_constant(self):
        first = self.build("one", "-O2 -mfma", compiler=GCC)
        second = self.build("two", "-O2", ("0.1 * rod[i]", "0.1f * rod[i]"))
        self.against(second, first)
        self.assert_different(line_of("source = 0.1"))

    def test_numbers_of_threads(self):
        first = self.build("one", "-O2 -fopenmp")
        for _ in range(3):
            self.against("OMP_NUM_THREADS=4", first, OMP_NUM_THREADS="1")
            self.assert_rounding(line_of("double x = 1 + a / 7"), "reassociation at")
            self.assertIn(self.told["reason"]["place"]["line"], (line_of("sum += rod"), line_of("#pragma")))

    def test_numbers_of_threads_and_a_wrong_divisor(self):
        first = self.build("one", "-O2 -fopenmp")
        second = self.build("two", "-O2 -fopenmp", ("/ 3;", "/ 3.00001;"))
        self.against(f"OMP_NUM_THREADS=4 {second}", first, OMP_NUM_THREADS="1")
        self.assert_different(line_of("sum += rod"))

    def test_float_in_one_function(self):
        first, second = self.build("one", "-O2"), self.build("two", "-O2 -DREAL=float")
        self.against(second, first)
        self.assert_rounding(line_of("REAL flow"), "float in one build, double in the other")

    def test_float_in_one_function_and_a_flipped_guard(self):
        first = self.build("one", "-O2")
        second = self.build("two", "-O2 -DREAL=float", ("rod[i] < 0.75", "rod[i] > 0.75"))
        self.against(second, first)
        self.assert_different(line_of("if (rod[i] < 0.75)"))


class Against(AgainstCase):
    def test_equal_programs_are_the_same(self):
        first, second = self.build("one", "-O0"), self.build("two", "-O3")
        done = self.against(second, first)
        self.assertEqual((self.told["verdict"], self.told["unmatched"]), ("same", 0))
        self.assertIn("heat ", done.out)
        self.assertGreater(self.told["values"], 100_000)

    def test_other_arguments_are_another_program_and_the_extra_step_is_named(self):
        first = self.build("one", "-O2")
        self.against(f"{first} 301", first)
        self.assertEqual(self.told["verdict"], "different")
        self.assertIn(self.told["first"]["line"], (line_of("REAL flow"), line_of("rod[i] < 0.75")))

    def test_a_decision_that_rounding_turns_is_named(self):
        source = ("#include <stdio.h>\nint main(void) {\n  volatile double step = 0.1;\n  double t = 0, sum = 0;\n"
                  "  for (int k = 1; t < 1; k++) {\n    t = NEXT;\n    sum += k;\n  }\n"
                  "  printf(\"%g\\n\", sum);\n  return 0;\n}\n")
        first = self.build("one", "-O1 '-DNEXT=t + step'", source=source)
        second = self.build("two", "-O1 '-DNEXT=k * step'", source=source)
        self.assertEqual(self.against(second, first).out, "66\n")
        self.assertEqual((self.told["verdict"], self.told["first"]["line"]), ("turned", 5), self.told)
        self.assertEqual([run["value"] < 0 for run in self.told["first"]["runs"]], [True, False])

    def test_a_line_that_was_added_moves_the_others(self):
        first = self.build("one", "-O2")
        second = self.build("two", "-O2", ("static void cool", "/* a comment\n   of two lines */\nstatic void cool"))
        self.against(second, first)
        self.assertEqual((self.told["verdict"], self.told["unmatched"]), ("same", 0))
        self.assertGreater(self.told["places"], 15)

    def test_the_input_reaches_both_and_the_status_is_the_first_ones(self):
        source = ("#include <stdio.h>\nint main(int n, char **a) {\n  double x;\n  if (scanf(\"%lf\", &x) != 1) return 9;\n"
                  "  printf(\"%g\\n\", x / 3);\n  return n;\n}\n")
        first = self.build("one", "-O2", source=source)
        done = subprocess.run([FAULTLINE, "run", "-o", "two.json", "--against", f"{first} x", "--", first], cwd=self.scratch,
                              input="1.5\n", capture_output=True, text=True, check=False,
                              env=self.environment(XDG_CACHE_HOME=str(self.folder / "cache")))
        self.assertEqual((done.returncode, done.stdout), (1, "0.5\n"), done.stderr)
        self.assertIn("the first program ended with exit status 1, the second one ended with exit status 2", done.stderr)

    def test_what_is_missing_is_refused_with_what_to_try(self):
        first = self.build("one", "-O2")
        run = self.run_faultline("run", "--against", "./absent", "--", first, status=2)
        self.assertIn("./absent: there is no such program", run.err)
        run = self.run_faultline("run", "--against", "", "--", first, status=2)
        self.assertIn("--against OMP_NUM_THREADS=1", run.err)
