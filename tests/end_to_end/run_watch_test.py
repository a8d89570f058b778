"""faultline run: watched variables, the formats of its report, and what further runs say."""
import json
import os
import re
import subprocess

from faultline_case import FAULTLINE
from run_test import CANCELLATION, RunCase

WATCHED = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double total;
static double table[64];
static void fill(double *to, double x, int n) {
  for (int i = 0; i < n; i++) to[i] = 1 - cos(x * (i + 1));
}
int main(int argc, char **argv) {
  double *block = malloc(32 * sizeof *block), x = atof(argv[1]);
  for (int round = 0; round < 10; round++) {
    double difference = 1 - cos(x / (round + 1));
    total += difference;
    fill(table, x, 64);
    fill(block, x, 32);
    printf("%g\n", difference + block[3]);
  }
  printf("%g %g\n", total, table[5]);
  free(block);
  return 0;
}
"""
FLIP = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  double step = atof(argv[1]);
  int n = 0, m = 0;
  for (double t = 0; t < 1; t += step)
    n++;
  double sum = 0, end;
  for (int i = 0; i < 10; i++)
    sum += step;
  if (sum < 1) end = 2 * sum; else end = 1 + sum;
  m = end > 1.5;
  printf("%d %d\n", n, m);
  return 0;
}
"""


class RunWatch(RunCase):
    def watched(self):
        return {watch["name"]: watch for watch in self.told["watched"]}

    def test_watched_variables_have_their_right_digits_over_time(self):
        self.build("app.c", WATCHED)
        options = [word for name in ("difference", "total", "table", "block") for word in ("--watch", name)]
        done = self.run_program("1e-6", options=options)
        watched = self.watched()
        self.assertEqual([watched[name]["elements"] for name in ("difference", "total", "table", "block")], [1, 1, 64, 32])
        self.assertEqual([watched[name]["assignments"] for name in ("difference", "total")], [10, 10])
        self.assertTrue(9 <= watched["table"]["assignments"] <= 11, watched["table"])
        digits = [digits for _, _, digits in watched["difference"]["samples"]]
        self.assertTrue(3 < digits[0] < 5, digits)  # 1 - cos(1e-6)
        self.assertLess(digits[9], 3.5)  # 1 - cos(1e-7)
        self.assertIn("watched difference (app.c:13): 10 assignments, right digits", done.err)

    def test_fortran_variables_are_watched(self):
        self.build("app.f90", "program p\n  real(8), allocatable :: x(:)\n  real(8) :: total\n  integer :: i, k\n"
                              "  allocate (x(100))\n  do k = 1, 20\n    do i = 1, 100\n      x(i) = sin(1.0d0 * i * k)\n    end do\n"
                              "    total = sum(x) - 1\n    print *, total\n  end do\nend program\n", "$FC")
        self.run_program(options=["--watch", "total"])
        self.assertEqual((self.watched()["total"]["assignments"], self.watched()["total"]["places"][0]["line"]), (20, 3))

    def test_a_name_that_no_variable_has_is_told(self):
        self.build("app.c", CANCELLATION)
        self.assertIn("no variable of floats has this name", self.run_program("1", options=["--watch", "nowhere"]).err)

    def test_the_page_and_sarif_show_the_same_problem(self):
        self.build("app.c", CANCELLATION)
        self.run_program("1e-8", options=["-o", "run.html", "-o", "run.sarif", "--watch", "c"])
        page = (self.scratch / "run.html").read_text()
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(data["problems"], self.told["problems"])
        lines = {line["number"]: line for file in data["source"] for line in file["lines"]}
        self.assertIn("return 1.0 - c;", lines[7]["text"])
        self.assertGreater(lines[7]["loss"], 10)
        (run,) = json.loads((self.scratch / "run.sarif").read_text())["runs"]
        (result,) = [result for result in run["results"] if result["ruleId"] == "inaccuracy"]
        region = result["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((result["level"], region["startLine"]), ("warning", 7))

    def test_a_flip_that_changes_what_is_printed_matters(self):
        self.build("app.c", FLIP)
        self.assertEqual(self.run_program("0.1").out, "11 1\n")
        self.assertEqual([(flip["line"], flip["mattered"]) for flip in self.told["flips"]], [(7, True), (12, False)])
        self.assertEqual([(problem["line"], problem["tier"]) for problem in self.problems("branch-flip")], [(7, "warning")])

    def test_a_run_that_is_another_one_each_time_is_not_confirmed(self):
        self.build("app.c", "#include <stdio.h>\n#include <math.h>\n#include <unistd.h>\nint main(void) {\n  double x = getpid() * 1e-9;\n"
                            "  printf(\"%g %g\\n\", x, 1 - cos(x));\n  return 0;\n}\n")
        done = self.run_program()
        self.assertFalse(self.told["run"]["repeated"])
        self.assertIn("not confirmed: the second run was another one", done.err)
        self.assertEqual([problem["confirmed"] for problem in self.problems("inaccuracy")], [False])

    def test_further_runs_change_no_file_and_read_the_same_input(self):
        self.build("app.c", "#include <stdio.h>\n#include <math.h>\nint main(void) {\n  double x;\n  if (scanf(\"%lf\", &x) != 1) return 3;\n"
                            "  FILE *log = fopen(\"log\", \"a\");\n  if (log) { fprintf(log, \"run\\n\"); fclose(log); }\n"
                            "  printf(\"%g\\n\", 1 - cos(x));\n  return 0;\n}\n")
        self.write("input", "1e-8\n")
        self.sh(f"{FAULTLINE} run -o run.json -- ./app < input", XDG_CACHE_HOME=str(self.cache))
        self.told = json.loads((self.scratch / "run.json").read_text())
        self.assertTrue(self.told["run"]["repeated"], self.told["run"])
        self.assertEqual((self.scratch / "log").read_text(), "run\n")

    def test_the_exit_status_tells_the_tier_that_is_asked_for(self):
        self.build("app.c", CANCELLATION)
        self.run_program("1e-8", options=["--fail-on", "warning"], status=1)
        self.run_program("1e-8", options=["--fail-on", "error"])
        self.run_program("1", options=["--fail-on", "warning"])

    def test_a_full_disk_loses_neither_the_screen_nor_the_exit_status(self):
        self.build("app.c", CANCELLATION)
        done = self.run_faultline("run", "-o", "/dev/full", "--", "./app", "1e-8", status=None, XDG_CACHE_HOME=str(self.cache))
        self.assertIn("ending does not say", done.err)
        os.symlink("/dev/full", self.scratch / "full.json")
        done = self.run_faultline("run", "-o", "full.json", "--", "./app", "1e-8", status=2, XDG_CACHE_HOME=str(self.cache))
        self.assertIn("loses digits of 1 printed number", done.err)
        self.assertIn("No space left", done.err)

    def test_a_cache_that_cannot_be_written_is_told_before_the_program_runs(self):
        self.build("app.c", CANCELLATION)
        done = self.run_faultline("run", "--", "./app", "1e-8", status=2, XDG_CACHE_HOME="/proc")
        self.assertIn("XDG_CACHE_HOME", done.err)
        self.assertEqual(done.out, "")

    def test_signal_handlers_and_libraries_that_are_loaded_late_have_a_report(self):
        self.write("late.c", "double half(double x) { return x / 2; }\n")
        self.sh("cc -shared -fPIC late.c -o liblate.so")
        self.build("app.c", "#include <dlfcn.h>\n#include <math.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                            "static volatile double seen = 1e-8;\n"
                            "static void on(int s) { seen = 1 - cos(seen); }\n"
                            "int main(void) {\n  signal(SIGUSR1, on);\n  raise(SIGUSR1);\n"
                            "  void *library = dlopen(\"./liblate.so\", RTLD_NOW);\n"
                            "  double (*half)(double) = (double (*)(double))dlsym(library, \"half\");\n"
                            "  printf(\"%g %g\\n\", seen, half(3));\n  return 0;\n}\n", libraries="-lm -ldl")
        self.run_program()
        (problem,) = self.problems("inaccuracy")
        self.assertEqual(problem["line"], 7)

    def test_ctrl_c_reaches_the_program_and_the_report_is_written(self):
        self.build("app.c", "#include <math.h>\n#include <stdio.h>\n#include <unistd.h>\n#include <signal.h>\n#include <stdlib.h>\nint main(int n, char **a) {\n"
                            "  double x = atof(a[1]);\n  printf(\"%g\\n\", 1 - cos(x));\n  fflush(stdout);\n  kill(0, 2);\n  pause();\n}\n")
        done = subprocess.run(["setsid", FAULTLINE, "run", "-o", "run.json", "--", "./app", "1e-8"], cwd=self.scratch, text=True,
                              capture_output=True, timeout=60, check=False, env=self.environment(XDG_CACHE_HOME=str(self.cache)))
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("not confirmed: the first run was stopped", done.stderr)
        self.assertEqual(json.loads((self.scratch / "run.json").read_text())["run"]["signal"], 2)
