"""faultline run: where a whole program loses its digits."""
import json
import math
import os
import signal
import subprocess

from capture_test import CaptureCase
from faultline_case import FAULTLINE

CANCELLATION = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double versine(double x) {
  double c = cos(x);
  return 1.0 - c;
}
int main(int argc, char **argv) {
  double x = atof(argv[1]);
  printf("begin\n");
  printf("x %g\nquotient %g\n", x, versine(x) / (x * x));
  return 0;
}
"""
STABLE = r"""
#include <math.h>
#include <stdio.h>
int main(void) {
  double sum = 0;
  for (int i = 1; i <= 1000; i++)
    sum += sqrt(i) * exp(-0.001 * i);
  printf("%.10g\n", sum);
  double s = sin(0.5e-7);
  printf("%g\n", 2 * s * s);
  return 0;
}
"""


class RunCase(CaptureCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"

    def build(self, name, text, compiler="$CC", flags="-O2", libraries="-lm"):
        self.write(name, text)
        self.sh(f"{compiler} {flags} {name} -o app {libraries}")

    def run_program(self, *words, status=0, options=(), **environment):
        """The program's own output, the report on standard error, and the JSON."""
        done = self.run_faultline("run", "-o", "run.json", *options, "--", "./app", *words, status=status,
                                  XDG_CACHE_HOME=str(self.cache), **environment)
        self.told = json.loads((self.scratch / "run.json").read_text(encoding="utf-8"))
        return done

    def problems(self, kind):
        return [problem for problem in self.told["problems"] if problem["class"] == kind]

    def digits(self):
        return [output["digits"] for output in self.told["outputs"]]


class Run(RunCase):
    def test_a_cancellation_is_named_at_its_line(self):
        self.build("app.c", CANCELLATION)
        done = self.run_program("1e-8")
        self.assertIn("quotient 0", done.out)
        (problem,) = self.problems("inaccuracy")
        self.assertEqual((problem["file"], problem["line"], problem["functions"]), ("app.c", 7, ["versine"]))
        self.assertIn("return 1.0 - c", done.err)
        bad = [output for output in self.told["outputs"] if output["digits"] < 3]
        self.assertEqual([(output["line"], output["cause"]["line"]) for output in bad], [(3, 7)])

    def test_digits_of_printed_numbers_are_as_many_as_are_right(self):
        self.build("app.c", CANCELLATION)
        for x in ("1e-7", "2e-6", "3e-5", "0.01", "1"):
            done = self.run_program(x, options=["--no-causes"])
            value, number = float(self.told["outputs"][1]["text"]), float(x)
            exact = 2 * math.sin(number / 2) ** 2 / number**2
            right = -math.log10(max(abs(value - exact) / exact, 1e-16))
            self.assertAlmostEqual(self.told["outputs"][1]["digits"], right, delta=0.1 if right < 13 else 2, msg=done.err)

    def test_a_correct_program_shows_no_problem(self):
        self.build("app.c", STABLE)
        done = self.run_program()
        self.assertEqual(done.out, self.sh("./app").stdout)
        self.assertEqual(self.told["problems"], [])
        self.assertTrue(all(digits > 12 for digits in self.digits()), self.digits())

    def test_a_nan_is_named_where_it_is_born_not_where_it_is_printed(self):
        self.build("app.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **a) {\n"
                            "  double z = atof(a[1]);\n  double q = z / z;\n  printf(\"%g\\n\", q + 1);\n  return 0;\n}\n")
        done = self.run_program("0")
        (problem,) = self.problems("invalid")
        self.assertEqual(problem["line"], 5)
        self.assertIn("a NaN is printed: line 1", done.err)
        self.assertEqual((problem["tier"], problem["confirmed"]), ("error", True))
        self.run_program("1")
        self.assertEqual(self.problems("invalid"), [])

    def test_a_flipped_comparison_is_counted_and_a_right_one_is_not(self):
        self.build("app.c", "#include <stdio.h>\nint main(void) {\n  volatile double step = 0.1, quarter = 0.25;\n"
                            "  int n = 0, m = 0;\n  for (double t = 0; t < 1; t += step)\n    n++;\n"
                            "  for (double t = 0; t < 1; t += quarter)\n    m++;\n"
                            "  printf(\"%d %d\\n\", n, m);\n  return 0;\n}\n")
        self.assertEqual(self.run_program().out, "11 4\n")
        self.assertEqual([(flip["line"], flip["count"]) for flip in self.told["flips"]], [(5, 1)])

    def test_the_exit_status_arguments_and_input_are_the_programs(self):
        self.build("app.c", "#include <stdio.h>\nint main(int n, char **a) {\n  double x;\n"
                            "  if (scanf(\"%lf\", &x) != 1) return 9;\n  printf(\"%s %s %g\\n\", a[0], a[1], x);\n  return 7;\n}\n")
        done = subprocess.run([FAULTLINE, "run", "-q", "--", "./app", "two words"], cwd=self.scratch, input="1.5\n",
                              capture_output=True, text=True, check=False,
                              env=self.environment(XDG_CACHE_HOME=str(self.cache)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "./app two words 1.5\n", ""))

    def test_a_crash_a_kill_and_an_early_exit_leave_a_report(self):
        self.build("app.c", "#include <math.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                            "#include <unistd.h>\nint main(int n, char **a) {\n  double x = atof(a[1]);\n"
                            "  printf(\"%g\\n\", (1 - cos(x)) / (x * x));\n  fflush(stdout);\n"
                            "  if (n > 3) _exit(5);\n  raise(atoi(a[2]));\n  return 0;\n}\n")
        for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            done = self.run_program("1e-8", str(int(number)), status=128 + number)
            self.assertEqual(self.problems("inaccuracy")[0]["line"], 8)
            self.assertIn(f"ended by signal {int(number)}", done.err)
        self.run_program("1e-8", "0", "exit", status=5)
        self.assertEqual(self.problems("inaccuracy")[0]["line"], 8)

    def test_forked_processes_count_together(self):
        self.build("app.c", "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n"
                            "#include <unistd.h>\nint main(int n, char **a) {\n  double x = atof(a[1]);\n"
                            "  if (fork() == 0) x *= 2;\n  else wait(0);\n"
                            "  printf(\"%g\\n\", (1 - cos(x)) / (x * x));\n  return 0;\n}\n")
        self.run_program("1e-8")
        self.assertEqual(self.told["run"]["printed"], 2)

    def test_threads_keep_their_residues_apart(self):
        self.build("app.c", "#include <math.h>\n#include <pthread.h>\n#include <stdio.h>\n"
                            "static double third(double a, double b) { return a + b / 3; }\n"
                            "static double (*volatile call)(double, double) = third;\n"
                            "static void *work(void *p) {\n  double *x = p;\n"
                            "  for (int i = 0; i < 100000; i++) *x = call(*x, 1);\n  return 0;\n}\n"
                            "int main(void) {\n  pthread_t t[4];\n  double x[4] = {0, 1, 2, 3};\n"
                            "  for (int i = 0; i < 4; i++) pthread_create(t + i, 0, work, x + i);\n"
                            "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
                            "  for (int i = 0; i < 4; i++) printf(\"%.17g\\n\", x[i]);\n  return 0;\n}\n",
                   libraries="-lm -lpthread")
        self.run_program()
        for i, output in enumerate(self.told["outputs"]):
            exact = i + 100000 / 3
            error = abs(float(output["text"]) - exact) / exact
            self.assertGreater(error, 1e-13)
            self.assertAlmostEqual(10 ** -output["digits"] / error, 1, delta=0.01)

    def test_values_that_other_code_writes_are_exact(self):
        self.build("app.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                            "static int order(const void *a, const void *b) {\n"
                            "  double x = *(const double *)a, y = *(const double *)b;\n  return x < y ? -1 : x > y;\n}\n"
                            "int main(void) {\n  double x[3] = {0, 0, 0};\n"
                            "  for (int i = 0; i < 3; i++) x[i] = 1.0 / (3 + i) - 0.1 / (0.3 + 0.1 * i);\n"
                            "  sscanf(\"0.5 0.25 0.125\", \"%lf %lf %lf\", x, x + 1, x + 2);\n"
                            "  qsort(x, 3, sizeof *x, order);\n  printf(\"%g %g %g\\n\", x[0], x[1], x[2]);\n  return 0;\n}\n")
        self.assertEqual(self.run_program().out, "0.125 0.25 0.5\n")
        self.assertEqual(self.digits(), [15.95] * 3)

    def test_what_is_not_followed_has_unknown_digits_not_all_of_them(self):
        self.write("other.c", "double other(double x) { return x * 3; }\n")
        self.sh("cc -shared -fPIC other.c -o libother.so")
        self.build("app.c", "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\ndouble other(double);\n"
                            "int main(int n, char **a) {\n  double x = 1 - cos(atof(a[1])), whole;\n  int e;\n"
                            "  printf(\"%g %g\\n\", other(x), other(atof(a[1])));\n"
                            "  printf(\"%g %g %g\\n\", x, frexp(x, &e), ldexp(x, n));\n"
                            "  printf(\"%g\\n\", modf(x * 1e6 + 2, &whole));\n"
                            "  return 0;\n}\n", libraries="-L. -lother -Wl,-rpath,$PWD -lm")
        done = self.run_program("1e-6")
        digits = self.digits()
        self.assertEqual(digits[:2], [None, 15.95])
        self.assertTrue(all(3 < one < 5 for one in digits[2:]), digits)
        self.assertIn("libother.so", done.err)

    def test_cxx_streams_classes_and_exceptions(self):
        self.build("app.cpp", "#include <iostream>\n#include <stdexcept>\n#include <vector>\n"
                              "struct Point { double x, y, z; };\n"
                              "static double area(Point a, Point b) {\n"
                              "  if (a.x == b.x) throw std::runtime_error(\"equal\");\n"
                              "  return a.x * b.y -\n         b.x * a.y;\n}\n"
                              "int main(int n, char **) {\n  std::vector<Point> p;\n"
                              "  for (int i = 0; i < 9; i++) p.push_back({1 + i * 1e-9, 1 / 3.0 + i * 1e-9, n / 7.0});\n"
                              "  std::cout << \"area\" << std::endl << area(p[3], p[4]) << '\\n';\n"
                              "  try { area(p[1], p[1]); } catch (std::exception &e) { std::cout << e.what() << \"\\n\"; }\n"
                              "  return 0;\n}\n", "$CXX")
        done = self.run_program()
        self.assertEqual(done.out, self.sh("./app").stdout)
        (output,) = self.told["outputs"]
        self.assertEqual((output["line"], output["cause"]["line"]), (2, 7))
        self.assertTrue(6 < output["digits"] < 9, output)

    def test_fortran_modules_and_writes(self):
        self.build("app.f90", "module m\ncontains\nreal(8) function variance(x)\n  real(8), intent(in) :: x(:)\n"
                              "  variance = sum(x**2) / size(x) - (sum(x) / size(x))**2\nend function\nend module\n"
                              "program p\n  use m\n  real(8) :: x(100)\n  integer :: i\n  do i = 1, 100\n"
                              "    x(i) = 1.0d7 + i * 0.01d0\n  end do\n  print *, 'variance'\n"
                              "  write (*, '(f12.6)') variance(x)\nend program\n", "$FC")
        self.run_program()
        (problem,) = self.problems("inaccuracy")
        self.assertEqual(problem["line"], 5)
        self.assertEqual([output["line"] for output in self.told["outputs"]], [2])

    def test_float_sums_are_judged_by_their_exact_value(self):
        self.build("app.c", "#include <stdio.h>\nint main(void) {\n  volatile float step = 0.1f;\n  float sum = 0;\n"
                            "  for (int i = 0; i < 1000000; i++)\n    sum += step;\n  printf(\"%g\\n\", sum);\n  return 0;\n}\n")
        self.run_program()
        (digits,) = self.digits()
        self.assertAlmostEqual(digits, 2.01, delta=0.1)  # 100958 for 100000

    def test_a_program_without_bitcode_is_refused_with_what_to_do(self):
        self.write("app.c", "int main(void) { return 0; }\n")
        self.sh("cc app.c -o app")
        run = self.run_faultline("run", "--", "./app", status=3, XDG_CACHE_HOME=str(self.cache))
        self.assertIn("has no bitcode", run.err)
        self.assertIn("CC=faultline-cc", run.err)

    def test_missing_objects_are_named(self):
        self.write("app.c", "double half(double);\nint main(void) { return (int)half(3); }\n")
        self.write("half.c", "double half(double x) { return x / 2; }\n")
        self.sh("cc -c half.c && $CC -c app.c && $CC app.o half.o -o app")
        run = self.run_faultline("run", "--", "./app", status=3, XDG_CACHE_HOME=str(self.cache))
        self.assertIn("needs code that was not captured: half", run.err)

    def test_the_mark_before_the_program_is_asked_for(self):
        run = self.run_faultline("run", "./app", "-x", status=2)
        self.assertIn("put -- before the program", run.err)

    def test_the_second_run_uses_the_twin_of_the_first(self):
        self.build("app.c", STABLE)
        self.run_program(options=["--once"])
        twins = {path: os.stat(path).st_mtime_ns for path in self.cache.rglob("twin")}
        self.run_program(options=["--once"])
        self.assertEqual({path: os.stat(path).st_mtime_ns for path in self.cache.rglob("twin")}, twins)
        self.assertEqual(len(twins), 1)
