"""State that a search cannot invent: memory behind pointers in structs, and functions that make an object (--setup)."""
import json
import subprocess

from faultline_case import FaultlineCase

SERIES = """\
#include <stdlib.h>
#include <string.h>
struct note { int status; double at; };
struct series {
  int n;
  double *values;
  char (*names)[8];
  struct note *note;
};
double variance(struct series *s) {
  double sum = 0, squares = 0;
  for (int i = 0; i < s->n; i++) {
    sum += s->values[i];
    squares += s->values[i] * s->values[i];
  }
  s->note->at = sum;
  return squares / s->n - sum / s->n * (sum / s->n);
}
double sum_of_squares(struct series *s) {
  double squares = 0;
  for (int i = 0; i < s->n; i++)
    squares += s->values[i] * s->values[i];
  return strcmp(s->names[0], "half") ? squares : squares / 2;
}
double taken(struct series *s, double x) {
  double first = s->values[0];
  free(s->values);
  s->values = NULL;
  return first * x;
}
double reported(double x, struct note **note) {
  if (note && !*note) *note = calloc(1, sizeof **note);
  return note ? x * 2 : x;
}
"""
FILTER = """\
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
struct filter { double (*step)(double); double gain; };
static double half(double x) { return x / 2; }
int filter_init(struct filter *f, double gain, int order) {
  if (!(gain > 0) || order != 2) return -1;
  f->step = half;
  f->gain = gain;
  return 0;
}
bool filter_try(struct filter *f) { return filter_init(f, 1, 2) == 0; }
struct filter *filter_new(double gain) {
  struct filter *f = malloc(sizeof *f);
  if (filter_init(f, gain, 2)) { free(f); return NULL; }
  return f;
}
double filter_run(const struct filter *f, double x) { return 1 - cos(f->step(x) * f->gain); }
double filter_twice(const struct filter *f, double x) { return f->step(f->step(x)) * f->gain; }
int filter_all(struct filter *f, const double *gains) { return filter_init(f, gains[0] + gains[1], 2); }
int filter_copy(struct filter *f, const struct filter *from) { *f = *from; return 0; }
"""


class Setup(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("series.c", SERIES)
        self.write("filter.c", FILTER)

    def target(self, *words, status):
        run = self.run_faultline("hunt", *words, "--evals", "3000", "--fail-on", "warning", "-o", "-", status=status)
        return json.loads(run.out)

    def test_a_pointer_in_a_struct_has_memory_of_the_length_that_the_code_uses(self):
        report = self.target("series.c", "-f", "variance", "--for", "error,crashes", status=1)
        finding = report["targets"][0]["findings"][0]
        self.assertEqual((finding["kind"], finding["cause"]["line"]), ("inaccuracy", 17))
        self.assertEqual(len(finding["input"]["s.values"]), int(finding["input"]["s.n"]["decimal"]))
        self.assertGreater(len(finding["input"]["s.values"]), 1)

    def test_correct_code_of_such_a_struct_has_no_problem(self):
        report = self.target("series.c", "-f", "sum_of_squares", "-f", "taken", "--for", "error,crashes", status=0)
        for target in report["targets"]:
            self.assertEqual((target["findings"], target["judged"] > 0), ([], True), target)

    def test_the_size_of_a_field_can_be_given(self):
        listed = self.run_faultline("list", "series.c", "-f", "variance", "--size", "s.values=3", status=0).out
        self.assertIn("s.values[0..2]: binary64", listed)
        report = self.target("series.c", "-f", "variance", "--size", "s.values=2", "--hold", "s.n=2", status=1)
        self.assertEqual(len(report["targets"][0]["findings"][0]["input"]["s.values"]), 2)

    def test_a_pointer_that_the_code_tests_points_to_null(self):
        self.target("series.c", "-f", "reported", "--for", "error,crashes", status=0)

    def test_tests_of_such_a_struct_compile_and_fail(self):
        self.run_faultline("hunt", "series.c", "-f", "variance", "--size", "s.values=2", "--hold", "s.n=2", "--evals", "3000", "-o",
                           "t.c", status=1)
        subprocess.run(["clang-19", "-O2", "-w", "t.c", "series.c", "-lm", "-o", "t"], cwd=self.scratch, check=True, timeout=100)
        done = subprocess.run(["./t"], cwd=self.scratch, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 1, done)

    def test_a_setup_function_makes_what_cannot_be_searched(self):
        self.run_faultline("hunt", "filter.c", "-f", "filter_run", status=3)
        for setup, inputs in (("filter_init", {"x", "filter_init.gain", "filter_init.order"}), ("filter_try", {"x"}),
                              ("filter_new", {"x", "filter_new.gain"}), ("filter_all", {"x", "filter_all.gains"})):
            with self.subTest(setup):
                report = self.target("filter.c", "-f", "filter_run", "--setup", setup, status=1)
                finding = next(one for one in report["targets"][0]["findings"] if one["kind"] == "inaccuracy")
                self.assertEqual(set(finding["input"]), inputs)
                self.assertEqual(finding["cause"]["line"], 18)

    def test_correct_code_after_a_setup_has_no_error(self):
        report = self.target("filter.c", "-f", "filter_twice", "--setup", "filter_init", "--for", "error,crashes", status=0)
        self.assertGreater(report["targets"][0]["judged"], 0)

    def test_list_and_hunt_agree_on_what_a_setup_makes_suitable(self):
        listed = self.run_faultline("list", "filter.c", "--setup", "filter_init", status=0).out
        self.assertIn("setup   f, by filter_init", listed)
        hunted = {target["function"] for target in self.target("filter.c", "--setup", "filter_init", status=1)["targets"]}
        self.assertLessEqual({"filter_run", "filter_twice"}, hunted)

    def test_a_project_names_its_setups_once(self):
        self.write("faultline.toml", 'setup = ["filter_init"]\n')
        self.target("filter.c", "-f", "filter_run", status=1)

    def test_a_setup_that_makes_nothing_is_refused(self):
        for setup, why in (("filter_inti", "there is no function"), ("half", "it neither gets nor returns"),
                           ("filter_copy", "its argument from")):
            refused = self.run_faultline("hunt", "filter.c", "-f", "filter_run", "--setup", setup)
            self.assertIn(refused.status, (2, 3), refused)
            self.assertIn(why, refused.err, setup)
        refused = self.run_faultline("hunt", "series.c", "filter.c", "-f", "reported", "--setup", "filter_init", status=2)
        self.assertIn("no function takes what it makes", refused.err)
