"""faultline run --narrow: which declarations of a program can be float."""
import json

from capture_test import CaptureCase

# Rows of a matrix that are summed; and a clock that adds small steps for a long time.
CLOCK = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 500 };

static double norm(const double *row, int n) {
  double squares = 0;
  for (int i = 0; i < n; i++)
    squares += row[i] * row[i];
  return sqrt(squares);
}

static double later(int steps) {
  double clock = 1000;
  for (int i = 0; i < steps; i++)
    clock += 1e-5;
  return clock;
}

int main(void) {
  double *row = (double *)malloc(cells * sizeof(double));
  for (int i = 0; i < cells; i++)
    row[i] = cos(0.01 * i);
  double length = norm(row, cells);
  printf("%.9g\n", length);
  printf("%.9g\n", later(LONG));
  free(row);
  return 0;
}
"""


def line_of(text):
    (number,) = [i for i, line in enumerate(CLOCK.splitlines(), 1) if text in line]
    return number


class Narrow(CaptureCase):
    def build(self, source, flags="-O2", compiler="$CC", name="app.c"):
        self.write(name, source)
        self.sh(f"{compiler} {flags} {name} -o app -lm")

    def narrow(self, tolerance, *words, status=0, options=(), **environment):
        done = self.run_faultline("run", "-o", "narrow.json", "-o", "float.patch", "--narrow", tolerance, *options, "--", "./app",
                                  *words, status=status, XDG_CACHE_HOME=str(self.folder / "cache"), **environment)
        self.told = json.loads((self.scratch / "narrow.json").read_text(encoding="utf-8"))
        self.assertLessEqual(self.told["runs"], 10)
        return done

    def patched_output(self, flags="-O2"):
        """What the program prints after the patch, without Faultline."""
        return self.sh(f"cp app.c kept.c; patch -s -p1 < float.patch; cc {flags} app.c -o patched -lm; cp kept.c app.c; ./patched").stdout

    def test_everything_can_be_float_where_float_is_good_enough(self):
        self.build(CLOCK, "-O2 -DLONG=1")
        done = self.narrow("1e-5")
        self.assertIn("everything can be float", done.err)
        self.assertEqual((self.told["answer"], self.told["double"], self.told["runs"]), ("everything", [], 1))
        patch = (self.scratch / "float.patch").read_text(encoding="utf-8")
        self.assertIn("+  float *row = (float *)malloc(cells * sizeof(float));", patch)
        self.assertNotIn("double", "".join(line for line in patch.splitlines() if line.startswith("+")))
        for wide, narrow in zip(done.out.split(), self.patched_output("-O2 -DLONG=1").split()):
            self.assertLess(abs(float(wide) - float(narrow)) / abs(float(wide)), 1e-5)

    def test_what_must_stay_double_is_named(self):
        self.build(CLOCK, "-O2 -DLONG=1000000")
        done = self.narrow("1e-5")
        self.assertEqual(self.told["answer"], "everything-but", self.told)
        self.assertIn({"file": "app.c", "line": line_of("double clock"), "names": "clock"}, self.told["double"])
        self.assertLessEqual(len(self.told["double"]), 2)
        self.assertIn("+  float *row", (self.scratch / "float.patch").read_text(encoding="utf-8"))
        for wide, narrow in zip(done.out.split(), self.patched_output("-O2 -DLONG=1000000").split()):
            self.assertLess(abs(float(wide) - float(narrow)) / abs(float(wide)), 1e-5)

    def test_nothing_can_be_float_where_all_digits_are_asked_for(self):
        self.build(CLOCK, "-O2 -DLONG=1000000")
        self.narrow("1e-15")
        self.assertEqual((self.told["answer"], self.told["diff"], self.told["speedup"]), ("nothing", "", None))

    def test_pointers_and_formats_stay_together(self):
        self.build("#include <math.h>\n#include <stdio.h>\n"
                   "static void fill(double *to, int n) {\n  for (int i = 0; i < n; i++) to[i] = i / 7.0;\n}\n"
                   "int main(void) {\n  double a[4];\n  double whole;\n  double in = 0.5;\n  double part;\n  sscanf(\"0.25\", \"%lf\", &in);\n"
                   "  fill(a, 4);\n  part = modf(a[3] * 9 + in, &whole);\n  printf(\"%g %g\\n\", part, whole);\n  return 0;\n}\n")
        self.narrow("1e-5")
        self.assertEqual(self.told["answer"], "everything-but", self.told)
        self.assertEqual([entry["names"] for entry in self.told["double"]], ["whole", "in"])

    def test_classes_and_typedefs(self):
        self.write("real.h", "typedef double real8;\ntypedef real8 Real;\n")
        self.build("#include \"real.h\"\n#include <algorithm>\n#include <iostream>\n#include <vector>\n"
                   "struct Point { Real x, y; };\n"
                   "static Real largest(const std::vector<Point>& points) {\n  Real found = 0;\n"
                   "  for (const Point& p : points) found = std::max(found, p.x * p.y);\n  return found;\n}\n"
                   "int main() {\n  std::vector<Point> points;\n"
                   "  for (int i = 0; i < 100; i++) points.push_back({Real(i) / 3, Real(100 - i) / 7});\n"
                   "  std::cout << largest(points) << std::endl;\n  return 0;\n}\n", compiler="$CXX", name="app.cpp")
        self.narrow("1e-5")
        self.assertEqual((self.told["answer"], self.told["declarations"]), ("everything", 2), self.told)

    def test_numbers_that_vary_from_run_to_run_are_not_compared(self):
        self.build("#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\nint main(void) {\n  struct timespec t;\n"
                   "  clock_gettime(CLOCK_MONOTONIC, &t);\n  double now = t.tv_nsec * 1e-9, third = 1.0 / 3;\n"
                   "  printf(\"%g\\n%g\\n\", third, now);\n  return 0;\n}\n")
        done = self.narrow("1e-5")
        self.assertEqual((self.told["compared"], self.told["varying"]), (1, 1))
        self.assertIn("two runs of the program itself differ", done.err)

    def test_what_cannot_be_narrowed_is_refused_with_the_reason(self):
        self.build("#include <stdio.h>\nint main(void) {\n  float x = 1;\n  printf(\"%g\\n\", x);\n  return 0;\n}\n")
        run = self.run_faultline("run", "--narrow", "1e-5", "--", "./app", status=3, XDG_CACHE_HOME=str(self.folder / "cache"))
        self.assertIn("declare nothing as double", run.err)
        run = self.run_faultline("run", "--narrow", "2", "--", "./app", status=2)
        self.assertIn("--narrow 1e-6", run.err)
