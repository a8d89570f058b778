"""Array lengths that are not declared are found by probing, in source, bitcode and captured builds."""
import subprocess

from faultline_case import FAULTLINE, FaultlineCase

ARRAYS = """
double vector(int n, const double *x) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
double matrix(const double *a, int n) { double s = 0; for (int i = 0; i < n * n; ++i) s += a[i]; return s; }
double packed(const double *ap, int n) { double s = 0; for (int i = 0; i < n * (n + 1) / 2; ++i) s += ap[i]; return s; }
double strided(int n, const double *x, int inc) { double s = 0; for (int i = 0; i < n; ++i) s += x[i * inc]; return s; }
double three(const double *p) { return p[0] * p[1] - p[2]; }
"""
FOUND = {
    "vector": [{"parameter": "x", "extents": [4], "formula": "n"}],
    "matrix": [{"parameter": "a", "extents": [16], "formula": "n * n"}],
    "packed": [{"parameter": "ap", "extents": [10], "formula": "n * (n + 1) / 2"}],
    "strided": [{"parameter": "x", "extents": [4], "formula": "(n - 1) * inc + 1"}],
    "three": [{"parameter": "p", "extents": [3]}],
}


class Extents(FaultlineCase):
    def setUp(self):
        super().setUp()
        self.write("arrays.c", ARRAYS)

    def sh(self, *words):
        subprocess.run(words, cwd=self.scratch, env=self.environment(), check=True, capture_output=True, timeout=60)

    def extents_of(self, *words):
        targets = self.hunt(*words, "--evals", 50, status=None).targets
        return {function: target.get("extents") for function, target in targets.items()}

    def crashes(self, run, function):
        return [finding for finding in run.targets[function]["findings"] if finding["kind"] == "crash"]

    def test_c_source_needs_no_size(self):
        self.assertEqual(self.extents_of("arrays.c"), FOUND)

    def test_bitcode_needs_no_size(self):
        self.sh("clang-19", "-O1", "-g", "-emit-llvm", "-c", "arrays.c")
        self.assertEqual(self.extents_of("arrays.bc"), FOUND)

    def test_a_captured_archive_needs_no_size(self):
        self.sh(FAULTLINE + "-cc", "-O2", "-c", "arrays.c")
        self.sh("ar", "rc", "libarrays.a", "arrays.o")
        self.assertEqual(self.extents_of("libarrays.a"), FOUND)

    def test_fortran_of_assumed_size_needs_no_size(self):
        self.write("norm.f90", "real(8) function total(n, x)\n integer :: n\n real(8) :: x(*)\n integer :: i\n total = 0\n"
                   " do i = 1, n\n  total = total + x(i) * x(i)\n end do\nend function\n")
        self.assertEqual(self.extents_of("norm.f90"), {"total": [{"parameter": "x", "extents": [4], "formula": "n"}]})

    def test_the_same_seed_finds_the_same(self):
        runs = [self.hunt("arrays.c", "-f", "packed", "--evals", 200, "--seed", 7).targets["packed"] for _ in range(2)]
        for run in runs:
            del run["seconds"], run["total_seconds"]
        self.assertEqual(*runs)

    def test_findings_replay_without_measuring_again(self):
        run = self.run_faultline("hunt", "arrays.c", "-f", "three", "--budget", "2s", "-q", "-o", "a.json")
        self.assertNotEqual(run.status, 2, run.err)
        self.assertRegex(self.run_faultline("replay", "a.json", status=0).out, r"[1-9]\d* reproduced, 0 not")
        command = self.hunt("arrays.c", "-f", "three", "--budget", "2s").findings[0]["replay"]
        self.assertIn("--size p=3", command)

    def test_list_says_that_they_can_be_hunted_in(self):
        out = self.run_faultline("list", "arrays.c", status=0).out
        self.assertIn("5 of 5 functions can be tested", out)
        self.assertIn("ap: found by running it", out)

    def test_one_number_stays_one(self):
        self.write("one.c", "void other(double, double*);\n"
                   "void outer(double x, double *r) { other(x, r); }\n"
                   "__attribute__((noinline)) void other(double x, double *r) { if (x > 3) *r = x - 1; else *r = 1 - x; }\n")
        target = self.hunt("one.c", "-f", "outer", "--evals", 50, status=None).targets["outer"]
        self.assertNotIn("extents", target)
        self.assertEqual([entry["name"] for entry in target["inputs"]], ["x"])

    def test_a_size_that_was_given_stands(self):
        target = self.hunt("arrays.c", "-f", "vector", "--size", "x=7", "--evals", 50, status=None).targets["vector"]
        self.assertNotIn("extents", target)
        self.assertEqual({entry["name"]: entry["low"] for entry in target["inputs"]}["n"], "7")

    def test_a_size_that_is_too_small_is_no_crash(self):
        run = self.hunt("arrays.c", "-f", "matrix", "--size", "a=4", "--hold", "n=50", "--budget", "1s", status=None)
        self.assertEqual(self.crashes(run, "matrix"), [])
        self.assertIn("--size a=2500", run.targets["matrix"]["note"])

    def test_no_crash_is_reported_where_no_length_was_found(self):
        self.write("runs_off.c", "double f(const double *p, double x) { int i = 0; while (p[i] < 1e300) ++i; return p[i] + x; }\n")
        run = self.hunt("runs_off.c", "--budget", "2s", status=None)
        self.assertEqual(self.crashes(run, "f"), [])
        self.assertIn("beyond p, whose length was not found (--size p=N)", run.targets["f"]["note"])
        self.assertIn(run.targets["f"]["outcome"], ("unknown", "found"))
        self.assertTrue(run.targets["f"]["extents"][0]["endless"])

    def test_an_extent_that_the_source_declares_is_not_stretched(self):
        self.write("declared.c", "double f(const double p[3], int n) { double s = 0;\n"
                   "for (int i = 0; i < 600 * n; ++i) s += p[i]; return s; }\n")
        run = self.hunt("declared.c", "--range", "n=1:3", "--budget", "1s", status=None)
        self.assertEqual(len(self.crashes(run, "f")), 1)

    def test_what_lies_before_an_array_is_told(self):
        self.write("before.c", "double f(const double *p, int n) { return p[n - 1] - p[-1]; }\n")
        target = self.hunt("before.c", "--evals", 50, status=None).targets["f"]
        self.assertIn("before the first", target["note"])
