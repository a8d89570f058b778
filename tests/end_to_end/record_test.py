"""faultline record: what the functions of a real program are called with, and a hunt by it."""
import json

from capture_test import CaptureCase

VERSINE = "#include <math.h>\ndouble versine(double x) {\n  return 1 - cos(x);\n}\n"
POLYNOMIAL = "float line(float a, int n, long double c) {\n  return a * n + (float)c;\n}\n"
MAIN = r"""
#include <stdio.h>
double versine(double);
float line(float, int, long double);
int main(void) {
  double sum = 0;
  for (int i = 1; i <= 20; ++i)
    sum += versine(i * 0.5);
  sum += line(-2.5f, 7, 0.125L) + line(1.5f, -3, 0.25L);
  printf("%g\n", sum);
  return 0;
}
"""


class RecordCase(CaptureCase):
    def setUp(self):
        super().setUp()
        self.write("versine.c", VERSINE)
        self.write("line.c", POLYNOMIAL)
        self.write("main.c", MAIN)

    def record(self, *program, status=0):
        done = self.run_faultline("record", "--", *program, status=status)
        with open(self.scratch / "seen.json", encoding="utf-8") as file:
            self.seen = json.load(file)
        return done

    def function(self, name):
        return next(seen for seen in self.seen["seen"] if seen["function"] == name)

    def stretch(self, function, name):
        cell = next(cell for cell in self.function(function)["inputs"] if cell["name"] == name)
        return float(cell["low"]), float(cell["high"])


class Record(RecordCase):
    def test_a_program_without_its_mark_is_told_where_it_belongs(self):
        run = self.run_faultline("record", "-o", "seen.json", "./app", "--fast", status=2)
        self.assertIn("./app: put -- before the program", run.err)
        self.assertIn("faultline record -- ./app --fast", run.err)

    def test_arguments_are_noted_as_they_are(self):
        self.sh("$CC -O2 versine.c line.c main.c -o app -lm")
        done = self.record("./app")
        self.assertEqual(done.out, self.sh("./app").stdout)
        self.assertIn("2 functions seen in 1 process, 22 calls noted", done.err)
        self.assertEqual(self.stretch("versine", "x"), (0.5, 10))
        self.assertEqual([self.stretch("line", name) for name in "anc"], [(-2.5, 1.5), (-3, 7), (0.125, 0.25)])
        a = self.function("line")["inputs"][0]
        self.assertEqual((a["negative"], a["zero"], a["least"], a["positives"], a["negatives"]), (1, 0, "1.5", [[0, 1]], [[1, 1]]))
        self.assertIn(["-0x1.4p+1", "0x1.cp+2", "0x1p-3"], self.function("line")["tuples"])

    def test_forks_and_threads_are_seen(self):
        self.write("main.c", """#include <pthread.h>
            #include <sys/wait.h>
            #include <unistd.h>
            double versine(double);
            static void* work(void* x) { versine(*(double*)x); return 0; }
            int main(void) {
              double values[4] = {1, 2, 3, 400};
              pthread_t threads[4];
              for (int i = 0; i < 4; ++i) {
                pthread_create(&threads[i], 0, work, &values[i]);
                pthread_join(threads[i], 0);
              }
              if (fork() == 0) { versine(-5); _exit(0); }
              if (fork() == 0) { versine(0); raise(9); }
              while (wait(0) > 0);
              return 0;
            }""".replace("<pthread.h>", "<pthread.h>\n#include <signal.h>"))
        self.sh("$CC -O2 versine.c main.c -o app -lm -lpthread")
        self.record("./app")
        self.assertEqual(self.seen["processes"], 3)
        self.assertEqual(self.stretch("versine", "x"), (-5, 400))
        self.assertEqual(self.function("versine")["inputs"][0]["zero"], 1)

    def test_threads_at_the_same_time_do_no_harm(self):
        self.write("main.c", """#include <pthread.h>
            double versine(double);
            static void* work(void* sum) {
              for (int i = 0; i < 200000; ++i) *(double*)sum += versine(i % 100);
              return 0;
            }
            int main(void) {
              double sums[4] = {0};
              pthread_t threads[4];
              for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, &sums[i]);
              for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
              return sums[0] != sums[1] || sums[1] != sums[2] || sums[2] != sums[3];
            }""")
        self.sh("$CC -O2 versine.c main.c -o app -lm -lpthread")
        self.record("./app")
        self.assertEqual(self.stretch("versine", "x"), (0, 99))
        self.assertTrue(self.function("versine")["sampled"])

    def test_programs_that_a_script_starts_are_seen(self):
        self.sh("$CC -O2 versine.c line.c main.c -o app -lm")
        self.write("check.sh", "#!/bin/sh\n./app > one.txt && ./app > two.txt\n")
        self.sh("chmod +x check.sh")
        self.record("./check.sh")
        self.assertEqual((self.seen["processes"], self.function("versine")["calls"]), (2, 40))

    def test_libraries_that_are_loaded_are_seen(self):
        self.write("area.cpp", "namespace shapes { double area(const double& r) { return 3.14159 * r * r; } }\n")
        self.write("main.c", """#include <dlfcn.h>
            int main(void) {
              void* library = dlopen("./libarea.so", RTLD_NOW);
              double (*area)(const double*) = (double (*)(const double*))dlsym(library, "_ZN6shapes4areaERKd");
              double r = 1.75;
              return area(&r) < 0;
            }""")
        self.sh("$CXX -O2 -shared -fPIC area.cpp -o libarea.so; cc main.c -o app")
        self.record("./app")
        self.assertEqual([seen["inputs"][0]["low"] for seen in self.seen["seen"]], ["1.75"])

    def test_fortran_arguments_are_noted(self):
        self.write("half.f90", "real(8) function half(x, n)\n  real(8), intent(in) :: x\n  integer, intent(in) :: n\n"
                               "  half = x / n\nend function\n")
        self.write("main.f90", "program main\n  real(8), external :: half\n  print *, half(-6d0, 4) + half(1d-3, 2)\nend program\n")
        self.sh("$FC -O2 half.f90 main.f90 -o app")
        self.record("./app")
        self.assertEqual([self.stretch("half", name) for name in "xn"], [(-6, 1e-3), (2, 4)])

    def test_the_exit_status_is_the_programs(self):
        self.write("main.c", "double versine(double);\nint main(void) { return versine(1) > 0 ? 7 : 0; }\n")
        self.sh("$CC -O2 versine.c main.c -o app -lm")
        self.assertIn("./app failed, with exit status 7", self.record("./app", status=7).err)

    def test_arrays_and_structs_are_noted_whole(self):
        self.write("curve.c", """#include <stddef.h>
            typedef struct { double low, high; int steps; } Grid;
            typedef struct { size_t size; double *data; } Series;
            double mean(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s / n; }
            double width(const Grid *grid) { return (grid->high - grid->low) / grid->steps; }
            double trace(const double m[2][2]) { return m[0][0] + m[1][1]; }
            double total(const Series *s) { double t = 0; for (size_t i = 0; i < s->size; i++) t += s->data[i]; return t; }
            """)
        self.write("main.c", """#include <stddef.h>
            typedef struct { double low, high; int steps; } Grid;
            typedef struct { size_t size; double *data; } Series;
            double mean(const double *, int); double width(const Grid *); double trace(double[2][2]); double total(const Series *);
            int main(void) {
              double x[3] = {1, 2, 4.5}, m[2][2] = {{1, 2}, {3, 4}};
              Grid grid = {-1, 3, 8};
              Series series = {2, x + 1};
              return mean(x, 3) + mean(x, 2) + width(&grid) + trace(m) + total(&series) < 0;
            }""")
        self.sh("$CC -O2 curve.c main.c -o app")
        self.record("./app")
        x, n = self.function("mean")["inputs"]
        self.assertEqual((x["name"], x["shortest"], x["longest"], x["low"], x["high"]), ("x", 2, 3, "1", "4.5"))
        self.assertEqual((n["low"], n["high"]), ("2", "3"))
        self.assertIn([["0x1p+0", "0x1p+1", "0x1.2p+2"], "0x1.8p+1"], self.function("mean")["tuples"])
        self.assertEqual([self.stretch("width", f"grid.{name}") for name in ("low", "high", "steps")], [(-1, -1), (3, 3), (8, 8)])
        self.assertEqual(self.stretch("trace", "m"), (1, 4))
        self.assertEqual(self.stretch("total", "s.data"), (2, 4.5))

    def test_what_always_held_is_learned(self):
        self.write("band.c", """#include <math.h>
            double band(double low, double high) { return sqrt(high * high - low * low); }
            double mix(const double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i] * p[i]; return s; }
            double knots(const double *x, int n) { double s = 0; for (int i = 1; i < n; i++) s += 1 / (x[i] - x[i - 1]); return s; }
            double any(double a, double b) { return a - b; }""")
        self.write("main.c", """#include <stdlib.h>
            double band(double, double); double mix(const double *, int); double knots(const double *, int);
            double any(double, double);
            int main(void) {
              double sum = 0;
              for (int i = 1; i <= 30; i++) {
                double a = (double)rand() / RAND_MAX, b = (double)rand() / RAND_MAX;
                double p[3] = {a / 3, b / 2, 1 - a / 3 - b / 2}, x[4] = {-a, b, 1 + a, 2 + i};
                sum += band(a < b ? a : b, a < b ? b : a) + mix(p, 3) + knots(x, 4) + any(a, b);
              }
              return sum < 0;
            }""")
        self.sh("$CC -O2 band.c main.c -o app -lm")
        done = self.record("./app")
        self.assertIn("relation", done.err)
        self.assertEqual([self.function(name).get("relations", []) for name in ("band", "mix", "knots", "any")],
                         [["low < high"], ["sum(p) == 1"], ["increasing(x)"], []])
        for name, check in (("band", lambda i: float(i["low"]["decimal"]) < float(i["high"]["decimal"])),
                            ("knots", lambda i: [float(x["decimal"]) for x in i["x"]] == sorted({float(x["decimal"]) for x in i["x"]}))):
            target = self.hunt("app", "-f", name, "--seen", "seen.json", "--size", "4", "--ulps", "0.4", status=None).targets[name]
            found = [finding["input"] for finding in target["findings"]]
            self.assertTrue(found)
            self.assertTrue(all(check(one) for one in found), found)

    def test_functions_that_cannot_be_noted_are_named(self):
        self.write("odd.c", """#include <math.h>
            double apply(double (*f)(double), double x) { return f(x); }
            double end(const double *x) { while (*x >= 0) x++; return *x; }""")
        self.write("main.c", """#include <math.h>
            double apply(double (*)(double), double); double end(const double *); double versine(double);
            int main(void) { double x[2] = {1, -1}; return apply(sin, 1) + end(x) + versine(1) > 9; }""")
        self.sh("$CC -O2 odd.c versine.c main.c -o app -lm")
        done = self.record("./app")
        self.assertIn("2 functions called, but not recorded", done.err)
        self.assertEqual({one["function"] for one in self.seen["unrecorded"]}, {"apply", "end"})
        self.assertIn("the length of x is not known", done.err)

    def test_a_library_without_a_part_of_its_code_runs_as_it_is(self):
        self.write("third.c", "double third(double x) { return x / 3; }\n")
        self.write("main.c", "double versine(double); double third(double);\nint main(void) { return versine(1) + third(3) > 9; }\n")
        self.sh("""$CC -O2 -fPIC -c versine.c; cc -O2 -fPIC -c third.c; cc -shared versine.o third.o -o libboth.so -lm
                   $CC -O2 main.c -o app -L. -lboth -Wl,-rpath,.""")
        done = self.run_faultline("record", "--", "./app", status=3)
        self.assertIn("libboth.so ran as it is, and was not recorded: code was not captured: third", done.err)

    def test_run_records_too(self):
        self.sh("$CC -O2 versine.c line.c main.c -o app -lm")
        self.run_faultline("run", "--record", "-o", "calls.json", "--", "./app", status=0)
        self.assertEqual(len(json.loads((self.scratch / "calls.json").read_text())["seen"]), 2)

    def test_what_cannot_be_recorded_is_told(self):
        self.sh("cc -O2 versine.c line.c main.c -o plain -lm; $CC -static versine.c line.c main.c -o static -lm")
        self.assertIn("build it with faultline cc", self.run_faultline("record", "--", "./plain", status=3).err)
        self.assertIn("is linked statically", self.run_faultline("record", "--", "./static", status=2).err)
        self.assertIn("no program given", self.run_faultline("record", status=2).err)
        self.assertIn("./gone", self.run_faultline("record", "--", "./gone", status=2).err)



class Seen(RecordCase):
    def setUp(self):
        super().setUp()
        self.sh("$CC -O2 versine.c line.c main.c -o app -lm")
        self.record("./app")

    def inputs(self, *options):
        target = self.hunt("app", "-f", "versine", "--seen", "seen.json", *options, status=None).targets["versine"]
        return target, [float(finding["input"]["x"]["decimal"]) for finding in target["findings"]]

    def test_a_hunt_keeps_to_what_was_seen(self):
        target, inputs = self.inputs()
        self.assertEqual((target["inputs"][0]["low"], target["inputs"][0]["high"]), ("0.25", "20"))
        self.assertTrue(all(0.25 <= x <= 20 for x in inputs), inputs)

    def test_a_range_that_is_given_has_more_weight(self):
        target, inputs = self.inputs("--range", "x=1e-9:1")
        self.assertEqual(target["inputs"][0]["low"], "1e-09")
        self.assertTrue(inputs)

    def test_problems_say_where_they_are(self):
        target, _ = self.inputs("--ulps", "0.5")
        self.assertLessEqual({finding["seen"] for finding in target["findings"]}, {"inside", "near"})
        far, _ = self.inputs("--range", "x=1e-9:1e-7")
        self.assertEqual({finding["seen"] for finding in far["findings"]}, {"outside"})
        text = self.run_faultline("hunt", "app", "-f", "versine", "--seen", "seen.json", "--range", "x=1e-9:1e-7").out
        self.assertIn("outside of what the recorded runs use", text)

    def test_a_hunt_near_a_run_stays_there(self):
        self.write("other.c", "double other(double x) { return 1 - x; }\n")
        self.sh("$CC -O2 versine.c other.c line.c main.c -o app -lm")
        run = self.hunt("app", "--near", "seen.json", "--ulps", "0.4", status=None)
        self.assertEqual({name for name, target in run.targets.items() if target["outcome"] != "refused"}, {"versine", "line"})
        found = [finding for finding in run.targets["versine"]["findings"]]
        self.assertTrue(found and all(finding["seen"] != "outside" for finding in found))

    def test_findings_are_there_again_without_the_recording(self):
        self.run_faultline("hunt", "app", "-f", "versine", "--seen", "seen.json", "--ulps", "0.5", "-o", "found.json")
        self.sh("rm seen.json")
        self.assertRegex(self.run_faultline("replay", "found.json", status=0).out, r"[1-9]\d* reproduced, 0 not")

    def test_files_that_are_none_are_refused(self):
        self.write("seen.json", '{"schema": 1, "command": [], "processes": 1, "seen": [{}]}')
        error = self.run_faultline("hunt", "app", "--seen", "seen.json", status=2).err
        self.assertIn('seen.json: seen[0]: has no "function"', error)
        self.assertIn("faultline record", error)
